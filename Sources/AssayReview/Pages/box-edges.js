// The arithmetic of boxes [x, y, width, height] in image pixels: the edges that a handle moves, moving, drawing, and
// limits. It knows neither the canvas nor the sample.

/// The eight handles, each with its place in the box (0: left or top, 1: right or bottom) and the pointer's shape.
export const handles = [
  { id: "nw", at: [0, 0], cursor: "nwse-resize" }, { id: "n", at: [0.5, 0], cursor: "ns-resize" },
  { id: "ne", at: [1, 0], cursor: "nesw-resize" }, { id: "e", at: [1, 0.5], cursor: "ew-resize" },
  { id: "se", at: [1, 1], cursor: "nwse-resize" }, { id: "s", at: [0.5, 1], cursor: "ns-resize" },
  { id: "sw", at: [0, 1], cursor: "nesw-resize" }, { id: "w", at: [0, 0.5], cursor: "ew-resize" },
];

/// The smallest side of a box that is drawn.
export const smallestSide = 1;

/// Returns a number with at most two decimals: what a pointer can mean, and what formats keep.
export function rounded(value) {
  return Math.round(value * 100) / 100;
}

/// Returns the grip of a box under a position: a handle's id, "inside", or null. `reach` is the radius of a handle in
/// image pixels; the corners win over the edges, and in a box smaller than its handles the inside wins over both.
export function gripAt(box, x, y, reach) {
  const [left, top, width, height] = box;
  const isInside = x >= left && x <= left + width && y >= top && y <= top + height;
  const isSmall = width < 3 * reach && height < 3 * reach;
  const nearness = ({ at: [along, down] }) => Math.max(Math.abs(left + along * width - x), Math.abs(top + down * height - y));
  if (!(isSmall && isInside)) {
    const corner = handles.filter(({ id }) => id.length === 2).sort((a, b) => nearness(a) - nearness(b))[0];
    if (nearness(corner) <= reach) return corner.id;
    const isAlongX = x >= left && x <= left + width;
    const isAlongY = y >= top && y <= top + height;
    if (isAlongX && Math.abs(y - top) <= reach / 2) return "n";
    if (isAlongX && Math.abs(y - top - height) <= reach / 2) return "s";
    if (isAlongY && Math.abs(x - left) <= reach / 2) return "w";
    if (isAlongY && Math.abs(x - left - width) <= reach / 2) return "e";
  }
  return isInside ? "inside" : null;
}

/// Returns the box between two corners, inside the image.
export function boxBetween([x0, y0], [x1, y1], width, height) {
  const [left, right] = span(x0, x1, width);
  const [top, bottom] = span(y0, y1, height);
  return [left, top, rounded(right - left), rounded(bottom - top)];
}

function span(a, b, limit) {
  const within = (value) => rounded(Math.min(Math.max(value, 0), limit));
  return [within(Math.min(a, b)), within(Math.max(a, b))];
}

/// Returns a box after a grip was dragged by (dx, dy). Only the edges of the grip move, so that the others keep the
/// numbers of the source. An edge that passes the opposite one turns the box over. Moved edges stay inside the image; a box
/// that is moved keeps its size.
export function dragged(box, grip, dx, dy, width, height) {
  const [left, top, wide, high] = box;
  if (grip === "inside") {
    return [rounded(moved(left, wide, dx, width)), rounded(moved(top, high, dy, height)), wide, high];
  }
  const [x, newWide] = grip.includes("w") ? edge(left + wide, left + dx, width, true)
    : grip.includes("e") ? edge(left, left + wide + dx, width, false) : [left, wide];
  const [y, newHigh] = grip.includes("n") ? edge(top + high, top + dy, height, true)
    : grip.includes("s") ? edge(top, top + high + dy, height, false) : [top, high];
  return [x, y, newWide, newHigh];
}

/// Returns the start and the length between an edge that stays and one that moves.
function edge(fixed, wanted, limit, isStart) {
  const free = rounded(Math.min(Math.max(wanted, Math.min(0, fixed)), Math.max(limit, fixed)));
  const start = Math.min(fixed, free);
  // The edge that stays keeps its number exactly if it is the start.
  return [start === fixed && !isStart ? fixed : rounded(start), rounded(Math.abs(fixed - free))];
}

/// A box that was partly outside may stay there, but does not go further out.
function moved(start, length, by, limit) {
  const low = Math.min(0, start);
  const high = Math.max(limit - length, start);
  return Math.min(Math.max(start + by, low), high);
}

/// Returns whether two boxes are the same, or both null.
export function sameBox(one, other) {
  if (!one || !other) return one === other || (!one && !other);
  return one.every((value, index) => value === other[index]);
}

/// Returns a box's corner and size in words: "12, 8, 64 × 48".
export function boxWords([x, y, width, height]) {
  return `${rounded(x)}, ${rounded(y)}, ${rounded(width)} × ${rounded(height)}`;
}
