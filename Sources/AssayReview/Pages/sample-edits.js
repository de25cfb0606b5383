// Values that people set on the open sample, such as tags: a list of them, each with a button that removes it, and the form
// that sets one.
import { button, make } from "./dom.js";

/// A subclass has `items(detail)`: [{words, name, removal}], `removal` being what `send` gets, or null; and
/// `send(detail, edit)`, which returns a promise of what happened.
export class SampleEdits {
  /// `noun`: `tag` or `field`; `problem`: the reason why they cannot be changed, or null; `opener`: the button (the words, the
  /// key, the class); `title` of the form; `makeForm(hooks)` makes it.
  constructor({ noun, heading, style, problem, opener: [words, key, name], title, makeForm }) {
    this.noun = noun;
    this.problem = problem;
    this.title = title;
    this.says = make("p", { class: "says", role: "status" });
    this.opener = button(words, key, () => this.open());
    this.opener.classList.add(name);
    this.form = makeForm({
      change: async (edit) => {
        const happened = await this.send(this.detail, edit);
        this.form.leave();
        this.say(happened);
        return "";
      },
      close: () => {
        this.opener.hidden = false;
        this.opener.focus();
      },
    });
    this.list = make("ul", { class: "tags" });
    const plural = `${noun[0].toUpperCase()}${noun.slice(1)}s`;
    this.element = make("section", { "aria-label": heading, class: style }, make("h3", {}, heading), this.list,
      problem === null ? this.opener : make("p", { class: "muted" }, `${plural} cannot be changed: ${problem}`), this.form.element, this.says);
  }

  /// Returns the section for a sample.
  show(detail) {
    if (this.detail?.id !== detail.id) {
      this.form.element.hidden = true;
      this.opener.hidden = false;
      this.say("");
    }
    this.detail = detail;
    const items = this.items(detail);
    this.list.hidden = items.length === 0;
    this.list.replaceChildren(...items.map(({ words, name, removal }) => make("li", { class: "tag" }, make("span", {}, words),
      this.problem === null && removal !== null ? make("button", {
        type: "button", "aria-label": `Remove the ${this.noun} ${name}`, title: `Remove the ${this.noun} ${name}`,
        onclick: () => this.remove(removal),
      }, "×") : null)));
    return this.element;
  }

  open() {
    if (!this.detail || this.problem !== null || this.form.isOpen) return;
    this.say("");
    this.opener.hidden = true;
    this.form.open(this.title);
    this.form.element.scrollIntoView({ block: "nearest" });
  }

  async remove(removal) {
    const { detail } = this;
    this.say("Removing…");
    try {
      const words = await this.send(detail, removal);
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
