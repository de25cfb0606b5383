// The tools on the left, built from the canvas's lists; each tool shows its key.
import { button, fill, make, remembered } from "./dom.js";
import { icon } from "./icons.js";

/// The groups in the order of use; other groups follow.
const order = ["Draw", "History", "Start", "Shape", "Objects", "View"];

/// The groups that are collapsed until a person opens them: their keys still work.
const folded = new Set(["View"]);

/// Returns a tool's tooltip: on narrow windows only its icon and key are visible.
const words = ({ label, hint }) => (hint ? `${label}: ${hint}` : label);

/// Builds the toolbar; the returned function updates the selected tool and the active options.
/// `act(id)` runs an action (the page handles undo and redo itself).
export function toolbar(root, canvas, act) {
  const built = new Map();
  const groups = new Map();
  const add = (name, element) => groups.set(name, [...(groups.get(name) ?? []), element]);
  const keepFocus = { onmousedown: (event) => event.preventDefault() };

  for (const tool of canvas.tools) {
    const element = button(tool.label, tool.key, () => canvas.choose(tool.id), {
      "data-tool": tool.id, title: words(tool), ...keepFocus,
    });
    element.prepend(icon(tool.id));
    built.set(tool.id, { element, isOn: () => canvas.tool === tool.id });
    add(tool.group, element);
  }
  for (const action of canvas.actions) {
    const hold = action.hold ? {
      onpointerdown: () => canvas.hold(action.id, true),
      onpointerup: () => canvas.hold(action.id, false),
      onpointerleave: () => canvas.hold(action.id, false),
      onblur: () => canvas.hold(action.id, false),
    } : {};
    const onclick = action.hold ? undefined : () => act(action.id);
    const element = button(action.label, action.key, onclick ?? (() => {}), {
      "data-act": action.id, title: words(action), ...keepFocus, ...hold,
    });
    element.prepend(icon(action.id));
    if (action.on) built.set(action.id, { element, isOn: () => Boolean(canvas.options[action.on]) });
    add(action.group, element);
  }

  const rank = (name) => (order.includes(name) ? order.indexOf(name) : order.length);
  const sorted = [...groups].sort(([a], [b]) => rank(a) - rank(b));
  fill(root, ...sorted.map(([name, elements]) => {
    const kept = remembered.get("fold-" + name);
    const isOpen = kept === null ? !folded.has(name) : kept === "open";
    const details = make("details", { open: isOpen }, make("summary", {}, name), ...elements);
    details.addEventListener("toggle", () => remembered.set("fold-" + name, details.open ? "open" : "shut"));
    return details;
  }));

  return () => {
    for (const { element, isOn } of built.values()) element.setAttribute("aria-pressed", String(isOn()));
  };
}
