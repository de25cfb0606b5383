// The form that adds or removes a tag. Its field completes the tags that there are. The form of custom fields extends it.
import { copy } from "./clipboard.js";
import { count, fill, grouped, make } from "./dom.js";
import { ObjectChoice } from "./object-choice.js";

const mostOptions = 50;
/// The rule of the ledger.
const longestTag = 100;
const tagWords = {
  name: "Name of the tag", list: "Tags", add: "Add tag", remove: "Remove tag", missing: "Enter the name of a tag.",
  long: `A tag has at most ${longestTag} characters.`, copied: "Command copied. --remove removes the tag.",
};

/// `id` distinguishes the forms of a page. `tags()` returns a promise of the tags with their counts, `{value, count}`;
/// `change(tag, isRemoval)` a promise of what happened, as a sentence; `command(tag, isRemoval)` the command that does
/// the same, or a reason in `{reason}`; `close()` is called when the form is left. `canRemove`: whether it removes tags, too.
/// With `hasObjects`, the form can change the objects of the samples: `change` and `command` get their condition as the last
/// argument, or null for the samples.
export class TagForm {
  constructor({ id, tags, change, command, close, canRemove, hasObjects = () => false, words = tagWords }) {
    Object.assign(this, { tags, change, command, close, words });
    this.all = [];
    this.chosen = -1;
    this.hasObjects = hasObjects;
    this.objects = new ObjectChoice(id, () => { this.shown.hidden = true; });
    this.title = make("label", { for: `${id}-name`, id: `${id}-title` });
    this.field = make("input", {
      id: `${id}-name`, type: "text", role: "combobox", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
      maxlength: 2 * longestTag, "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": `${id}-tags`,
      placeholder: words.name, "aria-label": words.name, oninput: () => this.typed(),
    });
    this.list = make("ul", { id: `${id}-tags`, class: "tag-options", role: "listbox", "aria-label": words.list, hidden: true });
    this.add = make("button", { type: "submit", class: "main" }, words.add);
    this.remove = canRemove ? make("button", { type: "button", onclick: () => this.run(true) }, words.remove) : null;
    this.copying = make("button", { type: "button", class: "plain", onclick: () => this.copyCommand() }, "Copy as command");
    this.shown = make("pre", { hidden: true, tabindex: "0", "aria-label": "Command" });
    this.says = make("p", { class: "says", role: "status" });
    this.element = make("form", {
      class: "tag-form", "aria-labelledby": `${id}-title`, hidden: true,
      onsubmit: (event) => {
        event.preventDefault();
        this.run(false);
      },
    }, this.title, make("button", { type: "button", class: "icon close", "aria-label": "Close", title: "Close (Esc)", onclick: () => this.leave() }, "×"),
    this.field, this.list, this.objects.element, make("div", { class: "buttons" }, this.add, this.remove, this.copying), this.shown, this.says);
    this.list.addEventListener("pointerdown", (event) => {
      // The field keeps the focus.
      event.preventDefault();
      const index = [...this.list.children].indexOf(event.target.closest("[role=option]"));
      if (index >= 0) this.take(index);
    });
    this.element.addEventListener("keydown", (event) => this.key(event));
  }

  get isOpen() {
    return !this.element.hidden;
  }

  async open(title) {
    this.title.textContent = title;
    this.element.hidden = false;
    this.field.value = "";
    this.objects.reset(this.hasObjects());
    this.say("");
    this.shown.hidden = true;
    this.field.focus();
    this.typed();
    const { tags } = this;
    try {
      const all = await tags();
      if (tags !== this.tags) return;
      this.all = all;
      this.typed();
    } catch {
      // The field works without completions.
      this.all = [];
    }
  }

  /// Closes the form; what had the focus before is the owner's.
  leave() {
    if (!this.isOpen) return;
    this.element.hidden = true;
    this.close();
  }

  // ---- completion ----

  typed() {
    this.chosen = -1;
    // The command was that of another name.
    this.shown.hidden = true;
    const text = this.field.value.trim().toLowerCase();
    const begins = (tag) => tag.value.toLowerCase().startsWith(text);
    const found = this.all.filter((tag) => tag.value.toLowerCase().includes(text));
    this.options = [...found.filter(begins), ...found.filter((tag) => !begins(tag))].slice(0, mostOptions);
    fill(this.list, ...this.options.map((tag, index) => make("li", {
      role: "option", id: `${this.list.id}-${index}`, "aria-selected": "false", "aria-label": `${tag.value}, ${count(tag.count, "sample")}`,
    }, make("span", { class: "name" }, tag.value), make("span", { class: "count" }, grouped(tag.count)))));
    this.list.hidden = this.options.length === 0;
    this.field.setAttribute("aria-expanded", String(this.options.length > 0));
    this.mark();
  }

  mark() {
    [...this.list.children].forEach((option, index) => option.setAttribute("aria-selected", String(index === this.chosen)));
    const option = this.list.children[this.chosen];
    if (option) {
      this.field.setAttribute("aria-activedescendant", option.id);
      option.scrollIntoView({ block: "nearest" });
    } else this.field.removeAttribute("aria-activedescendant");
  }

  take(index) {
    this.field.value = this.options[index].value;
    this.typed();
  }

  // ---- keys ----

  key(event) {
    // The keys of the page behind it have another meaning here; Tab moves the focus.
    if (event.key !== "Tab") event.stopPropagation();
    if (event.key === "Escape") {
      event.preventDefault();
      this.leave();
    } else if (event.target === this.field && (event.key === "ArrowDown" || event.key === "ArrowUp") && this.options.length) {
      event.preventDefault();
      const all = this.options.length + 1;
      // After the last option comes the field itself.
      this.chosen = (this.chosen + 1 + (event.key === "ArrowDown" ? 1 : -1) + all) % all - 1;
      this.mark();
    } else if (event.target === this.field && event.key === "Enter" && this.chosen >= 0) {
      event.preventDefault();
      this.take(this.chosen);
    }
  }

  // ---- the change ----

  /// Returns the tag as it is stored, or null after the reason was said.
  name() {
    const tag = this.field.value.trim();
    if (tag && [...tag].length <= longestTag) return tag;
    this.say(tag ? this.words.long : this.words.missing, true);
    this.field.focus();
    return null;
  }

  /// Returns what `change` and `command` get, or null after the reason was said.
  content() {
    return this.name();
  }

  async run(isRemoval) {
    const content = this.content(isRemoval);
    if (content === null || this.isBusy) return;
    this.busy(true);
    this.say(isRemoval ? "Removing…" : "Saving…");
    try {
      this.say(await this.change(content, isRemoval, this.objects.condition));
    } catch (error) {
      this.say(error.message, true);
    } finally {
      this.busy(false);
    }
  }

  busy(isBusy) {
    this.isBusy = isBusy;
    for (const one of [this.add, this.remove]) one?.setAttribute("aria-disabled", String(isBusy));
  }

  async copyCommand() {
    const content = this.content(false);
    if (content === null) return;
    const command = this.command(content, false, this.objects.condition);
    if (command.reason) {
      this.say(command.reason, true);
      return;
    }
    const isCopied = await copy(command);
    this.shown.textContent = command;
    this.shown.hidden = false;
    this.say(isCopied ? this.words.copied : "This browser does not allow copying here: select the text above.");
    this.copying.focus();
  }

  say(words, isProblem = false) {
    this.says.textContent = words;
    this.says.classList.toggle("problem", isProblem);
  }
}
