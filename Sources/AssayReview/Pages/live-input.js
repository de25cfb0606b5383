// What the model gets of the camera: the frame, turned as the camera is mounted, and its place in the model's input,
// letterboxed, cropped or stretched.
import { button, make, remembered } from "./dom.js";

const longest = 132;

/// The choice of quarter turns, for a camera that is mounted sideways or upside down.
export class Turning {
  constructor() {
    this.button = button("Turn", "T", () => this.next(), { id: "live-turn" });
    this.words = make("output", { for: "live-turn" });
    this.row = make("p", { class: "live-row" }, this.button, this.words);
    this.set(Number(remembered.get("live-turn") ?? 0) % 4 || 0);
  }

  /// Turns the frames that follow clockwise by another quarter.
  next() {
    this.set((this.quarters + 1) % 4);
    remembered.set("live-turn", String(this.quarters));
  }

  set(quarters) {
    this.quarters = quarters;
    this.words.textContent = `${90 * quarters}°`;
  }
}

export class ModelInputView {
  constructor() {
    this.canvas = make("canvas", { id: "live-input", width: longest, height: longest, role: "img", "aria-label": "The input of the model" });
    this.words = make("p", { class: "muted", id: "live-input-words" });
    this.element = make("section", { hidden: true }, make("h2", {}, "The model gets"), this.canvas, this.words);
  }

  /// Draws a frame as `seen` says: the input's size and fill, and the rectangle `crop` of the frame at `position` in it.
  show(frame, seen) {
    this.element.hidden = !seen;
    if (!seen) return;
    const { input: [width, height], crop, position, fill } = seen;
    const scale = longest / Math.max(width, height);
    const size = { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
    if (this.canvas.width !== size.width || this.canvas.height !== size.height) Object.assign(this.canvas, size);
    const context = this.canvas.getContext("2d");
    context.fillStyle = `rgb(${fill} ${fill} ${fill})`;
    context.fillRect(0, 0, size.width, size.height);
    context.drawImage(frame, ...crop, ...position.map((one) => one * scale));
    const words = inputWords(seen, frame);
    if (this.words.textContent !== words) this.words.textContent = words;
  }
}

/// The input in words: `416 × 416 pixels, bars of 52 above and below`.
export function inputWords({ input: [width, height], crop: [left, top, across, down], position: [x, y, w, h] }, frame) {
  const whole = (value) => Math.round(value);
  const parts = [`${width} × ${height} pixels`];
  const [right, below] = [width - x - w, height - y - h];
  const bars = [[y, "above"], [below, "below"], [x, "at the left"], [right, "at the right"]].filter(([size]) => whole(size) > 0);
  const cut = (size) => whole(size) < 0;
  if (bars.length === 2 && whole(bars[0][0]) === whole(bars[1][0])) parts.push(`bars of ${whole(bars[0][0])} ${bars[0][1]} and ${bars[1][1].replace("at the ", "")}`);
  else for (const [size, side] of bars) parts.push(`a bar of ${whole(size)} ${side}`);
  const ratio = (w / across) / (h / down);
  if (Math.abs(ratio - 1) > 0.02) parts.push(ratio > 1 ? `stretched to ${ratio.toFixed(2)} of the width` : `stretched to ${(1 / ratio).toFixed(2)} of the height`);
  if (left > 0 || across < frame.width || cut(x) || cut(right)) parts.push("the left and right edges cut off");
  if (top > 0 || down < frame.height || cut(y) || cut(below)) parts.push("the upper and lower edges cut off");
  return parts.join(", ");
}
