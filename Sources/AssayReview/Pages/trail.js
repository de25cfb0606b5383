// The samples decided most recently, so that undo reaches them, also after the page was reloaded.
import { remembered } from "./dom.js";

/// The number of decisions that are remembered.
const limit = 100;

export class Trail {
  /// `name` is different for each ledger, review and author.
  constructor(name) {
    this.name = `trail-${name}`;
    try {
      const kept = JSON.parse(remembered.get(this.name) ?? "[]");
      this.steps = kept.filter((one) => Number.isInteger(one.position) && Number.isInteger(one.sample)).slice(-limit);
    } catch {
      this.steps = [];
    }
  }

  /// Adds a decided sample; only its latest decision counts.
  add(position, sample) {
    this.steps = [...this.steps.filter((one) => one.sample !== sample), { position, sample }].slice(-limit);
    this.keep();
  }

  /// Removes and returns the latest decided sample other than the open one: `{position, sample}` or null.
  back(open) {
    this.steps = this.steps.filter((one) => one.sample !== open);
    const last = this.steps.pop() ?? null;
    this.keep();
    return last;
  }

  keep() {
    remembered.set(this.name, JSON.stringify(this.steps));
  }
}
