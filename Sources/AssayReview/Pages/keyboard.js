// Keys on the picture: the lists of tools.js, polygons, panning, and a cursor that paints without a mouse.
import { actions, keyOf, settings, tools } from "./tools.js";

const arrows = {
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
};

export class Keyboard {
  constructor(stage) {
    this.stage = stage;
    /// The keyboard cursor's place in the picture, on a pixel's centre; null where it is off.
    this.cursor = null;
    /// Actions and Space that are held down, by the key's code.
    this.held = new Map();
    this.isSpaceDown = false;
    this.table = new Map();
    for (const tool of tools) this.table.set(tool.key, () => stage.choose(tool.id));
    for (const action of actions) {
      if (!action.hold) this.table.set(action.key, () => stage.act(action.id));
    }
    for (const { id, keys, step } of settings) {
      this.table.set(keys[0], () => stage.nudge(id, -step));
      this.table.set(keys[1], () => stage.nudge(id, step));
    }
    this.table.set("=", () => stage.act("zoom-in"));
    this.table.set("_", () => stage.act("zoom-out"));
    this.table.set("Ctrl+Y", () => stage.act("redo"));
    this.table.set("k", () => this.toggleCursor());
    // A polygon that is being drawn has these before anybody.
    document.addEventListener("keydown", (event) => {
      if (!stage.pen.draft || keyOf(event) !== "Ctrl+Z") return;
      stage.pen.takeBack();
      event.preventDefault();
      event.stopPropagation();
    }, { capture: true });
    document.addEventListener("keyup", (event) => this.up(event));
    window.addEventListener("blur", () => this.letGo());
  }

  /// Takes a key down: true where the canvas had a use for it.
  down(event) {
    const { stage } = this;
    if (!stage.editor.isOpen || event.altKey) return false;
    const key = keyOf(event);
    const plain = key.startsWith("Shift+") ? key.slice(6) : key;
    const isHere = stage.isFocused;
    const isOnControl = !isHere && event.target instanceof Element
      && event.target.closest("button, a, input, select, textarea, summary, [role=option]");
    if (arrows[plain]) return !isOnControl && this.arrow(arrows[plain], event.shiftKey);
    if (plain === "Space") return !isOnControl && this.space(event);
    if (key === "Tab" || key === "Shift+Tab") {
      // Behind the last object Tab goes on to the next part of the page.
      return isHere && stage.editor.step(key === "Tab" ? 1 : -1);
    }
    if (key === "Enter") return stage.pen.draft !== null && !isOnControl && stage.pen.close();
    if (key === "Backspace") return stage.pen.takeBack();
    if (key === "Escape") return this.escape();
    if (/^[1-9]$/.test(key)) return this.digit(Number(key));
    const hold = actions.find((action) => action.hold && action.key === key);
    if (hold) {
      if (!event.repeat) {
        this.held.set(event.code, () => stage.hold(hold.id, false));
        stage.hold(hold.id, true);
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
    const name = this.stage.editor.categories[number - 1];
    return name !== undefined && this.stage.editor.setCategory(name);
  }

  escape() {
    if (this.stage.pen.cancel()) return true;
    if (!this.cursor) return false;
    this.toggleCursor();
    return true;
  }

  // ---- the cursor ----

  toggleCursor() {
    const { stage } = this;
    const { viewport } = stage;
    if (this.cursor) {
      this.cursor = null;
      stage.pen.up();
      stage.say("Keyboard cursor off");
    } else {
      const [x, y] = viewport.toPicture(viewport.stageWidth / 2, viewport.stageHeight / 2);
      this.cursor = this.inside(Math.floor(x) + 0.5, Math.floor(y) + 0.5);
      stage.focus();
      stage.say("Keyboard cursor on: arrows move it, Space paints");
    }
    stage.show({ marks: true, status: true });
  }

  inside(x, y) {
    const { width, height } = this.stage.editor;
    return [Math.min(Math.max(x, 0.5), width - 0.5), Math.min(Math.max(y, 0.5), height - 0.5)];
  }

  arrow([dx, dy], isFar) {
    const { stage } = this;
    if (!this.cursor) {
      const step = isFar ? 240 : 60;
      stage.pan(-dx * step, -dy * step);
      return true;
    }
    // At least one pixel of the picture, and about one of the screen.
    const step = Math.max(Math.round(1 / stage.viewport.scale), 1) * (isFar ? 10 : 1);
    this.cursor = this.inside(this.cursor[0] + dx * step, this.cursor[1] + dy * step);
    stage.pen.move(...this.cursor);
    const moved = stage.viewport.reveal(...this.cursor);
    stage.show({ marks: true, view: moved });
    stage.sayPlace(...this.cursor);
    return true;
  }

  space(event) {
    const { stage } = this;
    if (event.repeat) return true;
    if (!this.cursor) {
      this.isSpaceDown = true;
      stage.show({ pointer: true });
      this.held.set(event.code, () => {
        this.isSpaceDown = false;
        stage.show({ pointer: true });
      });
      return stage.isFocused || stage.isPointed;
    }
    if (stage.pen.isDown) {
      stage.pen.up();
      stage.say("Pen up");
      return true;
    }
    stage.pen.down(...this.cursor, false);
    // With Shift the pen stays down until the next Space: one key at a time is enough.
    if (event.shiftKey) stage.say("Pen down until the next Space");
    else this.held.set(event.code, () => stage.pen.up());
    return true;
  }
}
