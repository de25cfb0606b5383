// The queue at the bottom: thumbnails in the order of the review. Only
// visible thumbnails are built.
import { fetchQueue, postNext } from "./api.js";
import { clock, fill, grouped, make } from "./dom.js";
import { labelWords } from "./labels.js";
import { othersWords } from "./people.js";

const pageSize = 60;
const itemWidth = 112;

export const statusWords = {
  open: "open", started: "started", done: "done", unsure: "unsure", skipped: "skipped",
  left_out: "excluded",
};
const statusMarks = { open: "", started: "…", done: "✓", unsure: "?", skipped: "»", left_out: "∅" };

/// Returns whether a sample still has to be reviewed.
const isLeft = (status) => status === "open" || status === "started";

/// Returns the line under a thumbnail, which has room for a few words: the label and what the model
/// predicts instead, or else the reason for the sample's position.
function lineOf({ label, predicted, reason }) {
  if (!predicted || !label) return [reason ?? ""];
  const truth = make("span", { class: "truth" }, label);
  return predicted === label ? [truth] : [truth, " → ", make("span", { class: "said" }, predicted)];
}

export class Queue {
  /// `counted` shows the counts; `onopen(position)` is called when a thumbnail is pressed.
  constructor(root, counted, onopen, author) {
    this.author = author;
    this.onopen = onopen;
    this.items = new Map();
    this.wanted = new Map();
    this.counts = {};
    /// The parts of the people to whom samples are assigned.
    this.parts = [];
    this.total = 0;
    this.current = -1;
    this.held = 0;
    /// The position of the thumbnail to focus once it is built, or null.
    this.focused = null;
    this.counted = counted;
    this.track = make("div", { class: "track" });
    this.strip = make("div", { class: "strip", role: "list", "aria-label": "Samples" }, this.track);
    this.strip.addEventListener("scroll", () => this.draw(), { passive: true });
    this.strip.addEventListener("keydown", (event) => this.walk(event));
    new ResizeObserver(() => this.draw()).observe(this.strip);
    fill(root, this.strip);
  }

  /// Returns the item at a position, fetched if necessary; null past the end.
  async item(position) {
    if (position < 0 || (this.total && position >= this.total)) return null;
    if (!this.items.has(position)) await this.fetch(Math.floor(position / pageSize));
    return this.items.get(position) ?? null;
  }

  /// Fetches a page once, however many callers request it.
  fetch(page) {
    if (!this.wanted.has(page)) {
      const fetched = fetchQueue(page * pageSize, pageSize).then((answer) => {
        this.total = answer.total;
        this.counts = answer.counts;
        this.parts = answer.parts ?? [];
        answer.items.forEach((item, index) => this.items.set(page * pageSize + index, item));
      });
      const forget = () => this.wanted.delete(page);
      fetched.then(forget, forget);
      this.wanted.set(page, fetched);
    }
    return this.wanted.get(page);
  }

  /// Returns whether nothing is left to do for the sample at a position, as far as it is known.
  isDone(position) {
    const item = this.items.get(position);
    return item !== undefined && !isLeft(item.status);
  }

  /// Fetches the counts and the page of the current sample again.
  async refresh() {
    await this.fetch(Math.floor(Math.max(0, this.current) / pageSize));
    this.draw();
  }

  /// Forgets the samples, which were assigned anew, and fetches those that are shown.
  async reassigned() {
    this.items.clear();
    this.wanted.clear();
    await this.fetch(Math.floor(Math.max(0, this.current) / pageSize));
    this.redraw();
  }

  /// Applies a changed status: immediately in the strip, and in the counts.
  mark(sample, changes) {
    for (const item of this.items.values()) {
      if (item.sample !== sample) continue;
      const before = isLeft(item.status) ? "left" : item.status;
      const conflicts = Number((changes.conflicts ?? item.conflicts) > 0) - Number(item.conflicts > 0);
      this.counts.conflicts = (this.counts.conflicts ?? 0) + conflicts;
      Object.assign(item, changes);
      const after = isLeft(item.status) ? "left" : item.status;
      if (before !== after) {
        this.counts[before] = Math.max(0, (this.counts[before] ?? 0) - 1);
        this.counts[after] = (this.counts[after] ?? 0) + 1;
      }
    }
    this.draw();
  }

  /// Shows which samples other people have open: `[{sample, author, since}]`.
  opened(open) {
    const holders = new Map(open.map((one) => [one.sample, one]));
    for (const item of this.items.values()) {
      const holder = holders.get(item.sample);
      item.held_by = holder?.author ?? null;
      item.held_since = holder?.since ?? null;
    }
    this.draw();
  }

  /// Applies the server's answer to an entry to the strip.
  answered(item, { status: told, state }) {
    const status = told ?? state?.status;
    const changes = status ? { status } : {};
    if (item.body.kind === "label") changes.label = item.body.category;
    if (state) Object.assign(changes, { label: state.labels ? labelWords(state.labels) : state.label, conflicts: state.conflicts?.length ?? 0 });
    this.mark(item.sample, changes);
  }

  /// Returns the next position after `from`, wrapping around at the end, with something left
  /// to do that nobody else has open; null if there is none. `held` is then the number of
  /// samples that others have open. A sample for which `isDecided(sample)` is true is done,
  /// even before the server's answer.
  async nextLeft(from, isDecided = () => false) {
    const seen = new Set([from]);
    for (let after = from; ;) {
      const { position, held } = await postNext(after);
      this.held = held;
      if (position === null || seen.has(position)) return null;
      const item = await this.item(position);
      if (item && isLeft(item.status) && !isDecided(item.sample)) return position;
      seen.add(position);
      after = position;
    }
  }

  /// Returns the position of a sample given as "12", "1,200", "#12" or by its key; null if
  /// it is not found.
  async find(text) {
    const number = /^#?(\d+|\d{1,3}(?:,\d{3})+)$/.exec(text.trim())?.[1].replaceAll(",", "");
    const pages = Math.ceil(this.total / pageSize);
    const key = text.trim();
    for (let page = 0; key && page < pages; page++) {
      if (!this.items.has(page * pageSize)) await this.fetch(page);
      for (let at = page * pageSize; at < Math.min(this.total, (page + 1) * pageSize); at++) {
        if (this.items.get(at)?.key === key) return at;
      }
    }
    if (number && Number(number) >= 1 && Number(number) <= this.total) return Number(number) - 1;
    return null;
  }

  /// Makes a position the current one and scrolls it into view.
  choose(position) {
    this.current = position;
    const left = position * itemWidth;
    // A strip that is not long enough yet cannot be scrolled that far.
    this.track.style.width = `${this.total * itemWidth}px`;
    const { scrollLeft, clientWidth } = this.strip;
    if (left < scrollLeft + itemWidth || left > scrollLeft + clientWidth - 2 * itemWidth) {
      this.strip.scrollLeft = Math.max(0, left - clientWidth / 2 + itemWidth / 2);
    }
    this.draw();
  }

  /// Moves the focus between thumbnails; Enter opens the focused one.
  walk(event) {
    const now = Number(event.target.dataset.position);
    const to = { ArrowLeft: now - 1, ArrowRight: now + 1, Home: 0, End: this.total - 1 }[event.key];
    if (to === undefined || Number.isNaN(now) || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    this.focused = Math.min(Math.max(to, 0), this.total - 1);
    const left = this.focused * itemWidth;
    const { scrollLeft, clientWidth } = this.strip;
    if (left < scrollLeft) this.strip.scrollLeft = left;
    if (left + itemWidth > scrollLeft + clientWidth) this.strip.scrollLeft = left + itemWidth - clientWidth;
    this.draw();
  }

  /// Focuses the thumbnail that `walk` has reached, as soon as it is built.
  focusWalked() {
    if (this.focused === null) return;
    const entry = this.track.querySelector(`button[data-position="${this.focused}"]`);
    if (!entry) return;
    this.focused = null;
    entry.focus({ preventScroll: true });
  }

  /// Fetches new thumbnail addresses after they expire: they are valid for one to two days.
  renew(position, item) {
    const [, expires] = /signature=(\d+)/.exec(item.thumbnail) ?? [];
    if (!(Number(expires) * 1000 < Date.now())) return;
    this.fetch(Math.floor(position / pageSize)).then(() => this.redraw(), () => {});
  }

  /// Rebuilds all visible thumbnails, including images that failed to load.
  redraw() {
    this.track.replaceChildren();
    this.draw();
  }

  draw() {
    this.track.style.width = `${this.total * itemWidth}px`;
    const { left = 0, done = 0, skipped = 0, unsure = 0, left_out: out = 0, conflicts = 0 } = this.counts;
    const text = [[left, "left"], [done, "done"], [skipped, "skipped"], [unsure, "unsure"], [out, "excluded"],
      [conflicts, "in conflict"]].filter(([number], index) => number || index < 2)
      .map(([number, word]) => `${grouped(number)} ${word}`).concat(othersWords(this.parts, this.author) || []).join(" · ");
    if (this.counted.textContent !== text) this.counted.textContent = text;
    const first = Math.max(0, Math.floor(this.strip.scrollLeft / itemWidth) - 2);
    const last = Math.min(this.total, first + Math.ceil(this.strip.clientWidth / itemWidth) + 5);
    const shown = new Map([...this.track.children].map((child) => [Number(child.dataset.position), child]));
    for (const [position, child] of shown) if (position < first || position >= last) child.remove();
    // One thumbnail can be reached by Tab; arrow keys reach the others.
    const reached = this.current >= first && this.current < last ? this.current : Math.min(first + 2, last - 1);
    for (let position = first; position < last; position++) {
      const item = this.items.get(position);
      if (!item) {
        this.item(position).then(() => this.items.has(position) && this.draw(), () => {});
        continue;
      }
      const mark = [item.status, item.held_by, item.held_since, item.label, item.conflicts, position === this.current, position === reached, item.sample].join("|");
      const old = shown.get(position);
      if (old?.dataset.mark === mark) continue;
      const built = this.entry(position, item, mark, position === reached);
      if (old?.contains(document.activeElement)) this.focused ??= position;
      if (old) old.replaceWith(built);
      else this.track.append(built);
    }
    this.focusWalked();
  }

  entry(position, item, mark, isReached) {
    const status = statusWords[item.status] ?? item.status;
    const holder = item.held_by && `open by ${item.held_by} since ${clock(item.held_since)}`;
    const says = [`${grouped(position + 1)}: ${item.key}`, status, holder, item.shared && "independent",
      item.people?.length && !item.shared && `assigned to ${item.people.join(", ")}`, item.label, item.reason].filter(Boolean).join(", ");
    const isSmall = item.width <= 128 && item.height <= 128;
    const entry = make("button", {
      type: "button", class: isSmall ? "entry small" : "entry", title: says, "aria-label": says, tabindex: isReached ? "0" : "-1",
      "aria-current": position === this.current ? "true" : null,
      "data-position": position, "data-status": item.status, "data-held": item.held_by, "data-shared": item.shared ? "" : null, "data-mark": mark, "data-sample": item.sample,
      onmousedown: (event) => event.preventDefault(), onclick: () => this.onopen(position),
    }, make("img", {
      src: item.thumbnail, alt: "", loading: "lazy", draggable: "false",
      // The browser's icon for a broken image is not helpful here; `redraw` tries again.
      onerror: (event) => {
        event.target.style.visibility = "hidden";
        this.renew(position, item);
      },
    }),
    make("span", { class: "mark" }, item.conflicts ? "⚡" : statusMarks[item.status] ?? ""),
    make("span", { class: "number" }, `${grouped(position + 1)} ${item.held_by ? `✎ ${item.held_by}` : status}${item.shared ? " · shared" : ""}`),
    make("span", { class: "reason" }, ...lineOf(item)));
    entry.style.left = `${position * itemWidth}px`;
    return make("div", { role: "listitem", "data-position": position, "data-mark": mark }, entry);
  }
}
