// The outbox: every stroke is in this browser's store before it is sent, is sent in order until the
// server has answered, and is then taken out. A stroke has a uuid: sent twice it is one entry.
//
// Item: {uuid, ledger, author, sample, parent: {sequence}|{uuid}|{}, body, created, number,
//   held: it waits for a word of the person, refused: {code, message} the server will not have it}
import { Gone, postCorrection, Refusal } from "./api.js";

const firstPause = 400;
const longestPause = 8000;
/// Kinds with which a person is done with a sample.
const decisions = new Set(["accept", "reject", "unsure", "bad", "skip"]);

export class Outbox extends EventTarget {
  /// Events: "change" (something that is shown), "signedIn" (in another tab), "answer" (detail
  /// {item, answer, isConflict, isElsewhere}; isElsewhere: another tab of this browser sent it).
  constructor(session, store) {
    super();
    this.session = session;
    this.store = store;
    this.items = new Map();
    this.sent = new Set();
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

  /// Items that are this person's to send, in order.
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

  /// Authors whose strokes wait in this browser for their own session: `{name: count}`.
  get others() {
    const counts = {};
    for (const item of this.items.values()) {
      if (item.author !== this.session.author) counts[item.author] = (counts[item.author] ?? 0) + 1;
    }
    return counts;
  }

  /// Items of a sample that are not on the server yet.
  of(sample) {
    return this.own.filter((item) => item.sample === sample && !item.held);
  }

  /// Whether a decision about a sample is on its way to the server.
  isDecided(sample) {
    return this.of(sample).some(({ body, refused }) => !refused && (body.done || decisions.has(body.kind)));
  }

  async load() {
    for (const item of (await this.store.all()) ?? []) this.items.set(item.uuid, item);
    this.changed();
    this.retry();
  }

  /// Keeps a stroke and sends it as soon as it is kept.
  async add(item) {
    this.items.set(item.uuid, item);
    this.changed();
    await this.store.put(item);
    this.changed();
    this.tell({ kind: "added" });
    if (!item.held && this.items.has(item.uuid)) this.send();
  }

  /// Takes a stroke out for good: only what the person gave up.
  async drop(item) {
    this.items.delete(item.uuid);
    await this.store.remove(item);
    this.changed();
    this.tell({ kind: "dropped", uuid: item.uuid });
  }

  /// Tries again now, whatever the pause was.
  retry() {
    this.pause = firstPause;
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.send();
  }

  /// Lets refused strokes go to the server once more.
  async insist() {
    for (const item of this.refused) {
      delete item.refused;
      await this.store.put(item);
    }
    this.retry();
  }

  /// Waits until a sample has nothing unsent: false where that can't be now.
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

  /// Sends what waits, one tab of this browser at a time.
  async send() {
    if (this.isSending) {
      this.isAskedAgain = true;
      return;
    }
    this.isSending = true;
    try {
      do {
        this.isAskedAgain = false;
        // Without locks (no secure origin) two tabs may send the same; the uuid makes it one entry.
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

  /// One walk over what waits. What another tab sent meanwhile is no longer in the store.
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

  /// What another tab sent is no longer in the store, what it kept is; an item without a number is
  /// being written this moment.
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

  /// Sends an item; false where sending the others makes no sense now.
  async sendOne(item) {
    let status, answer;
    try {
      ({ status, answer } = await postCorrection(item));
    } catch (error) {
      return this.failed(item, error);
    }
    this.pause = firstPause;
    this.items.delete(item.uuid);
    // Where taking it out fails it is not sent again by this tab, and once more by the next: a repeat.
    this.sent.add(item.uuid);
    await this.store.remove(item).catch(() => {});
    this.last = { sequence: answer.sequence, time: answer.time };
    const detail = { item, answer, isConflict: status === 409 };
    this.dispatchEvent(new CustomEvent("answer", { detail }));
    // The tab that made the stroke may be another one: it gets the whole answer.
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

  /// This browser is signed in (again), perhaps as somebody else: whose strokes are sent is said by the session.
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
