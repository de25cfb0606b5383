// Selecting tiles with the pointer and the keys, and their checkboxes, which are drawn with the marks of a row.

const side = 20;
const inset = 6;

export class TilePicker {
  constructor(grid, selection) {
    this.grid = grid;
    this.selection = selection;
    this.hover = -1;
    this.hasFocus = false;
    /// Touch has no hover: the boxes are always there.
    this.isTouch = matchMedia("(hover: none)").matches;
    const { rows } = grid;
    rows.isSelected = (item) => selection.has(item);
    rows.paintBox = (context, tile) => this.paint(context, tile);
    selection.addEventListener("change", () => rows.repaint());
    this.listen();
  }

  listen() {
    const { list } = this.grid;
    list.addEventListener("pointermove", (event) => {
      if (event.pointerType !== "mouse") return;
      this.pointer = event;
      this.point(this.grid.positionAt(event) ?? -1);
    });
    list.addEventListener("pointerleave", () => {
      this.pointer = null;
      this.point(-1);
    });
    // Other tiles come under the pointer.
    this.grid.addEventListener("scroll", () => this.pointer && this.point(this.grid.positionAt(this.pointer) ?? -1));
    for (const name of ["focus", "blur"]) {
      list.addEventListener(name, () => {
        this.hasFocus = name === "focus";
        this.grid.rows.repaint(new Set([this.grid.current]));
      });
    }
    // A range of tiles is no range of text.
    list.addEventListener("mousedown", (event) => event.shiftKey && this.grid.positionAt(event) !== null && this.prevented(event));
  }

  prevented(event) {
    event.preventDefault();
    this.grid.focus();
  }

  point(position) {
    if (position === this.hover) return;
    const before = this.hover;
    this.hover = position;
    this.grid.rows.repaint(new Set([before, position]));
  }

  /// Returns whether a click was one on a checkbox, or one that extends the selection.
  clicked(event, position) {
    const { grid, selection } = this;
    const isBox = this.isOnBox(event, position);
    if (!isBox && !event.shiftKey && !event.ctrlKey && !event.metaKey) return false;
    const { current } = grid;
    grid.setCurrent(position, false);
    if (event.shiftKey) selection.extend(position, current);
    else selection.toggle(position);
    return true;
  }

  isOnBox(event, position) {
    const { columns, size, gap, left, height } = this.grid.layout;
    const place = this.grid.stage.getBoundingClientRect();
    const x = event.clientX - place.left - left - position % columns * (size + gap);
    const y = event.clientY - place.top + this.grid.map.position - gap - Math.floor(position / columns) * height;
    // A finger needs more room than a mouse.
    const reach = Math.min(event.pointerType === "touch" || this.isTouch ? 44 : 34, size * 0.5);
    return x <= reach && y <= reach;
  }

  /// Returns whether a key selects something.
  pressed(event) {
    const { grid, selection } = this;
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "a") selection.selectAll();
    else if (event.ctrlKey || event.metaKey || event.altKey) return false;
    else if (event.key === " " || event.key.toLowerCase() === "x") {
      if (event.shiftKey) selection.extend(grid.current, grid.current);
      else selection.toggle(grid.current);
    } else if (event.key === "Escape" && selection.size) selection.clear();
    else return false;
    event.preventDefault();
    return true;
  }

  isShown(tile) {
    return this.isTouch || this.selection.size > 0 || tile.position === this.hover
      || (this.hasFocus && tile.position === this.grid.current);
  }

  /// Draws the checkbox of a tile, whose origin is at its top left corner.
  paint(context, tile) {
    if (!this.isShown(tile)) return;
    const { size, tall } = this.grid.layout;
    const { inks } = this.grid.rows;
    const isOn = this.selection.has(tile.item);
    context.save();
    if (isOn) {
      context.strokeStyle = inks.accent;
      context.lineWidth = 4;
      context.strokeRect(2, 2, size - 4, tall - 4);
    }
    context.beginPath();
    context.roundRect(inset, inset, side, side, 4);
    context.fillStyle = isOn ? inks.accent : inks.surface;
    context.globalAlpha = isOn ? 1 : 0.9;
    context.fill();
    context.globalAlpha = 1;
    context.lineWidth = 1.5;
    context.strokeStyle = isOn ? inks.inverse : inks.muted;
    context.stroke();
    if (isOn) {
      context.beginPath();
      context.moveTo(inset + 4.5, inset + 10.5);
      context.lineTo(inset + 8.5, inset + 14.5);
      context.lineTo(inset + 15.5, inset + 6);
      context.lineWidth = 2.5;
      context.stroke();
    }
    context.restore();
  }
}
