// The arithmetic of polygons [[x0, y0, x1, y1, …], …] in image pixels: what is at a position, moving, adding and removing
// vertices, and simplifying. It knows neither the canvas nor the sample. No function changes its arguments, and vertices that
// do not move keep their numbers.
import { rounded } from "./box-edges.js";

/// The maximum number of vertices of an object; the server has the same limit.
export const vertexLimit = 100_000;

/// Returns the number of vertices.
export function vertexCount(rings) {
  return rings.reduce((sum, ring) => sum + ring.length / 2, 0);
}

/// Returns whether two lists of polygons have the same numbers; null equals only null.
export function sameRings(one, other) {
  if (!one || !other) return one === other || (!one && !other);
  return one.length === other.length && one.every((ring, index) => (
    ring.length === other[index].length && ring.every((value, place) => value === other[index][place])));
}

/// Returns the box [x, y, width, height] around polygons.
export function boxAround(rings) {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const ring of rings) {
    for (let at = 0; at < ring.length; at += 2) {
      left = Math.min(left, ring[at]);
      right = Math.max(right, ring[at]);
      top = Math.min(top, ring[at + 1]);
      bottom = Math.max(bottom, ring[at + 1]);
    }
  }
  return [left, top, right - left, bottom - top];
}

/// Returns the nearest vertex within `reach` of (x, y) as {ring, index}; null if there is none.
export function vertexAt(rings, x, y, reach) {
  let best = null;
  let least = reach;
  rings.forEach((ring, number) => {
    for (let at = 0; at < ring.length; at += 2) {
      const far = Math.hypot(ring[at] - x, ring[at + 1] - y);
      if (far <= least) [best, least] = [{ ring: number, index: at / 2 }, far];
    }
  });
  return best;
}

/// Returns the nearest point of an edge within `reach` of (x, y) as {ring, index, place}: a new vertex there has the
/// number `index`. Null if there is none.
export function edgeAt(rings, x, y, reach) {
  let best = null;
  let least = reach;
  rings.forEach((ring, number) => {
    for (let at = 0; at < ring.length; at += 2) {
      const next = (at + 2) % ring.length;
      const place = nearest(x, y, ring[at], ring[at + 1], ring[next], ring[next + 1]);
      const far = Math.hypot(place[0] - x, place[1] - y);
      if (far <= least) [best, least] = [{ ring: number, index: at / 2 + 1, place: place.map(rounded) }, far];
    }
  });
  return best;
}

/// Returns the point of a line that is nearest to (x, y).
function nearest(x, y, x0, y0, x1, y1) {
  const [dx, dy] = [x1 - x0, y1 - y0];
  const square = dx * dx + dy * dy;
  const share = square === 0 ? 0 : Math.min(Math.max(((x - x0) * dx + (y - y0) * dy) / square, 0), 1);
  return [x0 + share * dx, y0 + share * dy];
}

/// Returns polygons with one ring replaced.
function withRing(rings, number, ring) {
  return rings.map((one, index) => (index === number ? ring : one));
}

export function vertexOf(rings, { ring, index }) {
  return [rings[ring][2 * index], rings[ring][2 * index + 1]];
}

/// Returns polygons with a vertex at another place. It stays inside the image; one that was outside may stay there, but does
/// not go further out.
export function withVertex(rings, vertex, [x, y], width, height) {
  const [oldX, oldY] = vertexOf(rings, vertex);
  const ring = rings[vertex.ring].slice();
  ring[2 * vertex.index] = within(x, oldX, width);
  ring[2 * vertex.index + 1] = within(y, oldY, height);
  return withRing(rings, vertex.ring, ring);
}

function within(value, old, limit) {
  return value === old ? old : rounded(Math.min(Math.max(value, Math.min(0, old)), Math.max(limit, old)));
}

export function withNewVertex(rings, { ring, index, place }) {
  const longer = rings[ring].slice();
  longer.splice(2 * index, 0, ...place);
  return withRing(rings, ring, longer);
}

/// Returns polygons without a vertex; null if its ring has only three.
export function withoutVertex(rings, { ring, index }) {
  if (rings[ring].length <= 6) return null;
  const shorter = rings[ring].slice();
  shorter.splice(2 * index, 2);
  return withRing(rings, ring, shorter);
}

/// Returns polygons moved as a whole. They stay inside the image; those that were partly outside may stay there, but do not
/// go further out.
export function movedRings(rings, dx, dy, width, height) {
  const [left, top, wide, high] = boxAround(rings);
  const [byX, byY] = [shift(left, wide, dx, width), shift(top, high, dy, height)];
  const moved = (value, by) => (by === 0 ? value : rounded(value + by));
  return rings.map((ring) => ring.map((value, at) => moved(value, at % 2 === 0 ? byX : byY)));
}

function shift(start, length, by, limit) {
  const low = Math.min(-start, 0);
  const high = Math.max(limit - length - start, 0);
  return rounded(Math.min(Math.max(by, low), high));
}

/// Returns a ring from the points of a drawing: inside the image, without repeated points; null if fewer than three remain.
export function ringOf(points, width, height) {
  const ring = [];
  for (const [x, y] of points) {
    const [newX, newY] = [within(x, 0, width), within(y, 0, height)];
    if (ring.at(-2) !== newX || ring.at(-1) !== newY) ring.push(newX, newY);
  }
  while (ring.length > 2 && ring[0] === ring.at(-2) && ring[1] === ring.at(-1)) ring.length -= 2;
  return ring.length < 6 ? null : ring;
}

/// Returns polygons without the vertices that are at most `tolerance` pixels from the line without them (Douglas and
/// Peucker's rule). A ring keeps at least three.
export function simplified(rings, tolerance) {
  return rings.map((ring) => simplifiedRing(ring, tolerance));
}

function simplifiedRing(ring, tolerance) {
  const count = ring.length / 2;
  if (count <= 3) return ring;
  // A closed line is divided at two vertices that are far from each other.
  const first = farthest(ring, 0, (x, y) => Math.hypot(x - ring[0], y - ring[1]));
  const second = farthest(ring, first, (x, y) => Math.hypot(x - ring[2 * first], y - ring[2 * first + 1]));
  const isKept = new Uint8Array(count);
  isKept[first] = isKept[second] = 1;
  keep(ring, first, second, tolerance, isKept);
  keep(ring, second, first, tolerance, isKept);
  if (isKept.reduce((sum, one) => sum + one, 0) < 3) {
    isKept[farthest(ring, first, (x, y) => {
      const place = nearest(x, y, ring[2 * first], ring[2 * first + 1], ring[2 * second], ring[2 * second + 1]);
      return Math.hypot(place[0] - x, place[1] - y);
    }, isKept)] = 1;
  }
  const rest = ring.filter((_, at) => isKept[at >> 1]);
  return rest.length < 6 || rest.length === ring.length ? ring : rest;
}

/// Returns the number of the vertex for which `measure` is largest, among those that are not excluded.
function farthest(ring, start, measure, isExcluded = null) {
  let best = start;
  let most = -1;
  for (let index = 0; index < ring.length / 2; index++) {
    const far = isExcluded?.[index] ? -1 : measure(ring[2 * index], ring[2 * index + 1]);
    if (far > most) [best, most] = [index, far];
  }
  return best;
}

/// Marks the vertices between `from` and `to` (around the ring's end) that have to stay.
function keep(ring, from, to, tolerance, isKept) {
  const count = ring.length / 2;
  const open = [[from, to > from ? to : to + count]];
  while (open.length > 0) {
    const [start, end] = open.pop();
    const [a, b] = [start % count, end % count];
    let best = -1;
    let most = tolerance;
    for (let at = start + 1; at < end; at++) {
      const index = at % count;
      const [x, y] = [ring[2 * index], ring[2 * index + 1]];
      const place = nearest(x, y, ring[2 * a], ring[2 * a + 1], ring[2 * b], ring[2 * b + 1]);
      const far = Math.hypot(place[0] - x, place[1] - y);
      if (far > most) [best, most] = [at, far];
    }
    if (best < 0) continue;
    isKept[best % count] = 1;
    open.push([start, best], [best, end]);
  }
}
