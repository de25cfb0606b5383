// Keys on the image: the lists of tools.js, polygons, panning, and a cursor that
// paints without a mouse.
import { actions, keyOf, settings, tools } from "./tools.js";

const arrows = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

const modifiers = new Set(["Shift", "Control", "Alt", "Meta"]);

export class Keyboard {
  constructor(controller) {
    this.controller = controller;
    /// The keyboard cursor's position in the image, at a pixel's center; null if it is off.
    this.cursor = null;
    /// The release handlers of held keys (actions and Space), by key code.
    this.held = new Map();
    this.isSpaceDown = false;
    this.table = new Map();
    for (const tool of tools) this.table.set(tool.key, () => controller.choose(tool.id));
    for (const action of actions) {
      if (!action.hold) this.table.set(action.key, () => controller.act(action.id));
    }
    for (const { id, keys, step } of settings) {
      this.table.set(keys[0], () => controller.nudge(id, -step));
      this.table.set(keys[1], () => controller.nudge(id, step));
    }
    this.table.set("=", () => controller.act("zoom-in"));
    this.table.set("_", () => controller.act("zoom-out"));
    this.table.set("Ctrl+Y", () => controller.act("redo"));
    this.table.set("k", () => this.toggleCursor());
    // An unfinished polygon handles this key before all other listeners.
    document.addEventListener("keydown", (event) => {
      if (!controller.isDrawing || keyOf(event) !== "Ctrl+Z") return;
      controller.pen.takeBack();
      event.preventDefault();
      event.stopPropagation();
    }, { capture: true });
    document.addEventListener("keyup", (event) => this.up(event));
    window.addEventListener("blur", () => this.letGo());
  }

  /// Handles a pressed key: true if the canvas used it.
  down(event) {
    const { controller } = this;
    if (!controller.editor.isOpen || event.altKey) return false;
    const key = keyOf(event);
    const plain = key.startsWith("Shift+") ? key.slice(6) : key;
    const isHere = controller.isFocused;
    const isOnControl = !isHere && event.target instanceof Element
      && event.target.closest("button, a, input, select, textarea, summary, [role=option]");
    const way = arrows[plain.replace("Ctrl+", "").replace("Shift+", "")];
    const isSize = event.ctrlKey || event.metaKey;
    if (way && !isOnControl && !this.cursor && controller.nudgeShape(way, event.shiftKey, isSize)) {
      this.held.set(event.code, () => controller.endNudge());
      return true;
    }
    if (!isOnControl && controller.orientedTool.turnKey(key)) {
      this.held.set(event.code, () => controller.endNudge());
      return true;
    }
    if (!modifiers.has(event.key)) controller.endNudge();
    if (arrows[plain]) return !isOnControl && this.arrow(arrows[plain], event.shiftKey);
    if (plain === "Space" || key === "Ctrl+Space") return !isOnControl && this.space(event);
    if (key === "Tab" || key === "Shift+Tab") {
      // After the last object, Tab moves to the next part of the page.
      return isHere && controller.editor.step(key === "Tab" ? 1 : -1);
    }
    if (key === "Enter") return controller.isDrawing && !isOnControl && controller.pen.close();
    if (key === "Backspace" && controller.pen.takeBack()) return true;
    // With a vertex or point selected, they remove that and never the object, also with the focus on a button.
    const isInField = !isHere && event.target instanceof Element && event.target.closest("input, select, textarea");
    if ((key === "Backspace" || key === "Delete") && !isInField
      && (controller.polygonTool.remove() || controller.keypointTool.remove())) return true;
    if (key === "Backspace") return false;
    if (key === "Escape") return this.escape();
    if (/^[1-9]$/.test(key)) return this.digit(Number(key));
    const hold = actions.find((action) => action.hold && action.key === key);
    if (hold) {
      if (!event.repeat) {
        this.held.set(event.code, () => controller.hold(hold.id, false));
        controller.hold(hold.id, true);
      }
      return true;
    }
    const run = this.table.get(key);
    if (!run) return false;
    const isRepeating = "[]{},.();'+-=_".includes(key) || key.startsWith("Ctrl+");
    if (!event.repeat || isRepeating) run();
    return true;
  }

  up(event) {
    const release = this.held.get(event.code);
    this.held.delete(event.code);
    release?.();
    return release !== undefined;
  }

  letGo() {
    for (const release of this.held.values()) release();
    this.held.clear();
  }

  digit(number) {
    const name = this.controller.editor.categories[number - 1];
    return name !== undefined && this.controller.editor.setCategory(name);
  }

  escape() {
    if (this.controller.pen.cancel()) return true;
    if (this.controller.polygonTool.deselect() || this.controller.keypointTool.deselect()) return true;
    if (this.controller.editor.unmark()) return true;
    if (!this.cursor) return false;
    this.toggleCursor();
    return true;
  }

  // ---- the cursor ----

  toggleCursor() {
    const { controller } = this;
    const { viewport } = controller;
    if (this.cursor) {
      this.cursor = null;
      controller.pen.up();
      controller.say("Keyboard cursor off");
    } else {
      const [x, y] = viewport.toPicture(viewport.stageWidth / 2, viewport.stageHeight / 2);
      this.cursor = this.inside(Math.floor(x) + 0.5, Math.floor(y) + 0.5);
      controller.focus();
      controller.say("Keyboard cursor on: arrows move it, Space paints");
    }
    controller.show({ marks: true, status: true });
  }

  inside(x, y) {
    const { width, height } = this.controller.editor;
    return [Math.min(Math.max(x, 0.5), width - 0.5), Math.min(Math.max(y, 0.5), height - 0.5)];
  }

  arrow([dx, dy], isFar) {
    const { controller } = this;
    if (!this.cursor) {
      const step = isFar ? 240 : 60;
      controller.pan(-dx * step, -dy * step);
      return true;
    }
    // At least one pixel of the image, and about one of the screen.
    const step = Math.max(Math.round(1 / controller.viewport.scale), 1) * (isFar ? 10 : 1);
    this.cursor = this.inside(this.cursor[0] + dx * step, this.cursor[1] + dy * step);
    controller.pen.move(...this.cursor);
    const moved = controller.viewport.reveal(...this.cursor);
    controller.show({ marks: true, view: moved });
    controller.sayPlace(...this.cursor);
    return true;
  }

  space(event) {
    const { controller } = this;
    if (event.repeat) return true;
    if (!this.cursor) {
      this.isSpaceDown = true;
      controller.show({ pointer: true });
      this.held.set(event.code, () => {
        this.isSpaceDown = false;
        controller.show({ pointer: true });
      });
      return controller.isFocused || controller.isPointed;
    }
    if (controller.pen.isDown) {
      controller.pen.up();
      controller.say("Pen up");
      return true;
    }
    controller.pen.down(...this.cursor, event.ctrlKey);
    // With Shift the pen stays down until the next Space, so that one key at a time is enough.
    if (event.shiftKey) controller.say("Pen down until the next Space");
    else this.held.set(event.code, () => controller.pen.up());
    return true;
  }
}
