// The Runs page's state in the address's hash: `#runs?run=NAME&evaluation=NAME` or `#runs?run=NAME&with=NAME`.

/// Members: `run`, `with` (or null), `evaluation` (or null for `default`; only without `with`), `iou`, `score` and `accept` (or null for the evaluation's own).
export function readRuns(hash, start) {
  const query = new URLSearchParams(hash.replace(/^#runs[?&]?/, ""));
  const share = (name) => {
    const value = query.has(name) ? Number(query.get(name)) : NaN;
    return value >= 0 && value <= 1 ? value : null;
  };
  const isOwn = !query.has("run");
  const other = query.get("with") ?? (isOwn ? start[1] ?? null : null);
  return {
    run: query.get("run") ?? start[0] ?? null, with: other, evaluation: other ? null : query.get("evaluation"),
    iou: share("iou"), score: share("score"), accept: share("accept"),
  };
}

/// Returns the hash of a state; members that are null are left out.
export function runsHash(state) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(state)) if (value !== null && value !== undefined) query.set(name, String(value));
  const text = query.toString().replaceAll("+", "%20");
  return text ? `#runs?${text}` : "#runs";
}
