// The samples of a query, fetched page by page as the grid needs them. Pages that have not been used for longest are
// forgotten.
import { fetchItems } from "./browse-api.js";

export const pageLength = 200;
const mostPages = 60;
const mostRequests = 3;
/// The server's limit of samples in one answer.
const longestAnswer = 1000;

/// Events: `page` when items arrived, `problem` with `detail.error` when a request failed. A failed page is not
/// requested again until `retry`.
export class ItemPages extends EventTarget {
  constructor() {
    super();
    this.clear();
  }

  clear() {
    for (const { stop } of this.running?.values() ?? []) stop.abort();
    /// Items by page number, the most recently used page last.
    this.pages = new Map();
    this.running = new Map();
    this.failed = new Set();
    this.wanted = [];
    this.total = 0;
    this.of = 0;
    /// The number of items without a value to sort by.
    this.withoutValue = 0;
    /// Of the dataset: `{samples, entries, problem}`, the number of corrected samples, whether the ledger has entries, and
    /// the reason why the corrected ground truth cannot be shown.
    this.corrections = null;
    this.query = null;
  }

  /// Adopts a query and its first page, which the caller has fetched.
  open(query, first) {
    this.clear();
    this.query = query;
    this.total = first.total;
    this.of = first.of;
    this.withoutValue = first.withoutValue;
    this.corrections = first.corrections ?? null;
    this.keep(Math.floor(first.from / pageLength), first.items);
  }

  /// Returns the item at a position; undefined if it is not here.
  item(position) {
    return this.pages.get(Math.floor(position / pageLength))?.[position % pageLength];
  }

  /// Requests the pages of the positions from `first` to `last`, and then the page after and before them. Pages that
  /// are no longer wanted are not requested.
  want(first, last, isForward = true) {
    if (!this.query) return;
    const pageOf = (position) => Math.floor(Math.min(Math.max(position, 0), Math.max(this.total - 1, 0)) / pageLength);
    const [from, to] = [pageOf(first), pageOf(last)];
    const pages = [];
    for (let page = from; page <= to; page++) pages.push(page);
    pages.push(...(isForward ? [to + 1, from - 1] : [from - 1, to + 1]));
    const count = Math.ceil(this.total / pageLength);
    this.wanted = pages.filter((page) => page >= 0 && page < count);
    for (const page of this.wanted) this.touch(page);
    for (const [page, { stop }] of this.running) {
      if (!this.wanted.includes(page)) stop.abort();
    }
    this.pump();
  }

  /// Returns the item at a position after fetching its page; throws if that fails.
  async fetched(position) {
    const page = Math.floor(position / pageLength);
    if (!this.pages.has(page)) {
      const { query } = this;
      const answer = await fetchItems(query, page * pageLength, pageLength);
      if (query === this.query) this.keep(page, answer.items);
    }
    return this.item(position);
  }

  /// Returns the items from one position to another; those that are not here are fetched. Throws if that fails.
  async range(first, last) {
    const { query } = this;
    const items = [];
    while (first + items.length <= last) {
      const at = first + items.length;
      const here = this.item(at);
      if (here) {
        items.push(here);
        continue;
      }
      const answer = await fetchItems(query, at, Math.min(last - at + 1, longestAnswer));
      if (query !== this.query || answer.items.length === 0) break;
      items.push(...answer.items);
    }
    return query === this.query ? items : [];
  }

  retry() {
    this.failed.clear();
    this.pump();
  }

  pump() {
    for (const page of this.wanted) {
      if (this.running.size >= mostRequests) return;
      if (this.pages.has(page) || this.running.has(page) || this.failed.has(page)) continue;
      this.fetch(page);
    }
  }

  async fetch(page) {
    const stop = new AbortController();
    const { query, running } = this;
    running.set(page, { stop });
    try {
      const answer = await fetchItems(query, page * pageLength, pageLength, stop.signal);
      if (query !== this.query) return;
      this.keep(page, answer.items);
      this.dispatchEvent(new Event("page"));
    } catch (error) {
      if (stop.signal.aborted || query !== this.query) return;
      this.failed.add(page);
      this.dispatchEvent(new CustomEvent("problem", { detail: { error } }));
    } finally {
      running.delete(page);
      if (query === this.query) this.pump();
    }
  }

  touch(page) {
    const items = this.pages.get(page);
    if (!items) return;
    this.pages.delete(page);
    this.pages.set(page, items);
  }

  keep(page, items) {
    this.pages.set(page, items);
    while (this.pages.size > mostPages) this.pages.delete(this.pages.keys().next().value);
  }
}
