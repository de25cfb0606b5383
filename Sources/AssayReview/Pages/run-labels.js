// A multi-label run on the Runs page: its errors, counts and curves at any threshold.
import { fill, grouped, make } from "./dom.js";
import { lineChart, namedBars, score, SortedTable } from "./run-charts.js";
import { section } from "./run-parts.js";

/// Returns the parts of the page; `view` is the `RunView` of a multi-label run.
export function labelSetParts(view) {
  const { numbers, classes } = view;
  const mistakes = classes.flatMap((name, row) => [
    { name: `${name} missed`, value: numbers.counts[row].fn, pick: () => view.open({ class: name, outcome: "false_negative" }) },
    { name: `${name} added`, value: numbers.counts[row].fp, pick: () => view.open({ class: name, outcome: "false_positive" }) },
  ]).filter((one) => one.value > 0).sort((a, b) => b.value - a.value).slice(0, 12)
    .map((one) => ({ ...one, text: grouped(one.value) }));
  const wrong = Math.round(numbers.n * (1 - (numbers.subset_accuracy ?? 0)));
  const errors = section("wrong", "Most frequent errors",
    make("p", {}, view.count(wrong, { outcome: "wrong" }, "Samples with a wrong label"), ` of ${grouped(numbers.n)} samples have a missed or an added label, `, view.count(numbers.n - wrong, { outcome: "right" }, "Samples with all labels correct"), " have all labels correct."),
    namedBars(mistakes));
  const table = make("div", {});
  if (!view.run.sweep) {
    fill(table, new LabelTable(view, null).element);
    return [errors, section("classes", "Labels", table)];
  }
  return [errors, ...new ThresholdParts(view, table).parts, section("classes", "Labels", table)];
}

const ratio = (part, whole) => (whole > 0 ? part / whole : null);
/// Precision, recall and F1 of counts; null where undefined.
const scoresOf = ({ hits, predicted, truths }) => ({
  precision: ratio(hits, predicted), recall: ratio(hits, truths), f1: ratio(2 * hits, predicted + truths),
});
const sum = (list) => list.reduce((all, one) => all + one, 0);
/// The mean; an undefined value counts as 0, as in the metrics of the evaluation.
const mean = (list) => sum(list.map((one) => one ?? 0)) / Math.max(list.length, 1);

/// The slider of the threshold, what it says, and the curve.
class ThresholdParts {
  constructor(view, table) {
    Object.assign(this, { view, table, sweep: view.run.sweep });
    const { classes } = view;
    const last = this.sweep.thresholds.length - 1;
    this.chosen = view.state().score;
    this.input = make("input", { id: "score", type: "range", min: "0", max: String(last), step: "1", oninput: () => this.move(this.sweep.thresholds[this.input.valueAsNumber]) });
    this.said = make("output", { for: "score" });
    this.figures = make("div", {});
    this.back = make("button", { type: "button", onclick: () => this.move(null) }, "Back to the evaluation's thresholds");
    this.place = make("div", { class: "chart-place" });
    this.curveClass = make("select", { id: "curve-class", onchange: () => this.showCurve() },
      make("option", { value: "" }, "All labels together"), ...classes.map((name, index) => make("option", { value: String(index) }, name)));
    this.parts = [
      section("point", "Counts at a threshold",
        make("div", { class: "sliders" }, make("label", { for: "score" }, "Minimum score"), this.input, this.said, this.back), this.figures),
      section("curves", "Precision and recall", make("label", { for: "curve-class" }, "Label "), this.curveClass, this.place),
    ];
    this.show();
  }

  /// `threshold` is null for those of the evaluation.
  move(threshold) {
    this.chosen = threshold;
    this.view.change({ score: threshold });
    this.show();
  }

  /// The number of the step of a threshold.
  step(threshold) {
    return Math.round(threshold * (this.sweep.thresholds.length - 1));
  }

  /// The counts of a label at a step.
  counts(label, step) {
    const { hits, predictions, truths } = this.sweep;
    return { hits: hits[label][step], predicted: predictions[label][step], truths: truths[label] };
  }

  /// The counts of each label at the chosen threshold, or those of the evaluation.
  get all() {
    const { numbers, classes } = this.view;
    if (this.chosen !== null) return classes.map((_, label) => this.counts(label, this.step(this.chosen)));
    return numbers.counts.map(({ tp, fp, fn }) => ({ hits: tp, predicted: tp + fp, truths: tp + fn }));
  }

  total(all) {
    return { hits: sum(all.map((one) => one.hits)), predicted: sum(all.map((one) => one.predicted)), truths: sum(all.map((one) => one.truths)) };
  }

  /// The one threshold of the evaluation; null if its classes have several.
  get own() {
    const { thresholds } = this.view.numbers;
    const values = [...new Set(Array.isArray(thresholds) ? thresholds : Object.values(thresholds ?? {}))];
    return values.length === 1 ? values[0] : null;
  }

  show() {
    const { view, chosen, own } = this;
    const { numbers } = view;
    this.input.value = String(this.step(chosen ?? own ?? 0.5));
    this.said.textContent = chosen !== null ? `≥ ${chosen.toFixed(2)}` : own !== null ? `≥ ${Number(own.toFixed(4))}` : "one for each label";
    this.back.disabled = chosen === null;
    const { all } = this;
    const whole = this.total(all);
    const micro = scoresOf(whole);
    const exact = chosen === null ? Math.round(numbers.n * (numbers.subset_accuracy ?? 0)) : this.sweep.exact[this.step(chosen)];
    const figure = (title, value) => make("div", {}, make("dt", {}, title), make("dd", {}, value));
    fill(this.figures,
      make("dl", { class: "figures", id: "counts-at" },
        figure("Correct labels", grouped(whole.hits)), figure("Added labels", grouped(whole.predicted - whole.hits)), figure("Missed labels", grouped(whole.truths - whole.hits)),
        figure("Samples with all labels correct", grouped(exact)),
        figure("Micro precision", score(micro.precision)), figure("Micro recall", score(micro.recall)), figure("Micro F1", score(micro.f1)),
        figure("Macro F1", score(mean(all.map((one) => scoresOf(one).f1))))),
      make("p", { class: "muted" }, chosen === null ? "The thresholds of the evaluation." : `The same threshold for all labels. To open the samples behind these counts: assay evaluate ${view.run.run} --threshold ${chosen}`));
    const { by, descending } = this.shown ?? {};
    this.shown = new LabelTable(view, chosen === null ? null : all, by, descending);
    fill(this.table, this.shown.element);
    this.showCurve();
  }

  showCurve() {
    const { sweep, view } = this;
    const value = this.curveClass.value;
    const at = (step) => (value === "" ? this.total(view.classes.map((_, label) => this.counts(label, step))) : this.counts(Number(value), step));
    const points = sweep.thresholds.map((_, step) => scoresOf(at(step))).filter(({ precision, recall }) => precision !== null && recall !== null).map(({ precision, recall }) => [recall, precision]);
    const { all } = this;
    const { precision, recall } = scoresOf(value === "" ? this.total(all) : all[Number(value)]);
    fill(this.place,
      points.length === 0 ? make("p", { class: "muted" }, `No sample has the label ${view.classes[Number(value)] ?? ""}.`) : null,
      lineChart({
        label: "Precision over recall", xTitle: "recall", yTitle: "precision", mark: precision !== null && recall !== null ? [recall, precision] : null,
        series: [{ name: value === "" ? "all labels together" : view.classes[Number(value)], kind: "first", points }],
      }));
  }
}

/// The table of labels: with the evaluation's counts, which open their samples, or with `all`, the counts at a threshold.
class LabelTable extends SortedTable {
  constructor(view, all, by = 6, descending = false) {
    const { numbers, classes } = view;
    const at = (row, key) => {
      if (all === null) return numbers.counts[row][key];
      const { hits, predicted, truths } = all[row];
      return { tp: hits, fp: predicted - hits, fn: truths - hits }[key];
    };
    const cell = (key, outcome, words) => ({
      title: key.toUpperCase(), help: words, value: (row) => at(row, key),
      cell: (row) => (all === null ? view.count(at(row, key), { class: classes[row], outcome }, `${words} of ${classes[row]}`) : make("span", { class: "number" }, grouped(at(row, key)))),
    });
    const live = (title, key) => (all === null ? view.column(title, key) : { title, value: (row) => scoresOf(all[row])[key], cell: (row) => score(scoresOf(all[row])[key]) });
    super({
      label: "Labels", rows: classes.map((_, index) => index), by, descending, columns: [
        { title: "Label", value: (row) => classes[row], cell: (row) => view.name(classes[row], { class: classes[row] }) },
        cell("tp", "true_positive", "Correct labels"), cell("fp", "false_positive", "Added labels"), cell("fn", "false_negative", "Missed labels"),
        live("Precision", "precision"), live("Recall", "recall"), live("F1", "f1"), view.column("AP", "average_precision"),
      ],
    });
  }
}
