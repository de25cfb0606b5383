// Sentences and commands about tags.
import { count, grouped } from "./dom.js";

/// The number of samples that a command names by their keys.
const mostKeys = 20;

/// Returns a word as the shell reads it.
export function shellWord(text) {
  if (/^[\w./+=@%:][\w./+=@%:-]*$/.test(text)) return text;
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const quoted = (text) => `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;

/// Returns the command for all samples of a query.
export function queryCommand({ view, where }, tag) {
  // A name that begins with a dash would be an option.
  const name = tag.startsWith("-") ? `-- ${shellWord(view)} ${shellWord(tag)}` : `${shellWord(view)} ${shellWord(tag)}`;
  const filter = where.trim() ? `--where ${shellWord(where)} ` : "";
  return tag.startsWith("-") ? `assay tag ${filter}${name}` : `assay tag ${name} ${filter}`.trim();
}

/// Returns the command for some samples, or the reason why there is none.
export function keysCommand(view, keys, tag) {
  if (keys.length > mostKeys) {
    return { reason: `A command names up to ${mostKeys} samples by their keys. Use a query for ${grouped(keys.length)} samples.` };
  }
  const where = keys.length === 1 ? `key = ${quoted(keys[0])}` : `key in (${keys.map(quoted).join(", ")})`;
  return queryCommand({ view, where }, tag);
}

/// Returns what a change did.
export function resultWords({ tag, removed, samples, changed, already, unreadable, unreadable_samples: bad }) {
  const parts = [];
  if (changed === 0 && already === samples) {
    if (removed) return samples === 1 ? `The sample does not have the tag ${tag}.` : `None of ${count(samples, "sample")} has the tag ${tag}.`;
    return samples === 1 ? `The sample has the tag ${tag} already.` : `All ${grouped(samples)} samples have the tag ${tag} already.`;
  }
  parts.push(removed ? `Removed ${tag} from ${count(changed, "sample")}` : `Tagged ${count(changed, "sample")} as ${tag}`);
  if (already) parts.push(removed ? `${grouped(already)} did not have it` : `${grouped(already)} had it already`);
  if (bad) parts.push(`${count(bad, "image")} cannot be read and ${bad === 1 ? "was" : "were"} left out (${unreadable.join(", ")}${bad > unreadable.length ? ", …" : ""})`);
  return `${parts.join("; ")}.`;
}
