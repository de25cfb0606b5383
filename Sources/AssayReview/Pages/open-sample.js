// The open sample: opening it, changes, decisions. The canvas or the label view draws it; the visit
// and its outbox save it.
import { fetchImage, fetchSample, Gone, mapURL } from "./api.js";
import { UndoGroups } from "./undo-groups.js";
import { kindWords, Visit } from "./visit.js";

export class OpenSample extends EventTarget {
  /// `view` is {open, close?, show, finish?, undo?, redo?}: masks or labels. Events: "change", "say"
  /// (detail: words), "decided" (detail: {status}), "conflict".
  constructor({ session, outbox, active, view, isLabels, isSet }) {
    super();
    Object.assign(this, { session, outbox, active, view, isLabels, isSet });
    this.groups = new UndoGroups(`${session.ledger}-${session.author}`);
    this.detail = null;
    this.visit = null;
    this.image = null;
    this.problem = null;
    this.question = null;
    this.asked = 0;
    // In a conflict: whether this person's version is the other version, and whether the
    // other version is shown.
    this.isBeside = this.isBesideShown = false;
    outbox.addEventListener("answer", ({ detail }) => this.answered(detail));
  }

  get state() {
    return this.visit?.state ?? null;
  }

  get conflicts() {
    return this.state?.conflicts?.length ?? 0;
  }

  /// Opens a sample; false if it could not be opened or another sample was
  /// requested in the meantime.
  async open(id) {
    const turn = ++this.asked;
    try {
      if (!(await this.outbox.settled(id))) {
        this.tell("This image has unsaved changes; open it again when they are saved.", true);
        return false;
      }
      const [detail, image] = await Promise.all([fetchSample(id), fetchImage(id)]);
      if (turn !== this.asked) {
        image.close();
        return false;
      }
      const { session, outbox, active } = this;
      const old = this.image;
      // A stroke in progress ends with the sample it was started on.
      this.view.close?.();
      this.detail = detail;
      this.image = image;
      this.visit = new Visit(detail, { session, outbox, active });
      this.problem = detail.image_changed ? "the image file has changed since it was corrected" : null;
      this.question = null;
      this.instead = new Map();
      this.withdrawn = new Map();
      this.isBeside = this.isBesideShown = false;
      await this.view.open({
        sample: { ...detail.sample, width: image.width, height: image.height }, state: detail, run: detail.run, image, key: detail.sample.key,
        categories: session.categories,
        mapURL: (category) => (detail.run?.maps?.includes(category) ? mapURL(id, category) : null),
      });
      old?.close();
      this.recall();
      this.changed();
      if (this.conflicts) this.dispatchEvent(new CustomEvent("conflict"));
      return true;
    } catch (error) {
      if (turn !== this.asked) return false;
      const why = error instanceof Gone ? "the server does not respond (run assay review to start it again); the open sample stays open." : error.message;
      this.tell(`Cannot open: ${why}`, true);
      if (error.status === 401) this.dispatchEvent(new CustomEvent("signedOut"));
      return false;
    }
  }

  reopen() {
    return this.visit ? this.open(this.visit.sample) : false;
  }

  /// Shows the question about strokes of an earlier visit that still need a confirmation.
  recall() {
    const held = this.outbox.held.filter((item) => item.sample === this.visit.sample);
    if (held.length) this.ask(held.at(-1), true);
  }

  // ---- changes by the canvas ----

  /// Handles a change by the canvas; returns the uuid of its entry. A region left empty
  /// needs a confirmation first.
  change({ kind, ...body }) {
    // The canvas draws on the version that is shown, so the next change continues from it.
    this.isBesideShown = this.isBeside;
    if (body.target === null) delete body.target;
    if (!body.empty) delete body.empty;
    const item = this.visit.item(kind, body, { isHeld: kind === "mask" && body.empty === true });
    // Drawing in a region answers an open question about it; undo asks it again.
    const answered = this.heldFor(body);
    if (answered) {
      this.outbox.drop(answered);
      this.instead.set(item.uuid, answered);
      this.question = null;
    }
    this.outbox.add(item);
    this.visit.onCanvas.add(item.uuid);
    if (item.held) this.ask(item, false);
    this.changed("started");
    return item.uuid;
  }

  heldFor({ category, target }) {
    return this.outbox.held.find((item) => item.sample === this.visit.sample
      && item.body.category === category && item.body.target === target);
  }

  /// Restores a question that was answered or withdrawn, and asks it.
  askAgain(item) {
    item.parent = this.visit.parent;
    delete item.number;
    this.outbox.add(item);
    this.ask(item, false);
  }

  /// Handles an undo of one stroke that the canvas has already done itself.
  canvasUndid(entry) {
    if (!entry?.uuid) return this.undo(true);
    const held = this.outbox.held.find((item) => item.uuid === entry.uuid);
    if (held) {
      this.outbox.drop(held);
      this.withdrawn.set(held.uuid, held);
      this.question = null;
    } else {
      this.visit.undo(entry.uuid);
    }
    const before = this.instead.get(entry.uuid);
    if (before) this.askAgain(before);
    this.changed("started");
  }

  canvasRedid(entry) {
    if (!entry?.uuid) return this.redo(true);
    const before = this.instead.get(entry.uuid);
    if (before) {
      this.outbox.drop(before);
      this.question = null;
    }
    const held = this.withdrawn.get(entry.uuid);
    if (held) this.askAgain(held);
    else this.visit.redo(entry.uuid);
    this.changed("started");
  }

  // ---- confirmation of an empty mask ----

  ask(item, isOld) {
    const what = item.body.category ?? "this object";
    const text = isOld ? `not saved: an earlier change leaves ${what} empty. Is it correct?`
      : `not saved yet: ${what} is empty now. Is it correct?`;
    this.question = { item, isOld, text, actions: ["sayEmpty", "notEmpty"] };
    this.tell(`${what} is empty now. Press Y to confirm, Ctrl+Z to undo.`);
  }

  async sayEmpty() {
    if (!this.question) return;
    const { item, isOld } = this.question;
    this.question = null;
    await this.visit.release(item);
    this.changed("started");
    if (isOld && (await this.outbox.settled(this.visit.sample))) this.reopen();
  }

  notEmpty() {
    if (!this.question) return;
    const { item, isOld } = this.question;
    if (!isOld && this.view.undo?.()) return;
    this.question = null;
    this.outbox.drop(item);
    if (!isOld) this.view.show(this.shownState());
    this.changed();
  }

  // ---- undo and redo ----

  undo(isPastCanvas = false) {
    this.view.finish?.();
    this.putBack();
    if (this.question && !this.question.isOld) return this.notEmpty();
    const last = this.visit?.lastDone;
    if (!last) return this.tell("Nothing to undo.");
    // If the last change was a stroke of the canvas, the canvas undoes it itself:
    // immediately, without the server.
    if (!isPastCanvas && this.visit.onCanvas.has(last.uuid) && this.view.undo?.()) return;
    const number = this.groups.count(this.visit.done);
    for (let at = 0; at < number; at += 1) this.visit.undo();
    this.tell(number > 1 ? `Undone: ${number} changes of one action.` : `Undone: ${this.kindText(last)}.`);
    this.changed("started");
  }

  redo(isPastCanvas = false) {
    this.putBack();
    const last = this.visit?.lastUndone;
    if (!isPastCanvas && (!last || this.visit.onCanvas.has(last.uuid)) && this.view.redo?.()) return;
    if (!last) return this.tell("Nothing to redo.");
    const number = this.groups.count(this.visit.undone);
    for (let at = 0; at < number; at += 1) this.visit.redo();
    this.tell(number > 1 ? `Redone: ${number} changes of one action.` : `Redone: ${this.kindText(last)}.`);
    this.changed("started");
  }

  // ---- decisions ----

  /// Saves a decision; false if a question is open.
  decide(kind, body = {}, options = {}) {
    if (!this.visit) return false;
    this.view.finish?.();
    this.putBack();
    if (this.isAsked()) return false;
    this.visit.save(kind, body, options);
    return true;
  }

  /// Returns whether a question is open, and repeats it.
  isAsked() {
    if (this.question) this.tell("Confirm the empty mask first: Y, or Ctrl+Z to undo.", true);
    return this.question !== null;
  }

  label(category) {
    if (!this.decide("label", { category }, { done: true })) return false;
    this.visit.state = { ...this.visit.state, label: category };
    this.view.show(this.visit.state);
    this.tell(`Labeled ${category}.`);
    return true;
  }

  /// Adds a class to the set of labels, or removes it.
  toggle(category) {
    const labels = new Set(this.state?.labels ?? []);
    const isAdded = !labels.has(category);
    if (!this.decide(isAdded ? "add" : "remove", { category, target: "label" })) return false;
    if (isAdded) labels.add(category);
    else labels.delete(category);
    this.visit.state = { ...this.visit.state, labels: this.session.categories.filter((name) => labels.has(name)) };
    this.view.show(this.visit.state);
    this.tell(isAdded ? `Label ${category} added.` : `Label ${category} removed.`);
    return true;
  }

  /// Returns the words for a kind of entry, for undo and redo messages.
  kindText({ kind, category }) {
    if (this.isSet && category && (kind === "add" || kind === "remove")) {
      return kind === "add" ? `label ${category} added` : `label ${category} removed`;
    }
    return kindWords[kind] ?? kind;
  }

  /// Keeps the version shown in the image.
  keepSeen() {
    if (!this.conflicts) return this.tell("There is no other version.");
    this.keep(this.state.conflicts.at(-1), this.isBesideShown ? "this" : "head");
  }

  /// Keeps the changes of both versions, if they do not overlap.
  keepBoth() {
    if (!this.conflicts) return this.tell("There is no other version.");
    const conflict = this.state.conflicts.at(-1);
    if (conflict.obstacle) return this.tell(`Both cannot be kept: ${conflict.obstacle}.`, true);
    this.keep(conflict, "both");
  }

  keep(conflict, version) {
    // The parent is the head of the main branch, whatever other branches there are.
    const { head } = this.state;
    this.visit.parent = head === null ? {} : { sequence: head };
    this.isBeside = this.isBesideShown = false;
    this.visit.save("keep", { conflict: conflict.uuid, version });
    this.changed();
  }

  // ---- answers ----

  answered({ item, answer, isConflict, isElsewhere }) {
    if (item.sample !== this.visit?.sample) return;
    if (isElsewhere && item.body.visit !== this.visit.id) {
      this.problem = "changed in another tab of this browser";
      return this.changed();
    }
    if (item.body.visit !== this.visit.id && !answer.state) return;
    const isLast = this.outbox.of(item.sample).length === 0;
    if (isConflict) {
      const { parent, done, undone } = this.visit;
      this.visit.adopt(answer.state);
      // Further changes, including undo, belong to this person's branch until one version is kept.
      Object.assign(this.visit, { parent, done, undone });
      this.isBeside = this.isBesideShown = true;
      if (isLast && !this.isDrawn(item)) this.showVersion(true);
      this.changed();
      this.dispatchEvent(new CustomEvent("conflict"));
      return;
    }
    if (!answer.state) {
      this.visit.state = { ...this.visit.state, status: answer.status };
    } else if (isLast) {
      this.arrived(item, answer.state);
    }
    this.changed(answer.status);
  }

  /// Handles the server's state after an entry when nothing else is pending.
  arrived(item, state) {
    this.visit.adopt(state);
    this.isBeside = this.isBesideShown = false;
    if (this.isDrawn(item)) return;
    this.visit.onCanvas.clear();
    this.view.show(this.shownState());
    if (item.body.kind === "keep") {
      this.tell(item.body.version === "both" ? "Conflict resolved: the changes of both are kept."
        : "Conflict resolved; the other version stays in the ledger.");
    }
  }

  /// Returns whether the canvas already shows the result of an entry.
  isDrawn({ uuid, body }) {
    const { onCanvas } = this.visit;
    return onCanvas.has(uuid) || (["undo", "redo"].includes(body.kind) && onCanvas.has(body.entry));
  }

  /// Returns the state as the views need it: with the run's predictions.
  shownState(state = this.state) {
    return { ...this.detail, ...state };
  }

  // ---- comparing two versions ----

  compare() {
    if (!this.conflicts) return this.tell("There is no other version.");
    this.showVersion(!this.isBesideShown);
    this.tell(this.isBesideShown ? "Other version." : "Current version.");
    this.changed();
  }

  showVersion(isBeside) {
    this.isBesideShown = isBeside;
    this.visit.onCanvas.clear();
    const { label, labels, objects } = isBeside ? this.state.conflicts.at(-1) : this.state;
    this.view.show(this.shownState({ ...this.state, label, labels, objects }));
  }

  /// Before a change, shows the version that it applies to again.
  putBack() {
    if (this.isBesideShown !== this.isBeside) this.showVersion(this.isBeside);
  }

  tell(words, isProblem = false) {
    this.dispatchEvent(new CustomEvent("say", { detail: { words, isProblem } }));
  }

  changed(status) {
    this.dispatchEvent(new CustomEvent("change", { detail: { status } }));
  }
}
