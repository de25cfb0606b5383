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

/// A value as it is written: a word, or a text in quotes.
const value = String.raw`(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^\s,"'()]+)`;
const onlyValue = new RegExp(`^${value}$`);
const onlyValues = new RegExp(String.raw`^\(\s*${value}(?:\s*,\s*${value})*\s*\)$`);

/// Returns the term that gives a field one of several values, `{term, members}`, such as of `split = train` and of
/// `split in (train, test)`; null without one.
function choiceIn(where, field) {
  for (const term of conjunctsOf(where)) {
    const one = term.startsWith(`${field} = `) ? term.slice(field.length + 3).trim() : "";
    if (onlyValue.test(one)) return { term, members: [one] };
    const several = term.startsWith(`${field} in (`) ? term.slice(field.length + 4).trim() : "";
    if (onlyValues.test(several)) return { term, members: several.match(new RegExp(value, "g")) };
  }
  return null;
}

/// The values that an expression gives a field, as they are written.
export const membersIn = (where, field) => choiceIn(where, field)?.members ?? [];

/// Replaces the values of a field, in their place; none removes the term.
export function withMembers(where, field, members) {
  const term = members.length > 1 ? `${field} in (${members.join(", ")})` : `${field} = ${members[0]}`;
  const found = choiceIn(where, field);
  if (members.length === 0) return found ? withoutTerm(where, found.term) : where.trim();
  if (!found) return withTerm(where, term);
  return conjunctsOf(where).map((one) => (one === found.term ? term : one)).join(" and ");
}

/// Returns the terms that bound a field, such as `width in 40..64`, `width >= 40` and `width <= 64`, as `{term, low, high}`:
/// texts, or null without a bound. `template` is the server's, with LOW and HIGH.
function boundTerms(where, template) {
  const number = "(-?\\d+(?:\\.\\d+)?(?:[eE][-+]?\\d+)?)";
  const field = template.replace(/ in LOW\.\.HIGH$/, "").replaceAll(/[^\w\s]/g, "\\$&");
  const within = new RegExp(`^${field} in ${number}\\.\\.${number}$`);
  const beyond = new RegExp(`^${field} ([<>])= ${number}$`);
  return conjunctsOf(where).flatMap((term) => {
    const both = within.exec(term);
    if (both) return [{ term, low: both[1], high: both[2] }];
    const one = beyond.exec(term);
    return one ? [{ term, low: one[1] === ">" ? one[2] : null, high: one[1] === "<" ? one[2] : null }] : [];
  });
}

/// Returns the bounds of a field in an expression: `{low, high}`, texts, or null without a bound.
export function boundsIn(where, template) {
  const terms = boundTerms(where, template);
  return { low: terms.find((one) => one.low !== null)?.low ?? null, high: terms.find((one) => one.high !== null)?.high ?? null };
}

/// Replaces the bounds of a field; null for no bound.
export function withRange(where, template, low, high) {
  const rest = boundTerms(where, template).reduce((text, { term }) => withoutTerm(text, term), where).trim();
  const field = template.replace(/ in LOW\.\.HIGH$/, "");
  if (low === null && high === null) return rest;
  if (high === null) return withTerm(rest, `${field} >= ${low}`);
  if (low === null) return withTerm(rest, `${field} <= ${high}`);
  return withTerm(rest, template.replace("LOW", low).replace("HIGH", high));
}
