// The page's own keys. The canvas has its own list (tools.js); a clash between the two is
// an error at startup.
import { keyOf } from "./tools.js";
export { keyOf };

/// The decisions about a sample, with key, button text and meaning. `modes`: the
/// modes that offer it.
export const decisions = [
  { id: "accept", label: "Accept", key: "Enter", hint: "The current ground truth is correct" },
  { id: "take", label: "Use prediction", key: "t", needs: "run", hint: "The prediction becomes the ground truth" },
  { id: "unsure", label: "Unsure", key: "u", hint: "Another person should check it" },
  { id: "bad", label: "Bad image", key: "Shift+B", labelKey: "b", hint: "The image is unusable: excluded from evaluation and export" },
  { id: "reject", label: "Reject…", key: "r", hint: "Exclude from evaluation and export, with a reason" },
  { id: "skip", label: "Skip", key: "s", hint: "Not now" },
  { id: "note", label: "Note…", key: "n", hint: "A note, stored with the sample" },
];

export const moves = [
  { id: "previous", label: "Previous", key: "j", also: ["PageUp"] },
  { id: "next", label: "Next", key: "l", also: ["PageDown"] },
  { id: "goTo", label: "Go to…", key: "Shift+G" },
  { id: "goOn", label: "Auto-advance on or off", key: "Shift+A" },
];

export const others = [
  { id: "undo", label: "Undo", key: "Ctrl+Z" },
  { id: "redo", label: "Redo", key: "Ctrl+Shift+Z", also: ["Ctrl+Y"] },
  { id: "sayEmpty", label: "Yes, it is empty", key: "y" },
  { id: "answer", label: "Run the action in the status bar", key: "q" },
  { id: "compare", label: "In a conflict: show the other version", key: "x" },
  { id: "keepSeen", label: "In a conflict: keep the shown version", key: "Shift+K" },
  { id: "keepBoth", label: "In a conflict: keep the changes of both", key: "&" },
  { id: "help", label: "All keys", key: "?" },
];

const fields = new Set(["INPUT", "TEXTAREA", "SELECT"]);
const unwritten = new Set(["range", "checkbox", "radio", "button", "submit"]);

/// Returns whether a person is typing into an element, so that letters are text.
export function isWriting(target) {
  if (!(target instanceof HTMLElement)) return false;
  if (target.isContentEditable) return true;
  return fields.has(target.tagName) && !unwritten.has(target.type);
}

/// Returns whether the focused element uses Enter and Space itself.
function isPressable(target) {
  return target instanceof HTMLElement
    && (["BUTTON", "A", "SUMMARY"].includes(target.tagName) || unwritten.has(target.type));
}

/// Returns the keys that have a meaning in both lists; must be empty.
export function clashes(own, theirs) {
  const seen = new Map(theirs.map((one) => [one.key, one.label]));
  return own.flatMap((one) => [one.key, ...(one.also ?? [])])
    .filter((key) => seen.has(key) && !key.startsWith("Ctrl+"));
}

/// Listens for keys. `table()` returns a map of key → function; `first` and `last` are called
/// before and after it and return true if they handled the event.
export function listen({ table, first, last }) {
  document.addEventListener("keydown", (event) => {
    if (event.isComposing || event.defaultPrevented || isWriting(event.target)) return;
    const key = keyOf(event);
    if (isPressable(event.target) && (key === "Enter" || key === "Space" || key === "Tab" || key === "Shift+Tab")) return;
    if (first?.(event, key)) return event.preventDefault();
    const run = table().get(key);
    if (run) {
      event.preventDefault();
      // A held key triggers its action once, except for navigation, undo and redo.
      if (!event.repeat || ["j", "l", "PageUp", "PageDown", "Ctrl+Z", "Ctrl+Shift+Z", "Ctrl+Y"].includes(key)) run();
      return;
    }
    if (last?.(event, key)) event.preventDefault();
  });
}

/// Moves the focus from part to part of the page, for people without a mouse.
export function walk(step) {
  const at = (id) => document.getElementById(id);
  const parts = ["picture", "tools", "decide", "more", "queue", ...(at("side").hidden ? [] : ["side"])];
  const now = parts.findIndex((id) => at(id).contains(document.activeElement));
  const id = parts[(Math.max(now, step > 0 ? now : 0) + step + parts.length) % parts.length];
  const inside = at(id).querySelector("[aria-current='true'],[aria-pressed='true'],button:not([disabled]),summary,input");
  (id === "picture" ? at(id) : inside ?? at(id)).focus();
  return true;
}
