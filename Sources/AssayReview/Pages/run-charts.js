// Charts of the Runs page as SVG, and the confusion matrix as a canvas. Nothing here knows what is drawn.
import { fill, grouped, make } from "./dom.js";

const space = "http://www.w3.org/2000/svg";

/// Creates an SVG element, as `make` creates one of HTML.
export function draw(name, attributes = {}, ...children) {
  const element = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/// Returns a score with three decimals; "–" if it is undefined.
export const score = (value) => (typeof value === "number" ? value.toFixed(3) : "–");

/// Returns a p value: "= 0.031", or "< 0.001".
export const pValue = (value) => (typeof value === "number" && value < 0.001 ? "< 0.001" : `= ${score(value)}`);

/// Returns a difference with its sign.
export const signed = (value) => (typeof value === "number" ? `${value > 0 ? "+" : value < 0 ? "−" : ""}${Math.abs(value).toFixed(3)}` : "–");

/// Returns " [0.569, 0.601]" in gray, or null.
export function interval(pair, format = score) {
  return Array.isArray(pair) ? make("span", { class: "interval" }, ` [${format(pair[0])}, ${format(pair[1])}]`) : null;
}

const box = { width: 460, height: 280, left: 52, right: 12, top: 10, bottom: 40 };
const across = (value, [low, high]) => box.left + ((value - low) / (high - low)) * (box.width - box.left - box.right);
const up = (value, [low, high]) => box.height - box.bottom - ((value - low) / (high - low)) * (box.height - box.top - box.bottom);

function frame(xs, ys, xTitle, yTitle) {
  const ticks = ([low, high]) => Array.from({ length: 6 }, (_, index) => low + ((high - low) * index) / 5);
  const text = (value, [low, high]) => (Number.isInteger(value) ? grouped(value) : value.toFixed(high - low < 0.5 ? 2 : high - low < 10 ? 1 : 0));
  return [
    ...ticks(ys).flatMap((y) => [
      draw("line", { class: "rule", x1: box.left, x2: box.width - box.right, y1: up(y, ys), y2: up(y, ys) }),
      draw("text", { class: "tick", x: box.left - 6, y: up(y, ys) + 4, "text-anchor": "end" }, text(y, ys)),
    ]),
    ...ticks(xs).map((x) => draw("text", { class: "tick", x: across(x, xs), y: box.height - box.bottom + 16, "text-anchor": "middle" }, text(x, xs))),
    draw("text", { class: "axis", x: (box.left + box.width - box.right) / 2, y: box.height - 6, "text-anchor": "middle" }, xTitle),
    draw("text", { class: "axis", transform: `translate(13 ${(box.height - box.bottom) / 2}) rotate(-90)`, "text-anchor": "middle" }, yTitle),
  ];
}

function chart(label, kind, ...children) {
  return draw("svg", { class: `chart ${kind}`, viewBox: `0 0 ${box.width} ${box.height}`, role: "img", "aria-label": label }, ...children);
}

/// Lines over axes 0…1. `series`: `{name, kind, points: [[x, y]]}`; `mark`: a point, or null.
export function lineChart({ label, xTitle, yTitle, series, mark = null, ys = [0, 1] }) {
  const xs = [0, 1];
  return chart(label, "lines", ...frame(xs, ys, xTitle, yTitle),
    ...series.filter((one) => one.points.length > 0).map((one) => draw("polyline", {
      class: one.kind, points: one.points.map(([x, y]) => `${across(x, xs).toFixed(1)},${up(y, ys).toFixed(1)}`).join(" "),
    }, draw("title", {}, one.name))),
    mark ? draw("circle", { class: "mark", cx: across(mark[0], xs), cy: up(Math.min(Math.max(mark[1], ys[0]), ys[1]), ys), r: 5 }) : null);
}

/// Bars over 0…1, or over whole numbers. `bars`: `{low, high, value, title, pick}`; `diagonal` draws the line of
/// perfect calibration. A bar with `pick` is a button.
export function barChart({ label, xTitle, yTitle, bars, top, diagonal = false }) {
  const xs = [bars[0].low, bars.at(-1).high];
  const ys = [0, top];
  return chart(label, "bars", ...frame(xs, ys, xTitle, yTitle),
    ...bars.map(({ low, high, value, title, pick, kind }) => {
      const [left, right] = [across(low, xs) + 1, across(high, xs) - 1];
      const open = pick ? () => pick() : null;
      return draw("g", {
        class: pick ? "bar pickable" : "bar", role: pick ? "button" : null, tabindex: pick ? 0 : null, "aria-label": pick ? title : null,
        onclick: open ?? (() => {}),
        onkeydown: (event) => {
          if (!open || (event.key !== "Enter" && event.key !== " ")) return;
          event.preventDefault();
          open();
        },
      }, draw("title", {}, title),
      draw("rect", { class: "reach", x: left, width: Math.max(right - left, 1), y: box.top, height: box.height - box.top - box.bottom }),
      draw("rect", { class: kind ?? "share", x: left, width: Math.max(right - left, 1), y: up(value ?? 0, ys), height: Math.max(up(0, ys) - up(value ?? 0, ys), 0) }));
    }),
    diagonal ? draw("line", { class: "diagonal", x1: across(0, xs), y1: up(0, ys), x2: across(1, xs), y2: up(1, ys) }) : null);
}

/// Bars with names, one per line: `{name, value, text, pick}`.
export function namedBars(rows) {
  const most = Math.max(...rows.map((row) => row.value), 1e-9);
  return make("ul", { class: "named-bars" }, ...rows.map((row) => {
    const meter = draw("svg", { viewBox: "0 0 100 10", preserveAspectRatio: "none", "aria-hidden": "true" },
      draw("rect", { class: "share", x: 0, y: 0, width: (100 * row.value) / most, height: 10 }));
    const name = row.pick ? make("button", { type: "button", class: "plain", onclick: row.pick }, row.name) : make("span", {}, row.name);
    return make("li", { title: row.title ?? null }, name, meter, make("span", { class: "number" }, row.text));
  }));
}

const font = "11px system-ui, sans-serif";
/// The side of a cell from which names of rows and columns do not overlap.
const namedSide = 12;
/// The maximum number of columns with names that do not fit into the width: the matrix then scrolls.
const namedLimit = 400;
const short = (name) => (name.length > 28 ? `${name.slice(0, 27)}…` : name);

/// A grid of counts as a canvas. Rows are shown relative to their sums, in one hue. `count(row, column)`;
/// `pick(row, column)` on click or Enter at the cell that the arrow keys choose.
export class Matrix {
  constructor({ rows, columns, count, sums, pick, label, rowTitle = "ground truth", columnTitle = "predicted", hasShares = true }) {
    Object.assign(this, { rows, columns, count, sums, pick, rowTitle, columnTitle, hasShares });
    this.at = [0, 0];
    this.canvas = make("canvas", {
      class: "matrix", tabindex: "0", role: "application", "aria-label": `${label}: arrow keys choose a cell, Enter opens its samples`,
      onpointermove: (event) => this.hover(this.cellAt(event)),
      onpointerleave: () => this.hover(null),
      onclick: (event) => {
        const cell = this.cellAt(event);
        if (cell && this.count(...cell) > 0) this.pick(...cell);
      },
      onkeydown: (event) => this.key(event),
    });
    this.said = make("p", { class: "matrix-said", "aria-live": "polite" }, "\u00a0");
    this.place = make("div", { class: "matrix-place" }, this.canvas);
    this.element = make("div", { class: "matrix-box" }, this.said, this.place);
    new ResizeObserver(() => this.paint()).observe(this.place);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
  }

  paint() {
    const width = this.place.clientWidth;
    if (width === 0) return;
    const [rows, columns] = [this.rows.length, this.columns.length];
    // Names are drawn as long as they are; matrices of many classes scroll rather than lose them.
    const context = this.canvas.getContext("2d");
    context.font = font;
    const longest = Math.max(...[...this.rows, ...this.columns].map((name) => context.measureText(short(name)).width), 24);
    const margin = Math.ceil(longest) + 10;
    const room = (width - margin - 4) / columns;
    this.hasNames = room >= namedSide || columns <= namedLimit;
    this.margin = this.hasNames ? margin : 4;
    const side = this.hasNames ? Math.min(Math.max(room, namedSide), 46) : Math.max(Math.min((width - 8) / columns, 46), 1);
    this.side = side;
    const scale = window.devicePixelRatio || 1;
    const [w, h] = [this.margin + columns * side + 4, (this.hasNames ? this.margin : 4) + rows * side + 4];
    this.canvas.width = Math.round(w * scale);
    this.canvas.height = Math.round(h * scale);
    this.canvas.style.width = `${w}px`;
    this.canvas.style.height = `${h}px`;
    context.scale(scale, scale);
    const style = getComputedStyle(this.canvas);
    const [ink, full, paper] = ["--text", "--matrix", "--surface"].map((name) => style.getPropertyValue(name).trim());
    const top = this.hasNames ? this.margin : 4;
    context.font = font;
    context.textBaseline = "middle";
    for (let row = 0; row < rows; row += 1) {
      for (let column = 0; column < columns; column += 1) {
        const count = this.count(row, column);
        if (count === 0) continue;
        const share = count / Math.max(this.sums[row], 1);
        context.globalAlpha = 0.06 + 0.94 * Math.sqrt(share);
        context.fillStyle = full;
        context.fillRect(this.margin + column * side, top + row * side, Math.max(side - 1, 1), Math.max(side - 1, 1));
        context.globalAlpha = 1;
        if (side >= 26) {
          context.fillStyle = share > 0.3 ? paper : ink;
          context.textAlign = "center";
          context.fillText(count >= 10_000 ? `${Math.round(count / 1000)}k` : String(count), this.margin + (column + 0.5) * side, top + (row + 0.5) * side, side - 3);
        }
      }
    }
    if (!this.hasNames) return;
    context.fillStyle = ink;
    context.textAlign = "right";
    this.rows.forEach((name, row) => context.fillText(short(name), this.margin - 5, top + (row + 0.5) * side));
    context.textAlign = "left";
    this.columns.forEach((name, column) => {
      context.save();
      context.translate(this.margin + (column + 0.5) * side, top - 5);
      context.rotate(-Math.PI / 2);
      context.fillText(short(name), 0, 0);
      context.restore();
    });
  }

  cellAt(event) {
    const place = this.canvas.getBoundingClientRect();
    const top = this.hasNames ? this.margin : 4;
    const column = Math.floor((event.clientX - place.left - this.margin) / this.side);
    const row = Math.floor((event.clientY - place.top - top) / this.side);
    return row >= 0 && row < this.rows.length && column >= 0 && column < this.columns.length ? [row, column] : null;
  }

  hover(cell) {
    if (!cell) {
      this.said.textContent = "\u00a0";
      return;
    }
    const [row, column] = cell;
    const count = this.count(row, column);
    const share = this.hasShares && this.sums[row] > 0 ? ` (${((100 * count) / this.sums[row]).toFixed(1)} % of ${this.rows[row]})` : "";
    fill(this.said, `${this.rowTitle} ${this.rows[row]}, ${this.columnTitle} ${this.columns[column]}: ${grouped(count)}${share}`);
  }

  key(event) {
    const move = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (event.key === "Enter" && this.count(...this.at) > 0) {
      event.preventDefault();
      this.pick(...this.at);
    }
    if (!move) return;
    event.preventDefault();
    this.at = [
      Math.min(Math.max(this.at[0] + move[0], 0), this.rows.length - 1),
      Math.min(Math.max(this.at[1] + move[1], 0), this.columns.length - 1),
    ];
    this.hover(this.at);
  }
}

/// A table whose columns sort. `columns`: `{title, help, value(row), cell(row)}`; numbers are aligned right.
export class SortedTable {
  constructor({ label, columns, rows, by = 0, descending = false }) {
    Object.assign(this, { columns, rows, by, descending });
    this.head = make("tr", {});
    this.body = make("tbody", {});
    this.element = make("div", { class: "table-box", tabindex: "0", role: "region", "aria-label": label },
      make("table", { class: "numbers" }, make("thead", {}, this.head), this.body));
    this.show();
  }

  show() {
    fill(this.head, ...this.columns.map((column, index) => make("th", {
      scope: "col", "aria-sort": index === this.by ? (this.descending ? "descending" : "ascending") : null,
    }, make("button", {
      type: "button", class: "plain", title: column.help ?? null, onclick: () => {
        this.descending = index === this.by ? !this.descending : false;
        this.by = index;
        this.show();
        this.head.querySelectorAll("button")[index].focus();
      },
    }, column.title, index === this.by ? (this.descending ? " ↓" : " ↑") : ""))));
    const { value } = this.columns[this.by];
    const sign = this.descending ? -1 : 1;
    const sorted = [...this.rows].sort((one, other) => {
      const [a, b] = [value(one), value(other)];
      // Undefined numbers are last in both directions.
      if (a === null || a === undefined) return b === null || b === undefined ? 0 : 1;
      if (b === null || b === undefined) return -1;
      return sign * (typeof a === "string" ? a.localeCompare(b) : a - b);
    });
    fill(this.body, ...sorted.map((row) => make("tr", {}, ...this.columns.map((column, index) =>
      make(index === 0 ? "th" : "td", index === 0 ? { scope: "row" } : {}, ...[column.cell(row)].flat())))));
  }
}
