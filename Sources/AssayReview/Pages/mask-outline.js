// The outline of a mask as a path. A path is filled and stroked at any zoom with lines of the same width, and can be
// dashed.
import { forEachColumnSpan, maskFromCounts } from "./run-lengths.js";

const paths = new WeakMap();

/// Returns the outline of a mask `{width, height, counts}` as a Path2D in the mask's pixels; null if it is invalid.
export function outlineOf(counted) {
  if (!paths.has(counted)) {
    let path = null;
    try {
      path = pathOf(loopsOf(maskFromCounts(counted.width, counted.height, counted.counts)));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
    paths.set(counted, path);
  }
  return paths.get(counted);
}

/// Returns the polygons (lists of x, y) as a Path2D.
export function polygonPath(polygons) {
  if (!paths.has(polygons)) paths.set(polygons, pathOf(polygons));
  return paths.get(polygons);
}

function pathOf(loops) {
  const path = new Path2D();
  for (const loop of loops) {
    for (let index = 0; index + 1 < loop.length; index += 2) {
      if (index === 0) path.moveTo(loop[0], loop[1]);
      else path.lineTo(loop[index], loop[index + 1]);
    }
    path.closePath();
  }
  return path;
}

/// Returns the closed outlines along the borders of the mask's pixels, as lists of x, y. The mask is at the right of
/// each edge: outlines of holes have the other direction.
function loopsOf(mask) {
  const stride = mask.height + 1;
  // From a corner (x · stride + y) to the next ones: two where two pixels meet at a corner.
  const next = new Map();
  const put = (x0, y0, x1, y1) => {
    const from = x0 * stride + y0;
    const to = x1 * stride + y1;
    const there = next.get(from);
    if (there === undefined) next.set(from, to);
    else next.set(from, [there, to]);
  };
  const columns = new Map();
  forEachColumnSpan(mask, (x, top, bottom) => {
    if (!columns.has(x)) columns.set(x, []);
    columns.get(x).push(top, bottom);
  });
  const none = [];
  for (const [x, spans] of columns) {
    for (let index = 0; index < spans.length; index += 2) {
      put(x, spans[index], x + 1, spans[index]);
      put(x + 1, spans[index + 1], x, spans[index + 1]);
    }
    uncovered(spans, columns.get(x - 1) ?? none, (top, bottom) => put(x, bottom, x, top));
    uncovered(spans, columns.get(x + 1) ?? none, (top, bottom) => put(x + 1, top, x + 1, bottom));
  }
  return followed(next, stride);
}

/// Calls visit(top, bottom) for the parts of `spans` that `others` do not cover.
function uncovered(spans, others, visit) {
  let place = 0;
  for (let index = 0; index < spans.length; index += 2) {
    let top = spans[index];
    const bottom = spans[index + 1];
    while (place < others.length && others[place + 1] <= top) place += 2;
    let at = place;
    while (at < others.length && others[at] < bottom) {
      if (others[at] > top) visit(top, others[at]);
      top = Math.max(top, others[at + 1]);
      at += 2;
    }
    if (top < bottom) visit(top, bottom);
  }
}

/// Follows the edges until each loop is closed; corners in the middle of a straight line are left out.
function followed(next, stride) {
  const loops = [];
  for (const start of next.keys()) {
    while (next.has(start)) {
      const loop = [];
      let at = start;
      let direction = null;
      do {
        const x = Math.floor(at / stride);
        const y = at % stride;
        const there = next.get(at);
        if (there === undefined) break;
        let to = there;
        if (Array.isArray(there)) {
          to = there[0];
          next.set(at, there[1]);
        } else {
          next.delete(at);
        }
        const now = Math.floor(to / stride) === x ? "vertical" : "horizontal";
        if (now !== direction) loop.push(x, y);
        direction = now;
        at = to;
      } while (at !== start);
      if (loop.length >= 6) loops.push(loop);
    }
  }
  return loops;
}
