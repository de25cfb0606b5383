// The Live page, `#live`: the camera, what a model sees in it, and the capture of frames.
import { Gone } from "./api.js";
import { button, fill, grouped, make } from "./dom.js";
import { captureFrame, fetchLive, fetchStreamFrame, sendFrame } from "./live-api.js";
import { Camera, NoCamera } from "./live-camera.js";
import { colorOf, drawAnswer, objectWords, percent } from "./live-drawing.js";
import { ModelInputView, Turning } from "./live-input.js";
import { LiveStats, Smoothing } from "./live-stats.js";
import { queuesLink } from "./people.js";
import { signIn, signInView } from "./sign-in.js";

const sizes = [[640, 480], [1280, 720], [1920, 1080], [320, 240]];
const smoothingTime = 400;
const shownClasses = 5;
const shownObjects = 12;
const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));

export class LivePage {
  constructor(session, browse) {
    Object.assign(this, { session, browse });
    this.camera = new Camera();
    this.grabbed = document.createElement("canvas");
    this.stats = new LiveStats();
    this.smoothing = new Smoothing(smoothingTime);
    Object.assign(this, { isPaused: false, isRecording: false, steps: 0, dropped: 0, captured: 0, turn: 0, frame: null });
  }

  async start() {
    document.body.dataset.page = "live";
    document.title = "Live – assay";
    fill(document.body, this.head(), this.body(), this.said);
    this.camera.addEventListener("ended", () => this.stop("The camera went away. Connect it again, then start."));
    document.addEventListener("keydown", (event) => this.key(event));
    window.addEventListener("pagehide", () => this.camera.close());
    try {
      this.live = await fetchLive();
    } catch (error) {
      return this.fail(error);
    }
    const { live } = this;
    fill(this.what, make("b", {}, live.name), ` · ${live.pipeline ? "pipeline" : live.task}`, make("span", { class: "muted" }, ` · ${live.input}`),
      live.second ? make("span", { class: "muted" }, ` · compared with ${live.second}`) : null);
    this.captured = live.captured;
    this.promise.hidden = !live.decision;
    if (live.decision) fill(this.promise, make("h2", {}, "Decision"), make("p", { class: "muted" }, live.decision.promise));
    fill(this.rules, ...this.ruleWords());
    this.tell();
    if (live.stream) for (const one of [this.devices, this.size, this.turning.button]) one.closest("p").hidden = true;
    if (live.task !== "detection") this.scoreRow.hidden = true;
    if (!["classification", "multi-label", "multilabel"].includes(live.task)) this.smoothRow.hidden = true;
    return this.open();
  }

  head() {
    const { session, browse } = this;
    this.what = make("p", { class: "what", id: "live-what" });
    return make("header", { class: "runs-head" }, make("h1", {}, "assay"), make("a", { href: "#browse" }, "Samples"), make("a", { href: "#runs" }, "Runs"),
      make("span", { class: "here", "aria-current": "page" }, "Live"), queuesLink(browse),
      this.what, make("span", { class: "muted author" }, session.author));
  }

  body() {
    this.canvas = make("canvas", { id: "live-picture", width: "640", height: "480", role: "img", "aria-label": "The frame with what the model sees" });
    this.message = make("p", { class: "live-message", role: "status", id: "live-message" }, "Opening the camera…");
    this.again = button("Start", null, () => this.open(), { id: "live-start", hidden: true });
    this.devices = make("select", { id: "live-device", onchange: () => this.open() });
    this.size = make("select", { id: "live-size", onchange: () => this.open() }, ...sizes.map(([width, height], index) => make("option", { value: index }, `${width} × ${height}`)));
    Object.assign(this, { turning: new Turning(), input: new ModelInputView() });
    this.speed = make("input", { id: "live-rate", type: "range", min: "1", max: "30", value: "30", oninput: () => this.rateShown() });
    this.speedWords = make("output", { for: "live-rate" }, "30 a second");
    this.least = make("input", { id: "live-least", type: "range", min: "0", max: "100", value: "30", oninput: () => this.redraw() });
    this.leastWords = make("output", { for: "live-least" }, "30 %");
    this.smooth = make("input", { id: "live-smooth", type: "checkbox", checked: true, onchange: () => this.smoothing.reset() });
    this.answers = make("ol", { class: "plain-list live-answers", id: "live-answers" });
    this.numbers = make("dl", { class: "live-numbers", id: "live-numbers" });
    this.promise = make("section", { id: "live-decision", hidden: true });
    this.rules = make("ul", { class: "plain-list muted", id: "live-rules" });
    this.pause = button("Pause", "Space", () => this.togglePause(), { id: "live-pause", "aria-pressed": "false" });
    this.step = button("Step", ".", () => this.stepOne(), { id: "live-step", disabled: true });
    this.take = button("Capture", "S", () => this.capture(), { id: "live-capture", disabled: true });
    this.record = button("Record", "R", () => this.toggleRecord(), { id: "live-record", "aria-pressed": "false", disabled: true });
    this.count = make("p", { id: "live-count", "aria-live": "polite" });
    this.said = make("div", { class: "alert", role: "alert", hidden: true, id: "live-alert" });
    this.scoreRow = make("p", { class: "live-row" }, make("label", { for: "live-least" }, "Scores from"), this.least, this.leastWords);
    this.smoothRow = make("p", { class: "live-row" }, this.smooth, make("label", { for: "live-smooth" }, "Smooth over 0.4 s"));
    return make("main", { class: "live", tabindex: "-1" },
      make("section", { class: "live-stage", "aria-label": "Camera" }, this.canvas, make("div", { class: "live-over" }, this.message, this.again)),
      make("aside", { class: "live-side", "aria-label": "Answers and settings" },
        make("p", { class: "live-buttons" }, this.pause, this.step, this.take, this.record), this.count,
        make("section", {}, make("h2", {}, "Seen"), this.answers), make("section", {}, make("h2", {}, "Measured"), this.numbers), this.input.element,
        make("section", {}, make("h2", {}, "Camera"),
          make("p", { class: "live-row" }, make("label", { for: "live-device" }, "Camera"), this.devices),
          make("p", { class: "live-row" }, make("label", { for: "live-size" }, "Size"), this.size), this.turning.row,
          make("p", { class: "live-row" }, make("label", { for: "live-rate" }, "At most"), this.speed, this.speedWords), this.scoreRow, this.smoothRow),
        this.promise, make("section", {}, make("h2", {}, "Captured by rule"), this.rules)));
  }

  ruleWords() {
    const { rules, second } = this.live;
    const words = [];
    if (rules.below !== null) words.push(`the best score is below ${percent(rules.below)}`);
    for (const name of rules.classes) words.push(`it shows ${name}`);
    if (rules.doubt) words.push("the decision does not accept it");
    if (second) words.push(`${second} sees other classes`);
    if (words.length === 0) return [make("li", {}, "none; assay live --capture-below, --capture-class and --disagree add rules")];
    return words.map((one) => make("li", {}, one)).concat(make("li", {}, `at most one each ${rules.interval} s`));
  }

  // ---- the camera ----

  async open() {
    this.turn += 1;
    const { turn } = this;
    if (this.live.stream) {
      this.overlay("Waiting for the stream…", false);
      return this.loop(turn);
    }
    this.overlay("Opening the camera…", false);
    try {
      await this.camera.open(this.devices.value || null, sizes[this.size.value]);
    } catch (error) {
      if (turn === this.turn) this.stop(error instanceof NoCamera ? error.message : `The camera cannot be opened: ${error.message}`);
      return;
    }
    if (turn !== this.turn) return;
    const all = await this.camera.devices();
    const own = this.camera.device;
    fill(this.devices, ...all.map((one) => make("option", { value: one.id }, one.label)));
    if (all.some((one) => one.id === own)) this.devices.value = own;
    this.smoothing.reset();
    this.overlay("", false);
    this.loop(turn);
  }

  overlay(words, canStart) {
    this.message.textContent = words;
    this.again.hidden = !canStart;
    this.message.parentElement.hidden = words === "" && !canStart;
  }

  /// Ends the loop, and says why.
  stop(words) {
    this.turn += 1;
    this.camera.close();
    if (this.isRecording) this.toggleRecord();
    this.overlay(words, true);
    for (const one of [this.take, this.record]) one.disabled = true;
  }

  /// Sends one frame at a time: the newest one, when the last one is answered.
  async loop(turn) {
    const abort = new AbortController();
    const isPresent = () => turn === this.turn;
    while (isPresent()) {
      const begin = performance.now();
      if (this.isPaused && this.steps === 0) {
        this.canvas.dataset.state = "paused";
        await new Promise((done) => { this.resume = done; });
        this.canvas.dataset.state = "running";
        continue;
      }
      if (this.steps > 0) this.steps -= 1;
      if (!this.live.stream && !this.camera.isOpen) { await wait(20); continue; }
      try {
        await (this.live.stream ? this.follow(abort.signal, isPresent) : this.exchange(abort.signal, isPresent));
      } catch (error) {
        if (!isPresent()) return;
        if (error instanceof Gone) {
          this.overlay("The server does not respond. Run assay live to start it again; the page goes on then.", false);
          await wait(1000);
          continue;
        }
        return this.fail(error);
      }
      const rest = 1000 / Number(this.speed.value) - (performance.now() - begin);
      // The camera gives no frame faster than the page is drawn.
      await (rest > 1 ? wait(rest) : new Promise((done) => { requestAnimationFrame(done); }));
    }
  }

  async exchange(signal, isPresent) {
    const taken = performance.now();
    const { shown } = this.camera;
    this.camera.grab(this.grabbed, this.turning.quarters);
    const blob = await new Promise((done) => { this.grabbed.toBlob(done, "image/jpeg", 0.9); });
    if (!blob || !isPresent()) return;
    const answer = await sendFrame(blob, signal);
    if (!isPresent()) return;
    // The frames that the camera gave meanwhile, and this one if it was refused.
    this.dropped += Math.max(0, this.camera.shown - shown) + Number(!answer);
    if (!answer) return;
    if (await this.isOther(answer)) return;
    const now = performance.now();
    this.stats.add(now - taken, now);
    this.overlay("", false);
    this.show(answer, now);
    if (answer.captured) this.wasCaptured(answer.captured);
    if (this.isRecording && !answer.captured) await this.capture("recorded");
  }

  /// True if another server answered, one that was started since: it numbers frames anew. If it has another model, the page is loaded again.
  async isOther(answer) {
    if (answer.problem && answer.problem !== this.problem) this.alert(`The captured frames are on disk, and not in the dataset yet: ${answer.problem}`);
    this.problem = answer.problem;
    if (answer.session === this.live.session) return false;
    const live = await fetchLive();
    const facts = ({ name, task, classes, input, stream, decision }) => JSON.stringify([name, task, classes, input, stream, decision]);
    if (facts(live) !== facts(this.live)) {
      this.stop("The server was started again with another model.");
      location.reload();
    }
    Object.assign(this, { live, after: -1, captured: live.captured });
    return true;
  }

  /// Takes the newest frame of the stream that the server reads.
  async follow(signal, isPresent) {
    const answer = await fetchStreamFrame(this.after ?? -1, signal);
    if (!isPresent() || !answer || await this.isOther(answer)) return;
    if (answer.waiting) {
      this.steps += Number(this.isPaused);
      if (answer.ended) this.stop(answer.ended);
      else this.overlay("Waiting for the stream…", false);
      return;
    }
    const { bitmap } = answer;
    this.dropped += answer.missed;
    this.after = answer.stream_frame;
    Object.assign(this.grabbed, { width: bitmap.width, height: bitmap.height });
    this.grabbed.getContext("2d").drawImage(bitmap, 0, 0);
    bitmap.close();
    const now = performance.now();
    this.stats.add(answer.age_ms + now - answer.received, now);
    this.overlay("", false);
    this.show(answer, now);
    if (answer.captured) this.wasCaptured(answer.captured);
    if (this.isRecording && !answer.captured) await this.capture("recorded");
  }

  // ---- what is shown ----

  show(answer, now) {
    this.frame = answer;
    const { canvas, grabbed } = this;
    if (canvas.width !== grabbed.width || canvas.height !== grabbed.height) Object.assign(canvas, { width: grabbed.width, height: grabbed.height });
    this.still ??= document.createElement("canvas");
    Object.assign(this.still, { width: grabbed.width, height: grabbed.height });
    this.still.getContext("2d").drawImage(grabbed, 0, 0);
    if (answer.scores) answer.smoothed = this.smooth.checked ? this.smoothing.add(answer.scores, now) : answer.scores;
    this.redraw();
    this.tell(now);
    for (const one of [this.take, this.record]) one.disabled = false;
  }

  redraw() {
    this.leastWords.textContent = `${this.least.value} %`;
    const { frame, live } = this;
    if (!frame) return;
    const least = Number(this.least.value) / 100;
    const context = this.canvas.getContext("2d");
    context.drawImage(this.still, 0, 0);
    this.input.show(this.still, frame.seen);
    drawAnswer(context, frame, live.classes, least);
    fill(this.answers, ...this.answerRows(frame, least));
  }

  answerRows(frame, least) {
    const { classes } = this.live;
    const row = (color, words, share) => make("li", {}, make("span", { class: "swatch", "data-color": color }), make("span", { class: "name" }, words),
      share === null ? null : make("meter", { min: "0", max: "1", value: share, "aria-label": words }), share === null ? null : make("span", { class: "share" }, percent(share)));
    let rows;
    if (frame.smoothed) {
      rows = frame.smoothed.map((score, index) => [score, index]).sort((a, b) => b[0] - a[0]).slice(0, shownClasses)
        .map(([score, index]) => row(colorOf(index), (classes[index] ?? String(index)) + (frame.accepted?.includes(index) ? " ✓ accepted" : ""), score));
      if (frame.accepted?.length === 0) rows.unshift(make("li", { class: "live-unsure" }, "Not sure: nothing is accepted"));
    } else if (frame.objects) {
      const seen = frame.objects.filter((one) => one.score >= least);
      rows = seen.slice(0, shownObjects).map((one) => {
        const reason = one.accepted === false ? "not accepted" : one.attributes?.reason;
        return row(colorOf(one.class), objectWords(one, classes).replace(/ \d+ %$/, "") + (reason ? ` (${reason})` : ""), one.attributes?.score ?? one.score);
      });
      if (seen.length > shownObjects) rows.push(make("li", { class: "muted" }, `and ${grouped(seen.length - shownObjects)} more`));
      if (rows.length === 0) rows = [make("li", { class: "muted" }, "nothing with this score")];
    } else if (frame.masks) {
      const area = frame.width * frame.height;
      rows = frame.masks.filter((one) => one.runs).map((one) => row(colorOf(one.class), classes[one.class], one.runs.reduce((sum, length, index) => sum + (index % 2 ? length : 0), 0) / area));
      if (rows.length === 0) rows = [make("li", { class: "muted" }, "nothing")];
    } else rows = [row(colorOf(frame.label), classes[frame.label] ?? "–", null)];
    for (const one of rows) {
      const swatch = one.querySelector(".swatch");
      // The policy of the page allows no style attributes.
      if (swatch) swatch.style.setProperty("background", swatch.dataset.color);
    }
    return rows;
  }

  tell(now = performance.now()) {
    const { stats, frame } = this;
    const ms = (value) => (value === null || value === undefined ? "–" : `${Math.round(value)} ms`);
    const rate = stats.rate(now);
    const rows = [
      ["Shown", rate === null ? "–" : `${rate.toFixed(1)} frames a second`],
      [`${this.live?.stream ? "Stream" : "Camera"} to picture`, `${ms(stats.quantile(0.5))}, 95 % within ${ms(stats.quantile(0.95))}`],
      ["Model", ms(frame?.model_ms)],
      ["Frame", frame ? `${grouped(frame.frame)} · ${frame.width} × ${frame.height}` : "–"],
      ["Dropped", grouped(this.dropped)],
    ];
    fill(this.numbers, ...rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
    this.countShown();
  }

  countShown() {
    const { live, captured } = this;
    if (!live) return;
    fill(this.count, captured === 0 ? "Nothing captured yet" : `${grouped(captured)} captured into `,
      captured === 0 ? null : make("a", { href: `#browse?view=${encodeURIComponent(live.dataset)}` }, live.dataset),
      this.last ? make("span", { class: "muted" }, ` · ${this.last}`) : null);
  }

  // ---- keys ----

  rateShown() { this.speedWords.textContent = `${this.speed.value} a second`; }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, input[type=text]")) return;
    const known = { " ": () => this.togglePause(), ".": () => this.stepOne(), s: () => this.capture(), r: () => this.toggleRecord(), t: () => this.live?.stream || this.turning.next() };
    const action = known[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    // The space bar presses the button that has the focus.
    if (!action || (event.key === " " && event.target.matches("button, input, a"))) return;
    event.preventDefault();
    action();
  }

  togglePause() {
    this.isPaused = !this.isPaused;
    this.pause.setAttribute("aria-pressed", String(this.isPaused));
    this.pause.querySelector(".label").textContent = this.isPaused ? "Go on" : "Pause";
    this.step.disabled = !this.isPaused;
    this.resume?.();
  }

  stepOne() {
    if (!this.isPaused) return;
    this.steps += 1;
    this.resume?.();
  }

  toggleRecord() {
    if (this.record.disabled && !this.isRecording) return;
    this.isRecording = !this.isRecording;
    this.record.setAttribute("aria-pressed", String(this.isRecording));
    this.record.querySelector(".label").textContent = this.isRecording ? "Stop recording" : "Record";
  }

  // ---- capture ----

  async capture(reason = "by hand") {
    const { frame } = this;
    if (!frame) return;
    try {
      this.wasCaptured(await captureFrame(frame.frame, reason, frame.session));
    } catch (error) {
      if (this.isRecording) this.toggleRecord();
      this.alert(error instanceof Gone ? "The server does not respond; the frame was not captured." : error.message);
    }
  }

  wasCaptured({ key, reason, count, again }) {
    if (!again) this.captured = count;
    this.last = again ? `${key} was captured before` : `${key}: ${reason}`;
    this.countShown();
  }

  alert(words) {
    this.said.hidden = false;
    fill(this.said, make("span", {}, words), make("button", { type: "button", onclick: () => { this.said.hidden = true; } }, "Close"));
  }

  fail(error) {
    this.stop(error.message);
    if (error.status !== 401) return;
    fill(document.body, signInView({
      refused: error.message, author: this.session.author, onlink: async (token) => {
        const { session } = await signIn(token);
        if (session) location.reload();
      },
    }));
  }
}
