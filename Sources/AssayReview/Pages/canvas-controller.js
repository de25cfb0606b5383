// The controller of the mask editor: the selection, the drawing, and the actions (see canvas.js).
import { runAction } from "./canvas-actions.js";
import { make, pixels } from "./dom.js";
import { Editor } from "./editor.js";
import { Keyboard } from "./keyboard.js";
import { MaskLayer, PictureLayer } from "./layers.js";
import { MarksLayer } from "./marks.js";
import { Bar, Foot, ObjectList } from "./panel.js";
import { loadPreferences, savePreferences } from "./preferences.js";
import { Pen } from "./pen.js";
import { Pointer } from "./pointer.js";
import { BoxTool } from "./box-tool.js";
import { CutoutTool } from "./cutout-tool.js";
import { KeypointTool } from "./keypoint-tool.js";
import { OrientedTool } from "./oriented-tool.js";
import { PolygonTool } from "./polygon-tool.js";
import { handles } from "./box-edges.js";
import { boxesOf } from "./boxes.js";
import { boundsOf } from "./run-lengths.js";
import { ScissorsTool } from "./scissors-tool.js";
import { Overlay } from "./overlay.js";
import { settings, tools } from "./tools.js";
import { Viewport } from "./viewport.js";
import { WorkerClient } from "./worker-client.js";

/// The number of screen pixels above which masks are drawn at one pixel per CSS pixel,
/// whatever the screen's resolution.
const fineLimit = 3e6;

export class CanvasController {
  constructor(root, host) {
    this.host = host;
    this.tool = "brush";
    this.settings = Object.fromEntries(settings.map(({ id, value }) => [id, value]));
    loadPreferences(this.settings);
    this.look = { outline: false, showModel: true, blink: null };
    this.busy = null;
    this.wanted = {};
    this.frame = null;
    this.sentence = null;
    const layer = (name) => make("canvas", { class: name, "aria-hidden": "true" });
    const layers = [layer("canvas-picture"), layer("canvas-masks"), layer("canvas-marks")];
    this.ring = make("div", { class: "canvas-ring", "aria-hidden": "true" });
    const controller = { class: "canvas-stage", tabindex: "0", role: "application", "aria-label": "Mask editor" };
    this.element = make("div", controller, ...layers, this.ring);
    this.layers = layers;
    this.picture = new PictureLayer(layers[0]);
    this.masks = new MaskLayer(layers[1]);
    this.marks = new MarksLayer(layers[2], this.ring);
    this.viewport = new Viewport(1, 1);
    this.overlay = new Overlay();
    this.workerClient = new WorkerClient();
    this.editor = new Editor(host, this.workerClient, (wanted) => this.show(wanted), (words) => this.say(words));
    this.boxTool = new BoxTool(this);
    this.polygonTool = new PolygonTool(this);
    this.keypointTool = new KeypointTool(this);
    this.orientedTool = new OrientedTool(this);
    this.cutoutTool = new CutoutTool(this);
    this.scissorsTool = new ScissorsTool(this);
    this.pen = new Pen(this);
    this.keyboard = new Keyboard(this);
    this.pointer = new Pointer(this);
    this.bar = new Bar(this);
    this.foot = new Foot(this);
    this.list = new ObjectList(this);
    this.root = make("div", { class: "canvas" }, this.bar.element,
      make("div", { class: "canvas-body" }, this.element, this.list.element), this.foot.element);
    root.append(this.root);
    new ResizeObserver(() => this.resize()).observe(this.element);
    this.element.addEventListener("focus", () => this.show({ pointer: true }));
    this.element.addEventListener("blur", () => this.show({ pointer: true }));
  }

  // ---- public state ----

  get options() {
    const { editor } = this;
    return {
      ...this.settings, ...this.look,
      wholeCategory: editor.isOpen && editor.isWhole,
      hidden: editor.isOpen && editor.hidden.has(editor.category),
      isCut: editor.isOpen && editor.threshold !== null && editor.model.hasMap(editor.category),
    };
  }

  /// True if the canvas, or the part of the page that contains it, has the focus.
  get isFocused() {
    const { activeElement } = document;
    return activeElement !== null && activeElement !== document.body && activeElement.contains(this.element);
  }

  /// True while a polygon or a cut-out is unfinished: undo removes its last part.
  get isDrawing() {
    return this.pen.draft !== null || this.cutoutTool.isOpen;
  }

  get isPointed() {
    return this.pointer.place !== null;
  }

  get isPanning() {
    return this.tool === "pan" || (this.keyboard.isSpaceDown && !this.keyboard.cursor);
  }

  /// The text below the image: the hint of the tool, or the work in progress.
  get words() {
    if (this.busy) return "working…";
    if (this.cutoutTool.isOpen) return this.sentence ?? this.cutoutTool.words;
    if (this.pen.draft) return "Enter or a click on the first corner closes, Backspace removes a corner, Esc cancels";
    return this.sentence ?? tools.find((tool) => tool.id === this.tool).hint;
  }

  focus() {
    this.element.focus({ preventScroll: true });
  }

  /// Shows a message and sends it to screen readers; returns true.
  say(text) {
    this.sentence = text;
    this.host.say?.(text);
    this.show({ foot: true });
    return true;
  }

  sayArea(done) {
    const { subject, region, turned } = this.editor;
    const polygons = turned > 0 ? `; ${turned === 1 ? "1 polygon is a mask" : `${turned} polygons are masks`} now` : "";
    this.say(`${subject}: ${done}, ${pixels(region.area)} now${polygons}`);
  }

  /// Moves the selected box, polygon, vertex or keypoint by an arrow key: true if there is one.
  nudgeShape(way, isFar, isSize) {
    return this.boxTool.nudge(way, isFar, isSize) || (!isSize
      && (this.polygonTool.nudge(way, isFar) || this.keypointTool.nudge(way, isFar) || this.orientedTool.nudge(way, isFar)));
  }

  /// Saves what the arrow keys did.
  endNudge() {
    this.boxTool.endNudge();
    this.polygonTool.endNudge();
    this.keypointTool.endNudge();
    this.orientedTool.endNudge();
  }

  sayPlace(x, y) {
    clearTimeout(this.placeTimer);
    this.placeTimer = setTimeout(() => {
      if (!this.editor.isOpen) return;
      const isSet = this.editor.region.bits[Math.floor(x) * this.editor.height + Math.floor(y)] === 1;
      this.host.say?.(`${Math.floor(x)}, ${Math.floor(y)}, ${isSet ? "set" : "not set"}`);
    }, 400);
  }

  /// Shows that work is in progress until a promise has settled.
  wait(work) {
    const settled = work.catch((error) => this.say(`Failed: ${error.message}`)).finally(() => {
      if (this.busy === settled) this.busy = null;
      this.show({ foot: true, status: true });
    });
    this.busy = settled;
    this.show({ foot: true, status: true });
    return settled;
  }

  // ---- opening ----

  open(opened) {
    this.dropStroke();
    const { image } = opened;
    const sample = {
      ...opened.sample, width: opened.sample.width ?? image.width, height: opened.sample.height ?? image.height,
    };
    if (this.viewport.width !== sample.width || this.viewport.height !== sample.height) {
      this.viewport = new Viewport(sample.width, sample.height);
    }
    this.viewport.isFitted = true;
    this.keyboard.cursor = null;
    this.sentence = null;
    this.settings.threshold = settings.find(({ id }) => id === "threshold").value;
    this.look.blink = null;
    this.overlay.close();
    this.picture.open(image, () => this.show({ view: true }));
    this.editor.open({ ...opened, sample });
    this.element.setAttribute(
      "aria-label", `Mask editor, ${sample.key ?? "image"}, ${sample.width} by ${sample.height} pixels`);
    this.resize();
    this.show({ view: true, overlay: true, list: true, bar: true, status: true });
  }

  /// The host can already show another sample: a stroke in progress must not reach it.
  dropStroke() {
    this.boxTool.nudged = this.polygonTool.nudged = this.polygonTool.selected = null;
    this.keypointTool.nudged = this.keypointTool.selected = this.orientedTool.nudged = null;
    if (this.cutoutTool.isOpen) this.cutoutTool.drop();
    this.pen.cancel();
    this.pen.cancel();
    this.editor.region?.cancel();
  }

  close() {
    this.endNudge();
    this.dropStroke();
    this.editor.close();
    this.overlay.close();
    this.picture.close();
    this.masks.clear();
    this.drawn = null;
    this.show({ view: true, list: true, status: true });
  }

  // ---- tools, actions, options ----

  choose(id) {
    if (!tools.some((tool) => tool.id === id)) return false;
    if (id !== this.tool && this.isDrawing && !(this.pen.draft && !this.pen.draft.isSnapped && id.startsWith("polygon"))) this.pen.cancel();
    this.pen.up();
    this.endNudge();
    this.tool = id;
    this.sentence = null;
    this.host.say?.(tools.find((tool) => tool.id === id).label);
    this.show({ pointer: true, marks: true, foot: true, bar: true, status: true });
    return true;
  }

  set(option, value) {
    const setting = settings.find((one) => one.id === option);
    if (setting) {
      const held = Math.min(Math.max(Number(value), setting.min), setting.max);
      if (!Number.isFinite(held)) return false;
      this.settings[option] = setting.step < 1 ? Math.round(held * 100) / 100 : Math.round(held);
      if (option === "threshold" && this.editor.isOpen) this.editor.preview(this.settings.threshold);
      if (option === "simplifyTolerance") this.polygonTool.preview();
      savePreferences(this.settings);
      const isSeen = option === "threshold" || option === "opacity";
      if (option === "opacity") this.look.outline = false;
      if (option === "threshold") this.look.showModel = true;
      this.show({ bar: true, pointer: true, overlay: isSeen, status: true });
    } else if (option === "outline" || option === "showModel") {
      this.look[option] = Boolean(value);
      this.show({ overlay: true, status: true });
    } else if (option === "wholeCategory") {
      this.editor.setObject(null);
    } else if (option === "hidden" && this.editor.isOpen) {
      this.editor.setHidden(this.editor.category, Boolean(value));
    } else {
      return false;
    }
    return true;
  }

  /// Changes a setting by one step; steps are larger for larger brushes.
  nudge(id, step) {
    const value = this.settings[id];
    const factor = id === "brushSize" ? Math.max(Math.round(value / 8), 1)
      : id === "tolerance" ? 4 : id === "threshold" && Math.abs(step) > 0 ? 2 : 1;
    this.set(id, value + step * factor);
    const setting = settings.find((one) => one.id === id);
    this.host.say?.(`${setting.label} ${this.settings[id]} ${setting.unit}`);
  }

  hold(id, isDown) {
    const blink = isDown ? id : null;
    if ((id !== "before" && id !== "picture") || this.look.blink === blink) return;
    if (!isDown && this.look.blink !== id) return;
    this.look.blink = blink;
    this.element.classList.toggle("canvas-bare", blink === "picture");
    this.show({ overlay: true });
  }

  act(id) {
    return runAction(this, id);
  }

  /// The center for zooming by keys: the cursor or pointer, otherwise the middle.
  get center() {
    const place = this.keyboard.cursor ?? this.pointer.place;
    return place ? this.viewport.toView(...place) : [];
  }

  undo() {
    if (!this.editor.isOpen) return false;
    if (this.pen.takeBack() || this.host.film?.undo()) return true;
    this.pen.up();
    return this.editor.undo() && this.say("Undone");
  }

  redo() {
    this.pen.up();
    return this.editor.isOpen && (this.host.film?.redo() || (this.editor.redo() && this.say("Redone")));
  }

  pan(dx, dy) {
    this.viewport.pan(dx, dy);
    this.show({ view: true });
  }

  clientPlace(x, y) {
    const box = this.element.getBoundingClientRect();
    const [viewX, viewY] = this.viewport.toView(x, y);
    return [box.left + viewX, box.top + viewY];
  }

  /// Zooms to the selected object.
  showChosen() {
    const { editor } = this;
    const told = editor.objects.find(editor.target)?.box;
    const box = boundsOf(editor.region.mask)
      ?? (told ? { x: told[0], y: told[1], width: Math.max(told[2], 1), height: Math.max(told[3], 1) } : null);
    if (!box) return this.say(`${editor.subject}: nothing to zoom to`);
    this.viewport.show(box);
    return this.show({ view: true });
  }

  // ---- drawing ----

  resize() {
    const { clientWidth: width, clientHeight: height } = this.element;
    if (width === 0 || height === 0) return;
    const ratio = window.devicePixelRatio || 1;
    this.ratio = ratio;
    this.maskRatio = width * height * ratio * ratio > fineLimit ? 1 : ratio;
    this.layers.forEach((canvas, index) => {
      const own = index === 1 ? this.maskRatio : ratio;
      const size = [Math.round(width * own), Math.round(height * own)];
      if (canvas.width !== size[0]) [canvas.width] = size;
      if (canvas.height !== size[1]) [, canvas.height] = size;
    });
    this.viewport.resize(width, height);
    // Draws immediately: a resized canvas is empty.
    if (this.editor.isOpen) {
      Object.assign(this.wanted, { view: true });
      this.draw();
    }
  }

  /// Requests drawing with the next frame.
  show(wanted) {
    // A message about another mask is outdated.
    if (wanted.chosen) this.sentence = null;
    for (const [name, is] of Object.entries(wanted)) if (is) this.wanted[name] = true;
    this.frame ??= requestAnimationFrame(() => this.draw());
  }

  draw() {
    if (this.frame !== null) cancelAnimationFrame(this.frame);
    this.frame = null;
    const { wanted, editor, viewport } = this;
    this.wanted = {};
    if (editor.isOpen) {
      const { region } = editor;
      if (wanted.view) this.picture.draw(viewport, this.ratio);
      if (wanted.overlay || !this.drawn) {
        this.drawn = this.overlay.make(editor, { ...this.settings, ...this.look });
      }
      if (wanted.view || wanted.overlay) this.masks.draw(viewport, this.maskRatio, this.drawn);
      else if (region.dirty) this.masks.draw(viewport, this.maskRatio, this.drawn, region.dirty);
      region.dirty = null;
      if (wanted.view || wanted.marks || wanted.overlay || (wanted.masks && editor.model.isDetector)) {
        this.marks.draw(viewport, this.ratio, {
          draft: this.pen.draft, live: this.scissorsTool.live(this.keyboard.cursor ?? this.pointer.place), isCut: this.tool === "polygon-cut", cursor: this.keyboard.cursor,
          pointer: this.keyboard.cursor ?? this.pointer.place,
          boxes: this.look.blink === null ? boxesOf(editor, this.look) : [],
          grips: this.look.blink === null && this.boxTool.isActive ? this.boxTool.chosen : null,
          keypoints: this.look.blink === null ? this.keypointTool.marks : [],
          polygon: this.look.blink === null ? this.polygonTool.marks : null,
          oriented: this.look.blink === null ? this.orientedTool.marks : null,
          cutout: this.look.blink === null ? this.cutoutTool.marks : null,
        });
      }
      this.drawRing();
    }
    if (wanted.list) this.list.update();
    if (wanted.bar || wanted.list) this.bar.update();
    this.foot.update();
    if (wanted.status) this.host.status?.();
  }

  drawRing() {
    const isBrush = this.tool === "brush" || this.tool === "eraser" || (this.tool === "cutout" && this.cutoutTool.isOpen);
    const place = this.keyboard.cursor ?? this.pointer.place;
    const isShown = isBrush && place && !this.isPanning && this.look.blink === null;
    this.marks.placeRing(this.viewport, isShown ? place : null, this.settings.brushSize);
    this.element.dataset.pointer = this.isPanning ? (this.pointer.pan ? "grabbing" : "grab") : this.tool;
    const grip = place && !this.isPanning ? this.boxTool.gripAt(...place) ?? this.orientedTool.cursorAt(...place) : null;
    const other = place && !this.isPanning && !grip ? this.polygonTool.gripAt(...place) : null;
    this.element.style.cursor = grip === "inside" || other?.isInside ? "move" : other?.vertex || (place && this.keypointTool.pointAt(...place) !== null) ? "grab" : other?.edge ? "copy"
      : handles.find(({ id }) => id === grip)?.cursor ?? "";
  }
}
