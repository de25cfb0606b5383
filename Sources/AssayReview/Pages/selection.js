// The samples that are selected in the grid: some by id, or all of the query without listing them.
import { grouped } from "./dom.js";

/// Events: `change`, and `problem` with `detail.words` when something cannot be selected.
export class Selection extends EventTarget {
  /// `limit`: the maximum number of samples that are listed.
  constructor({ pages, limit }) {
    super();
    this.pages = pages;
    this.limit = limit;
    this.turn = 0;
    this.forget();
  }

  forget() {
    /// Keys by id.
    this.ids = new Map();
    this.isAll = false;
    /// The position from which a range extends, and what was selected before the range.
    this.anchor = null;
    this.base = null;
  }

  get size() {
    return this.isAll ? this.pages.total : this.ids.size;
  }

  has(item) {
    return Boolean(item) && (this.isAll || this.ids.has(item.id));
  }

  clear() {
    this.turn += 1;
    if (this.size === 0 && !this.isAll) return;
    this.forget();
    this.changed();
  }

  selectAll() {
    this.turn += 1;
    if (this.pages.total === 0) return;
    this.forget();
    this.isAll = true;
    this.changed();
  }

  /// Selects a sample, or removes it from the selection.
  async toggle(position) {
    const turn = ++this.turn;
    const item = this.pages.item(position);
    if (!item || (this.isAll && !(await this.list(turn)))) return;
    if (!this.ids.delete(item.id)) {
      if (this.ids.size >= this.limit) return this.refuse();
      this.ids.set(item.id, item.key);
    }
    this.anchor = position;
    this.base = null;
    this.changed();
  }

  /// Selects the samples between the last one that was chosen and a position. `from` is used if none was chosen.
  async extend(to, from) {
    const turn = ++this.turn;
    if (this.isAll) return;
    this.anchor ??= from;
    this.base ??= new Map(this.ids);
    const [first, last] = [Math.min(this.anchor, to), Math.max(this.anchor, to)];
    if (last - first + 1 + this.base.size > this.limit + 1) return this.refuse();
    const items = await this.fetched(first, last);
    if (!items || turn !== this.turn) return;
    const ids = new Map(this.base);
    for (const item of items) ids.set(item.id, item.key);
    if (ids.size > this.limit) return this.refuse();
    this.ids = ids;
    this.changed();
  }

  /// Replaces "all of the query" by its list, from which single samples can be removed; false if that is not possible.
  async list(turn) {
    if (this.pages.total > this.limit) {
      this.refuse(`All ${grouped(this.pages.total)} samples are selected. One of them can be removed if they are ${grouped(this.limit)} or fewer.`);
      return false;
    }
    const items = await this.fetched(0, this.pages.total - 1);
    if (!items || turn !== this.turn) return false;
    this.isAll = false;
    this.ids = new Map(items.map((item) => [item.id, item.key]));
    return true;
  }

  async fetched(first, last) {
    try {
      return await this.pages.range(first, last);
    } catch {
      this.refuse("The samples in between cannot be loaded. Try again.");
      return null;
    }
  }

  refuse(words = `Up to ${grouped(this.limit)} samples can be selected one by one. Select all samples of the query instead.`) {
    this.dispatchEvent(new CustomEvent("problem", { detail: { words } }));
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}
