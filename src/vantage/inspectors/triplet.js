// The page's side of TripletInspector (triplet.py beside this file). It runs where nothing answers: no kernel, no network.
// Everything it says comes in `content`, as `describe` says it in Python; here it is only drawn, and switched.

const chinese = (text) => element("span", { lang: "zh" }, text);

// -------------------------------------------------------------------------------------------------------- the geometry
// On the page y grows downwards; on a map, and for headings, upwards.

const toward = (degrees) => [Math.cos((degrees * Math.PI) / 180), -Math.sin((degrees * Math.PI) / 180)];

/** A slice of a disc: `span` degrees about a heading. */
function slice(centre, heading, span, radius, attributes) {
  const [from, to] = [-span / 2, span / 2].map((off) => along(centre, toward(heading + off), radius));
  const [x, y] = centre.map((value) => value.toFixed(1));
  const path = `M${x},${y} L${points(from)} A${radius.toFixed(1)},${radius.toFixed(1)} 0 ${span > 180 ? 1 : 0} 0 ${points(to)} Z`;
  return shape("path", { d: path, ...attributes });
}

function arrow(from, heading, length, attributes) {
  const way = toward(heading), tip = along(from, way, length), neck = along(tip, way, -9), across = [-way[1], way[0]];
  return shape("g", attributes,
    shape("line", { x1: from[0], y1: from[1], x2: neck[0], y2: neck[1] }),
    shape("polygon", { points: points(tip, along(neck, across, 4.5), along(neck, across, -4.5)) }));
}

function label(text, [x, y], attributes) {
  return shape("text", { x: x.toFixed(1), y: (y + 4).toFixed(1), ...attributes }, text);
}

// -------------------------------------------------------------------------------------------------------------- a map

const MARKS = { target: "T", relatum: "R", anchor: "F", third: "3" };
const PARTS = "ABCDE";

/** How a box in metres lies on a page of some width. */
function framed(box, width, { margin, tallest }) {
  const [left, bottom, right, top] = box;
  const across = Math.max(right - left, 1e-6), up = Math.max(top - bottom, 1e-6);
  const wide = width - 2 * margin;
  const height = Math.min(tallest * width, Math.max(0.42 * width, (wide * up) / across + 2 * margin));
  const scale = Math.min(wide / across, (height - 2 * margin) / up);
  const middle = [(left + right) / 2, (bottom + top) / 2];
  return { width, height, scale, at: ([x, y]) => [width / 2 + (x - middle[0]) * scale, height / 2 - (y - middle[1]) * scale] };
}

/** What an object is in the question: the first of its roles. Things that only stand in the way have names of their own. */
const roleOf = (condition, name) => condition.roles[name.split(" ")[0]]?.[0];

/** Fields first, then frames, objects, cameras and words, so that nothing small lies under something large. */
function drawMap(svg, sheet, condition, { width, box, view = null, frames = [], small = false, pick = null, name = null }) {
  const margin = small ? 16 : width < 420 ? 33 : 42;
  const frame = framed(box, width, { margin, tallest: small ? 0.8 : 0.95 });
  svg.setAttribute("viewBox", `0 0 ${width} ${frame.height.toFixed(1)}`);
  const shown = (view ? [view] : condition.views.map((one) => one.view)).flatMap((one) => sheet.cameras[one]?.shows ?? []);
  const hidden = view ? sheet.cameras[view]?.hidden ?? [] : [];
  const relatum = Object.keys(sheet.things).find((thing) => condition.roles[thing]?.includes("relatum"));
  const target = Object.keys(sheet.things).find((thing) => condition.roles[thing]?.includes("target"));
  const [from, to] = [relatum, target].map((thing) => frame.at(sheet.things[thing].at));
  const cameras = [
    ...condition.removed.filter((gone) => sheet.cameras[gone]).map((gone) => drawCamera(frame, sheet.cameras[gone], { gone: true, small, front: gone === condition.anchor })),
    ...condition.views.map((one, place) => ({ ...one, number: place + 1 })).sort((a, b) => (a.view === view) - (b.view === view))
      .map((one) => drawCamera(frame, sheet.cameras[one.view], {
        part: one.part, number: one.number, small, chosen: one.view === view, faded: view !== null && one.view !== view,
        added: condition.added.includes(one.view), front: one.view === condition.anchor, pick: pick && (() => pick(one.view)),
      })),
  ];
  const things = Object.entries(sheet.things)
    .filter(([thing]) => sheet.cameras === undefined || inBox(box, sheet.things[thing].at))
    .filter(([thing]) => !small || roleOf(condition, thing))
    .sort(([, a], [, b]) => a.at[0] - b.at[0])
    .map(([thing, what]) => drawThing(frame, what, {
      role: roleOf(condition, thing), roles: condition.roles[thing.split(" ")[0]] ?? [], small,
      state: shown.includes(thing) ? "shown" : hidden.includes(thing) ? "hidden" : "unseen", name,
    }));
  const arrows = frames.map((one) => drawFrame(frame, from, to, one, small));
  svg.replaceChildren(
    shape("rect", { width, height: frame.height, class: "vt-ground" }),
    ...(condition.elsewhere && !small ? [elsewhere(frame, condition.elsewhere)] : []),
    ...cameras.map(({ field }) => field),
    ...arrows.map(({ drawn }) => drawn),
    ...things,
    ...cameras.map(({ mark }) => mark),
    ...[...cameras.map(({ sign }) => sign), ...arrows.map(({ words }) => words)].filter(Boolean),
  );
  return things;
}

function inBox([left, bottom, right, top], [x, y]) {
  return x >= left - 1e-6 && x <= right + 1e-6 && y >= bottom - 1e-6 && y <= top + 1e-6;
}

function elsewhere(frame, box) {
  const [x, y] = frame.at([box[0], box[3]]), [right, bottom] = frame.at([box[2], box[1]]);
  return shape("g", { class: "vt-elsewhere" },
    shape("rect", { x: x - 22, y: y - 22, width: right - x + 44, height: bottom - y + 44, rx: 8 }),
    label("another place", [x - 20, y - 32], { class: "vt-note" }));
}

function drawCamera(frame, camera, { part, number, small, chosen, faded, gone, added, front, pick }) {
  const place = frame.at(camera.at);
  const css = `vt-part-${gone ? "gone" : part} ${chosen ? "vt-chosen" : ""} ${faded ? "vt-faded" : ""} ${added ? "vt-added" : ""}`;
  const field = slice(place, camera.heading, camera.field, camera.reach * frame.scale, { class: `vt-field ${css}` });
  const size = small ? 8 : 11;
  const mark = shape("g", { class: `vt-camera ${css}`, "aria-hidden": "true" },
    shape("polygon", { points: points(along(place, toward(camera.heading), size + 9), ...[50, -50].map((off) => along(place, toward(camera.heading + off), size))) }),
    shape("circle", { cx: place[0], cy: place[1], r: size }),
    label(gone ? "×" : String(number), place, { class: "vt-number" }));
  const sign = front && !small ? shape("g", { class: "vt-front" }, pill("F", along(place, toward(camera.heading), -22))) : null;
  if (pick) {
    for (const node of [field, mark]) {
      node.classList.add("vt-clickable");
      node.addEventListener("click", pick);
    }
  }
  return { field, mark, sign };
}

const SAID = { shown: "", hidden: "hidden from the image", unseen: "not in the image" };

function pill(sign, [x, y]) {
  return shape("g", { class: "vt-pill" },
    shape("rect", { x: x - 8, y: y - 8, width: 16, height: 16, rx: 4 }), label(sign, [x, y], {}));
}

function drawThing(frame, thing, { role, roles, small, state, name }) {
  const place = frame.at(thing.at);
  const radius = Math.max(thing.radius * frame.scale, role ? (small ? 4 : 7) : 4.5);
  const nose = thing.heading === null || small ? null : shape("polygon", {
    points: points(along(place, toward(thing.heading), radius + 9), ...[48, -48].map((off) => along(place, toward(thing.heading + off), radius))),
  });
  const node = shape("g", { class: `vt-thing vt-${state} ${role ? `vt-${role}` : ""}` },
    nose, shape("circle", { cx: place[0], cy: place[1], r: radius }),
    role && !small ? pill(MARKS[role], [place[0], place[1] - radius - 13]) : null);
  if (name) {
    const said = `${[thing.en, ...roles.map((one) => name.roles[one])].join(", ")}${SAID[state] ? `; ${SAID[state]}` : ""}`;
    filled(node, { role: "img", tabindex: -1, "aria-label": said }, [shape("title", {}, `${said} ${thing.zh}`)]);
    node.addEventListener("pointerenter", () => name.call(thing, said));
    node.addEventListener("focus", () => name.call(thing, said));
  }
  return node;
}

/** Front at the relatum, and the sector of the answer there: outlined only where the images do not support it. */
function drawFrame(frame, from, to, { front, sector, word, direction, css, open, current }, small) {
  const far = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const length = small ? 30 : Math.min(62, frame.width / 8);
  const radius = Math.max(far + (small ? 6 : 16), 0.8 * length);
  const way = toward(front);
  const attributes = { class: `vt-frame ${css} ${open ? "vt-open" : ""} ${current ? "vt-current" : ""}` };
  const drawn = shape("g", attributes,
    current ? slice(from, sector, 90, radius, { class: "vt-sector" }) : null,
    current ? shape("line", { class: "vt-way", x1: from[0], y1: from[1], x2: to[0], y2: to[1] }) : null,
    arrow(from, front, length, { class: "vt-arrow" }));
  const words = small ? null : shape("g", attributes,
    !current || open || frame.width < 420 ? null : inside(frame, direction, along(from, toward(sector), 0.55 * radius), "vt-word vt-said"),
    inside(frame, word, along(from, way, length + 14 + 22 * Math.abs(way[0])), "vt-word"));
  return { drawn, words };
}

/** A word about a place, moved in from the border. */
function inside({ width, height }, word, [x, y], css) {
  const half = 3.6 * word.length + 4;
  const at = [Math.min(width - half, Math.max(half, x)), Math.min(height - 12, Math.max(12, y))];
  return label(word, at, { class: css, "text-anchor": "middle" });
}

/** The four directions round the relatum in one frame, with the target where it is on the map. */
function drawDial(svg, sheet, condition) {
  const width = 274, height = 170, centre = [width / 2, height / 2];
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const [relatum, target] = ["relatum", "target"].map((role) =>
    sheet.things[Object.keys(sheet.things).find((thing) => condition.roles[thing]?.includes(role))].at);
  const bearing = (Math.atan2(target[1] - relatum[1], target[0] - relatum[0]) * 180) / Math.PI;
  const there = along(centre, toward(bearing), 38);
  svg.replaceChildren(
    shape("rect", { width, height, class: "vt-ground" }),
    slice(centre, condition.sector, 90, 54, { class: "vt-sector" }),
    shape("circle", { cx: centre[0], cy: centre[1], r: 54, class: "vt-dial" }),
    ...condition.compass.map(({ heading }) => {
      const end = along(centre, toward(heading + 45), 54);
      return shape("line", { x1: centre[0], y1: centre[1], x2: end[0], y2: end[1], class: "vt-border" });
    }),
    shape("g", { class: `vt-frame vt-frame-${condition.kind} vt-current` }, arrow(centre, condition.front, 52, { class: "vt-arrow" })),
    ...condition.compass.map(({ word, heading }) => {
      const way = toward(heading);
      return label(word, [centre[0] + 62 * way[0], centre[1] + 66 * way[1]], {
        class: `vt-word ${word === condition.direction ? "vt-said" : ""}`, "text-anchor": way[0] > 0.35 ? "start" : way[0] < -0.35 ? "end" : "middle",
      });
    }),
    shape("circle", { cx: there[0], cy: there[1], r: 7, class: "vt-dot-target" }), label("T", there, { class: "vt-dot-text" }),
    shape("circle", { cx: centre[0], cy: centre[1], r: 7, class: "vt-dot-relatum" }), label("R", centre, { class: "vt-dot-text" }),
  );
}

// ----------------------------------------------------------------------------------------------------------- controls

const SIGNS = { correct: "✓", wrong: "✕", invalid: "?", missing: "–", "not asked": "·" };

function build(content, uid) {
  const role = (name, what, attributes = {}, ...children) => element(name, { "data-role": what, ...attributes }, ...children);
  const button = (what, text, attributes = {}) => role("button", what, { type: "button", ...attributes }, text);
  return {
    group: role("select", "group", { id: `${uid}-group` }, ...content.groups.map(({ group, family, about }, place) =>
      option(place, `${group}: ${family}, ${about}`, place === 0))),
    notice: role("p", "notice", { class: "vt-notice", role: "status" }),
    copy: button("copy", "Copy link", { "aria-label": "Copy link to this group, condition and image" }),
    copied: role("span", "copied", { class: "vt-about", role: "status" }),
    cards: role("div", "conditions", { class: "vt-cards", role: "group", "aria-label": "Conditions" }),
    question: role("div", "question", { class: "vt-question" }),
    dial: shape("svg", { class: "vt-svg", "aria-hidden": "true" }),
    map: shape("svg", { class: "vt-svg", role: "group", "data-role": "map" }),
    name: role("p", "name", { class: "vt-name" }),
    views: role("div", "views", { class: "vt-views", role: "group", "aria-label": "Images" }),
    legend: role("ul", "legend", { class: "vt-legend" }),
    lines: role("div", "lines", { class: "vt-lines" }),
    seen: role("div", "seen", { class: "vt-lines vt-seen" }),
    runs: [0, 1].map((which) => role("select", `run-${"ab"[which]}`, { id: `${uid}-run-${which}` }, ...content.runs.map(({ title }, place) =>
      option(place, title, place === Math.min(which, content.runs.length - 1))))),
    answers: role("div", "answers", { class: "vt-answers" }),
    prove: button("prove", "Prove it", { "aria-expanded": "false", "aria-controls": `${uid}-proof` }),
    proof: role("ul", "proof", { class: "vt-proof", id: `${uid}-proof`, hidden: "" }),
    other: button("other", "Show another world that looks the same", { "aria-expanded": "false", "aria-controls": `${uid}-worlds` }),
    worlds: role("div", "worlds", { class: "vt-worlds", id: `${uid}-worlds`, hidden: "" }),
  };
}

function layOut(content, parts, uid) {
  const several = content.groups.length > 1;
  return element("section", { class: "vantage-triplet", "aria-label": "Triplet inspector" },
    element("div", { class: "vt-head" },
      several ? element("label", { for: `${uid}-group` }, "Group") : null,
      several ? parts.group : element("p", {}, parts.group.options[0].textContent), parts.notice),
    parts.cards,
    element("div", { class: "vt-narrow" }, parts.dial),
    parts.question,
    element("div", { class: "vt-stage" }, parts.views, parts.map, parts.name, parts.legend),
    element("div", { class: "vt-words", "aria-live": "polite" }, parts.lines, parts.seen),
    parts.answers,
    element("div", { class: "vt-evidence" }, element("div", { class: "vt-row" }, parts.prove, parts.other, parts.copy, parts.copied), parts.proof, parts.worlds));
}

// ------------------------------------------------------------------------------------------------------------- render

function render({ model, el }) {
  const content = model.get("content");
  const uid = `vantage-triplet-${(instances += 1)}`;
  const parts = build(content, uid);
  el.append(layOut(content, parts, uid));
  // What is shown: a group, one of its conditions, and one of that condition's views or, with none, all of them.
  const state = { group: 0, condition: 0, view: null };
  const group = () => content.groups[state.group];
  const condition = () => group().conditions[state.condition];
  const line = (name, text, attributes = {}) => element(name, { "data-line": "", ...attributes }, text);

  function openGroup(place) {
    Object.assign(state, { group: place, condition: 0, view: null });
    parts.group.value = String(place);
    parts.notice.textContent = "";
    disclose(parts.prove, parts.proof, false);
    showWorlds(false);
    parts.other.hidden = group().worlds === null;
    paintCards();
    paintProof();
    paint();
  }

  function openCondition(place) {
    state.condition = place;
    if (!condition().views.some(({ view }) => view === state.view)) state.view = null;
    paint();
  }

  function choose(view) {
    state.view = view;
    paint();
  }

  function paintCards() {
    parts.cards.replaceChildren(...group().conditions.map((one, place) => {
      const picture = shape("svg", { class: "vt-svg", "aria-hidden": "true" });
      if (group().family === "FQ1") drawDial(picture, group().sheet, one);
      else drawMap(picture, group().sheet, one, { width: 230, box: group().conditions.at(-1).box, small: true, frames: framesOf(one) });
      const { front, images, number, gold } = one.short;
      const support = one.supported === "insufficient" ? "insufficient" : `supports ${one.supported}`;
      const card = element("button", { type: "button", "data-role": `condition-${one.condition}`, class: "vt-card" },
        element("strong", {}, one.title), picture,
        element("span", { class: "vt-fact" }, group().family === "FQ1" ? `front: ${front}` : images),
        number ? element("span", { class: "vt-fact" }, number) : null,
        element("span", { class: `vt-fact vt-support ${one.supported === "insufficient" ? "vt-lacks" : ""}` }, support),
        element("span", { class: "vt-fact vt-gold" }, `gold ${gold}`));
      card.addEventListener("click", () => openCondition(place));
      return card;
    }));
  }

  /** The frames at the relatum: in FQ1 all three, the chosen one with its sector. */
  function framesOf(chosen) {
    if (group().family === "FQ1") {
      const others = group().conditions.filter((one) => one !== chosen);
      return [...others, chosen].map((one) => ({
        front: one.front, sector: one.sector, direction: one.direction, word: `${one.kind} front`,
        css: `vt-frame-${one.kind}`, current: one === chosen,
      }));
    }
    const open = chosen.supported === "insufficient";
    const { front, sector, direction, fixed } = chosen;
    return [{ front, sector, direction, word: fixed ? "front" : "front?", css: "vt-frame-camera", current: true, open }];
  }

  function paint() {
    [...parts.cards.children].forEach((card, place) => card.setAttribute("aria-pressed", String(place === state.condition)));
    parts.dial.parentElement.hidden = group().family !== "FQ1";
    if (group().family === "FQ1") drawDial(parts.dial, group().sheet, condition());
    paintQuestion();
    paintViews();
    paintMap();
    paintLegend();
    const chosen = condition().views.find(({ view }) => view === state.view);
    say(parts.lines, condition().lines);
    say(parts.seen, chosen?.lines ?? condition().together);
    paintAnswers();
    parts.copied.textContent = "";
    if (!parts.worlds.hidden) paintWorlds();
  }

  function paintQuestion() {
    const { question, options } = condition();
    parts.question.replaceChildren(
      line("p", question.zh, { lang: "zh", class: "vt-zh" }),
      line("p", question.en, { lang: "en" }),
      element("ul", { class: "vt-options" }, ...options.map(({ letter, en, zh, gold }) =>
        filled(element("li"), { "data-line": "", class: gold ? "vt-is-gold" : null },
          [element("strong", {}, `${letter}: `), `${en} `, chinese(zh), gold ? element("span", {}, " (gold)") : null]))));
  }

  function paintViews() {
    const button = (view, text) => {
      const node = element("button", { type: "button", "data-role": `view-${view ?? "all"}`, "aria-pressed": String(view === state.view) }, text);
      node.addEventListener("click", () => {
        choose(view);
        parts.views.querySelector("[aria-pressed='true']").focus();
      });
      return node;
    };
    parts.views.replaceChildren(button(null, "All images"), ...condition().views.map(({ view }, place) => button(view, `Image ${place + 1}`)));
  }

  /** Paragraphs that stay are left alone, so that a screen reader hears only what is new. */
  function say(box, texts) {
    if (texts.join("\n") === [...box.children].map((node) => node.textContent).join("\n")) return;
    box.replaceChildren(...texts.map((text) => line("p", text)));
  }

  function callByName(thing, said) {
    parts.name.replaceChildren(said, " ", chinese(thing.zh));
  }

  function paintMap() {
    const width = Math.max(260, parts.map.clientWidth || 640);
    const { sheet } = group();
    parts.map.setAttribute("aria-label", `The layout from above, ${condition().title}. Arrow keys go from object to object.`);
    const things = drawMap(parts.map, sheet, condition(), {
      width, box: condition().box, view: state.view, frames: framesOf(condition()),
      pick: (view) => choose(view === state.view ? null : view), name: { call: callByName, roles: content.roles },
    });
    things[0].setAttribute("tabindex", 0);
    things.forEach((thing, place) => thing.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const next = things[(place + step + things.length) % things.length];
      thing.setAttribute("tabindex", -1);
      next.setAttribute("tabindex", 0);
      next.focus();
    }));
    parts.name.textContent = "Point at an object to read its name, or reach the map with Tab and use the arrow keys. A click on a camera chooses its image.";
  }

  function paintLegend() {
    const { sheet } = group(), { roles, views, kind, removed, anchor } = condition();
    const named = Object.entries(roles).sort(([, [a]], [, [b]]) => Object.keys(MARKS).indexOf(a) - Object.keys(MARKS).indexOf(b));
    const entry = (css, sign, ...words) => element("li", {}, element("span", { class: `vt-key ${css}`, "aria-hidden": "true" }, sign), element("span", {}, ...words));
    const count = new Set(views.map(({ part }) => part)).size;
    const numbers = (part) => views.flatMap((one, place) => (one.part === part ? [place + 1] : [])).join(", ");
    parts.legend.replaceChildren(
      ...named.map(([thing, held]) => entry(`vt-key-${held[0]}`, MARKS[held[0]],
        `${held.map((one) => content.roles[one]).join(", ")}: ${sheet.things[thing].en} `, chinese(sheet.things[thing].zh))),
      ...[...Array(count).keys()].map((part) => entry(`vt-part-${part}`, count > 1 ? PARTS[part] : "1",
        count > 1 ? `part ${PARTS[part]}: camera of image ${numbers(part)}` : "camera with the number of its image, and its field of view")),
      ...(anchor ? [entry("vt-key-anchor", MARKS.anchor, `${content.roles.anchor}: the camera of view ${anchor}`)] : []),
      ...(removed.length ? [entry("vt-part-gone", "×", "the camera whose image was taken away")] : []),
      entry("vt-key-seen", "●", state.view ? "ringed: in the image; ringed with dashes: hidden from it; faded: not in it" : "ringed: in an image; faded: in none"),
      entry("vt-key-front", "→", group().family === "FQ1" ? `front in each frame; shaded: the answer in the ${kind} frame`
        : condition().supported === "insufficient" ? "front, and outlined the answer in the layout, which the images do not support" : "front; shaded: the answer"),
    );
  }

  function paintAnswers() {
    if (!content.runs.length) {
      parts.answers.replaceChildren();
      return;
    }
    const which = content.runs.length > 1 ? [0, 1] : [0];
    parts.answers.replaceChildren(...which.map((place) => {
      const run = Number(parts.runs[place].value), { title, about } = content.runs[run];
      const { words, verdict } = condition().answers[run];
      return element("div", { class: "vt-answer" },
        content.runs.length > 1 ? element("label", { for: parts.runs[place].id }, `Responder ${"AB"[place]}`) : null,
        content.runs.length > 1 ? parts.runs[place] : null,
        element("p", { class: "vt-about" }, about),
        element("div", { class: `vt-verdict vt-is-${verdict.replace(" ", "-")}` },
          element("span", { class: "vt-sign", "aria-hidden": "true" }, SIGNS[verdict]),
          filled(element("p"), { "data-line": "", "data-role": `answer-${"ab"[place]}` },
            [`${title}: `, element("strong", {}, words), ". ", element("span", { class: "vt-verdict-word" }, `${content.verdicts[verdict]}.`)])));
    }));
  }

  function paintProof() {
    parts.proof.replaceChildren(...group().proofs.map(({ holds, text }) => element("li", { class: holds ? "vt-holds" : "vt-fails" },
      element("span", { class: "vt-tick", role: "img", "aria-label": holds ? "holds" : "fails" }, holds ? "✓" : "✕"), element("span", {}, text))));
  }

  /** Both worlds as the deletion shows them, whichever condition is open above. */
  function paintWorlds() {
    const { worlds, text } = group().worlds;
    const deletion = { ...group().conditions[1], removed: [], elsewhere: null };
    const view = deletion.views.some((one) => one.view === state.view) ? state.view : null;
    const maps = worlds.map(() => shape("svg", { class: "vt-svg", role: "img" }));
    parts.worlds.replaceChildren(
      element("p", { "data-role": "worlds-text" }, text),
      element("div", { class: "vt-pair" }, ...worlds.map((world, place) =>
        element("div", {}, element("p", { class: "vt-caption" }, `${world.title}: ${world.direction}`), maps[place]))));
    worlds.forEach((world, place) => {
      maps[place].setAttribute("aria-label", `${world.title}, from above. The answer is ${world.direction}.`);
      drawMap(maps[place], world, deletion, {
        width: Math.max(240, maps[place].clientWidth || 340), box: world.box, view,
        frames: [{ ...world, word: "front", css: "vt-frame-camera", current: true }],
      });
    });
  }

  function showWorlds(open) {
    disclose(parts.other, parts.worlds, open);
    parts.other.textContent = open ? "Hide the other world" : "Show another world that looks the same";
    if (open) paintWorlds();
  }

  function disclose(button, what, open) {
    what.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
  }

  async function copyLink() {
    const chosen = { group: group().group, condition: condition().condition, ...(state.view ? { view: state.view } : {}) };
    parts.copied.textContent = await copyAddress(chosen);
  }

  /** Open what the page's address names, and say what of it does not exist. Whether it names a group at all. */
  function openAddress() {
    const address = new URLSearchParams(window.location.hash.slice(1));
    if (!address.get("group")) return false;
    const unknown = [];
    const place = (part, names) => {
      const name = address.get(part), found = names.indexOf(name);
      if (name !== null && found < 0) unknown.push(`No such ${part} here: ${name}.`);
      return Math.max(found, 0);
    };
    openGroup(place("group", content.groups.map((one) => one.group)));
    state.condition = place("condition", group().conditions.map((one) => one.condition));
    // Without a view, all images.
    const views = [null, ...condition().views.map(({ view }) => view)];
    state.view = views[place("view", views)];
    paint();
    parts.notice.textContent = unknown.join(" ");
    const show = () => window.requestAnimationFrame(() => el.scrollIntoView({ block: "start" }));
    show();
    if (document.readyState !== "complete") window.addEventListener("load", show, { once: true });
    return true;
  }

  parts.copy.addEventListener("click", copyLink);
  window.addEventListener("hashchange", openAddress);
  parts.group.addEventListener("change", () => openGroup(Number(parts.group.value)));
  parts.runs.forEach((control) => control.addEventListener("change", () => {
    paintAnswers();
    control.focus();
  }));
  parts.prove.addEventListener("click", () => disclose(parts.prove, parts.proof, parts.proof.hidden));
  parts.other.addEventListener("click", () => showWorlds(parts.worlds.hidden));

  if (!openAddress()) openGroup(0);
  let painted = 0;
  const resized = new ResizeObserver(() => {
    // What is drawn changes the height; only another width asks for another drawing.
    if (parts.map.clientWidth === painted) return;
    painted = parts.map.clientWidth;
    paintMap();
    if (!parts.worlds.hidden) paintWorlds();
  });
  resized.observe(el);
  return () => {
    resized.disconnect();
    window.removeEventListener("hashchange", openAddress);
  };
}

export default { render };
