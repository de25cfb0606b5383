// The choice between the samples and their objects in the forms of tags and fields.
import { make } from "./dom.js";

/// `condition` is null for the samples, else the condition on their objects; an empty one is that of all. `changed()` is
/// called after each change.
export class ObjectChoice {
  constructor(id, changed) {
    this.what = make("select", { id: `${id}-what`, "aria-label": "Samples or objects", onchange: () => this.chosen(changed) },
      make("option", { value: "samples" }, "For the samples"), make("option", { value: "objects" }, "For their objects"));
    this.text = make("input", {
      id: `${id}-objects`, type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 2000,
      placeholder: "All; or class = car and width < 20", "aria-label": "Condition on the objects", oninput: changed,
    });
    this.note = make("p", { class: "muted" }, "Each object is a correction: the corrected ground truth has it.");
    this.element = make("div", { class: "object-choice" }, this.what, this.text, this.note);
  }

  reset(isThere) {
    this.element.hidden = !isThere;
    this.what.value = "samples";
    this.text.value = "";
    this.chosen(() => {});
  }

  chosen(changed) {
    for (const one of [this.text, this.note]) one.hidden = this.what.value === "samples";
    changed();
  }

  get condition() {
    return this.what.value === "objects" ? this.text.value.trim() : null;
  }
}
