// A histogram of a numeric field. Dragging over it, or two number fields, choose a range.
import { count, grouped, make } from "./dom.js";

const height = 56;
const width = 216;

/// Returns the number of decimals that still separates two bins of this width.
const digitsOf = (step) => Math.min(Math.max(Math.ceil(-Math.log10(step || 1)) + 1, 0), 8);

/// Returns a number that is short; `round` rounds the last digit.
function rounded(value, step, round = Math.round) {
  if (Number.isInteger(value)) return String(value);
  const scale = 10 ** digitsOf(step);
  return String(Number((round(value * scale) / scale).toFixed(digitsOf(step))));
}

/// Returns the bounds that select what lies between two places of a histogram, `{low, high}` as texts. An end of the
/// histogram has no bound: null. A bound never leaves out a value between the places.
///
/// `from` and `to` are shares of the width. Of whole numbers, the bins that they touch are selected.
export function boundsOf(facet, from, to) {
  const bins = facet.bins ?? [];
  const step = bins[0].high - bins[0].low;
  const index = (share) => Math.min(Math.max(share, 0), bins.length - 1);
  const [first, last] = [index(Math.floor(from * bins.length)), index(Math.ceil(to * bins.length) - 1)];
  // The exact edges of a bin: what is shown is rounded, and would leave out a sample.
  if (isWhole(facet) || first >= last) {
    return { low: first === 0 ? null : String(bins[first].low), high: last >= bins.length - 1 ? null : String(bins[Math.max(first, last)].high) };
  }
  const valueAt = (share) => facet.low + share * (facet.high - facet.low);
  return {
    low: from <= 0 ? null : rounded(valueAt(from), step, Math.floor), high: to >= 1 ? null : rounded(valueAt(to), step, Math.ceil),
  };
}

/// Returns whether the bins are those of whole numbers.
const isWhole = ({ bins, low, high }) => Number.isInteger(low) && Number.isInteger(high) && (bins ?? []).every((bin) => Number.isInteger(bin.low) && Number.isInteger(bin.high));

/// `facet` is the server's; `range` the bounds of the query, `{low, high}`: texts, or null without a bound;
/// `onrange({low, high})` is called with texts or nulls.
export function histogramView(facet, range, onrange) {
  const bins = facet.bins ?? [];
  const step = bins.length ? bins[0].high - bins[0].low : 1;
  const text = (value) => (isWhole(facet) ? String(Math.round(value)) : rounded(value, step));
  const most = Math.max(...bins.map((bin) => bin.count), 1);
  const sum = bins.reduce((total, bin) => total + bin.count, 0);
  const canvas = make("canvas", {
    class: "histogram", role: "img",
    "aria-label": `Histogram of ${facet.title}: ${count(sum, "sample")} from ${text(facet.low)} to ${text(facet.high)}`,
    title: "Drag to choose a range",
  });
  // Without a bound a field is empty, with the end of the histogram as its hint.
  const bounds = { ...range };
  const field = (end, label) => make("input", {
    type: "number", step: "any", name: end, placeholder: text(facet[end]), "aria-label": `${facet.title}, ${label}`,
    onchange: ({ target }) => {
      // A field that is not touched keeps the bound's exact number.
      if (target.validity.badInput) return;
      bounds[end] = target.value === "" ? null : String(target.valueAsNumber);
      apply();
    },
  });
  const fields = { low: field("low", "minimum"), high: field("high", "maximum") };
  const fillFields = ({ low, high }) => {
    for (const [end, bound] of [["low", low], ["high", high]]) fields[end].value = bound === null ? "" : text(Number(bound));
  };
  fillFields(bounds);
  const apply = () => {
    const { low, high } = bounds;
    const isTurned = low !== null && high !== null && Number(low) > Number(high);
    onrange(isTurned ? { low: high, high: low } : { low, high });
  };
  let drag = null;
  const draw = () => {
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    canvas.width = width * ratio;
    canvas.height = height * ratio;
    const context = canvas.getContext("2d");
    context.scale(ratio, ratio);
    const style = getComputedStyle(document.body);
    const color = (name) => style.getPropertyValue(name).trim();
    const each = width / Math.max(bins.length, 1);
    if (drag) {
      context.fillStyle = color("--pressed");
      context.fillRect(Math.min(...drag), 0, Math.abs(drag[1] - drag[0]), height);
    }
    context.fillStyle = color("--bar");
    bins.forEach((bin, index) => {
      // A bin with few samples is still visible.
      const high = bin.count > 0 ? Math.max(bin.count / most * (height - 4), 1.5) : 0;
      context.fillRect(index * each + 0.5, height - high, Math.max(each - 1, 1), high);
    });
    context.fillStyle = color("--muted");
    context.fillRect(0, height - 1, width, 1);
    if (drag) {
      context.fillStyle = color("--accent");
      for (const x of drag) context.fillRect(Math.min(Math.max(x - 1, 0), width - 2), 0, 2, height);
    }
  };
  const placeOf = (event) => {
    const box = canvas.getBoundingClientRect();
    return Math.min(Math.max((event.clientX - box.left) / box.width * width, 0), width);
  };
  const chosen = ([one, other]) => boundsOf(facet, Math.min(one, other) / width, Math.max(one, other) / width);
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || bins.length === 0) return;
    canvas.setPointerCapture(event.pointerId);
    const x = placeOf(event);
    drag = [x, x];
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!drag) return;
    drag[1] = placeOf(event);
    if (Math.abs(drag[1] - drag[0]) >= 3) fillFields(chosen(drag));
    draw();
  });
  canvas.addEventListener("pointerup", () => {
    if (!drag) return;
    // A click means the bin that it hits.
    const [from, to] = Math.abs(drag[1] - drag[0]) < 3 ? [Math.min(drag[0], width - 1), Math.min(drag[0], width - 1)] : drag;
    drag = null;
    Object.assign(bounds, chosen([from, to]));
    fillFields(bounds);
    draw();
    apply();
  });
  canvas.addEventListener("pointercancel", () => {
    drag = null;
    fillFields(bounds);
    draw();
  });
  draw();
  const missing = facet.missing ? make("span", { class: "muted" }, `${grouped(facet.missing)} without`) : null;
  const clear = bounds.low !== null || bounds.high !== null
    ? make("button", { type: "button", class: "plain", onclick: () => onrange({ low: null, high: null }) }, "Clear") : null;
  return make("div", { class: "histogram-facet" }, canvas,
    make("div", { class: "range" }, fields.low, make("span", { "aria-hidden": "true" }, "–"), fields.high, clear, missing));
}
