// The rows of thumbnails in sight. A row is one element that moves as a whole, with an image for each sample and one
// canvas for everything drawn on them; rows that leave the sight are used again for those that enter it.
import { drawMarks, shownMarks } from "./mark-drawing.js";
import { make } from "./dom.js";
import { scoreText, sourcesOf } from "./mark-style.js";

export const captionHeight = 20;

class Row {
  constructor(host) {
    this.canvas = make("canvas", { "aria-hidden": "true" });
    this.element = make("div", { class: "row", role: "none" }, this.canvas);
    this.context = this.canvas.getContext("2d");
    this.tiles = [];
    this.number = -1;
    host.append(this.element);
  }
}

/// `layout` is {columns, size, tall, gap, left, width, height}: see grid.js. A tile is `size` wide and `tall` high, with its
/// caption below.
export class TileRows {
  constructor(host, { itemAt, marksOf }) {
    this.host = host;
    this.itemAt = itemAt;
    this.marksOf = marksOf;
    this.rows = [];
    this.current = -1;
    this.total = 0;
    /// The addresses of thumbnails that are loaded but not yet in sight.
    this.here = new Set();
    /// Sizes of images whose item has none, by id.
    this.measured = new Map();
    /// The images that could not be loaded, by id.
    this.broken = new Set();
    /// Colors of captions, by the names of the style sheet's variables.
    this.inks = {
      text: "#000", muted: "#555", true: "#005f96", wrong: "#a84300", accent: "#4a3a90", surface: "#fff", inverse: "#fff",
    };
    /// Returns whether an item is selected.
    this.isSelected = () => false;
    /// Draws the checkbox of a tile.
    this.paintBox = () => {};
  }

  /// Adopts the colors of the page for the captions.
  readColors() {
    const style = getComputedStyle(document.body);
    for (const name of Object.keys(this.inks)) this.inks[name] = style.getPropertyValue(`--${name}`).trim() || this.inks[name];
  }

  get wantedRatio() {
    return Math.min(window.devicePixelRatio || 1, 2);
  }

  /// Adopts a layout with the same tiles for another height of the grid; false if they have to be drawn again.
  adopt(layout) {
    this.layout = layout;
    return this.ratio === this.wantedRatio;
  }

  setLayout(layout) {
    this.readColors();
    this.layout = layout;
    this.ratio = this.wantedRatio;
    for (const row of this.rows) this.shape(row);
  }

  shape(row) {
    const { columns, width, tall } = this.layout;
    row.number = -1;
    row.element.style.height = `${tall + captionHeight}px`;
    row.canvas.width = Math.round(width * this.ratio);
    row.canvas.height = Math.round((tall + captionHeight) * this.ratio);
    row.canvas.style.width = `${width}px`;
    row.canvas.style.height = `${tall + captionHeight}px`;
    while (row.tiles.length > columns) row.tiles.pop().remove();
    while (row.tiles.length < columns) {
      const image = make("img", { class: "tile", role: "option", decoding: "async", draggable: "false", alt: "" });
      image.addEventListener("load", () => this.loaded(image, row));
      image.addEventListener("error", () => this.failed(image, row));
      row.tiles.push(image);
      row.element.insertBefore(image, row.canvas);
    }
  }

  /// Shows the rows from `first` to `last`, of which row `first` is at `offset` pixels. `isFast`: images of rows that
  /// pass by are not loaded.
  show(first, last, offset, isFast) {
    const free = [];
    const there = new Map();
    for (const row of this.rows) {
      if (row.number >= first && row.number <= last) there.set(row.number, row);
      else free.push(row);
    }
    for (let number = first; number <= last; number++) {
      let row = there.get(number);
      if (!row) {
        row = free.pop();
        if (!row) {
          row = new Row(this.host);
          this.rows.push(row);
          this.shape(row);
        }
        row.number = number;
        row.isWaiting = true;
        there.set(number, row);
        this.fillRow(row, isFast);
      } else if (row.isWaiting && !isFast) {
        this.fillRow(row, false);
      }
      row.element.style.transform = `translateY(${Math.round((offset + (number - first) * this.layout.height) * this.ratio) / this.ratio}px)`;
      row.element.hidden = false;
    }
    for (const row of free) {
      row.number = -1;
      row.element.hidden = true;
      // Another row shows these positions by now: an id belongs to one element.
      for (const tile of row.tiles) tile.id = "";
    }
    // Rows that a smaller window does not need any more.
    while (this.rows.length > (last - first + 1) + 3) {
      const at = this.rows.findIndex((row) => row.number < 0);
      if (at < 0) break;
      this.rows.splice(at, 1)[0].element.remove();
    }
  }

  /// Shows new items or marks in the rows in sight.
  refresh(ids = null) {
    for (const row of this.rows) {
      if (row.number < 0) continue;
      if (ids && !row.tiles.some((tile) => ids.has(tile.item?.id))) continue;
      if (ids) this.paint(row);
      else this.fillRow(row, false);
    }
  }

  fillRow(row, isFast) {
    const { columns } = this.layout;
    row.isWaiting = isFast;
    row.tiles.forEach((tile, column) => {
      const position = row.number * columns + column;
      const isEmpty = position >= this.total;
      const item = isEmpty ? undefined : this.itemAt(position);
      tile.hidden = isEmpty;
      tile.position = position;
      tile.id = isEmpty ? "" : `tile-${position}`;
      if (!isEmpty && !item) row.isWaiting = true;
      if (tile.item?.id !== item?.id || (item && tile.hasPassed && !isFast)) this.fillTile(tile, item, isFast);
      // The same image can have another value, that of another order.
      else if (item) tile.item = item;
      this.place(tile, column);
      if (isEmpty) return;
      tile.setAttribute("aria-posinset", position + 1);
      tile.setAttribute("aria-setsize", this.total);
      this.markCurrent(tile);
    });
    this.paint(row);
  }

  fillTile(tile, item, isFast) {
    const isPassing = isFast && !(item && this.here.has(item.thumbnail));
    tile.item = item;
    tile.hasPassed = isPassing;
    tile.classList.remove("loaded");
    if (!item || isPassing) {
      tile.removeAttribute("src");
      if (!item) tile.alt = "loading";
    } else {
      tile.src = item.thumbnail;
      if (tile.complete && tile.naturalWidth) tile.classList.add("loaded");
    }
    if (item) tile.alt = item.key;
  }

  loaded(image, row) {
    const { item } = image;
    if (!item) return;
    image.classList.add("loaded");
    this.broken.delete(item.id);
    if (item.width && item.height) return;
    this.measured.set(item.id, [image.naturalWidth, image.naturalHeight]);
    this.place(image, image.position % this.layout.columns);
    this.paint(row);
  }

  failed(image, row) {
    if (!image.item) return;
    this.broken.add(image.item.id);
    this.paint(row);
  }

  /// Returns the part of a tile that its image fills: {x, y, width, height, scale}. Small images are shown at whole
  /// multiples of their pixels.
  fit(item) {
    const { size, tall } = this.layout;
    const known = item && (item.width && item.height ? [item.width, item.height] : this.measured.get(item.id));
    if (!known) return { x: 0, y: 0, width: size, height: tall, scale: 1, isKnown: false };
    let scale = Math.min(size / known[0], tall / known[1]);
    if (scale >= 2) scale = Math.floor(scale);
    const [width, height] = [Math.max(known[0] * scale, 1), Math.max(known[1] * scale, 1)];
    return { x: Math.round((size - width) / 2), y: Math.round((tall - height) / 2), width, height, scale, isKnown: true, own: known };
  }

  place(tile, column) {
    const { size, gap, left } = this.layout;
    const fit = this.fit(tile.item);
    const x = left + column * (size + gap);
    tile.style.transform = `translate(${x + fit.x}px, ${fit.y}px)`;
    tile.style.width = `${fit.width}px`;
    tile.style.height = `${fit.height}px`;
    tile.classList.toggle("pixels", fit.scale >= 2);
    tile.classList.toggle("unsized", !fit.isKnown);
  }

  markCurrent(tile) {
    const isCurrent = tile.position === this.current;
    tile.classList.toggle("current", isCurrent);
    tile.setAttribute("aria-selected", String(this.isSelected(tile.item)));
  }

  setCurrent(position) {
    const before = this.current;
    this.current = position;
    this.repaint(new Set([before, position]));
  }

  /// Shows what is selected: in all rows in sight, or in those of some positions.
  repaint(positions = null) {
    for (const row of this.rows) {
      if (row.number < 0 || (positions && !row.tiles.some((tile) => positions.has(tile.position)))) continue;
      for (const tile of row.tiles) this.markCurrent(tile);
      this.paint(row);
    }
  }

  setLook(look, classes, skeletons) {
    this.look = look;
    this.classes = classes;
    this.skeletons = skeletons;
    this.sources = sourcesOf(look.runs);
  }

  paint(row) {
    const { context, canvas } = row;
    const { size, gap, left } = this.layout;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    row.tiles.forEach((tile, column) => {
      if (!tile.item || tile.hidden) return;
      const x = left + column * (size + gap);
      context.setTransform(this.ratio, 0, 0, this.ratio, x * this.ratio, 0);
      const fit = this.fit(tile.item);
      const marks = this.marksOf(tile.item.id);
      if (marks && fit.isKnown) this.paintMarks(context, marks, fit);
      this.paintSign(context, tile.item, fit);
      this.paintCaption(context, tile, marks);
      this.paintBox(context, tile);
    });
  }

  paintMarks(context, marks, fit) {
    const { size } = this.layout;
    context.save();
    context.beginPath();
    context.rect(fit.x - 1, fit.y - 1, fit.width + 2, fit.height + 2);
    context.clip();
    const shown = shownMarks(marks, this.sources, this.look, this.classes, this.skeletons);
    const place = { x: fit.x, y: fit.y, scale: fit.scale, width: fit.own[0], height: fit.own[1] };
    // Names need room: on small thumbnails they would cover the image.
    const font = size >= 300 ? 12 : size >= 130 ? 10 : 0;
    drawMarks(context, shown, place, { off: this.look.off, line: size >= 200 ? 2 : 1.5, font, isSparse: true });
    context.restore();
  }

  /// A corner at the top right of a corrected sample; one that people left out is pale.
  paintSign(context, item, fit) {
    if (item.left_out !== null && item.left_out !== undefined) {
      context.globalAlpha = 0.7;
      context.fillStyle = this.inks.surface;
      context.fillRect(fit.x, fit.y, fit.width, fit.height);
      context.globalAlpha = 1;
    }
    if (!item.corrected) return;
    const side = this.layout.size >= 130 ? 14 : 10;
    const [right, top] = [fit.x + fit.width, fit.y];
    context.beginPath();
    context.moveTo(right - side, top);
    context.lineTo(right, top);
    context.lineTo(right, top + side);
    context.closePath();
    context.fillStyle = this.inks.true;
    context.fill();
    // The edge keeps it visible on images of its color.
    context.beginPath();
    context.moveTo(right - side, top);
    context.lineTo(right, top + side);
    context.lineWidth = 1.5;
    context.strokeStyle = this.inks.surface;
    context.stroke();
  }

  /// Below the image: what it is labeled and predicted, or its name; at the right the value that it is sorted by.
  paintCaption(context, tile, marks) {
    const { size, tall } = this.layout;
    const { item } = tile;
    const middle = tall + captionHeight / 2 + 1;
    context.font = "12px system-ui, sans-serif";
    context.textBaseline = "middle";
    let room = size;
    if (this.broken.has(item.id)) {
      context.fillStyle = this.inks.muted;
      context.textAlign = "center";
      context.fillText("no thumbnail", size / 2, tall / 2);
      context.textAlign = "left";
    }
    if (item.value !== null && item.value !== undefined) {
      const text = typeof item.value === "string" ? shortened(context, item.value, size / 2) : valueText(item.value);
      const wide = context.measureText(text).width;
      context.fillStyle = this.inks.text;
      context.fillText(text, size - wide, middle);
      room -= wide + 8;
    }
    const parts = (!this.look.off.includes("labels") && marks && labelParts(marks, this.sources, this.look)) || [];
    if (parts.length === 0) parts.push({ text: item.key.split("/").at(-1), ink: "muted" });
    if (item.left_out !== null && item.left_out !== undefined) parts.unshift({ text: "left out", ink: "wrong" });
    tile.alt = `${item.key}: ${parts.map((part) => part.text).join(" ")}${item.corrected ? ", corrected" : ""}`;
    // If not everything fits, the scores are left out first.
    const widthOf = (some) => some.reduce((sum, part) => sum + context.measureText(part.text).width + 4, -4);
    const fitting = widthOf(parts) <= room ? parts : parts.map((part) => ({ ...part, text: part.short ?? part.text }));
    let x = 0;
    for (const { text, ink } of fitting) {
      context.fillStyle = this.inks[ink];
      const short = shortened(context, text, room - x);
      if (!short) break;
      context.fillText(short, x, middle);
      x += context.measureText(short).width + 4;
      if (short !== text) break;
    }
  }
}

/// Returns a text that fits a width, with an ellipsis if it is cut.
function shortened(context, text, room) {
  if (context.measureText(text).width <= room) return text;
  let length = text.length;
  while (length > 1 && context.measureText(`${text.slice(0, length)}…`).width > room) length -= 1;
  return length > 1 ? `${text.slice(0, length)}…` : "";
}

function valueText(value) {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 1000 ? value.toFixed(1) : value.toPrecision(3);
}

/// Returns the labels of the whole image as parts of a caption: "✓ happy 0.93" or "happy → ✗ sad 0.71".
function labelParts(marks, sources, look) {
  const labelOf = (own) => own && (own.label ?? (own.labels?.length ? own.labels.join(", ") : null));
  const shown = sources.filter((source) => !look.hidden.includes(source.name));
  const truth = shown.some((source) => source.isTruth) ? labelOf(marks.truth) : null;
  const runs = shown.filter((source) => !source.isTruth).map((source) => marks.runs?.[source.run]).filter(labelOf);
  const parts = [];
  const isOnlyCorrect = runs.length === 1 && runs[0].correct === true && labelOf(runs[0]) === truth;
  if (truth && !isOnlyCorrect) parts.push({ text: truth, ink: "true" });
  for (const own of runs) {
    const sign = own.correct === true ? "✓ " : own.correct === false ? "✗ " : "";
    const short = `${truth && !isOnlyCorrect ? "→ " : ""}${sign}${labelOf(own)}`;
    parts.push({ text: `${short} ${scoreText(own.score)}`.trim(), short, ink: own.correct === true ? "true" : "wrong" });
  }
  return parts;
}
