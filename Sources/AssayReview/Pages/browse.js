// The browse page: its parts, and the state that they share. Each change of the state is one of the address, too.
import { Refusal } from "./api.js";
import { expressionProblem, fetchItems } from "./browse-api.js";
import { classesOf, datasetOf } from "./browse-datasets.js";
import { hashOf, isSameLook, isSameSelection, readState } from "./browse-state.js";
import { BrowseTagging } from "./browse-tagging.js";
import { BrowseToolbar } from "./browse-toolbar.js";
import { hasTruth, loadingView, noDataView, noMatchView, noResultsNote, noTruthNote, problemView, reasonOf, unknownRunsNote } from "./browse-messages.js";
import { Facets, countFacets } from "./facets.js";
import { correctButton } from "./correct.js";
import { fill, grouped, make, remembered } from "./dom.js";
import { Grid } from "./grid.js";
import { ItemPages, pageLength } from "./item-pages.js";
import { MarkCache } from "./mark-cache.js";
import { queuesLink } from "./people.js";
import { QueryBar } from "./query-bar.js";
import { SamplePage } from "./sample-page.js";
import { runsHash } from "./runs-hash.js";
import { signIn, signInView, takeLink } from "./sign-in.js";

const placeDelay = 400;

export class BrowsePage {
  constructor(session, browse) {
    this.session = session;
    this.browse = browse;
    Object.assign(this, { pages: new ItemPages(), marks: new MarkCache(), state: null, turn: 0 });
  }

  start() {
    document.body.dataset.page = "browse";
    document.title = "assay";
    if (this.browse.datasets.length === 0) return fill(document.body, make("main", { class: "empty" }, noDataView()));
    this.build();
    this.listen();
    this.adopt(readState(location.hash, this.startState()), "replace");
  }

  /// The state of an address without a hash.
  startState() {
    const { start, datasets, runs } = this.browse;
    const view = start?.view ?? datasets[0].name;
    return { view, where: start?.where ?? "", isCorrected: Boolean(start?.corrected), runs: start?.runs ?? runs.filter((run) => run.dataset === view).slice(0, 1).map((run) => run.name) };
  }

  build() {
    const { session, browse } = this;
    this.view = make("select", { id: "view", "aria-label": "View", onchange: () => this.openView(this.view.value) });
    this.fillViews();
    const query = make("div", { class: "query-place" });
    this.filters = make("button", {
      type: "button", class: "filters", "aria-expanded": "false", "aria-controls": "facets", onclick: () => this.toggleFacets(),
    }, "Filters");
    this.head = make("header", { class: "browse-head" }, make("h1", {}, "assay"), this.view, query,
      browse.runs.length > 0 ? make("a", { class: "review-link", id: "to-runs", href: "#runs" }, "Runs") : null,
      browse.live ? make("a", { class: "review-link", id: "to-live", href: "#live" }, "Live") : null,
      queuesLink(browse),
      make("span", { class: "muted author" }, session.author));
    this.toolbarPlace = make("section", { class: "browse-tools", "aria-label": "Order and look", inert: true });
    this.facetPlace = make("aside", { id: "facets", "aria-label": "Facets" });
    this.note = make("div", { class: "note", role: "note", hidden: true });
    this.message = make("div", { class: "message", hidden: true });
    this.gridPlace = make("main", { class: "grid", "aria-label": "Samples" }, this.message);
    this.samplePlace = make("div", { class: "sample-place" });
    this.heard = make("p", { class: "unseen", "aria-live": "polite" });
    this.alert = make("div", { class: "alert", role: "alert", hidden: true });
    fill(document.body, this.head, this.toolbarPlace, this.facetPlace,
      make("div", { class: "grid-place" }, this.note, this.gridPlace), this.alert, this.samplePlace, this.heard);
    this.bar = new QueryBar(query);
    this.facets = new Facets(this.facetPlace);
    this.grid = new Grid(this.gridPlace, { pages: this.pages, marks: this.marks });
    const correct = correctButton({ query: () => this.state, key: () => this.sample.detail?.key ?? null });
    this.sample = new SamplePage(this.samplePlace, { pages: this.pages, correct, queues: queuesLink(browse) });
    this.toolbar = new BrowseToolbar(this.toolbarPlace, {
      state: () => this.state, change: (members, how) => this.change(members, how), page: this,
    });
    this.tagging = new BrowseTagging(this);
    this.facetPlace.hidden = remembered.get("facets-hidden") === "yes" || window.innerWidth < 800;
    this.filters.setAttribute("aria-expanded", String(!this.facetPlace.hidden));
  }

  fillViews() {
    const { datasets, views } = this.browse;
    const option = (value, label) => make("option", { value }, label);
    fill(this.view,
      make("optgroup", { label: "Datasets" }, ...datasets.flatMap((one) => [
        option(one.name, `${one.name} (${grouped(one.samples)})`),
        ...(one.parts ?? []).map((part) => option(`${one.name}/${part}`, `${one.name}/${part}`)),
      ])),
      views.length ? make("optgroup", { label: "Saved views" }, ...views.map((one) => option(one.name, one.name))) : null);
  }

  listen() {
    const { bar, facets, grid, pages, marks, sample } = this;
    for (const event of ["hashchange", "popstate"]) window.addEventListener(event, () => this.navigated());
    matchMedia("(max-width: 799px)").addEventListener("change", ({ matches: isNarrow }) =>
      this.facetPlace.hidden !== isNarrow && (isNarrow || remembered.get("facets-hidden") !== "yes") && this.toggleFacets());
    bar.addEventListener("apply", ({ detail }) => this.change({ where: detail.where, at: 0 }));
    facets.addEventListener("where", ({ detail }) => this.change({ where: detail.where, at: 0 }));
    facets.addEventListener("retry", () => this.loadFacets());
    grid.addEventListener("open", ({ detail }) => this.openSample(detail.position));
    grid.addEventListener("current", ({ detail }) => this.keepPlace(detail.position));
    grid.addEventListener("scroll", () => this.keepPlace(grid.place));
    grid.addEventListener("layout", () => this.state && this.marks.configure(this.state, Math.max(grid.layout.size, grid.layout.tall)));
    marks.addEventListener("marks", () => this.showNote());
    for (const source of [pages, marks]) source.addEventListener("problem", ({ detail }) => this.fail(detail.error));
    sample.addEventListener("go", ({ detail }) => this.openSample(detail.position, "replace"));
    sample.addEventListener("close", () => this.change({ sample: null }));
    sample.addEventListener("change", ({ detail }) => this.change(detail));
    sample.addEventListener("look", ({ detail }) => this.change(detail, "replace"));
    document.addEventListener("keydown", (event) => this.key(event));
  }

  // ---- the state ----

  /// The hash was changed by back, forward, or by hand.
  navigated() {
    if (takeLink()) return undefined;
    if (location.hash === this.hash) return undefined;
    return this.adopt(readState(location.hash, this.startState()), null);
  }

  change(members, how = "push") {
    return this.adopt({ ...this.state, ...members }, how);
  }

  /// Makes a state the page's. `how`: "push" and "replace" change the address; null: it is the address's already.
  async adopt({ isUnshown: _, ...next }, how) {
    const before = this.state?.isUnshown ? null : this.state;
    if (!before || !isSameSelection(before, next)) {
      if (!(await this.select(next, how))) return;
    }
    this.state = next;
    this.hash = hashOf(next);
    if (how === "push" && location.hash !== this.hash) history.pushState(null, "", this.hash);
    else if (how === "replace") history.replaceState(null, "", this.hash);
    this.show(before, next);
  }

  /// Fetches the first samples of a selection; false if that failed or another one came in between.
  async select(next, how) {
    const turn = ++this.turn;
    this.stop?.abort();
    this.stop = new AbortController();
    this.gridPlace.setAttribute("aria-busy", "true");
    if (!this.state || this.state.isUnshown) this.say(loadingView());
    try {
      const from = Math.floor(next.at / pageLength) * pageLength;
      let first = await fetchItems(next, from, pageLength, this.stop.signal);
      if (first.items.length === 0 && first.total > 0) first = await fetchItems(next, 0, pageLength, this.stop.signal);
      if (turn !== this.turn) return false;
      const { view, where, isCorrected, sort, descending, seed } = next;
      this.pages.open({ view, where, isCorrected, sort, descending, seed }, first);
      return true;
    } catch (error) {
      if (turn === this.turn) this.refuse(error, next, how);
      return false;
    } finally {
      if (turn === this.turn) this.gridPlace.removeAttribute("aria-busy");
    }
  }

  /// Fetches the samples of the query again, because its result may have changed.
  async reselect() {
    if (await this.select(this.state)) this.show(null, this.state);
  }

  /// Shows why a selection cannot be shown. The one before it stays, if there is one.
  refuse(error, next, how) {
    const problem = expressionProblem(error);
    const isFirst = !this.state || this.state.isUnshown;
    // An order that cannot be made leaves the samples as they are, or in the dataset's order.
    if (problem?.expression && problem.expression === next.sort) {
      const shown = isFirst || how === null ? this.adopt({ ...next, sort: "", descending: false }, "replace") : Promise.resolve();
      return shown.then(() => this.toolbar.refuseSort(problem));
    }
    // What the address says cannot be shown: nothing else is shown under it.
    if (how === null && !isFirst) return location.reload();
    // A view can be chosen and the query corrected although nothing is shown yet.
    if (isFirst) {
      this.state = { ...next, isUnshown: true };
      this.view.value = next.view;
    }
    if (problem) {
      this.bar.subject = next;
      this.bar.field.value = next.where;
      this.bar.refresh();
      this.bar.show(problem);
      this.bar.goToProblem();
      if (isFirst) this.say(problemView("The query is invalid", "Correct it above and press Enter, or clear it."));
      return;
    }
    if (this.isSignedOut(error)) return;
    if (!isFirst) return this.alarm(error, () => this.adopt(next, "push"));
    this.say(problemView("The samples cannot be loaded", reasonOf(error), () => this.adopt(next, "replace")));
  }

  show(before, next) {
    const { grid, bar, toolbar, browse } = this;
    const isNew = !before || !isSameSelection(before, next);
    const dataset = this.dataset;
    bar.set(next.where, next);
    if (this.view.value !== next.view) this.view.value = next.view;
    if (isNew) {
      this.alert.hidden = true;
      this.marks.clear();
      const { total } = this.pages;
      if (total === 0) this.say(next.where ? noMatchView(() => this.change({ where: "" })) : noDataView(next.view));
      else this.say(null);
    }
    if (grid.layout) this.marks.configure(next, Math.max(grid.layout.size, grid.layout.tall));
    if (isNew || !isSameLook(before, next)) grid.setLook(next, this.classes, dataset?.skeletons);
    grid.setSize(next.size);
    if (isNew) {
      grid.open(next.at);
      this.tagging.show(next);
    }
    const runs = browse.runs.filter((run) => run.dataset === dataset?.name);
    this.showNote();
    const link = document.getElementById("to-runs");
    if (link) link.href = runsHash({ run: next.runs[0] ?? null, with: next.runs[1] ?? null });
    toolbar.show({ found: this.pages, runs, classes: this.classes, hasTruth: this.hasTruth });
    if (isNew || before.runs.join() !== next.runs.join()) this.loadFacets();
    if (isNew) this.heard.textContent = `${grouped(this.pages.total)} of ${grouped(this.pages.of)} samples`;
    this.showSample(next);
    document.title = next.sample === null ? `${next.view} · assay` : `${this.sample.title || next.view} · assay`;
  }

  /// Says above the grid what cannot be drawn, and the next step.
  showNote() {
    const { browse, dataset, marks, state } = this;
    const runs = browse.runs.filter((run) => run.dataset === dataset?.name);
    const note = unknownRunsNote(state.runs, browse.runs, dataset) ?? noTruthNote(dataset, runs, state.runs)
      ?? noResultsNote(state.runs.map((run) => marks.problems.get(run)).filter(Boolean));
    this.note.hidden = !note;
    fill(this.note, note);
  }

  /// The dataset of the view.
  get dataset() {
    return datasetOf(this.browse, this.state.view);
  }

  get classes() {
    return classesOf(this.browse, this.dataset);
  }

  get hasTruth() {
    return hasTruth(this.dataset);
  }

  openView(name) {
    const dataset = datasetOf(this.browse, name)?.name;
    const own = this.browse.runs.filter((run) => run.dataset === dataset).map((run) => run.name);
    const isSame = dataset === this.dataset?.name;
    this.change({
      view: name, where: "", at: 0, sample: null, runs: isSame ? this.state.runs : own.slice(0, 1),
      ...(isSame ? {} : { sort: "", descending: false, classes: [], results: [], hidden: [] }),
    });
  }

  viewSaved(name, { view, where }) {
    this.browse.views.push({ name, dataset: datasetOf(this.browse, view)?.name, expression: where });
    this.fillViews();
    this.view.value = this.state.view;
  }

  /// Keeps the place in the grid in the address, not at each step.
  keepPlace(position) {
    clearTimeout(this.placing);
    this.placing = setTimeout(() => {
      // The address of an open sample has its own place.
      if (!this.state || this.state.isUnshown || this.state.sample !== null || this.state.at === position) return;
      this.state = { ...this.state, at: position };
      this.hash = hashOf(this.state);
      history.replaceState(null, "", this.hash);
    }, placeDelay);
  }

  // ---- parts ----

  async loadFacets() {
    this.facetStop?.abort();
    if (this.facetPlace.hidden) {
      this.areFacetsOld = true;
      return;
    }
    this.areFacetsOld = false;
    const stop = new AbortController();
    this.facetStop = stop;
    const { state } = this;
    this.facets.wait(state.where);
    try {
      const facets = await countFacets(state, this.facets.facets ?? [], stop.signal);
      if (!stop.signal.aborted) this.facets.show(facets, state.where);
      if (!stop.signal.aborted) this.toolbar.fields(facets.filter((one) => one.kind === "histogram"));
    } catch (error) {
      if (stop.signal.aborted || this.isSignedOut(error)) return;
      this.facets.fail(`The counts cannot be loaded: ${reasonOf(error)}`);
    }
  }

  toggleFacets() {
    const isHidden = !this.facetPlace.hidden;
    this.facetPlace.hidden = isHidden;
    this.filters.setAttribute("aria-expanded", String(!isHidden));
    if (window.innerWidth >= 800) remembered.set("facets-hidden", isHidden ? "yes" : "no");
    if (!isHidden && (this.areFacetsOld || !this.facets.facets)) this.loadFacets();
  }

  async openSample(position, how = "push") {
    let item;
    try {
      item = await this.pages.fetched(position);
    } catch (error) {
      return this.fail(error);
    }
    if (!item) return undefined;
    this.grid.setCurrent(position);
    clearTimeout(this.placing);
    return this.change({ sample: String(item.id), at: position }, how);
  }

  showSample(state) {
    const isOpen = state.sample !== null;
    if (isOpen && !this.facetPlace.hidden && window.innerWidth < 800) this.toggleFacets();
    for (const part of [this.head, this.toolbarPlace, this.facetPlace, this.grid.host.parentElement]) part.inert = isOpen;
    if (!isOpen) {
      if (this.sample.isOpen) {
        this.sample.close();
        this.grid.focus();
        this.tagging.catchUp();
      }
      return;
    }
    this.sample.show(state, {
      position: String(this.pages.item(state.at)?.id) === state.sample ? state.at : null,
      hasTruth: this.hasTruth, skeletons: this.dataset?.skeletons,
    });
  }

  // ---- keys ----

  key(event) {
    // The focus can be nowhere, as after the browser's Back: the keys are the open sample's.
    if (this.sample.isOpen && event.target === document.body && !event.defaultPrevented) return this.sample.pressed(event);
    if (event.defaultPrevented || this.sample.isOpen || this.tagging.key(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.matches?.("input, select, textarea")) return;
    if (event.key === "/") {
      event.preventDefault();
      this.bar.field.focus();
      this.bar.field.select();
    } else if (["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End", "PageUp", "PageDown", "Enter"].includes(event.key)
      && event.target === document.body) {
      this.grid.focus();
      this.grid.key(event);
    } else if (event.key === "Escape" && !this.facetPlace.hidden && window.innerWidth < 800) this.toggleFacets();
  }

  // ---- messages ----

  /// Shows a message instead of the grid; null shows the grid.
  say(view) {
    this.message.hidden = !view;
    fill(this.message, view);
    this.grid.list.classList.toggle("covered", Boolean(view));
  }

  fail(error) {
    if (!this.isSignedOut(error)) this.alarm(error, () => {
      this.pages.retry();
      this.marks.retry();
    });
  }

  /// Shows a problem above the grid, which stays, with a button that tries again.
  alarm(error, retry) {
    this.alert.hidden = false;
    fill(this.alert, make("span", {}, reasonOf(error)), make("button", {
      type: "button",
      onclick: () => {
        this.alert.hidden = true;
        retry();
      },
    }, "Try again"));
  }

  isSignedOut(error) {
    if (!(error instanceof Refusal) || error.status !== 401) return false;
    this.say(signInView({
      refused: error.message, author: this.session.author,
      onlink: async (token) => {
        const { session } = await signIn(token);
        if (session) location.reload();
      },
    }));
    return true;
  }
}
