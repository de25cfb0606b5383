// The other people of a review: who has which sample open, who has changed the open one, and the
// name under which this browser saves.
import { keepSession, postLease, postName, postWatch } from "./api.js";
import { button, clock, count, make } from "./dom.js";

/// The time between two questions to the server, in milliseconds.
const pause = 2000;

export class Team {
  /// `app` is the editor (app.js).
  constructor(app) {
    this.app = app;
    this.visit = null;
    /// Who else has the open sample: `{author, since}`, or null.
    this.holder = null;
    /// The sentence about another person's change to the open sample; null without one.
    this.news = null;
    this.told = null;
    this.sequence = 0;
    /// The mark of the assignments of the queue; null until the server told it.
    this.assigned = null;
    this.isActive = false;
    this.timer = null;
    this.shown = { mark: null, element: null };
  }

  start() {
    const { openSample, outbox } = this.app;
    openSample.addEventListener("change", () => this.follow());
    outbox.addEventListener("answer", ({ detail: { item, answer } }) => {
      // The page shows the server's state again.
      if (answer.state && item.sample === this.visit?.sample) this.news = null;
    });
    for (const event of ["pointerdown", "keydown", "wheel"]) {
      window.addEventListener(event, () => (this.isActive = true), { passive: true, capture: true });
    }
    document.addEventListener("visibilitychange", () => this.run());
    window.addEventListener("pagehide", () => this.leave(this.visit?.sample));
    this.run();
  }

  /// Notices that another sample is open: the lease of the one before ends.
  follow() {
    const { visit, detail } = this.app.openSample;
    if (visit === this.visit) return;
    const before = this.visit?.sample;
    this.visit = visit;
    this.news = this.told = null;
    this.sequence = 0;
    this.holder = detail.held_by ? { author: detail.held_by, since: detail.held_since } : null;
    if (before !== visit.sample) this.leave(before);
    this.app.draw();
    this.run();
  }

  leave(sample) {
    if (sample !== undefined) postLease(sample, false).catch(() => {});
  }

  async run() {
    clearTimeout(this.timer);
    await this.look();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.run(), pause);
  }

  /// Asks the server once. Without an answer the outbox tells that the server is gone.
  async look() {
    const { visit, isActive } = this;
    this.isActive = false;
    let answer;
    try {
      answer = await postWatch({ sample: visit?.sample ?? null, sequence: this.sequence, active: isActive });
    } catch {
      this.isActive ||= isActive;
      return;
    }
    this.app.queue.opened(answer.open);
    this.followAssignments(answer.assigned ?? null);
    if (visit === null || visit !== this.visit) return;
    this.sequence = answer.sequence;
    const before = JSON.stringify([this.holder, this.news]);
    this.held(answer.open.find((one) => one.sample === visit.sample) ?? null);
    if (answer.changed) this.changed(answer.changed);
    if (JSON.stringify([this.holder, this.news]) !== before) this.app.draw();
  }

  /// Shows that samples were assigned to others (assay review assign) since this page was opened.
  followAssignments(assigned) {
    const before = this.assigned;
    this.assigned = assigned;
    if (before === null || before === assigned) return;
    const { queue, session } = this.app;
    queue.reassigned().then(() => {
      const own = queue.parts.find((part) => part.author === session.author);
      this.app.say(own ? `Samples were assigned anew: ${count(own.counts.left, "sample")} of yours left.` : "Samples were assigned anew.", true);
    }, () => (this.assigned = before));
  }

  held(holder) {
    const isNews = holder !== null && holder.author !== this.holder?.author;
    this.holder = holder;
    if (isNews) this.app.say(`${holder.author} has taken over this sample.`, true);
  }

  /// Tells of other people's entries of the open sample. Those of this person are known here, or on their way.
  changed({ status, head, conflict, conflicts }) {
    const { visit, app } = this;
    const isOther = (entry) => entry !== null && entry.author !== app.session.author;
    const isBeside = isOther(conflict) && conflicts > app.openSample.conflicts;
    const entry = isBeside ? conflict : isOther(head) && head.sequence !== visit.state.head ? head : null;
    if (entry === null || entry.sequence === this.told) return;
    this.told = entry.sequence;
    this.news = isBeside ? `conflict: ${entry.author} changed this sample too at ${clock(entry.time)}; both versions are kept`
      : `${entry.author} changed this sample at ${clock(entry.time)}`;
    app.queue.mark(visit.sample, { status, conflicts });
    // A name is as its owner writes it.
    app.say(`${isBeside ? this.news.replace("conflict", "Conflict") : this.news}.`, true);
  }

  /// Returns the line about the person who has the open sample; null if there is none.
  notice() {
    const { holder, shown } = this;
    const mark = holder && JSON.stringify(holder);
    if (mark !== shown.mark) {
      const words = holder && `${holder.author} has had this sample open since ${clock(holder.since)}.`;
      this.shown = {
        mark,
        element: holder && make("span", { class: "held" }, `${words} `,
          button("Take over", null, () => this.takeOver(words), { "data-action": "takeOver" })),
      };
    }
    return this.shown.element;
  }

  async takeOver(words) {
    const { visit, app } = this;
    const isMeant = await app.bar.confirm({ text: `${words} Take it over?`, yes: "Take over", no: "Leave it" });
    if (!isMeant || visit !== this.visit) return;
    try {
      await postLease(visit.sample, true);
    } catch (error) {
      return app.say(`Not taken over: ${error.message}`, true);
    }
    this.holder = null;
    app.draw();
    app.say("You have taken over this sample.");
  }

  /// Returns the button with this person's name.
  name() {
    const { author } = this.app.session;
    return make("button", { type: "button", class: "name", title: "Change your name", onclick: () => this.rename() }, author);
  }

  /// Asks for another name; the page then starts anew under that name.
  async rename() {
    const { app } = this;
    const { author } = app.session;
    const name = await app.bar.ask({ label: "Your name, for what you save from now on", value: author, confirm: "Change name", isNeeded: true });
    if (!name || name.trim() === author) return;
    if (app.outbox.own.length) return app.say("Not all changes are saved yet; change your name when they are.", true);
    try {
      keepSession(await postName(name));
    } catch (error) {
      return app.say(error.message, true);
    }
    location.reload();
  }
}
