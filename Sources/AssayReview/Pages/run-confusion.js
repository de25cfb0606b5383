// The confusions of a detector's classes, for the page of a run (run-page.js).
import { fill, grouped, make } from "./dom.js";
import { Matrix, namedBars } from "./run-charts.js";

const background = "background";
/// The maximum number of classes with a full confusion matrix; the list of confusions has those of all.
export const matrixLimit = 1200;

/// Shows the most frequent confusions and the matrix at the thresholds of `page`, a RunView.
export function showConfusion(page) {
  const { point, classes } = page;
  if (!point.confused) return fill(page.confusionPlace, page.workingOnly("Confusions"));
  const names = [...classes, background];
  const { score: least } = page.at();
  const cells = new Map(point.confused.map(([truth, found, count]) => [truth * names.length + found, count]));
  const sums = new Array(names.length).fill(0);
  for (const [truth, , count] of point.confused) sums[truth] += count;
  const pick = (truth, found) => page.open({ truth: names[truth], predicted: names[found], score: least });
  const mixed = point.confused.filter(([truth, found]) => truth !== found && truth < classes.length && found < classes.length).slice(0, 12);
  const matrix = new Matrix({
    rows: names, columns: names, sums, count: (row, column) => cells.get(row * names.length + column) ?? 0, pick,
    label: "Confusion of classes", columnTitle: "detected as",
  });
  return fill(page.confusionPlace,
    make("p", { class: "muted" }, "Rows are the ground truth, columns the detections; background is an object that was missed, or a detection without an object."),
    mixed.length === 0 ? make("p", {}, "No object is detected as another class.") : namedBars(mixed.map(([truth, found, count]) => ({
      name: `${names[truth]} → ${names[found]}`, value: count, text: grouped(count), pick: () => pick(truth, found),
    }))),
    classes.length <= matrixLimit ? matrix.element : null);
}
