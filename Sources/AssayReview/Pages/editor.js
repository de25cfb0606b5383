// The sample being edited: its objects, the selection, the undo history, and the changes for the
// host. It does not draw.
import { newUUID } from "./dom.js";
import { extentOf } from "./extent-words.js";
import { History, turn } from "./history.js";
import { ModelMasks } from "./model.js";
import { Objects, imageLabels, madeTarget } from "./objects.js";
import { keptParts } from "./region-parts.js";
import { Region } from "./region.js";
import {
  compressed, emptyMask, isEmpty, subtracting, symmetricDifference, unionOf,
} from "./run-lengths.js";
import { polygonsOf, tellNew, whyNotDrawn } from "./shape-changes.js";

export class Editor {
  /// `show` requests drawing: {masks: the area of a stroke, overlay: all masks, view, marks, list,
  /// status}. `say` shows a message to everybody; `host.say` sends it only to screen readers.
  constructor(host, workerClient, show, say) {
    Object.assign(this, { host, workerClient, show, say });
    this.hidden = new Set();
    /// The class to draw: it is kept from image to image until another one is selected.
    this.category = host.category ?? null;
    this.isOpen = false;
    this.history = new History();
  }

  open({ sample, state, image, categories, mapURL }) {
    this.sample = sample;
    this.width = sample.width;
    this.height = sample.height;
    this.image = image;
    this.categories = categories ?? [];
    this.objects = new Objects(state.objects, this.width, this.height, state.label_map);
    this.opened = new Objects(state.objects, this.width, this.height, state.label_map);
    this.imageLabels = imageLabels(state);
    this.workerClient.open(image, this.width, this.height);
    this.model = new ModelMasks(
      state.run, this.width, this.height, mapURL, this.workerClient, () => this.show({ overlay: true, status: true }));
    this.history.clear();
    this.target = null;
    this.draft = null;
    /// The box that is being dragged: {target (null: a new one), box, category}; null otherwise.
    this.dragging = null;
    /// The polygons that are being dragged: {target, polygons}; null otherwise.
    this.reshaping = null;
    /// The keypoints that are being dragged: {target, points, index}; null otherwise.
    this.posing = null;
    /// The target of the object that another one will be merged into; null if none is marked.
    this.marked = null;
    /// The threshold selected by the person; null: the run's mask is used.
    this.threshold = null;
    if (!this.categories.includes(this.category)) {
      const present = this.categories.find((name) => this.objects.of(name).length > 0);
      this.category = present ?? state.run?.masks?.[0]?.category ?? this.categories[0] ?? null;
    }
    this.isOpen = true;
    this.activate();
  }

  close() {
    this.isOpen = false;
    this.region = null;
    this.objects = this.opened = this.model = this.image = this.draft = null;
    this.history.clear();
    this.workerClient.close();
  }

  get isWhole() {
    return this.target === null && this.draft === null;
  }

  /// The selection in words.
  get subject() {
    if (this.draft) return `new ${this.category}`;
    if (this.category === null) return "no class";
    if (this.target === null) return `${this.category}, all instances`;
    const number = this.objects.of(this.category).findIndex((item) => item.target === this.target) + 1;
    return `${this.category} ${number}`;
  }

  /// The size of the selection in words.
  get extent() {
    return extentOf(this);
  }

  /// Loads the selected mask from the objects.
  activate() {
    const item = this.objects.find(this.target);
    if (this.target !== null && !item) this.target = null;
    const mask = this.draft ? emptyMask(this.width, this.height)
      : item ? item.mask : this.objects.region(this.category);
    this.region = new Region(mask);
    this.show({ overlay: true, list: true, status: true, marks: true, chosen: true });
  }

  // ---- selection ----

  /// Selects a class to draw; works also while no image is shown.
  setCategory(name) {
    if (!(this.categories ?? this.host.categories ?? []).includes(name)) return false;
    this.host.chosen?.(name);
    if (!this.isOpen) {
      this.category = name;
      return true;
    }
    if (name === this.category && this.target === null && !this.draft) return true;
    this.endStroke();
    this.category = name;
    if (this.draft) {
      this.show({ overlay: true, list: true, status: true });
    } else {
      this.target = null;
      this.threshold = null;
      this.activate();
    }
    this.host.say?.(this.subject);
    return true;
  }

  setObject(target) {
    const item = target === null ? null : this.objects.find(target);
    if (!this.isOpen || item === undefined) return false;
    this.endStroke();
    this.draft = null;
    this.target = target;
    if (item) this.category = item.category;
    this.activate();
    this.host.say?.(this.subject);
    return true;
  }

  /// Selects the next object in the list's order; false after the last one.
  step(direction) {
    const shown = this.inOrder.filter((item) => !this.hidden.has(item.category));
    const place = shown.findIndex((item) => item.target === this.target);
    const next = place < 0 ? (direction > 0 ? 0 : shown.length - 1) : place + direction;
    if (next < 0 || next >= shown.length) return false;
    return this.setObject(shown[next].target);
  }

  /// All objects, grouped by class, in the order of the classes.
  get inOrder() {
    return this.categories.flatMap((name) => this.objects.of(name));
  }

  setHidden(category, isHidden) {
    if (isHidden === this.hidden.has(category)) return;
    if (isHidden) this.hidden.add(category);
    else this.hidden.delete(category);
    this.host.hidden?.(category, isHidden);
    this.show({ overlay: true, list: true, status: true });
    this.say(isHidden ? `${category} is hidden, not deleted` : `${category} is visible`);
  }

  /// True if a new polygon is an object with vertices, and not pixels of a mask.
  get keepsPolygons() {
    return Boolean(this.host.polygons) || this.objects.items.some((item) => item.isPolygon);
  }

  /// The reason why the selection cannot be drawn on; null if it can. A stroke would remove a box.
  get whyNotDrawn() {
    return whyNotDrawn(this);
  }

  /// Returns a mask from the model without the parts that are too small; see region-parts.js.
  keptParts(mask, share) {
    const own = this.draft ? emptyMask(this.width, this.height)
      : this.target === null ? this.objects.instances(this.category) : this.region.mask;
    return keptParts(mask, own, share);
  }

  // ---- changing ----

  /// Prepares a change: shows a hidden class, because nobody should draw without seeing the result.
  begin() {
    this.host.begin?.();
    if (this.hidden.has(this.category)) this.setHidden(this.category, false);
  }

  /// Ends a stroke, if there is one, and sends the change to the host. True if something changed.
  endStroke() {
    const delta = this.region?.commit();
    if (!delta) return false;
    this.record(delta);
    return true;
  }

  /// Replaces the selected mask; parts below `instanceArea` pixels that touch no object become
  /// one new object together.
  replace(mask, instanceArea = 0) {
    this.begin();
    this.endStroke();
    const delta = symmetricDifference(this.region.mask, mask);
    if (isEmpty(delta)) return false;
    this.region.apply(delta);
    this.record(delta, instanceArea);
    return true;
  }

  /// Applies the result of long work on `from`: the pixels it added and removed are now added and
  /// removed, whatever was painted in the meantime.
  merge(from, to) {
    const { mask } = this.region;
    if (mask === from) return this.replace(to);
    return this.replace(unionOf(
      [subtracting(mask, subtracting(from, to)), subtracting(to, from)], this.width, this.height));
  }

  record(delta, instanceArea = 0) {
    const { category } = this;
    const { mask } = this.region;
    const polygons = polygonsOf(this, category);
    const change = { category, counts: compressed(mask), size: [this.height, this.width] };
    if (this.draft) {
      if (isEmpty(mask)) return;
      const { uuid, fields } = tellNew(this, change);
      this.draft = null;
      this.target = madeTarget(uuid);
      const taken = this.objects.takeOver(mask, () => true);
      this.objects.add(this.target, category, mask).setFields(fields);
      this.history.add({ kind: "add", uuid, target: this.target, category, delta, taken });
    } else {
      const { target } = this;
      if (target === null && instanceArea > 0) change.instance_area = instanceArea;
      const uuid = this.tell({ kind: "mask", target, ...change, empty: isEmpty(mask) });
      const step = { kind: "mask", uuid, target, category, delta };
      if (target === null) {
        step.pieces = this.objects.edit(category, delta, uuid, instanceArea);
      } else {
        const added = subtracting(mask, this.objects.find(target)?.mask ?? emptyMask(this.width, this.height));
        step.taken = this.objects.takeOver(added, (item) => item.target !== target);
        this.keep(target);
      }
      this.history.add(step);
    }
    /// How many polygons the last stroke made masks.
    this.turned = polygons - polygonsOf(this, category);
    this.show({ masks: true, list: true, status: true, marks: polygons > 0 });
  }

  /// Sends a change to the host; returns the uuid of its entry.
  tell(change) {
    this.isTelling = true;
    try {
      const given = this.host.change?.(change);
      return typeof given === "string" ? given : newUUID();
    } finally {
      this.isTelling = false;
    }
  }

  newObject() {
    this.endStroke();
    this.target = null;
    this.draft = {};
    this.activate();
    this.say(`New ${this.category}: draw its mask`);
  }

  deleteObject() {
    this.endStroke();
    if (this.draft) {
      this.draft = null;
      this.activate();
      return true;
    }
    const item = this.objects.find(this.target);
    if (!item) {
      this.say("No object selected: click one in the list, or Ctrl+click it in the image");
      return false;
    }
    const words = this.subject;
    const uuid = this.tell({ kind: "remove", target: item.target, category: item.category });
    this.history.add({ kind: "remove", uuid, target: item.target, category: item.category, item });
    this.objects.remove(item.target);
    this.target = null;
    this.activate();
    this.say(`${words} deleted; Ctrl+Z restores it`);
    return true;
  }

  /// Unmarks the object that another one would be merged into: true if there was one.
  unmark() {
    if (!this.isOpen || this.marked === null) return false;
    this.marked = null;
    this.show({ list: true });
    this.say("Merging canceled");
    return true;
  }

  /// Changes the class of the selected object.
  recategorise(name) {
    const item = this.objects.find(this.target);
    if (!item || item.category === name || !this.categories.includes(name)) return false;
    this.endStroke();
    const uuid = this.tell({ kind: "category", target: item.target, category: name });
    this.history.add({ kind: "category", uuid, target: item.target, before: item.category, after: name });
    this.category = item.category = name;
    this.activate();
    this.say(`Class changed to ${name}`);
    return true;
  }

  /// Shows the model's map cut at a threshold.
  preview(threshold) {
    const isFirst = this.threshold === null;
    this.threshold = threshold;
    if (!this.model.hasMap(this.category)) return;
    if (isFirst) this.say("Model outline at this threshold; Shift+M uses it");
    this.model.load(this.category).catch((error) => this.say(`No map: ${error.message}`));
  }

  // ---- undo and redo ----

  /// Makes one step of the changes of an action, and tells the host which entries they are.
  group(run) {
    this.isGrouping = true;
    const step = this.history.group(run);
    this.isGrouping = false;
    if (step?.steps) this.host.grouped?.(step.steps.map((one) => one.uuid));
  }

  undo() {
    this.endStroke();
    const step = this.history.back();
    if (!step) return false;
    for (const one of step.steps?.toReversed() ?? [step]) {
      this.turn(one, true);
      this.host.undo?.({ uuid: one.uuid });
    }
    return true;
  }

  redo() {
    this.endStroke();
    const step = this.history.forth();
    if (!step) return false;
    for (const one of step.steps ?? [step]) {
      this.turn(one, false);
      this.host.redo?.({ uuid: one.uuid });
    }
    return true;
  }

  turn(step, isBack) {
    turn(this, step, isBack);
    this.show({ masks: true, list: true, status: true, marks: true });
  }

  keep(target) {
    const item = this.objects.find(target);
    if (item) item.mask = this.region.mask;
  }

  // ---- the server's state ----

  /// Replaces the shown ground truth by the server's. If they are equal, nothing else changes.
  take(state) {
    // A change being sent is newer than any state of the server.
    if (!this.isOpen || !state?.objects || this.isTelling) return;
    if (state.run) this.model.run = state.run;
    const told = new Objects(state.objects, this.width, this.height, state.label_map);
    const isSame = told.isSame(this.objects);
    this.objects = told;
    this.imageLabels = imageLabels(state);
    if (isSame) {
      this.show({ list: true, marks: true });
      return;
    }
    this.region.cancel();
    this.history.clear();
    this.activate();
  }

  /// The selected mask when the sample was opened; null if it did not exist.
  get atOpening() {
    if (this.draft) return null;
    if (this.target === null) return this.opened.region(this.category);
    return this.opened.find(this.target)?.mask ?? null;
  }

  /// Returns the model's mask for the selection, or a promise of it; null if there is none.
  fromModel() {
    if (!this.isWhole) {
      const near = this.model.objectNear(this.category, this.region.mask);
      if (near) return near;
    }
    if (this.model.hasMap(this.category) && (this.threshold !== null || !this.model.mask(this.category))) {
      return this.model.atThreshold(this.category, this.threshold ?? 0.5);
    }
    return this.model.mask(this.category);
  }
}
