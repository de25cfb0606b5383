// The objects that would be lost by using a run's prediction, in words. The rule is the same
// as the server's (TakeLoss).
import { count } from "./dom.js";

function counted(masks, boxes) {
  return [masks && count(masks, "mask"), boxes && count(boxes, "box", "boxes")].filter(Boolean).join(" and ");
}

/// Returns the loss of a class, as "replace 12 masks of person with 12 boxes, which have no
/// pixels"; null if there is none.
function lossOf(category, before, after) {
  const isEmptied = before.masks + before.boxes > 0 && after.masks + after.boxes === 0;
  if (!isEmptied && !(after.boxes > 0 && after.masks < before.masks)) return null;
  const was = counted(before.masks, before.boxes);
  if (isEmptied) return `remove ${was} of ${category}`;
  const pixels = after.masks > 0 ? "" : after.boxes === 1 ? ", which has no pixels" : ", which have no pixels";
  return `replace ${was} of ${category} with ${counted(after.masks, after.boxes)}${pixels}`;
}

/// Returns what `objects` (Objects) of the ground truth would lose if everything that `run`
/// predicts replaced them; may be empty.
export function lossesOf(objects, run) {
  const before = (category) => {
    const own = objects.of(category).filter((item) => !["polyline", "points"].includes(item.shape));
    const boxes = own.filter((item) => item.shape === "box" && !item.isDrawn).length;
    return { boxes, masks: own.length - boxes };
  };
  const losses = (run.taken ?? []).map((one) => lossOf(one.category, before(one.category), one));
  for (const { category, counts } of run.masks ?? []) {
    // A single run of unset pixels covers the whole image: there is nothing of the category.
    if (!hasPixels(counts)) losses.push(lossOf(category, before(category), { masks: 0, boxes: 0 }));
  }
  return losses.filter(Boolean);
}

/// Returns the boxes that others would take the place of, as "replace 4 boxes of person with 7 boxes"; may be empty. What has
/// no other loss can be taken back by one undo.
export function replacedBoxes(objects, run) {
  return (run.taken ?? []).flatMap((one) => {
    const before = objects.of(one.category).filter((item) => item.shape === "box" && !item.isDrawn).length;
    const isKept = before === 0 || one.boxes + one.masks === 0 || objects.of(one.category).length > before;
    return isKept ? [] : [`replace ${count(before, "box", "boxes")} of ${one.category} with ${counted(one.masks, one.boxes)}`];
  });
}

/// Returns whether a COCO string sets a pixel: a single run length sets none.
function hasPixels(counts) {
  let runs = 0;
  for (const character of counts ?? "") {
    if (((character.charCodeAt(0) - 48) & 0x20) === 0) runs += 1;
  }
  return runs > 1;
}
