// The query bar: the expression, completion by the server's parser, and the parser's message at the wrong place.
import { fetchCompletions, offsetOf, positionOf } from "./browse-api.js";
import { make } from "./dom.js";

const delay = 120;

/// Events: `apply` with `detail.where`.
export class QueryBar extends EventTarget {
  constructor(host) {
    super();
    /// The state whose samples are searched.
    this.subject = { view: "", isCorrected: false };
    this.items = [];
    this.chosen = -1;
    this.field = make("input", {
      id: "where", type: "text", role: "combobox", autocomplete: "off", autocapitalize: "off", spellcheck: "false",
      "aria-label": "Query", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "completions",
      "aria-describedby": "where-problem", "aria-keyshortcuts": "/", title: "Press / to go here", placeholder: "Filter, for example count(person) > 0 and width > 500",
    });
    // Below the field, with the same text: marks where the expression is wrong.
    this.mirror = make("div", { class: "mirror", "aria-hidden": "true" });
    this.list = make("ul", { id: "completions", role: "listbox", "aria-label": "Completions", hidden: true });
    this.problem = make("p", { id: "where-problem", class: "problem", role: "alert", hidden: true });
    this.clear = make("button", {
      type: "button", class: "clear", "aria-label": "Clear the query", title: "Clear the query", hidden: true, onclick: () => this.apply(""),
    }, "×");
    this.form = make("form", { class: "query", role: "search", onsubmit: (event) => this.submit(event) },
      make("div", { class: "field" }, this.mirror, this.field, this.clear), this.problem, this.list);
    host.append(this.form);
    this.listen();
  }

  listen() {
    const { field } = this;
    field.addEventListener("input", () => {
      this.show(null);
      this.refresh();
      this.later();
    });
    field.addEventListener("focus", () => {
      // A list would cover what the message is about.
      if (this.problem.hidden) this.later();
    });
    field.addEventListener("scroll", () => {
      this.mirror.scrollLeft = field.scrollLeft;
    });
    field.addEventListener("blur", () => this.close());
    field.addEventListener("keydown", (event) => this.key(event));
    this.list.addEventListener("pointerdown", (event) => {
      // The field keeps the focus.
      event.preventDefault();
      const index = [...this.list.children].indexOf(event.target.closest("[role=option]"));
      if (index >= 0) this.take(index);
    });
  }

  /// True if the field holds another text than the expression that is applied.
  get isChanged() {
    return this.form.classList.contains("changed");
  }

  /// Shows an applied expression.
  set(where, subject) {
    this.subject = subject;
    if (this.field.value !== where) this.field.value = where;
    this.applied = where;
    this.show(null);
    this.refresh();
  }

  refresh() {
    this.clear.hidden = this.field.value === "";
    this.form.classList.toggle("changed", this.field.value.trim() !== (this.applied ?? "").trim());
  }

  /// Shows the parser's message and where it applies: `{message, offset}`, or null.
  show(problem) {
    const { field, mirror } = this;
    this.problem.hidden = !problem;
    field.setAttribute("aria-invalid", String(Boolean(problem)));
    mirror.replaceChildren();
    if (!problem) {
      this.problem.textContent = "";
      return;
    }
    const text = field.value;
    const message = problem.message.replace(/^error: /, "");
    const sentence = message.slice(0, 1).toUpperCase() + message.slice(1);
    if (problem.offset === null) {
      this.problem.textContent = sentence;
      return;
    }
    const at = positionOf(text, problem.offset);
    const word = /^(?:"[^"]*"?|[\w.]+|\S)/.exec(text.slice(at))?.[0] ?? "";
    const where = at >= text.length ? "at the end" : `at character ${at + 1}`;
    this.problem.textContent = `${sentence} (${where})`;
    mirror.append(text.slice(0, at), make("mark", {}, word || "\u00a0\u00a0"), text.slice(at + word.length));
    mirror.scrollLeft = field.scrollLeft;
    this.wrongAt = at;
  }

  /// Moves the cursor to the wrong place.
  goToProblem() {
    this.field.focus();
    if (this.wrongAt !== undefined) this.field.setSelectionRange(this.wrongAt, this.wrongAt);
  }

  submit(event) {
    event.preventDefault();
    this.apply(this.field.value.trim());
  }

  apply(where) {
    this.close();
    if (this.field.value !== where) this.field.value = where;
    this.refresh();
    this.dispatchEvent(new CustomEvent("apply", { detail: { where } }));
  }

  // ---- completion ----

  later() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => this.complete(), delay);
  }

  async complete() {
    const { field } = this;
    if (document.activeElement !== field) return;
    this.stop?.abort();
    const stop = new AbortController();
    this.stop = stop;
    const text = field.value;
    const at = offsetOf(text, field.selectionStart ?? text.length);
    try {
      const { items } = await fetchCompletions(this.subject, text, at, stop.signal);
      if (stop.signal.aborted || field.value !== text || document.activeElement !== field) return;
      this.fill(items);
    } catch {
      // Without completion the expression can still be typed and applied.
      this.close();
    }
  }

  fill(items) {
    this.items = items.slice(0, 12);
    this.chosen = -1;
    this.list.replaceChildren(...this.items.map((item, index) => make("li", { id: `completion-${index}`, role: "option", "aria-selected": "false" },
      make("span", { class: "what" }, item.title), make("span", { class: "muted" }, item.detail ?? ""))));
    this.open(this.items.length > 0);
  }

  open(isOpen) {
    this.list.hidden = !isOpen;
    this.field.setAttribute("aria-expanded", String(isOpen));
    this.choose(-1);
  }

  close() {
    clearTimeout(this.waiting);
    this.stop?.abort();
    this.open(false);
  }

  choose(index) {
    this.chosen = index;
    [...this.list.children].forEach((one, at) => one.setAttribute("aria-selected", String(at === index)));
    if (index >= 0) {
      this.field.setAttribute("aria-activedescendant", `completion-${index}`);
      this.list.children[index].scrollIntoView({ block: "nearest" });
    } else this.field.removeAttribute("aria-activedescendant");
  }

  take(index) {
    const { field } = this;
    const item = this.items[index];
    const from = positionOf(field.value, item.from);
    const to = positionOf(field.value, item.to);
    field.setRangeText(item.text, from, to, "end");
    this.show(null);
    this.refresh();
    this.close();
    this.later();
  }

  key(event) {
    const { key } = event;
    const isOpen = !this.list.hidden;
    const count = this.items.length;
    if (key === "ArrowDown" && !isOpen) this.complete();
    else if (key === "ArrowDown" && isOpen) this.choose((this.chosen + 1) % count);
    else if (key === "ArrowUp" && isOpen) this.choose(this.chosen <= 0 ? count - 1 : this.chosen - 1);
    else if ((key === "Enter" || key === "Tab") && isOpen && this.chosen >= 0) this.take(this.chosen);
    else if (key === "Escape" && isOpen) this.close();
    else if (key === "Escape" && this.form.classList.contains("changed")) this.set(this.applied ?? "", this.subject);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
