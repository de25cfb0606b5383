// Masks as runs of set pixels, and COCO's run-length encoding.
//
// A mask is {width, height, spans}: `spans` contains start, end, start, end, … as
// column-major indices (index = x · height + y), ascending, never adjacent. Masks are
// immutable: no function changes one.

/// Collects runs in ascending order of their starts; adjacent or overlapping runs are merged.
export class SpanBuilder {
  constructor(capacity = 64) {
    this.places = new Uint32Array(Math.max(capacity, 2));
    this.length = 0;
  }

  add(start, end) {
    if (start >= end) return;
    const last = this.length - 1;
    if (last > 0 && start <= this.places[last]) {
      if (end > this.places[last]) this.places[last] = end;
      return;
    }
    if (this.length + 2 > this.places.length) {
      const larger = new Uint32Array(2 * this.places.length);
      larger.set(this.places);
      this.places = larger;
    }
    this.places[this.length++] = start;
    this.places[this.length++] = end;
  }

  mask(width, height) {
    return { width, height, spans: this.places.slice(0, this.length) };
  }
}

export function emptyMask(width, height) {
  return { width, height, spans: new Uint32Array(0) };
}

export function fullMask(width, height) {
  return { width, height, spans: Uint32Array.of(0, width * height) };
}

/// Returns COCO's counts: pixels off, on, off, … column by column; the first can be 0.
export function countsOf(mask) {
  const { spans } = mask;
  const area = mask.width * mask.height;
  const counts = [];
  let place = 0;
  for (let index = 0; index < spans.length; index++) {
    counts.push(spans[index] - place);
    place = spans[index];
  }
  if (place < area || counts.length === 0) counts.push(area - place);
  return counts;
}

export function maskFromCounts(width, height, counts) {
  const builder = new SpanBuilder(counts.length + 2);
  const area = width * height;
  let place = 0;
  for (let index = 0; index < counts.length; index++) {
    const end = place + counts[index];
    if (!(counts[index] >= 0) || end > area) throw new RangeError(`run ${index} extends beyond the image`);
    if (index % 2 === 1) builder.add(place, end);
    place = end;
  }
  if (place !== area) throw new RangeError(`the runs cover ${place} of ${area} pixels`);
  return builder.mask(width, height);
}

/// Returns the mask as COCO's compressed string.
/// Source: `rleToString` of pycocotools' maskApi.c.
export function compressed(mask) {
  const counts = countsOf(mask);
  const pieces = [];
  let bytes = [];
  for (let index = 0; index < counts.length; index++) {
    let rest = index > 2 ? counts[index] - counts[index - 2] : counts[index];
    for (;;) {
      // The difference of two run lengths needs 33 bits: no bitwise operators on it.
      const bits = ((rest % 32) + 32) % 32;
      rest = Math.floor(rest / 32);
      const ends = bits & 0x10 ? rest === -1 : rest === 0;
      bytes.push((ends ? bits : bits | 0x20) + 48);
      if (ends) break;
    }
    if (bytes.length > 4096) {
      pieces.push(String.fromCharCode(...bytes));
      bytes = [];
    }
  }
  pieces.push(String.fromCharCode(...bytes));
  return pieces.join("");
}

/// Returns a mask from COCO's compressed string. Throws RangeError if it is invalid.
/// Source: `rleFrString` of pycocotools' maskApi.c.
export function maskFromCompressed(width, height, text) {
  const counts = [];
  let place = 0;
  while (place < text.length) {
    let value = 0;
    let factor = 1;
    for (;;) {
      const character = text.charCodeAt(place) - 48;
      if (!(character >= 0 && character < 64)) throw new RangeError(`invalid character at position ${place} of the run lengths`);
      if (factor > 2 ** 35) throw new RangeError(`run ${counts.length} is too long`);
      value += (character & 0x1f) * factor;
      factor *= 32;
      place += 1;
      if (!(character & 0x20)) {
        if (character & 0x10) value -= factor;
        break;
      }
    }
    if (counts.length > 2) value += counts[counts.length - 2];
    counts.push(value);
  }
  return maskFromCounts(width, height, counts);
}

// ---- measurements ----

export function areaOf(mask) {
  const { spans } = mask;
  let area = 0;
  for (let index = 0; index < spans.length; index += 2) area += spans[index + 1] - spans[index];
  return area;
}

export function isEmpty(mask) {
  return mask.spans.length === 0;
}

export function isEqual(a, b) {
  if (a.width !== b.width || a.height !== b.height || a.spans.length !== b.spans.length) return false;
  for (let index = 0; index < a.spans.length; index++) {
    if (a.spans[index] !== b.spans[index]) return false;
  }
  return true;
}

export function contains(mask, x, y) {
  if (x < 0 || y < 0 || x >= mask.width || y >= mask.height) return false;
  const place = x * mask.height + y;
  return firstEndBeyond(mask.spans, place) % 2 === 1;
}

/// Returns the number of elements of `spans` that are at most `place`: odd inside a run.
export function firstEndBeyond(spans, place) {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (spans[middle] <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

/// Calls visit(x, top, bottom) for each run in each column; rows are half-open.
export function forEachColumnSpan(mask, visit) {
  const { spans, height } = mask;
  for (let index = 0; index < spans.length; index += 2) {
    let start = spans[index];
    const end = spans[index + 1];
    let x = Math.floor(start / height);
    while (start < end) {
      const base = x * height;
      const stop = Math.min(end, base + height);
      visit(x, start - base, stop - base);
      start = stop;
      x += 1;
    }
  }
}

/// Returns the bounding box of the mask as {x, y, width, height}; null if it is empty.
export function boundsOf(mask) {
  const { spans, height } = mask;
  if (spans.length === 0) return null;
  const left = Math.floor(spans[0] / height);
  const right = Math.floor((spans[spans.length - 1] - 1) / height) + 1;
  let top = height;
  let bottom = 0;
  forEachColumnSpan(mask, (_, first, last) => {
    if (first < top) top = first;
    if (last > bottom) bottom = last;
  });
  return { x: left, y: top, width: right - left, height: bottom - top };
}

// ---- set operations ----

const UNION = 0b1110;
const INTERSECTION = 0b1000;
const DIFFERENCE = 0b0010;
const EITHER = 0b0110;

/// `table` contains at bit (in b) · 2 + (in a) whether the pixel is in the result; bit
/// 0 is never set.
function combined(a, b, table) {
  const first = a.spans;
  const second = b.spans;
  const builder = new SpanBuilder(first.length + second.length + 2);
  let i = 0;
  let j = 0;
  let start = 0;
  let isIn = 0;
  while (i < first.length || j < second.length) {
    const p = i < first.length ? first[i] : Infinity;
    const q = j < second.length ? second[j] : Infinity;
    const place = p < q ? p : q;
    if (p === place) i += 1;
    if (q === place) j += 1;
    const now = (table >> ((j & 1) * 2 + (i & 1))) & 1;
    if (now === isIn) continue;
    if (now) start = place;
    else builder.add(start, place);
    isIn = now;
  }
  return builder.mask(a.width, a.height);
}

export function union(a, b) {
  return combined(a, b, UNION);
}

export function intersection(a, b) {
  return combined(a, b, INTERSECTION);
}

/// Returns the number of pixels that a small mask shares with another one, whose
/// size does not matter.
export function sharedArea(small, large) {
  const { spans } = large;
  let area = 0;
  for (let index = 0; index < small.spans.length; index += 2) {
    const start = small.spans[index];
    const end = small.spans[index + 1];
    for (let at = firstEndBeyond(spans, start) & ~1; at < spans.length && spans[at] < end; at += 2) {
      area += Math.min(spans[at + 1], end) - Math.max(spans[at], start);
    }
  }
  return area;
}

/// Returns the pixels that are in `a` and not in `b`.
export function subtracting(a, b) {
  return combined(a, b, DIFFERENCE);
}

/// Returns the pixels that are in exactly one of the two.
export function symmetricDifference(a, b) {
  return combined(a, b, EITHER);
}

export function inverted(mask) {
  return combined(fullMask(mask.width, mask.height), mask, DIFFERENCE);
}

/// Returns the union of many masks, computed pairwise.
export function unionOf(masks, width, height) {
  let rest = masks.slice();
  if (rest.length === 0) return emptyMask(width, height);
  while (rest.length > 1) {
    const next = [];
    for (let index = 0; index < rest.length; index += 2) {
      next.push(index + 1 < rest.length ? union(rest[index], rest[index + 1]) : rest[index]);
    }
    rest = next;
  }
  return rest[0];
}

// ---- bitmaps: one byte per pixel, column by column ----

/// Adds the runs of nonzero bytes in bits[from ..< to] to `builder`. The bytes are 0 or 1.
export function scan(bits, from, to, builder) {
  const part = bits.subarray(from, to);
  let place = part.indexOf(1);
  while (place >= 0) {
    let end = part.indexOf(0, place);
    if (end < 0) end = to - from;
    builder.add(from + place, from + end);
    place = part.indexOf(1, end);
  }
}

export function maskFromBits(bits, width, height) {
  const builder = new SpanBuilder();
  scan(bits, 0, width * height, builder);
  return builder.mask(width, height);
}

/// Writes `value` to the pixels of the mask.
export function paint(mask, bits, value) {
  const { spans } = mask;
  for (let index = 0; index < spans.length; index += 2) bits.fill(value, spans[index], spans[index + 1]);
}

export function bitsOf(mask) {
  const bits = new Uint8Array(mask.width * mask.height);
  paint(mask, bits, 1);
  return bits;
}
