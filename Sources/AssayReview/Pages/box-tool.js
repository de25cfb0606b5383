// Boxes with a pointer or the keyboard's cursor: drawing, moving, resizing by eight handles, nudging by arrow keys. The
// editor (editor.js) saves; while a box is dragged, `editor.dragging` shows it.
import { boxBetween, boxWords, dragged, gripAt, sameBox, smallestSide } from "./box-edges.js";
import { addShape, moveBox } from "./shape-changes.js";
import { ShapeTool } from "./shape-tool.js";

/// The radius of a handle and the distance from which a drag counts, in canvas pixels.
const handleReach = 7;
const dragStart = 3;

/// `nudged` is `{target, before}`.
export class BoxTool extends ShapeTool {
  changes(item) {
    return item.isBox;
  }

  /// True if boxes can be moved with the tool that is selected.
  get isActive() {
    return ["box", "select"].includes(this.controller.tool);
  }

  get reach() {
    return handleReach / this.controller.viewport.scale;
  }

  /// Returns the grip of the selected box at a position, or null.
  gripAt(x, y) {
    const item = this.isActive ? this.chosen : null;
    return item ? gripAt(item.box, x, y, this.reach) : null;
  }

  /// Starts to move or resize the selected box if it is at (x, y); returns the work for the pen, or null.
  grip(x, y) {
    const grip = this.gripAt(x, y);
    const item = this.chosen;
    if (!grip || !item) return null;
    const { controller, editor } = this;
    const before = item.box;
    const start = dragStart / controller.viewport.scale;
    let isMoved = false;
    return {
      move: (toX, toY) => {
        isMoved ||= Math.hypot(toX - x, toY - y) >= start;
        if (!isMoved) return;
        this.show(item.target, dragged(before, grip, toX - x, toY - y, editor.width, editor.height));
      },
      up: () => {
        const after = editor.dragging?.box ?? before;
        this.show(null);
        if (!isMoved) return this.controller.tool === "select" && controller.pen.select(x, y);
        this.keep(item.target, after);
      },
      cancel: () => this.show(null),
    };
  }

  /// Starts a new box; a click without a drag selects the object there.
  draw(x, y) {
    const { controller, editor } = this;
    const start = dragStart / controller.viewport.scale;
    let isDrawn = false;
    return {
      move: (toX, toY) => {
        isDrawn ||= Math.hypot(toX - x, toY - y) >= start;
        if (isDrawn) this.show(null, boxBetween([x, y], [toX, toY], editor.width, editor.height));
      },
      up: () => {
        const box = editor.dragging?.box ?? null;
        this.show(null);
        if (!isDrawn) return controller.pen.select(x, y);
        if (!box || box[2] < smallestSide || box[3] < smallestSide) {
          return controller.say("The box is smaller than a pixel; nothing was added");
        }
        addShape(editor, { box });
        return controller.say(`${editor.subject}: box ${boxWords(box)}${editor.host.film?.tracks.given ?? ""}`);
      },
      cancel: () => this.show(null),
    };
  }

  /// Shows a box that is being dragged; without a box, none.
  show(target, box = null) {
    this.editor.dragging = box && { target, box, category: this.editor.category };
    this.controller.show({ marks: true, foot: true });
  }

  keep(target, box) {
    const { controller, editor } = this;
    if (box[2] < smallestSide || box[3] < smallestSide) {
      return controller.say("A box is at least one pixel wide and high; nothing was changed");
    }
    return moveBox(editor, target, box) ? controller.say(`${editor.subject}: box ${boxWords(box)}`) : undefined;
  }

  /// Moves the selected box by an arrow key, or its right and bottom edges (`isSize`): true if there is one. The change is
  /// saved when the key is released, so that a held key is one change.
  nudge([dx, dy], isFar, isSize) {
    const item = this.isActive ? this.chosen : null;
    if (!item) return false;
    // The pointer holds it.
    if (this.controller.pen.isDown) return true;
    const { editor } = this;
    if (this.nudged?.target !== item.target) {
      this.endNudge();
      this.nudged = { target: item.target, box: item.box };
    }
    const step = isFar ? 10 : 1;
    const grip = !isSize ? "inside" : dx !== 0 ? "e" : "s";
    const next = dragged(this.nudged.box, grip, dx * step, dy * step, editor.width, editor.height);
    if (next[2] >= smallestSide && next[3] >= smallestSide) this.nudged.box = next;
    this.show(item.target, this.nudged.box);
    return true;
  }

  /// Saves what the arrow keys did.
  endNudge() {
    const { nudged } = this;
    if (!nudged) return;
    this.nudged = null;
    const item = this.editor.isOpen ? this.editor.objects.find(nudged.target) : undefined;
    this.show(null);
    if (item && !sameBox(item.box, nudged.box)) this.keep(nudged.target, nudged.box);
  }
}
