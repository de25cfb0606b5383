// The row above the grid: counts, order, sources, what is drawn, export, and the size of thumbnails.
import { correctButton } from "./correct.js";
import { fill, grouped, make } from "./dom.js";
import { fillExportPanel } from "./export-panel.js";
import { fillLookPanel, sourceButtons } from "./look-panel.js";
import { popover } from "./popover.js";
import { TruthChoice } from "./truth-choice.js";
import { sizes, usualScore } from "./browse-state.js";

export class BrowseToolbar {
  constructor(host, { state, change, page }) {
    this.state = state;
    this.change = change;
    this.extra = [];
    this.runs = [];
    this.counts = make("p", { class: "counts", id: "sample-count" });
    this.sort = make("select", { id: "sort", "aria-label": "Sort", onchange: () => this.sorted() });
    this.direction = make("button", {
      type: "button", class: "direction", onclick: () => {
        if (this.state().sort === "random") this.change({ seed: 1 + Math.floor(Math.random() * 999_999), at: 0 });
        else this.change({ descending: !this.state().descending, at: 0 });
      },
    });
    this.other = make("input", {
      type: "text", class: "other-field", hidden: true, "aria-label": "Field to sort by", placeholder: "field, then Enter",
      spellcheck: "false", autocomplete: "off",
      onkeydown: (event) => {
        if (event.key !== "Enter" || !this.other.value.trim()) return;
        this.change({ sort: this.other.value.trim(), at: 0 });
      },
    });
    this.page = page;
    this.problem = make("p", { class: "sort-problem problem", role: "alert", hidden: true });
    this.truth = new TruthChoice({ change });
    this.sources = make("div", { class: "sources", role: "group", "aria-label": "Sources" });
    this.look = popover("Show", (panel) => fillLookPanel(panel, {
      state, runs: this.runs, classes: this.classes, change: (members) => {
        // What the panel itself changes is shown in it already.
        this.isLooking = true;
        change(members, "replace");
        this.isLooking = false;
      },
    }), { name: "show" });
    this.export = popover("Export", (panel) => fillExportPanel(panel, {
      query: this.state, saved: (name, asked) => page.viewSaved(name, asked), pending: () => page.bar.isChanged,
      written: panel.hidden ? "" : panel.querySelector("#view-name")?.value,
    }), { name: "export" });
    this.size = make("input", {
      id: "size", type: "range", "aria-label": "Size of thumbnails", min: sizes.least, max: sizes.most, step: "8",
      oninput: () => change({ size: this.size.valueAsNumber }, "replace"),
    });
    fill(host, page.filters, this.counts,
      make("div", { class: "sorting" }, make("label", { for: "sort" }, "Sort"), this.sort, this.other, this.direction, this.problem),
      this.truth.element, this.sources, this.look.element, this.export.element,
      correctButton({ query: state, pending: () => page.bar.isChanged }),
      make("div", { class: "sizing" }, make("label", { for: "size" }, "Size"), this.size));
  }

  show({ found: { total, of, withoutValue, corrections }, runs, classes, hasTruth }) {
    const state = this.state();
    this.problem.hidden = true;
    this.truth.show(corrections, state.isCorrected);
    this.runs = runs;
    this.classes = classes;
    fill(this.counts, make("b", {}, grouped(total)), total === of ? ` sample${total === 1 ? "" : "s"}` : ` of ${grouped(of)}`,
      withoutValue ? `, ${grouped(withoutValue)} without a value at the end` : "");
    this.fillSort();
    const key = JSON.stringify([state.runs, state.hidden, hasTruth]);
    if (key !== this.shownSources) {
      const focused = document.activeElement?.dataset?.source;
      fill(this.sources, ...sourceButtons(state, hasTruth, (members) => this.change(members, "replace")));
      if (focused) this.sources.querySelector(`[data-source="${CSS.escape(focused)}"]`)?.focus();
      this.shownSources = key;
    }
    this.size.value = state.size;
    const restrictions = [state.off.length > 0, state.score !== usualScore, state.results.length > 0, state.classes.length > 0].filter(Boolean).length;
    this.refreshPanels();
    this.look.button.textContent = restrictions ? `Show (${restrictions})` : "Show";
  }

  /// Fills panels that are open anew if they are about something else by now.
  refreshPanels() {
    const { view, where, isCorrected, sort, descending, seed, runs, off, score, results, classes, color } = this.state();
    const selection = JSON.stringify([view, where, isCorrected, sort, descending, seed]);
    if (selection !== this.shownSelection) this.export.refresh();
    this.shownSelection = selection;
    const look = JSON.stringify([view, this.runs, this.classes, runs, off, score, results, classes, color]);
    if (look !== this.shownLook && !this.isLooking) this.look.refresh();
    this.shownLook = look;
  }

  /// Adds the numeric fields that the facets found.
  fields(histograms) {
    this.extra = histograms.map((one) => [one.field, one.title]);
    this.fillSort();
  }

  fillSort() {
    const state = this.state();
    const options = new Map([["", "Dataset order"], ["random", "Random"], ["width", "Width"], ["height", "Height"],
      ["corrections", "Corrections"], ["key", "Key"], ["split", "Split"]]);
    const { dataset } = this.page;
    // A sample of other datasets can have several labels.
    if (dataset && dataset.classes.length > 0 && !dataset.multilabel && !dataset.regions) options.set("label", "Label");
    for (const name of state.runs) {
      const sorts = this.runs.find((run) => run.name === name)?.sorts ?? [];
      for (const { field, title } of sorts) options.set(field, `${name}: ${title}`);
    }
    for (const [field, title] of this.extra) if (!options.has(field)) options.set(field, title);
    const key = JSON.stringify([...options]);
    const isListed = options.has(state.sort);
    if (!isListed) options.set(state.sort, state.sort);
    options.set("\0", "Other field…");
    if (key !== this.sortKey || !isListed || ![...this.sort.options].some((one) => one.value === state.sort)) {
      this.sortKey = key;
      fill(this.sort, ...[...options].map(([value, label]) => make("option", { value }, label)));
    }
    this.sort.value = state.sort;
    this.other.hidden = true;
    this.direction.hidden = state.sort === "";
    this.direction.removeAttribute("aria-label");
    if (state.sort === "random") return fill(this.direction, "Shuffle");
    const [arrow, words] = state.descending ? ["↓", "High to low"] : ["↑", "Low to high"];
    this.direction.setAttribute("aria-label", words);
    return fill(this.direction, arrow, make("span", { class: "wide-only" }, words));
  }

  /// Says why an order cannot be shown; the one before it stays.
  refuseSort({ message, expression }) {
    const sentence = message.replace(/^error: /, "");
    this.fillSort();
    this.problem.textContent = `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)} (${expression})`;
    this.problem.hidden = false;
  }

  sorted() {
    if (this.sort.value === "\0") {
      this.other.hidden = false;
      this.other.focus();
      return;
    }
    this.change({ sort: this.sort.value, at: 0 });
  }
}
