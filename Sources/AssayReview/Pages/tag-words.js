// Sentences and commands about tags and custom fields.
import { count, grouped } from "./dom.js";
import { valueText } from "./field-form.js";

/// The number of samples that a command names by their keys.
const mostKeys = 20;

/// Returns a word as the shell reads it.
export function shellWord(text) {
  if (/^[\w./+=@%:][\w./+=@%:-]*$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const quoted = (text) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/// Returns an edit of a custom field as `assay field` takes it: `lighting=dim`.
export function fieldWord({ field, value }) {
  return `${field}=${valueText(value)}`;
}

/// Returns the command `tag` or `field` for all samples of a query, or for their objects.
export function queryCommand(command, { view, where, isCorrected }, word, objects = null) {
  // A name that begins with a dash would be an option.
  const name = word.startsWith("-") ? `-- ${shellWord(view)} ${shellWord(word)}` : `${shellWord(view)} ${shellWord(word)}`;
  const about = objects === null ? `${isCorrected ? "--corrected " : ""}` : `--objects ${shellWord(objects)} `;
  const filter = `${where.trim() ? `--where ${shellWord(where)} ` : ""}${about}`;
  return word.startsWith("-") ? `assay ${command} ${filter}${name}` : `assay ${command} ${name} ${filter}`.trim();
}

/// Returns the command for some samples, or the reason why there is none.
export function keysCommand(command, { view, isCorrected }, keys, word, objects = null) {
  if (keys.length > mostKeys) {
    return { reason: `A command names up to ${mostKeys} samples by their keys. Use a query for ${grouped(keys.length)} samples.` };
  }
  const where = keys.length === 1 ? `key = ${quoted(keys[0])}` : `key in (${keys.map(quoted).join(", ")})`;
  return queryCommand(command, { view, where, isCorrected }, word, objects);
}

/// Returns what a change did.
export function resultWords({ tag, field, value, removed, samples, objects, changed, already, unreadable, unreadable_samples: bad }) {
  if (objects !== null) return objectWords({ what: tag ?? `${field}${removed ? "" : ` = ${valueText(value)}`}`, removed, samples, objects, changed, already });
  const parts = [];
  if (field !== undefined) {
    const what = removed ? field : `${field} = ${valueText(value)}`;
    if (changed === 0 && already === samples) {
      return removed ? `No field ${field} to remove.` : `${samples === 1 ? "The sample has" : `All ${grouped(samples)} samples have`} ${what} already.`;
    }
    parts.push(removed ? `Removed ${what} from ${count(changed, "sample")}` : `Set ${what} for ${count(changed, "sample")}`);
    if (already) parts.push(`${grouped(already)} ${removed ? "did not have it" : "had it already"}`);
    return `${[...parts, ...unread(bad, unreadable)].join("; ")}.`;
  }
  if (changed === 0 && already === samples) {
    if (removed) return samples === 1 ? `The sample does not have the tag ${tag}.` : `None of ${count(samples, "sample")} has the tag ${tag}.`;
    return samples === 1 ? `The sample has the tag ${tag} already.` : `All ${grouped(samples)} samples have the tag ${tag} already.`;
  }
  parts.push(removed ? `Removed ${tag} from ${count(changed, "sample")}` : `Tagged ${count(changed, "sample")} as ${tag}`);
  if (already) parts.push(removed ? `${grouped(already)} did not have it` : `${grouped(already)} had it already`);
  return `${[...parts, ...unread(bad, unreadable)].join("; ")}.`;
}

function objectWords({ what, removed, samples, objects, changed, already }) {
  if (objects === 0) return "No object of these samples fulfills the condition.";
  if (changed === 0) return `${count(objects, "object")} ${removed ? "did not have" : "had"} ${what} already.`;
  const parts = [`${removed ? `Removed ${what} from` : `Set ${what} for`} ${count(changed, "object")} of ${count(samples, "sample")}`];
  if (already) parts.push(`${grouped(already)} ${removed ? "did not have it" : "had it already"}`);
  return `${parts.join("; ")}. They are in the corrected ground truth.`;
}

function unread(bad, keys) {
  if (!bad) return [];
  return [`${count(bad, "image")} cannot be read and ${bad === 1 ? "was" : "were"} left out (${keys.join(", ")}${bad > keys.length ? ", …" : ""})`];
}
