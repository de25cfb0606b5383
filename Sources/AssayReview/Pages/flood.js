// Regions from the image's colors and from the model's map.
import { SpanBuilder } from "./run-lengths.js";

/// Returns the bitmap (one byte per pixel, column by column) of the 4-connected region around (x,
/// y): pixels whose red, green and blue each differ by at most `tolerance` from those of (x, y).
/// `rgba` has four bytes per pixel, row by row.
export function floodMask(rgba, width, height, x, y, tolerance) {
  const seed = 4 * (y * width + x);
  const [red, green, blue] = [rgba[seed], rgba[seed + 1], rgba[seed + 2]];
  const bits = new Uint8Array(width * height);
  const isLike = (place) => {
    const at = 4 * place;
    const r = rgba[at] - red;
    const g = rgba[at + 1] - green;
    const b = rgba[at + 2] - blue;
    return r <= tolerance && -r <= tolerance && g <= tolerance && -g <= tolerance
      && b <= tolerance && -b <= tolerance;
  };
  // Processes whole runs of a row at a time; the bitmap is stored column by column, like masks.
  const stack = [x, y];
  while (stack.length > 0) {
    const row = stack.pop();
    const column = stack.pop();
    if (bits[column * height + row]) continue;
    const base = row * width;
    let left = column;
    while (left > 0 && !bits[(left - 1) * height + row] && isLike(base + left - 1)) left -= 1;
    let above = false;
    let below = false;
    for (let at = left; at < width && !bits[at * height + row] && isLike(base + at); at++) {
      bits[at * height + row] = 1;
      if (row > 0) {
        const opens = !bits[at * height + row - 1] && isLike(base - width + at);
        if (opens && !above) stack.push(at, row - 1);
        above = opens;
      }
      if (row + 1 < height) {
        const opens = !bits[at * height + row + 1] && isLike(base + width + at);
        if (opens && !below) stack.push(at, row + 1);
        below = opens;
      }
    }
  }
  return bits;
}

/// Returns the smallest byte of a map that counts as set at a threshold: ⌈255 · t⌉.
export function mapLimit(threshold) {
  return Math.min(Math.max(Math.ceil(255 * threshold), 0), 255);
}

/// Transposes a map's bytes from row-major to column-major order, the order of masks.
export function transposed(bytes, width, height) {
  const turned = new Uint8Array(width * height);
  // In blocks, so that both sides fit the cache.
  const block = 64;
  for (let left = 0; left < width; left += block) {
    const right = Math.min(left + block, width);
    for (let top = 0; top < height; top += block) {
      const bottom = Math.min(top + block, height);
      for (let x = left; x < right; x++) {
        for (let y = top; y < bottom; y++) turned[x * height + y] = bytes[y * width + x];
      }
    }
  }
  return turned;
}

/// Returns the pixels of a map (column by column) of at least `limit`.
export function thresholdMask(turned, width, height, limit) {
  const builder = new SpanBuilder();
  const area = width * height;
  let start = -1;
  for (let place = 0; place < area; place++) {
    if (turned[place] >= limit) {
      if (start < 0) start = place;
    } else if (start >= 0) {
      builder.add(start, place);
      start = -1;
    }
  }
  if (start >= 0) builder.add(start, area);
  return builder.mask(width, height);
}
