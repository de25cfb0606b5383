// The arithmetic of oriented boxes: polygons of four corners with right angles, as imports of YOLO's oriented boxes have
// them. It knows neither the canvas nor the sample. A box is {x, y (its center), u: [x, y] (the unit vector from the first
// corner to the second), turn (1 or −1: the order of the corners), width (along u), height}.
import { boxAround } from "./rings.js";

/// How far a corner may be from the rectangle: a share of the longer side, and at least this many pixels. Files with few
/// decimals, and people, make no exact right angles.
const shareOff = 0.02;
const leastOff = 0.75;

/// The handles: the sides that each moves, along and across.
export const orientedHandles = [[-1, -1], [0, -1], [1, -1], [1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0]];

/// Returns the oriented box of polygons; null if they are not one polygon of four corners with right angles.
export function orientedBox(polygons) {
  if (polygons?.length !== 1 || polygons[0].length !== 8) return null;
  const [[ax, ay], [bx, by], [cx, cy], [dx, dy]] = [0, 2, 4, 6].map((at) => [polygons[0][at], polygons[0][at + 1]]);
  // The mean of two opposite sides.
  const [ux, uy] = [(bx - ax + cx - dx) / 2, (by - ay + cy - dy) / 2];
  const [vx, vy] = [(dx - ax + cx - bx) / 2, (dy - ay + cy - by) / 2];
  const width = Math.hypot(ux, uy);
  if (width === 0 || Math.hypot(vx, vy) === 0) return null;
  const turn = ux * vy - uy * vx >= 0 ? 1 : -1;
  const box = {
    x: (ax + bx + cx + dx) / 4, y: (ay + by + cy + dy) / 4, u: [ux / width, uy / width], turn, width, height: Math.hypot(vx, vy),
  };
  const corners = ringOfBox(box, (value) => value);
  const off = Math.max(...[0, 2, 4, 6].map((at) => Math.hypot(corners[at] - polygons[0][at], corners[at + 1] - polygons[0][at + 1])));
  return off <= Math.max(leastOff, shareOff * Math.max(box.width, box.height)) ? box : null;
}

/// Returns the unit vector across a box, from the first corner to the last.
export function across({ u: [x, y], turn }) {
  return [-turn * y, turn * x];
}

/// Returns the point of a box at the shares (−1 … 1) along and across.
export function pointOf(box, along, down) {
  const [vx, vy] = across(box);
  const [a, b] = [along * box.width / 2, down * box.height / 2];
  return [box.x + a * box.u[0] + b * vx, box.y + a * box.u[1] + b * vy];
}

const thousandths = (value) => Math.round(value * 1000) / 1000;

/// Returns the ring of a box, [x0, y0, …], in the order of its corners.
export function ringOfBox(box, round = thousandths) {
  return [[-1, -1], [1, -1], [1, 1], [-1, 1]].flatMap((at) => pointOf(box, ...at).map(round));
}

/// Returns a box with the edges of a handle moved by (dx, dy), along its own axes.
export function resized(box, [along, down], dx, dy) {
  const [vx, vy] = across(box);
  const a = along === 0 ? 0 : Math.max(along * (dx * box.u[0] + dy * box.u[1]), 1 - box.width) * along;
  const b = down === 0 ? 0 : Math.max(down * (dx * vx + dy * vy), 1 - box.height) * down;
  return {
    ...box, x: box.x + (a * box.u[0] + b * vx) / 2, y: box.y + (a * box.u[1] + b * vy) / 2,
    width: box.width + along * a, height: box.height + down * b,
  };
}

/// Returns a box turned by an angle in radians, clockwise on the screen.
export function turned(box, angle) {
  const [x, y] = box.u;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { ...box, u: [x * cos - y * sin, x * sin + y * cos] };
}

/// Returns the box at a share (0 … 1) of the way from one box to another: its center, its sides and its angle, turned the
/// short way round. A rectangle has four first corners: those are paired whose sides change least, and of the two that
/// differ by half a turn, the nearer ones.
export function boxInBetween(from, to, share) {
  const changes = (one) => Math.abs(one.width - to.width) + Math.abs(one.height - to.height);
  const aside = { ...from, u: across(from), width: from.height, height: from.width };
  // The same corners in the other's order.
  const start = { ...(changes(aside) < changes(from) ? aside : from), turn: to.turn };
  const cos = start.u[0] * to.u[0] + start.u[1] * to.u[1];
  const sin = start.u[0] * to.u[1] - start.u[1] * to.u[0];
  // Half a turn more or less is the same rectangle.
  const angle = Math.atan2(cos < 0 ? -sin : sin, Math.abs(cos));
  const first = cos < 0 ? { ...start, u: [-start.u[0], -start.u[1]] } : start;
  const line = (name) => first[name] + (to[name] - first[name]) * share;
  return turned({ ...first, x: line("x"), y: line("y"), width: line("width"), height: line("height") }, angle * share);
}

/// The angle of a box in degrees, −90 … 90, clockwise from the horizontal.
export function degrees({ u: [x, y] }) {
  const angle = Math.atan2(y, x) * 180 / Math.PI;
  return angle > 90 ? angle - 180 : angle <= -90 ? angle + 180 : angle;
}

/// Returns whether a ring is inside the image, or not further out than another one.
export function isWithin(ring, before, width, height) {
  const [left, top, wide, high] = boxAround([ring]);
  const [oldLeft, oldTop, oldWide, oldHigh] = boxAround([before]);
  return left >= Math.min(0, oldLeft) && top >= Math.min(0, oldTop)
    && left + wide <= Math.max(width, oldLeft + oldWide) && top + high <= Math.max(height, oldTop + oldHigh);
}

/// Returns a box in words: "64 × 48, turned by 12.5°".
export function orientedWords(box) {
  const one = (value) => Math.round(value * 10) / 10;
  return `${one(box.width)} × ${one(box.height)}, turned by ${one(degrees(box)) || 0}°`;
}
