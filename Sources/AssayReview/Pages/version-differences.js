// What two versions of a sample differ in, in words.
import { count, grouped } from "./dom.js";
import { labelWords } from "./labels.js";
import { areaOf, maskFromCompressed, subtracting } from "./run-lengths.js";

/// Returns the number of pixels of one mask that another does not have.
function pixelsBeyond(one, other, { width, height }) {
  const mask = maskFromCompressed(width, height, one.counts);
  return areaOf(other?.counts ? subtracting(mask, maskFromCompressed(width, height, other.counts)) : mask);
}

function objectWords(one, other, image) {
  const found = [];
  if (one.category !== other.category) found.push(`class ${one.category} in the other version, ${other.category} in the current one`);
  if (one.counts !== other.counts && one.counts && other.counts) {
    found.push(`${grouped(pixelsBeyond(one, other, image))} pixels only in the other version, `
      + `${grouped(pixelsBeyond(other, one, image))} only in the current one`);
  } else if (JSON.stringify(one.box) !== JSON.stringify(other.box)) {
    found.push("another box");
  }
  if (JSON.stringify(one.attributes) !== JSON.stringify(other.attributes)) found.push("other fields");
  return found.join("; ");
}

/// Returns lines like "2 person only in the other version".
function onlyIn(objects, others, place) {
  const known = new Set(others.map((one) => one.target));
  const classes = new Map();
  for (const { target, category } of objects) {
    if (!known.has(target)) classes.set(category, (classes.get(category) ?? 0) + 1);
  }
  return [...classes].map(([name, number]) => `${name}: ${count(number, "object")} only in the ${place}`);
}

const excluded = (reason) => (reason ? `excluded (${reason})` : "not excluded");

/// Returns the differences of the other version `one` and the current version, at most `limit` lines.
export function differences(one, current, image, limit = 8) {
  const lines = [];
  const labels = ({ label, labels: names }) => (names ? labelWords(names) || "none" : label ?? "none");
  if (labels(one) !== labels(current)) lines.push(`label: ${labels(one)} in the other version, ${labels(current)} in the current one`);
  if ((one.left_out ?? null) !== (current.left_out ?? null)) {
    lines.push(`${excluded(one.left_out)} in the other version, ${excluded(current.left_out)} in the current one`);
  }
  const objects = one.objects ?? [];
  const others = current.objects ?? [];
  lines.push(...onlyIn(objects, others, "other version"), ...onlyIn(others, objects, "current version"));
  const byTarget = new Map(others.map((other) => [other.target, other]));
  for (const object of objects) {
    const other = byTarget.get(object.target);
    const words = other ? objectWords(object, other, image) : "";
    if (words) lines.push(`${object.category}: ${words}`);
  }
  if (!lines.length) return ["The two versions are equal."];
  return lines.length > limit ? [...lines.slice(0, limit - 1), `… and ${lines.length - limit + 1} more`] : lines;
}
