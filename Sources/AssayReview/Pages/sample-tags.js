// The tags of the open sample: chips, each with a button that removes it, and the form that adds one.
import { button, make } from "./dom.js";
import { TagForm } from "./tag-form.js";
import { keysCommand } from "./tag-words.js";

/// `change(detail, tag, isRemoval)` returns a promise of what happened; `tags(dataset)` one of the tags there are.
/// `problem`: the reason why tags cannot be changed, or null.
export class SampleTags {
  constructor({ change, tags, problem }) {
    this.change = change;
    this.problem = problem;
    this.says = make("p", { class: "says", role: "status" });
    this.opener = button("Add tag", "t", () => this.open());
    this.opener.classList.add("add-tag");
    this.form = new TagForm({
      id: "sample-tag", canRemove: false,
      tags: () => tags(this.detail.dataset),
      change: async (tag) => {
        const words = await change(this.detail, tag, false);
        this.form.leave();
        this.say(words);
        return "";
      },
      command: (tag) => keysCommand("tag", { view: this.detail.dataset }, [this.detail.key], tag),
      close: () => {
        this.opener.hidden = false;
        this.opener.focus();
      },
    });
    this.chips = make("ul", { class: "tags" });
    this.element = make("section", { "aria-label": "Tags", class: "sample-tags" }, make("h3", {}, "Tags"), this.chips,
      problem === null ? this.opener : make("p", { class: "muted" }, `Tags cannot be changed: ${problem}`), this.form.element, this.says);
  }

  /// Returns the section for a sample.
  show(detail) {
    if (this.detail?.id !== detail.id) {
      this.form.element.hidden = true;
      this.opener.hidden = false;
      this.say("");
    }
    this.detail = detail;
    this.chips.hidden = !detail.tags?.length;
    this.chips.replaceChildren(...(detail.tags ?? []).map((tag) => make("li", { class: "tag" }, make("span", {}, tag),
      this.problem === null ? make("button", {
        type: "button", "aria-label": `Remove the tag ${tag}`, title: `Remove the tag ${tag}`, onclick: () => this.remove(tag),
      }, "×") : null)));
    return this.element;
  }

  open() {
    if (!this.detail || this.problem !== null || this.form.isOpen) return;
    this.say("");
    this.opener.hidden = true;
    this.form.open("Tag this sample");
    this.form.element.scrollIntoView({ block: "nearest" });
  }

  async remove(tag) {
    const { detail } = this;
    this.say("Removing…");
    try {
      const words = await this.change(detail, tag, true);
      if (detail.id !== this.detail?.id) return;
      this.say(words);
      if (!this.form.isOpen) this.opener.focus();
    } catch (error) {
      if (detail.id === this.detail?.id) this.say(error.message, true);
    }
  }

  say(words, isProblem = false) {
    this.says.textContent = words;
    this.says.classList.toggle("problem", isProblem);
  }
}
