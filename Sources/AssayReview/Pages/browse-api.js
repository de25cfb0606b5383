// The browse page's requests: what `assay open` answers below /api/browse.
import { Refusal, request, requestBytes } from "./api.js";

/// Builds a path with a query string; null, undefined and false are left out.
function path(name, values = {}) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value === null || value === undefined || value === false) continue;
    query.set(key, value === true ? "1" : String(value));
  }
  const text = query.toString().replaceAll("+", "%20");
  return `/api/browse${name}${text ? `?${text}` : ""}`;
}

/// The members of a query that select and order samples.
const selection = ({ view, where, isCorrected }) => ({ view, where: where ?? "", corrected: Boolean(isCorrected) });
const order = ({ sort, descending, seed }) => ({
  sort: sort ?? "", descending: Boolean(descending), seed: sort === "random" ? seed : null,
});

const answer = async (name, values, options) => (await request(path(name, values), options)).answer;

export const fetchItems = (query, from, limit, signal) =>
  answer("/samples", { ...selection(query), ...order(query), from, limit }, { signal, patience: 60000 });

export const fetchMarks = (ids, { runs, side, isCorrected }, signal) =>
  answer("/marks", { ids: ids.join(","), runs: runs.join(","), side, corrected: isCorrected }, { signal });

/// `only` is the one field to count; all if it is undefined.
export const fetchFacets = (query, runs, signal, only) =>
  answer("/facets", { ...selection(query), runs: runs.join(","), only }, { signal, patience: 60000 });

export const fetchCompletions = ({ view, isCorrected }, text, at, signal) =>
  answer("/complete", { view, text, at, corrected: isCorrected }, { signal });

export const fetchDetail = (id, { runs, isCorrected }, signal) =>
  answer(`/samples/${encodeURIComponent(id)}`, { runs: runs.join(","), corrected: isCorrected }, { signal });

export const fetchCommand = (query) => answer("/command", { ...selection(query), ...order(query) });

export const fetchCSV = (query) => requestBytes(path("/csv", { ...selection(query), ...order(query) }));

export const postView = async (name, { view, where, isCorrected }) =>
  (await request(path("/views"), { method: "POST", body: { name, view, where, corrected: Boolean(isCorrected) } })).answer;

/// Puts the samples of a search into a queue; ranking them by a run takes its time. Returns {name}.
export const postReview = async ({ view, where, isCorrected, runs }) => (await request(path("/reviews"), {
  method: "POST", body: { view, where, corrected: Boolean(isCorrected), runs: runs.length === 1 ? runs : [] }, patience: 600000,
})).answer;

/// Adds or removes a tag; images may have to be read first, which takes its time.
export const postTag = async (body) => (await request(path("/tags"), { method: "POST", body, patience: 600000 })).answer;

/// Returns `{message, offset, expression}` if the server refused an expression; else null. The offset counts UTF-8 bytes.
export function expressionProblem(error) {
  if (!(error instanceof Refusal)) return null;
  const refused = typeof error.answer?.error === "object" ? error.answer.error : { ...error.answer, code: error.code };
  if (refused?.code !== "badExpression") return null;
  return { message: refused.message, offset: refused.offset ?? null, expression: refused.expression ?? null };
}

/// Returns the position in a text (in UTF-16 units) of an offset in UTF-8 bytes.
export function positionOf(text, offset) {
  const bytes = new TextEncoder().encode(text).subarray(0, Math.max(offset, 0));
  return new TextDecoder().decode(bytes).length;
}

/// Returns the offset in UTF-8 bytes of a position in a text.
export function offsetOf(text, position) {
  return new TextEncoder().encode(text.slice(0, position)).length;
}
