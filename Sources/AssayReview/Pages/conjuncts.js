// Adds a term to an expression and removes it again, without parsing more than the joints: a click on a facet is a
// conjunct that can be read in the query bar.

/// Splits an expression at a word outside quotes and parentheses, such as `and`.
function splitAt(text, word) {
  const parts = [];
  let depth = 0;
  let quote = null;
  let start = 0;
  const joint = new RegExp(`^${word}(?![\\w-])`, "i");
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if (quote) {
      if (letter === "\\") at += 1;
      else if (letter === quote) quote = null;
    } else if (letter === '"' || letter === "'") quote = letter;
    else if (letter === "(") depth += 1;
    else if (letter === ")") depth -= 1;
    else if (depth === 0 && !/[\w-]/.test(text[at - 1] ?? " ") && joint.test(text.slice(at, at + word.length + 1))) {
      parts.push(text.slice(start, at));
      start = at + word.length;
      at = start - 1;
    }
  }
  parts.push(text.slice(start));
  return parts.map((part) => part.trim());
}

/// Returns the terms that the expression joins with `and`; one term if it joins them otherwise.
function conjunctsOf(where) {
  const text = where.trim();
  if (!text) return [];
  if (splitAt(text, "or").length > 1) return [text];
  return splitAt(text, "and").filter(Boolean);
}

export function hasTerm(where, term) {
  return conjunctsOf(where).includes(term.trim());
}

export function withTerm(where, term) {
  const terms = conjunctsOf(where);
  if (terms.includes(term)) return where.trim();
  const isJoined = terms.length === 1 && splitAt(terms[0], "or").length > 1;
  return [...(isJoined ? [`(${terms[0]})`] : terms), term].join(" and ");
}

export function withoutTerm(where, term) {
  return conjunctsOf(where).filter((one) => one !== term.trim()).join(" and ");
}

/// Returns the terms of a range of a field, such as `width in 40..64`. `template` is the server's, with LOW and HIGH.
export function rangesOf(where, template) {
  const [before, between, after] = template.split(/LOW|HIGH/);
  const isRange = (term) => term.startsWith(before) && term.endsWith(after) && term.slice(before.length).includes(between);
  return conjunctsOf(where).filter(isRange);
}

/// Replaces the range of a field; `low` and `high` null removes it.
export function withRange(where, template, low, high) {
  const rest = rangesOf(where, template).reduce(withoutTerm, where);
  if (low === null || high === null) return rest.trim();
  return withTerm(rest, template.replace("LOW", low).replace("HIGH", high));
}
