// The custom fields of the open sample: those that people set, each with a button that removes it, and the form that sets
// one. Fields of the source are listed with the facts about the sample.
import { FieldForm, valueText } from "./field-form.js";
import { SampleEdits } from "./sample-edits.js";
import { fieldWord, keysCommand } from "./tag-words.js";

/// `change(detail, edit)` returns a promise of what happened; `fields(dataset)` one of the names there are. `problem`: the
/// reason why fields cannot be changed, or null.
export class SampleFields extends SampleEdits {
  constructor({ change, fields, problem }) {
    super({
      noun: "field", heading: "Custom fields", style: "sample-tags sample-fields", problem,
      opener: ["Set field", "f", "set-field"], title: "Set a field of this sample",
      makeForm: (hooks) => new FieldForm({
        id: "sample-field", names: () => fields(this.detail.dataset), ...hooks,
        command: (edit) => keysCommand("field", { view: this.detail.dataset }, [this.detail.key], fieldWord(edit)),
      }),
    });
    this.send = change;
  }

  items(detail) {
    return Object.entries(detail.fields ?? {}).map(([name, value]) => ({
      words: value === null ? `${name} removed` : `${name} = ${valueText(value)}`, name,
      removal: value === null ? null : { field: name, value: null },
    }));
  }
}
