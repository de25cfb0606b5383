// What the browse page says instead of the grid or above it: loading, nothing there, a problem, and the next step.
import { Gone } from "./api.js";
import { make } from "./dom.js";

const command = (text) => make("pre", {}, make("code", {}, text));

export function loadingView() {
  return make("p", { class: "muted loading" }, "Loading samples…");
}

/// A catalog without datasets, or a view without samples.
export function noDataView(view = null) {
  if (view) {
    return make("div", { class: "say" }, make("h2", {}, `${view} has no samples`),
      make("p", {}, "Choose another view at the top, or import images:"), command("assay import FOLDER --name NAME"));
  }
  return make("div", { class: "say" }, make("h2", {}, "No datasets yet"),
    make("p", {}, "Import images with or without labels, then reload this page:"), command("assay import FOLDER --name NAME"));
}

export function noMatchView(clear) {
  return make("div", { class: "say" }, make("h2", {}, "No samples match the query"),
    make("p", {}, "Remove a term in the query bar, or show all samples of the view."),
    make("button", { type: "button", onclick: clear }, "Clear the query"));
}

export function problemView(title, reason, retry = null) {
  return make("div", { class: "say" }, make("h2", {}, title), make("p", { role: "alert" }, reason),
    retry ? make("button", { type: "button", onclick: retry }, "Try again") : null);
}

/// Returns whether a dataset has ground truth.
export function hasTruth(dataset) {
  return Boolean(dataset && (dataset.labeled ?? dataset.classes.length > 0));
}

/// Returns the note about the runs of detectors whose objects have no results, or null.
export function noResultsNote(problems) {
  if (problems.length === 0) return null;
  return make("span", {}, ...problems.flatMap(({ run, reason, command: next }, index) => [
    index ? " " : "", `No correct, wrong and missed objects of ${run}: ${reason}. `, make("code", {}, next)]));
}

/// Returns the note about runs of the address that cannot be drawn, or null.
export function unknownRunsNote(names, runs, dataset) {
  const words = names.filter((name) => !runs.some((run) => run.name === name && run.dataset === dataset?.name)).map((name) => {
    const other = runs.find((run) => run.name === name);
    return other ? `${name} is a run over ${other.dataset}.` : `There is no run ${name}.`;
  });
  return words.length ? make("span", {}, words.join(" ")) : null;
}

/// Returns the reason of a failed request as a sentence.
export function reasonOf(error) {
  if (error instanceof Gone) return "The server does not respond. If it has stopped, start it again with assay open.";
  const text = error.message ?? String(error);
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? "" : "."}`;
}

/// Returns the note above a dataset without ground truth, or null.
export function noTruthNote(dataset, runs, chosen) {
  if (!dataset || hasTruth(dataset)) return null;
  if (runs.length === 0) {
    return make("span", {}, `${dataset.name} has no ground truth and no predictions. To see what a model finds: `,
      make("code", {}, `assay predict ${dataset.name} --model MODEL`), " To label its images: ", make("code", {}, `assay review ${dataset.name}`));
  }
  if (chosen.length === 0) return make("span", {}, `${dataset.name} has no ground truth. Choose a run under Show to see its predictions.`);
  return make("span", {}, `${dataset.name} has no ground truth: predictions are shown without right or wrong. To evaluate them, import labels: `,
    make("code", {}, `assay import FOLDER --name ${dataset.name} --replace`));
}
