// Tags and custom fields on the browse page: the selection and its bar, the forms, those of the open sample, and requests.
import { Gone } from "./api.js";
import { fetchFacets, postTag } from "./browse-api.js";
import { button, count, fill, grouped, make, newUUID } from "./dom.js";
import { FieldForm } from "./field-form.js";
import { SampleFields } from "./sample-fields.js";
import { SampleTags } from "./sample-tags.js";
import { Selection } from "./selection.js";
import { TagForm } from "./tag-form.js";
import { fieldWord, keysCommand, queryCommand, resultWords } from "./tag-words.js";
import { TilePicker } from "./tile-picker.js";

const secondTry = 1000;
const usualLimit = 10000;

export class BrowseTagging {
  constructor(page) {
    this.page = page;
    const { browse, grid, pages } = page;
    this.problem = browse.tags ? browse.tags.problem ?? null : "this server does not support it";
    this.selection = new Selection({ pages, limit: browse.tags?.listed ?? usualLimit });
    grid.picker = new TilePicker(grid, this.selection);
    this.build(grid.host.parentElement);
    this.sampleTags = new SampleTags({
      problem: this.problem, tags: (dataset) => this.tagsOf(dataset),
      change: (detail, tag, isRemoval) => this.editSample(detail, { tag, remove: isRemoval }),
    });
    page.sample.tags = this.sampleTags;
    this.sampleFields = new SampleFields({
      problem: this.problem, fields: (dataset) => this.fieldsOf(dataset),
      change: (detail, edit) => this.editSample(detail, edit),
    });
    page.sample.fields = this.sampleFields;
    this.selection.addEventListener("change", () => this.draw());
    this.selection.addEventListener("problem", ({ detail }) => this.say(detail.words));
  }

  build(host) {
    this.number = make("b", { class: "selected-count" });
    this.every = make("button", { type: "button", class: "plain", onclick: () => this.selection.selectAll() });
    this.opener = button("Tag…", "t", () => this.open(), { class: "tag-opener" });
    this.fieldOpener = button("Set field…", "f", () => this.openField(), { class: "field-opener" });
    this.says = make("span", { class: "says" });
    const unable = this.problem === null ? null : make("span", { class: "muted" }, `Tags and fields cannot be changed: ${this.problem}`);
    this.bar = make("section", { class: "selection-bar", "aria-label": "Selection", hidden: true },
      this.number, this.every, unable ?? this.opener, unable ? null : this.fieldOpener,
      this.says, button("Clear", "Escape", () => this.clear(), { class: "clear-selection" }));
    this.form = new TagForm({
      id: "tag", canRemove: true,
      tags: () => this.tagsOf(this.page.state.view),
      hasObjects: () => this.hasObjects,
      change: (tag, isRemoval, objects) => this.editSelection({ tag, remove: isRemoval }, objects),
      command: (tag, isRemoval, objects) => this.command("tag", tag, objects),
      close: () => this.page.grid.focus(),
    });
    this.fieldForm = new FieldForm({
      id: "field", names: () => this.fieldsOf(this.page.state.view),
      hasObjects: () => this.hasObjects,
      change: (edit, isRemoval, objects) => this.editSelection(edit, objects),
      command: (edit, isRemoval, objects) => this.command("field", fieldWord(edit), objects),
      close: () => this.page.grid.focus(),
    });
    this.bar.append(this.form.element, this.fieldForm.element);
    host.append(this.bar);
  }

  // ---- the selection ----

  /// A state of the page is shown: the selection belongs to its samples.
  show({ view, where, isCorrected }) {
    const shown = JSON.stringify([view, where, isCorrected]);
    if (shown !== this.shown) this.selection.clear();
    this.shown = shown;
    this.selection.anchor = null;
    this.selection.base = null;
    this.draw();
  }

  get words() {
    const { selection } = this;
    if (selection.isAll) return `All ${grouped(selection.size)} selected`;
    return `${grouped(selection.size)} selected`;
  }

  draw() {
    const { selection, page } = this;
    const { total } = page.pages;
    const isShown = selection.size > 0;
    if (!isShown) {
      this.form.leave();
      this.fieldForm.leave();
    }
    this.number.textContent = isShown ? this.words : "";
    fill(this.every, `Select all ${grouped(total)}`);
    this.every.hidden = !isShown || selection.isAll || selection.size >= total;
    this.opener.hidden = !isShown;
    this.fieldOpener.hidden = !isShown;
    const before = this.wasShown;
    this.wasShown = isShown;
    this.say("");
    if (isShown) page.heard.textContent = selection.isAll ? `All ${count(total, "sample")} of this query selected` : this.words;
    else if (before) page.heard.textContent = "Nothing selected";
  }

  /// Shows a sentence in the bar until the selection changes.
  say(words) {
    this.says.textContent = words;
    this.bar.hidden = this.selection.size === 0 && !words;
    if (words) this.page.heard.textContent = words;
  }

  /// Returns whether a key of the page belongs to the selection.
  key(event) {
    const { selection, bar } = this;
    if (event.target.matches?.("input, select, textarea")) return false;
    const isHeld = event.ctrlKey || event.metaKey;
    const isHere = event.target === document.body || bar.contains(event.target);
    if (isHeld && isHere && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "a") selection.selectAll();
    else if (isHeld || event.altKey) return false;
    else if (event.key === "Escape" && !bar.hidden) this.clear();
    else if (event.key === "t" && selection.size) this.open();
    else if (event.key === "f" && selection.size) this.openField();
    else if ((event.key === "t" || event.key === "f") && this.problem === null && this.page.pages.total) this.say("Select samples first: x, or Ctrl+A for all.");
    else return false;
    event.preventDefault();
    return true;
  }

  clear() {
    this.selection.clear();
    this.say("");
    this.page.grid.focus();
  }

  open() {
    if (this.problem !== null || this.selection.size === 0) return;
    this.fieldForm.leave();
    this.form.open(`Tag ${this.subjectWords}`);
  }

  openField() {
    if (this.problem !== null || this.selection.size === 0) return;
    this.form.leave();
    this.fieldForm.open(`Set a field of ${this.subjectWords}`);
  }

  get subjectWords() {
    const { selection } = this;
    return selection.isAll ? `all ${count(selection.size, "sample")} of this query` : count(selection.size, "sample");
  }

  // ---- requests ----

  /// Returns a promise of the tags in a view, the most frequent first.
  async tagsOf(view) {
    const { facets } = await fetchFacets(this.whole(view), []);
    return (facets.find((facet) => facet.field === "tag")?.values ?? []).map(({ value, count: number }) => ({ value, count: number }));
  }

  /// Returns a promise of the custom fields in a view with their numbers of samples.
  async fieldsOf(view) {
    const { facets } = await fetchFacets(this.whole(view), []);
    return facets.filter((facet) => facet.custom).map(({ custom, count: number }) => ({ value: custom, count: number }));
  }

  whole(view) {
    return { view, where: "", isCorrected: this.page.state.isCorrected };
  }

  /// True if the dataset that is shown has objects in its images.
  get hasObjects() {
    return (this.page.dataset?.regions ?? 0) > 0;
  }

  command(name, word, objects) {
    const { state } = this.page;
    if (this.selection.isAll) return queryCommand(name, state, word, objects);
    return keysCommand(name, state, [...this.selection.ids.values()], word, objects);
  }

  /// `edit` is `{tag, remove}` or `{field, value}`; `objects` the condition on the objects that have it, null for the samples.
  async editSelection(edit, objects) {
    const { selection, page } = this;
    const { view, where, isCorrected } = page.state;
    const subject = selection.isAll ? { where, count: selection.size, corrected: Boolean(isCorrected) } : { samples: [...selection.ids.keys()] };
    try {
      const words = resultWords(await this.send({ ...edit, view, ...subject, ...(objects === null ? {} : { objects }) }));
      await this.changed();
      this.form.leave();
      this.fieldForm.leave();
      this.say(words);
      return "";
    } catch (error) {
      // The page shows how many there are now; the person decides.
      if (error.code === "countChanged") await page.reselect();
      throw error;
    }
  }

  async editSample(detail, edit) {
    const words = resultWords(await this.send({ ...edit, view: detail.dataset, samples: [detail.id] }));
    this.changed();
    await this.page.sample.refetch();
    return words;
  }

  /// Sends a change. After a failure of the network it is sent again under the same uuid, so that it is made once.
  async send(content) {
    const name = JSON.stringify(content);
    if (this.unanswered?.name !== name) this.unanswered = { name, uuid: newUUID() };
    const { uuid } = this.unanswered;
    const { ledger, author } = this.page.browse;
    for (let tries = 1; ; tries++) {
      try {
        const answer = await postTag({ uuid, ledger, author, ...content });
        this.unanswered = null;
        return answer;
      } catch (error) {
        if (this.page.isSignedOut(error)) throw new Error("You are not signed in any more. Nothing was changed.");
        if (!(error instanceof Gone)) {
          if (error.status !== 503) this.unanswered = null;
          throw error;
        }
        if (tries === 2) throw new Error("The server does not respond. Try again: the change is made once.");
        await new Promise((done) => setTimeout(done, secondTry));
      }
    }
  }

  /// Counts are right at once. A query about tags or fields selects other samples now, but not under the person's hands.
  async changed() {
    const { page } = this;
    page.sample.details.clear();
    page.loadFacets();
    const own = page.browse.views.find((one) => one.name === page.state.view)?.expression ?? "";
    if (!/\b(tag|field|objects)\b/i.test(`${own} ${page.state.where}`)) return;
    this.isStale = true;
    if (!page.sample.isOpen) await this.catchUp();
  }

  /// Fetches the samples of a query whose result has changed.
  async catchUp() {
    if (!this.isStale) return;
    this.isStale = false;
    this.selection.clear();
    await this.page.reselect();
  }
}
