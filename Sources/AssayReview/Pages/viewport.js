// The part of the image that the canvas shows: scale (canvas pixels per image pixel) and the image
// position at the canvas's top-left corner.

export const largestScale = 64;
/// Pixels are drawn as squares from this scale on.
export const squareScale = 2;
/// A grid is drawn between pixels from this scale on.
export const gridScale = 16;

const steps = [
  1 / 32, 1 / 24, 1 / 16, 1 / 12, 1 / 8, 1 / 6, 1 / 4, 1 / 3, 1 / 2, 2 / 3, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48,
  64,
];

export class Viewport {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.stageWidth = 1;
    this.stageHeight = 1;
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    /// True until the person zooms or pans: after a resize of the canvas, the image
    /// is then fitted again.
    this.isFitted = true;
  }

  resize(stageWidth, stageHeight) {
    if (!this.isFitted) {
      // The center stays in place.
      this.x += (this.stageWidth - stageWidth) / 2 / this.scale;
      this.y += (this.stageHeight - stageHeight) / 2 / this.scale;
    }
    this.stageWidth = Math.max(stageWidth, 1);
    this.stageHeight = Math.max(stageHeight, 1);
    if (this.isFitted) this.fit();
    else this.settle();
  }

  get fitScale() {
    const margin = 16;
    const scale = Math.min(
      (this.stageWidth - margin) / this.width, (this.stageHeight - margin) / this.height);
    const fitting = Math.min(Math.max(scale, 1 / 256), largestScale);
    // Small images are shown at integer multiples of their pixels.
    return fitting >= squareScale ? Math.floor(fitting) : fitting;
  }

  fit() {
    this.scale = this.fitScale;
    this.x = (this.width - this.stageWidth / this.scale) / 2;
    this.y = (this.height - this.stageHeight / this.scale) / 2;
    this.isFitted = true;
  }

  /// Changes the scale; the image point at (atX, atY) of the canvas stays there.
  zoomTo(scale, atX = this.stageWidth / 2, atY = this.stageHeight / 2) {
    const wanted = Math.min(Math.max(scale, Math.min(this.fitScale, 1) / 4), largestScale);
    const [x, y] = this.toPicture(atX, atY);
    this.scale = wanted;
    this.x = x - atX / wanted;
    this.y = y - atY / wanted;
    this.isFitted = false;
    this.settle();
  }

  /// Zooms to the next round scale.
  zoomStep(direction, atX, atY) {
    const next = direction > 0
      ? steps.find((step) => step > this.scale * 1.001) ?? largestScale
      : steps.findLast((step) => step < this.scale * 0.999) ?? steps[0];
    this.zoomTo(next, atX, atY);
  }

  /// Moves the image by canvas pixels.
  pan(dx, dy) {
    this.x -= dx / this.scale;
    this.y -= dy / this.scale;
    this.isFitted = false;
    this.settle();
  }

  /// Keeps a part of the image on the canvas, and image pixels aligned to canvas pixels.
  settle() {
    const marginX = Math.min(80, this.stageWidth / 4) / this.scale;
    const marginY = Math.min(80, this.stageHeight / 4) / this.scale;
    this.x = Math.min(Math.max(this.x, marginX - this.stageWidth / this.scale), this.width - marginX);
    this.y = Math.min(Math.max(this.y, marginY - this.stageHeight / this.scale), this.height - marginY);
  }

  toPicture(x, y) {
    return [this.x + x / this.scale, this.y + y / this.scale];
  }

  toView(x, y) {
    return [(x - this.x) * this.scale, (y - this.y) * this.scale];
  }

  /// Scrolls an image position onto the canvas, at least `margin` canvas pixels from its edge.
  reveal(x, y, margin = 40) {
    const [viewX, viewY] = this.toView(x, y);
    const dx = Math.max(margin - viewX, 0) + Math.min(this.stageWidth - margin - viewX, 0);
    const dy = Math.max(margin - viewY, 0) + Math.min(this.stageHeight - margin - viewY, 0);
    if (dx === 0 && dy === 0) return false;
    this.pan(dx, dy);
    return true;
  }

  /// Shows a box of the image, with a margin.
  show(box) {
    const room = 1.6;
    const scale = Math.min(
      this.stageWidth / (box.width * room), this.stageHeight / (box.height * room), 16);
    this.scale = Math.max(scale, Math.min(this.fitScale, 1));
    this.x = box.x + box.width / 2 - this.stageWidth / 2 / this.scale;
    this.y = box.y + box.height / 2 - this.stageHeight / 2 / this.scale;
    this.isFitted = false;
    this.settle();
  }
}
