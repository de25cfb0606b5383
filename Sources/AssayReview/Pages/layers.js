// Draws the image and, above it, the masks. Masks are sampled once per screen pixel, never
// drawn at the image's size: an outline has the same width at every zoom, and a stroke redraws
// only its own rectangle.
import { squareScale } from "./viewport.js";

/// The image, and smaller copies of it for zooming out.
export class PictureLayer {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { alpha: true });
    this.levels = [];
  }

  /// Opens an image; `onSharper` is called when a smaller copy is ready.
  open(image, onSharper) {
    this.close();
    this.levels = [image];
    const opened = this.levels;
    const shrink = async () => {
      let width = image.width;
      let height = image.height;
      while (width > 1024 || height > 1024) {
        width = Math.max(Math.round(width / 2), 1);
        height = Math.max(Math.round(height / 2), 1);
        const last = opened[opened.length - 1];
        const smaller = await createImageBitmap(
          last, { resizeWidth: width, resizeHeight: height, resizeQuality: "medium" });
        if (this.levels !== opened) return smaller.close();
        opened.push(smaller);
      }
      onSharper();
    };
    shrink().catch(() => {});
  }

  close() {
    for (const level of this.levels.slice(1)) level.close();
    this.levels = [];
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  draw(viewport, ratio) {
    const { context, canvas } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    if (this.levels.length === 0) return;
    const scale = viewport.scale * ratio;
    // The smallest copy that is at least as large as the shown image.
    let level = this.levels[0];
    for (const other of this.levels) {
      if (other.width >= viewport.width * scale) level = other;
    }
    const left = Math.max(Math.floor(viewport.x), 0);
    const top = Math.max(Math.floor(viewport.y), 0);
    const right = Math.min(Math.ceil(viewport.x + viewport.stageWidth / viewport.scale), viewport.width);
    const bottom = Math.min(Math.ceil(viewport.y + viewport.stageHeight / viewport.scale), viewport.height);
    if (left >= right || top >= bottom) return;
    const fx = level.width / viewport.width;
    const fy = level.height / viewport.height;
    context.imageSmoothingEnabled = viewport.scale < squareScale;
    context.imageSmoothingQuality = "low";
    context.drawImage(
      level, left * fx, top * fy, (right - left) * fx, (bottom - top) * fy,
      (left - viewport.x) * scale, (top - viewport.y) * scale, (right - left) * scale, (bottom - top) * scale);
  }
}

/// The masks. An overlay is {width, height, active: bits or null, ids: Uint16Array or null (0:
/// none), model: bytes or null, modelLimit, colors: {activeFill, activeLine, activeHalo, modelFill,
/// modelLine, fills[id], lines[id]}} with colors as little-endian RGBA words.
export class MaskLayer {
  constructor(canvas) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d", { willReadFrequently: true });
    this.codes = new Uint16Array(0);
  }

  clear() {
    this.context.clearRect(0, 0, this.canvas.width, this.canvas.height);
  }

  /// Draws the whole screen, or the part that shows a box {left, top, right, bottom} of the image.
  draw(viewport, ratio, overlay, box = null) {
    const scale = viewport.scale * ratio;
    // Outlines are two CSS pixels wide.
    const line = Math.max(Math.round(ratio), 1);
    const reach = 2 * line;
    let left = 0;
    let top = 0;
    let right = this.canvas.width;
    let bottom = this.canvas.height;
    if (box) {
      left = Math.max(Math.floor((box.left - viewport.x) * scale) - reach - 1, 0);
      top = Math.max(Math.floor((box.top - viewport.y) * scale) - reach - 1, 0);
      right = Math.min(Math.ceil((box.right - viewport.x) * scale) + reach + 1, right);
      bottom = Math.min(Math.ceil((box.bottom - viewport.y) * scale) + reach + 1, bottom);
    }
    const width = right - left;
    const height = bottom - top;
    if (width <= 0 || height <= 0) return;
    const stride = height + 2 * reach;
    this.gather(viewport, scale, overlay, left - reach, top - reach, width + 2 * reach, stride);
    const image = this.context.createImageData(width, height);
    this.color(new Uint32Array(image.data.buffer), width, height, stride, line, overlay.colors);
    this.context.putImageData(image, left, top);
  }

  /// Computes a code for each screen pixel, column by column: bit 0 is the active mask, bit 1 the
  /// model's mask, bits 2 and up the number of another object.
  gather(viewport, scale, overlay, left, top, width, height) {
    if (this.codes.length < width * height) this.codes = new Uint16Array(width * height);
    const { codes } = this;
    const { active, ids, model, modelLimit } = overlay;
    const rows = new Int32Array(height);
    for (let y = 0; y < height; y++) {
      const row = Math.floor(viewport.y + (top + y + 0.5) / scale);
      rows[y] = row >= 0 && row < overlay.height ? row : -1;
    }
    let first = 0;
    while (first < height && rows[first] < 0) first += 1;
    let last = height;
    while (last > first && rows[last - 1] < 0) last -= 1;
    let shown = -2;
    for (let x = 0; x < width; x++) {
      const column = Math.floor(viewport.x + (left + x + 0.5) / scale);
      const start = x * height;
      if (column < 0 || column >= overlay.width) {
        codes.fill(0, start, start + height);
        shown = -2;
        continue;
      }
      if (column === shown) {
        codes.copyWithin(start, start - height, start);
        continue;
      }
      shown = column;
      const base = column * overlay.height;
      codes.fill(0, start, start + first);
      codes.fill(0, start + last, start + height);
      if (active) {
        for (let y = first; y < last; y++) codes[start + y] = active[base + rows[y]];
      } else {
        codes.fill(0, start + first, start + last);
      }
      if (ids) {
        for (let y = first; y < last; y++) codes[start + y] |= ids[base + rows[y]] << 2;
      }
      if (model) {
        for (let y = first; y < last; y++) {
          if (model[base + rows[y]] >= modelLimit) codes[start + y] |= 2;
        }
      }
    }
  }

  color(out, width, height, stride, line, colors) {
    const { codes } = this;
    const reach = 2 * line;
    const { activeFill, activeLine, activeHalo, modelFill, modelLine, fills, lines } = colors;
    const near = line * stride;
    const far = reach * stride;
    for (let x = 0; x < width; x++) {
      let at = (x + reach) * stride + reach;
      let place = x;
      for (let y = 0; y < height; y++, at++, place += width) {
        const code = codes[at];
        const a = codes[at - line];
        const b = codes[at + line];
        const c = codes[at - near];
        const d = codes[at + near];
        const e = codes[at - reach];
        const f = codes[at + reach];
        const g = codes[at - far];
        const h = codes[at + far];
        const any = a | b | c | d | e | f | g | h;
        if ((code | any) === 0) continue;
        const all = a & b & c & d & e & f & g & h;
        let color;
        if (code & 1 & ~all) {
          color = activeLine;
        } else if (any & 2 & ~code) {
          color = modelLine;
        } else if ((a | b | c | d) & 1 & ~code) {
          color = activeHalo;
        } else {
          const id = code >> 2;
          if (id > 0 && ((a >> 2) !== id || (b >> 2) !== id || (c >> 2) !== id || (d >> 2) !== id)) {
            color = lines[id];
          } else if (code & 1) {
            color = activeFill;
          } else if (id > 0) {
            color = fills[id];
          } else {
            color = code & 2 ? modelFill : 0;
          }
        }
        out[place] = color;
      }
    }
  }
}

/// Returns a color as MaskLayer needs it; alpha from 0 to 1.
export function colorWord(hex, alpha) {
  const value = parseInt(hex.slice(1), 16);
  const opacity = Math.round(255 * alpha);
  return ((opacity << 24) | ((value & 0xff) << 16) | (value & 0xff00) | (value >> 16)) >>> 0;
}
