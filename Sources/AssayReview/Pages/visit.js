// One visit of a sample: the parents of its entries, and the next steps of undo and redo.
import { newUUID } from "./dom.js";

/// The kinds that undo reverts; it ignores the others (notes, undo and redo themselves).
const undoable = new Set([
  "label", "mask", "outline", "attributes", "add", "remove", "category", "take", "accept", "reject", "unsure", "bad", "skip", "merge",
]);

/// The words for a kind in undo and redo messages.
export const kindWords = {
  label: "label", mask: "stroke", outline: "outline", attributes: "fields", add: "new object", remove: "removed object", category: "class",
  take: "prediction used", accept: "accepted", reject: "rejected", unsure: "unsure",
  bad: "bad image", skip: "skipped", note: "note", keep: "version kept", merge: "both versions kept", agree: "version taken",
};

export class Visit {
  /// `detail` is the server's sample; `outbox` sends; `active` times the work.
  constructor(detail, { session, outbox, active }) {
    this.id = newUUID();
    this.sample = detail.sample.id;
    this.session = session;
    this.outbox = outbox;
    this.active = active;
    this.onCanvas = new Set();
    this.undone = [];
    this.done = [];
    this.adopt(detail);
    active.take();
  }

  /// Adopts the server's state: its history determines what can be undone and redone.
  adopt(state) {
    const main = state.history.filter((one) => !one.conflict && undoable.has(one.kind));
    main.sort((a, b) => a.sequence - b.sequence);
    this.state = state;
    this.done = main.filter((one) => one.active);
    // Only entries undone after the last active one: a new stroke discards the entries
    // that could be redone.
    const last = this.done.at(-1)?.sequence ?? 0;
    this.undone = main.filter((one) => !one.active && one.sequence > last).reverse();
    this.parent = state.head === null || state.head === undefined ? {} : { sequence: state.head };
  }

  /// Returns a new entry whose parent is the last one. It becomes the last one, unless it is
  /// held for a question.
  item(kind, body = {}, { isHeld = false, note, done } = {}) {
    const item = {
      uuid: newUUID(),
      ledger: this.session.ledger,
      author: this.session.author,
      sample: this.sample,
      queue: this.session.queues ? this.session.review?.name : null,
      parent: this.parent,
      created: new Date().toISOString(),
      body: { kind, visit: this.id, seconds: this.active.take(), ...body },
    };
    if (note) item.body.note = note;
    if (done) item.body.done = true;
    if (isHeld) item.held = true;
    else this.follow(item);
    return item;
  }

  /// Makes an item the parent of the next entry.
  follow(item) {
    this.parent = { uuid: item.uuid };
    if (!undoable.has(item.body.kind)) return;
    this.done.push({ uuid: item.uuid, kind: item.body.kind, category: item.body.category });
    this.undone = [];
  }

  /// Saves an entry; returns the item immediately.
  save(kind, body, options) {
    const item = this.item(kind, body, options);
    this.outbox.add(item);
    return item;
  }

  /// Releases a held item: its parent is the current last entry.
  release(item) {
    delete item.held;
    item.parent = this.parent;
    this.follow(item);
    return this.outbox.add(item);
  }

  get lastDone() {
    return this.done.at(-1) ?? null;
  }

  get lastUndone() {
    return this.undone.at(-1) ?? null;
  }

  /// Undoes an entry (by default the last active one); returns it, or null.
  undo(uuid = null) {
    const at = uuid === null ? this.done.length - 1 : this.done.findIndex((one) => one.uuid === uuid);
    if (at < 0) return null;
    const [entry] = this.done.splice(at, 1);
    const undone = [...this.undone, entry];
    this.save("undo", { entry: entry.uuid });
    this.undone = undone;
    return entry;
  }

  /// Redoes an entry (by default the one undone last); returns it, or null.
  redo(uuid = null) {
    const at = uuid === null ? this.undone.length - 1 : this.undone.findIndex((one) => one.uuid === uuid);
    if (at < 0) return null;
    const [entry] = this.undone.splice(at, 1);
    const undone = this.undone;
    this.save("redo", { entry: entry.uuid });
    this.done.push(entry);
    this.undone = undone;
    return entry;
  }
}
