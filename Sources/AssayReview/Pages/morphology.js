// Dilation, erosion, connected components and holes of masks, defined as in the program itself:
// the square of 2n + 1 pixels; nothing is set outside the image; components are 8-connected,
// holes 4-connected. All functions work on runs of pixels, so their time depends on the outline,
// not on the image's size.
import {
  SpanBuilder, emptyMask, forEachColumnSpan, intersection, inverted, subtracting, union,
} from "./run-lengths.js";

/// Returns the pixels whose (2n + 1) × (2n + 1) neighborhood is inside the mask.
export function eroded(mask, steps) {
  if (steps <= 0 || mask.spans.length === 0) return mask;
  return erodedBy(mask, Math.min(steps, mask.width), Math.min(steps, mask.height));
}

/// Returns the pixels with a set pixel in their (2n + 1) × (2n + 1) neighborhood.
export function dilated(mask, steps) {
  if (steps <= 0 || mask.spans.length === 0) return mask;
  return dilatedBy(mask, Math.min(steps, mask.width), Math.min(steps, mask.height));
}

/// Erodes, then dilates: parts too thin for the square disappear. Never adds a pixel.
export function opened(mask, steps) {
  return dilated(eroded(mask, steps), steps);
}

/// Dilates, then erodes: gaps too narrow for the square are filled. Never removes a pixel, because
/// the dilated mask can extend beyond the image's edges before it is eroded.
export function closed(mask, steps) {
  if (steps <= 0 || mask.spans.length === 0) return mask;
  const columns = Math.min(steps, mask.width);
  const rows = Math.min(steps, mask.height);
  const padded = cropped(mask, -columns, -rows, mask.width + 2 * columns, mask.height + 2 * rows);
  const whole = erodedBy(dilatedBy(padded, columns, rows), columns, rows);
  return cropped(whole, columns, rows, mask.width, mask.height);
}

function erodedBy(mask, columns, rows) {
  const builder = new SpanBuilder(mask.spans.length + 2);
  forEachColumnSpan(mask, (x, top, bottom) => {
    const base = x * mask.height;
    builder.add(base + top + rows, base + bottom - rows);
  });
  const short = builder.mask(mask.width, mask.height);
  return shifted(gathered(short, 2 * columns, intersection), columns);
}

function dilatedBy(mask, columns, rows) {
  const builder = new SpanBuilder(mask.spans.length + 2);
  forEachColumnSpan(mask, (x, top, bottom) => {
    const base = x * mask.height;
    builder.add(base + Math.max(top - rows, 0), base + Math.min(bottom + rows, mask.height));
  });
  const tall = builder.mask(mask.width, mask.height);
  return union(gathered(tall, columns, union), gathered(tall, -columns, union));
}

/// Combines each column with the next ones, to the left if `columns` is negative.
function gathered(mask, columns, combine) {
  let whole = mask;
  let reach = 1;
  const goal = Math.abs(columns) + 1;
  while (reach < goal) {
    const step = Math.min(reach, goal - reach);
    whole = combine(whole, shifted(whole, columns > 0 ? -step : step));
    reach += step;
  }
  return whole;
}

/// Returns the mask moved to the right; pixels that leave the image are lost.
function shifted(mask, columns) {
  if (Math.abs(columns) >= mask.width) return emptyMask(mask.width, mask.height);
  const offset = columns * mask.height;
  const area = mask.width * mask.height;
  const builder = new SpanBuilder(mask.spans.length + 2);
  for (let index = 0; index < mask.spans.length; index += 2) {
    builder.add(
      Math.max(mask.spans[index] + offset, 0), Math.min(mask.spans[index + 1] + offset, area));
  }
  return builder.mask(mask.width, mask.height);
}

/// Returns the part of a mask in a box that can extend beyond it, as a mask of the box's size.
export function cropped(mask, left, top, width, height) {
  const builder = new SpanBuilder(mask.spans.length + 2);
  forEachColumnSpan(mask, (x, first, last) => {
    if (x < left || x >= left + width) return;
    const base = (x - left) * height;
    builder.add(base + Math.max(first - top, 0), base + Math.min(last - top, height));
  });
  return builder.mask(width, height);
}

// ---- connected components and holes ----

/// Returns the runs of each column, the component of each run, and each component's area;
/// components are numbered by their first pixel, column by column.
function columnParts(mask, reach) {
  const xs = [];
  const tops = [];
  const bottoms = [];
  forEachColumnSpan(mask, (x, top, bottom) => {
    xs.push(x);
    tops.push(top);
    bottoms.push(bottom);
  });
  const count = xs.length;
  const parent = new Int32Array(count);
  for (let index = 0; index < count; index++) parent[index] = index;
  const root = (index) => {
    while (parent[index] !== index) {
      parent[index] = parent[parent[index]];
      index = parent[index];
    }
    return index;
  };
  let left = 0;
  for (let index = 0; index < count; index++) {
    const x = xs[index];
    while (left < index
      && (xs[left] < x - 1 || (xs[left] === x - 1 && bottoms[left] + reach <= tops[index]))) left += 1;
    for (let other = left;
      other < index && xs[other] === x - 1 && tops[other] < bottoms[index] + reach; other++) {
      const first = root(other);
      const second = root(index);
      if (first < second) parent[second] = first;
      else parent[first] = second;
    }
  }
  const part = new Int32Array(count);
  const areas = [];
  for (let index = 0; index < count; index++) {
    const first = root(index);
    if (first === index) {
      part[index] = areas.length;
      areas.push(0);
    } else {
      part[index] = part[first];
    }
    areas[part[index]] += bottoms[index] - tops[index];
  }
  const chosen = (isKept) => {
    const builder = new SpanBuilder(2 * count + 2);
    for (let index = 0; index < count; index++) {
      if (isKept(part[index])) {
        builder.add(xs[index] * mask.height + tops[index], xs[index] * mask.height + bottoms[index]);
      }
    }
    return builder.mask(mask.width, mask.height);
  };
  return { xs, tops, bottoms, part, areas, chosen };
}

/// Returns the 8-connected components, the largest first; ties are ordered by their first
/// pixel, column by column.
export function components(mask) {
  const parts = columnParts(mask, 1);
  const builders = parts.areas.map(() => new SpanBuilder(8));
  for (let index = 0; index < parts.part.length; index++) {
    const base = parts.xs[index] * mask.height;
    builders[parts.part[index]].add(base + parts.tops[index], base + parts.bottoms[index]);
  }
  const order = parts.areas.map((_, index) => index)
    .sort((a, b) => parts.areas[b] - parts.areas[a] || a - b);
  return order.map((index) => builders[index].mask(mask.width, mask.height));
}

/// Returns the largest component; an empty mask for an empty mask.
export function largestComponent(mask) {
  const parts = columnParts(mask, 1);
  let best = 0;
  for (let index = 1; index < parts.areas.length; index++) {
    if (parts.areas[index] > parts.areas[best]) best = index;
  }
  return parts.areas.length < 2 ? mask : parts.chosen((part) => part === best);
}

/// Returns the component at a pixel; null if the pixel is not set. `reach` is 1 for
/// 8-connectivity, 0 for 4-connectivity.
export function componentAt(mask, x, y, reach = 1) {
  const parts = columnParts(mask, reach);
  for (let index = 0; index < parts.part.length; index++) {
    if (parts.xs[index] === x && parts.tops[index] <= y && y < parts.bottoms[index]) {
      const here = parts.part[index];
      return parts.chosen((part) => part === here);
    }
  }
  return null;
}

function closedParts(mask) {
  const parts = columnParts(inverted(mask), 0);
  const isOpen = new Uint8Array(parts.areas.length);
  for (let index = 0; index < parts.part.length; index++) {
    if (parts.xs[index] === 0 || parts.xs[index] === mask.width - 1 || parts.tops[index] === 0
      || parts.bottoms[index] === mask.height) isOpen[parts.part[index]] = 1;
  }
  return { parts, isOpen };
}

/// Returns the unset pixels without a 4-connected path to the image's edge.
export function holes(mask) {
  const { parts, isOpen } = closedParts(mask);
  return parts.chosen((part) => !isOpen[part]);
}

export function fillingHoles(mask) {
  return union(mask, holes(mask));
}

/// Returns the hole around a pixel: {mask} | {isSet: true} if the pixel is set | {isOpen: true} if
/// the outline around it is not closed.
export function holeAt(mask, x, y) {
  const { parts, isOpen } = closedParts(mask);
  for (let index = 0; index < parts.part.length; index++) {
    if (parts.xs[index] === x && parts.tops[index] <= y && y < parts.bottoms[index]) {
      const here = parts.part[index];
      return isOpen[here] ? { isOpen: true } : { mask: parts.chosen((part) => part === here) };
    }
  }
  return { isSet: true };
}

/// Returns the pixels that `after` has in addition to `before`, and those it lacks.
export function changes(before, after) {
  return { added: subtracting(after, before), removed: subtracting(before, after) };
}
