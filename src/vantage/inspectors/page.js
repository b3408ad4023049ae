// What the inspectors' pages have in common; it stands before the script of each (page.py beside this file).

// Text from the data only ever becomes a text node or an attribute, never markup.

const SVG = "http://www.w3.org/2000/svg";

function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function shape(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

let instances = 0;

function option(value, text, chosen) {
  const node = element("option", { value }, text);
  node.selected = chosen;
  return node;
}

const along = ([x, y], [dx, dy], step) => [x + step * dx, y + step * dy];
const points = (...corners) => corners.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");

/** Put what is shown into the page's address and copy that: what there is to say about it. */
async function copyAddress(shown) {
  window.history.replaceState(null, "", `#${new URLSearchParams(shown)}`);
  try {
    await navigator.clipboard.writeText(window.location.href);
    return "Link copied.";
  } catch {
    // Without permission, or without a secure address, the browser refuses.
    return "The link is in the address bar.";
  }
}

