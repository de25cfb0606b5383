// The image of the sample page: zoom and pan to the pixel, brightness and contrast, and the marks above it.
import { make } from "./dom.js";
import { PictureLayer } from "./layers.js";
import { drawMarks } from "./mark-drawing.js";
import { outlineOf, polygonPath } from "./mask-outline.js";
import { Viewport } from "./viewport.js";

const mostAhead = 3;

/// The image can be shown several times side by side, in panes with different marks and one zoom and position.
///
/// Events: `hover` with `detail.mark` (or null), `zoom`.
export class SamplePicture extends EventTarget {
  constructor() {
    super();
    this.base = make("canvas", { "aria-hidden": "true" });
    this.above = make("canvas", { "aria-hidden": "true" });
    this.titles = make("div", { class: "pane-titles" });
    this.stage = make("div", { class: "picture-stage", role: "img", tabindex: "0", "aria-label": "Image" }, this.base, this.above, this.titles);
    this.layer = new PictureLayer(this.base);
    this.viewport = new Viewport(1, 1);
    this.panes = [{ title: null, shown: [] }];
    this.off = [];
    this.emphasis = null;
    this.turn = 0;
    /// Promises of decoded images by their address.
    this.ahead = new Map();
    this.context = this.above.getContext("2d");
    this.listen();
  }

  listen() {
    const { stage } = this;
    stage.addEventListener("wheel", (event) => {
      event.preventDefault();
      const [x, y] = this.at(event);
      const unit = event.deltaMode === 1 ? 40 : 1;
      this.viewport.zoomTo(this.viewport.scale * 1.0018 ** (-event.deltaY * unit), x, y);
      this.changed();
    }, { passive: false });
    const pointers = new Map();
    let last = null;
    /// The middle of all pressed pointers and the distance of the first two.
    const grip = () => {
      const all = [...pointers.values()];
      const x = all.reduce((sum, one) => sum + one[0], 0) / all.length;
      const y = all.reduce((sum, one) => sum + one[1], 0) / all.length;
      return { x, y, spread: all.length > 1 ? Math.hypot(all[0][0] - all[1][0], all[0][1] - all[1][1]) : 0 };
    };
    stage.addEventListener("pointerdown", (event) => {
      if (event.button > 1) return;
      stage.setPointerCapture(event.pointerId);
      pointers.set(event.pointerId, this.at(event));
      last = grip();
      stage.classList.add("dragging");
    });
    stage.addEventListener("pointermove", (event) => {
      if (!pointers.has(event.pointerId)) return this.point(event);
      pointers.set(event.pointerId, this.at(event));
      const now = grip();
      this.viewport.pan(now.x - last.x, now.y - last.y);
      if (now.spread > 0 && last.spread > 0) this.viewport.zoomTo(this.viewport.scale * now.spread / last.spread, now.x, now.y);
      last = now;
      this.changed();
    });
    const release = (event) => {
      pointers.delete(event.pointerId);
      last = pointers.size ? grip() : null;
      stage.classList.toggle("dragging", pointers.size > 0);
    };
    stage.addEventListener("pointerup", release);
    stage.addEventListener("pointercancel", release);
    stage.addEventListener("pointerleave", () => this.hover(null));
    stage.addEventListener("dblclick", () => this.fit());
    new ResizeObserver(() => this.resize()).observe(stage);
  }

  at(event) {
    const box = this.stage.getBoundingClientRect();
    const x = event.clientX - box.left;
    return [x - this.paneAt(x) * this.paneWidth, event.clientY - box.top];
  }

  get paneWidth() {
    return this.stage.clientWidth / this.panes.length;
  }

  /// Returns the index of the pane at a position of the stage; the first or the last one beyond its sides.
  paneAt(x) {
    return Math.min(Math.max(Math.floor(x / this.paneWidth), 0), this.panes.length - 1);
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.stage;
    if (!width || !height) return;
    this.ratio = window.devicePixelRatio || 1;
    for (const canvas of [this.base, this.above]) {
      canvas.width = Math.round(width * this.ratio);
      canvas.height = Math.round(height * this.ratio);
    }
    this.viewport.resize(this.paneWidth, height);
    this.changed();
  }

  /// Opens an image. Until it is loaded, the thumbnail is shown in its place if the size is known. Throws if the image
  /// cannot be loaded.
  async open({ image, thumbnail, width, height }) {
    const turn = ++this.turn;
    this.bitmap?.close();
    this.bitmap = null;
    this.layer.close();
    this.panes = this.panes.map(({ title }) => ({ title, shown: [] }));
    this.emphasis = null;
    if (width && height) this.size(width, height);
    if (width && height && thumbnail) {
      const small = new Image();
      small.src = thumbnail;
      small.decode().then(() => {
        if (turn !== this.turn || this.bitmap) return;
        this.layer.levels = [small];
        this.schedule();
      }, () => {});
    }
    this.schedule();
    const loading = this.load(image);
    this.ahead.delete(image);
    const bitmap = await loading;
    if (turn !== this.turn) return bitmap.close();
    this.bitmap = bitmap;
    if (!width || !height) this.size(bitmap.width, bitmap.height);
    this.layer.open(bitmap, () => this.schedule());
    this.schedule();
    return undefined;
  }

  /// Returns the decoded image at an address, which may have been loaded ahead.
  load(address) {
    const kept = this.ahead.get(address);
    if (kept) return kept;
    const image = new Image();
    image.src = address;
    return image.decode().then(() => createImageBitmap(image, { colorSpaceConversion: "none" }));
  }

  /// Loads and decodes an image before it is opened.
  fetchAhead(address) {
    if (this.ahead.has(address)) return;
    const loading = this.load(address);
    // A failure is reported when the image is opened.
    loading.catch(() => this.ahead.delete(address));
    this.ahead.set(address, loading);
    while (this.ahead.size > mostAhead) {
      const [oldest, bitmap] = this.ahead.entries().next().value;
      this.ahead.delete(oldest);
      bitmap.then((one) => one.close(), () => {});
    }
  }

  size(width, height) {
    const { stageWidth, stageHeight } = this.viewport;
    this.viewport = new Viewport(width, height);
    this.hasSize = true;
    this.viewport.resize(stageWidth, stageHeight);
    this.dispatchEvent(new Event("zoom"));
  }

  close() {
    this.turn += 1;
    this.layer.close();
    this.bitmap?.close();
    this.bitmap = null;
  }

  // ---- view ----

  fit() {
    this.viewport.fit();
    this.changed();
  }

  zoom(direction) {
    this.viewport.zoomStep(direction);
    this.changed();
  }

  /// One pixel of the image is one of the screen.
  actual() {
    this.viewport.zoomTo(1 / (this.ratio ?? 1));
    this.changed();
  }

  /// Shows a mark's box, with a margin.
  showMark(mark) {
    const box = boxOf(mark);
    if (!box) return;
    this.viewport.show({ x: box[0], y: box[1], width: Math.max(box[2], 1), height: Math.max(box[3], 1) });
    this.changed();
  }

  adjust(brightness, contrast) {
    this.base.style.filter = brightness === 100 && contrast === 100 ? "" : `brightness(${brightness}%) contrast(${contrast}%)`;
  }

  /// Sets the marks of each pane: a list of `{title, shown}`; `title` is null for a single pane.
  setPanes(panes, off) {
    const isOther = panes.length !== this.panes.length;
    this.panes = panes;
    this.off = off;
    if (isOther) {
      this.viewport.isFitted = true;
      this.resize();
    }
    this.titles.replaceChildren(...(panes.length > 1 ? panes.map(({ title }) => make("span", {}, title)) : []));
    this.schedule();
  }

  /// Draws some marks stronger than all others; null ends that.
  emphasize(marks) {
    this.emphasis = marks;
    this.schedule();
  }

  changed() {
    this.dispatchEvent(new Event("zoom"));
    this.schedule();
  }

  schedule() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.draw();
    });
  }

  draw() {
    const { viewport, context, above, panes } = this;
    const ratio = this.ratio ?? 1;
    this.layer.draw(viewport, ratio);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, above.width, above.height);
    const [x, y] = viewport.toView(0, 0);
    panes.forEach(({ shown }, index) => {
      const left = Math.round(index * this.paneWidth * ratio);
      const width = Math.round((index + 1) * this.paneWidth * ratio) - left;
      if (index > 0) this.copyFirst(left, width);
      context.save();
      context.setTransform(ratio, 0, 0, ratio, left, 0);
      context.beginPath();
      context.rect(0, 0, width / ratio, viewport.stageHeight);
      context.clip();
      drawMarks(context, shown, { x, y, scale: viewport.scale, width: viewport.width, height: viewport.height }, {
        off: this.off, line: 2, font: 12, emphasis: this.emphasis,
        clip: { left: 0, top: 0, right: viewport.stageWidth, bottom: viewport.stageHeight },
      });
      context.restore();
    });
  }

  /// Copies the image of the first pane to another one, with a line between them.
  copyFirst(left, width) {
    const { context: base } = this.layer;
    const { height } = this.base;
    base.setTransform(1, 0, 0, 1, 0, 0);
    base.clearRect(left, 0, this.base.width - left, height);
    base.drawImage(this.base, 0, 0, width, height, left, 0, width, height);
    base.fillStyle = "#888";
    base.fillRect(left - 1, 0, 2, height);
  }

  // ---- the mark under the pointer ----

  point(event) {
    const [x, y] = this.viewport.toPicture(...this.at(event));
    let best = null;
    let least = Infinity;
    for (const { mark } of this.panes[this.paneAt(event.clientX - this.stage.getBoundingClientRect().left)].shown) {
      const box = boxOf(mark);
      // The smallest one is meant: it is above the others or inside them.
      const area = box ? box[2] * box[3] : this.viewport.width * this.viewport.height;
      if (area >= least || !this.contains(mark, box, x, y)) continue;
      best = mark;
      least = area;
    }
    this.hover(best);
  }

  contains(mark, box, x, y) {
    if (box && (x < box[0] || y < box[1] || x > box[0] + box[2] || y > box[1] + box[3])) return false;
    const { viewport } = this;
    if (!mark.polygon?.length && !mark.mask) return Boolean(box);
    const path = mark.polygon?.length ? polygonPath(mark.polygon) : outlineOf(mark.mask);
    if (!path) return Boolean(box);
    const [scaleX, scaleY] = mark.polygon?.length ? [1, 1] : [mark.mask.width / viewport.width, mark.mask.height / viewport.height];
    this.context.setTransform(1, 0, 0, 1, 0, 0);
    return this.context.isPointInPath(path, x * scaleX, y * scaleY);
  }

  hover(mark) {
    if (mark === this.hovered) return;
    this.hovered = mark;
    this.dispatchEvent(new CustomEvent("hover", { detail: { mark } }));
  }
}

/// Returns the box of a mark: its own, or that of its keypoints or polygons; else null.
function boxOf(mark) {
  if (mark.box) return mark.box;
  const xs = [];
  const ys = [];
  for (const polygon of mark.polygon ?? []) {
    for (let index = 0; index + 1 < polygon.length; index += 2) {
      xs.push(polygon[index]);
      ys.push(polygon[index + 1]);
    }
  }
  const points = mark.keypoints ?? [];
  for (let index = 0; index + 2 < points.length; index += 3) {
    if (points[index + 2] === 0) continue;
    xs.push(points[index]);
    ys.push(points[index + 1]);
  }
  if (xs.length === 0) return null;
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  return [left, top, Math.max(...xs) - left, Math.max(...ys) - top];
}
