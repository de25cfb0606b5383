// Long work on masks and pixels, outside the page's thread. Messages are {number, name, ...};
// answers are {number, result} or {number, error}.
import { floodMask, mapLimit, thresholdMask, transposed } from "./flood.js";
import { wireField } from "./live-wire.js";
import { shapes } from "./shapes.js";
import { maskFromBits } from "./run-lengths.js";

let picture = null;
const maps = new Map();

function pixelsOf(bitmap) {
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  context.drawImage(bitmap, 0, 0);
  const { width, height } = bitmap;
  bitmap.close();
  return { rgba: context.getImageData(0, 0, width, height).data, width, height };
}

const operations = {
  picture({ bitmap }) {
    picture = pixelsOf(bitmap);
  },
  close() {
    picture = null;
    maps.clear();
  },
  shape({ shape, mask, steps }) {
    return shapes[shape](mask, steps);
  },
  flood({ x, y, tolerance }) {
    if (!picture) return null;
    const { rgba, width, height } = picture;
    return maskFromBits(floodMask(rgba, width, height, x, y, tolerance), width, height);
  },
  wire({ x, y, radius, snap }) {
    if (!picture) throw new Error("closed");
    return wireField(picture, x, y, radius, snap);
  },
  map({ category, bytes, width, height }) {
    const turned = transposed(bytes, width, height);
    maps.set(category, { turned, width, height });
    return turned;
  },
  threshold({ category, threshold }) {
    const { turned, width, height } = maps.get(category);
    return thresholdMask(turned, width, height, mapLimit(threshold));
  },
};

self.onmessage = ({ data }) => {
  try {
    self.postMessage({ number: data.number, result: operations[data.name](data) });
  } catch (error) {
    self.postMessage({ number: data.number, error: String(error?.message ?? error) });
  }
};
