// The datasets behind views, and their classes.

/// Returns the dataset of a view: a dataset, a saved view, or a part of one; undefined for an unknown view.
export function datasetOf({ datasets, views }, view) {
  const byView = (name) => datasets.find((one) => one.name === name)
    ?? datasets.find((one) => one.name === views.find((saved) => saved.name === name)?.dataset);
  return byView(view) ?? byView(view.slice(0, Math.max(view.lastIndexOf("/"), 0)));
}

/// Returns the classes of a dataset, and those of its runs that it does not have.
export function classesOf({ runs }, dataset) {
  const ofRuns = runs.filter((run) => run.dataset === dataset?.name).flatMap((run) => run.classes ?? []);
  return [...new Set([...dataset?.classes ?? [], ...ofRuns])];
}
