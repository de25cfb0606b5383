// All keys, in a panel beside the picture.
import { button, make, short } from "./dom.js";
import { decisions, moves, others } from "./keys.js";

/// `key` holds keys that mean the same with a NUL between.
function group(title, lines) {
  if (!lines.length) return null;
  return make("section", {}, make("h3", {}, title),
    make("dl", {}, ...lines.flatMap(({ key, label, hint }) => [
      make("dt", {}, ...key.split("\u0000").map((one) => make("kbd", {}, one))),
      make("dd", {}, label, hint ? make("span", { class: "hint" }, hint) : null),
    ])));
}

const line = (one) => ({ key: [one.key, ...(one.also ?? [])].map(short).join("\u0000"), label: one.label, hint: one.hint });

/// The panel. `canvas` gives the tools' keys in mask mode, `categories` the classes' in label mode.
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

/// What is said in the place of a picture where a queue has none.
export function emptyView() {
  return make("div", { class: "say" }, make("h2", {}, "The queue is empty"),
    make("p", {}, "There is nothing to review. Start another queue with:"),
    make("pre", {}, make("code", {}, "assay review VIEW --order uncertainty")));
}

/// What to do in a review, in words.
export function hintWords({ review, isSet, isLabels }) {
  if (review.task === "detection") {
    return "Drawing boxes is not supported yet. Accept, use the prediction, delete an object or change its class.";
  }
  if (isSet) return "Press the number of each class to add or remove it, then Enter when all labels are right.";
  return isLabels ? "Press the number of what it is, or Enter if the label is right."
    : "Draw what is missing, erase what is too much, then Accept. Everything is saved as you go.";
}
