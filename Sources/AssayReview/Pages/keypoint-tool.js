// Keypoints with a pointer or the keyboard: points are selected, moved, placed, and their visibility is changed (0: not
// labeled, 1: hidden, 2: visible). The editor (editor.js) saves; while a point is dragged, `editor.posing` shows it.
import { rounded } from "./box-edges.js";
import { setFields } from "./field-changes.js";
import { ShapeTool } from "./shape-tool.js";

/// The radius of a point and the distance from which a drag counts, in canvas pixels.
const reach = 9;
const dragStart = 3;
const visibilities = ["not labeled", "hidden", "visible"];

/// `nudged` is `{target, index, before, points}`.
export class KeypointTool extends ShapeTool {
  constructor(controller) {
    super(controller);
    /// The selected point, `{target, index}`; null if none is.
    this.selected = null;
  }

  get isActive() {
    return this.controller.tool === "keypoints";
  }

  changes(item) {
    return Boolean(item.keypoints);
  }

  /// The number of the selected point; null if there is none.
  get index() {
    const item = this.isActive && this.selected ? this.chosen : null;
    return item?.target === this.selected?.target && 3 * this.selected?.index < (item?.keypoints.length ?? 0)
      ? this.selected.index : null;
  }

  /// The skeleton of a class: {names, edges}.
  skeleton(category) {
    return this.editor.host.skeletons?.[category] ?? { names: [], edges: [] };
  }

  nameOf(item, index) {
    return this.skeleton(item.category).names[index] ?? `point ${index + 1}`;
  }

  /// The keypoints of all objects as the marks layer draws them: a list of {points, names, edges, index, isActive,
  /// isChosen}, the selected object last.
  get marks() {
    const { editor } = this;
    const { posing } = editor;
    const shown = editor.objects.items.filter((item) => item.keypoints && !editor.hidden.has(item.category));
    shown.sort((a, b) => (a.target === editor.target) - (b.target === editor.target));
    return shown.map((item) => ({
      points: posing?.target === item.target ? posing.points : item.keypoints, ...this.skeleton(item.category),
      isActive: this.isActive && item.target === editor.target, isChosen: item.target === editor.target,
      index: item.target === editor.target ? posing?.index ?? this.index : null,
    }));
  }

  /// Returns the number of the labeled point of the selected object at a position; null if there is none.
  pointAt(x, y) {
    const item = this.isActive ? this.chosen : null;
    if (!item) return null;
    let best = null;
    let least = Math.max(reach / this.controller.viewport.scale, this.controller.keyboard.cursor ? 0.75 : 0);
    for (let index = 0; 3 * index < item.keypoints.length; index++) {
      const [atX, atY, visibility] = item.keypoints.slice(3 * index, 3 * index + 3);
      const far = Math.hypot(atX - x, atY - y);
      if (visibility > 0 && far <= least) [best, least] = [index, far];
    }
    return best;
  }

  /// Starts to move the point at (x, y); `isOther` (Alt, the right button) changes its visibility. Where there is none, a
  /// selected point that is not labeled is placed; otherwise the object there is selected. Returns the work for the pen.
  grip(x, y, isOther) {
    const { controller, editor } = this;
    const index = this.pointAt(x, y);
    if (index === null) {
      if (this.index !== null && this.chosen.keypoints[3 * this.index + 2] === 0) {
        this.place(this.index, x, y);
        return {};
      }
      controller.pen.select(x, y);
      return {};
    }
    this.select(index);
    if (isOther) {
      this.turn();
      return {};
    }
    const { target, keypoints: before } = this.chosen;
    const start = dragStart / controller.viewport.scale;
    let after = before;
    return {
      move: (toX, toY) => {
        if (after === before && Math.hypot(toX - x, toY - y) < start) return;
        after = moved(before, index, before[3 * index] + toX - x, before[3 * index + 1] + toY - y, editor);
        this.show(target, after, index);
      },
      up: () => {
        this.show(null);
        if (after === before) controller.say(this.words(index));
        else this.keep(target, before, after, index);
      },
      cancel: () => this.show(null),
    };
  }

  /// Shows points that are being dragged; without a target, none.
  show(target, points = null, index = null) {
    this.editor.posing = target === null ? null : { target, points, index };
    this.controller.show({ marks: true, foot: true });
  }

  /// Saves the points; false if they are not saved.
  keep(target, before, after, index) {
    const { controller, editor } = this;
    const item = editor.objects.find(target);
    if (!item?.keypoints || !isSame(item.keypoints, before)) {
      controller.say("Somebody else changed this object in the meantime; nothing was changed");
      return false;
    }
    if (isSame(before, after)) return false;
    const fields = { keypoints: after };
    // The number of labeled points, which evaluations and exports read.
    if (item.fields.has("num_keypoints")) fields.num_keypoints = after.filter((value, at) => at % 3 === 2 && value > 0).length;
    setFields(editor, target, fields);
    controller.say(this.words(index));
    return true;
  }

  /// A point in words: "person 1: nose, 3 of 17, visible at 10.5, 20".
  words(index) {
    const item = this.chosen;
    if (!item) return "";
    const [x, y, visibility] = item.keypoints.slice(3 * index, 3 * index + 3);
    const place = visibility > 0 ? ` at ${rounded(x)}, ${rounded(y)}` : "";
    return `${this.editor.subject}: ${this.nameOf(item, index)}, ${index + 1} of ${item.keypoints.length / 3}, `
      + `${visibilities[visibility]}${place}`;
  }

  // ---- the selected point ----

  select(index) {
    const item = this.chosen;
    this.selected = item && index !== null ? { target: item.target, index } : null;
    this.controller.show({ marks: true, foot: true });
  }

  deselect() {
    if (this.index === null) return false;
    this.select(null);
    return this.controller.say(`${this.editor.subject}: no point selected`);
  }

  /// Selects the next or the previous point.
  step(direction) {
    const { controller } = this;
    const item = this.chosen;
    if (!item) return controller.say("Select an object with keypoints first: click it in the list, or press Tab on the image (F6 goes there)");
    const count = item.keypoints.length / 3;
    this.select(((this.index ?? (direction > 0 ? -1 : 0)) + direction + count) % count);
    const [x, y, visibility] = item.keypoints.slice(3 * this.index, 3 * this.index + 3);
    if (visibility > 0) controller.show({ view: controller.viewport.reveal(x, y) });
    return controller.say(this.words(this.index) + (visibility > 0 ? "" : "; click its place, or Shift+U"));
  }

  /// Changes the visibility of the selected point: visible, hidden, not labeled.
  turn() {
    const { controller, index } = this;
    if (index === null) return controller.say("Select a keypoint first: the keypoint tool (Shift+D), then Shift+N or a click");
    const { target, keypoints: before } = this.chosen;
    const visibility = before[3 * index + 2];
    if (visibility === 0) {
      const place = controller.keyboard.cursor ?? controller.pointer.place ?? middle(this.chosen, this.editor);
      return this.place(index, ...place);
    }
    const after = before.slice();
    // A point that is not labeled has no place, as in COCO.
    after.splice(3 * index, 3, ...(visibility === 1 ? [0, 0, 0] : [before[3 * index], before[3 * index + 1], 1]));
    return this.keep(target, before, after, index);
  }

  /// Makes the selected point one that is not labeled: true if a point is selected.
  remove() {
    const { controller, index } = this;
    if (index === null) return false;
    const { target, keypoints: before } = this.chosen;
    if (before[3 * index + 2] === 0) {
      return controller.say(`${this.words(index)} already. Esc, then Delete removes the whole object`);
    }
    const after = before.slice();
    after.splice(3 * index, 3, 0, 0, 0);
    this.keep(target, before, after, index);
    return true;
  }

  /// Gives a point that is not labeled a place.
  place(index, x, y) {
    const { target, keypoints: before } = this.chosen;
    const { width, height } = this.editor;
    const after = before.slice();
    const within = (value, limit) => rounded(Math.min(Math.max(value, 0), limit));
    after.splice(3 * index, 3, within(x, width), within(y, height), 2);
    return this.keep(target, before, after, index);
  }

  /// Moves the selected point by an arrow key: true if there is one. The change is saved when the key is released.
  nudge([dx, dy], isFar) {
    const { index, editor } = this;
    if (index === null) return false;
    // The pointer holds it.
    if (this.controller.pen.isDown) return true;
    const { target, keypoints } = this.chosen;
    if (keypoints[3 * index + 2] === 0) return this.controller.say(`${this.words(index)}; click its place, or Shift+U`);
    if (this.nudged?.target !== target || this.nudged.index !== index) {
      this.endNudge();
      this.nudged = { target, index, before: keypoints, points: keypoints };
    }
    const { nudged } = this;
    const step = isFar ? 10 : 1;
    const [x, y] = nudged.points.slice(3 * index, 3 * index + 2);
    nudged.points = moved(nudged.points, index, x + dx * step, y + dy * step, editor);
    this.show(target, nudged.points, index);
    return true;
  }

  /// Saves what the arrow keys did.
  endNudge() {
    const { nudged } = this;
    if (!nudged) return;
    this.nudged = null;
    this.show(null);
    this.keep(nudged.target, nudged.before, nudged.points, nudged.index);
  }
}

function isSame(one, other) {
  return one.length === other.length && one.every((value, index) => value === other[index]);
}

/// Returns points with one of them at another place. It stays inside the image; one that was outside may stay there, but does
/// not go further out.
function moved(points, index, x, y, { width, height }) {
  const within = (value, old, limit) => (value === old ? old
    : rounded(Math.min(Math.max(value, Math.min(0, old)), Math.max(limit, old))));
  const after = points.slice();
  after[3 * index] = within(x, points[3 * index], width);
  after[3 * index + 1] = within(y, points[3 * index + 1], height);
  return after;
}

/// Returns the middle of an object, or of the image.
function middle(item, { width, height }) {
  const [x, y, wide, high] = item.box ?? item.bounds ?? [0, 0, width, height];
  return [x + wide / 2, y + high / 2];
}
