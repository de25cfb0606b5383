// The pixels of an object's polygons, by the server's rule (AssayCore's PolygonCrossings): the outline is walked in fifths
// of a pixel, and a pixel's column counts where the outline crosses its middle.
// Source: `rleFrPoly` of pycocotools' maskApi.c.
import { unionOf } from "./run-lengths.js";

const least = -(2 ** 31);
const largest = 2 ** 31 - 1;
/// The maximum number of crossings that are sorted together.
const portion = 1 << 20;

/// Returns the union of polygons [[x0, y0, x1, y1, …], …] as a mask.
export function polygonsMask(polygons, width, height) {
  return unionOf(polygons.map((ring) => ringMask(ring, width, height)), width, height);
}

function ringMask(ring, width, height) {
  const count = Math.floor(ring.length / 2);
  const points = new Float64Array(2 * count + 2);
  for (let index = 0; index < 2 * count; index++) {
    if (!Number.isFinite(ring[index])) return unionOf([], width, height);
    points[index] = Math.trunc(Math.min(Math.max(5 * ring[index] + 0.5, least), largest));
  }
  points.set(points.subarray(0, 2), 2 * count);
  let places = new Uint32Array(0);
  let found = [];
  for (let edge = 0; edge < count; edge++) {
    addEdge(points, edge, width, height, found);
    if (found.length < portion) continue;
    places = withoutPairs(places, found);
    found = [];
  }
  places = withoutPairs(places, found);
  const area = width * height;
  const spans = places.length > 0 && places[places.length - 1] === area ? places.slice(0, -1) : places;
  return { width, height, spans: spans.length % 2 === 0 ? spans : Uint32Array.from([...spans, area]) };
}

/// Returns the ascending places of both lists; one that occurs twice has no effect.
function withoutPairs(places, found) {
  const sorted = new Uint32Array(places.length + found.length);
  sorted.set(places);
  sorted.set(found, places.length);
  sorted.sort();
  let length = 0;
  for (const place of sorted) {
    if (length > 0 && sorted[length - 1] === place) length -= 1;
    else sorted[length++] = place;
  }
  return sorted.slice(0, length);
}

function addEdge(points, edge, width, height, places) {
  const [fromX, fromY, toX, toY] = points.subarray(2 * edge, 2 * edge + 4);
  const low = Math.min(fromX, toX);
  const high = Math.max(fromX, toX);
  // Column x is crossed between the fifths 5x + 2 and 5x + 3.
  const first = low <= 2 ? 0 : Math.floor((low + 2) / 5);
  const end = high < 3 ? 0 : Math.min(width, Math.floor((high + 2) / 5));
  if (first >= end) return;
  const isFlat = Math.abs(fromX - toX) >= Math.abs(fromY - toY);
  const isFlipped = isFlat ? fromX > toX : fromY > toY;
  const x = isFlipped ? toX : fromX;
  const y = isFlipped ? toY : fromY;
  const deltaX = isFlipped ? fromX - toX : toX - fromX;
  const deltaY = isFlipped ? fromY - toY : toY - fromY;
  const slope = isFlat ? deltaY / deltaX : deltaX / deltaY;
  // The upper of the two steps: the earlier one of a falling edge.
  const shift = slope < 0 ? 3 : 2;
  for (let column = first; column < end; column++) {
    const fifths = isFlat ? Math.trunc(y + slope * (5 * column + shift - x) + 0.5)
      : y + stepBeyond(x, slope, deltaY, 5 * column + 3) - 1;
    const row = fifths < 0 ? 0 : Math.min(Math.floor((fifths + 2) / 5), height);
    places.push(column * height + row);
  }
}

/// Returns the first step of a steep edge beyond `goal`.
function stepBeyond(start, slope, steps, goal) {
  const isPast = (step) => (start + slope * step + 0.5 >= goal) === (slope > 0);
  let low = 1;
  let high = steps;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isPast(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
