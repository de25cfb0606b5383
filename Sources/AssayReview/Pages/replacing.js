// What gives the mask in hand another shape as a whole: the shape actions, the model's mask, the mask at opening.
import { pixels } from "./dom.js";
import { shapes } from "./shapes.js";
import { actions } from "./tools.js";

/// Runs an action of that kind; false where the id is none.
export function replacing(stage, id) {
  const { editor } = stage;
  const run = {
    "from-truth": () => replaced(stage, editor.atOpening, "as it was at opening", "This object was not there at opening"),
    "from-model": () => fromModel(stage),
    clear: () => replaced(stage, { width: editor.width, height: editor.height, spans: new Uint32Array(0) }, "cleared"),
  }[id] ?? (shapes[id] ? () => shaped(stage, id) : null);
  if (!run) return false;
  const why = editor.whyNotDrawn;
  if (why) stage.say(why);
  else run();
  return true;
}

function shaped(stage, id) {
  const { editor } = stage;
  editor.endStroke();
  const from = editor.region.mask;
  const { label } = actions.find((action) => action.id === id);
  const done = (mask) => {
    if (editor.merge(from, mask)) stage.sayArea(label.toLowerCase());
    else stage.say(`${label}: nothing changes`);
  };
  const outcome = stage.works.shape(id, from, 1);
  if (!(outcome instanceof Promise)) return done(outcome);
  const { region } = editor;
  return stage.wait(outcome.then((mask) => {
    if (editor.region === region) done(mask);
  }));
}

/// The model's mask without the parts that are too small to be meant.
function fromModel(stage) {
  const { editor } = stage;
  const share = stage.options.smallestPart / 100;
  const clean = (mask) => {
    const kept = editor.keptParts(mask, share);
    const left = kept.parts === 0 ? ""
      : ` without ${kept.parts} small ${kept.parts === 1 ? "part" : "parts"} (${pixels(kept.pixels)})`;
    return { ...kept, done: `the model's${left}` };
  };
  const outcome = editor.fromModel();
  const missing = editor.model.isDetector && editor.model.boxesOf(editor.category).length > 0
    ? `The run has boxes of ${editor.category} and no mask of it` : "The run has no mask of this category";
  return replaced(stage, outcome, "the model's now", missing, clean);
}

function replaced(stage, outcome, done, missing, clean = (mask) => ({ mask, instanceArea: 0, done })) {
  const { editor } = stage;
  const { region } = editor;
  if (!outcome) return stage.say(missing);
  const take = (mask) => {
    if (editor.region !== region) return;
    const kept = clean(mask);
    if (editor.replace(kept.mask, kept.instanceArea)) stage.sayArea(kept.done);
    else stage.say("It is that already");
  };
  return outcome instanceof Promise ? stage.wait(outcome.then(take)) : take(outcome);
}
