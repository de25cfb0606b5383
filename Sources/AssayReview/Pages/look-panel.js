// What is drawn on the images: sources, kinds, classes, minimum score, results, colors.
import { grouped, make } from "./dom.js";
import { kinds, results } from "./browse-state.js";
import { mostRuns, resultNames, sourcesOf } from "./mark-style.js";

const kindNames = { boxes: "Boxes", masks: "Masks", keypoints: "Keypoints", labels: "Labels" };

function checkbox(label, isOn, onchange, name) {
  return make("label", { class: "check" },
    make("input", { type: "checkbox", checked: isOn, name, onchange: (event) => onchange(event.target.checked) }), label);
}

/// Returns a list with a value added or removed.
const toggled = (list, value, isIn) => (isIn ? [...list.filter((one) => one !== value), value] : list.filter((one) => one !== value));

/// Fills the panel. `state` is read at each change; `change(members)` applies it.
export function fillLookPanel(panel, { state, runs, classes, change }) {
  const group = (title, ...children) => make("fieldset", {}, make("legend", {}, title), ...children);
  const runChecks = runs.map((run) => {
    const isChosen = state().runs.includes(run.name);
    const label = make("span", {}, run.name, make("span", { class: "muted" },
      ` ${run.evaluated ? "" : "not evaluated, "}${grouped(run.samples)} samples`));
    const check = checkbox(label, isChosen, (isOn) => {
      change({ runs: toggled(state().runs, run.name, isOn) });
      limit();
    }, `run-${run.name}`);
    return check;
  });
  const limit = () => {
    for (const check of runChecks) {
      const box = check.querySelector("input");
      box.disabled = !box.checked && state().runs.length >= mostRuns;
    }
  };
  limit();
  const value = make("output", { for: "least-score" }, state().score.toFixed(2));
  const slider = make("input", {
    id: "least-score", type: "range", "aria-label": "Minimum score of predictions", min: "0", max: "1", step: "0.01", value: state().score,
    oninput: (event) => {
      value.textContent = event.target.valueAsNumber.toFixed(2);
      change({ score: event.target.valueAsNumber });
    },
  });
  const shownClasses = make("div", { class: "class-list" });
  const listClasses = (part) => {
    const found = classes.filter((name) => name.toLowerCase().includes(part.toLowerCase())).slice(0, 40);
    shownClasses.replaceChildren(...found.map((name) => checkbox(name, state().classes.includes(name), (isOn) => {
      change({ classes: toggled(state().classes, name, isOn) });
    }, "class")));
  };
  listClasses("");
  panel.replaceChildren(
    runs.length ? group("Runs", ...runChecks)
      : group("Runs", make("p", { class: "muted" }, "No predictions yet. Run a model:"),
        make("pre", {}, make("code", {}, `assay predict ${state().view} --model MODEL`))),
    group("Draw", make("div", { class: "row-of-checks" }, ...kinds.map((kind) => checkbox(kindNames[kind], !state().off.includes(kind),
      (isOn) => change({ off: toggled(state().off, kind, !isOn) }), kind)))),
    group("Color", make("div", { class: "row-of-checks" }, ...["source", "class"].map((one) => make("label", { class: "check" },
      make("input", { type: "radio", name: "color", value: one, checked: state().color === one, onchange: () => change({ color: one }) }),
      one === "source" ? "By source" : "By class")))),
    group("Minimum score of predictions", make("div", { class: "slider" }, slider, value)),
    group("Only results", make("div", { class: "row-of-checks" }, ...results.map((one) => checkbox(resultNames[one], state().results.includes(one),
      (isOn) => change({ results: toggled(state().results, one, isOn) }), one)))),
    classes.length ? group("Only classes",
      make("input", { type: "search", placeholder: "Find a class", "aria-label": "Find a class", oninput: (event) => listClasses(event.target.value) }),
      shownClasses) : "",
  );
}

/// Returns the buttons that show and hide each source. They are the legend, too: each has its line.
/// `hasTruth`: false for a dataset without ground truth.
export function sourceButtons(state, hasTruth, change) {
  return sourcesOf(state.runs).filter((source) => hasTruth || !source.isTruth).map((source) => {
    const isOn = !state.hidden.includes(source.name);
    const sample = make("canvas", { width: 44, height: 16, "aria-hidden": "true" });
    const context = sample.getContext("2d");
    context.scale(2, 2);
    context.strokeStyle = source.color;
    context.lineWidth = 2;
    context.setLineDash(source.dash);
    context.beginPath();
    context.moveTo(1, 4);
    context.lineTo(21, 4);
    context.stroke();
    return make("button", {
      type: "button", class: "source", "aria-pressed": String(isOn), "data-source": source.name,
      title: `${isOn ? "Hide" : "Show"} ${source.isTruth ? "the ground truth" : `the predictions of ${source.title}`}`,
      onclick: () => change({ hidden: isOn ? [...state.hidden, source.name] : state.hidden.filter((one) => one !== source.name) }),
    }, sample, source.title);
  });
}
