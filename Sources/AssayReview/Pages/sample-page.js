// The page of one sample: its image with all marks, the list beside it, and the way to its neighbors in the grid.
import { Gone } from "./api.js";
import { fetchDetail } from "./browse-api.js";
import { detailsView } from "./sample-details.js";
import { fill, grouped, make } from "./dom.js";
import { sourceButtons } from "./look-panel.js";
import { isShown, numberedColor, sourcesOf } from "./mark-style.js";
import { panesOf } from "./sample-panes.js";
import { SamplePicture } from "./sample-picture.js";

const mostKept = 8;

/// Returns what is said where a query counts at other thresholds than the results that are drawn; null for none.
function otherThresholds(where) {
  const asked = /run\([^()"]*(?:"[^"]*"[^()"]*)*,\s*(?:iou|score)\s*:[^()]*\)/.exec(where ?? "")?.[0];
  return asked ? make("p", { class: "muted", role: "note" }, `The query counts with ${asked}. The results here are those of the evaluation, at its own `
    + "IoU and score, and can differ.") : null;
}

/// Events: `go` with `detail.position`, `close`, `look` and `change` with members of the state.
export class SamplePage extends EventTarget {
  /// `correct`: the button that opens the sample in the editor, or null; `queues`: the link to the queues, or null.
  constructor(host, { pages, correct = null, queues = null }) {
    super();
    this.host = host;
    this.pages = pages;
    this.links = [correct, queues];
    this.picture = new SamplePicture();
    this.details = new Map();
    this.key = null;
    this.title = null;
    this.build();
    this.listen();
  }

  get isOpen() {
    return this.key !== null;
  }

  build() {
    const tool = (label, name, key, run) => make("button", {
      type: "button", class: "icon", "aria-label": name, title: `${name} (${key})`, onclick: run,
    }, label);
    this.previous = tool("←", "Previous sample", "←", () => this.step(-1));
    this.next = tool("→", "Next sample", "→", () => this.step(1));
    this.name = make("h2", { id: "sample-name" });
    this.number = make("p", { class: "muted number" });
    this.sign = make("p", { class: "sign", hidden: true });
    this.percent = make("output", { class: "percent" });
    const slider = (id, label) => {
      const field = make("input", { id, type: "range", min: "20", max: "300", step: "5", value: "100", oninput: () => this.adjust() });
      return [make("label", { for: id }, label), field];
    };
    this.brightness = slider("brightness", "Brightness");
    this.contrast = slider("contrast", "Contrast");
    this.reset = make("button", {
      type: "button", hidden: true, onclick: () => {
        this.brightness[1].value = this.contrast[1].value = 100;
        this.adjust();
        this.picture.stage.focus();
      },
    }, "Reset");
    this.sources = make("div", { class: "sources", role: "group", "aria-label": "Sources" });
    this.beside = make("button", {
      type: "button", "aria-pressed": "false", title: "One image for each run, with one zoom (s)", onclick: () => this.toggleBeside(),
    }, "Side by side");
    this.aside = make("aside", { class: "sample-side", "aria-label": "Annotations and predictions", tabindex: "-1" });
    this.problem = make("div", { class: "alert", role: "alert", hidden: true });
    this.element = make("section", { class: "sample-page", role: "dialog", "aria-modal": "true", "aria-labelledby": "sample-name", hidden: true },
      make("header", {}, make("div", { class: "steps" }, this.previous, this.next), make("div", { class: "title" }, this.name, this.sign, this.number), ...this.links,
        tool("×", "Close", "Esc", () => this.dispatchEvent(new Event("close")))),
      make("div", { class: "picture-tools", role: "group", "aria-label": "Image" },
        make("div", { class: "zooming" }, tool("−", "Zoom out", "−", () => this.picture.zoom(-1)), this.percent,
          tool("+", "Zoom in", "+", () => this.picture.zoom(1)), tool("Fit", "Fit the image", "0", () => this.picture.fit()),
          tool("1:1", "Actual pixels", "1", () => this.picture.actual())),
        this.sources, this.beside, make("div", { class: "adjusting" }, ...this.brightness, ...this.contrast, this.reset)),
      this.problem, this.picture.stage, this.aside);
    this.host.append(this.element);
  }

  listen() {
    const { picture, element } = this;
    picture.addEventListener("zoom", () => {
      // Before the size of the first image is known there is no scale.
      if (!picture.hasSize) return;
      const percent = picture.viewport.scale * (picture.ratio ?? 1) * 100;
      this.percent.textContent = `${percent < 10 ? percent.toFixed(1) : Math.round(percent)} %`;
    });
    picture.addEventListener("hover", ({ detail }) => this.point(detail.mark, true));
    element.addEventListener("keydown", (event) => this.pressed(event));
  }

  /// Opens the sample of the state, or shows it with another look. `position`: its place in the grid, or null.
  show(state, { position, hasTruth, skeletons = {} }) {
    Object.assign(this, { hasTruth, skeletons });
    const runs = JSON.stringify([state.runs, state.isCorrected]);
    const isOther = this.key !== state.sample || this.runs !== runs;
    this.state = state;
    this.position = position;
    const wasOpen = this.isOpen;
    // Somebody may have corrected a sample since it was shown.
    if (!wasOpen) this.details.clear();
    this.element.hidden = false;
    this.key = state.sample;
    this.runs = runs;
    const sourceKey = JSON.stringify([state.runs, state.hidden, hasTruth]);
    if (sourceKey !== this.sourceKey) {
      const focused = document.activeElement?.dataset?.source;
      fill(this.sources, ...sourceButtons(state, hasTruth, (members) => this.dispatchEvent(new CustomEvent("look", { detail: members }))));
      if (focused) this.sources.querySelector(`[data-source="${CSS.escape(focused)}"]`)?.focus();
      this.sourceKey = sourceKey;
    }
    this.headline();
    this.beside.setAttribute("aria-pressed", String(state.beside));
    if (!wasOpen) {
      this.picture.resize();
      this.picture.stage.focus();
    }
    if (isOther) this.load();
    else if (this.detail) this.draw();
  }

  close() {
    this.element.hidden = true;
    this.key = null;
    this.detail = null;
    this.stop?.abort();
    this.picture.close();
  }

  headline() {
    const { position, pages } = this;
    const key = this.detail?.key ?? (position === null ? "" : pages.item(position)?.key) ?? "";
    this.name.textContent = key || "Sample";
    this.number.textContent = position === null ? "" : `${grouped(position + 1)} of ${grouped(pages.total)}`;
    this.previous.disabled = position === null || position <= 0;
    this.next.disabled = position === null || position >= pages.total - 1;
    this.title = key;
    const signs = [this.detail?.corrected ? "corrected" : null, typeof this.detail?.left_out === "string" ? "left out" : null].filter(Boolean);
    this.sign.hidden = signs.length === 0;
    this.sign.textContent = signs.join(", ");
    this.picture.stage.setAttribute("aria-label", `Image ${key}. Plus and minus zoom, 0 fits, 1 shows actual pixels, arrow keys go to the neighbors.`);
  }

  async load() {
    this.stop?.abort();
    const stop = new AbortController();
    this.stop = stop;
    this.detail = null;
    this.problem.hidden = true;
    this.aside.setAttribute("aria-busy", "true");
    if (!this.aside.hasChildNodes()) fill(this.aside, make("p", { class: "muted" }, "Loading…"));
    const { key } = this;
    try {
      const detail = await this.fetched(key, this.state, stop.signal);
      if (stop.signal.aborted || key !== this.key) return;
      this.detail = detail;
      this.headline();
      const opening = this.picture.open(detail);
      this.draw();
      await opening.catch(() => {
        throw new Error(`The image of ${detail.key} cannot be loaded. If the file was moved, run assay relink.`);
      });
      // A size that the detail does not have is known now.
      if (!stop.signal.aborted && !(detail.width && detail.height)) this.draw();
      this.fetchNeighbors();
    } catch (error) {
      if (stop.signal.aborted || key !== this.key) return;
      this.fail(error);
    } finally {
      if (this.stop === stop) this.aside.removeAttribute("aria-busy");
    }
  }

  /// Fetches what is known about the open sample again; its image stays.
  async refetch() {
    const { key } = this;
    const detail = await this.fetched(key, this.state);
    if (key !== this.key) return;
    this.detail = detail;
    this.headline();
    this.draw();
  }

  fail(error) {
    const words = error instanceof Gone ? "The server does not respond. If it has stopped, start it again with assay open." : error.message;
    this.problem.hidden = false;
    fill(this.problem, make("span", {}, words), make("button", { type: "button", onclick: () => this.load() }, "Try again"));
  }

  /// Returns a sample's details; those of the neighbors are fetched before they are needed.
  async fetched(id, { runs, isCorrected }, signal) {
    const name = JSON.stringify([id, runs, isCorrected]);
    const kept = this.details.get(name);
    if (kept) return kept;
    const detail = await fetchDetail(id, { runs, isCorrected }, signal);
    this.details.set(name, detail);
    while (this.details.size > mostKept) this.details.delete(this.details.keys().next().value);
    return detail;
  }

  fetchNeighbors() {
    const { position, pages, state, stop } = this;
    if (position === null) return;
    for (const place of [position + 1, position - 1]) {
      const item = pages.item(place);
      if (!item) continue;
      this.fetched(String(item.id), state, stop.signal).then((detail) => this.picture.fetchAhead(detail.image), () => {});
    }
  }

  // ---- display ----

  /// Draws the marks and the list. Each object has its own color; a match has the one of its ground truth.
  draw() {
    const { detail, state } = this;
    const colors = new Map();
    const groups = [];
    const shown = [];
    let number = 0;
    for (const source of sourcesOf(state.runs)) {
      if (state.hidden.includes(source.name) || (source.isTruth && !this.hasTruth)) continue;
      const own = source.isTruth ? detail.truth : detail.runs?.find((run) => run.name === source.run)?.marks;
      const all = [...(own?.regions ?? []), ...(own?.objects ?? [])];
      const marks = [];
      for (const mark of all) {
        const name = own.regions?.includes(mark) ? `class ${mark.class}` : source.isTruth ? mark.id : mark.match ?? `${source.name} ${mark.id}`;
        if (!colors.has(name)) colors.set(name, numberedColor(number++));
        if (!isShown(mark, state)) continue;
        const one = { mark, source, color: colors.get(name), ink: "#000", dash: source.dash, isRegion: !mark.box, isFilled: source.isTruth, edges: this.skeletons[mark.class]?.edges };
        marks.push(one);
        shown.push(one);
      }
      groups.push({ source, own, marks, hiddenCount: all.length - marks.length });
    }
    this.shown = shown;
    const panes = panesOf(groups);
    this.beside.hidden = panes.length < 2;
    this.beside.setAttribute("aria-pressed", String(state.beside));
    this.picture.setPanes(state.beside && panes.length > 1 ? panes : [{ title: null, shown }], state.off);
    const top = this.aside.scrollTop;
    const { view, rows } = detailsView(detail, groups, {
      point: (mark) => this.point(mark, false),
      choose: (mark) => this.picture.showMark(mark), tags: this.tags?.show(detail), fields: this.fields?.show(detail),
      change: (members) => this.dispatchEvent(new CustomEvent("change", { detail: members })),
    });
    this.rows = rows;
    const focused = this.aside.contains(document.activeElement) ? document.activeElement : null;
    fill(this.aside, otherThresholds(this.state.where), view);
    if (focused?.isConnected) focused.focus({ preventScroll: true });
    if (document.activeElement === document.body) this.picture.stage.focus({ preventScroll: true });
    this.aside.scrollTop = top;
  }

  /// Highlights a mark, and the one it is matched with, in the image and in the list.
  point(mark, isFromPicture) {
    const marks = mark ? new Set([mark]) : null;
    if (mark) {
      for (const one of this.shown) {
        if ((mark.match && one.mark.id === mark.match && one.source.isTruth) || (one.mark.match && one.mark.match === mark.id)) marks.add(one.mark);
      }
    }
    this.picture.emphasize(marks);
    for (const [one, row] of this.rows ?? []) row.classList.toggle("hot", Boolean(marks?.has(one)));
    if (mark && isFromPicture) this.rows?.get(mark)?.scrollIntoView({ block: "nearest" });
  }

  adjust() {
    const [brightness, contrast] = [this.brightness[1].valueAsNumber, this.contrast[1].valueAsNumber];
    this.picture.adjust(brightness, contrast);
    this.reset.hidden = brightness === 100 && contrast === 100;
  }

  // ---- keys ----

  toggleBeside() {
    if (!this.beside.hidden) this.dispatchEvent(new CustomEvent("look", { detail: { beside: !this.state.beside } }));
  }

  step(direction) {
    if (this.position === null) return;
    const position = this.position + direction;
    if (position < 0 || position >= this.pages.total) return;
    this.dispatchEvent(new CustomEvent("go", { detail: { position } }));
  }

  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const isSlider = event.target.matches?.("input");
    const { picture } = this;
    const actions = {
      Escape: () => this.dispatchEvent(new Event("close")),
      "+": () => picture.zoom(1), "=": () => picture.zoom(1), "-": () => picture.zoom(-1),
      s: () => this.toggleBeside(), t: () => this.tags?.open(), f: () => this.fields?.open(), 0: () => picture.fit(), 1: () => picture.actual(),
    };
    if (!isSlider) {
      actions.ArrowLeft = () => this.step(-1);
      actions.ArrowRight = () => this.step(1);
      const rows = [...(this.rows?.values() ?? [])];
      const at = rows.indexOf(document.activeElement);
      if (at >= 0) {
        actions.ArrowUp = () => rows[Math.max(at - 1, 0)].focus();
        actions.ArrowDown = () => rows[Math.min(at + 1, rows.length - 1)].focus();
      }
    }
    if (event.key === "Tab") return this.trap(event);
    const run = actions[event.key];
    if (!run) return;
    event.preventDefault();
    event.stopPropagation();
    run();
  }

  /// The focus stays in the dialog.
  trap(event) {
    const all = [...this.element.querySelectorAll("a, button, input, [tabindex='0']")].filter((one) => !one.disabled && one.getClientRects().length > 0);
    const edge = event.shiftKey ? all[0] : all.at(-1);
    if (document.activeElement !== edge) return;
    event.preventDefault();
    (event.shiftKey ? all.at(-1) : all[0]).focus();
  }
}
