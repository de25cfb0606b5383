// The facets beside the grid: for each field its values with counts, or a histogram. A click adds a term to the query.
import { fetchFacets } from "./browse-api.js";
import { boundsIn, hasTerm, membersIn, withMembers, withoutTerm, withRange, withTerm } from "./conjuncts.js";
import { count as counted, fill, grouped, make, remembered } from "./dom.js";
import { histogramView } from "./histogram.js";

const fewValues = 8;
/// Facets that are open until the person closes them.
const openAtFirst = 5;

/// The value of a term such as `split = train`, as it is written.
const memberOf = (facet, term) => term.slice(facet.field.length + 3);

/// Counts the fields of a search. Of a field of which a sample has one value, and the search chooses some, the others
/// are counted as without that choice: they can be chosen beside them. `before` are the facets of the search before.
export async function countFacets(state, before, signal) {
  const { facets } = await fetchFacets(state, state.runs, signal);
  const counted = new Set(facets.map((facet) => facet.field));
  const known = [...facets, ...before.filter((facet) => !counted.has(facet.field))];
  for (const { kind, field, selection } of known) {
    if (kind !== "values" || selection === "all" || membersIn(state.where, field).length === 0) continue;
    const where = withMembers(state.where, field, []);
    const wider = await fetchFacets({ ...state, where }, state.runs, signal, field);
    const place = facets.findIndex((facet) => facet.field === field);
    if (wider.facets.length > 0) facets.splice(Math.max(place, 0), place < 0 ? 0 : 1, wider.facets[0]);
  }
  return facets;
}

/// Events: `where` with `detail.where` when a click changes the query, `retry`.
export class Facets extends EventTarget {
  constructor(host) {
    super();
    this.host = host;
    this.where = "";
    this.facets = null;
    /// The facets whose list is shown completely.
    this.long = new Set();
    try {
      this.folded = new Map(JSON.parse(remembered.get("facets") ?? "[]"));
    } catch {
      this.folded = new Map();
    }
  }

  /// Shows that the counts of a new query are on their way; the old ones stay, so that nothing jumps. A click is about
  /// the new query already.
  wait(where) {
    this.where = where;
    this.host.setAttribute("aria-busy", "true");
    if (!this.facets) fill(this.host, make("p", { class: "muted" }, "Counting…"));
  }

  show(facets, where) {
    this.facets = facets;
    this.where = where;
    this.host.removeAttribute("aria-busy");
    this.draw();
  }

  fail(message) {
    this.host.removeAttribute("aria-busy");
    this.facets = null;
    fill(this.host, make("p", { class: "problem" }, message),
      make("button", { type: "button", onclick: () => this.dispatchEvent(new Event("retry")) }, "Try again"));
  }

  draw() {
    const focused = document.activeElement?.dataset?.facetKey;
    const top = this.host.scrollTop;
    fill(this.host, ...this.facets.map((facet, index) => this.facetView(facet, index)));
    if (this.facets.length === 0) fill(this.host, make("p", { class: "muted" }, "No fields to filter by."));
    this.host.scrollTop = top;
    if (focused) this.host.querySelector(`[data-facet-key="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  facetView(facet, index) {
    const isOpen = this.folded.get(facet.field) ?? index < openAtFirst;
    const details = make("details", { class: "facet", open: isOpen },
      make("summary", { "data-facet-key": `summary ${facet.field}` }, facet.title));
    const put = () => details.append(facet.kind === "histogram" ? this.histogram(facet) : this.values(facet));
    if (isOpen) put();
    details.addEventListener("toggle", () => {
      if (details.open === (this.folded.get(facet.field) ?? index < openAtFirst)) return;
      this.folded.set(facet.field, details.open);
      remembered.set("facets", JSON.stringify([...this.folded]));
      // What is folded costs no elements.
      if (details.open) put();
      else details.lastElementChild.remove();
    });
    return details;
  }

  values(facet) {
    const isLong = this.long.has(facet.field);
    const most = Math.max(...facet.values.map((one) => one.count), 1);
    // A chosen value is listed even if it is rare.
    const chosen = facet.selection === "all" ? null : membersIn(this.where, facet.field);
    const isChosen = (term) => (chosen ? chosen.includes(memberOf(facet, term)) : hasTerm(this.where, term));
    const shown = facet.values.filter((one, index) => isLong || index < fewValues || isChosen(one.term));
    const rest = facet.values.length - shown.length;
    const items = shown.map(({ value, count, term }) => {
      const isOn = isChosen(term);
      const button = make("button", {
        type: "button", class: "value", "aria-pressed": String(isOn), title: isOn ? `Remove: ${term}` : `Add: ${term}`,
        "data-facet-key": `value ${term}`, "data-term": term, "aria-label": `${value}, ${counted(count, "sample")}`,
        onclick: () => this.change(this.toggled(facet, term, isOn)),
      }, make("span", { class: "name" }, value || "(empty)"), make("span", { class: "count" }, grouped(count)));
      button.style.setProperty("--share", `${count / most * 100}%`);
      return button;
    });
    if (rest > 0 || (isLong && facet.values.length > fewValues)) {
      items.push(make("button", {
        type: "button", class: "plain", "data-facet-key": `more ${facet.field}`,
        onclick: () => {
          if (!this.long.delete(facet.field)) this.long.add(facet.field);
          this.draw();
        },
      }, isLong ? "Show fewer" : `Show ${grouped(rest)} more`));
    }
    if (facet.more > 0 && (isLong || rest === 0)) items.push(make("p", { class: "muted" }, `${grouped(facet.more)} further values: type them in the query`));
    return make("div", { class: "values", role: "group", "aria-label": facet.title }, ...items);
  }

  /// The expression after a click on a value.
  toggled(facet, term, isOn) {
    if (facet.selection === "all") return isOn ? withoutTerm(this.where, term) : withTerm(this.where, term);
    const [value, chosen] = [memberOf(facet, term), membersIn(this.where, facet.field)];
    if (isOn) return withMembers(this.where, facet.field, chosen.filter((one) => one !== value));
    return withMembers(this.where, facet.field, facet.selection === "any" ? [...chosen, value] : [value]);
  }

  histogram(facet) {
    return histogramView(facet, boundsIn(this.where, facet.term),
      ({ low, high }) => this.change(withRange(this.where, facet.term, low, high)));
  }

  change(where) {
    if (where !== this.where) this.dispatchEvent(new CustomEvent("where", { detail: { where } }));
  }
}
