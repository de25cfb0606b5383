// Oriented boxes with a pointer or the keyboard: drawing, moving, resizing along their own axes, rotating. They are polygons
// of four corners, which the editor (editor.js) saves as such; while one is dragged, `editor.reshaping` shows it.
import { boxBetween } from "./box-edges.js";
import {
  isWithin, orientedBox, orientedHandles, orientedWords, pointOf, resized, ringOfBox, turned,
} from "./oriented-box.js";
import { rotationPoint } from "./oriented-marks.js";
import { movedRings, sameRings } from "./rings.js";
import { addShape, movePolygons } from "./shape-changes.js";
import { ShapeTool } from "./shape-tool.js";

/// The radius of a handle and the distance from which a drag counts, in canvas pixels.
const handleReach = 8;
const dragStart = 3;
const smallestSide = 1;

/// The keys that rotate, with their degrees.
const rotations = { "[": -1, "]": 1, "{": -10, "}": 10 };

/// `nudged` is `{target, before, polygons}`.
export class OrientedTool extends ShapeTool {
  changes(item) {
    return item.isPolygon && orientedBox(item.polygons) !== null;
  }

  get isActive() {
    return this.controller.tool === "oriented";
  }

  /// The selected box as the marks layer draws it: {ring, box, isDragged}; null if none is selected.
  get marks() {
    const { editor } = this;
    if (!this.isActive) return null;
    if (editor.dragging) return null;
    const polygons = editor.reshaping?.polygons ?? this.chosen?.polygons;
    const box = polygons ? orientedBox(polygons) : null;
    return box && { ring: polygons[0], box, isDragged: editor.reshaping !== null };
  }

  /// Returns what is at a position of the selected box: {handle}, {isRotation} or {isInside}; null for nothing.
  gripAt(x, y) {
    const item = this.isActive ? this.chosen : null;
    if (!item) return null;
    const { scale } = this.controller.viewport;
    const box = orientedBox(item.polygons);
    const far = ([toX, toY]) => Math.hypot(toX - x, toY - y) * scale;
    if (far(rotationPoint(box, scale)) <= handleReach + 2) return { isRotation: true };
    const [vx, vy] = [x - box.x, y - box.y];
    const along = vx * box.u[0] + vy * box.u[1];
    const down = (vx * -box.u[1] + vy * box.u[0]) * box.turn;
    const isInside = Math.abs(along) <= box.width / 2 && Math.abs(down) <= box.height / 2;
    // In a box smaller than its handles the inside wins.
    const isSmall = Math.max(box.width, box.height) * scale < 3 * handleReach;
    const near = orientedHandles.map((handle) => ({ handle, far: far(pointOf(box, ...handle)) }))
      .filter((one) => one.far <= handleReach).sort((a, b) => a.far - b.far)[0];
    if (near && !(isSmall && isInside)) return { handle: near.handle };
    return isInside ? { isInside: true } : null;
  }

  /// The pointer's shape at a position, as the id of a box's handle; null for the usual one.
  cursorAt(x, y) {
    const grip = this.gripAt(x, y);
    return grip && (grip.isInside || grip.isRotation ? "inside" : "se");
  }

  /// Starts to change the selected box if it is at (x, y); returns the work for the pen, or null.
  grip(x, y) {
    const grip = this.gripAt(x, y);
    if (!grip) return null;
    const { controller, editor } = this;
    const { target, polygons: before } = this.chosen;
    const box = orientedBox(before);
    const start = dragStart / controller.viewport.scale;
    const angle = (toX, toY) => Math.atan2(toY - box.y, toX - box.x);
    let after = before;
    let isMoved = false;
    let isHeld = false;
    return {
      move: (toX, toY) => {
        isMoved ||= Math.hypot(toX - x, toY - y) >= start;
        if (!isMoved) return;
        const next = grip.isInside ? movedRings(before, toX - x, toY - y, editor.width, editor.height)
          : [ringOfBox(grip.isRotation ? turned(box, angle(toX, toY) - angle(x, y)) : resized(box, grip.handle, toX - x, toY - y))];
        isHeld = !isWithin(next[0], before[0], editor.width, editor.height);
        if (!isHeld) after = next;
        this.show(target, after);
      },
      up: () => {
        this.show(null);
        if (!isMoved) return grip.isInside ? controller.pen.select(x, y) : undefined;
        return this.keep(target, before, after, grip.isInside ? "moved" : grip.isRotation ? "rotated" : "resized", isHeld);
      },
      cancel: () => this.show(null),
    };
  }

  /// Starts a new box, which is upright; a click without a drag selects the object there.
  draw(x, y) {
    const { controller, editor } = this;
    const start = dragStart / controller.viewport.scale;
    let isDrawn = false;
    return {
      move: (toX, toY) => {
        isDrawn ||= Math.hypot(toX - x, toY - y) >= start;
        if (!isDrawn) return;
        editor.dragging = { target: null, box: boxBetween([x, y], [toX, toY], editor.width, editor.height), category: editor.category };
        controller.show({ marks: true, foot: true });
      },
      up: () => {
        const box = editor.dragging?.box ?? null;
        this.endDrawing();
        if (!isDrawn) return controller.pen.select(x, y);
        const [left, top, wide, high] = box;
        if (wide < smallestSide || high < smallestSide) return controller.say("The box is smaller than a pixel; nothing was added");
        const [right, bottom] = [left + wide, top + high];
        addShape(editor, { polygons: [[left, top, right, top, right, bottom, left, bottom]] });
        return this.sayBox("");
      },
      cancel: () => this.endDrawing(),
    };
  }

  endDrawing() {
    this.editor.dragging = null;
    this.controller.show({ marks: true, foot: true });
  }

  /// Shows a box that is being dragged; without a target, none.
  show(target, polygons = null) {
    const { editor, controller } = this;
    const isFirst = (editor.reshaping === null) !== (target === null);
    editor.reshaping = target === null ? null : { target, polygons, vertex: null };
    controller.show({ marks: true, foot: true, overlay: isFirst });
  }

  sayBox(done, isHeld = false) {
    const { controller, editor } = this;
    const box = this.chosen && orientedBox(this.chosen.polygons);
    return controller.say(`${editor.subject}: oriented box ${done}${box ? orientedWords(box) : ""}`
      + `${isHeld ? "; its corners stay inside the image" : ""}`);
  }

  keep(target, before, after, done, isHeld = false) {
    const { controller, editor } = this;
    const item = editor.objects.find(target);
    if (!item?.isPolygon || !sameRings(item.polygons, before)) {
      return controller.say("Somebody else changed this object in the meantime; nothing was changed");
    }
    if (movePolygons(editor, target, after)) return this.sayBox(`${done}, `, isHeld);
    return isHeld ? controller.say("The corners of the box stay inside the image; nothing was changed") : undefined;
  }

  // ---- keys ----

  /// The box that keys change; null if there is none. A change is saved when the key is released, so that a held key is one.
  held() {
    const item = this.isActive ? this.chosen : null;
    if (!item) return null;
    if (this.nudged?.target !== item.target) {
      this.endNudge();
      this.nudged = { target: item.target, before: item.polygons, polygons: item.polygons, box: orientedBox(item.polygons), angle: 0 };
    }
    return this.nudged;
  }

  /// Moves the selected box by an arrow key: true if there is one.
  nudge([dx, dy], isFar) {
    // The pointer holds it.
    if (this.isActive && this.chosen && this.controller.pen.isDown) return true;
    const nudged = this.held();
    if (!nudged) return false;
    const step = isFar ? 10 : 1;
    const { width, height } = this.editor;
    nudged.polygons = movedRings(nudged.polygons, dx * step, dy * step, width, height);
    nudged.box = orientedBox(nudged.polygons);
    nudged.angle = 0;
    this.show(nudged.target, nudged.polygons);
    return true;
  }

  /// Rotates the selected box by a key: true if the key rotates.
  turnKey(key) {
    const by = rotations[key];
    if (by === undefined || !this.isActive || this.controller.pen.isDown) return false;
    const nudged = this.held();
    if (!nudged) return this.controller.say("Select an oriented box first: click it, or press Tab on the image");
    const angle = nudged.angle + by;
    const ring = ringOfBox(turned(nudged.box, angle * Math.PI / 180));
    if (isWithin(ring, nudged.before[0], this.editor.width, this.editor.height)) {
      nudged.polygons = [ring];
      nudged.angle = angle;
    }
    this.show(nudged.target, nudged.polygons);
    return true;
  }

  /// Saves what the keys did.
  endNudge() {
    const { nudged } = this;
    if (!nudged) return;
    this.nudged = null;
    this.show(null);
    if (sameRings(nudged.before, nudged.polygons)) {
      this.controller.say("The corners of the box stay inside the image; nothing was changed");
    } else {
      this.keep(nudged.target, nudged.before, nudged.polygons, "changed");
    }
  }
}
