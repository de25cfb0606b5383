// The fields of the selected object beside the image: booleans, numbers and texts can be edited, with the values that the
// dataset knows; lists are shown.
import { fill, make } from "./dom.js";
import { setFields } from "./field-changes.js";

/// Fields that have a tool of their own, or follow from one.
const others = new Set(["keypoints", "num_keypoints"]);
/// The maximum number of fields that are shown.
const fieldLimit = 60;
const none = "–";

export class FieldPanel {
  constructor(controller) {
    this.controller = controller;
    this.rows = make("div", { class: "canvas-field-rows" });
    this.element = make("fieldset", {
      class: "canvas-fields", hidden: true,
      // Escape and Enter return to the image, so that its keys work again; what was typed is kept.
      onkeydown: (event) => {
        if (event.key !== "Escape" && event.key !== "Enter") return;
        event.stopPropagation();
        if (event.key === "Escape") return controller.focus();
        // After the browser has put an offered value into the line.
        return setTimeout(() => this.settle());
      },
    }, make("legend", {}, "Fields"), this.rows);
    this.key = "";
    // Buttons of the page keep the focus where it is, so a line would not learn that it is done.
    document.addEventListener("pointerdown", (event) => {
      if (!this.element.contains(event.target)) this.settle();
    }, { capture: true });
  }

  /// Takes over what is being typed.
  settle() {
    if (this.rows.contains(document.activeElement)) this.controller.focus();
  }

  get editor() {
    return this.controller.editor;
  }

  /// The selected object; null if it has no fields and the dataset knows none.
  get chosen() {
    return this.editor.objects.find(this.editor.target) ?? null;
  }

  /// Returns the fields of an object as [{name, value, type, values}], its own ones first.
  fieldsOf(item) {
    const known = this.editor.host.fields ?? {};
    const names = [...new Set([...item.fields.keys(), ...Object.keys(known)])].filter((name) => !others.has(name));
    return names.slice(0, fieldLimit).map((name) => {
      const value = item.fields.get(name) ?? null;
      const kind = value === null ? Object.hasOwn(known, name) ? known[name].type : "text"
        : { boolean: "boolean", number: "number", string: "text" }[typeof value] ?? "list";
      const values = Object.hasOwn(known, name) && kind === "text" ? known[name].values ?? [] : [];
      return { name, value, kind, values };
    });
  }

  update() {
    const item = this.editor.isOpen ? this.chosen : null;
    const fields = item ? this.fieldsOf(item) : [];
    this.element.hidden = fields.length === 0;
    const key = item ? JSON.stringify([item.target, fields]) : "";
    if (key === this.key) return;
    this.key = key;
    const focused = this.rows.contains(document.activeElement) ? document.activeElement.dataset.field : null;
    fill(this.rows, ...fields.map((field, index) => this.row(item.target, field, index)));
    if (focused) [...this.rows.querySelectorAll("[data-field]")].find((one) => one.dataset.field === focused)?.focus();
  }

  row(target, field, index) {
    const { name, value, kind } = field;
    const input = kind === "list" ? make("output", { title: JSON.stringify(value) }, JSON.stringify(value))
      : kind === "boolean" ? this.menu(target, field, [["", none], ["true", "yes"], ["false", "no"]])
        : this.line(target, field, index);
    return make("label", { class: "canvas-field" }, make("span", { title: name }, name), input);
  }

  menu(target, { name, value }, options) {
    const element = make("select", {
      "data-field": name,
      onchange: () => this.set(target, name, { true: true, false: false }[element.value] ?? null),
    }, ...options.map(([id, label]) => make("option", { value: id }, label)));
    element.value = value === null ? "" : String(value);
    return element;
  }

  /// A line for a number or a text; the values that the dataset knows are offered.
  line(target, { name, value, kind, values }, index) {
    const list = values.length > 0 ? `canvas-field-${index}` : null;
    const element = make("input", {
      "data-field": name, type: kind === "number" ? "number" : "text", step: kind === "number" ? "any" : null,
      list, maxlength: kind === "number" ? null : 1000, placeholder: none, autocomplete: "off",
      onchange: () => {
        if (kind !== "number") return this.set(target, name, element.value === "" ? null : element.value, values);
        const isBad = element.validity.badInput || !Number.isFinite(Number(element.value));
        if (!isBad) return this.set(target, name, element.value === "" ? null : Number(element.value));
        this.controller.say(`${name} must be a number; nothing was changed`);
        element.value = value ?? "";
      },
    });
    element.value = value ?? "";
    const options = list && make("datalist", { id: list }, ...values.map((one) => make("option", { value: one })));
    return options ? make("span", {}, element, options) : element;
  }

  set(target, name, value, known = []) {
    const { controller, editor } = this;
    const item = editor.objects.find(target);
    if (!item) return controller.say("Somebody else removed this object in the meantime; nothing was changed");
    if (!setFields(editor, target, { [name]: value })) return undefined;
    const isNew = known.length > 0 && value !== null && !known.includes(value);
    const words = value === null ? "removed" : `${value === true ? "yes" : value === false ? "no" : value}`;
    return controller.say(`${editor.subject}: ${name} ${words}${isNew ? " (a new value)" : ""}`);
  }

  /// Moves the focus to the first field.
  focus() {
    const first = this.element.hidden ? null : this.rows.querySelector("input, select");
    if (first) first.focus();
    else this.controller.say(this.chosen ? "This object has no fields" : "Select an object first");
  }
}
