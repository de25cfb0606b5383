// Taking what a run says: what would be lost by it, in words. The rule is the server's own (TakeLoss).
import { count } from "./dom.js";

function counted(masks, boxes) {
  return [masks && count(masks, "mask"), boxes && count(boxes, "box", "boxes")].filter(Boolean).join(" and ");
}

/// What a class would lose, as "replace 12 masks of person with 12 boxes, which have no pixels"; null: nothing.
function lossOf(category, before, after) {
  const isEmptied = before.masks + before.boxes > 0 && after.masks + after.boxes === 0;
  if (!isEmptied && !(after.boxes > 0 && after.masks < before.masks)) return null;
  const was = counted(before.masks, before.boxes);
  if (isEmptied) return `remove ${was} of ${category}`;
  const pixels = after.masks > 0 ? "" : after.boxes === 1 ? ", which has no pixels" : ", which have no pixels";
  return `replace ${was} of ${category} with ${counted(after.masks, after.boxes)}${pixels}`;
}

/// What the truth's `objects` (Objects) would lose if all that `run` says became the truth; empty: nothing.
export function lossesOf(objects, run) {
  const before = (category) => {
    const own = objects.of(category);
    const boxes = own.filter((item) => item.shape === "box" && !item.isDrawn).length;
    return { boxes, masks: own.length - boxes };
  };
  const losses = (run.taken ?? []).map((one) => lossOf(one.category, before(one.category), one));
  for (const { category, counts } of run.masks ?? []) {
    // One stretch that is not set is the whole picture: nothing of the category is there.
    if (!hasPixels(counts)) losses.push(lossOf(category, before(category), { masks: 0, boxes: 0 }));
  }
  return losses.filter(Boolean);
}

/// Whether a COCO string sets a pixel: a single run length sets none.
function hasPixels(counts) {
  let runs = 0;
  for (const character of counts ?? "") {
    if (((character.charCodeAt(0) - 48) & 0x20) === 0) runs += 1;
  }
  return runs > 1;
}
