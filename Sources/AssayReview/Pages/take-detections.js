// Taking detections of the run (the menu of a detector's review): the one under the pointer, or all of a class.
import { gripAt, sameBox } from "./box-edges.js";
import { count } from "./dom.js";
import { maskFromCompressed } from "./run-lengths.js";
import { addBeside, addShape } from "./shape-changes.js";

/// The overlap from which a detection is taken for an object that is there.
const sameObject = 0.5;

/// Adds the detection at a position ([x, y], or null) as an object of its class; `reach` is how far from its box it may be.
/// Returns what is said about it.
export function takeOne(editor, place, reach) {
  const { model } = editor;
  const found = (place ? model.boxes : [])
    .filter((one) => editor.categories.includes(one.category) && !editor.hidden.has(one.category)
      && one.confidence >= model.score / 2 && gripAt(one.box, ...place, reach) !== null)
    // The smallest, as when an object is selected.
    .sort((a, b) => a.box[2] * a.box[3] - b.box[2] * b.box[3])[0];
  if (!found) return model.isDetector ? "Point at a detection (orange) first" : "The run has no boxes";
  if (editor.objects.of(found.category).some((item) => item.isBox && sameBox(item.box, found.box))) {
    return `This ${found.category} is in the ground truth already`;
  }
  const { category } = editor;
  if (found.counts) {
    if (found.category !== category) editor.setCategory(found.category);
    addMask(editor, found);
  } else if (found.category === category) {
    addShape(editor, { box: found.box });
  } else {
    addBeside(editor, found.category, { box: found.box });
  }
  const subject = found.counts || found.category === category ? editor.subject
    : `${found.category} ${editor.objects.of(found.category).length}`;
  // The class to draw stays: the next box that is drawn must not get the class of the detection.
  if (editor.category !== category) editor.setCategory(category);
  return `${subject}: taken from the run, ${found.confidence.toFixed(2)}`;
}

/// Adds the detections of the selected class that using the prediction would copy, without those of objects that are there:
/// an object of the class whose box overlaps by at least half. One undo takes them back. Returns what is said about it.
export function takeAll(editor) {
  const { category, model } = editor;
  if (!model.isDetector) return "The run has no boxes";
  const found = model.boxesOf(category);
  const limit = model.score.toFixed(2);
  if (found.length === 0) return `The run has no ${category} with a confidence of at least ${limit}`;
  const there = editor.objects.of(category).map((item) => (item.isBox ? item.box : item.bounds)).filter(Boolean);
  const missing = found.filter((one) => !there.some((box) => overlap(box, one.box) >= sameObject));
  const known = found.length - missing.length;
  if (missing.length === 0) {
    return `All ${count(known, "detection", "detections")} of ${category} are in the ground truth already`;
  }
  editor.group(() => {
    for (const one of missing) {
      if (one.counts) addMask(editor, one);
      else addShape(editor, { box: one.box });
    }
  });
  return `${category}: ${count(missing.length, "detection", "detections")} of at least ${limit} taken from the run`
    + (known > 0 ? `; ${known} left out, which overlap objects that are there` : "");
}

function addMask(editor, { counts }) {
  editor.newObject();
  editor.replace(maskFromCompressed(editor.width, editor.height, counts));
}

/// Returns the intersection of two boxes [x, y, width, height] over their union.
function overlap(one, other) {
  const side = (at) => Math.min(one[at] + one[at + 2], other[at] + other[at + 2]) - Math.max(one[at], other[at]);
  const shared = Math.max(side(0), 0) * Math.max(side(1), 0);
  const all = one[2] * one[3] + other[2] * other[3] - shared;
  return all > 0 ? shared / all : 0;
}
