// The actions that change the selected mask as a whole: the shape actions, the model's mask,
// the mask at opening.
import { pixels } from "./dom.js";
import { movePolygons } from "./shape-changes.js";
import { smallestShare } from "./region-parts.js";
import { shapes } from "./shapes.js";
import { actions } from "./tools.js";

/// Runs such an action; false if the id is not one of them.
export function replacing(controller, id) {
  const { editor } = controller;
  const run = {
    "from-truth": () => polygonsAtOpening(controller) || replaced(controller, editor.atOpening, "as it was when opened", "This object did not exist when the sample was opened"),
    "from-model": () => fromModel(controller),
    clear: () => replaced(controller, { width: editor.width, height: editor.height, spans: new Uint32Array(0) }, "cleared"),
  }[id] ?? (shapes[id] ? () => shaped(controller, id) : null);
  if (!run) return false;
  const why = editor.whyNotDrawn;
  if (why) controller.say(why);
  else run();
  return true;
}

/// Restores the vertices of the selected polygon: true if it was a polygon when the sample was opened, and is one.
function polygonsAtOpening(controller) {
  const { editor } = controller;
  const opened = editor.opened.find(editor.target);
  if (!opened?.isPolygon || !editor.objects.find(editor.target)?.isPolygon) return false;
  const isChanged = movePolygons(editor, editor.target, opened.polygons);
  return controller.say(isChanged ? `${editor.subject}: as it was when opened` : "No change");
}

function shaped(controller, id) {
  const { editor } = controller;
  editor.endStroke();
  const from = editor.region.mask;
  const { label } = actions.find((action) => action.id === id);
  const done = (mask) => {
    if (editor.merge(from, mask)) controller.sayArea(label.toLowerCase());
    else controller.say(`${label}: no change`);
  };
  const outcome = controller.workerClient.shape(id, from, 1);
  if (!(outcome instanceof Promise)) return done(outcome);
  const { region } = editor;
  return controller.wait(outcome.then((mask) => {
    if (editor.region === region) done(mask);
  }));
}

/// Uses the model's mask without the parts that are too small.
function fromModel(controller) {
  const { editor } = controller;
  const share = smallestShare(controller.options, editor.objects);
  const clean = (mask) => {
    const kept = editor.keptParts(mask, share);
    const left = kept.parts === 0 ? ""
      : ` without ${kept.parts} small ${kept.parts === 1 ? "part" : "parts"} (${pixels(kept.pixels)})`;
    return { ...kept, done: `prediction used${left}` };
  };
  const outcome = editor.fromModel();
  const missing = editor.model.isDetector && editor.model.boxesOf(editor.category).length > 0
    ? `The run has boxes but no mask of ${editor.category}` : "The run has no mask of this class";
  return replaced(controller, outcome, "prediction used", missing, clean);
}

function replaced(controller, outcome, done, missing, clean = (mask) => ({ mask, instanceArea: 0, done })) {
  const { editor } = controller;
  const { region } = editor;
  if (!outcome) return controller.say(missing);
  const take = (mask) => {
    if (editor.region !== region) return;
    const kept = clean(mask);
    if (editor.replace(kept.mask, kept.instanceArea)) controller.sayArea(kept.done);
    else controller.say("No change");
  };
  return outcome instanceof Promise ? controller.wait(outcome.then(take)) : take(outcome);
}
