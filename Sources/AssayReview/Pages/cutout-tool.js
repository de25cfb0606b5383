// Cutting an object out of the image: a box is dragged around it, the server proposes its mask, and strokes refine the
// proposal. Nothing is saved before Enter. `host.cutout(body, signal)` asks the server. The proposal of a promptable model
// (segment-tool.js) is handled here too: it has `steps` in place of strokes, and `host.segment(body, signal)` answers.
import { boxBetween } from "./box-edges.js";
import { pixels } from "./dom.js";
import { promptBody, promptWords } from "./segment-tool.js";
import { countsOf, compressed, isEmpty, isEqual, maskFromCompressed } from "./run-lengths.js";

/// The distance from which a drag counts, in canvas pixels, and the smallest side of a box in pixels of the image.
const dragStart = 3;
const smallest = 3;

export class CutoutTool {
  constructor(controller) {
    this.controller = controller;
    /// {target (null: a new object), start: its mask, box, strokes, mask: the proposed one or null, counted}; null if nothing
    /// is cut out.
    this.proposal = null;
    /// The box or the stroke that is being drawn: {box} or {stroke}.
    this.drawing = null;
    this.request = null;
  }

  get editor() {
    return this.controller.editor;
  }

  /// True while a proposal is shown: Enter takes it, Esc drops it, and undo removes its last stroke.
  get isOpen() {
    return this.proposal !== null;
  }

  get words() {
    if (!this.proposal) return null;
    if (this.proposal.steps) return promptWords(this);
    if (this.request) return "cutting out…";
    return "Enter takes it; draw on what is missing, with Alt on what is too much; Ctrl+Z removes a stroke, Esc cancels";
  }

  get marks() {
    return this.proposal || this.drawing ? { ...this.proposal, drawing: this.drawing } : null;
  }

  /// Starts a box, or a stroke if there is a proposal or `isLine` (Shift); returns the work for the pen.
  down(x, y, isOther, isLine) {
    const { editor } = this;
    if (this.controller.busy || editor.hidden.has(editor.category)) {
      if (!this.controller.busy) this.controller.say(`${editor.category} is hidden; Shift+H shows it`);
      return null;
    }
    return this.proposal || isLine ? this.scribble(x, y, isOther && this.proposal !== null) : this.frame(x, y);
  }

  frame(x, y) {
    const { controller, editor } = this;
    let isDrawn = false;
    return {
      move: (toX, toY) => {
        isDrawn ||= Math.hypot(toX - x, toY - y) >= dragStart / controller.viewport.scale;
        if (isDrawn) this.show({ box: boxBetween([x, y], [toX, toY], editor.width, editor.height) });
      },
      up: () => {
        const box = this.drawing?.box;
        this.show(null);
        if (!isDrawn) return controller.pen.select(x, y);
        if (box[2] < smallest || box[3] < smallest) return controller.say("The box is too small: drag it around an object");
        return this.begin(box, []);
      },
      cancel: () => this.show(null),
    };
  }

  scribble(x, y, isOther) {
    const { controller } = this;
    const radius = controller.options.brushSize / 2;
    const stroke = { object: !isOther, radius, points: [x, y] };
    const step = Math.max(radius / 3, 0.5);
    this.show({ stroke });
    return {
      move: (toX, toY) => {
        const { points } = stroke;
        if (Math.hypot(toX - points.at(-2), toY - points.at(-1)) < step) return;
        points.push(toX, toY);
        this.show({ stroke });
      },
      up: () => {
        this.show(null);
        if (!this.proposal) return this.begin(this.around(stroke), [stroke]);
        this.proposal.strokes.push(stroke);
        return this.ask();
      },
      cancel: () => this.show(null),
    };
  }

  /// Returns the box in which an object is looked for that a stroke is on: twice as large as the stroke.
  around({ points, radius }) {
    const [xs, ys] = [points.filter((_, at) => at % 2 === 0), points.filter((_, at) => at % 2 === 1)];
    const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const margin = Math.max(right - left, bottom - top, 2 * radius, 16) / 2 + radius;
    return boxBetween([left - margin, top - margin], [right + margin, bottom + margin], this.editor.width, this.editor.height);
  }

  /// Adds a point or a box for a promptable model, and asks it.
  prompt(step) {
    if (this.proposal) {
      this.proposal.steps.push(step);
      return this.ask();
    }
    return this.begin(null, [], [step]);
  }

  begin(box, strokes, steps = null) {
    const { editor } = this;
    const item = editor.objects.find(editor.target);
    const isStart = Boolean(item) && !item.isBox;
    this.proposal = {
      target: isStart ? item.target : null, start: isStart ? item.mask : null, box, strokes, steps, mask: null, counted: null,
    };
    this.controller.show({ status: true });
    return this.ask();
  }

  /// Asks the server for the mask. A later question replaces this one.
  async ask() {
    const { controller, proposal, editor } = this;
    this.request?.abort();
    const request = new AbortController();
    this.request = request;
    this.show(null);
    const { box, strokes, start, steps } = proposal;
    const size = start && !isEmpty(start) ? { counts: compressed(start), size: [editor.height, editor.width] } : {};
    try {
      const { host } = controller;
      const answer = await (steps ? host.segment(promptBody(steps), request.signal)
        : host.cutout({ box, strokes, ...size }, request.signal));
      if (this.request !== request) return;
      proposal.mask = maskFromCompressed(editor.width, editor.height, answer.counts);
      const { mask } = proposal;
      proposal.counted = { width: mask.width, height: mask.height, counts: countsOf(mask) };
      this.request = null;
      const estimate = steps ? `, the model's estimate of its IoU ${answer.score.toFixed(2)}` : "";
      controller.say(isEmpty(mask) ? `Nothing found: ${steps ? "click" : "draw"} on the object` : `Proposed: ${pixels(answer.area)}`
        + `${answer.factor > 1 ? `, found in the image reduced ${answer.factor} times` : ""}${estimate}. ${this.words}`);
    } catch (error) {
      if (this.request !== request) return;
      this.request = null;
      // Without a mask there is nothing to refine, unless strokes can mend it.
      if (!proposal.mask && error.code !== "noCutout") this.proposal = null;
      controller.say(`${steps ? "No answer of the model" : "No cut-out"}: ${error.message}`);
    }
    this.show(null);
    controller.show({ status: true });
  }

  show(drawing) {
    this.drawing = drawing;
    this.controller.show({ marks: true, foot: true, pointer: true });
  }

  // ---- ending ----

  /// Makes the proposal the mask of its object, or a new object: true if there is a proposal.
  finish() {
    const { controller, editor, proposal } = this;
    if (!proposal) return false;
    if (this.request) return controller.say(proposal.steps ? "The model has not answered yet" : "The cut-out is not there yet");
    const { mask, target, start } = proposal;
    if (!mask || isEmpty(mask)) return controller.say("Nothing is cut out: draw on the object, or Esc");
    if (target !== null) {
      const item = editor.objects.find(target);
      if (!item || !isEqual(item.mask, start)) {
        this.drop();
        return controller.say("The object was changed in the meantime; nothing was changed");
      }
      if (editor.target !== target) return controller.say("Another object is selected: select the first one again, or Esc");
    }
    this.drop();
    if (target === null) editor.newObject();
    if (editor.replace(mask)) controller.sayArea("cut out");
    else controller.say("No change");
    return true;
  }

  /// Removes the last stroke, or the proposal if it has none: true if there is a proposal.
  takeBack() {
    const { proposal } = this;
    if (!proposal) return false;
    if (proposal.steps?.length > 1) {
      proposal.steps.pop();
      this.ask();
      return true;
    }
    if (proposal.strokes.length > 1 || (proposal.strokes.length === 1 && proposal.mask)) {
      proposal.strokes.pop();
      this.ask();
      return true;
    }
    return this.cancel();
  }

  cancel() {
    if (!this.proposal) return false;
    const words = this.proposal.steps ? "Proposal canceled" : "Cut-out canceled";
    this.drop();
    return this.controller.say(words);
  }

  /// Forgets the proposal, and the question that is on its way.
  drop() {
    this.request?.abort();
    this.request = this.proposal = null;
    this.show(null);
    this.controller.show({ status: true });
  }
}
