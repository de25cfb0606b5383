// The slices of an evaluation (assay evaluate --by), for the page of a run (run-page.js).
import { grouped, make } from "./dom.js";
import { interval, score, SortedTable } from "./run-charts.js";

/// The metrics of a run's first lines: `[title, key]`.
export const headlineKeys = {
  classification: [["Accuracy", "accuracy"], ["Baseline", "baseline_accuracy"], ["Macro F1", "macro_f1"], ["Balanced accuracy", "balanced_accuracy"], ["ECE", "ece15"]],
  multilabel: [["Subset accuracy", "subset_accuracy"], ["Mean AP", "mean_average_precision"], ["Micro F1", "micro_f1"], ["Macro F1", "macro_f1"], ["Hamming loss", "hamming_loss"]],
  segmentation: [["Mean IoU", "mean_iou"], ["Mean Dice", "mean_dice"], ["mIoU of classes", "miou"], ["mIoU of samples", "sample_miou"], ["IoU, pooled", "iou"], ["Dice, pooled", "dice"], ["Pixel accuracy", "pixel_accuracy"]],
  detection: [["AP", "AP"], ["AP50", "AP50"], ["AP75", "AP75"], ["AR100", "AR100"], ["AP small", "APs"], ["AP medium", "APm"], ["AP large", "APl"]],
};

/// Returns the table of the slices of an evaluation; null if it has none.
export function slicesPart({ slices }, task) {
  if (!slices?.length) return null;
  const keys = headlineKeys[task].filter(([, key]) => slices.some((slice) => typeof slice[key] === "number"));
  return make("section", { id: "slices", class: "part" }, make("h2", {}, `Slices by ${slices[0].by}`), new SortedTable({
    label: "Slices", rows: slices, by: 2, columns: [
      { title: slices[0].by, value: (slice) => slice.value, cell: (slice) => slice.value },
      { title: "n", help: "Samples of the slice", value: (slice) => slice.n, cell: (slice) => grouped(slice.n) },
      ...keys.map(([title, key]) => ({
        title, value: (slice) => slice[key] ?? null, cell: (slice) => [score(slice[key]), interval(slice.intervals?.[key])],
      })),
    ],
  }).element);
}
