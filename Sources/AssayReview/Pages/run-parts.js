// What the parts of the Runs page are made of.
import { make } from "./dom.js";
import { interval } from "./run-charts.js";

export function section(id, title, ...children) {
  return make("section", { id, class: "part" }, make("h2", {}, title), ...children);
}

/// Large numbers: `[title, value, interval]`.
export function tiles(rows) {
  return make("dl", { class: "figures" }, ...rows.map(([title, value, pair]) =>
    make("div", {}, make("dt", {}, title), make("dd", {}, value, interval(pair)))));
}
