// The frames of a video in the editor: going from frame to frame, copying an object to the next one, and boxes in the frames
// between two. Each object that is added is an entry of the ledger like others; objects of one track have the same `track`.
import { fetchKeyframe, fetchSample } from "./api.js";
import { rounded } from "./box-edges.js";
import { count, grouped, newUUID, remembered } from "./dom.js";
import { boxInBetween, orientedBox, ringOfBox } from "./oriented-box.js";
import { compressed } from "./run-lengths.js";
import { isSame, newTrack, trackOf, Tracks } from "./tracks.js";

export class Film {
  /// `canvas` is set when it exists.
  constructor(app) {
    this.app = app;
    this.canvas = null;
    /// The question that the next press answers: {target, box, total}.
    this.asked = null;
    /// The entries that one undo takes back: {sample, last, items, isUndone}.
    this.groupName = `film-group-${app.session.ledger}-${app.session.author}`;
    this.group = keptGroup(this.groupName);
    this.isBusy = false;
    this.tracks = new Tracks(this, `track-${app.session.ledger}-${app.review.name}`);
  }

  /// The place of the open sample in its film; null if it is no frame.
  get place() {
    return this.app.openSample?.detail?.film ?? null;
  }

  get words() {
    const { place } = this;
    if (!place) return "";
    const time = place.time === null ? "" : `, ${place.time.toFixed(2)} s`;
    return `${place.name}: frame ${place.frame}${time} (${grouped(place.index + 1)} of ${grouped(place.count)})`;
  }

  say(words) {
    this.canvas.tell(words);
    return true;
  }

  get visit() {
    return this.app.openSample.visit;
  }

  get item() {
    return this.canvas.objects?.find(this.canvas.selected) ?? null;
  }

  /// Does work that takes time, one at a time. `work` says what it did.
  async run(work) {
    if (this.isBusy || this.app.isAway) return;
    this.isBusy = true;
    try {
      this.canvas.finish();
      await work();
    } catch (error) {
      this.say(`Not done: ${error.message}`);
    } finally {
      this.isBusy = false;
    }
  }

  // ---- going ----

  /// Goes to the next (1) or the previous (−1) frame; the object of the same track is selected there.
  step(direction) {
    return this.run(async () => {
      const { place } = this;
      if (!place) return this.say("This image is no frame of a video");
      const frame = direction > 0 ? place.next : place.previous;
      if (!frame) return this.say(direction > 0 ? "This is the last frame in this review" : "This is the first frame in this review");
      const track = trackOf(this.item);
      return this.go(frame, (one) => track !== null && isSame(one.fields.get("track"), track));
    });
  }

  /// Opens a frame and selects the first object that `isWanted` accepts.
  async go({ sample, position }, isWanted) {
    if (!(await this.app.go(position, sample))) return false;
    const found = this.canvas.objects.items.find(isWanted);
    if (found) this.canvas.setObject(found.target);
    return true;
  }

  // ---- copying ----

  /// Adds the selected object to the next frame, and goes there.
  copy() {
    return this.run(async () => {
      const { place, item, app } = this;
      if (!place) return this.say("This image is no frame of a video");
      if (!item) return this.say("Select the object to copy first");
      if (!place.next) return this.say("This is the last frame in this review");
      const { target, category } = item;
      const { visit } = this;
      const next = await this.fresh(place.next);
      if (!next) return;
      const [width, height] = item.size;
      if (next.sample.width !== width || next.sample.height !== height) return this.say("The next frame has another size; nothing was copied");
      const track = trackOf(item);
      const there = track === null ? null : next.objects.find((one) => isSame(one.attributes?.track, track));
      if (there) {
        await this.go(place.next, (one) => one.target === there.target);
        return this.say(`Frame ${place.next.frame} has ${there.category} of track ${track} already; nothing was copied`);
      }
      if (this.visit !== visit || this.canvas.selected !== target) return;
      const fields = this.fields(item, place.next.frame, true);
      if (track === null) this.canvas.setFields(target, { track: fields.track });
      const made = this.entry(next, newUUID(), { kind: "add", category, ...shapeOf(item), attributes: fields });
      app.outbox.add(made);
      if (!(await app.outbox.settled(next.sample.id))) {
        return this.say("The copy is not saved yet: see the line at the top; it is sent as soon as the server answers");
      }
      const isMade = (one) => one.target === JSON.stringify({ entry: made.uuid });
      if (await this.go(place.next, isMade)) this.say(`${category} copied, track ${fields.track}`);
    });
  }

  /// Returns the server's state of a frame, if nobody else has it open and nothing of it is unsaved; says so otherwise.
  async fresh({ sample, frame }) {
    if (this.app.outbox.of(sample).length > 0 && !(await this.app.outbox.settled(sample))) {
      this.say(`Frame ${frame} has changes that are not saved yet; nothing was added`);
      return null;
    }
    const detail = await fetchSample(sample);
    const why = detail.held_by ? `${detail.held_by} has frame ${frame} open`
      : detail.conflicts?.length ? `frame ${frame} has a conflict` : null;
    if (!why) return detail;
    this.say(`Nothing was added: ${why}`);
    return null;
  }

  /// Returns the fields of a copy: those of the object, with the number of the frame if it has one.
  fields(item, frame, isKey) {
    const fields = Object.fromEntries(item.fields);
    fields.track ??= newTrack();
    if ("frame" in fields) fields.frame = frame;
    if ("keyframe" in fields) fields.keyframe = isKey;
    return fields;
  }

  entry({ sample, head }, visit, body) {
    const { app } = this;
    return {
      uuid: newUUID(), ledger: app.session.ledger, author: app.session.author, sample: sample.id ?? sample,
      queue: app.session.queues ? app.session.review?.name : null,
      parent: head === null || head === undefined ? {} : { sequence: head }, created: new Date().toISOString(),
      body: { visit, ...body },
    };
  }

  // ---- interpolating ----

  /// Adds boxes between the selected one and the last one of its track: the first press asks.
  interpolate() {
    return this.run(async () => {
      const { place, item } = this;
      if (!place) return this.say("This image is no frame of a video");
      const track = trackOf(item);
      const oriented = item?.isPolygon ? orientedBox(item.polygons) : null;
      if (!item?.isBox && !oriented) return this.say("Select a box of a track first: the frames between it and the last one of the track get boxes");
      if (track === null) return this.say("This box has no track: $ begins one, and boxes that are drawn in other frames join it");
      const { visit } = this;
      const { target } = item;
      const box = oriented ? item.polygons[0] : item.box;
      // What was just changed here is no obstacle, but the key frame must be known to the server.
      const { key, between } = await fetchKeyframe(visit.sample, track, item.category);
      if (this.visit !== visit || this.canvas.selected !== target) return;
      const start = oriented ? orientedBox(key.polygons) : key.box;
      if (!start) return this.say(`Frame ${key.frame} has ${oriented ? "no oriented box" : "no upright box"} of track ${track}`);
      const unsaved = between.find(({ sample }) => this.app.outbox.of(sample).length > 0);
      if (unsaved) return this.say(`Frame ${unsaved.frame} has changes that are not saved yet; nothing was added`);
      if (between.length === 0) return this.say(`No frames are between frame ${key.frame} and this one: draw the next box some frames later, and press # there`);
      const span = between.length === 1 ? `frame ${between[0].frame}` : `frames ${between[0].frame} to ${between.at(-1).frame}`;
      const { asked } = this;
      const isAnswer = asked && asked.visit === visit && asked.target === target && sameShape(asked.box, box) && asked.total === between.length;
      if (!isAnswer) {
        this.asked = { visit, target, box, total: between.length };
        const names = [...new Set(between.map((one) => one.held_by).filter(Boolean))];
        const open = names.length > 0 ? ` (${names.join(", ")} ${names.length === 1 ? "has" : "have"} some of them open)` : "";
        return this.say(`Adds ${count(between.length, "box", "boxes")} of ${item.category} in ${span}${open}, `
          + `in a line from frame ${key.frame} to ${place.frame}: press # again`);
      }
      this.asked = null;
      const group = newUUID();
      const items = between.map((frame) => {
        const share = (frame.frame - key.frame) / (place.frame - key.frame);
        return this.entry(frame, group, {
          kind: "add", category: item.category, attributes: this.fields(item, frame.frame, false),
          ...(oriented ? { polygons: [ringOfBox(boxInBetween(start, oriented, share))] }
            : { box: box.map((value, at) => rounded(start[at] + (value - start[at]) * share)) }),
        });
      });
      this.group = { sample: visit.sample, last: this.last, items, isUndone: false };
      this.keepGroup();
      for (const one of items) this.app.outbox.add(one);
      return this.say(`${count(items.length, "box", "boxes")} added in ${span}; Ctrl+Z here takes all back`);
    });
  }

  // ---- undo ----

  /// The last change of the open sample that counts.
  get last() {
    return this.visit?.lastDone?.uuid ?? null;
  }

  isNext(isUndone) {
    const { group } = this;
    return group !== null && group.isUndone === isUndone && this.visit?.sample === group.sample && this.last === group.last;
  }

  /// True if undo takes back the boxes that were added last.
  get canUndo() {
    return this.isNext(false);
  }

  undo() {
    return this.canUndo && this.turn("undo", "removed from");
  }

  redo() {
    return this.isNext(true) && this.turn("redo", "added to");
  }

  /// Remembers the boxes that were added last, so that undo finds them after a reload.
  keepGroup() {
    const { sample, last, items, isUndone } = this.group;
    const kept = items.map((one) => ({ sample: one.sample, uuid: one.uuid, isBack: one.isBack ?? false }));
    remembered.set(this.groupName, JSON.stringify({ sample, last, items: kept, isUndone }));
  }

  /// Undoes or redoes the boxes, without those that somebody undid or changed since: these stay as they are.
  turn(kind, done) {
    return this.run(async () => {
      const { group, app } = this;
      const own = this.visit;
      const visit = newUUID();
      const left = new Map();
      const entries = [];
      for (const one of group.items) {
        if (!(await app.outbox.settled(one.sample))) return this.say("Not done: some of the frames have changes that are not saved yet");
        const detail = await fetchSample(one.sample);
        const why = whyNot(kind, one, detail);
        if (why) left.set(why, (left.get(why) ?? 0) + 1);
        else entries.push([one, this.entry(detail, visit, { kind, entry: one.uuid })]);
      }
      // The frames that were looked at are no longer this person's, but the open one is.
      await fetchSample(own.sample);
      if (this.visit !== own) return this.say("Not done: another image was opened");
      for (const [one, entry] of entries) {
        one.isBack = kind === "undo";
        app.outbox.add(entry);
      }
      group.isUndone = kind === "undo";
      this.keepGroup();
      const rest = [...left].map(([why, number]) => `${number} ${why}`).join(", ");
      return this.say(`${count(entries.length, "box", "boxes")} ${done} the frames in between${rest ? `; ${rest}` : ""}`);
    });
  }
}

/// Returns why a box is not undone or redone, as words after a number; null if it is.
function whyNot(kind, { uuid, isBack }, { history, held_by: holder }) {
  const entry = history.find((one) => one.uuid === uuid);
  const isActive = entry?.active === true;
  if (holder) return `left because ${holder} has the frame open`;
  if (!entry || entry.conflict) return "left because of a conflict";
  if (kind === "redo") return isActive ? "there already" : isBack ? null : "left as undone";
  if (!isActive) return "undone before";
  const target = JSON.stringify({ entry: uuid });
  return history.some((one) => one.active && !one.conflict && one.target === target) ? "kept because changed since" : null;
}

/// Returns the group that a page before this one remembered, or null.
function keptGroup(name) {
  try {
    const kept = JSON.parse(remembered.get(name) ?? "null");
    return Array.isArray(kept?.items) && kept.items.every((one) => typeof one?.uuid === "string") ? kept : null;
  } catch {
    return null;
  }
}

function sameShape(one, other) {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}

/// Returns the shape of an object as an entry has it.
function shapeOf(item) {
  if (item.isBox) return { box: item.box };
  if (item.isPolygon) return { polygons: item.polygons };
  return { counts: compressed(item.mask), size: [item.size[1], item.size[0]] };
}
