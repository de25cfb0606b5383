// Maps a scrollbar to a list that is higher than an element can be. Browsers limit the height of elements to 16 to 33
// million CSS pixels; a million rows are higher. Beyond the limit the scrollbar is scaled: dragging it moves by the
// scale, and the wheel, touch and keys still move by single pixels.

const highest = 8_000_000;

export class ScrollMap {
  constructor() {
    /// The height of all rows, of the part in sight, and the first pixel in sight.
    this.content = 0;
    this.viewport = 1;
    this.position = 0;
    this.lastTop = 0;
  }

  resize(content, viewport) {
    this.content = Math.max(content, 0);
    this.viewport = Math.max(viewport, 1);
    this.moveTo(this.position);
  }

  /// The height of the element that makes the scrollbar.
  get spacer() {
    return Math.min(this.content, highest);
  }

  get isScaled() {
    return this.content > highest;
  }

  get end() {
    return Math.max(this.content - this.viewport, 0);
  }

  moveTo(position) {
    this.position = Math.min(Math.max(position, 0), this.end);
  }

  moveBy(distance) {
    this.moveTo(this.position + distance);
  }

  /// The scrollbar's position that shows the current one.
  get top() {
    const room = this.spacer - this.viewport;
    if (!this.isScaled || room <= 0) return this.position;
    return this.position / this.end * room;
  }

  /// Takes over a scrollbar's position that the person or the browser has changed. A small distance is meant exactly, a
  /// large one is a dragged scrollbar.
  scrolled(top) {
    const distance = top - this.lastTop;
    this.lastTop = top;
    if (!this.isScaled) this.moveTo(top);
    else if (Math.abs(distance) < 1.5 * this.viewport) this.moveBy(distance);
    else this.moveTo(top / (this.spacer - this.viewport) * this.end);
  }
}
