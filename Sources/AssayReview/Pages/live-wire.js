// Paths along edges (Mortensen and Barrett, "Intelligent Scissors", 1995): the cheapest way from a pixel to every other one
// of a window, where steps along edges are cheap. No drawing; used by the page's worker.

/// The eight neighbors, by the number of the direction.
export const ways = [[1, 0], [1, 1], [0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1]];
/// The direction of a pixel without a way: the start.
export const noWay = 255;

/// The weights of the paper: zero crossings of the Laplacian, directions of the gradient, its size.
const crossingWeight = 0.43;
const directionWeight = 0.43;
const sizeWeight = 0.14;
/// The number of steps of cost; a diagonal step costs at most √2 times as many.
const costSteps = 256;

/// Returns the ways of a window of `radius` pixels around (x, y): {left, top, width, height, x, y, ways, edges}. `ways` has
/// for each pixel of the window the direction to the next pixel on its way to the start, and `edges` the size of the gradient
/// (0 … 255).
export function wireField({ rgba, width, height }, x, y, radius, snap = 0) {
  const left = Math.max(x - radius, 0);
  const top = Math.max(y - radius, 0);
  const window = { left, top, width: Math.min(x + radius + 1, width) - left, height: Math.min(y + radius + 1, height) - top };
  const features = featuresOf(rgba, width, height, window);
  const [atX, atY] = strongest(features.edges, window, x, y, snap);
  return { ...window, x: atX, y: atY, ways: cheapest(features, window, atX - left, atY - top), edges: features.edges };
}

/// Returns the pixel with the strongest edge within `reach` of a pixel; the nearest one of equal ones.
export function strongest(edges, { left, top, width, height }, x, y, reach) {
  let best = [x, y];
  let most = -1;
  for (let row = Math.max(y - reach, top); row <= Math.min(y + reach, top + height - 1); row++) {
    for (let column = Math.max(x - reach, left); column <= Math.min(x + reach, left + width - 1); column++) {
      const far = Math.hypot(column - x, row - y);
      if (far > reach + 0.5) continue;
      const value = edges[(row - top) * width + column - left] - far / (reach + 1);
      if (value > most) [best, most] = [[column, row], value];
    }
  }
  return best;
}

/// Returns the pixels [x, y] from the start of a field to a pixel of its window, without the start.
export function wirePath({ left, top, width, ways: ways_ }, x, y) {
  const path = [];
  let [column, row] = [x - left, y - top];
  for (let at = ways_[row * width + column]; at !== noWay; at = ways_[row * width + column]) {
    path.push([column + left, row + top]);
    column += ways[at][0];
    row += ways[at][1];
  }
  return path.reverse();
}

/// The features of the window's pixels: the size and the unit direction of the gradient, and the zero crossings of the
/// Laplacian, all of the smoothed image.
function featuresOf(rgba, width, height, window) {
  const { left, top, width: wide, height: high } = window;
  const count = wide * high;
  // Two pixels more on each side, for smoothing and for differences.
  const [w, h] = [wide + 4, high + 4];
  const gray = new Float32Array(w * h);
  for (let row = 0; row < h; row++) {
    const y = Math.min(Math.max(top + row - 2, 0), height - 1);
    for (let column = 0; column < w; column++) {
      const x = Math.min(Math.max(left + column - 2, 0), width - 1);
      const at = 4 * (y * width + x);
      gray[row * w + column] = 0.299 * rgba[at] + 0.587 * rgba[at + 1] + 0.114 * rgba[at + 2];
    }
  }
  const smooth = smoothed(gray, w, h);
  const [sizes, alongX, alongY] = [new Float32Array(count), new Float32Array(count), new Float32Array(count)];
  const laplacian = new Float32Array(count);
  let most = 0;
  for (let row = 0; row < high; row++) {
    for (let column = 0; column < wide; column++) {
      const at = (row + 2) * w + column + 2;
      const here = row * wide + column;
      const dx = (smooth[at + 1] - smooth[at - 1]) / 2;
      const dy = (smooth[at + w] - smooth[at - w]) / 2;
      const size = Math.hypot(dx, dy);
      sizes[here] = size;
      alongX[here] = size > 0 ? dx / size : 0;
      alongY[here] = size > 0 ? dy / size : 0;
      laplacian[here] = smooth[at + 1] + smooth[at - 1] + smooth[at + w] + smooth[at - w] - 4 * smooth[at];
      if (size > most) most = size;
    }
  }
  const edges = new Uint8Array(count);
  if (most > 0) for (let at = 0; at < count; at++) edges[at] = Math.round(255 * sizes[at] / most);
  return { edges, alongX, alongY, isCrossing: crossings(laplacian, wide, high) };
}

/// Returns values after the binomial filter 1 2 1 in both directions.
function smoothed(values, w, h) {
  const across = new Float32Array(values.length);
  const result = new Float32Array(values.length);
  for (let row = 0; row < h; row++) {
    for (let column = 0; column < w; column++) {
      const at = row * w + column;
      across[at] = (values[column > 0 ? at - 1 : at] + 2 * values[at] + values[column < w - 1 ? at + 1 : at]) / 4;
    }
  }
  for (let row = 0; row < h; row++) {
    for (let column = 0; column < w; column++) {
      const at = row * w + column;
      result[at] = (across[row > 0 ? at - w : at] + 2 * across[at] + across[row < h - 1 ? at + w : at]) / 4;
    }
  }
  return result;
}

/// Marks the pixels at which the Laplacian changes its sign: of the two neighbors the one that is closer to 0.
function crossings(laplacian, wide, high) {
  const is = new Uint8Array(laplacian.length);
  const look = (one, other) => {
    const [a, b] = [laplacian[one], laplacian[other]];
    if ((a > 0) === (b > 0) || Math.abs(a - b) < 0.5) return;
    is[Math.abs(a) <= Math.abs(b) ? one : other] = 1;
  };
  for (let row = 0; row < high; row++) {
    for (let column = 0; column < wide; column++) {
      const at = row * wide + column;
      if (column + 1 < wide) look(at, at + 1);
      if (row + 1 < high) look(at, at + wide);
    }
  }
  return is;
}

/// Dijkstra's algorithm from a pixel to all others, with buckets of whole costs.
function cheapest(features, { width: wide, height: high }, startX, startY) {
  const { edges, isCrossing } = features;
  const count = wide * high;
  const found = new Uint8Array(count).fill(noWay);
  const costs = new Float64Array(count).fill(Infinity);
  const isDone = new Uint8Array(count);
  const local = new Float32Array(count);
  for (let at = 0; at < count; at++) {
    local[at] = crossingWeight * (isCrossing[at] ? 0 : 1) + sizeWeight * (1 - edges[at] / 255);
  }
  // A step costs fewer than 2 · costSteps: as many buckets are enough, used in a circle.
  const buckets = Array.from({ length: 2 * costSteps }, () => []);
  const start = startY * wide + startX;
  costs[start] = 0;
  buckets[0].push(start);
  let waiting = 1;
  for (let cost = 0; waiting > 0; cost++) {
    const bucket = buckets[cost % buckets.length];
    // Steps of cost 0 come into the same bucket.
    while (bucket.length > 0) {
      const from = bucket.pop();
      waiting -= 1;
      if (isDone[from] || Math.floor(costs[from]) !== cost) continue;
      isDone[from] = 1;
      const [x, y] = [from % wide, Math.floor(from / wide)];
      for (let way = 0; way < 8; way++) {
        const [dx, dy] = ways[way];
        if (x + dx < 0 || y + dy < 0 || x + dx >= wide || y + dy >= high) continue;
        const to = from + dy * wide + dx;
        if (isDone[to]) continue;
        const step = (local[to] + directionWeight * direction(features, from, to, dx, dy)) * (way % 2 ? 1 : Math.SQRT1_2);
        const sum = costs[from] + step * costSteps;
        if (sum >= costs[to]) continue;
        costs[to] = sum;
        // The way back.
        found[to] = (way + 4) % 8;
        buckets[Math.floor(sum) % buckets.length].push(to);
        waiting += 1;
      }
    }
  }
  return found;
}

/// The cost of the gradients' directions at two neighbors, 0 … 1: small if the step is along both edges.
function direction({ alongX, alongY }, from, to, dx, dy) {
  const length = dx !== 0 && dy !== 0 ? Math.SQRT2 : 1;
  // The edge's direction is the gradient's, turned by 90°.
  let one = (alongY[from] * dx - alongX[from] * dy) / length;
  let sign = 1;
  if (one < 0) [one, sign] = [-one, -1];
  const other = sign * (alongY[to] * dx - alongX[to] * dy) / length;
  const angle = (value) => Math.acos(Math.min(Math.max(value, -1), 1));
  return (angle(one) + angle(other)) * 2 / (3 * Math.PI);
}
