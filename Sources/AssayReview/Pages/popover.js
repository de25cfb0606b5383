// A button that opens a panel below it. Escape or a click elsewhere closes it.
import { make } from "./dom.js";

/// Returns `{element, button, panel, close, refresh}`. `build(panel, close)` fills the panel each time it opens, and again
/// with `refresh()` if it is open.
export function popover(label, build, { name } = {}) {
  const panel = make("div", { class: "panel", id: `panel-${name}`, hidden: true, role: "group", "aria-label": label });
  const button = make("button", { type: "button", class: "opener", "aria-expanded": "false", "aria-controls": `panel-${name}` }, label);
  const element = make("div", { class: "popover" }, button, panel);
  const away = (event) => {
    if (!element.contains(event.target)) close(false);
  };
  function open() {
    build(panel, close);
    panel.hidden = false;
    // At the right edge of the window it opens to the left.
    panel.classList.remove("leftward");
    if (panel.getBoundingClientRect().right > document.documentElement.clientWidth - 8) panel.classList.add("leftward");
    const over = 8 - panel.getBoundingClientRect().left;
    panel.style.marginRight = over > 0 && panel.classList.contains("leftward") ? `${-over}px` : "";
    button.setAttribute("aria-expanded", "true");
    document.addEventListener("pointerdown", away);
    panel.querySelector("input, button, select")?.focus();
  }
  function close(isBack = true) {
    if (panel.hidden) return;
    panel.hidden = true;
    button.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", away);
    if (isBack) button.focus();
  }
  const refresh = () => {
    if (panel.hidden) return;
    const focused = panel.contains(document.activeElement) ? document.activeElement : null;
    build(panel, close);
    if (focused) (document.getElementById(focused.id) ?? panel.querySelector("input, button, select"))?.focus();
  };
  button.addEventListener("click", () => (panel.hidden ? open() : close()));
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || panel.hidden) return;
    event.stopPropagation();
    close();
  });
  return { element, button, panel, close, refresh };
}
