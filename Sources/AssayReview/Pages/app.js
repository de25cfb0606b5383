// The page: signs in, shows the browse page or the editor, and handles the editor's keys and buttons.
import { fetchAhead, fetchSession } from "./api.js";
import { conflictView } from "./conflicts.js";
import { DecisionBar } from "./decisions.js";
import { count, fill, grouped, make, remembered } from "./dom.js";
import { emptyView, helpView, hintWords } from "./help.js";
import { decisions, listen, moves, others, walk } from "./keys.js";
import { labelKeys } from "./labels.js";
import { openMasks, openLabels } from "./modes.js";
import { Outbox } from "./outbox.js";
import { giveUp, goTo, note, reject, take } from "./dialogs.js";
import { finished, finishedWords } from "./done-view.js";
import { queueTitle, sharedWords } from "./people.js";
import { Queue } from "./queue.js";
import { goneView, showSignIn, signIn, signInAgain, signInView, takeToken } from "./sign-in.js";
import { OpenSample } from "./open-sample.js";
import { openPage } from "./routes.js";
import { activeTime, lineOf, notesOf, stateLine } from "./save-status.js";
import { openStore, strangers } from "./outbox-store.js";
import { Team } from "./team.js";
import { Trail } from "./trail.js";
import { showVersions } from "./versions.js";

/// The decisions that a key makes once: after the last sample it is meant for a next one.
const deciding = new Set(["accept", "take", "unsure", "skip", "bad", "reject"]);

const at = (id) => document.getElementById(id);
class App {
  constructor(session, store) {
    this.session = session;
    this.review = session.review;
    this.isLabels = /class|label/.test(this.review.task ?? "");
    /// True if an image has a set of labels.
    this.isSet = this.review.task === "multilabel";
    this.outbox = new Outbox(session, store);
    this.place = `place-${session.ledger}-${this.review.name}`;
    this.sideShows = null;
    this.strangers = [];
    /// The number of navigations that search the queue for their sample.
    this.searching = 0;
    /// The latest navigation, `{ position }`, until its image is shown; or null. One that it supersedes no longer counts,
    /// however long its responses take.
    this.heading = null;
    /// True if the open sample is decided and there is no next one.
    this.isAtEnd = false;
    this.trail = new Trail(`${session.ledger}-${this.review.name}-${session.author}`);
  }

  /// True while another image is loading: a key press would affect an image that nobody has seen.
  get isAway() {
    return this.searching > 0 || this.heading !== null || Boolean(this.isGoingOn) || !this.openSample.visit;
  }

  notYet() {
    if (this.queue.total) this.say("The next image is still loading; key ignored.");
  }

  async start() {
    const { session, outbox } = this;
    this.drawLine = stateLine(at("state"), {
      retry: { label: "Try now", run: () => outbox.retry() },
      insist: { label: "Try again", run: () => outbox.insist() },
      giveUp: { label: "Discard", run: () => giveUp(this) },
      signIn: { label: "Sign in", run: () => showSignIn(this) },
      reopen: { label: "Reload", run: () => this.openSample.reopen() },
      conflict: { label: "Show both", run: () => this.showSide("conflict") },
      sayEmpty: { label: "Yes, empty", key: "y", run: () => this.openSample.sayEmpty() },
      notEmpty: { label: "No, undo", key: "Ctrl+Z", run: () => this.openSample.notEmpty() },
    });
    const open = this.isLabels ? openLabels : openMasks;
    this.mode = open({ session, picture: at("picture"), tools: at("tools"), app: this });
    this.openSample = new OpenSample({
      session, outbox, active: activeTime(), view: this.mode.view, isLabels: this.isLabels, isSet: this.isSet,
    });
    this.bar = new DecisionBar(at("decide"), at("more"), {
      run: (id, value) => this.run(id, value), isLabels: this.isLabels, hasRun: Boolean(this.review.run),
    });
    this.bar.goOn.checked = remembered.get("go-on") !== "no";
    this.bar.enable(false);
    this.queue = new Queue(at("queue"), at("counts"), (position) => this.go(position), session.author);
    this.team = new Team(this);
    fill(at("review"), queueTitle(this), this.team.name());
    if (!this.isLabels) {
      fill(at("legend"), make("span", { class: "truth" }, "▬ ground truth"), " ",
        this.review.run ? make("span", { class: "said" }, `▬ model (${this.review.run})`) : null);
    }
    this.listen();
    this.table = this.keys();
    await outbox.load();
    this.draw();
    strangers(session.ledger).then((found) => {
      this.strangers = found;
      this.draw();
    });
    this.team.start();
    await this.first();
  }

  listen() {
    const { outbox, openSample } = this;
    outbox.addEventListener("change", () => this.draw());
    outbox.addEventListener("answer", ({ detail: { item, answer, isConflict } }) => {
      if (isConflict && item.sample !== openSample.visit?.sample) {
        const found = [...this.queue.items.values()].find((one) => one.sample === item.sample);
        this.say(`Conflict at ${found ? grouped(found.position + 1) : "another image"}: both versions are kept.`, true);
      }
      this.queue.answered(item, answer);
    });
    outbox.addEventListener("signedIn", () => signInAgain(this, null));
    openSample.addEventListener("change", () => {
      this.mode.refresh?.();
      if (this.sideShows === "conflict" && !openSample.conflicts) this.showSide(null);
      this.draw();
    });
    openSample.addEventListener("say", ({ detail }) => this.say(detail.words, detail.isProblem));
    openSample.addEventListener("conflict", () => this.showSide("conflict"));
    openSample.addEventListener("signedOut", () => this.outbox.become("signedOut"));
    window.addEventListener("hashchange", () => {
      const token = takeToken();
      if (token) signInAgain(this, token);
    });
    window.addEventListener("beforeunload", (event) => {
      if (outbox.own.length && !(outbox.isStored && outbox.store.isKept)) event.preventDefault();
    });
    listen({
      table: () => this.table,
      first: (event, key) => this.early(event, key),
      last: (event, key) => {
        if (!this.isAway) return this.mode.key(event, key);
        if (this.mode.keyBefore?.(key)) return true;
        if (key.length === 1) this.notYet();
        return false;
      },
    });
  }

  /// Handles keys with another meaning while a question is open, and keys that move the focus.
  early(event, key) {
    if (key === "F6" || key === "Shift+F6") return walk(key === "F6" ? 1 : -1);
    // An unfinished polygon handles these keys first.
    if (this.mode.canvas && !this.isAway && ["Enter", "Escape"].includes(key) && this.mode.key(event, key)) return true;
    if (key === "Escape" && this.bar.isConfirming) {
      this.bar.answer(false);
      return true;
    }
    if (key === "Escape" && this.sideShows) return this.showSide(null);
    return false;
  }

  keys() {
    const table = new Map();
    const put = ({ id, key, also = [], labelKey: own }) => {
      for (const one of [key, ...also, ...(own && this.isLabels ? [own] : [])]) table.set(one, () => this.press(id));
    };
    [...decisions, ...moves, ...others].forEach(put);
    return table;
  }

  async first() {
    const last = Number(remembered.get(this.place) ?? NaN);
    try {
      await this.queue.item(0);
    } catch (error) {
      this.say(`Cannot load the queue: ${error.message}`, true);
      setTimeout(() => this.first(), 3000);
      return;
    }
    if (!this.queue.total) return fill(at("picture"), emptyView());
    const kept = [...this.queue.items].find(([, item]) => item.sample === last && !item.held_by);
    const asked = this.session.asked ? await this.queue.find(this.session.asked).catch(() => null) : null;
    const isOpen = await this.go(asked ?? kept?.[0] ?? (await this.queue.nextLeft(-1).catch(() => null)) ?? 0);
    if (isOpen && !this.queue.counts.left) finished(this);
  }

  /// Opens a sample by its position; with `sample` only if that is the sample there.
  async go(position, sample = null) {
    let item;
    this.searching += 1;
    try {
      item = await this.queue.item(position);
    } catch {
      return this.say("The server does not respond (run assay review to start it again); the open sample stays open.", true);
    } finally {
      this.searching -= 1;
    }
    if (!item) {
      const { current } = this.queue;
      if (position > current && (this.queue.isDone(current) || this.outbox.isDecided(this.openSample.visit?.sample))) this.isAtEnd = true;
      return this.say(position < 0 ? "This is the first sample." : "This is the last sample.");
    }
    if (sample !== null && item.sample !== sample) return this.say("Nothing to undo.");
    this.bar.cancel();
    const heading = { position };
    this.heading = heading;
    const isOpen = await this.openSample.open(item.sample);
    if (this.heading === heading) this.heading = null;
    if (!isOpen) return false;
    this.isAtEnd = false;
    this.queue.choose(position);
    this.bar.enable(true);
    remembered.set(this.place, item.sample);
    const { key, split } = this.openSample.detail.sample;
    const reason = [sharedWords(this.openSample.detail, this.session.author), item.reason, split && `split ${split}`].filter(Boolean).join(" · ");
    const number = `${grouped(position + 1)} of ${grouped(this.queue.total)}`;
    // A key can be a number too: the two must look different.
    fill(at("place"), make("b", {}, number), " · sample ", make("span", { class: "key" }, key), " ",
      make("span", { class: "muted" }, reason));
    document.title = `${number} · assay review`;
    const { note, held_by: holder } = this.openSample.detail;
    this.say(holder ? `${holder} also has this sample open.` : note ? `Note: ${note}` : this.hint());
    this.lasting = at("spoken").textContent;
    if (!this.openSample.conflicts && ["conflict", "versions", "done"].includes(this.sideShows)) this.showSide(null);
    showVersions(this);
    const next = this.queue.items.get(position + 1);
    if (next) fetchAhead(next.sample).catch(() => {});
    return true;
  }

  /// Returns the instructions, once per page.
  hint() {
    if (this.isHinted) return "";
    this.isHinted = true;
    return hintWords(this);
  }

  // ---- keys and buttons ----

  press(id) {
    return deciding.has(id) && this.isAtEnd && !this.isAway ? this.sayEnd() : this.run(id);
  }

  sayEnd() {
    this.say(`${finishedWords(this.queue)}; key ignored. Ctrl+Z undoes the last decision, J goes back.`);
  }

  async run(id, value) {
    const { openSample, queue } = this;
    switch (id) {
      // Relative to the current destination: pressing a key three times moves by three.
      case "previous": return this.go((this.heading?.position ?? queue.current) - 1);
      case "next": return this.go((this.heading?.position ?? queue.current) + 1);
      case "goTo": return goTo(this);
      case "goOn": return this.setGoOn(value ?? !this.bar.goOn.checked);
      case "help": return this.showSide(this.sideShows === "help" ? null : "help");
      case "answer": return at("state").querySelector("button")?.click();
    }
    if (this.isAway) return this.notYet();
    switch (id) {
      case "compare": return openSample.compare();
      case "keepSeen": return openSample.keepSeen();
      case "keepBoth": return openSample.keepBoth();
      case "undo": return this.undo();
      case "redo": return openSample.redo();
      case "sayEmpty": return this.bar.isConfirming ? this.bar.answer(true) : openSample.sayEmpty();
      case "accept": return this.decided("accept", {}, "Accepted.");
      case "unsure": return this.decided("unsure", {}, "Marked as unsure.");
      case "skip": return this.decided("skip", {}, "Skipped.");
      case "bad": return this.decided("bad", {}, "Bad image: excluded.");
      case "take": return take(this);
      case "reject": return reject(this);
      case "note": return note(this);
    }
  }

  /// Saves a decision, then opens the next sample if auto-advance is on.
  async decided(kind, body, words, options) {
    this.bar.cancel();
    if (this.isAway || !this.openSample.decide(kind, body, options)) return;
    this.trail.add(this.queue.current, this.openSample.visit.sample);
    this.say(words);
    await this.goOn(words);
  }

  /// No decision is accepted until the next image is shown: nobody has seen that image.
  async goOn(words) {
    if (!this.bar.goOn.checked) return;
    this.isGoingOn = true;
    try {
      const { current } = this.queue;
      const next = await this.queue.nextLeft(current, (id) => this.outbox.isDecided(id)).catch(() => undefined);
      if (next === undefined) return this.say(`${words} The server does not respond: this is kept, and L opens the next sample once it is back.`, true);
      if (next === null) return void finished(this, words);
      if (!(await this.go(next))) return;
      if (!this.queue.items.get(current)?.conflicts) return this.say(words);
      this.say(`Conflict at ${grouped(current + 1)}: both versions are kept.`, true);
    } finally {
      this.isGoingOn = false;
    }
  }

  /// If there is nothing to undo here, one step goes back to the sample decided before, also after a reload.
  async undo() {
    const { openSample } = this;
    if (this.mode.canvas?.isDrawing) return this.mode.canvas.undo();
    this.isAtEnd = false;
    const { lastDone, sample } = openSample.visit;
    const before = lastDone || openSample.question ? null : this.trail.back(sample);
    if (!before) return openSample.undo();
    if (!(await this.go(before.position, before.sample))) return;
    this.say(`Back at ${grouped(before.position + 1)}. Undo again (Ctrl+Z) to undo the decision.`);
  }

  /// A number key after the last sample is meant for a next sample, but there is none.
  async label(category, isKey = false) {
    if (this.isAway) return this.notYet();
    if (isKey && this.isAtEnd) return this.sayEnd();
    if (!isKey) this.isAtEnd = false;
    // A set of labels is complete only when the person accepts it.
    if (this.isSet) return void this.openSample.toggle(category);
    if (!this.openSample.label(category)) return;
    this.trail.add(this.queue.current, this.openSample.visit.sample);
    await this.goOn(`Labeled ${category}.`);
  }

  setGoOn(isOn) {
    this.bar.goOn.checked = isOn;
    remembered.set("go-on", isOn ? "yes" : "no");
    this.say(isOn ? "Auto-advance on." : "Auto-advance off.");
  }

  // ---- display ----

  showSide(name, view = null) {
    const side = at("side");
    this.sideShows = name;
    side.hidden = name === null;
    document.body.dataset.side = name ?? "";
    const close = () => this.showSide(null);
    const { openSample, session } = this;
    if (name === "help") {
      view = helpView({ canvas: this.mode.canvas, categories: session.categories, labelKeys, onclose: close });
    } else if (name === "conflict") {
      view = conflictView({
        state: openSample.state, image: openSample.image, author: session.author, onlater: close,
        compare: () => openSample.compare(), keepSeen: () => openSample.keepSeen(), keepBoth: () => openSample.keepBoth(),
        keep: (conflict, version) => openSample.keep(conflict, version),
      });
    }
    fill(side, view);
    return true;
  }

  say(words, isProblem = false) {
    const spoken = at("spoken");
    const now = Date.now();
    // A problem is not replaced by automatic messages in the next seconds.
    const stays = !isProblem && now < (this.problemUntil ?? 0);
    if (isProblem) [this.problem, this.problemUntil] = [words, now + 6000];
    const text = stays ? `${this.problem} ${words}`.trim() : words;
    spoken.classList.toggle("problem", isProblem || stays);
    if (spoken.textContent !== text) spoken.textContent = text;
  }

  /// Clears the message about the previous stroke when a new one starts.
  forget() {
    // A person who draws on the last sample works on it again.
    this.isAtEnd = false;
    if (Date.now() >= (this.problemUntil ?? 0) && at("spoken").textContent !== this.lasting) this.say("");
  }

  draw() {
    const { outbox, openSample } = this;
    this.drawLine(lineOf({
      outbox, conflicts: openSample.conflicts, question: openSample.question, sampleProblem: openSample.problem ?? this.team.news,
    }));
    fill(at("notes"), this.team.notice(), ...notesOf(outbox, this.strangers).map((one) => make("span", {}, one)));
  }
}

/// Signs in and starts the page, or shows why it cannot.
async function begin(token) {
  const { session, refused, gone } = await signIn(token);
  if (session) return openPage(session, async (opened) => new App(opened, await openStore(opened.ledger)).start());
  const state = at("state");
  state.dataset.kind = "unsaved";
  if (gone) {
    state.textContent = "server gone";
    fill(at("picture"), goneView());
    const wait = setInterval(async () => {
      const isThere = await fetchSession().then(() => true, (error) => [401, 409].includes(error.status));
      if (!isThere) return;
      clearInterval(wait);
      begin(token);
    }, 2000);
    return;
  }
  state.textContent = "not signed in";
  const waiting = (await strangers(null)).reduce((sum, one) => sum + one.count, 0);
  fill(at("picture"), signInView({
    refused: token ? refused?.message : null, onlink: begin,
    kept: waiting ? `${count(waiting, "unsaved change", "unsaved changes")} in this browser, sent after you sign in.` : null,
  }));
  window.addEventListener("hashchange", () => {
    const again = takeToken();
    if (again) begin(again);
  }, { once: true });
}

begin(takeToken());
