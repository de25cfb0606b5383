// A histogram of a numeric field. Dragging over it, or two number fields, choose a range.
import { count, grouped, make } from "./dom.js";

const height = 56;
const width = 216;

/// Returns a number that is short and still separates two bins of this width.
function rounded(value, step) {
  if (Number.isInteger(value)) return String(value);
  const digits = Math.min(Math.max(Math.ceil(-Math.log10(step || 1)) + 1, 0), 8);
  return String(Number(value.toFixed(digits)));
}

/// `facet` is the server's; `range` the chosen `[low, high]` or null; `onrange(low, high)` is called with texts.
export function histogramView(facet, range, onrange) {
  const bins = facet.bins ?? [];
  const step = bins.length ? bins[0].high - bins[0].low : 1;
  const isWhole = Number.isInteger(facet.low) && Number.isInteger(facet.high) && facet.high - facet.low >= 2;
  const text = (value) => (isWhole ? String(Math.round(value)) : rounded(value, step));
  const most = Math.max(...bins.map((bin) => bin.count), 1);
  const sum = bins.reduce((total, bin) => total + bin.count, 0);
  const canvas = make("canvas", {
    class: "histogram", role: "img",
    "aria-label": `Histogram of ${facet.title}: ${count(sum, "sample")} from ${text(facet.low)} to ${text(facet.high)}`,
    title: "Drag to choose a range",
  });
  const field = (name, value, label) => make("input", {
    type: "number", step: "any", name, value: text(value), "aria-label": `${facet.title}, ${label}`, onchange: () => apply(),
  });
  const low = field("low", range ? Number(range[0]) : facet.low, "minimum");
  const high = field("high", range ? Number(range[1]) : facet.high, "maximum");
  const apply = () => {
    const [from, to] = [low.valueAsNumber, high.valueAsNumber];
    if (!Number.isFinite(from) || !Number.isFinite(to)) return;
    onrange(String(Math.min(from, to)), String(Math.max(from, to)));
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
  const valueAt = (x) => facet.low + x / width * (facet.high - facet.low);
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    canvas.setPointerCapture(event.pointerId);
    const x = placeOf(event);
    drag = [x, x];
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!drag) return;
    drag[1] = placeOf(event);
    low.value = text(valueAt(Math.min(...drag)));
    high.value = text(valueAt(Math.max(...drag)));
    draw();
  });
  canvas.addEventListener("pointerup", () => {
    const [from, to] = drag ?? [0, 0];
    drag = null;
    // A click means the bin that it hits.
    if (Math.abs(to - from) < 3 && bins.length) {
      const bin = bins[Math.min(Math.floor(from / width * bins.length), bins.length - 1)];
      low.value = text(bin.low);
      high.value = text(bin.high);
    }
    draw();
    apply();
  });
  canvas.addEventListener("pointercancel", () => {
    drag = null;
    draw();
  });
  draw();
  const missing = facet.missing ? make("span", { class: "muted" }, `${grouped(facet.missing)} without`) : null;
  const clear = range ? make("button", { type: "button", class: "plain", onclick: () => onrange(null, null) }, "Clear") : null;
  return make("div", { class: "histogram-facet" }, canvas,
    make("div", { class: "range" }, low, make("span", { "aria-hidden": "true" }, "–"), high, clear, missing));
}
