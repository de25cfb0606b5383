// The objects that using a run's masks would add to the ground truth. The rule is the same as the
// server's (RegionParts): a part of the mask that touches no object is a new object.
import { count } from "./dom.js";
import { Objects } from "./objects.js";
import { keptParts } from "./region-parts.js";
import { isEmpty, maskFromCompressed, symmetricDifference } from "./run-lengths.js";

/// Returns what has to be asked before `run`'s masks replace `objects` (Objects), in words; may be empty. One
/// object for each object of the ground truth, or one where it has none, needs no question. `share`
/// (0 to 1) is the smallest part that is kept.
export function additionsOf(objects, run, share) {
  return (run.masks ?? []).flatMap(({ category, counts }) => {
    const before = objects.of(category).filter((item) => !item.isCrowd).length;
    const added = addedBy(objects, category, counts, share);
    if (before === 0) return added > 1 ? [`make ${count(added, "object")} of ${category}`] : [];
    return added > 0 ? [`add ${count(added, "object")} to the ${grouped(before)} of ${category}`] : [];
  });
}

const grouped = (number) => (number === 1 ? "one" : String(number));

function addedBy(objects, category, counts, share) {
  const { width, height } = objects;
  let mask;
  try {
    mask = maskFromCompressed(width, height, counts);
  } catch {
    return 0;
  }
  const { mask: kept, instanceArea } = keptParts(mask, objects.instances(category), share);
  // The edit is tried on copies.
  const tried = new Objects([], width, height);
  tried.items = objects.of(category).map((item) => Object.assign(Object.create(Object.getPrototypeOf(item)), item));
  const pieces = tried.edit(category, symmetricDifference(objects.region(category), kept), "tried", instanceArea);
  return pieces.filter((piece) => isEmpty(piece.before)).length;
}
