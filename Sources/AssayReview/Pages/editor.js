// The sample that is edited: its objects, the one in hand, what was done, and what the host is told. No drawing.
import { count, newUUID, pixels } from "./dom.js";
import { History } from "./history.js";
import { ModelMasks } from "./model.js";
import { Objects, madeTarget } from "./objects.js";
import { keptParts } from "./region-parts.js";
import { Region } from "./region.js";
import {
  compressed, emptyMask, isEmpty, isEqual, subtracting, symmetricDifference, unionOf,
} from "./run-lengths.js";

export class Editor {
  /// `show` asks for drawing: {masks: what a stroke touched, overlay: all masks, view, marks, list, status}.
  /// `say` says what a person should see, too; `host.say` what only a screen reader needs.
  constructor(host, workerClient, show, say) {
    Object.assign(this, { host, workerClient, show, say });
    this.hidden = new Set();
    /// The category to draw: it stays from picture to picture until another one is chosen.
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
    this.objects = new Objects(state.objects, this.width, this.height);
    this.opened = new Objects(state.objects, this.width, this.height);
    this.workerClient.open(image, this.width, this.height);
    this.model = new ModelMasks(
      state.run, this.width, this.height, mapURL, this.workerClient, () => this.show({ overlay: true, status: true }));
    this.history.clear();
    this.target = null;
    this.draft = null;
    /// The threshold the person has moved to; null: the run's own mask counts.
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

  /// What is in hand, in words.
  get subject() {
    if (this.draft) return `new ${this.category}`;
    if (this.target === null) return `${this.category}, all instances`;
    const number = this.objects.of(this.category).findIndex((item) => item.target === this.target) + 1;
    return `${this.category} ${number}`;
  }

  /// How large what is in hand is, in words.
  get extent() {
    const item = this.objects.find(this.target);
    if (item?.isBox) return `a box of ${Math.round(item.box[2])} × ${Math.round(item.box[3])}`;
    const boxes = this.isWhole ? this.objects.of(this.category).filter((one) => one.isBox).length : 0;
    const area = boxes > 0 && this.region.area === 0 ? "" : pixels(this.region.area);
    return [area, boxes > 0 && count(boxes, "box", "boxes")].filter(Boolean).join(", ");
  }

  /// Takes the mask in hand from the objects.
  activate() {
    const item = this.objects.find(this.target);
    if (this.target !== null && !item) this.target = null;
    const mask = this.draft ? emptyMask(this.width, this.height)
      : item ? item.mask : this.objects.region(this.category);
    this.region = new Region(mask);
    this.show({ overlay: true, list: true, status: true, marks: true, chosen: true });
  }

  // ---- choosing ----

  /// Also while no picture is shown: it is about none.
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

  /// The next object in the list's order; false behind the last one.
  step(direction) {
    const shown = this.inOrder.filter((item) => !this.hidden.has(item.category));
    const place = shown.findIndex((item) => item.target === this.target);
    const next = place < 0 ? (direction > 0 ? 0 : shown.length - 1) : place + direction;
    if (next < 0 || next >= shown.length) return false;
    return this.setObject(shown[next].target);
  }

  /// All objects, category by category in the order of the categories.
  get inOrder() {
    return this.categories.flatMap((name) => this.objects.of(name));
  }

  setHidden(category, isHidden) {
    if (isHidden === this.hidden.has(category)) return;
    if (isHidden) this.hidden.add(category);
    else this.hidden.delete(category);
    this.host.hidden?.(category, isHidden);
    this.show({ overlay: true, list: true, status: true });
    this.say(isHidden ? `${category} is hidden, not deleted` : `${category} is shown`);
  }

  /// Why what is in hand cannot be drawn on, in words; null where it can. A stroke would take a box away.
  get whyNotDrawn() {
    if (this.draft) return null;
    const item = this.objects.find(this.target);
    if (item?.isBox) {
      return `${this.subject} is a box; drawing and editing boxes is not supported yet. Delete removes it, `
        + "I starts a new object with a mask";
    }
    if (item || !this.objects.of(this.category).some((one) => one.isBox)) return null;
    return `${this.category} has boxes; drawing and editing boxes is not supported yet. I starts a new object with a `
      + "mask, V selects a box to delete it or change its class";
  }

  /// What a click beside all objects is told.
  get nothingHere() {
    const hasBoxes = this.model.isDetector || this.objects.items.some((one) => one.isBox);
    return hasBoxes ? "No object here. Drawing boxes is not supported yet; a drawn mask (I, then B) gets a bounding box"
      : "No object here";
  }

  /// A mask from the model without the parts that are too small to be meant; see parts.js.
  keptParts(mask, share) {
    const own = this.draft ? emptyMask(this.width, this.height)
      : this.target === null ? this.objects.instances(this.category) : this.region.mask;
    return keptParts(mask, own, share);
  }

  // ---- changing ----

  /// Before a change: what is hidden is shown, for nobody should draw unseen.
  begin() {
    this.host.begin?.();
    if (this.hidden.has(this.category)) this.setHidden(this.category, false);
  }

  /// A stroke is done, or what may be one: tells the host what changed. True where something did.
  endStroke() {
    const delta = this.region?.commit();
    if (!delta) return false;
    this.record(delta);
    return true;
  }

  /// The mask in hand becomes another; parts below `instanceArea` pixels that touch no object are one together.
  replace(mask, instanceArea = 0) {
    this.begin();
    this.endStroke();
    const delta = symmetricDifference(this.region.mask, mask);
    if (isEmpty(delta)) return false;
    this.region.apply(delta);
    this.record(delta, instanceArea);
    return true;
  }

  /// The outcome of long work on `from`: what it added and took away is added and taken away now, whatever was
  /// painted meanwhile.
  merge(from, to) {
    const { mask } = this.region;
    if (mask === from) return this.replace(to);
    return this.replace(unionOf(
      [subtracting(mask, subtracting(from, to)), subtracting(to, from)], this.width, this.height));
  }

  record(delta, instanceArea = 0) {
    const { category } = this;
    const { mask } = this.region;
    const change = { category, counts: compressed(mask), size: [this.height, this.width] };
    if (this.draft) {
      if (isEmpty(mask)) return;
      const uuid = this.tell({ kind: "add", ...change });
      this.draft = null;
      this.target = madeTarget(uuid);
      this.objects.add(this.target, category, mask);
      this.history.add({ kind: "add", uuid, target: this.target, category, delta });
    } else {
      const { target } = this;
      if (target === null && instanceArea > 0) change.instance_area = instanceArea;
      const uuid = this.tell({ kind: "mask", target, ...change, empty: isEmpty(mask) });
      const step = { kind: "mask", uuid, target, category, delta };
      if (target === null) step.pieces = this.objects.edit(category, delta, uuid, instanceArea);
      else this.keep(target);
      this.history.add(step);
    }
    this.show({ masks: true, list: true, status: true });
  }

  /// Gives the host a change; the uuid of its entry.
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
    this.say(`New ${this.category}: draw it`);
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

  /// Another category for the object in hand.
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

  // ---- going back and forth ----

  undo() {
    this.endStroke();
    const step = this.history.back();
    if (!step) return false;
    this.turn(step, true);
    this.host.undo?.({ uuid: step.uuid });
    return true;
  }

  redo() {
    this.endStroke();
    const step = this.history.forth();
    if (!step) return false;
    this.turn(step, false);
    this.host.redo?.({ uuid: step.uuid });
    return true;
  }

  turn(step, isBack) {
    if (step.kind === "add" || step.kind === "remove") {
      const appears = (step.kind === "add") !== isBack;
      if (appears && step.item) this.objects.items.push(step.item);
      if (!appears) {
        step.item = this.objects.find(step.target);
        this.objects.remove(step.target);
      }
      this.category = step.category;
      this.draft = step.kind === "add" && isBack ? {} : null;
      this.target = appears ? step.target : null;
      this.activate();
    } else if (step.kind === "category") {
      const item = this.objects.find(step.target);
      this.category = isBack ? step.before : step.after;
      if (item) item.category = this.category;
      this.draft = null;
      this.target = step.target;
      this.activate();
    } else {
      if (this.draft || this.target !== step.target || this.category !== step.category) {
        this.draft = null;
        this.target = step.target;
        this.category = step.category;
        this.activate();
      }
      this.region.apply(step.delta);
      if (step.pieces) this.objects.put(step.pieces, isBack ? "before" : "after");
      else this.keep(step.target);
    }
    this.show({ masks: true, list: true, status: true });
  }

  keep(target) {
    const item = this.objects.find(target);
    if (item) item.mask = this.region.mask;
  }

  // ---- the server's word ----

  /// The server's truth replaces what is shown. Where it is what is shown already, nothing else changes.
  take(state) {
    // What is being told is newer than any word of the server's.
    if (!this.isOpen || !state?.objects || this.isTelling) return;
    if (state.run) this.model.run = state.run;
    const told = new Objects(state.objects, this.width, this.height);
    const isSame = told.items.length === this.objects.items.length && told.items.every((item) => {
      const own = this.objects.find(item.target);
      return own && own.category === item.category && isEqual(own.mask, item.mask);
    });
    this.objects = told;
    if (isSame) {
      this.show({ list: true, marks: true });
      return;
    }
    this.region.cancel();
    this.history.clear();
    this.activate();
  }

  /// The mask in hand as it was when the sample was opened; null where it was not there.
  get atOpening() {
    if (this.draft) return null;
    if (this.target === null) return this.opened.region(this.category);
    return this.opened.find(this.target)?.mask ?? null;
  }

  /// What the model has for the mask in hand, or a promise of it; null where it has nothing.
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
