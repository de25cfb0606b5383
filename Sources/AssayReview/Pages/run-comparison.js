// Two runs on the Runs page: differences with intervals, the samples where one is better, and both side by side.
import { fetchItems } from "./browse-api.js";
import { fill, grouped, make } from "./dom.js";
import { interval, Matrix, score, signed, SortedTable, pValue } from "./run-charts.js";
import { section, tiles } from "./run-parts.js";

/// The number of samples of each grid.
const shown = 24;

export class ComparisonView {
  /// - Parameters: `answer` is the answer of the server, `go(view, where)` opens the samples of an expression.
  constructor(answer, { go }) {
    Object.assign(this, { answer, go });
    this.numbers = answer.comparison;
  }

  parts() {
    const { answer } = this;
    return [this.headline(), answer.table ? this.table() : this.scatter(), this.grids(), this.classes(), this.differences(), this.notes()].filter(Boolean);
  }

  link(search, label) {
    return search.count > 0
      ? make("button", { type: "button", class: "plain number", "aria-label": `${label}: ${grouped(search.count)}`, onclick: () => this.go(search) }, grouped(search.count))
      : make("span", { class: "number" }, "0");
  }

  headline() {
    const { answer, numbers } = this;
    // Of one class the mean over samples, of several the mean over the classes and, with an interval, over the samples.
    const keys = { classification: ["accuracy"], multilabel: ["subset_accuracy"], segmentation: ["mean_iou", "miou", "sample_miou"], detection: ["AP"] }[answer.task];
    const key = keys.find((name) => typeof numbers.differences[name]?.difference === "number") ?? keys[0];
    const one = numbers.differences[key] ?? {};
    const further = keys.filter((name) => name !== key && typeof numbers.differences[name]?.difference === "number");
    const verdict = Array.isArray(one.interval)
      ? (one.interval[0] > 0 || one.interval[1] < 0 ? "significant (95 % CI excludes 0)" : "not significant (95 % CI includes 0)")
      : one.interval_reason ? `no interval: ${one.interval_reason}` : "no interval";
    const test = numbers.mcnemar;
    return make("section", { id: "headline", class: "part" },
      make("h2", { class: "run-name" }, `${answer.a} → ${answer.b}`),
      make("p", { class: "muted" }, `${grouped(answer.samples)} samples that both runs have. Differences are ${answer.b} − ${answer.a}; the numbers are those of assay compare ${numbers.a} ${numbers.b}.`),
      tiles([[`${key}, ${answer.a}`, score(one.a), null], [`${key}, ${answer.b}`, score(one.b), null]]),
      make("p", { id: "main-difference" }, make("b", {}, `${key} ${signed(one.difference)}`), interval(one.interval, signed), `: ${verdict}.`,
        ...further.flatMap((name) => [` ${name} ${signed(numbers.differences[name].difference)}`, interval(numbers.differences[name].interval, signed), "."]),
        test ? ` McNemar: ${this.changeWords(test)}, p ${pValue(test.p)}.` : ""));
  }

  /// The counts of McNemar's test. Of sets of labels these are not the regressions and improvements below.
  changeWords({ regressions, improvements }) {
    const { answer } = this;
    if (answer.task !== "multilabel") return `${grouped(regressions)} regressions, ${grouped(improvements)} improvements`;
    return `all labels right only with ${answer.a}: ${grouped(regressions)} samples, only with ${answer.b}: ${grouped(improvements)}`;
  }

  table() {
    const { answer } = this;
    const cell = (search, label) => make("td", {}, this.link(search, label));
    return section("table", "Right and wrong", make("table", { class: "numbers two" },
      make("thead", {}, make("tr", {}, make("th", {}, ""), make("th", { scope: "col" }, `${answer.b} correct`), make("th", { scope: "col" }, `${answer.b} wrong`))),
      make("tbody", {},
        make("tr", {}, make("th", { scope: "row" }, `${answer.a} correct`), cell(answer.table.both, "Both correct"), cell(answer.worse, "Regressions")),
        make("tr", {}, make("th", { scope: "row" }, `${answer.a} wrong`), cell(answer.better, "Improvements"), cell(answer.table.neither, "Both wrong")))));
  }

  scatter() {
    const { answer } = this;
    const { edges, cells, field, fields } = answer.scatter;
    const bins = edges.length - 1;
    const counts = new Map(cells.map(([a, b, count]) => [a * bins + b, count]));
    const isShare = edges[bins] === 1;
    const name = (bin) => (isShare ? edges[bin].toFixed(2) : String(edges[bin]));
    const most = Math.max(...counts.values(), 1);
    // Rows are the second run, the highest numbers at the top.
    const rows = edges.slice(0, bins).map((_, index) => name(bins - 1 - index));
    const term = (of, bin) => {
      if (!isShare) return `${of} in ${edges[bin]}..${edges[bin + 1] - 1}`;
      return bin === bins - 1 ? `${of} >= ${edges[bin]}` : `${of} >= ${edges[bin]} and ${of} < ${edges[bin + 1]}`;
    };
    const matrix = new Matrix({
      rows, columns: edges.slice(0, bins).map((_, bin) => name(bin)), sums: rows.map(() => most), label: "Samples by both runs",
      rowTitle: answer.b, columnTitle: answer.a, hasShares: false,
      count: (row, column) => counts.get(column * bins + (bins - 1 - row)) ?? 0,
      pick: (row, column) => this.go({
        view: answer.dataset, where: `${term(fields[0], column)} and ${term(fields[1], bins - 1 - row)}`,
      }),
    });
    return section("scatter", "Samples by both runs",
      make("p", { class: "muted" }, `${{ iou: "IoU", recall: "Recall", wrong_labels: "Wrong labels" }[field] ?? field} of each sample: ${answer.a} to the right, ${answer.b} upward${field === "wrong_labels" ? "; less is better" : "; above the diagonal the second run is better"}. A click opens the samples of a cell.`),
      matrix.element);
  }

  grids() {
    const { answer } = this;
    const words = answer.task === "multilabel"
      ? `Samples with more, and with fewer, wrong labels with ${answer.b} than with ${answer.a}. McNemar's test above compares only whether all labels of a sample are right.`
      : answer.task === "detection" ? " The lists of assay compare have objects: " + `${grouped(answer.regressions)} regressions and ${grouped(answer.improvements)} improvements.` : "";
    return section("changes", "Regressions and improvements", words ? make("p", { class: "muted" }, words) : null,
      make("div", { class: "pair" }, this.grid("Regressions", answer.worse), this.grid("Improvements", answer.better)));
  }

  grid(title, search) {
    const place = make("div", { class: "thumbs" });
    this.fillGrid(place, search);
    return make("div", { class: "side" }, make("h3", {}, title, " ", this.link(search, title)), place);
  }

  async fillGrid(place, search) {
    if (search.count === 0) return fill(place, make("p", { class: "muted" }, "None."));
    try {
      const { items } = await fetchItems(search, 0, shown);
      return fill(place, ...items.map((item, at) => make("button", {
        type: "button", class: "thumb", title: item.key, "aria-label": `Open ${item.key}`, onclick: () => this.go({ ...search, sample: item.id, at }),
      }, make("img", { src: item.thumbnail, alt: "", loading: "lazy" }), make("span", { class: "key" }, item.key))),
      search.count > items.length ? make("button", { type: "button", class: "plain", onclick: () => this.go(search) }, `All ${grouped(search.count)}`) : null);
    } catch (error) {
      return fill(place, make("p", { class: "problem" }, `The samples cannot be loaded: ${error.message ?? error}.`));
    }
  }

  classes() {
    const { numbers } = this;
    const { classes, differences } = numbers;
    const keys = Object.keys(differences).filter((key) => {
      const value = differences[key];
      return value && (Array.isArray(value) ? value.length === classes.length : !("difference" in value)) && !["best_threshold", "jaccard", "best_f1"].includes(key);
    });
    if (keys.length === 0) return null;
    const at = (key, row) => (Array.isArray(differences[key]) ? differences[key][row] : differences[key][classes[row]]) ?? {};
    return section("classes", "Differences by class", new SortedTable({
      label: "Differences by class", rows: classes.map((_, index) => index), by: 1, columns: [
        { title: "Class", value: (row) => classes[row], cell: (row) => classes[row] },
        ...keys.map((key) => ({
          title: key.replaceAll("_", " ").replace("per category ap", "AP "), value: (row) => at(key, row).difference ?? null,
          cell: (row) => [signed(at(key, row).difference), interval(at(key, row).interval, signed)],
        })),
      ],
    }).element);
  }

  differences() {
    const { numbers, answer } = this;
    const rows = Object.entries(numbers.differences).filter(([, value]) => value && !Array.isArray(value) && "difference" in value && value.difference !== null);
    return section("differences", "All differences", new SortedTable({
      label: "All differences", rows, columns: [
        { title: "Metric", value: ([key]) => key, cell: ([key]) => key },
        { title: answer.a, value: ([, one]) => one.a, cell: ([, one]) => score(one.a) },
        { title: answer.b, value: ([, one]) => one.b, cell: ([, one]) => score(one.b) },
        { title: "Difference", value: ([, one]) => one.difference, cell: ([, one]) => [signed(one.difference), interval(one.interval, signed)] },
      ],
    }).element);
  }

  notes() {
    const { notes } = this.numbers;
    return notes?.length ? section("run-notes", "Notes", make("ul", {}, ...notes.map((note) => make("li", {}, note)))) : null;
  }
}
