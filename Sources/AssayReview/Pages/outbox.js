// The outbox: every stroke is stored in this browser before it is sent, is sent in order until
// the server has answered, and is then removed. A stroke has a uuid: if it is sent twice, it
// is still one entry.
//
// Item: {uuid, ledger, author, sample, queue (null for the server's own), parent: {sequence}|{uuid}|{}, body, created, number,
//   held: it waits for the person's confirmation, refused: {code, message} the server refused it}
import { Gone, postCorrection, Refusal } from "./api.js";

const firstPause = 400;
const longestPause = 8000;
/// Kinds of entries that finish a sample.
const decisions = new Set(["accept", "reject", "unsure", "bad", "skip", "agree"]);

export class Outbox extends EventTarget {
  /// Events: "change" (of something that is shown), "signedIn" (in another tab), "answer" (detail
  /// {item, answer, isConflict, isElsewhere}; isElsewhere: another tab of this browser sent it).
  constructor(session, store) {
    super();
    this.session = session;
    this.store = store;
    this.items = new Map();
    this.sent = new Set();
    this.writing = 0;
    this.phase = "idle";
    this.message = null;
    this.last = null;
    this.pause = firstPause;
    this.timer = null;
    this.channel = null;
    if (typeof BroadcastChannel === "function") {
      this.channel = new BroadcastChannel("assay-" + session.ledger);
      this.channel.onmessage = ({ data }) => this.heard(data);
    }
    for (const event of ["online", "focus", "pageshow"]) {
      window.addEventListener(event, () => this.retry());
    }
  }

  /// The items that this person has to send, in order.
  get own() {
    const { ledger, author } = this.session;
    return [...this.items.values()]
      .filter((item) => item.ledger === ledger && item.author === author)
      .sort((a, b) => (a.number ?? Infinity) - (b.number ?? Infinity));
  }

  get waiting() {
    return this.own.filter((item) => !item.held && !item.refused);
  }

  get held() {
    return this.own.filter((item) => item.held);
  }

  get refused() {
    return this.own.filter((item) => item.refused);
  }

  /// The authors whose strokes in this browser wait for their own session: `{name: count}`.
  get others() {
    const counts = {};
    for (const item of this.items.values()) {
      if (item.author !== this.session.author) counts[item.author] = (counts[item.author] ?? 0) + 1;
    }
    return counts;
  }

  /// Returns the items of a sample that are not on the server yet.
  of(sample) {
    return this.own.filter((item) => item.sample === sample && !item.held);
  }

  /// Returns whether a decision about a sample is on its way to the server.
  isDecided(sample) {
    return this.of(sample).some(({ body, refused }) => !refused && (body.done || decisions.has(body.kind)));
  }

  async load() {
    for (const item of (await this.store.all()) ?? []) this.items.set(item.uuid, item);
    this.changed();
    this.retry();
  }

  /// True if every change is in the browser's storage; false while one is being written.
  get isStored() {
    return this.writing === 0;
  }

  /// Stores a stroke and sends it as soon as it is stored.
  async add(item) {
    this.items.set(item.uuid, item);
    this.writing += 1;
    this.changed();
    await this.store.put(item).finally(() => (this.writing -= 1));
    this.changed();
    this.tell({ kind: "added" });
    if (!item.held && this.items.has(item.uuid)) this.send();
  }

  /// Removes a stroke permanently: only for strokes that the person discarded.
  async drop(item) {
    this.items.delete(item.uuid);
    await this.store.remove(item);
    this.changed();
    this.tell({ kind: "dropped", uuid: item.uuid });
  }

  /// Tries again now, whatever the current delay is.
  retry() {
    this.pause = firstPause;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.send();
  }

  /// Sends refused strokes to the server once more.
  async insist() {
    for (const item of this.refused) {
      delete item.refused;
      await this.store.put(item);
    }
    this.retry();
  }

  /// Waits until a sample has no unsent items: false if that is not possible now.
  settled(sample) {
    return new Promise((resolve) => {
      const look = () => {
        const left = this.of(sample);
        const isStuck = ["gone", "signedOut"].includes(this.phase) || left.some((i) => i.refused);
        if (left.length && !isStuck) return;
        this.removeEventListener("change", look);
        resolve(left.length === 0);
      };
      this.addEventListener("change", look);
      look();
    });
  }

  /// Sends the waiting items, one tab of this browser at a time.
  async send() {
    if (this.isSending) {
      this.isAskedAgain = true;
      return;
    }
    this.isSending = true;
    try {
      do {
        this.isAskedAgain = false;
        // Without locks (insecure origin) two tabs can send the same item; the uuid
        // makes it one entry.
        if (navigator.locks) {
          await navigator.locks.request("assay-outbox-" + this.session.ledger, () => this.pass());
        } else {
          await this.pass();
        }
      } while (this.isAskedAgain && this.timer === null);
    } finally {
      this.isSending = false;
    }
  }

  /// Sends all waiting items once. Items sent by another tab in the meantime are no
  /// longer in the store.
  async pass() {
    await this.reconcile();
    const blocked = new Set(this.refused.map((item) => item.sample));
    for (const item of this.waiting) {
      if (item.number === undefined || blocked.has(item.sample)) continue;
      this.become("sending");
      if (!(await this.sendOne(item))) return;
      if (item.refused) blocked.add(item.sample);
    }
    this.become("idle");
  }

  /// Synchronizes the items with the store: items sent by another tab are gone from it, items
  /// stored by another tab are in it; an item without a number is being written.
  async reconcile() {
    const kept = await this.store.all();
    if (kept === null) return;
    const there = new Map(kept.map((item) => [item.uuid, item]));
    for (const [uuid, item] of this.items) {
      if (item.number !== undefined && !there.has(uuid)) this.items.delete(uuid);
    }
    for (const [uuid, item] of there) {
      if (!this.sent.has(uuid)) this.items.set(uuid, item);
    }
  }

  /// Sends an item; false if sending the others makes no sense now.
  async sendOne(item) {
    let status, answer;
    try {
      ({ status, answer } = await postCorrection(item));
    } catch (error) {
      return this.failed(item, error);
    }
    this.pause = firstPause;
    this.items.delete(item.uuid);
    // If removing it fails, this tab does not send it again, but the next tab does: a repeat.
    this.sent.add(item.uuid);
    await this.store.remove(item).catch(() => {});
    this.last = { sequence: answer.sequence, time: answer.time };
    const detail = { item, answer, isConflict: status === 409 };
    this.dispatchEvent(new CustomEvent("answer", { detail }));
    // The stroke can be from another tab: that tab gets the whole answer.
    this.tell({ kind: "answered", detail: { ...detail, isElsewhere: true } });
    this.changed();
    return true;
  }

  async failed(item, error) {
    const code = error instanceof Refusal ? error.code : null;
    if (code === "otherAuthor" || error.status === 401) {
      this.become("signedOut", code === "otherAuthor" ? "this browser is signed in as somebody else now" : null);
      return false;
    }
    const isElsewhere = code === "otherLedger";
    if (error instanceof Refusal && !isElsewhere && error.status < 500 && ![408, 425, 429].includes(error.status)) {
      item.refused = { code: error.code, status: error.status, message: error.message };
      await this.store.put(item);
      this.changed();
      return true;
    }
    const message = isElsewhere ? "the server of another ledger is at this address now" : error.message;
    this.become("gone", error instanceof Gone ? null : message);
    clearTimeout(this.timer);
    const jitter = 0.7 + 0.6 * Math.random();
    this.timer = setTimeout(() => {
      this.timer = null;
      this.send();
    }, this.pause * jitter);
    this.pause = Math.min(longestPause, this.pause * 2);
    return false;
  }

  /// Sets the session after signing in (again), possibly as somebody else: it determines
  /// whose strokes are sent.
  signedIn(session) {
    this.session = session;
    this.become("idle");
    this.tell({ kind: "signedIn" });
    this.retry();
  }

  heard(message) {
    if (message.kind === "answered") {
      const { detail } = message;
      this.items.delete(detail.item.uuid);
      this.sent.add(detail.item.uuid);
      this.last = { sequence: detail.answer.sequence, time: detail.answer.time };
      this.dispatchEvent(new CustomEvent("answer", { detail }));
    } else if (message.kind === "added") {
      this.reconcile().then(() => this.changed());
    } else if (message.kind === "dropped") {
      this.items.delete(message.uuid);
    } else if (message.kind === "signedIn" && this.phase === "signedOut") {
      this.dispatchEvent(new CustomEvent("signedIn"));
    }
    this.changed();
  }

  tell(message) {
    this.channel?.postMessage(message);
  }

  become(phase, message = null) {
    const isNews = this.phase !== phase || this.message !== message;
    this.phase = phase;
    this.message = message;
    if (isNews) this.changed();
  }

  changed() {
    this.dispatchEvent(new CustomEvent("change"));
  }
}
