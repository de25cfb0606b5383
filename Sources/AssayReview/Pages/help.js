// All keys, in a panel next to the image.
import { button, make, short } from "./dom.js";
import { decisions, moves, others } from "./keys.js";

/// Builds a group of lines. In `key`, keys with the same meaning are separated by a NUL character.
function group(title, lines) {
  if (!lines.length) return null;
  return make("section", {}, make("h3", {}, title),
    make("dl", {}, ...lines.flatMap(({ key, label, hint }) => [
      make("dt", {}, ...key.split("\u0000").map((one) => make("kbd", {}, one))),
      make("dd", {}, label, hint ? make("span", { class: "hint" }, hint) : null),
    ])));
}

const line = (one) => ({ key: [one.key, ...(one.also ?? [])].map(short).join("\u0000"), label: one.label, hint: one.hint });

/// Builds the panel. `canvas` provides the tools' keys in mask mode, `categories` the classes'
/// keys in label mode.
export function helpView({ canvas, categories, labelKeys, onclose }) {
  const groups = new Map();
  if (canvas) {
    for (const one of [...canvas.tools, ...canvas.actions]) {
      if (one.id === "undo" || one.id === "redo" || !one.key) continue;
      groups.set(one.group, [...(groups.get(one.group) ?? []), line(one)]);
    }
    for (const { keys, label, group: name } of canvas.otherKeys ?? []) {
      groups.set(name, [...(groups.get(name) ?? []), { key: keys, label }]);
    }
  }
  const keys = labelKeys(categories);
  const classes = canvas ? [] : categories.map((label, index) => ({ key: keys[index], label })).filter((one) => one.key);
  const decide = decisions.map((one) => line(canvas || !one.labelKey ? one : { ...one, key: one.labelKey }));
  return make("div", { class: "help" },
    make("h2", {}, "All keys", button("Close", "?", onclose)),
    group("Classes", classes),
    canvas ? null : group("View", [{ key: "+\u0000-", label: "Zoom in, zoom out" }, { key: "←\u0000→", label: "Previous, next" }]),
    group("Decide", decide),
    group("Go", [...moves.map(line), { key: "F6", label: "Next area of the page" }]),
    group("Saving", others.filter((one) => one.id !== "help").map(line)),
    ...[...groups].map(([title, lines]) => group(title, lines)));
}

/// Builds the message shown instead of an image if the queue is empty.
export function emptyView() {
  return make("div", { class: "say" }, make("h2", {}, "The queue is empty"),
    make("p", {}, "There is nothing to review. Start another queue with:"),
    make("pre", {}, make("code", {}, "assay review VIEW --order uncertainty")));
}

/// Returns short instructions for a review.
export function hintWords({ review, session, isSet, isLabels, openSample }) {
  if (review.task === "detection") {
    return "Drag with the box tool (A) to draw a box; drag a selected box or its handles to change it. Shift+I takes one detection.";
  }
  const { objects = [] } = openSample?.detail ?? {};
  if (session.boxes || (objects.length > 0 && objects.every((one) => one.shape === "box"))) {
    return "Drag with the box tool (A) to draw a box; drag a selected box or its handles to change it. Then Accept.";
  }
  if (session.polygons) {
    return "Select a polygon in the list, then drag its vertices or click an edge to add one. The polygon tool (P) draws a new one.";
  }
  if (isSet) return "Press the number of each class to add or remove it, then press Enter when all labels are correct.";
  return isLabels ? "Press the number of the correct class, or Enter if the label is correct."
    : "Draw missing pixels, erase extra pixels, then Accept. Changes are saved automatically.";
}
