// The parts of a region that comes from the model: which are left out, and which become objects of their own. The
// rule is the server's own (RegionParts).
import { components } from "./morphology.js";
import { areaOf, sharedArea, subtracting, unionOf } from "./run-lengths.js";

/// A part is an object of its own from one in this many of the largest part's pixels on.
const instanceDivisor = 10;

/// A region without its small parts: {mask, parts, pixels, instanceArea}. Left out are parts with less than `share`
/// (0 to 1) of the region's pixels that share none with `instances`, though never the largest; `parts` counts them
/// and `pixels` what they had together. Of the others that touch no object those below `instanceArea` pixels are one
/// new object together.
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
