// The images of the sample page side by side: one for each run, or the ground truth and a run.

/// Returns the panes of the shown sources: `{title, shown}` for each run, with the marks of the ground truth in all of
/// them; for one run the ground truth and the run; none if nothing is drawn in the image. `groups`: the sources with
/// their marks, as in the list beside the image.
export function panesOf(groups) {
  if (!groups.some(({ own }) => own?.regions?.length || own?.objects?.length)) return [];
  const truth = groups.find(({ source }) => source.isTruth);
  const runs = groups.filter(({ source }) => !source.isTruth);
  const pane = ({ source, marks }, besides = []) => ({ title: source.title, shown: [...besides, ...marks] });
  if (runs.length > 1) return runs.map((run) => pane(run, truth?.marks));
  return groups.map((group) => pane(group));
}
