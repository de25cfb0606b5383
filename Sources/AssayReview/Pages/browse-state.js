// The browse page's state in the address's hash, so that reload, back, forward and shared links work.

export const sizes = { least: 64, most: 480, usual: 168 };
/// Detections below it are not drawn at first: the minimum score that evaluations and reports count with.
export const usualScore = 0.3;
export const results = ["tp", "fp", "fn", "ignored"];
export const kinds = ["boxes", "masks", "keypoints", "labels"];

/// Members: `view`, `where`, `sort`, `descending`, `seed`, `runs` (chosen), `size` (of thumbnails), `at` (the position
/// of the current sample), `sample` (the id of the open sample, or null), `isCorrected` (the corrected ground truth), and how marks are drawn: `hidden` (sources:
/// "truth" or a run's name), `off` (kinds), `score`, `results`, `classes` (empty: all), `color`, `beside` (the open sample once for each run).
export function readState(hash, start) {
  const query = new URLSearchParams(hash.replace(/^#browse[?&]?/, ""));
  const list = (name) => (query.get(name) ? query.get(name).split(",").map(decodeURIComponent) : []);
  const number = (name, usual, least, most) => {
    const value = query.has(name) ? Number(query.get(name)) : NaN;
    return Number.isFinite(value) ? Math.min(Math.max(value, least), most) : usual;
  };
  const isOwn = !query.has("view");
  return {
    view: query.get("view") ?? start.view,
    where: query.get("where") ?? (isOwn ? start.where ?? "" : ""),
    isCorrected: query.has("truth") ? query.get("truth") === "corrected" : isOwn && Boolean(start.isCorrected),
    sort: query.get("sort") ?? "",
    descending: query.get("descending") === "1",
    seed: number("seed", 1, 0, 2 ** 31),
    runs: query.has("runs") || !isOwn ? list("runs") : [...(start.runs ?? [])],
    size: number("size", sizes.usual, sizes.least, sizes.most),
    at: Math.floor(number("at", 0, 0, 2 ** 40)),
    sample: query.get("sample"),
    hidden: list("hidden"),
    off: list("off").filter((one) => kinds.includes(one)),
    score: number("score", usualScore, 0, 1),
    results: list("results").filter((one) => results.includes(one)),
    classes: list("classes"),
    color: query.get("color") === "class" ? "class" : "source",
    beside: query.get("beside") === "1",
  };
}

/// Returns the hash of a state; members with their usual value are left out.
export function hashOf(state) {
  const query = new URLSearchParams();
  const put = (name, value, isUsual) => {
    if (!isUsual) query.set(name, String(value));
  };
  const list = (name, values) => put(name, values.map(encodeURIComponent).join(","), values.length === 0);
  put("view", state.view, false);
  put("where", state.where, !state.where);
  put("truth", "corrected", !state.isCorrected);
  put("sort", state.sort, !state.sort);
  put("descending", "1", !state.descending);
  put("seed", state.seed, state.sort !== "random");
  list("runs", state.runs);
  put("size", state.size, state.size === sizes.usual);
  put("at", state.at, !state.at);
  put("sample", state.sample, state.sample === null || state.sample === undefined);
  for (const name of ["hidden", "off", "results", "classes"]) list(name, state[name]);
  put("score", state.score, state.score === usualScore);
  put("color", state.color, state.color === "source");
  put("beside", "1", !state.beside);
  return `#browse?${query.toString().replaceAll("+", "%20").replaceAll("%2C", ",")}`;
}

/// Returns whether two states draw the same marks in the same way.
export function isSameLook(a, b) {
  const look = ({ runs, hidden, off, score, results: shown, classes, color, beside }) => JSON.stringify(
    [runs, hidden, off, score, shown, classes, color, beside]);
  return look(a) === look(b);
}

/// Returns whether two states select the same samples in the same order.
export function isSameSelection(a, b) {
  return a.view === b.view && a.where === b.where && Boolean(a.isCorrected) === Boolean(b.isCorrected) && a.sort === b.sort && a.descending === b.descending
    && (a.sort !== "random" || a.seed === b.seed);
}
