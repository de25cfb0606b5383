// One run on the Runs page: the numbers of its evaluation, each with the samples behind it.
import { count, fill, grouped, make } from "./dom.js";
import { barChart, interval, lineChart, Matrix, namedBars, score, SortedTable } from "./run-charts.js";
import { matrixLimit, showConfusion } from "./run-confusion.js";
import { labelSetParts } from "./run-labels.js";
import { section, tiles } from "./run-parts.js";
import { headlineKeys, slicesPart } from "./run-slices.js";
import { fetchPoint } from "./runs-api.js";

export class RunView {
  /// - Parameters: `run` is the answer of the server, `open(filter)` opens the samples of a filter.
  constructor(run, { open, state, change }) {
    Object.assign(this, { run, open, state, change });
    this.numbers = run.evaluation;
    this.classes = run.evaluation.classes;
    /// The evaluation as in commands and expressions: `r1`, or `r1@strict`.
    this.reference = this.numbers.evaluation === "default" ? run.run : `${run.run}@${this.numbers.evaluation}`;
  }

  parts() {
    return [this.headline(), ...({
      classification: () => this.labels(), multilabel: () => labelSetParts(this),
      segmentation: () => this.masks(), detection: () => this.objects(),
    }[this.run.task] ?? (() => []))(), slicesPart(this.numbers, this.run.task), this.notes()].filter(Boolean);
  }

  pair(key) {
    return this.numbers.intervals?.[key] ?? null;
  }

  headline() {
    const { numbers } = this;
    const shown = headlineKeys[this.run.task].filter(([, key]) => key in numbers && (typeof numbers[key] === "number" || ["accuracy", "AP"].includes(key)));
    const what = [
      count(numbers.n, "sample"),
      ...(this.run.task === "detection" ? [count(numbers.objects ?? 0, "object"), count(numbers.detections ?? 0, "detection")] : []),
      count(this.classes.length, "class", "classes"),
    ].join(", ");
    const filter = numbers.settings?.where;
    return make("section", { id: "headline", class: "part" },
      make("h2", { class: "run-name" }, this.run.run),
      make("p", { class: "muted" }, `${this.run.task} on ${numbers.view}, ${what}. Evaluation “${numbers.evaluation}”${filter ? ` of the samples with ${filter}` : ""}; the numbers are those of assay evaluate ${this.reference}.`),
      tiles(shown.map(([title, key]) => [title, score(numbers[key]), this.pair(key)])));
  }

  notes() {
    const notes = this.numbers.notes ?? [];
    return notes.length === 0 ? null : section("run-notes", "Notes", make("ul", {}, ...notes.map((note) => make("li", {}, note))));
  }

  count(value, filter, label) {
    return value > 0
      ? make("button", { type: "button", class: "plain number", "aria-label": `${label}: ${grouped(value)}`, onclick: () => this.open(filter) }, grouped(value))
      : make("span", { class: "number" }, grouped(value ?? 0));
  }

  name(category, filter) {
    return make("button", { type: "button", class: "plain", title: `Samples of ${category}`, onclick: () => this.open(filter) }, category);
  }

  /// A column of a score per class with its interval.
  column(title, key, help = null) {
    const at = (list, row) => (Array.isArray(list) ? list[row] : list?.[this.classes[row]]) ?? null;
    return {
      title, help, value: (row) => at(this.numbers[key], row),
      cell: (row) => [score(at(this.numbers[key], row)), interval(at(this.pair(key), row))],
    };
  }

  // ---- one label per image ----

  labels() {
    const { numbers, classes } = this;
    const { confusion } = numbers;
    const sums = confusion.map((row) => row.reduce((sum, one) => sum + one, 0));
    const columns = classes.map((_, column) => confusion.reduce((sum, row) => sum + row[column], 0));
    const confusions = [];
    confusion.forEach((row, truth) => row.forEach((count, predicted) => {
      if (truth !== predicted && count > 0) confusions.push({ truth, predicted, count });
    }));
    confusions.sort((a, b) => b.count - a.count);
    const worst = confusions.slice(0, 12).map(({ truth, predicted, count }) => ({
      name: `${classes[truth]} → ${classes[predicted]}`, value: count, pick: () => this.open({ truth: classes[truth], predicted: classes[predicted] }),
      text: `${grouped(count)}, ${((100 * count) / sums[truth]).toFixed(0)} % of ${classes[truth]}`,
    }));
    const matrix = new Matrix({
      rows: classes, columns: classes, sums, count: (row, column) => confusion[row][column], label: "Confusion matrix",
      pick: (row, column) => this.open({ truth: classes[row], predicted: classes[column] }),
    });
    const right = confusion.reduce((sum, row, index) => sum + row[index], 0);
    const table = new SortedTable({
      label: "Classes", rows: classes.map((_, index) => index), by: 4, columns: [
        { title: "Class", value: (row) => classes[row], cell: (row) => this.name(classes[row], { truth: classes[row] }) },
        { title: "n", help: "Samples with this label", value: (row) => sums[row], cell: (row) => this.count(sums[row], { truth: classes[row] }, `Samples of ${classes[row]}`) },
        { title: "wrong", help: "Samples with this label that are predicted as another class", value: (row) => sums[row] - confusion[row][row], cell: (row) => this.count(sums[row] - confusion[row][row], { truth: classes[row], outcome: "wrong" }, `Wrong samples of ${classes[row]}`) },
        this.column("Precision", "precision"), this.column("Recall", "recall"), this.column("F1", "f1"),
        { title: "predicted", help: "Samples that are predicted as this class", value: (row) => columns[row], cell: (row) => this.count(columns[row], { predicted: classes[row] }, `Samples predicted as ${classes[row]}`) },
      ],
    });
    return [
      section("wrong", "Most frequent confusions",
        make("p", {}, this.count(numbers.n - right, { outcome: "wrong" }, "Wrong samples"), ` of ${grouped(numbers.n)} samples are wrong, `, this.count(right, { outcome: "right" }, "Correct samples"), " are correct."),
        confusions.length === 0 ? make("p", {}, "No sample is predicted as another class.") : namedBars(worst)),
      section("classes", "Classes", table.element),
      section("confusion", "Confusion matrix",
        make("p", { class: "muted" }, "Rows are the ground truth, columns the prediction; the color is the share of the row. A click opens the samples of a cell."),
        classes.length <= matrixLimit ? matrix.element : make("p", {}, `${grouped(classes.length)} classes are too many for a matrix; see the lists above.`)),
      this.acceptPart(),
      this.reliability(numbers.ece_bins?.bins, numbers.ece15),
    ];
  }

  acceptPart() {
    const { run, numbers } = this;
    if (!run.accept) return null;
    const steps = run.accept;
    const curve = steps.filter(([, answered]) => answered > 0).map(([, answered, right]) => [answered / numbers.n, right / answered]);
    const low = Math.floor(Math.min(...curve.map(([, accuracy]) => accuracy)) * 10) / 10;
    const ys = [Math.min(low, 0.9), 1];
    const input = make("input", { id: "accept", type: "range", min: "0", max: String(steps.length - 1), step: "1", "aria-describedby": "accept-said" });
    const said = make("p", { id: "accept-said", "aria-live": "polite" });
    const place = make("div", { class: "chart-place" });
    const show = () => {
      const [threshold, answered, right] = steps[input.valueAsNumber];
      const wrong = answered - right;
      fill(said, make("b", {}, `Confidence ≥ ${threshold}`), ": ", this.count(answered, { from: threshold }, "Answered samples"),
        ` of ${grouped(numbers.n)} samples are answered (coverage ${score(answered / numbers.n)}), accuracy ${score(answered > 0 ? right / answered : null)}, `,
        this.count(wrong, { from: threshold, outcome: "wrong" }, "Wrong answers"), " wrong; ",
        this.count(numbers.n - answered, { below: threshold }, "Samples without an answer"), " are left to a person.");
      fill(place, lineChart({
        label: "Accuracy over coverage", xTitle: "coverage (share of samples answered)", yTitle: "accuracy", ys,
        series: [{ name: "accuracy", kind: "first", points: curve }], mark: answered > 0 ? [answered / numbers.n, right / answered] : null,
      }));
    };
    input.value = String(Math.round((this.state().accept ?? 0) * (steps.length - 1)));
    input.addEventListener("input", () => {
      show();
      this.change({ accept: steps[input.valueAsNumber][0] });
    });
    show();
    return section("accept-part", "Answer only if confident", make("label", { for: "accept" }, "Minimum confidence"), input, said, place);
  }

  reliability(bins, error) {
    if (!bins || bins.every((bin) => (bin.n ?? bin.count) === 0)) return null;
    const isLabel = this.run.task === "classification";
    const bars = bins.map((bin) => {
      const count = bin.n ?? bin.count;
      const mean = bin.confidence ?? bin.mean_confidence;
      return {
        low: bin.low, high: bin.high, value: bin.accuracy,
        title: `confidence ${bin.low.toFixed(2)}–${bin.high.toFixed(2)}: ${grouped(count)} ${isLabel ? "samples" : "detections"}, accuracy ${score(bin.accuracy)}, mean confidence ${score(mean)}`,
        pick: isLabel && count > 0 ? () => this.open({ over: bin.low, to: bin.high }) : null,
      };
    });
    return section("reliability", "Reliability",
      make("p", { class: "muted" }, `Bars at the line are calibrated, below it overconfident. Expected calibration error ${score(error)}.${isLabel ? " A click opens the samples of a bar." : ""}`),
      make("div", { class: "chart-place" }, barChart({ label: "Reliability", xTitle: "confidence", yTitle: "accuracy", bars, top: 1, diagonal: true })));
  }

  // ---- masks ----

  masks() {
    const { numbers, classes, run } = this;
    const bins = run.sample_iou;
    const most = Math.max(...bins, 1);
    const step = 10 ** Math.floor(Math.log10(most));
    const bars = bins.map((count, index) => {
      const [low, high] = [index / bins.length, (index + 1) / bins.length];
      const isLast = index === bins.length - 1;
      return {
        low, high, value: count, title: `IoU ${low.toFixed(2)}–${high.toFixed(2)}: ${grouped(count)} samples`,
        pick: count > 0 ? () => this.open({ from: low, [isLast ? "to" : "below"]: isLast ? 1 : high }) : null,
      };
    });
    const labels = numbers.labels ?? classes;
    const sums = numbers.confusion.map((row) => row.reduce((sum, one) => sum + one, 0));
    const matrix = new Matrix({
      rows: labels, columns: labels, sums, count: (row, column) => numbers.confusion[row][column], label: "Confusion of pixels",
      pick: (row) => (classes.includes(labels[row]) ? this.open({ class: labels[row] }) : undefined),
    });
    return [
      section("wrong", "IoU of samples",
        make("p", {}, make("button", { type: "button", onclick: () => this.open({}, { sort: `run(${this.quoted()}).iou` }) }, "Worst samples first"),
          ` ${grouped(bins.reduce((sum, one) => sum + one, 0))} samples have an IoU${run.without_iou ? `, ${grouped(run.without_iou)} have none` : ""}. A click opens the samples of a bar.`),
        make("div", { class: "chart-place" }, barChart({ label: "IoU of samples", xTitle: "IoU", yTitle: "samples", bars, top: Math.ceil(most / step) * step }))),
      section("classes", "Classes", new SortedTable({
        label: "Classes", rows: classes.map((_, index) => index), by: 1, columns: [
          { title: "Class", value: (row) => classes[row], cell: (row) => this.name(classes[row], { class: classes[row] }) },
          this.column("IoU", "class_iou"), this.column("Dice", "class_dice"), this.column("Precision", "precision"), this.column("Recall", "recall"), this.column("Boundary IoU", "class_boundary_iou"),
        ],
      }).element),
      section("confusion", "Confusion of pixels", make("p", { class: "muted" }, "Rows are the ground truth, columns the prediction; counts are pixels. A click opens the samples with the class of the row."), matrix.element),
    ];
  }

  quoted() {
    const name = this.reference;
    return /^[A-Za-z_][\w-]*$/.test(name) ? name : `"${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
  }

  // ---- objects ----

  objects() {
    const { numbers, run } = this;
    const { working } = numbers;
    const ious = run.iou_thresholds;
    const near = ious.findIndex((one) => Math.abs(one - (this.state().iou ?? working.iou)) < 1e-9);
    this.iou = make("input", { id: "iou", type: "range", min: "0", max: String(ious.length - 1), step: "1" });
    this.iou.value = String(Math.max(near, 0));
    this.score = make("input", { id: "score", type: "range", min: "0", max: "1", step: "0.01" });
    this.score.value = String(this.state().score ?? working.score);
    [this.iouSaid, this.scoreSaid] = [make("output", { for: "iou" }), make("output", { for: "score" })];
    this.pointPlace = make("div", { class: "point" });
    this.errorPlace = make("div", {});
    this.curvePlace = make("div", { class: "chart-place" });
    this.confusionPlace = make("div", {});
    this.tablePlace = make("div", {});
    this.curveClass = make("select", { id: "curve-class", onchange: () => this.showCurve() },
      make("option", { value: "" }, "Mean of all classes"), ...this.classes.map((name, index) => make("option", { value: String(index) }, name)));
    const moved = () => {
      this.sayThresholds();
      this.change({ iou: ious[this.iou.valueAsNumber], score: this.score.valueAsNumber });
      this.loadPoint();
    };
    this.iou.addEventListener("input", moved);
    this.score.addEventListener("input", moved);
    this.sayThresholds();
    this.loadPoint();
    return [
      section("point", "Counts at a threshold",
        make("div", { class: "sliders" },
          make("label", { for: "iou" }, "IoU"), this.iou, this.iouSaid,
          make("label", { for: "score" }, "Minimum score"), this.score, this.scoreSaid,
          make("button", { type: "button", onclick: () => {
            this.iou.value = String(Math.max(ious.findIndex((one) => Math.abs(one - working.iou) < 1e-9), 0));
            this.score.value = String(working.score);
            moved();
          } }, `Back to IoU ${working.iou}, score ${working.score}`)),
        this.pointPlace),
      section("errors", "Error types", this.errorPlace),
      section("classes", "Classes", this.tablePlace),
      section("curves", "Precision and recall", make("label", { for: "curve-class" }, "Class "), this.curveClass, this.curvePlace),
      section("confusion", "Confusion of classes", this.confusionPlace),
      this.reliability(numbers.calibration?.bins, numbers.ece15),
    ];
  }

  sayThresholds() {
    this.iouSaid.textContent = this.run.iou_thresholds[this.iou.valueAsNumber].toFixed(2);
    this.scoreSaid.textContent = `≥ ${this.score.valueAsNumber.toFixed(2)}`;
  }

  /// The thresholds as members of a filter.
  at() {
    return { iou: this.run.iou_thresholds[this.iou.valueAsNumber], score: this.score.valueAsNumber };
  }

  /// Loads the counts at the thresholds; of several moves of a slider during a request only the last is loaded.
  async loadPoint() {
    this.isPointOld = true;
    if (this.isLoading) return;
    this.isLoading = true;
    try {
      while (this.isPointOld) {
        this.isPointOld = false;
        const { iou, score: least } = this.at();
        this.point = await fetchPoint(this.reference, iou, least);
        this.showPoint();
      }
    } catch (error) {
      fill(this.pointPlace, make("p", { class: "problem", role: "alert" }, `The counts cannot be loaded: ${error.message ?? error}.`));
    } finally {
      this.isLoading = false;
    }
  }

  showPoint() {
    const { point, classes, numbers } = this;
    const { overall } = point;
    const open = (outcome, category = null) => ({ outcome, class: category, ...this.at() });
    fill(this.pointPlace,
      make("dl", { class: "figures", id: "counts-at" },
        make("div", {}, make("dt", {}, "Correct detections"), make("dd", {}, this.count(overall.true_positives, open("true_positive"), "Correct detections"))),
        make("div", {}, make("dt", {}, "False positives"), make("dd", {}, this.count(overall.false_positives, open("false_positive"), "False positives"))),
        make("div", {}, make("dt", {}, "Missed objects"), make("dd", {}, this.count(overall.false_negatives, open("false_negative"), "Missed objects"))),
        make("div", {}, make("dt", {}, "Precision"), make("dd", {}, score(overall.precision))),
        make("div", {}, make("dt", {}, "Recall"), make("dd", {}, score(overall.recall))),
        make("div", {}, make("dt", {}, "F1"), make("dd", {}, score(overall.f1)))),
      make("p", { class: "muted" }, "Counts are objects; a click opens the samples that have one."));
    const kinds = {
      classification: ["Classification: an object, the wrong class", "classification_errors", "classification_error_cost"],
      localization: ["Localization: the right class, overlap too small", "localization_errors", "localization_error_cost"],
      both: ["Both: wrong class and overlap too small", "both_errors", "both_error_cost"],
      duplicate: ["Duplicate: the object was found already", "duplicates", "duplicate_error_cost"],
      background: ["Background: no object there", "background_errors", "background_error_cost"],
      missed: ["Missed: an object without any detection, whatever the score", "missed", "missed_error_cost"],
    };
    if (point.errors) {
      fill(this.errorPlace, make("p", { class: "muted" }, "Wrong detections from the minimum score on, and ΔAP50 (what AP gains if all errors of the type are fixed, at all scores)."),
        namedBars(Object.entries(kinds).map(([key, [name, outcome, cost]]) => ({
          name, value: point.errors[key] ?? 0, text: `${grouped(point.errors[key] ?? 0)}, ΔAP ${score(numbers[cost])}`,
          pick: point.errors[key] > 0 ? () => this.open({ outcome, ...(outcome === "missed" ? {} : this.at()) }) : null,
        }))));
    } else fill(this.errorPlace, this.workingOnly("Error types"));
    this.showTable(open);
    this.showCurve();
    showConfusion(this);
    void classes;
  }

  workingOnly(what) {
    const { iou } = this.numbers.working;
    return make("p", { class: "muted" }, `${what} are stored for IoU ${iou} only. For another: assay evaluate ${this.run.run} --iou ${this.at().iou}`);
  }

  showTable(open) {
    const { classes, point } = this;
    const live = (title, key, outcome) => ({
      title, value: (row) => point.classes[row][key], cell: (row) => this.count(point.classes[row][key], open(outcome, classes[row]), `${title} of ${classes[row]}`),
    });
    const share = (title, key) => ({ title, value: (row) => point.classes[row][key], cell: (row) => score(point.classes[row][key]) });
    const before = this.table;
    const columns = [
      { title: "Class", value: (row) => classes[row], cell: (row) => make("button", { type: "button", class: "plain", title: "Show its curve", onclick: () => {
        this.curveClass.value = String(row);
        this.showCurve();
        this.curvePlace.scrollIntoView({ block: "nearest" });
      } }, classes[row]) },
      this.column("AP", "per_category_ap"), this.column("AP50", "per_category_ap50"),
      live("correct", "true_positives", "true_positive"), live("false positives", "false_positives", "false_positive"), live("missed", "false_negatives", "false_negative"),
      share("Precision", "precision"), share("Recall", "recall"), share("F1", "f1"),
    ];
    this.table = new SortedTable({ label: "Classes", rows: classes.map((_, index) => index), by: before?.by ?? 1, descending: before?.descending ?? false, columns });
    fill(this.tablePlace, this.table.element);
  }

  showCurve() {
    const { point, run } = this;
    if (!point) return;
    const curves = point.curves.filter(Boolean);
    const place = this.curveClass.value;
    const mean = run.recalls.map((recall, index) => [recall, curves.reduce((sum, curve) => sum + curve[index], 0) / Math.max(curves.length, 1)]);
    const own = place === "" ? null : point.curves[Number(place)];
    const series = [{ name: "mean of all classes", kind: own ? "second" : "first", points: curves.length > 0 ? mean : [] }];
    if (own) series.push({ name: this.classes[Number(place)], kind: "first", points: run.recalls.map((recall, index) => [recall, own[index]]) });
    const at = place === "" ? null : point.classes[Number(place)];
    fill(this.curvePlace, place !== "" && !own ? make("p", { class: "muted" }, `No sample has an object of ${this.classes[Number(place)]}.`) : null,
      lineChart({
        label: "Precision over recall", xTitle: "recall", yTitle: `precision at IoU ${point.iou}`, series,
        mark: at && typeof at.recall === "number" && typeof at.precision === "number" ? [at.recall, at.precision] : null,
      }));
  }
}
