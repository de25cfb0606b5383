// The custom fields of the open sample: those that people set, each with a button that removes it, and the form that sets
// one. Fields of the source are listed with the facts about the sample.
import { button, make } from "./dom.js";
import { FieldForm, valueText } from "./field-form.js";
import { fieldWord, keysCommand } from "./tag-words.js";

/// `change(detail, edit)` returns a promise of what happened; `fields(dataset)` one of the names there are. `problem`: the
/// reason why fields cannot be changed, or null.
export class SampleFields {
  constructor({ change, fields, problem }) {
    this.change = change;
    this.problem = problem;
    this.says = make("p", { class: "says", role: "status" });
    this.opener = button("Set field", "f", () => this.open());
    this.opener.classList.add("set-field");
    this.form = new FieldForm({
      id: "sample-field", names: () => fields(this.detail.dataset),
      change: async (edit) => {
        const words = await change(this.detail, edit);
        this.form.leave();
        this.say(words);
        return "";
      },
      command: (edit) => keysCommand("field", { view: this.detail.dataset }, [this.detail.key], fieldWord(edit)),
      close: () => {
        this.opener.hidden = false;
        this.opener.focus();
      },
    });
    this.list = make("ul", { class: "tags" });
    this.element = make("section", { "aria-label": "Custom fields", class: "sample-tags sample-fields" }, make("h3", {}, "Custom fields"), this.list,
      problem === null ? this.opener : make("p", { class: "muted" }, `Fields cannot be changed: ${problem}`), this.form.element, this.says);
  }

  /// Returns the section for a sample.
  show(detail) {
    if (this.detail?.id !== detail.id) {
      this.form.element.hidden = true;
      this.opener.hidden = false;
      this.say("");
    }
    this.detail = detail;
    const fields = Object.entries(detail.fields ?? {});
    this.list.hidden = fields.length === 0;
    this.list.replaceChildren(...fields.map(([name, value]) => make("li", { class: "tag" },
      make("span", {}, value === null ? `${name} removed` : `${name} = ${valueText(value)}`),
      this.problem === null && value !== null ? make("button", {
        type: "button", "aria-label": `Remove the field ${name}`, title: `Remove the field ${name}`,
        onclick: () => this.remove(name),
      }, "×") : null)));
    return this.element;
  }

  open() {
    if (!this.detail || this.problem !== null || this.form.isOpen) return;
    this.say("");
    this.opener.hidden = true;
    this.form.open("Set a field of this sample");
    this.form.element.scrollIntoView({ block: "nearest" });
  }

  async remove(name) {
    const { detail } = this;
    this.say("Removing…");
    try {
      const words = await this.change(detail, { field: name, value: null });
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
