// The page's side of mask-worker.js: short work is done directly, long work is sent to the worker.
import { shapes } from "./shapes.js";

/// The number of runs of a mask from which a shape action can take more than about 10 ms.
const longShape = 6000;

export class WorkerClient {
  constructor() {
    this.worker = null;
    this.number = 0;
    this.waiting = new Map();
  }

  send(name, message, transfer = []) {
    if (!this.worker) {
      this.worker = new Worker(new URL("./mask-worker.js", import.meta.url), { type: "module" });
      this.worker.onmessage = ({ data }) => {
        const { resolve, reject } = this.waiting.get(data.number);
        this.waiting.delete(data.number);
        if (data.error === undefined) resolve(data.result);
        else reject(new Error(data.error));
      };
      this.worker.onerror = () => {
        const waiting = [...this.waiting.values()];
        this.waiting.clear();
        this.worker = null;
        for (const { reject } of waiting) reject(new Error("the page's worker could not start"));
      };
    }
    const number = ++this.number;
    return new Promise((resolve, reject) => {
      this.waiting.set(number, { resolve, reject });
      this.worker.postMessage({ number, name, ...message }, transfer);
    });
  }

  /// Opens an image: work in progress for the previous image is no longer needed.
  open(image, width, height) {
    this.image = image;
    this.size = { resizeWidth: width, resizeHeight: height };
    this.sending = null;
    if (this.worker) this.send("close", {}).catch(() => {});
  }

  close() {
    this.image = null;
    this.worker?.terminate();
    this.worker = null;
    for (const { reject } of this.waiting.values()) reject(new Error("closed"));
    this.waiting.clear();
  }

  /// Returns the mask after a shape action: directly, or as a promise.
  shape(shape, mask, steps) {
    if (mask.spans.length < longShape) return shapes[shape](mask, steps);
    return this.send("shape", { shape, mask, steps });
  }

  async flood(x, y, tolerance) {
    this.sending ??= this.sendPicture(this.image);
    await this.sending;
    return this.send("flood", { x, y, tolerance });
  }

  /// Returns the ways along edges around a pixel (live-wire.js).
  async wire(x, y, radius, snap) {
    this.sending ??= this.sendPicture(this.image);
    await this.sending;
    return this.send("wire", { x, y, radius, snap });
  }

  async sendPicture(image) {
    const { resizeWidth, resizeHeight } = this.size;
    // An image whose size has changed is resized to that of its masks.
    const isOther = image.width !== resizeWidth || image.height !== resizeHeight;
    const bitmap = await createImageBitmap(image, isOther ? this.size : {});
    if (this.image !== image) throw new Error("closed");
    await this.send("picture", { bitmap }, [bitmap]);
  }

  map(category, bytes, width, height) {
    return this.send("map", { category, bytes, width, height }, [bytes.buffer]);
  }

  threshold(category, threshold) {
    return this.send("threshold", { category, threshold });
  }
}
