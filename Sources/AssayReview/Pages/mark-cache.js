// The annotations and predictions of the samples in sight, fetched in groups. Those that have not been used for longest
// are forgotten.
import { fetchMarks } from "./browse-api.js";

const mostIDs = 100;
const mostKept = 2000;
const mostRequests = 2;

/// Events: `marks` with `detail.ids` when some arrived, `problem` with `detail.error` when a request failed.
export class MarkCache extends EventTarget {
  constructor() {
    super();
    this.marks = new Map();
    this.running = new Set();
    this.asked = new Map();
    this.wanted = [];
    this.runs = [];
    this.side = 0;
    this.isCorrected = false;
    /// The runs of detectors without results, each with `{reason, command}`.
    this.problems = new Map();
    /// Counts how often everything was forgotten.
    this.generation = 0;
  }

  /// Sets the runs, the ground truth and the size of masks; marks of others are forgotten.
  configure({ runs, isCorrected }, side) {
    // Sizes in steps, so that a small change of the zoom fetches nothing.
    const step = [64, 128, 192, 256, 384, 512].find((one) => one >= side) ?? 512;
    if (step === this.side && isCorrected === this.isCorrected && runs.join("\0") === this.runs.join("\0")) return;
    Object.assign(this, { runs: [...runs], side: step, isCorrected });
    this.clear();
  }

  clear() {
    for (const stop of this.running) stop.abort();
    this.running.clear();
    this.asked.clear();
    this.marks.clear();
    this.problems.clear();
    this.wanted = [];
    this.hasFailed = false;
    this.generation += 1;
  }

  /// Returns `{truth, runs}` of a sample; undefined if they are not here.
  get(id) {
    const found = this.marks.get(id);
    if (found) {
      this.marks.delete(id);
      this.marks.set(id, found);
    }
    return found;
  }

  /// Requests the marks of these samples; requests of none of them are canceled.
  want(ids) {
    this.wanted = ids;
    const set = new Set(ids);
    for (const stop of this.running) {
      if (!stop.ids.some((id) => set.has(id))) stop.abort();
    }
    this.pump();
  }

  retry() {
    this.hasFailed = false;
    this.pump();
  }

  pump() {
    while (this.running.size < mostRequests && !this.hasFailed) {
      const ids = this.wanted.filter((id) => !this.marks.has(id) && !this.asked.has(id)).slice(0, mostIDs);
      if (ids.length === 0) return;
      this.fetch(ids);
    }
  }

  async fetch(ids) {
    const stop = new AbortController();
    stop.ids = ids;
    this.running.add(stop);
    for (const id of ids) this.asked.set(id, stop);
    try {
      const { items, problems } = await fetchMarks(ids, this, stop.signal);
      if (stop.signal.aborted) return;
      for (const one of problems ?? []) this.problems.set(one.run, one);
      const found = new Map(items.map((item) => [item.id, item]));
      // A sample that the server left out has nothing to draw.
      for (const id of ids) this.marks.set(id, found.get(id) ?? { id, truth: null, runs: {} });
      while (this.marks.size > mostKept) this.marks.delete(this.marks.keys().next().value);
      this.dispatchEvent(new CustomEvent("marks", { detail: { ids } }));
    } catch (error) {
      if (stop.signal.aborted) return;
      this.hasFailed = true;
      this.dispatchEvent(new CustomEvent("problem", { detail: { error } }));
    } finally {
      this.running.delete(stop);
      for (const id of ids) if (this.asked.get(id) === stop) this.asked.delete(id);
      if (!stop.signal.aborted || this.wanted.length) this.pump();
    }
  }
}
