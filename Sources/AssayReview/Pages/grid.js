// The grid of thumbnails: its layout, scrolling and keys. Only the rows in sight are elements. They are moved here and
// not by the browser, so that images and marks move in the same frame and no gap appears however fast it scrolls.
import { make } from "./dom.js";
import { ScrollMap } from "./scroll-map.js";
import { captionHeight, TileRows } from "./tile-rows.js";

const gap = 6;
/// The limit of elements in the grid.
const mostNodes = 250;
/// A wheel's notch in lines or pages is converted to pixels.
const lineHeight = 40;
/// From this speed on, in screens per second, only images that are here already are shown.
const fastest = 6;
/// Up to this speed, images are loaded before they are in sight.
const fastestAhead = 3;
/// Wheels with notches move in steps that are smoothed; touchpads send small distances, which are not.
const notch = 50;
const smoothing = 0.3;

/// Events: `open` and `current` with `detail.position`, `scroll` after the rows in sight have changed, `layout` after the
/// size of tiles has changed.
export class Grid extends EventTarget {
  constructor(host, { pages, marks }) {
    super();
    this.host = host;
    this.pages = pages;
    this.marks = marks;
    this.map = new ScrollMap();
    this.size = 160;
    this.current = 0;
    this.stage = make("div", { class: "stage", role: "none" });
    this.spacer = make("div", { class: "spacer", role: "none" });
    this.list = make("div", {
      class: "tiles", role: "listbox", tabindex: "0", "aria-label": "Samples", "aria-orientation": "horizontal",
      "aria-multiselectable": "true",
    }, this.stage, this.spacer);
    host.append(this.list);
    this.rows = new TileRows(this.stage, {
      itemAt: (position) => pages.item(position), marksOf: (id) => marks.get(id),
    });
    this.ahead = new Map();
    this.target = null;
    this.listen();
  }

  listen() {
    const { list, pages, marks } = this;
    list.addEventListener("scroll", () => {
      if (Math.abs(list.scrollTop - this.map.lastTop) < 0.5) return;
      this.target = null;
      this.map.scrolled(list.scrollTop);
      this.draw();
      this.settle();
    }, { passive: true });
    list.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    list.addEventListener("keydown", (event) => this.key(event));
    list.addEventListener("click", (event) => {
      const position = this.positionAt(event);
      if (position === null || this.picker?.clicked(event, position)) return;
      this.setCurrent(position);
      this.dispatchEvent(new CustomEvent("open", { detail: { position } }));
    });
    pages.addEventListener("page", () => {
      this.rows.refresh();
      this.draw();
    });
    marks.addEventListener("marks", ({ detail }) => this.rows.refresh(new Set(detail.ids)));
    new ResizeObserver(() => this.resize()).observe(list);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.rows.readColors();
      this.rows.refresh();
    });
  }

  // ---- layout ----

  setSize(size) {
    if (size === this.size) return;
    this.size = size;
    this.resize();
  }

  /// Computes the layout for the room; the sample at the top left, or the current one if it is in sight, stays.
  resize() {
    const width = this.list.clientWidth;
    const height = this.list.clientHeight;
    if (width === 0 || height === 0) return;
    const before = this.layout;
    const kept = this.anchor();
    const { position } = this.map;
    const aspect = this.aspect();
    let { size } = this;
    let columns = 1;
    // Below a certain size there would be too many elements: the size has a limit that depends on the window.
    for (;; size += 8) {
      columns = Math.max(Math.floor((width - gap) / (size + gap)), 1);
      const rows = Math.ceil(height / (size * aspect + captionHeight + gap)) + 3;
      if (rows * (columns + 2) <= mostNodes || columns === 1) break;
    }
    const own = Math.floor((width - gap * (columns + 1)) / columns);
    const left = Math.floor((width - columns * own - (columns - 1) * gap) / 2);
    const tall = Math.round(own * aspect);
    this.layout = { columns, size: own, tall, aspect, gap, left, width, height: tall + captionHeight + gap, room: height };
    // Above or below the grid something came or went: nothing moves, and no image is loaded again.
    const isSame = before && ["columns", "size", "tall", "left", "width"].every((name) => before[name] === this.layout[name]);
    if (!isSame || !this.rows.adopt(this.layout)) this.rows.setLayout(this.layout);
    this.shape();
    if (isSame) this.map.moveTo(position);
    else if (before && kept !== null) this.map.moveTo(Math.floor(kept.position / columns) * this.layout.height + kept.offset);
    else this.reveal(this.current, "start");
    this.syncBar();
    // The size of marks depends on the layout: it is known before they are requested.
    this.dispatchEvent(new Event("layout"));
    this.draw();
  }

  /// Returns the height of tiles as a share of their width: that of the images that are here, within limits.
  aspect() {
    const shares = [];
    for (const items of this.pages.pages.values()) {
      for (const { width, height } of items) if (width && height) shares.push(height / width);
      if (shares.length >= 100) break;
    }
    if (shares.length === 0) return 1;
    shares.sort((a, b) => a - b);
    return Math.min(Math.max(shares[Math.floor(shares.length / 2)], 0.5), 1.2);
  }

  /// Returns what has to stay in place after a change of the layout: a position and its distance from the top.
  anchor() {
    if (!this.layout || !this.pages.total) return null;
    const { columns, height } = this.layout;
    const top = Math.floor(this.current / columns) * height - this.map.position;
    if (top >= 0 && top + height <= this.map.viewport) return { position: this.current, offset: -Math.min(top, height) };
    return { position: Math.floor(this.map.position / height) * columns, offset: 0 };
  }

  /// The position to return to: the current sample if it is in sight, or the first one in sight.
  get place() {
    return this.anchor()?.position ?? 0;
  }

  shape() {
    const { columns, height, room } = this.layout;
    this.rows.total = this.pages.total;
    this.map.resize(Math.ceil(this.pages.total / columns) * height + gap, room);
    this.stage.style.height = `${room}px`;
    this.spacer.style.height = `${Math.max(this.map.spacer - room, 0)}px`;
  }

  /// Shows the samples of a new query from a position.
  open(position = 0) {
    this.current = Math.min(Math.max(position, 0), Math.max(this.pages.total - 1, 0));
    this.target = null;
    this.ahead.clear();
    this.rows.here.clear();
    if (!this.layout) return;
    if (this.aspect() !== this.layout.aspect) {
      this.layout = null;
      this.resize();
    }
    if (!this.layout) return;
    this.shape();
    this.map.moveTo(0);
    this.reveal(this.current, "start");
    this.rows.setCurrent(this.current);
    this.rows.refresh();
    this.syncBar();
    this.draw();
    this.announce();
  }

  setLook(look, classes, skeletons) {
    this.rows.setLook(look, classes, skeletons);
    if (!this.layout) return;
    this.rows.refresh();
    this.draw();
  }

  // ---- scrolling ----

  wheel(event) {
    if (event.ctrlKey || event.shiftKey || !this.layout) return;
    event.preventDefault();
    const unit = event.deltaMode === 1 ? lineHeight : event.deltaMode === 2 ? this.map.viewport : 1;
    const distance = event.deltaY * unit;
    const from = this.target ?? this.map.position;
    const to = Math.min(Math.max(from + distance, 0), this.map.end);
    if (Math.abs(distance) < notch && this.target === null) {
      this.map.moveTo(to);
      this.schedule();
    } else {
      this.target = to;
      this.schedule();
    }
  }

  /// Draws in the next frame, however many events arrive before it.
  schedule() {
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (this.target !== null) {
        const rest = this.target - this.map.position;
        const isSmooth = !matchMedia("(prefers-reduced-motion: reduce)").matches;
        if (Math.abs(rest) < 1 || !isSmooth) {
          this.map.moveTo(this.target);
          this.target = null;
        } else {
          this.map.moveBy(rest * smoothing);
          this.schedule();
        }
      }
      this.syncBar();
      this.draw();
    });
  }

  syncBar() {
    const { list, map } = this;
    list.scrollTop = map.top;
    map.lastTop = list.scrollTop;
  }

  /// After touch or a dragged scrollbar: the scrollbar takes the place that belongs to the position.
  settle() {
    clearTimeout(this.settling);
    this.settling = setTimeout(() => {
      if (this.map.isScaled) this.syncBar();
      this.draw();
    }, 160);
  }

  draw() {
    if (!this.layout) return;
    const { height, columns } = this.layout;
    const { map, pages } = this;
    const now = performance.now();
    const moved = map.position - (this.lastPosition ?? map.position);
    const elapsed = Math.max(now - (this.lastDraw ?? 0), 8);
    // After a pause the speed before it no longer counts.
    const kept = elapsed < 100 ? 0.6 : 0;
    this.speed = kept * (this.speed ?? 0) + (1 - kept) * Math.abs(moved) / elapsed;
    // A dragged scrollbar passes samples that nobody can see; requests for their images would only delay the next ones.
    const isFast = this.speed * 1000 > fastest * map.viewport;
    if (moved !== 0) this.isForward = moved > 0;
    this.lastPosition = map.position;
    this.lastDraw = now;
    const rows = Math.ceil(pages.total / columns);
    const first = Math.max(Math.floor(map.position / height) - 1, 0);
    const last = Math.min(Math.floor((map.position + map.viewport) / height) + 1, rows - 1);
    if (isFast) this.settle();
    this.rows.show(first, last, first * height - map.position + gap, isFast);
    if (pages.total && !isFast) this.need(first * columns, Math.min((last + 1) * columns, pages.total) - 1);
    if (first === this.shownFirst && last === this.shownLast) return;
    [this.shownFirst, this.shownLast] = [first, last];
    this.dispatchEvent(new Event("scroll"));
  }

  /// Requests what the rows in sight need, and then what comes next in the direction of scrolling.
  need(first, last) {
    const { pages, marks, rows } = this;
    pages.want(first, last, this.isForward !== false);
    const key = `${first} ${last} ${pages.pages.size} ${marks.marks.size} ${marks.generation}`;
    if (key === this.needed) return;
    this.needed = key;
    const ids = [];
    for (let position = first; position <= last; position++) {
      const item = pages.item(position);
      if (item) ids.push(item.id);
    }
    const count = last - first + 1;
    const next = this.isForward === false ? [Math.max(first - count, 0), first - 1] : [last + 1, Math.min(last + count, pages.total - 1)];
    const later = [];
    for (let position = next[0]; position <= next[1]; position++) {
      const item = pages.item(position);
      if (item) later.push(item);
    }
    if (rows.look && rows.sources.some((source) => !rows.look.hidden.includes(source.name))) {
      marks.want([...ids, ...later.map((item) => item.id)]);
    }
    this.later = later;
    this.fetchingAhead ??= setTimeout(() => {
      this.fetchingAhead = null;
      this.fetchAhead(this.later);
    }, 60);
  }

  /// Loads thumbnails before they are in sight; those that will not be in sight soon are canceled. The newest ones are
  /// kept.
  fetchAhead(items) {
    const wanted = new Set(items.map((item) => item.id));
    const forget = (id, image) => {
      this.ahead.delete(id);
      this.rows.here.delete(image.getAttribute("src"));
      image.onload = null;
      if (!image.complete) image.src = "";
    };
    for (const [id, image] of this.ahead) {
      if (!image.complete && !wanted.has(id)) forget(id, image);
    }
    if (this.speed * 1000 > fastestAhead * this.map.viewport) return;
    for (const item of items) {
      if (this.ahead.has(item.id)) continue;
      const image = new Image();
      image.decoding = "async";
      image.fetchPriority = "low";
      image.onload = () => this.rows.here.add(item.thumbnail);
      image.src = item.thumbnail;
      this.ahead.set(item.id, image);
    }
    for (const [id, image] of this.ahead) {
      if (this.ahead.size <= 400) break;
      forget(id, image);
    }
  }

  // ---- the current sample ----

  positionAt(event) {
    if (!this.layout) return null;
    const box = this.stage.getBoundingClientRect();
    const { columns, size, left, height } = this.layout;
    const x = event.clientX - box.left - left;
    const y = event.clientY - box.top + this.map.position - gap;
    const column = Math.floor(x / (size + gap));
    const row = Math.floor(y / height);
    if (x < 0 || column >= columns || row < 0 || x - column * (size + gap) > size) return null;
    const position = row * columns + column;
    return position < this.pages.total ? position : null;
  }

  setCurrent(position, isRevealed = true) {
    if (!this.pages.total) return;
    this.current = Math.min(Math.max(position, 0), this.pages.total - 1);
    if (isRevealed) this.reveal(this.current);
    this.rows.setCurrent(this.current);
    this.announce();
    this.dispatchEvent(new CustomEvent("current", { detail: { position: this.current } }));
  }

  announce() {
    if (this.pages.total) this.list.setAttribute("aria-activedescendant", `tile-${this.current}`);
    else this.list.removeAttribute("aria-activedescendant");
  }

  /// Scrolls a position into sight.
  reveal(position, at = "nearest") {
    if (!this.layout) return;
    const { columns, height } = this.layout;
    const top = Math.floor(position / columns) * height;
    const isAbove = top < this.map.position;
    const isBelow = top + height + gap > this.map.position + this.map.viewport;
    if (!isAbove && !isBelow) return;
    this.target = null;
    this.map.moveTo(at === "start" || isAbove ? top : top + height + gap - this.map.viewport);
    this.syncBar();
    this.draw();
  }

  key(event) {
    if (!this.layout || this.picker?.pressed(event) || event.altKey || event.ctrlKey || event.metaKey) return;
    const { columns, height } = this.layout;
    const { total } = this.pages;
    const page = Math.max(Math.floor(this.map.viewport / height), 1) * columns;
    const steps = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns, PageUp: -page, PageDown: page };
    const { current } = this;
    let to = null;
    if (event.key in steps) {
      to = current + steps[event.key];
      // Up and down stay in the column; in the last row the last sample is the nearest.
      if (Math.abs(steps[event.key]) > 1 && (to < 0 || to >= total)) {
        const column = current % columns;
        if (to < 0) to = column;
        else to = Math.min(Math.floor((total - 1) / columns) * columns + column, total - 1);
      }
    } else if (event.key === "Home") to = 0;
    else if (event.key === "End") to = total - 1;
    else if (event.key === "Enter") {
      event.preventDefault();
      if (total) this.dispatchEvent(new CustomEvent("open", { detail: { position: current } }));
      return;
    } else return;
    event.preventDefault();
    this.setCurrent(to);
    if (event.shiftKey) this.picker?.selection.extend(this.current, current);
  }

  focus() {
    this.list.focus({ preventScroll: true });
  }
}
