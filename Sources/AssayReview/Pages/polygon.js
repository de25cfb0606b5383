// Polygons: the pixels inside, and the polygon being drawn.
import { SpanBuilder } from "./run-lengths.js";

/// Returns the pixels of a polygon by the pixel-center rule: a pixel belongs to it if its center (x
/// + ½, y + ½) is inside by the even-odd rule. A center on an edge belongs to the polygon at the
/// edge's lower or right side (edges are half-open), so that two polygons along one edge share no
/// pixel and leave none out. `points` are [x, y] in pixels, (0, 0) is the top-left corner of the
/// top-left pixel; the last point connects to the first.
export function polygonMask(points, width, height) {
  const crossings = new Map();
  for (let index = 0; index < points.length; index++) {
    let [x0, y0] = points[index];
    let [x1, y1] = points[(index + 1) % points.length];
    if (x0 === x1) continue;
    if (x0 > x1) [x0, y0, x1, y1] = [x1, y1, x0, y0];
    // The columns whose center line x + ½ is in [x0, x1).
    const first = Math.max(Math.ceil(x0 - 0.5), 0);
    const last = Math.min(Math.ceil(x1 - 0.5), width);
    for (let x = first; x < last; x++) {
      const y = y0 + ((x + 0.5 - x0) / (x1 - x0)) * (y1 - y0);
      const column = crossings.get(x);
      if (column) column.push(y);
      else crossings.set(x, [y]);
    }
  }
  const builder = new SpanBuilder();
  for (const x of [...crossings.keys()].sort((a, b) => a - b)) {
    const ys = crossings.get(x).sort((a, b) => a - b);
    for (let index = 0; index + 1 < ys.length; index += 2) {
      const top = Math.min(Math.max(Math.ceil(ys[index] - 0.5), 0), height);
      const bottom = Math.min(Math.max(Math.ceil(ys[index + 1] - 0.5), 0), height);
      builder.add(x * height + top, x * height + bottom);
    }
  }
  return builder.mask(width, height);
}

/// The polygon being drawn: corners by click, a free line by dragging.
export class Draft {
  constructor() {
    this.points = [];
    /// The number of points that each click or dragged line has added, so that Backspace removes
    /// one of those groups.
    this.groups = [];
    /// True if its lines follow edges (scissors-tool.js).
    this.isSnapped = false;
  }

  get isEmpty() {
    return this.points.length === 0;
  }

  addCorner(x, y) {
    this.points.push([x, y]);
    this.groups.push(1);
  }

  /// Adds a line as one group.
  addPath(points) {
    if (points.length === 0) return;
    this.points.push(...points);
    this.groups.push(points.length);
  }

  /// Adds a point of a dragged line, unless it is closer than `distance` to the last one.
  extend(x, y, distance) {
    const last = this.points[this.points.length - 1];
    if (last && Math.hypot(x - last[0], y - last[1]) < distance) return false;
    this.points.push([x, y]);
    this.groups[this.groups.length - 1] += 1;
    return true;
  }

  takeBack() {
    const count = this.groups.pop();
    if (count === undefined) return false;
    // A long free line is removed in pieces, a line of the scissors as a whole.
    const taken = this.isSnapped ? count : Math.min(count, 12);
    this.points.length -= taken;
    if (count > taken) this.groups.push(count - taken);
    return true;
  }

  /// Returns whether (x, y) is within `distance` of the first corner of a polygon with
  /// at least three points.
  closes(x, y, distance) {
    return this.points.length > 2
      && Math.hypot(x - this.points[0][0], y - this.points[0][1]) <= distance;
  }

  /// The box around all points, as {x, y, width, height}.
  get bounds() {
    const xs = this.points.map((point) => point[0]);
    const ys = this.points.map((point) => point[1]);
    const x = Math.min(...xs);
    const y = Math.min(...ys);
    return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
  }
}
