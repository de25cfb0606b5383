// The color, the dashes and the name of each source of marks, and which marks are shown. Ground truth is blue and
// solid, the first run orange and dashed, as in the reports.

const truth = { color: "#0072b2", ink: "#fff", dash: [] };
/// Okabe and Ito's colors, which color-blind readers can tell apart. All have black text.
const ofRuns = [
  { color: "#d55e00", ink: "#000", dash: [6, 3] },
  { color: "#cc79a7", ink: "#000", dash: [2, 2] },
  { color: "#009e73", ink: "#000", dash: [8, 2, 2, 2] },
  { color: "#56b4e9", ink: "#000", dash: [3, 5] },
];
export const mostRuns = ofRuns.length;

/// Returns the sources of marks in drawing order: `{name, title, isTruth, color, ink, dash}`.
export function sourcesOf(runs) {
  return [
    { name: "truth", title: "Ground truth", isTruth: true, ...truth },
    ...runs.slice(0, mostRuns).map((name, index) => ({ name: `run ${name}`, run: name, title: name, isTruth: false, ...ofRuns[index] })),
  ];
}

/// Returns a light color of its own for a number; black text on it is readable.
export function numberedColor(number) {
  const hue = Math.round((number * 137.508 + 24) % 360);
  return `hsl(${hue} 80% ${hue > 200 && hue < 300 ? 76 : 68}%)`;
}

/// Returns the color of a class by its place in the dataset's list; a class outside the list has one by its name.
export function classColor(name, classes) {
  const index = classes.indexOf(name);
  if (index >= 0) return numberedColor(index);
  let sum = 0;
  for (const letter of name ?? "") sum = (sum * 31 + letter.codePointAt(0)) % 360;
  return numberedColor(sum);
}

/// Returns whether an object or region is shown. Ground truth has no score and passes each minimum score.
export function isShown(mark, { score, results, classes }) {
  if (classes.length > 0 && !classes.includes(mark.class)) return false;
  if (mark.score !== null && mark.score !== undefined && mark.score < score) return false;
  return results.length === 0 || results.includes(mark.result);
}

/// Names of the results of matching, by their code in the contract.
export const resultNames = {
  tp: "correct (TP)", fp: "false positive (FP)", fn: "missed (FN)", ignored: "ignored",
};

/// Returns a score with two decimals, without rounding 0.996 up to 1.
export function scoreText(score) {
  if (score === null || score === undefined) return "";
  return score < 1 && score >= 0.995 ? "0.99+" : score.toFixed(2);
}
