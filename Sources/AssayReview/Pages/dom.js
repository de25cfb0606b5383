// Elements from values. Text is inserted as text, never as markup: names, notes and
// keys come from outside.

/// Creates an element: `make("button", { type: "button", class: "wide", onclick }, "text",
/// child, …)`. `on…` are listeners, `null` and `false` omit an attribute, `true` sets it
/// to an empty value.
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/// Replaces the content of an element.
export function fill(element, ...children) {
  element.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
}

/// Creates a button labeled with its key. `key` is spelled as in `keyOf`, or null.
export function button(label, key, onclick, more = {}) {
  return make(
    "button",
    { type: "button", "aria-keyshortcuts": key && spoken(key), onclick, ...more },
    make("span", { class: "label" }, label),
    key ? make("kbd", { "aria-hidden": "true" }, short(key)) : null,
  );
}

const marks = {
  ArrowLeft: "←", ArrowRight: "→", ArrowUp: "↑", ArrowDown: "↓", Enter: "↵", Delete: "Del",
  PageUp: "PgUp", PageDown: "PgDn", Escape: "Esc",
};

/// Returns a key in its short form for a button: "⇧F", "^Z", "B".
export function short(key) {
  const parts = key === "+" ? ["+"] : key.split("+");
  const last = parts.pop();
  const held = parts.map((one) => ({ Shift: "⇧", Ctrl: "^", Alt: "⌥" })[one] ?? one + "+").join("");
  return held + (marks[last] ?? (last.length === 1 ? last.toUpperCase() : last));
}

/// Returns a key in the syntax of `aria-keyshortcuts`.
function spoken(key) {
  return key.replace("Ctrl+", "Control+");
}

/// Returns "14:02" for a time in ISO 8601, in this browser's time zone.
export function clock(time) {
  const date = time ? new Date(time) : new Date();
  const two = (number) => String(number).padStart(2, "0");
  return Number.isNaN(date.getTime()) ? "" : `${two(date.getHours())}:${two(date.getMinutes())}`;
}

const numbers = new Intl.NumberFormat("en");

/// Returns a number with thousands separators: "20,771".
export function grouped(number) {
  return numbers.format(number);
}

/// Returns a count with its noun: "1 stroke", "3 strokes".
export function count(number, one, many = one + "s") {
  return `${grouped(number)} ${number === 1 ? one : many}`;
}

/// Returns a number of pixels: "1,204 pixels".
export function pixels(number) {
  return count(number, "pixel");
}

/// Returns a random UUID, also on a page without a secure origin
/// (`crypto.randomUUID` is missing there).
export function newUUID() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

/// Values that this browser remembers between visits; a private window forgets them.
export const remembered = {
  get(name) {
    try {
      return localStorage.getItem("assay-" + name);
    } catch {
      return null;
    }
  },
  set(name, value) {
    try {
      localStorage.setItem("assay-" + name, value);
    } catch {
      // The value is optional.
    }
  },
};
