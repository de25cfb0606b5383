// The effect of the tools on the image, with a pointer or with the keyboard's cursor: positions are
// in image pixels. `controller` is the canvas's controller (canvas-controller.js).
import { brushCenter, forEachStrokeColumn } from "./brush.js";
import { componentAt, holeAt } from "./morphology.js";
import { Draft, polygonMask } from "./polygon.js";
import { nothingHere } from "./shape-changes.js";
import { promptDown } from "./segment-tool.js";

/// The number of screen pixels of horizontal dragging per step of tolerance, and the distance
/// from which they count.
const toleranceStep = 3;
const toleranceStart = 6;
/// How far from the scissors' line a vertex may be that is left out, in pixels.
const wireTolerance = 0.5;

export class Pen {
  constructor(controller) {
    this.controller = controller;
    this.draft = null;
    this.work = null;
  }

  get editor() {
    return this.controller.editor;
  }

  get isDown() {
    return this.work !== null;
  }

  /// Starts the tool at (x, y). `isOther`: Alt, the right button or a pen's eraser inverts the
  /// tool; `isLine`: Shift draws a line from the last stroke's end.
  down(x, y, isOther, isLine = false) {
    const { tool, look } = this.controller;
    if (look.blink !== null) return;
    if (this.editor.category === null) {
      this.controller.say("This review has no class to draw");
      return;
    }
    const { boxTool, keypointTool, polygonTool, orientedTool, cutoutTool } = this.controller;
    if (tool === "cutout") {
      this.work = cutoutTool.down(x, y, isOther, isLine);
      return;
    }
    if (tool === "segment") {
      this.work = promptDown(cutoutTool, x, y, isOther);
      return;
    }
    if (tool === "oriented") {
      this.work = orientedTool.grip(x, y) ?? orientedTool.draw(x, y);
      return;
    }
    if (tool === "box" || tool === "select") {
      this.work = boxTool.grip(x, y) ?? polygonTool.grip(x, y) ?? (tool === "box" ? boxTool.draw(x, y) : null);
      if (!this.work) this.select(x, y);
      return;
    }
    if (tool === "keypoints") {
      this.work = keypointTool.grip(x, y, isOther);
      return;
    }
    if (tool === "polygon" && !this.draft) this.work = polygonTool.grip(x, y);
    if (!this.work) this.begin(x, y, isOther, isLine);
  }

  /// Starts a tool that draws.
  begin(x, y, isOther = false, isLine = false) {
    const { tool, polygonTool } = this.controller;
    const why = tool === "pan" || polygonTool.drawsObjects ? null : this.editor.whyNotDrawn;
    if (why) {
      this.controller.say(why);
      return;
    }
    const start = { brush: "stroke", eraser: "stroke", polygon: "corner", "polygon-cut": "corner", fill: "fill",
      flood: "flood", scissors: "wire" }[tool];
    if (start) this[start](x, y, isOther, isLine);
  }

  move(x, y) {
    this.work?.move?.(x, y);
  }

  up() {
    const { work } = this;
    this.work = null;
    work?.up?.();
  }

  /// Cancels the action in progress: true if there was one.
  cancel() {
    const { work } = this;
    this.work = null;
    if (work) {
      work.isOff = true;
      work.cancel?.();
      this.editor.region.cancel();
      this.controller.show({ masks: true });
      if (!this.draft) return true;
    }
    if (this.controller.cutoutTool.cancel()) return true;
    if (!this.draft) return false;
    this.draft = null;
    this.controller.say("Polygon canceled");
    this.controller.show({ marks: true, status: true });
    return true;
  }

  // ---- brush ----

  stroke(x, y, isOther, isLine) {
    const { controller, editor } = this;
    editor.begin();
    const { region } = editor;
    const diameter = controller.options.brushSize;
    const value = (controller.tool === "eraser") !== isOther ? 0 : 1;
    const here = brushCenter(x, y, diameter);
    let last = isLine && this.end?.region === region ? brushCenter(...this.end.place, diameter) : here;
    const draw = (to) => {
      forEachStrokeColumn(last, to, diameter, region.width, region.height, (column, top, bottom) => {
        region.paintColumn(column, top, bottom, value);
      });
      last = to;
      controller.show({ masks: true });
    };
    draw(here);
    this.end = { region, place: [x, y] };
    this.work = {
      move: (toX, toY) => {
        this.end.place = [toX, toY];
        const to = brushCenter(toX, toY, diameter);
        if (to[0] !== last[0] || to[1] !== last[1]) draw(to);
      },
      up: () => {
        if (editor.endStroke()) controller.sayArea(value ? "painted" : "erased");
        else controller.say(`${editor.subject}: ${value ? "already painted" : "nothing to erase there"}`);
      },
    };
  }

  // ---- polygon ----

  corner(x, y) {
    const { controller } = this;
    const near = 10 / controller.viewport.scale;
    if (this.draft?.closes(x, y, near)) {
      this.close();
      return;
    }
    this.draft ??= new Draft();
    this.draft.addCorner(x, y);
    const step = Math.max(3 / controller.viewport.scale, 0.25);
    let isLine = false;
    this.work = {
      move: (toX, toY) => {
        if (!isLine && Math.hypot(toX - x, toY - y) < near) return;
        isLine = true;
        this.draft?.extend(toX, toY, step);
        controller.show({ marks: true });
      },
      up: () => {
        if (isLine) controller.say(`Line with ${this.draft?.points.length ?? 0} points; Enter closes the polygon`);
      },
    };
    controller.say(`Corner ${this.draft.groups.length}`);
    controller.show({ marks: true, status: true });
  }

  /// Sets an anchor of the scissors (scissors-tool.js).
  wire(x, y, isOther) {
    this.controller.scissorsTool.click(x, y, isOther);
  }

  /// Closes the polygon and adds its pixels, or cuts them; or takes the proposed cut-out.
  close() {
    if (this.controller.cutoutTool.finish()) return true;
    if (!this.draft) return false;
    this.work = null;
    if (!this.draft.isSnapped) return this.complete();
    this.controller.scissorsTool.close(() => this.complete());
    return true;
  }

  /// Closes the polygon with its corners as they are.
  complete() {
    const { draft, editor, controller } = this;
    if (draft.points.length < 3) {
      controller.say("A polygon needs at least three corners");
      return true;
    }
    this.draft = null;
    if (controller.polygonTool.drawsObjects) {
      controller.show({ marks: true, status: true });
      controller.polygonTool.add(draft.points, draft.isSnapped ? wireTolerance : 0);
      return true;
    }
    if (editor.whyNotDrawn) return controller.say(editor.whyNotDrawn);
    const isCut = controller.tool === "polygon-cut";
    editor.begin();
    editor.region.paintMask(polygonMask(draft.points, editor.width, editor.height), isCut ? 0 : 1);
    controller.show({ masks: true, marks: true, status: true });
    if (editor.endStroke()) controller.sayArea(isCut ? "cut" : "added");
    else controller.say(isCut ? "Nothing to cut there" : "Nothing to add");
    return true;
  }

  takeBack() {
    if (this.controller.cutoutTool.takeBack()) return true;
    if (!this.draft) return false;
    this.work = null;
    this.draft.takeBack();
    if (this.draft.isEmpty) this.draft = null;
    this.controller.scissorsTool.tookBack();
    this.controller.show({ marks: true, status: true });
    return true;
  }

  // ---- fill, flood, select ----

  fill(x, y, isOther) {
    const { controller, editor } = this;
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const { mask } = editor.region;
    if (column < 0 || row < 0 || column >= editor.width || row >= editor.height) return;
    editor.begin();
    if (isOther) {
      const part = componentAt(mask, column, row);
      if (!part) {
        controller.say("No part of the mask here");
        return;
      }
      editor.region.paintMask(part, 0);
    } else {
      const hole = holeAt(mask, column, row);
      if (!hole.mask) {
        controller.say(hole.isSet ? "Already set: click inside a closed outline"
          : "The outline is not closed");
        return;
      }
      editor.region.paintMask(hole.mask, 1);
    }
    if (editor.endStroke()) controller.sayArea(isOther ? "removed" : "filled");
  }

  flood(x, y, isOther) {
    const { controller, editor } = this;
    const [column, row] = [Math.floor(x), Math.floor(y)];
    if (column < 0 || row < 0 || column >= editor.width || row >= editor.height) return;
    editor.begin();
    const { region } = editor;
    const before = controller.options.tolerance;
    let asked = -1;
    let pending = null;
    const work = { isUp: false, isOff: false };
    const run = async () => {
      while (asked !== controller.options.tolerance && !work.isOff) {
        asked = controller.options.tolerance;
        const mask = await editor.workerClient.flood(column, row, asked);
        if (work.isOff || editor.region !== region || !mask) return;
        region.cancel();
        region.paintMask(mask, isOther ? 0 : 1);
        controller.show({ masks: true });
      }
    };
    const look = () => {
      pending ??= run().catch((error) => {
        work.isOff = true;
        region.cancel();
        controller.say(`Flood fill failed: ${error.message}`);
      }).finally(() => {
        pending = null;
      });
      return pending;
    };
    work.move = (toX) => {
      const far = (toX - x) * controller.viewport.scale;
      const steps = Math.sign(far) * Math.max(Math.round((Math.abs(far) - toleranceStart) / toleranceStep), 0);
      controller.set("tolerance", Math.min(Math.max(before + steps, 0), 255));
      look();
    };
    work.up = () => controller.wait((async () => {
      await look();
      await look();
      if (!work.isOff && editor.region === region && editor.endStroke()) {
        controller.sayArea(isOther ? "removed" : "added");
      }
    })());
    this.work = work;
    look();
  }

  select(x, y) {
    const { controller, editor } = this;
    const [column, row] = [Math.floor(x), Math.floor(y)];
    const item = editor.objects.at(column, row, (one) => !editor.hidden.has(one.category));
    if (!item) controller.say(nothingHere(editor));
    else if (item.target !== editor.target) editor.setObject(item.target);
  }
}
