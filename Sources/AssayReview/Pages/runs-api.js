// The requests of the Runs page: numbers of runs, and the searches for the samples behind them.
import { request } from "./api.js";

function path(name, values) {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(values)) {
    if (value !== null && value !== undefined) query.set(key, String(value));
  }
  return `/api/browse${name}?${query.toString().replaceAll("+", "%20")}`;
}

// The first request for a run reads all of its samples, and computes intervals.
const patience = 600_000;
const answer = async (name, values, options = {}) => (await request(path(name, values), { patience, ...options })).answer;

export const fetchRun = (run, signal) => answer("/run", { run }, { signal });
export const fetchPoint = (run, iou, score, signal) => answer("/run/point", { run, iou, score }, { signal });
export const fetchRunSamples = (run, filter, signal) => answer("/run/samples", { run, ...filter }, { signal });
export const fetchComparison = (a, b, signal) => answer("/comparison", { a, b }, { signal });
