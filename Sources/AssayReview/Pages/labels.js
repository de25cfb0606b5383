// Label mode: one class for a whole image, or a set of classes, selected by number keys,
// with the model's scores.
import { button, fill, make } from "./dom.js";

/// The side, in screen pixels, at which a small image is shown until a person zooms.
const usualSide = 300;

/// Returns the number key of each class: its own digit if its name is one, so that someone who sees
/// a 3 presses 3; the others get the rest of 1 … 9, 0 in order; null if none is left.
export function labelKeys(categories) {
  const digits = [..."1234567890"];
  const left = digits.filter((digit) => !categories.includes(digit));
  return categories.map((name) => (digits.includes(name) ? name : left.shift() ?? null));
}

/// Returns a confidence as "0.93", "–" if there is none.
export function share(value) {
  return typeof value === "number" && Number.isFinite(value) ? value.toFixed(2) : "–";
}

/// Returns the largest integer multiple of an image's size that fits; below one,
/// the fraction that fits.
export function scaleFor(width, height, roomWidth, roomHeight) {
  const fit = Math.min(roomWidth / width, roomHeight / height);
  return fit >= 1 ? Math.floor(fit) : fit;
}

/// Returns classes as text, "–" for none.
export function labelWords(labels) {
  return labels.length ? labels.join(", ") : "–";
}

/// The image and the class buttons. `onlabel(category, isKey)` is called when one is pressed. With
/// `isSet` an image has any number of classes, and a press adds or removes one.
export class LabelView {
  constructor({ picture, tools, categories, isSet = false, hint = null, onlabel }) {
    this.categories = categories;
    this.isSet = isSet;
    this.keys = labelKeys(categories);
    this.onlabel = onlabel;
    this.tools = tools;
    this.steps = 0;
    this.most = 0;
    this.controller = make("canvas", { class: "face", role: "img" });
    this.caption = make("p", { class: "caption" });
    this.room = make("div", { class: "room" }, this.controller);
    fill(picture, make("div", { class: "label-mode" }, this.room, this.caption));
    this.list = make("div", { class: "classes", role: "group", "aria-label": "Classes" });
    this.search = categories.length > 10 ? this.field() : null;
    fill(tools, make("h2", {}, isSet ? "What is in it?" : "What is it?"), this.search, this.list, hint);
    new ResizeObserver(() => this.place()).observe(this.room);
  }

  field() {
    return make("input", {
      type: "search", id: "find-class", placeholder: "find a class ( / )", "aria-label": "Find a class",
      oninput: () => this.draw(),
      onkeydown: (event) => {
        if (event.key === "Escape") {
          event.target.value = "";
          this.draw();
          event.target.blur();
        } else if (event.key === "Enter") {
          const first = this.found()[0];
          if (first === undefined) return;
          event.target.value = "";
          event.target.blur();
          this.onlabel(first);
        }
      },
    });
  }

  found() {
    const text = (this.search?.value ?? "").trim().toLowerCase();
    return this.categories.filter((name) => name.toLowerCase().includes(text));
  }

  open({ image, state, run, key }) {
    this.image = image;
    this.run = run;
    this.controller.width = image.width;
    this.controller.height = image.height;
    this.controller.getContext("2d").drawImage(image, 0, 0);
    this.key = key;
    this.place();
    this.show(state);
  }

  show(state) {
    this.labels = new Set(this.isSet ? state.labels ?? [] : [state.label].filter((one) => one !== null && one !== undefined));
    this.controller.setAttribute("aria-label", `Image ${this.key}, labeled ${this.labels.size ? this.words : "nothing"}`);
    this.draw();
  }

  /// The labels in the order of the classes.
  get words() {
    return labelWords(this.categories.filter((name) => this.labels.has(name)));
  }

  /// The classes that the run predicts.
  get predicted() {
    if (!this.run) return [];
    if (!this.isSet) return this.run.label ? [this.run.label] : [];
    return (this.run.taken ?? []).map((one) => one.category);
  }

  /// Scales the image by the largest integer factor that fits, up to the usual size.
  place() {
    if (!this.image) return;
    const { clientWidth, clientHeight } = this.room;
    const { width, height } = this.image;
    const fit = scaleFor(width, height, clientWidth - 4, clientHeight - 4);
    // A face of 48 pixels is easier to see small than huge; + and - change the size.
    const usual = Math.max(1, Math.floor(usualSide / Math.max(width, height)));
    const scale = fit < 1 ? fit : Math.min(fit, Math.max(1, usual + this.steps));
    this.most = fit - usual;
    this.controller.style.width = `${this.image.width * scale}px`;
    this.controller.style.height = `${this.image.height * scale}px`;
    this.controller.classList.toggle("pixels", scale >= 1);
  }

  draw() {
    const scores = new Map((this.run?.scores ?? []).map((one) => [one.category, one.score]));
    if (this.run?.label && !scores.has(this.run.label)) scores.set(this.run.label, this.run.confidence);
    const found = new Set(this.found());
    const predicted = new Set(this.predicted);
    fill(this.list, ...this.categories.map((name, index) => {
      if (!found.has(name)) return null;
      const isModel = predicted.has(name);
      const score = scores.get(name);
      const chosen = button(name, this.keys[index], () => this.onlabel(name), {
        class: "class", "aria-pressed": String(this.labels.has(name)), "data-model": isModel ? "true" : null,
        onmousedown: (event) => event.preventDefault(),
      });
      const bar = make("span", { class: "bar" });
      bar.style.width = `${Math.round(100 * (typeof score === "number" ? Math.min(1, Math.max(0, score)) : 0))}%`;
      chosen.append(
        make("span", { class: "score" }, this.run ? share(score) : ""),
        make("span", { class: "bars", "aria-hidden": "true" }, bar),
      );
      return chosen;
    }));
    const said = [...predicted].map((name) => `${name} ${share(scores.get(name))}`);
    const model = this.run && (this.isSet || said.length) ? ` · model: ${labelWords(said)}` : "";
    fill(this.caption, make("span", { class: "truth" }, `${this.isSet ? "labels" : "label"}: ${this.words}`),
      make("span", { class: "said" }, model));
  }

  /// Handles a key; true if it was used.
  press(key) {
    if (key === "+" || key === "-" || key === "=") {
      this.steps = Math.min(Math.max(0, this.most), this.steps) + (key === "-" ? -1 : 1);
      this.place();
      return true;
    }
    if (key === "/" && this.search) {
      this.search.focus();
      return true;
    }
    const index = this.keys.indexOf(key);
    if (index < 0) return false;
    this.onlabel(this.categories[index], true);
    return true;
  }
}
