// The form that sets or removes a custom field. Its first field completes the names that there are, the second one has the
// value.
import { make } from "./dom.js";
import { TagForm } from "./tag-form.js";

/// The rules of the ledger.
const longestText = 1000;

/// Returns the value that a text means: a number, true or false, a text in quotes, or else the text itself.
export function fieldValue(text) {
  try {
    const value = JSON.parse(text);
    if (typeof value === "string" || typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) return value;
  } catch {
    // A text without quotes.
  }
  return text;
}

/// Returns a value as it is typed: a text in quotes where it would be read as something else.
export function valueText(value) {
  return typeof value === "string" && fieldValue(value) === value ? value : JSON.stringify(value);
}

/// As `TagForm`; `names()` returns a promise of the fields with their counts. `change` and `command` get `{field, value}`,
/// with null for a removal.
export class FieldForm extends TagForm {
  constructor({ names, ...options }) {
    super({
      ...options, tags: names, canRemove: true,
      words: {
        name: "Name of the field", list: "Fields", add: "Set field", remove: "Remove field", missing: "Enter the name of a field.",
        long: "The name of a field has at most 100 characters.", copied: "Command copied.",
      },
    });
    this.value = make("input", {
      id: `${options.id}-value`, type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
      maxlength: 2 * longestText, placeholder: "Value: a text, a number, true or false", "aria-label": "Value",
      oninput: () => { this.shown.hidden = true; },
    });
    this.list.after(this.value);
  }

  async open(title) {
    this.value.value = "";
    await super.open(title);
  }

  take(index) {
    super.take(index);
    this.value.focus();
  }

  content(isRemoval) {
    const field = this.name();
    if (field === null) return null;
    if (isRemoval) return { field, value: null };
    const text = this.value.value.trim();
    if (text && [...text].length <= longestText) return { field, value: fieldValue(text) };
    this.say(text ? `A text has at most ${longestText} characters.` : "Enter a value.", true);
    this.value.focus();
    return null;
  }
}
