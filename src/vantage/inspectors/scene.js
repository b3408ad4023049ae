// The page's side of SceneInspector (scene.py beside this file). It runs where nothing answers: no kernel, no network.
// All it knows is `content`; what it says about a question is what `describe` says in Python, word for word.

// ---------------------------------------------------------------------------------------------------------- algebra
// The same as src/vantage/relations.py. A relation set is a number, one bit a label.

const LEFT = 1, RIGHT = 2, FRONT = 4, BEHIND = 8, ABOVE = 16, BELOW = 32;
const TOP = "Top";

// The cosine at each eighth of a turn, exact at the cardinal ones; the sine is the cosine two eighths before.
const COSINE = [1, Math.SQRT1_2, 0, -Math.SQRT1_2, -1, -Math.SQRT1_2, 0, Math.SQRT1_2];

/** A canonical displacement as the observer sees it after the camera has orbited by `yaw` degrees: to the right, behind. */
function observed([x, y], yaw) {
  const eighth = Math.floor(yaw / 45) % 8;
  const exact = yaw % 45 === 0;
  const cosine = exact ? COSINE[eighth] : Math.cos((yaw * Math.PI) / 180);
  const sine = exact ? COSINE[(eighth + 6) % 8] : Math.sin((yaw * Math.PI) / 180);
  return [cosine * x + sine * y, cosine * y - sine * x];
}

/** The labels of observed components that are beyond their margins (lateral, depth): one or two, or none. */
function relationSet([x, y], [lateral, depth]) {
  return (x > lateral ? RIGHT : 0) | (x < -lateral ? LEFT : 0) | (y > depth ? BEHIND : 0) | (y < -depth ? FRONT : 0);
}

/** The labels that a question's gold asserts: those beyond their margins, else that of the component larger relative to its own. */
function assertedSet([x, y], margins) {
  const found = relationSet([x, y], margins);
  if (found) return found;
  const sizes = [Math.abs(x) * margins[1], Math.abs(y) * margins[0]], largest = Math.max(...sizes);
  return relationSet([sizes[0] === largest ? x : 0, sizes[1] === largest ? y : 0], [0, 0]);
}

/** The admissible relation sets other than the asserted one, in increasing order; each shares a label with it. */
function alternatives([x, y], margins, bands) {
  const gold = assertedSet([x, y], margins);
  let sets = [gold];
  for (const [axis, component, positive, negative] of [[0, x, RIGHT, LEFT], [1, y, BEHIND, FRONT]]) {
    if (Math.abs(Math.abs(component) - margins[axis]) <= bands[axis]) {
      sets = [...sets, ...sets.map((mask) => mask ^ (component > 0 ? positive : negative))];
    }
  }
  return [...new Set(sets)].filter((mask) => mask !== gold && (mask & gold) !== 0).sort((a, b) => a - b);
}

/** The words of a relation set, in the order of the option list. */
const decode = (mask, words) => words.filter((_, bit) => mask & (1 << bit));

/** Top looks at the plane of the source view. */
const yawOf = (angle) => (angle === TOP ? 0 : Number(angle));

// Counter-clockwise from the right: the labels a quarter of a turn apart, the directions of the map an eighth; then up and down.
const COMPASS = [RIGHT, BEHIND, LEFT, FRONT];
const DIRECTIONS = [
  [1, 0, 0], [1, 1, 0], [0, 1, 0], [-1, 1, 0], [-1, 0, 0], [-1, -1, 0], [0, -1, 0], [1, -1, 0], [0, 0, 1], [0, 0, -1],
];

/** The place in DIRECTIONS of what a label asserts at a viewpoint; above and below are the same at every one. */
function directionOf(label, viewpoint) {
  if (label === ABOVE || label === BELOW) return label === ABOVE ? 8 : 9;
  return ((90 * COMPASS.indexOf(label) + yawOf(viewpoint)) % 360) / 45;
}

// ------------------------------------------------------------------------------------------------------------ items

/** The questions, scenes and answers in `content`, by row. */
function readItems(content) {
  const { questions, scenes, digits, viewpoints, runs } = content;
  const number = (column, row) => digits.indexOf(column[row]);
  const rows = questions.count;
  const ends = [...questions.first.slice(1), rows];
  const sceneOf = (row) => questions.first.findLastIndex((first) => first <= row);
  const question = (row) => {
    const scene = sceneOf(row);
    return {
      row,
      scene,
      number: row - questions.first[scene] + 1,
      viewpoint: viewpoints[number(questions.viewpoint, row)],
      wording: questions.wordings[number(questions.wording, row)],
      target: number(questions.target, row),
      anchor: number(questions.anchor, row),
      gold: number(questions.gold, row),
      vertical: number(questions.vertical, row) === 1,
      alternatives: [...(questions.alternatives[row] ?? "")].map((digit) => digits.indexOf(digit)),
    };
  };
  const answer = (run, row) => {
    const sign = runs[run].answers[row];
    if (sign === "!") return { verdict: "invalid" };
    if (sign === "-") return { verdict: "missing" };
    const mask = digits.indexOf(sign);
    const { gold, alternatives: admissible } = question(row);
    return { mask, verdict: mask === gold ? "correct" : admissible.includes(mask) ? "alternative" : "wrong" };
  };
  const differ = (a, b, row) => runs[a].answers[row] !== runs[b].answers[row];
  /** The labels that contradict each other in a run's answers to a scene, in its plan or in heights: none where one layout
   *  satisfies all answers. */
  const conflict = (run, scene, part) => runs[run].conflicts[scene].split(" ").filter(Boolean).map((each) => {
    const [place, label, times] = each.split(":").map(Number);
    return { row: questions.first[scene] + place, label, times };
  }).filter(({ label }) => (label >= ABOVE) === (part === "heights"));
  return { rows, question, answer, differ, conflict, rowsOf: (scene) => range(questions.first[scene], ends[scene]) };
}

const range = (from, to) => Array.from({ length: to - from }, (_, step) => from + step);

// ------------------------------------------------------------------------------------------------------------ texts

/** The words that a viewpoint offers. */
const wordsAt = (content, angle) => (angle === TOP ? content.words.top : content.words.ground);

const said = (content, mask, angle) => decode(mask, wordsAt(content, angle)).join(", ");

const named = (scene, tag) => `the ${scene.objects.find((thing) => thing.tag === tag).name} (Tag ${tag})`;

/** A question by the paper's template, of which only the marked places are filled in. */
function questionText(content, question) {
  const scene = content.scenes[question.scene];
  const name = (tag) => scene.objects.find((thing) => thing.tag === tag).name;
  const [direction, angle] = question.wording;
  const fill = {
    "<angle>": angle, "<left/right>": direction,
    "<object>": name(question.target), "<B>": question.target, "<subject>": name(question.anchor), "<A>": question.anchor,
  };
  const template = content.templates[question.viewpoint] ?? content.templates.orbit;
  const offered = question.vertical ? `, ${content.words.ground.slice(4).join(", ")}]. Multiple` : "]. Multiple";
  return template.replace("]. Multiple", offered).replace(/<[^>]+>/g, (place) => String(fill[place]));
}

const goldText = (content, question) => `Gold: ${said(content, question.gold, question.viewpoint)}.`;

function alternativesText(content, question) {
  const sets = question.alternatives.map((mask) => said(content, mask, question.viewpoint));
  return `Also admissible: ${sets.join("; or ") || "nothing else"}.`;
}

/** What relation the target has to the anchor for the observer at `angle`, and how clear it is. */
function readingText(content, scene, target, anchor, angle) {
  const { phrases } = content;
  const { margins, bands } = scene;
  const words = wordsAt(content, angle);
  const [x, y] = componentsOf(scene, target, anchor, angle);
  const relations = decode(assertedSet([x, y], margins), words).map((word) => phrases.relation[word]);
  const offset = (component, positive, negative) =>
    `${Math.abs(component).toFixed(2)} ${phrases.offset[component >= 0 ? positive : negative]}`;
  const sentences = [
    `${angle === TOP ? "Seen from above" : `For the observer at ${angle}°`}, ${named(scene, target)} is ` +
      `${relations.join(" and ")} ${named(scene, anchor)}.`,
    `It lies ${offset(x, words[1], words[0])} and ${offset(y, words[3], words[2])}, in world units; a label needs more than ${limits(margins, angle)}.`,
  ];
  if (!relationSet([x, y], margins)) {
    sentences.push("Neither is enough, and a label is never empty: the one nearer to its limit in proportion is asserted.");
  }
  const others = alternatives([x, y], margins, bands).map((mask) => `“${said(content, mask, angle)}”`);
  if (others.length) {
    sentences.push(`One component is within ${limits(bands, angle)} of that limit, so ${others.join(" or ")} would be admissible too.`);
  }
  return sentences;
}

/** How two heights compare: as compare_heights in src/vantage/heights.py. */
function compareHeights(content, scene, target, anchor) {
  const [one, other] = [target, anchor].map((tag) => scene.objects.find((thing) => thing.tag === tag));
  const [[low, high], [otherLow, otherHigh]] = [one, other].map(heightsOf);
  const shared = Math.max(0, Math.min(high, otherHigh) - Math.max(low, otherLow));
  const rise = one.height[0] - other.height[0];
  const found = {
    shared, rise, overlap: shared / Math.min(high - low, otherHigh - otherLow),
    separation: Math.abs(rise) / heightOf(scene),
    pixels: other.row - one.row,
  };
  const { gate } = content;
  const flaws = {
    overlap: found.overlap > gate.overlap, separation: found.separation < gate.separation,
    pixels: Math.abs(found.pixels) < gate.pixels, order: found.rise * found.pixels < 0,
  };
  return { ...found, flaws: Object.keys(flaws).filter((name) => flaws[name]) };
}

/** The lowest and the highest point of an object. */
const heightsOf = ({ height: [middle, half] }) => [middle - half, middle + half];

/** From the lowest to the highest point of what is tagged. */
function heightOf(scene) {
  const tagged = scene.objects.filter((thing) => thing.tag !== null).map(heightsOf);
  return Math.max(...tagged.map(([, high]) => high)) - Math.min(...tagged.map(([low]) => low));
}

/** How the heights of target and anchor compare, for every observer. */
function heightsText(content, scene, target, anchor) {
  const found = compareHeights(content, scene, target, anchor);
  const { gate, phrases } = content;
  const [higher, inPicture] = [found.rise, found.pixels].map((rise) => (rise >= 0 ? "higher" : "lower"));
  const [interval, other] = [target, anchor].map((tag) =>
    heightsOf(scene.objects.find((thing) => thing.tag === tag)).map((value) => value.toFixed(2)).join(" to "));
  const percent = (share) => `${Math.floor(100 * share + 0.5)} %`;
  const side = found.flaws.length ? "not clearly above or below" : found.rise > 0 ? "above" : "below";
  return [
    `For every observer, ${named(scene, target)} is ${side} ${named(scene, anchor)}.`,
    `It reaches in height from ${interval}, the other from ${other}; they have ${found.shared.toFixed(2)} in common, ` +
      `${percent(found.overlap)} of the smaller interval, where at most ${percent(gate.overlap)} are allowed.`,
    `Its centre is ${Math.abs(found.rise).toFixed(2)} ${higher}, ${percent(found.separation)} of the scene's height ` +
      `(at least ${percent(gate.separation)}), and ${Math.abs(found.pixels)} pixels ${inPicture} in the picture (at least ${gate.pixels}).`,
    found.flaws.length
      ? `No question about the two offers above and below, because ${listed(found.flaws.map((name) => phrases.flaw[name]))}.`
      : "Wherever the observer goes, that stays; left, right, front and behind are what changes with the viewpoint.",
  ];
}

/** One, two and three. */
const listed = (words) => [words.slice(0, -1).join(", "), words.at(-1)].filter(Boolean).join(" and ");

/** A number a component, to a side and in depth; one number where they are the same. */
function limits([lateral, depth], angle) {
  const short = (value) => String(Number(value.toFixed(2)));
  if (lateral === depth) return short(lateral);
  return `${short(lateral)} to a side and ${short(depth)} ${angle === TOP ? "to north or south" : "in depth"}`;
}

/** Where an observer stands, and what a viewpoint is called. */
const standing = (angle) => (angle === TOP ? "straight above" : `at ${angle}°`);
const viewpointName = (viewpoint) => (viewpoint === TOP ? TOP : `${viewpoint}°`);

function componentsOf(scene, target, anchor, angle) {
  const [to, from] = [target, anchor].map((tag) => scene.objects.find((thing) => thing.tag === tag).plane);
  return observed([to[0] - from[0], to[1] - from[1]], yawOf(angle));
}

// --------------------------------------------------------------------------------------------------- contradictions
// The same texts as src/vantage/inspectors/conflict.py. What contradicts what was found and proved there.

/** Whether a run's answers to a scene describe a possible scene: a verdict where they do, else a contradiction, answer by
 *  answer, in each part of the scene in which there is one. */
function checkAnswers(content, items, run, scene) {
  const proofs = Object.keys(content.phrases.part).map((part) => proofOf(content, items, run, scene, part)).filter(Boolean);
  if (proofs.length) return proofs;
  const answered = items.rowsOf(scene).filter((row) => items.answer(run, row).mask !== undefined).length;
  if (!answered) return [{ verdict: "There is no answer to check.", steps: [] }];
  const heights = asksHeights(items, scene) ? ", heights included," : "";
  return [{ verdict: `Yes: one layout${heights} satisfies all ${answered} answers. They fit together; that does not make them right.`, steps: [] }];
}

const asksHeights = (items, scene) => items.rowsOf(scene).some((row) => items.question(row).vertical);

function proofOf(content, items, run, scene, part) {
  const labels = items.conflict(run, scene, part);
  const rows = [...new Set(labels.map(({ row }) => row))];
  if (!rows.length) return null;
  const alone = rows.length === 1;
  const total = new Map();
  let bound = 0;
  const steps = rows.map((row) => {
    const ofRow = labels.filter((label) => label.row === row);
    for (const label of ofRow) {
      addLabel(total, items.question(row), label);
      bound += label.times;
    }
    return { row, labels: ofRow, text: stepText(content, items, run, row, ofRow), sum: `Added up: ${formula(total, bound)}.` };
  });
  steps.at(-1).sum += ` That is false, so ${alone ? "this answer is" : `at least one of the ${rows.length} answers is`} wrong.`;
  const verdict = alone
    ? "No: this answer contradicts itself."
    : `No: these ${rows.length} answers cannot all be true, though ${rows.length === 2 ? "either one" : `any ${rows.length - 1}`} of them can.`;
  return { part, verdict: asksHeights(items, scene) ? `${verdict} ${content.phrases.part[part]}` : verdict, steps };
}

/** Add a label's inequality to the left side of a sum: the coefficients of x, y and z by tag. */
function addLabel(total, { viewpoint, target, anchor }, { label, times }) {
  const parts = DIRECTIONS[directionOf(label, viewpoint)];
  for (const [tag, sign] of [[target, times], [anchor, -times]]) {
    const before = total.get(tag) ?? [0, 0, 0];
    total.set(tag, before.map((old, axis) => old + sign * parts[axis]));
  }
}

/** What an answer says, in the observer's words and on the map. */
function stepText(content, items, run, row, labels) {
  const { phrases } = content;
  const question = items.question(row), { mask, verdict } = items.answer(run, row);
  const { viewpoint, target, anchor } = question;
  const asserted = labels.reduce((sum, { label }) => sum | label, 0);
  const relations = decode(asserted, wordsAt(content, viewpoint)).map((word) => phrases.relation[word]);
  const sentences = labels.map(({ label, times }) => {
    const one = new Map();
    addLabel(one, question, { label, times: 1 });
    const counted = times > 1 ? `, counted ${times} times` : "";
    const where = `${phrases.direction[directionOf(label, viewpoint)]}${label >= ABOVE ? "" : " on the map"}`;
    return `So Tag ${target} is farther ${where}: ${formula(one, 1)}${counted}.`;
  });
  return [
    `Question ${question.number}, at ${viewpointName(viewpoint)}, is answered “${said(content, mask, viewpoint)}”: ` +
      `Tag ${target} is ${relations.join(" and ")} Tag ${anchor}.`,
    ...sentences,
    `Compared with gold: ${phrases.verdict[verdict].toLowerCase()}.`,
  ].join(" ");
}

/** An inequality with the terms of one object together: x₃ − x₂ ≥ 1, or (x₃ + y₃) − (x₂ + y₂) ≥ 1. */
function formula(total, bound) {
  const terms = [...total].filter(([, parts]) => parts.some(Boolean)).map(([tag, parts]) => {
    const sign = Math.sign(parts.find(Boolean));
    return { tag, sign, text: term(parts.map((part) => sign * part), [...String(tag)].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]).join("")) };
  });
  terms.sort((a, b) => b.sign - a.sign || a.tag - b.tag);
  const left = terms.map(({ sign, text }) => ` ${sign < 0 ? "−" : "+"} ${text}`).join("");
  // With spaces at which a line does not break.
  return `${left.replace(/^ \+ /, "") || "0"} ≥ ${bound}`.replaceAll(" ", "\u00a0");
}

/** x, y and z times the coordinates of one object; the first that is not zero is positive. */
function term(parts, tag) {
  const times = (factor) => (factor === 1 ? "" : String(factor));
  const common = parts.map(Math.abs).reduce(greatestDivisor);
  const there = parts.map((part, axis) => [part / common, "xyz"[axis]]).filter(([part]) => part);
  const inside = there.map(([part, axis], place) =>
    `${place ? (part < 0 ? "− " : "+ ") : ""}${times(Math.abs(part))}${axis}${tag}`).join(" ");
  return `${times(common)}${there.length > 1 ? `(${inside})` : inside}`;
}

const greatestDivisor = (a, b) => (b === 0 ? a : greatestDivisor(b, a % b));

// ------------------------------------------------------------------------------------------------------- page elements

/** A labelled native control: everything a keyboard and a screen reader need comes with it. */
function labelled(text, control, id, extra = "") {
  control.id = id;
  return element("div", { class: `vs-field ${extra}` }, element("label", { for: id }, text), control);
}

// ---------------------------------------------------------------------------------------------------- the source view

/** `color` (#rrggbb) under a lighting factor. */
function lit(color, shade) {
  const parts = [1, 3, 5].map((at) => Math.round(Math.min(255, parseInt(color.slice(at, at + 2), 16) * shade)));
  return `rgb(${parts.join(",")})`;
}

/** The numbers in a line of whole tenths. */
const tenths = (line) => line.split(" ").map((value) => Number(value) / 10);

/** A face as an SVG shape. */
function faceShape(face, attributes, grow = 1) {
  if (face.ellipse) {
    const [cx, cy, rx, ry, angle] = tenths(face.ellipse);
    return shape("ellipse", { cx, cy, rx: grow * rx, ry: grow * ry, transform: `rotate(${angle} ${cx} ${cy})`, ...attributes });
  }
  return shape("polygon", { points: tenths(face.polygon).join(" "), "stroke-linejoin": "round", ...attributes });
}

/** Light that lies over a face, by what it is made of: [offset, colour, opacity] of the gradient's stops. */
const GLOSS = {
  "sphere-rubber": { round: [0.36, 0.3, 0.78], stops: [[0, "#fff", 0.34], [0.45, "#fff", 0.04], [0.5, "#000", 0.02], [1, "#000", 0.42]] },
  "sphere-metal": { round: [0.36, 0.3, 0.78], stops: [[0, "#fff", 0.98], [0.09, "#fff", 0.85], [0.24, "#fff", 0.16], [0.45, "#fff", 0.05], [0.55, "#000", 0.06], [0.88, "#000", 0.5], [1, "#000", 0.3]] },
  "side-rubber": { line: [0, 0, 1, 0], stops: [[0, "#000", 0.16], [0.3, "#fff", 0.2], [0.55, "#000", 0.02], [1, "#000", 0.36]] },
  "side-metal": { line: [0, 0, 1, 0], stops: [[0, "#000", 0.3], [0.16, "#fff", 0.08], [0.28, "#fff", 0.78], [0.4, "#fff", 0.1], [0.75, "#000", 0.38], [0.92, "#000", 0.18], [1, "#fff", 0.12]] },
  "flat-rubber": { line: [0, 0, 0, 1], stops: [[0, "#fff", 0.07], [1, "#000", 0.1]] },
  "flat-metal": { line: [0, 0, 1, 0.9], stops: [[0, "#fff", 0.1], [0.22, "#fff", 0.05], [0.36, "#fff", 0.6], [0.46, "#fff", 0.16], [0.6, "#000", 0.04], [1, "#000", 0.26]] },
  shadow: { round: [0.5, 0.5, 0.5], stops: [[0, "#0b1020", 0.5], [0.55, "#0b1020", 0.34], [1, "#0b1020", 0]] },
};

function glossDefinitions(uid) {
  return shape("defs", {}, ...Object.entries(GLOSS).map(([name, gloss]) => {
    const stops = gloss.stops.map(([offset, color, opacity]) => shape("stop", { offset, "stop-color": color, "stop-opacity": opacity }));
    if (gloss.round) {
      const [cx, cy, r] = gloss.round;
      return shape("radialGradient", { id: `${uid}-${name}`, cx, cy, r }, ...stops);
    }
    const [x1, y1, x2, y2] = gloss.line;
    return shape("linearGradient", { id: `${uid}-${name}`, x1, y1, x2, y2 }, ...stops);
  }));
}

/** Which gloss a face of an object wears: a cylinder has a round side and a flat top. */
function glossOf(thing, place) {
  const [form, material] = thing.gloss.split("-");
  if (form === "sphere") return thing.gloss;
  return `${form === "cylinder" && place === 0 ? "side" : "flat"}-${material}`;
}

function drawPicture(svg, scene, view, uid, choose) {
  const [width, height] = scene.size;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const grid = tenths(scene.grid);
  const lines = range(0, grid.length / 4).map((line) => {
    const [x1, y1, x2, y2] = grid.slice(4 * line, 4 * line + 4);
    return shape("line", { x1, y1, x2, y2, class: "vs-floor-line" });
  });
  const floor = shape("linearGradient", { id: `${uid}-floor`, x1: 0, y1: 0, x2: 0, y2: 1 },
    shape("stop", { offset: 0, class: "vs-floor-far" }), shape("stop", { offset: 1, class: "vs-floor-near" }));
  const solids = scene.objects.map((thing) => solid(thing, uid, choose));
  const shadows = scene.objects.filter((thing) => thing.shadow).map((thing) => faceShape(thing.shadow, { fill: `url(#${uid}-shadow)` }, 1.22));
  const roles = scene.objects.flatMap((thing) => outlineOf(thing, view));
  // As label_scale in src/vantage/drawing.py.
  const size = Math.max(Math.min(width, height) / 240, width / 320);
  const tags = scene.objects.filter((thing) => thing.label).map((thing) => pictureTag(thing, view, size));
  svg.replaceChildren(
    glossDefinitions(uid), shape("defs", {}, floor),
    shape("rect", { width, height, class: "vs-wall" }),
    shape("rect", { y: scene.horizon, width, height: height - scene.horizon, fill: `url(#${uid}-floor)` }),
    ...lines, ...shadows, ...solids, ...roles, ...tags,
  );
}

function solid(thing, uid, choose) {
  const faces = thing.faces.flatMap((face, place) => {
    const color = lit(thing.color, face.shade);
    return [
      faceShape(face, { fill: color, stroke: color, "stroke-width": 0.4 }),
      faceShape(face, { fill: `url(#${uid}-${glossOf(thing, place)})` }),
    ];
  });
  return clickable(shape("g", {}, ...faces), thing, choose);
}

/** A click makes an object the target, with Shift the anchor. The selects below do the same from the keyboard. */
function clickable(node, thing, choose) {
  if (thing.tag === null || !choose) return node;
  node.classList.add("vs-clickable");
  node.addEventListener("click", (event) => choose(thing.tag, event.shiftKey ? "anchor" : "target"));
  return node;
}

const roleOf = (tag, view) => (tag === null ? "" : tag === view.target ? "target" : tag === view.anchor ? "anchor" : "");

function outlineOf(thing, view) {
  const role = roleOf(thing.tag, view);
  if (!role) return [];
  // A box shows several faces, of which none encloses the others.
  const face = thing.gloss.startsWith("box") ? { polygon: hull(thing.faces).join(" ") } : thing.faces[0];
  return [faceShape(face, { class: "vs-casing" }), faceShape(face, { class: `vs-outline vs-${role}` })];
}

/** The corners of what encloses polygons, as their numbers in order (Andrew's monotone chain). */
function hull(faces) {
  const corners = faces.flatMap(({ polygon }) => {
    const numbers = polygon.split(" ").map(Number);
    return range(0, numbers.length / 2).map((place) => numbers.slice(2 * place, 2 * place + 2));
  }).sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const chain = (ordered) => {
    const found = [];
    for (const corner of ordered) {
      while (found.length > 1 && turn(found.at(-2), found.at(-1), corner) <= 0) found.pop();
      found.push(corner);
    }
    return found.slice(0, -1);
  };
  return [...chain(corners), ...chain([...corners].reverse())].flat();
}

function pictureTag(thing, view, size) {
  const [x, y, toX, toY] = tenths(thing.label);
  const role = roleOf(thing.tag, view);
  const leader = toX === undefined ? [] : [
    shape("line", { x1: x, y1: y, x2: toX, y2: toY, class: "vs-leader-casing" }),
    shape("line", { x1: x, y1: y, x2: toX, y2: toY, class: `vs-leader vs-${role}` }),
    shape("circle", { cx: toX, cy: toY, r: 1.7, class: `vs-leader-end vs-${role}` }),
  ];
  return shape("g", { class: "vs-inert" }, ...leader, ...pill(x, y, thing.tag, role, size));
}

/** The number of a tag on its label, `size` times as large as in a picture. */
function pill(x, y, tag, role, size) {
  const width = size * (7 + 7 * String(tag).length), height = size * 14;
  return [
    shape("rect", { x: x - width / 2, y: y - height / 2, width, height, rx: 3.5 * size, class: `vs-pill vs-${role}` }),
    shape("text", { x, y: y + 3.9 * size, class: "vs-pill-text", "font-size": 11 * size }, String(tag)),
  ];
}

// ------------------------------------------------------------------------------------------------------------ the map

const MAP = 300;  // side of the map's viewBox
const RING = 1.32, WORDS = 1.04, HALF = 1.5;  // radii of the observer, of the words and of the map, in radii of the scene
const SHORTEST = 0.46;  // the least length of an arm of the cross, so that its word stays clear of the anchor

/** World to map: y grows away from the source observer, that is upwards. */
function frameOf(scene) {
  const [cx, cy, reach] = scene.map;
  const scale = MAP / 2 / (HALF * reach);
  return { cx, cy, reach, scale, at: ([x, y]) => [MAP / 2 + (x - cx) * scale, MAP / 2 - (y - cy) * scale] };
}

/** The observer's right and viewing direction on the map, as it shows them: y down. */
function directions(yaw) {
  const turn = (yaw * Math.PI) / 180;
  return { right: [Math.cos(turn), -Math.sin(turn)], ahead: [-Math.sin(turn), -Math.cos(turn)] };
}

/** What stays while the observer moves: the ground, its units, and the objects. The cross and the observer move over it.
 *  Where `view` has `claims`, directions that an answer asserts, they are drawn instead of where the target really is. */
function drawMap(svg, scene, view, choose) {
  const frame = frameOf(scene);
  svg.setAttribute("viewBox", `0 0 ${MAP} ${MAP}`);
  svg.classList.toggle("vs-room", scene.objects[0].height !== undefined);
  const [cross, observer, words] = range(0, 3).map(() => shape("g", { class: "vs-inert" }));
  const small = (thing) => thing.tag !== null && Math.max(...thing.half) * frame.scale < 14;
  svg.replaceChildren(
    shape("rect", { width: MAP, height: MAP, class: "vs-ground" }),
    ...mapGrid(frame),
    ...(view.claims ?? []).map((claim) => halfPlane(frame, scene, view, claim)),
    shape("circle", { cx: MAP / 2, cy: MAP / 2, r: RING * frame.reach * frame.scale, class: "vs-ring" }),
    cross,
    ...fromBelow(scene).map((thing) => clickable(mapObject(frame, thing, view), thing, choose)),
    ...(view.claims?.map((claim) => claimArrow(frame, scene, view, claim)) ?? [pairArrow(frame, scene, view, small)]),
    observer,
    ...pairLast(scene, view).map((thing) => mapTag(frame, thing, view, small(thing))),
    words,
  );
  return { frame, cross, observer, words };
}

/** The tagged objects, the pair that is compared after all others, so that nothing covers its tags. */
function pairLast(scene, view) {
  const tagged = scene.objects.filter((thing) => thing.tag !== null);
  return [...tagged.filter(({ tag }) => !roleOf(tag, view)), ...tagged.filter(({ tag }) => roleOf(tag, view))];
}

/** The objects, what stands on others after them; as they come where heights are not known. */
const fromBelow = (scene) => (scene.objects[0].height
  ? [...scene.objects].sort((a, b) => heightsOf(a)[1] - heightsOf(b)[1]) : scene.objects);

function mapGrid(frame) {
  const lines = [];
  const half = HALF * frame.reach;
  const step = half < 2.6 ? 1 : 2;
  for (const [middle, axis] of [[frame.cx, "x"], [frame.cy, "y"]]) {
    for (let value = Math.ceil((middle - half) / step) * step; value < middle + half; value += step) {
      const place = frame.at([value, value])[axis === "x" ? 0 : 1];
      lines.push(shape("line", axis === "x" ? { x1: place, x2: place, y1: 0, y2: MAP } : { y1: place, y2: place, x1: 0, x2: MAP }));
      // The first and the last number would stand in a corner or under the other axis' numbers.
      if (place < 22 || place > MAP - 22) continue;
      const at = axis === "x" ? { x: place, y: MAP - 5, "text-anchor": "middle" } : { x: 4, y: place + 4, "text-anchor": "start" };
      lines.push(shape("text", { ...at, class: "vs-unit" }, String(value).replace("-", "−")));
    }
  }
  return [shape("g", { class: "vs-grid" }, ...lines)];
}

function mapObject(frame, thing, view) {
  const [x, y] = frame.at(thing.plane);
  const [rx, ry] = thing.half.map((half) => half * frame.scale);
  const attributes = { fill: thing.color, class: `vs-footprint vs-${roleOf(thing.tag, view)}` };
  if (!thing.gloss.startsWith("box")) return shape("ellipse", { cx: x, cy: y, rx, ry, ...attributes });
  return shape("rect", { x: x - rx, y: y - ry, width: 2 * rx, height: 2 * ry, rx: 1, transform: `rotate(${-thing.turn} ${x} ${y})`, ...attributes });
}

function mapTag(frame, thing, view, above) {
  const [x, y] = frame.at(thing.plane);
  const lift = above ? Math.max(...thing.half) * frame.scale * 1.2 + 9 : 0;
  return shape("g", { class: "vs-inert" }, ...pill(x, y - lift, thing.tag, roleOf(thing.tag, view), 0.95));
}

/** From the anchor to the target: the displacement that the labels are about. */
function pairArrow(frame, scene, view, small) {
  const [target, anchor] = [view.target, view.anchor].map((tag) => scene.objects.find((thing) => thing.tag === tag));
  const from = frame.at(anchor.plane), to = frame.at(target.plane);
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  const unit = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const clear = Math.min(small(target) ? Math.max(...target.half) * frame.scale + 3 : 12, length / 3);
  return arrow(from, along(to, unit, -clear), unit);
}

function arrow(from, tip, unit) {
  const neck = along(tip, unit, -8), across = [-unit[1], unit[0]];
  return shape("g", { class: "vs-pair vs-inert" },
    shape("line", { x1: from[0], y1: from[1], x2: neck[0], y2: neck[1] }),
    shape("polygon", { points: points(tip, along(neck, across, 4), along(neck, across, -4)) }));
}

/** The anchor on the map and an asserted direction there. */
function claimOf(frame, scene, view, [dx, dy]) {
  const length = Math.hypot(dx, dy);
  return { origin: frame.at(scene.objects.find((thing) => thing.tag === view.anchor).plane), unit: [dx / length, -dy / length] };
}

/** All places at which an asserted direction allows the target: one side of a line through the anchor. */
function halfPlane(frame, scene, view, claim) {
  const { origin, unit } = claimOf(frame, scene, view, claim);
  const ends = [-1, 1].map((sign) => along(origin, [-unit[1], unit[0]], 2 * sign * MAP));
  return shape("g", { class: "vs-claim vs-inert" },
    shape("polygon", { points: points(...ends, along(ends[1], unit, 2 * MAP), along(ends[0], unit, 2 * MAP)) }),
    shape("line", { x1: ends[0][0], y1: ends[0][1], x2: ends[1][0], y2: ends[1][1] }));
}

function claimArrow(frame, scene, view, claim) {
  const { origin, unit } = claimOf(frame, scene, view, claim);
  // It points along an arm of the observer's cross, and ends before the word there.
  const word = armEnd(frame, origin, unit, 1);
  const length = Math.min(Math.hypot(word[0] - origin[0], word[1] - origin[1]) - 20, 0.6 * frame.reach * frame.scale);
  return arrow(origin, along(origin, unit, length), unit);
}

/** The observer and its cross at a pose: `yaw` in degrees, `rise` 0 on the ring to 1 straight above. */
function drawPose({ frame, cross, observer, words }, content, scene, view, pose) {
  const { right, ahead } = directions(pose.yaw);
  const middle = [MAP / 2, MAP / 2], ring = RING * frame.reach * frame.scale;
  const origin = frame.at(scene.objects.find((thing) => thing.tag === view.anchor).plane);
  const [left, rightWord, front, behind] = wordsAt(content, view.angle);
  cross.replaceChildren(
    ...crossLine(frame, origin, right, ahead, scene.margins[1]),
    ...crossLine(frame, origin, ahead, right, scene.margins[0]),
  );
  const arms = [[left, right, -1], [rightWord, right, 1], [front, ahead, -1], [behind, ahead, 1]];
  words.replaceChildren(...arms.map(([word, direction, sign]) => {
    const [x, y] = armEnd(frame, origin, direction, sign);
    return shape("text", { x, y: y + 3.8, class: "vs-direction" }, word);
  }));
  const place = along(middle, ahead, -ring * (1 - pose.rise));
  const sight = [along(along(place, ahead, 62), right, 27), along(along(place, ahead, 62), right, -27)];
  const beak = [along(place, ahead, 17), along(along(place, ahead, 3), right, 8.5), along(along(place, ahead, 3), right, -8.5)];
  observer.replaceChildren(
    shape("g", { opacity: 1 - pose.rise },
      shape("polygon", { points: points(place, ...sight), class: "vs-sight" }),
      shape("polygon", { points: points(...beak), class: "vs-observer" }),
      shape("circle", { cx: place[0], cy: place[1], r: 9, class: "vs-observer" })),
    // Open, so as to hide nothing: whoever looks from above is in front of everything.
    shape("circle", { cx: place[0], cy: place[1], r: 9 + 15 * pose.rise, opacity: pose.rise, class: "vs-above-casing" }),
    shape("circle", { cx: place[0], cy: place[1], r: 9 + 15 * pose.rise, opacity: pose.rise, class: "vs-above" }),
  );
}

/** One line of the cross with a margin's band round it: for the labels across it, what lies in the band is not far enough. */
function crossLine(frame, origin, direction, across, margin) {
  const ends = [-1, 1].map((sign) => armEnd(frame, origin, direction, sign));
  const wide = margin * frame.scale;
  const band = [along(ends[0], across, -wide), along(ends[1], across, -wide), along(ends[1], across, wide), along(ends[0], across, wide)];
  return [
    shape("polygon", { points: points(...band), class: "vs-band" }),
    shape("line", { x1: ends[0][0], y1: ends[0][1], x2: ends[1][0], y2: ends[1][1], class: "vs-axis" }),
  ];
}

/** Where an arm of the cross ends: on the circle of the words. */
function armEnd(frame, origin, direction, sign) {
  const radius = WORDS * frame.reach * frame.scale;
  const offset = [origin[0] - MAP / 2, origin[1] - MAP / 2];
  const ahead = sign * (offset[0] * direction[0] + offset[1] * direction[1]);
  const step = -ahead + Math.sqrt(ahead ** 2 - offset[0] ** 2 - offset[1] ** 2 + radius ** 2);
  return along(origin, direction, sign * Math.max(step, SHORTEST * frame.reach * frame.scale));
}

// ------------------------------------------------------------------------------------------------------ the side view

// The side view's viewBox: heights against a component, and to the right of that the pair's height intervals side by side.
const SIDE = { width: 320, height: 218, left: 27, right: 240, top: 20, floor: 180, bars: [266, 294], bar: 13 };

/** What the side view looks along: the observer's own line of sight, or from its right. */
const SIDES = [
  ["ahead", "left and right, as the observer sees them"],
  ["across", "front and behind, seen from the observer’s right"],
];

/** Heights against where things are for the observer: to its right, or behind the anchor. Bands round the anchor's middle are what the
 *  target has to leave for a label: the margin, and in height a part of the gate. Where `view` has `claims`, what an answer says
 *  about heights is shaded instead of the pair's intervals being compared. */
function drawSide(svg, content, scene, view, pose) {
  const [cx, cy, reach] = scene.map;
  const turn = (pose.yaw * Math.PI) / 180;
  const right = [Math.cos(turn), Math.sin(turn)], ahead = [-Math.sin(turn), Math.cos(turn)];
  const [along, depth, margin] = view.side === "ahead" ? [right, ahead, scene.margins[0]] : [ahead, right.map((part) => -part), scene.margins[1]];
  const dot = ([x, y], [u, v]) => (x - cx) * u + (y - cy) * v;
  const across = (SIDE.right - SIDE.left) / 2 / (1.02 * reach);
  // A scan's floor need not be at 0.
  const low = Math.min(0, ...scene.objects.map((thing) => heightsOf(thing)[0]));
  const high = Math.max(low + 1, ...scene.objects.map((thing) => heightsOf(thing)[1]));
  const up = (SIDE.floor - SIDE.top) / (1.06 * (high - low));
  const atX = (thing) => (SIDE.left + SIDE.right) / 2 + across * dot(thing.plane, along);
  const atY = (value) => SIDE.floor - up * (value - low);
  const middle = (thing) => thing.height[0];
  const [target, anchor] = [view.target, view.anchor].map((tag) => scene.objects.find((thing) => thing.tag === tag));
  const x0 = atX(anchor), y0 = atY(middle(anchor));

  const step = high - low > 2.2 ? 1 : 0.5;
  const heights = range(Math.ceil(low / step), Math.floor(high / step + 0.01) + 1).flatMap((place) => {
    const y = atY(step * place);
    return [
      shape("line", { x1: SIDE.left, x2: SIDE.width - 4, y1: y, y2: y }),
      shape("text", { x: SIDE.left - 5, y: y + 4, class: "vs-unit", "text-anchor": "end" }, String(step * place).replace("-", "−")),
    ];
  });
  const far = Math.floor(2 * reach);
  const offsets = range(-far, far + 1).flatMap((value) => {
    const x = x0 + across * value;
    if (x < SIDE.left || x > SIDE.right) return [];
    return [
      shape("line", { x1: x, x2: x, y1: SIDE.top, y2: SIDE.floor }),
      shape("text", { x, y: SIDE.floor + 12, class: "vs-unit", "text-anchor": "middle" }, String(value).replace("-", "−")),
    ];
  });
  const body = (thing) => {
    const half = halfWidth(thing, along) * across;
    const [bottom, top] = heightsOf(thing).map(atY);
    return shape("rect", { x: atX(thing) - half, y: top, width: 2 * half, height: bottom - top, rx: 1, fill: thing.color, class: `vs-footprint vs-${roleOf(thing.tag, view)}` });
  };
  const clipped = (from, to) => [Math.max(SIDE.left, from), Math.min(SIDE.right, to)];
  const [bandFrom, bandTo] = clipped(x0 - across * margin, x0 + across * margin);
  // Its middle has to be beyond this too, for the target to be clearly above or below.
  const gate = up * content.gate.separation * heightOf(scene);
  const [gateFrom, gateTo] = [Math.max(SIDE.top, y0 - gate), Math.min(SIDE.floor, y0 + gate)];
  const claims = (view.claims ?? []).filter(([, , dz]) => dz);
  const words = wordsAt(content, view.angle);
  const [less, more] = view.side === "ahead" ? words.slice(0, 2) : words.slice(2, 4);
  const word = (x, y, text, anchored) => shape("text", { x, y, class: "vs-direction", style: `text-anchor: ${anchored}` }, text);
  const tip = [atX(target), atY(middle(target))];
  svg.setAttribute("viewBox", `0 0 ${SIDE.width} ${SIDE.height}`);
  svg.classList.add("vs-room");
  svg.replaceChildren(
    shape("rect", { width: SIDE.width, height: SIDE.height, class: "vs-ground" }),
    shape("g", { class: "vs-grid" }, ...heights, ...offsets),
    ...claims.map(([, , dz]) => shape("g", { class: "vs-claim vs-inert" }, shape("rect", {
      x: SIDE.left, width: SIDE.right - SIDE.left, y: dz > 0 ? 0 : y0, height: dz > 0 ? y0 : SIDE.floor - y0,
    }), shape("line", { x1: SIDE.left, x2: SIDE.right, y1: y0, y2: y0 }))),
    shape("rect", { x: bandFrom, width: bandTo - bandFrom, y: SIDE.top, height: SIDE.floor - SIDE.top, class: "vs-band" }),
    shape("rect", { x: SIDE.left, width: SIDE.width - 4 - SIDE.left, y: gateFrom, height: gateTo - gateFrom, class: "vs-band" }),
    shape("line", { x1: x0, x2: x0, y1: SIDE.top, y2: SIDE.floor, class: "vs-axis" }),
    shape("line", { x1: SIDE.left, x2: SIDE.right, y1: y0, y2: y0, class: "vs-axis" }),
    shape("line", { x1: SIDE.left, x2: SIDE.width - 4, y1: SIDE.floor, y2: SIDE.floor, class: "vs-floor-edge" }),
    ...[...scene.objects].sort((a, b) => dot(b.plane, depth) - dot(a.plane, depth)).map(body),
    ...[target, anchor].map((thing) => body(thing)).map((node) => { node.setAttribute("fill", "none"); return node; }),
    ...(claims.length ? claims.map(([, , dz]) => arrow([x0, y0], [x0, y0 - dz * 42], [0, -dz])) : sideArrow([x0, y0], tip)),
    ...pairLast(scene, view).map((thing) =>
      shape("g", { class: "vs-inert" }, ...pill(atX(thing), atY(middle(thing)), thing.tag, roleOf(thing.tag, view), 0.9))),
    shape("g", { class: "vs-inert" },
      word(SIDE.left - 12, SIDE.floor + 29, less, "start"), word(SIDE.right + 6, SIDE.floor + 29, more, "end"),
      word(x0, SIDE.top - 7, "above", "middle"),
      word(Math.min(SIDE.right - 58, Math.max(SIDE.left + 52, x0)), SIDE.floor + 29, "below", "middle")),
    ...(claims.length ? [] : intervals(target, anchor, atY)),
  );
}

/** From the anchor to the target, where they are not in one place of the view. */
function sideArrow(from, to) {
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  if (length < 26) return [];
  const unit = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  return [arrow(from, along(to, unit, -11), unit)];
}

/** How far an object's footprint reaches along a direction, to either side of its centre. */
function halfWidth(thing, [u, v]) {
  const [hx, hy] = thing.half;
  if (!thing.gloss.startsWith("box")) return hx;
  const turn = (thing.turn * Math.PI) / 180, cosine = Math.cos(turn), sine = Math.sin(turn);
  return hx * Math.abs(cosine * u + sine * v) + hy * Math.abs(cosine * v - sine * u);
}

/** The height intervals of a pair side by side, the heights that they share, and the share of the smaller one. */
function intervals(target, anchor, atY) {
  const bars = [[target, "target"], [anchor, "anchor"]].map(([thing, role], place) => {
    const [low, top] = heightsOf(thing).map(atY), x = SIDE.bars[place];
    return shape("g", {},
      shape("rect", { x: x - SIDE.bar / 2, y: top, width: SIDE.bar, height: low - top, fill: thing.color, class: `vs-footprint vs-${role}` }),
      shape("line", { x1: x - SIDE.bar / 2 - 3, x2: x + SIDE.bar / 2 + 3, y1: (low + top) / 2, y2: (low + top) / 2, class: "vs-middle" }),
      ...pill(x, SIDE.floor + 14, thing.tag, role, 0.9));
  });
  const both = [target, anchor].map(heightsOf);
  const low = Math.max(...both.map(([bottom]) => bottom)), top = Math.min(...both.map(([, highest]) => highest));
  const shared = top > low
    ? [shape("rect", { x: SIDE.bars[0] - SIDE.bar / 2 - 5, width: SIDE.bars[1] - SIDE.bars[0] + SIDE.bar + 10, y: atY(top), height: Math.max(1.5, atY(low) - atY(top)), class: "vs-shared" })]
    : [];
  return [shape("g", { class: "vs-inert" }, ...bars, ...shared)];
}

// ----------------------------------------------------------------------------------------------------------- controls

const FILTERS = [
  ["all", "all questions"],
  ["wrong-a", "A is wrong"],
  ["wrong-b", "B is wrong"],
  ["none-a", "A is invalid or missing"],
  ["none-b", "B is invalid or missing"],
  ["differ", "A and B differ"],
  ["vertical", "above and below are offered"],
];

/** The slices that a domain has: only some ask about heights. */
const filtersOf = (content) => FILTERS.filter(([value]) => content.heights || value !== "vertical");

/** What a contradiction can be about. */
const PART_NAMES = { plan: "in the plan", heights: "in heights" };

const SCALE_FREE = "A label says that one object is farther in some direction, by at least 1: in which units does not matter.";
const AXES_IN_THE_PLAN = `On the map x counts to the right and y to the back, and x₃ is the x of Tag 3. ${SCALE_FREE}`;
const AXES_IN_SPACE = `On the map x counts to the right and y to the back, z counts up, and x₃ is the x of Tag 3. ${SCALE_FREE}`;

const SIGNS = { correct: "✓", alternative: "≈", wrong: "✕", invalid: "?", missing: "–" };

/** Whether a question belongs to the slice that the reader asked for. */
function inSlice(items, view, row) {
  if (view.filter === "all") return true;
  if (view.filter === "vertical") return items.question(row).vertical;
  if (view.filter === "differ") return items.differ(view.runs[0], view.runs[1], row);
  const [what, which] = view.filter.split("-");
  const { verdict } = items.answer(view.runs[which === "a" ? 0 : 1], row);
  return what === "wrong" ? verdict === "wrong" : verdict === "invalid" || verdict === "missing";
}

function buildControls(content, uid) {
  const select = (role) => element("select", { "data-role": role });
  const button = (role, text, label) => element("button", { type: "button", "data-role": role, "aria-label": label }, text);
  const text = (role, name = "p") => element(name, { "data-role": role });
  const parts = {
    scene: select("scene-select"), question: select("question-select"), filter: select("filter"),
    target: select("target"), anchor: select("anchor"), runs: [select("run-a"), select("run-b")],
    orbit: element("input", { type: "range", min: 0, max: 360, step: 5, value: 0, list: `${uid}-marks`, "data-role": "orbit" }),
    angle: element("output", { for: `${uid}-orbit`, class: "vs-angle", "data-role": "angle" }),
    top: button("top", "Top"),
    previous: button("previous", "‹ Previous", "Previous question"), next: button("next", "Next ›", "Next question"),
    copy: button("copy", "Copy link", "Copy link to this question"), reset: button("reset", "Back to the question’s pair"),
    copied: element("span", { class: "vs-status", role: "status", "data-role": "copied" }),
    notice: element("p", { class: "vs-notice", role: "status", "data-role": "notice" }),
    between: element("span", { class: "vs-between" }, "between benchmark viewpoints"),
    asked: element("p", { class: "vs-title", "data-role": "asked" }),
    apart: element("div", { class: "vs-apart", "data-role": "apart" }), apartText: element("p"),
    back: button("back", "Back to the question’s view"), there: button("there", ""),
    picture: shape("svg", { role: "img", class: "vs-svg" }), map: shape("svg", { role: "img", class: "vs-svg" }),
    side: shape("svg", { role: "img", class: "vs-svg" }), sideways: select("side"),
    observer: element("span"),
    reading: text("reading"), heights: text("heights"), text: text("question"), gold: text("gold"), alternatives: text("alternatives"),
    answers: [text("answer-a", "span"), text("answer-b", "span")], abouts: [0, 1].map(() => element("p", { class: "vs-about" })),
    mores: ["a", "b"].map((which) => button(`more-${which}`, "More", `More about responder ${which.toUpperCase()}`)),
    count: element("p", { class: "vs-count", role: "status", "data-role": "count" }),
    checked: select("checked"), part: select("part"), possible: text("possible"), proof: element("div", { class: "vs-proof" }),
    steps: element("ol", { class: "vs-steps", "aria-live": "polite", "data-role": "steps" }),
    proofMap: shape("svg", { role: "img", class: "vs-svg" }), proofObserver: element("p", { class: "vs-caption" }),
    proofAxes: element("p", { class: "vs-hint" }),
    stepCount: element("span", { class: "vs-count", "data-role": "step-count" }),
    earlier: button("earlier", "‹ Back", "Back to the answer before"), later: button("later", "Next answer ›"),
    open: button("open", "Open this question"),
  };
  parts.reading.setAttribute("aria-live", "polite");
  parts.heights.setAttribute("aria-live", "polite");
  parts.sideways.append(...SIDES.map(([value, label], place) => option(value, label, place === 0)));
  parts.filter.append(...filtersOf(content).map(([value, label]) => option(value, label, value === "all")));
  for (const [which, control] of parts.runs.entries()) {
    control.append(...content.runs.map((run, place) => option(place, run.title, place === Math.min(which, content.runs.length - 1))));
  }
  parts.scene.append(...content.scenes.map((scene, place) => {
    const count = scene.objects.filter((thing) => thing.tag !== null).length;
    return option(place, `${scene.scene}: ${count} objects, ${scene.density}`);
  }));
  return parts;
}

function layOut(parts, uid, heights) {
  const marks = range(0, 9).map((step) => 45 * step);
  const id = (name) => `${uid}-${name}`;
  const answer = (place) => element("div", { class: "vs-answer" },
    labelled(`Responder ${"AB"[place]}`, parts.runs[place], id(`run-${place}`)),
    element("div", { class: "vs-kind" }, parts.abouts[place], parts.mores[place]),
    element("p", {}, element("span", { class: "vs-sign", "aria-hidden": "true" }), parts.answers[place]));
  return element("section", { class: "vantage-scene", "aria-label": "Scene inspector" },
    element("div", { class: "vs-row vs-head" }, labelled("Scene", parts.scene, id("scene")), parts.notice),
    parts.panels,
    element("div", { class: "vs-orbit" },
      element("div", { class: "vs-where" },
        element("label", { for: id("orbit") }, "Orbit the observer"), parts.angle, parts.between),
      element("div", { class: "vs-slider" }, parts.orbit,
        element("datalist", { id: id("marks") }, ...marks.map((mark) => element("option", { value: mark }))),
        element("div", { class: "vs-marks", "aria-hidden": "true" },
          ...marks.map((mark) => element("span", { style: `--at: ${mark / 360}` }, `${mark}°`)))),
      parts.top),
    element("div", { class: "vs-reading" }, parts.reading, heights ? parts.heights : null,
      element("div", { class: "vs-row vs-pick" },
        labelled("Target", parts.target, id("target"), "vs-role-target"), labelled("relative to anchor", parts.anchor, id("anchor"), "vs-role-anchor"),
        parts.reset),
      element("p", { class: "vs-hint" }, "Any two objects can be compared: choose them here",
        element("span", { class: "vs-mouse" }, ", or click the target and Shift-click the anchor"), ".",
        element("span", { class: "vs-mouse" }, " On the slider, Page Up and Page Down go from one benchmark viewpoint to the next."),
        " The bands through the anchor are what the target has to leave for a label; they turn with the observer.",
        heights ? " Beside the side view stand the two height intervals, with what they have in common." : null)),
    element("div", { class: "vs-asked", role: "group", "aria-labelledby": id("asked") },
      parts.asked, parts.apart,
      element("div", { class: "vs-row" },
        labelled("Show", parts.filter, id("filter")), labelled("Question", parts.question, id("question"), "vs-wide"),
        element("div", { class: "vs-buttons" }, parts.previous, parts.next)),
      element("div", { class: "vs-row vs-under" }, parts.count, element("div", { class: "vs-buttons" }, parts.copied, parts.copy)),
      parts.text,
      element("div", { class: "vs-key" }, parts.gold, parts.alternatives),
      element("div", { class: "vs-answers" }, answer(0), answer(1))),
    element("div", { class: "vs-asked", role: "group", "aria-labelledby": id("possible") },
      element("p", { class: "vs-title", id: id("possible") }, "Do these answers describe a possible scene?"),
      element("div", { class: "vs-row" }, labelled("All answers to this scene by", parts.checked, id("checked")), parts.partField),
      parts.possible, parts.proof));
}

function layOutProof(parts) {
  parts.proof.append(
    parts.proofAxes,
    element("div", { class: "vs-row vs-under" }, parts.stepCount, element("div", { class: "vs-buttons" }, parts.earlier, parts.later)),
    element("div", { class: "vs-evidence" },
      element("div", { class: "vs-beside" }, parts.proofObserver, parts.proofMap),
      element("div", {}, parts.steps, parts.open)));
}

/** What the page's address asks for, and what of it does not exist; nothing where it names no scene. */
function readAddress(content, items) {
  const address = new URLSearchParams(window.location.hash.slice(1));
  if (!address.get("scene")) return undefined;
  const unknown = [];
  /** The one among `known` that a part of the address names; `identify` gives the names. */
  const named = (part, what, known, identify) => {
    const name = address.get(part);
    const found = known.find((candidate) => String(identify(candidate)) === name);
    if (name !== null && found === undefined) unknown.push(`No such ${what}: ${name}.`);
    return found;
  };
  const scene = named("scene", "scene", range(0, content.scenes.length), (place) => content.scenes[place].scene);
  if (scene === undefined) return { runs: [], unknown };
  const rows = items.rowsOf(scene);
  const runs = range(0, content.runs.length);
  return {
    row: named("question", "question", rows, (row) => items.question(row).number) ?? rows[0],
    angle: named("angle", "angle", [TOP, ...range(0, 73).map((step) => 5 * step)], (angle) => angle),
    runs: ["a", "b"].map((part) => named(part, "set of answers", runs, (run) => content.runs[run].id)),
    filter: named("show", "filter", filtersOf(content), ([value]) => value)?.[0],
    unknown,
  };
}

// ------------------------------------------------------------------------------------------------------------- render

function render({ model, el }) {
  const content = model.get("content");
  const items = readItems(content);
  const uid = `vantage-scene-${(instances += 1)}`;
  const parts = buildControls(content, uid);
  parts.orbit.id = `${uid}-orbit`;
  parts.picture.classList.add("vs-photo");
  parts.asked.id = `${uid}-asked`;
  parts.panels = element("div", { class: "vs-panels" },
    element("div", { class: "vs-source" }, element("p", { class: "vs-caption" }, `Source view, 0°${content.heights ? ": the boxes of the objects, without walls" : ""}`), parts.picture),
    element("div", {}, element("p", { class: "vs-caption" }, parts.observer), parts.map),
    content.heights ? element("div", {}, labelled("Heights against", parts.sideways, `${uid}-side`, "vs-sideways"), parts.side) : null);
  parts.partField = labelled("Contradiction", parts.part, `${uid}-part`);
  parts.apart.append(parts.apartText, parts.back, parts.there);
  layOutProof(parts);
  el.append(layOut(parts, uid, content.heights));

  // What is shown. `angle` is where the observer is going; `pose` where it is at this moment.
  // `checked` is whose answers are asked to fit together, A's or B's; `step` how far their contradiction is shown.
  const runs = parts.runs.map((control) => Number(control.value));
  const view = { row: 0, target: 0, anchor: 0, angle: 0, side: "ahead", filter: "all", runs, checked: 0, step: 0 };
  const pose = { yaw: 0, rise: 0 };
  let map, slice = [], proofs = [], proof, moving = 0, shownScene = -1;
  const asked = () => items.question(view.row);
  const scene = () => content.scenes[asked().scene];

  function openQuestion(row) {
    parts.notice.textContent = "";
    Object.assign(view, { row, target: items.question(row).target, anchor: items.question(row).anchor });
    paintScene();
    paintQuestion();
    const { viewpoint, wording } = asked();
    goTo(viewpoint === TOP ? TOP : Number(viewpoint), { way: wording[0] });
  }

  function openScene(place) {
    const rows = items.rowsOf(place);
    openQuestion(rows.find((row) => inSlice(items, view, row)) ?? rows[0]);
  }

  function choose(tag, role) {
    const other = role === "target" ? "anchor" : "target";
    // One object cannot be both: they change places.
    if (view[other] === tag) view[other] = view[role];
    view[role] = tag;
    paintScene();
    paintReading();
  }

  function paintScene() {
    drawPicture(parts.picture, scene(), view, uid, choose);
    map = drawMap(parts.map, scene(), view, choose);
    paintPose();
    if (shownScene !== asked().scene) {
      shownScene = asked().scene;
      parts.scene.value = String(shownScene);
      const [width, height] = scene().size;
      parts.picture.style.aspectRatio = `${width} / ${height}`;
      if (content.heights) parts.panels.setAttribute("class", `vs-panels ${width > height ? "vs-landscape" : "vs-portrait"}`);
      const tagged = scene().objects.filter((thing) => thing.tag !== null).sort((a, b) => a.tag - b.tag);
      for (const control of [parts.target, parts.anchor]) {
        control.replaceChildren(...tagged.map((thing) => option(thing.tag, `${thing.tag}: ${thing.name}`)));
      }
      parts.picture.setAttribute("aria-label",
        `The scene from the source view: ${tagged.map((thing) => `Tag ${thing.tag}, ${thing.name}`).join("; ")}.`);
      paintCheck();
    }
    parts.target.value = String(view.target);
    parts.anchor.value = String(view.anchor);
    parts.reset.hidden = view.target === asked().target && view.anchor === asked().anchor;
  }

  /** The observer where it is at this moment, on the map and in the side view. */
  function paintPose() {
    drawPose(map, content, scene(), view, pose);
    if (content.heights) drawSide(parts.side, content, scene(), view, pose);
  }

  function paintReading() {
    const [relation, ...rest] = readingText(content, scene(), view.target, view.anchor, view.angle);
    parts.reading.replaceChildren(element("strong", {}, relation), ` ${rest.join(" ")}`);
    const where = standing(view.angle);
    parts.observer.textContent = `Map in world units, observer ${where}`;
    parts.map.setAttribute("aria-label", `The scene from above, with the observer ${where}. ${relation}`);
    if (content.heights) {
      const [height, ...more] = heightsText(content, scene(), view.target, view.anchor);
      parts.heights.replaceChildren(element("strong", {}, height), ` ${more.join(" ")}`);
      parts.side.setAttribute("aria-label",
        `The scene from the side, with the observer ${where}: heights against ${SIDES.find(([value]) => value === view.side)[1]}. ${height}`);
    }
    parts.angle.textContent = viewpointName(view.angle);
    parts.between.classList.toggle("vs-unseen", view.angle === TOP || view.angle % 45 === 0);
    parts.orbit.classList.toggle("vs-idle", view.angle === TOP);
    parts.top.classList.toggle("vs-on", view.angle === TOP);
    parts.top.textContent = view.angle === TOP ? "Back to the orbit" : "Look from Top";
    if (view.angle !== TOP) parts.orbit.value = String(view.angle);
    parts.orbit.setAttribute("aria-valuetext", view.angle === TOP ? "observer straight above" : `${view.angle} degrees`);
    paintApart();
  }

  /** The observer may have left the question's viewpoint: say so, and offer the ways back together. */
  function paintApart() {
    const { viewpoint } = asked();
    parts.asked.textContent = `The question, asked at ${viewpointName(viewpoint)}`;
    parts.apart.hidden = String(view.angle) === viewpoint;
    parts.apartText.textContent = `The observer is ${standing(view.angle)}; this question is about ${viewpointName(viewpoint)}.`;
    parts.there.textContent = `Open this pair’s question at ${viewpointName(view.angle)}`;
    parts.there.hidden = sameHere() === undefined;
  }

  /** The question about the same pair at the observer's place, where there is one. */
  function sameHere() {
    const { scene: here, target, anchor } = asked();
    return items.rowsOf(here).find((row) => {
      const other = items.question(row);
      return other.viewpoint === String(view.angle) && other.target === target && other.anchor === anchor;
    });
  }

  function paintSlice() {
    slice = range(0, items.rows).filter((row) => inSlice(items, view, row));
  }

  function paintQuestion() {
    const question = asked();
    parts.text.textContent = questionText(content, question);
    paintLine(parts.gold, goldText(content, question));
    paintLine(parts.alternatives, alternativesText(content, question));
    view.runs.forEach((run, place) => paintAnswer(parts.answers[place], run, place));
    paintList();
    parts.copied.textContent = "";
  }

  /** "Label: words." with the words set off. */
  function paintLine(node, line) {
    const colon = line.indexOf(": ") + 2;
    node.replaceChildren(element("span", { class: "vs-term" }, line.slice(0, colon)), element("span", {}, line.slice(colon)));
  }

  function paintAnswer(node, run, place) {
    const { mask, verdict } = items.answer(run, view.row);
    const { title, about } = content.runs[run];
    const words = mask === undefined ? "no answer" : said(content, mask, asked().viewpoint);
    node.parentElement.setAttribute("class", `vs-verdict vs-is-${verdict}`);
    node.previousElementSibling.textContent = SIGNS[verdict];
    node.replaceChildren(
      element("span", { class: "vs-hidden" }, `${title}: `), element("strong", {}, words), element("span", { class: "vs-stop" }, ". "),
      element("span", { class: "vs-word" }, `${content.phrases.verdict[verdict]}.`),
    );
    parts.abouts[place].textContent = about;
    unfold(place, false);
  }

  /** All of what a responder is, or two lines of it. */
  function unfold(place, whole) {
    parts.abouts[place].classList.toggle("vs-whole", whole);
    parts.mores[place].setAttribute("aria-expanded", String(whole));
    parts.mores[place].firstChild.data = whole ? "Less" : "More";
    measure();
  }

  /** A button for more stands only where there is more. */
  function measure() {
    parts.abouts.forEach((about, place) => {
      parts.mores[place].hidden = !about.classList.contains("vs-whole") && about.scrollHeight <= about.clientHeight + 1;
    });
  }

  function paintCheck() {
    parts.checked.replaceChildren(...view.runs.map((run, place) =>
      option(place, `${"AB"[place]}: ${content.runs[run].title}`, place === view.checked)));
    proofs = checkAnswers(content, items, view.runs[view.checked], asked().scene);
    parts.part.replaceChildren(...proofs.map(({ part }, place) => option(place, PART_NAMES[part], place === 0)));
    parts.partField.hidden = proofs.length < 2;
    paintProof();
  }

  function paintProof() {
    proof = proofs[Number(parts.part.value)] ?? proofs[0];
    parts.possible.textContent = proof.verdict;
    parts.possible.setAttribute("class", `vs-possible ${proof.steps.length ? "vs-is-wrong" : ""}`);
    parts.proof.hidden = !proof.steps.length;
    parts.proofAxes.textContent = content.heights ? AXES_IN_SPACE : AXES_IN_THE_PLAN;
    parts.steps.replaceChildren();
    if (proof.steps.length) showStep(0);
  }

  /** An answer of the contradiction on the map of its own, or in a side view, below those before it. */
  function showStep(place) {
    view.step = place;
    const { steps } = proof;
    const { row, labels } = steps[place], { viewpoint, target, anchor } = items.question(row);
    const angle = viewpoint === TOP ? TOP : Number(viewpoint);
    const claims = labels.map(({ label }) => DIRECTIONS[directionOf(label, viewpoint)]);
    const shown = { target, anchor, angle, claims, side: "ahead" };
    const there = { yaw: yawOf(angle), rise: angle === TOP ? 1 : 0 };
    if (proof.part === "heights") drawSide(parts.proofMap, content, scene(), shown, there);
    else drawPose(drawMap(parts.proofMap, scene(), shown, null), content, scene(), shown, there);
    const shaded = claims.length > 1 ? "shaded twice" : "shaded";
    parts.proofObserver.textContent = `Observer ${standing(angle)}; ${shaded}: where the answer puts Tag ${target}`;
    parts.proofMap.setAttribute("aria-label",
      `The scene from ${proof.part === "heights" ? "the side" : "above"}, with the observer ${standing(angle)}; ` +
      `${shaded}: where the answer puts Tag ${target} relative to Tag ${anchor}.`);
    // Lines that stay are left alone, so that a screen reader hears only the new one.
    while (parts.steps.children.length > place + 1) parts.steps.lastChild.remove();
    parts.steps.append(...steps.slice(parts.steps.children.length, place + 1).map(({ text, sum }) =>
      element("li", {}, element("p", {}, text), element("p", { class: "vs-sum" }, sum))));
    [...parts.steps.children].forEach((line, at) => line.classList.toggle("vs-now", at === place));
    parts.stepCount.textContent = `Answer ${place + 1} of ${steps.length}`;
    parts.earlier.disabled = place === 0;
    parts.later.disabled = place === steps.length - 1;
  }

  function paintList() {
    const here = items.rowsOf(asked().scene), listed = here.filter((row) => inSlice(items, view, row));
    // The question that is open stays in the list, so that the control never shows another one than the page.
    const shown = listed.includes(view.row) ? listed : [...listed, view.row].sort((a, b) => a - b);
    const groups = content.viewpoints.map((viewpoint) => {
      const rows = shown.filter((row) => items.question(row).viewpoint === viewpoint);
      const title = viewpoint === "0" ? "Source view, 0°" : viewpoint === TOP ? "Top" : `Orbit to ${viewpoint}°`;
      return rows.length ? element("optgroup", { label: title }, ...rows.map(questionOption)) : null;
    });
    parts.question.replaceChildren(...groups.filter(Boolean));
    const at = slice.indexOf(view.row);
    const outside = at < 0 ? "; the question below is not among them" : "";
    parts.count.textContent = slice.length
      ? `${listed.length} of ${here.length} questions in this scene, ${slice.length.toLocaleString("en")} of ${items.rows.toLocaleString("en")} in all${outside}`
      : "No question in this slice; choose another responder or show all. The question below is not in it.";
    parts.count.classList.toggle("vs-outside", at < 0);
    parts.previous.disabled = !slice.some((row) => row < view.row);
    parts.next.disabled = !slice.some((row) => row > view.row);
  }

  function questionOption(row) {
    const { number, viewpoint, target, anchor, vertical } = items.question(row);
    const outside = inSlice(items, view, row) ? "" : " (not in the slice)";
    const height = vertical ? " · with height" : "";
    return option(row, `${number}${outside} · ${viewpointName(viewpoint)} · Tag ${target} relative to Tag ${anchor}${height}`, row === view.row);
  }

  /** Send the observer to `angle`. The words are there at once, the figure follows. */
  function goTo(angle, { way = null, smoothly = true } = {}) {
    view.angle = angle;
    paintReading();
    window.cancelAnimationFrame(moving);
    const from = { ...pose }, to = { yaw: yawOf(angle), rise: angle === TOP ? 1 : 0 };
    // The way the wording says ("orbits 90 degrees to the left"), else the shorter one.
    let turn = (((to.yaw - from.yaw) % 360) + 360) % 360;
    if (turn > 0 && (way === "left" || (way === null && turn > 180))) turn -= 360;
    const still = !smoothly || window.matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (still || (turn === 0 && to.rise === from.rise)) {
      Object.assign(pose, to);
      paintPose();
      return;
    }
    const duration = 350 + 2.2 * Math.abs(turn);
    let begun;
    const step = (now) => {
      begun ??= now;
      const time = Math.min(1, (now - begun) / duration);
      const eased = time < 0.5 ? 4 * time ** 3 : 1 - (2 - 2 * time) ** 3 / 2;
      Object.assign(pose, time === 1 ? to : { yaw: from.yaw + turn * eased, rise: from.rise + (to.rise - from.rise) * eased });
      paintPose();
      if (time < 1) moving = window.requestAnimationFrame(step);
    };
    moving = window.requestAnimationFrame(step);
  }

  async function copyLink() {
    const [a, b] = view.runs.map((run) => content.runs[run].id);
    const state = { scene: scene().scene, question: asked().number, angle: view.angle, a, b, show: view.filter };
    parts.copied.textContent = await copyAddress(state);
  }

  function openAddress() {
    const address = readAddress(content, items);
    if (!address) return false;
    address.runs.forEach((run, place) => {
      view.runs[place] = run ?? view.runs[place];
      parts.runs[place].value = String(view.runs[place]);
    });
    parts.filter.value = view.filter = address.filter ?? view.filter;
    paintSlice();
    openQuestion(address.row ?? content.start);
    paintCheck();
    if (address.angle !== undefined) goTo(address.angle, { smoothly: false });
    parts.notice.textContent = address.unknown.join(" ");
    // While a page loads, what stands above still changes its height, and may push the inspector out of sight.
    const show = () => window.requestAnimationFrame(() => el.scrollIntoView({ block: "start" }));
    show();
    if (document.readyState !== "complete") window.addEventListener("load", show, { once: true });
    window.MathJax?.startup?.promise?.then(show);
    return true;
  }

  parts.scene.addEventListener("change", () => openScene(Number(parts.scene.value)));
  parts.question.addEventListener("change", () => openQuestion(Number(parts.question.value)));
  parts.target.addEventListener("change", () => choose(Number(parts.target.value), "target"));
  parts.anchor.addEventListener("change", () => choose(Number(parts.anchor.value), "anchor"));
  parts.reset.addEventListener("click", () => {
    Object.assign(view, { target: asked().target, anchor: asked().anchor });
    paintScene();
    paintReading();
    parts.target.focus();
  });
  parts.orbit.addEventListener("input", () => goTo(Number(parts.orbit.value), { smoothly: false }));
  parts.orbit.addEventListener("keydown", (event) => {
    const way = { PageUp: 1, PageDown: -1 }[event.key];
    if (!way) return;
    event.preventDefault();
    // To the next benchmark viewpoint that way, wherever between two of them the observer is.
    const eighths = Number(parts.orbit.value) / 45;
    goTo(45 * Math.min(8, Math.max(0, way > 0 ? Math.floor(eighths) + 1 : Math.ceil(eighths) - 1)));
  });
  parts.back.addEventListener("click", () => {
    const { viewpoint } = asked();
    goTo(viewpoint === TOP ? TOP : Number(viewpoint));
    parts.orbit.focus();
  });
  parts.there.addEventListener("click", () => {
    openQuestion(sameHere());
    parts.question.focus();
  });
  parts.top.addEventListener("click", () => goTo(view.angle === TOP ? Number(parts.orbit.value) : TOP));
  parts.previous.addEventListener("click", () => openQuestion(slice.findLast((row) => row < view.row)));
  parts.next.addEventListener("click", () => openQuestion(slice.find((row) => row > view.row)));
  parts.copy.addEventListener("click", copyLink);
  parts.filter.addEventListener("change", () => {
    view.filter = parts.filter.value;
    paintSlice();
    const first = items.rowsOf(asked().scene).find((row) => inSlice(items, view, row));
    if (first === undefined || inSlice(items, view, view.row)) paintQuestion();
    else openQuestion(first);
  });
  parts.runs.forEach((control, place) => control.addEventListener("change", () => {
    view.runs[place] = Number(control.value);
    paintSlice();
    paintQuestion();
    paintCheck();
  }));
  parts.mores.forEach((more, place) => more.addEventListener("click", () => unfold(place, more.getAttribute("aria-expanded") === "false")));
  parts.checked.addEventListener("change", () => {
    view.checked = Number(parts.checked.value);
    paintCheck();
  });
  parts.part.addEventListener("change", paintProof);
  parts.sideways.addEventListener("change", () => {
    view.side = parts.sideways.value;
    paintPose();
    paintReading();
  });
  parts.earlier.addEventListener("click", () => showStep(view.step - 1));
  parts.later.addEventListener("click", () => showStep(view.step + 1));
  parts.open.addEventListener("click", () => {
    openQuestion(proof.steps[view.step].row);
    parts.question.focus();
  });
  window.addEventListener("hashchange", openAddress);
  const resized = new ResizeObserver(measure);
  resized.observe(el);

  paintSlice();
  if (!openAddress()) openQuestion(content.start);
  return () => {
    window.cancelAnimationFrame(moving);
    resized.disconnect();
    window.removeEventListener("hashchange", openAddress);
  };
}

export default { render };
