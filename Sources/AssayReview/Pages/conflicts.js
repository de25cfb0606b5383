// A conflict: two people (or two pages) changed one sample from the same state. Both versions are
// kept; here they are shown side by side, and one is chosen.
import { button, clock, make } from "./dom.js";
import { labelWords } from "./labels.js";
import { bitsOf, boundsOf, maskFromCompressed, symmetricDifference, unionOf } from "./run-lengths.js";
import { differences } from "./version-differences.js";

const side = 170;

function wholeMask(objects, { width, height }) {
  const masks = objects.filter((one) => one.counts).map((one) => maskFromCompressed(width, height, one.counts));
  return unionOf(masks, width, height);
}

/// Returns the boxes without a mask that another version does not have as they are.
function differingBoxes(objects, others) {
  const known = new Set(others.map((one) => JSON.stringify([one.target, one.category, one.box])));
  return objects.filter((one) => !one.counts && one.box && !known.has(JSON.stringify([one.target, one.category, one.box])))
    .map(({ box: [x, y, width, height] }) => ({ x, y, width, height }));
}

/// Returns the box around some boxes, cut at the image's edges; null for none.
function around(boxes, image) {
  const known = boxes.filter((box) => box !== null);
  if (!known.length) return null;
  const x = Math.max(0, Math.floor(Math.min(...known.map((box) => box.x))));
  const y = Math.max(0, Math.floor(Math.min(...known.map((box) => box.y))));
  const right = Math.min(image.width, Math.ceil(Math.max(...known.map((box) => box.x + box.width))));
  const bottom = Math.min(image.height, Math.ceil(Math.max(...known.map((box) => box.y + box.height))));
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : null;
}

/// Returns the part of the image where two versions differ, with a margin; the whole image if they
/// differ nowhere or nearly everywhere.
export function differingPart(image, one, other) {
  const { width, height } = image;
  const box = around([boundsOf(symmetricDifference(wholeMask(one, image), wholeMask(other, image))),
    ...differingBoxes(one, other), ...differingBoxes(other, one)], image);
  if (box === null || box.width * box.height > 0.3 * width * height) return { x: 0, y: 0, width, height };
  const margin = Math.ceil(Math.max(24, 0.6 * Math.max(box.width, box.height)));
  const x = Math.max(0, box.x - margin);
  const y = Math.max(0, box.y - margin);
  return {
    x, y,
    width: Math.min(width, box.x + box.width + margin) - x,
    height: Math.min(height, box.y + box.height + margin) - y,
  };
}

/// Returns a small drawing of a part of the image with the objects of a version.
export function drawn(image, objects, part, color) {
  const scale = Math.min(side / part.width, side / part.height);
  const width = Math.max(1, Math.round(part.width * scale));
  const height = Math.max(1, Math.round(part.height * scale));
  const canvas = make("canvas", { class: "version", width, height });
  const context = canvas.getContext("2d");
  context.imageSmoothingEnabled = scale < 1;
  context.drawImage(image, part.x, part.y, part.width, part.height, 0, 0, width, height);
  context.lineWidth = 2;
  context.strokeStyle = `rgb(${color.join(" ")})`;
  for (const { counts, box } of objects) {
    if (!counts && box) context.strokeRect((box[0] - part.x) * scale, (box[1] - part.y) * scale, box[2] * scale, box[3] * scale);
  }
  if (!objects.some((one) => one.counts)) return canvas;
  const bits = bitsOf(wholeMask(objects, image));
  const column = (x) => Math.min(image.width - 1, part.x + Math.floor((x + 0.5) / scale));
  const row = (y) => Math.min(image.height - 1, part.y + Math.floor((y + 0.5) / scale));
  const at = (x, y) => bits[column(x) * image.height + row(y)] === 1;
  const pixels = context.getImageData(0, 0, width, height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (!at(x, y)) continue;
      const isEdge = !at(x - 1, y) || !at(x + 1, y) || !at(x, y - 1) || !at(x, y + 1);
      const share = isEdge ? 1 : 0.35;
      const offset = 4 * (y * width + x);
      for (let c = 0; c < 3; c++) {
        pixels.data[offset + c] = pixels.data[offset + c] * (1 - share) + color[c] * share;
      }
    }
  }
  context.putImageData(pixels, 0, 0);
  return canvas;
}

function version(title, image, one, part, color, ...buttons) {
  const words = one.labels ? `labels: ${labelWords(one.labels)}` : one.label === undefined || one.label === null ? null
    : `label: ${one.label}`;
  const label = words === null ? null : make("p", {}, words);
  const isLabel = label !== null && !(one.objects ?? []).some((object) => object.counts || object.box);
  // Two versions of a label have the same image, which is already visible.
  if (isLabel) return make("figure", { class: "label" }, make("figcaption", {}, title), label, make("div", {}, ...buttons));
  const picture = drawn(image, one.objects ?? [], part, color);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", title);
  return make("figure", {}, make("figcaption", {}, title), picture, label, make("div", {}, ...buttons));
}

/// Returns the entry that made the current version: the last entry of the main branch.
function lastOf(state) {
  return state.history.filter((one) => !one.conflict).at(-1) ?? null;
}

/// Builds the panel. `keep(conflict, "this"|"head"|"both")` resolves a conflict; `compare()` toggles
/// between the versions in the image.
export function conflictView({ state, image, author, keep, keepSeen, keepBoth, compare, onlater }) {
  const head = lastOf(state);
  const who = (name) => (name === author ? "you" : name);
  const present = head ? `Current version: ${who(head.author)}, ${clock(head.time)}` : "Current version: as imported";
  const isMine = (one) => one.author === author;
  return make("div", { class: "conflicts" },
    make("h2", {}, "Two versions", button("Later", null, onlater)),
    make("p", {}, "Someone else changed this sample while you had it open. Both versions are kept."),
    button("Compare: show the other version", "x", compare),
    button("Keep the shown version", "Shift+K", keepSeen),
    state.conflicts.at(-1).obstacle ? null : button("Keep both", "&", keepBoth, { "data-keep": "both" }),
    ...state.conflicts.map((one) => {
      // "Mine" is the other version if I made it, otherwise the current version.
      const [kept, counting] = isMine(one) ? ["Keep mine", "Keep theirs"] : ["Keep theirs", "Keep mine"];
      const headIsMine = head?.author === author;
      const part = differingPart(image, one.objects ?? [], state.objects ?? []);
      const both = isMine(one) && headIsMine;
      const lines = differences(one, state, image);
      return make("div", {}, make("ul", { class: "differences" }, ...lines.map((line) => make("li", {}, line))),
        make("p", { class: "muted" }, one.obstacle ? `Both cannot be kept: ${one.obstacle}.`
          : "The changes do not overlap: both can be kept."),
        make("div", { class: "pair" },
        version(`Other version: ${who(one.author)}, ${clock(one.time)}, entry ${one.sequence}`, image, one, part, [213, 94, 0],
          button(both ? "Keep this one" : kept, null, () => keep(one, "this"), { "data-keep": "this" })),
        version(present, image, state, part, [0, 114, 178],
          button(both ? "Keep this one" : counting, null, () => keep(one, "head"), { "data-keep": "head" }))));
    }));
}
