// The bar below the image: the decision about a sample, the navigation, and the last action.
import { button, fill, make } from "./dom.js";
import { decisions, moves } from "./keys.js";

const keepFocus = { onmousedown: (event) => event.preventDefault() };

/// Builds the bar. `run(id)` runs the action of a button; `ask` shows a text question in place of
/// the buttons, so that nothing covers the image. `more` receives the less frequent buttons.
export class DecisionBar {
  constructor(root, more, { run, isLabels, hasRun }) {
    this.root = root;
    const shown = decisions.filter((one) => !one.needs || hasRun);
    this.buttons = make("div", { class: "buttons" },
      ...shown.map((one) => button(one.label, (isLabels && one.labelKey) || one.key, () => run(one.id),
        { "data-decide": one.id, title: one.hint, ...keepFocus })),
      make("span", { class: "gap" }),
      ...moves.slice(0, 2).map((one) => button(one.label, one.key, () => run(one.id),
        { "data-decide": one.id, ...keepFocus })));
    this.goOn = make("input", { type: "checkbox", id: "go-on", onchange: () => run("goOn", this.goOn.checked) });
    fill(more,
      make("label", { class: "go-on", for: "go-on" }, this.goOn, "Auto-advance ",
        make("kbd", { "aria-hidden": "true" }, "⇧A")),
      button("Go to…", "Shift+G", () => run("goTo"), { "data-decide": "goTo", ...keepFocus }),
      button("All keys", "?", () => run("help"), { "data-decide": "help", ...keepFocus }));
    this.question = null;
    this.isConfirming = false;
    fill(root, this.buttons);
  }

  enable(isOpen) {
    for (const one of this.buttons.querySelectorAll("[data-decide]")) {
      if (!["previous", "next", "goTo"].includes(one.dataset.decide)) one.disabled = !isOpen;
    }
  }

  /// Asks for a short text: resolves to the text, or to null if it was cancelled.
  ask({ label, value = "", confirm, isNeeded = false, list = [] }) {
    this.cancel();
    return new Promise((resolve) => {
      const end = (answer) => {
        if (this.question !== end) return;
        this.question = null;
        fill(this.root, this.buttons);
        document.getElementById("picture").focus({ preventScroll: true });
        resolve(answer);
      };
      this.question = end;
      const field = make("input", {
        type: "text", id: "words", value, maxlength: "2000", autocomplete: "off", list: list.length ? "words-list" : null,
        onkeydown: (event) => {
          if (event.key !== "Escape") return;
          event.preventDefault();
          end(null);
        },
      });
      const submit = (event) => {
        event.preventDefault();
        const text = field.value.trim();
        if (text || !isNeeded) return end(text);
        field.setCustomValidity("This field is required.");
        field.reportValidity();
        field.setCustomValidity("");
      };
      const form = make("form", { class: "question", onsubmit: submit, novalidate: true },
        make("label", { for: "words" }, label), field,
        list.length ? make("datalist", { id: "words-list" }, ...list.map((one) => make("option", { value: one }))) : null,
        make("button", { type: "submit" }, make("span", { class: "label" }, confirm), make("kbd", {}, "↵")),
        make("button", { type: "button", onclick: () => end(null) },
          make("span", { class: "label" }, "Cancel"), make("kbd", {}, "Esc")));
      fill(this.root, form);
      field.focus();
      field.select();
    });
  }

  /// Asks for a confirmation that is hard to give by accident: Y or a click confirms, Enter
  /// and Escape change nothing.
  confirm({ text, yes, no }) {
    this.cancel();
    return new Promise((resolve) => {
      const end = (answer) => {
        if (this.question !== end) return;
        this.question = null;
        this.isConfirming = false;
        fill(this.root, this.buttons);
        document.getElementById("picture").focus({ preventScroll: true });
        resolve(answer === true);
      };
      this.question = end;
      this.isConfirming = true;
      const keep = button(no, "Escape", () => end(null), { "data-answer": "no" });
      fill(this.root, make("div", { class: "question confirm", role: "alertdialog", "aria-label": text },
        make("p", {}, text), button(yes, "y", () => end(true), { "data-answer": "yes" }), keep));
      keep.focus({ preventScroll: true });
    });
  }

  /// Answers the question of `confirm`.
  answer(isYes) {
    if (this.isConfirming) this.question(isYes);
  }

  /// Cancels an open question.
  cancel() {
    this.question?.(null);
  }
}
