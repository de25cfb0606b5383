// The parts of a region from the model: which ones are left out, and which become separate objects.
// The rule is the same as the server's (RegionParts).
import { components } from "./morphology.js";
import { areaOf, sharedArea, subtracting, unionOf } from "./run-lengths.js";

/// A part becomes a separate object if it has at least the largest part's number of
/// pixels divided by this.
const instanceDivisor = 10;

/// Returns the smallest part of a predicted mask that is kept, as a share of its pixels. Where a pixel has one class, a
/// dropped part would leave pixels of no class, so all are kept.
export function smallestShare(options, objects) {
  return objects?.isLabelMap ? 0 : options.smallestPart / 100;
}

/// Returns a region without its small parts: {mask, parts, pixels, instanceArea}. Parts with
/// less than `share` (0 to 1) of the region's pixels that share no pixel with `instances` are
/// left out, but never the largest part; `parts` is their number and `pixels` their total
/// area. Of the remaining parts that touch no object, those below `instanceArea` pixels become
/// one new object together.
export function keptParts(mask, instances, share) {
  const all = components(mask);
  if (all.length < 2) return { mask, parts: 0, pixels: 0, instanceArea: 0 };
  const largest = areaOf(all[0]);
  const area = areaOf(mask);
  const least = Math.min(Math.ceil(share * area), largest);
  const dropped = all.filter((part) => areaOf(part) < least && sharedArea(part, instances) === 0);
  const kept = dropped.length > 0
    ? subtracting(mask, unionOf(dropped, mask.width, mask.height)) : mask;
  const left = areaOf(kept);
  return {
    mask: kept, parts: dropped.length, pixels: area - left,
    instanceArea: left > largest ? Math.ceil(largest / instanceDivisor) : 0,
  };
}
