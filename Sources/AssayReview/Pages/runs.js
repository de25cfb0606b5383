// The Runs page, `#runs?run=NAME&evaluation=NAME` or `#runs?run=NAME&with=NAME`: an evaluation of a run, or two runs
// against each other.
import { Gone, Refusal } from "./api.js";
import { hashOf, readState } from "./browse-state.js";
import { fill, grouped, make } from "./dom.js";
import { queuesLink } from "./people.js";
import { ComparisonView } from "./run-comparison.js";
import { RunView } from "./run-page.js";
import { fetchComparison, fetchRun, fetchRunSamples } from "./runs-api.js";
import { readRuns, runsHash } from "./runs-hash.js";
import { signIn, signInView } from "./sign-in.js";

/// The evaluation that is shown unless another one is chosen.
const usual = "default";
/// The members of the state that belong to one evaluation.
const unset = { with: null, evaluation: null, iou: null, score: null, accept: null };

export class RunsPage {
  constructor(session, browse) {
    Object.assign(this, { session, browse });
    this.turn = 0;
  }

  start() {
    document.body.dataset.page = "runs";
    document.title = "Runs – assay";
    const { session, browse } = this;
    this.first = make("select", { id: "run", onchange: () => this.choose({ ...unset, run: this.first.value }) });
    this.second = make("select", { id: "with", onchange: () => this.choose({ with: this.second.value || null, evaluation: null }) });
    this.third = make("select", { id: "evaluation", onchange: () => this.choose({ ...unset, evaluation: this.third.value === usual ? null : this.third.value }) });
    this.thirdPlace = make("span", { class: "of-run", hidden: true }, make("label", { for: "evaluation" }, "Evaluation"), this.third);
    this.main = make("main", { class: "runs", tabindex: "-1" });
    this.said = make("div", { class: "alert", role: "alert", hidden: true });
    fill(document.body,
      make("header", { class: "runs-head" }, make("h1", {}, "assay"), make("a", { id: "to-samples", href: "#browse" }, "Samples"),
        make("span", { class: "here", "aria-current": "page" }, "Runs"),
        browse.live ? make("a", { href: "#live" }, "Live") : null,
        queuesLink(browse),
        make("label", { for: "run" }, "Run"), this.first, this.thirdPlace, make("label", { for: "with" }, "compared with"), this.second,
        make("span", { class: "muted author" }, session.author)),
      this.main, this.said);
    window.addEventListener("hashchange", () => {
      if (location.hash.startsWith("#runs") && location.hash !== this.hash) this.adopt();
    });
    this.adopt();
  }

  adopt() {
    const { runs, start } = this.browse;
    const given = (start?.runs ?? []).length > 0 ? start.runs : runs.slice(0, 1).map((run) => run.name);
    this.state = readRuns(location.hash, given);
    this.hash = location.hash;
    this.show();
  }

  choose(members) {
    this.state = { ...this.state, ...members };
    this.hash = runsHash(this.state);
    history.pushState(null, "", this.hash);
    this.show();
  }

  /// Keeps thresholds in the address without another step in the history.
  keep(members) {
    this.state = { ...this.state, ...members };
    this.hash = runsHash(this.state);
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => history.replaceState(null, "", this.hash), 300);
  }

  fillHead() {
    const { runs } = this.browse;
    const { state } = this;
    const own = runs.find((run) => run.name === state.run);
    const option = (run) => make("option", { value: run.name }, `${run.name} (${run.task}, ${run.dataset})`);
    fill(this.first, ...runs.map(option), own ? null : make("option", { value: state.run ?? "" }, state.run ?? "–"));
    this.first.value = state.run ?? "";
    const others = runs.filter((run) => run.name !== state.run && own && run.dataset === own.dataset && run.task === own.task);
    fill(this.second, make("option", { value: "" }, others.length === 0 ? "no other run of its dataset and task" : "no other run"), ...others.map((run) => make("option", { value: run.name }, run.name)));
    this.second.value = state.with ?? "";
    this.second.disabled = others.length === 0;
    if (own) document.getElementById("to-samples").href = this.browseHash({ view: own.dataset, where: "" });
  }

  /// The evaluation as in commands and requests: `r1`, or `r1@strict`.
  get reference() {
    const { run, evaluation } = this.state;
    return evaluation ? `${run}@${evaluation}` : run;
  }

  /// Offers the evaluations of the run if there is a choice.
  fillEvaluations(names) {
    const chosen = this.state.evaluation ?? usual;
    const all = names.includes(chosen) ? names : [chosen, ...names];
    this.thirdPlace.hidden = Boolean(this.state.with) || names.length === 0 || all.length < 2;
    fill(this.third, ...all.map((name) => make("option", { value: name }, names.includes(name) ? name : `${name} (none)`)));
    this.third.value = chosen;
  }

  browseHash({ view, where, corrected = false, sort = "", sample = null, at = 0 }) {
    const runs = [this.state.run, this.state.with].filter(Boolean);
    const base = readState("#browse", { view, runs });
    return hashOf({
      ...base, view, where, isCorrected: corrected, runs, sort, at, sample: sample === null ? null : String(sample), score: this.state.score ?? base.score,
      beside: Boolean(this.state.with),
    });
  }

  async show() {
    this.turn += 1;
    const { turn, state } = this;
    const isPresent = () => turn === this.turn;
    this.said.hidden = true;
    this.fillHead();
    if (!state.run) {
      return this.say("No runs yet", "A run has the predictions of a model for the samples of a view. Make one, then reload this page:", "assay predict VIEW --model MODEL");
    }
    fill(this.main, make("p", { class: "muted loading" }, state.with ? `Comparing ${state.run} with ${state.with}…` : `Reading ${this.reference}…`));
    try {
      const answer = state.with ? await fetchComparison(state.run, state.with) : await fetchRun(this.reference);
      if (!isPresent()) return undefined;
      this.fillEvaluations(answer.evaluations ?? []);
      if (!answer.evaluated) {
        const count = answer.samples > 0 ? ` It has predictions for ${grouped(answer.samples)} ${answer.samples === 1 ? "sample" : "samples"}: ` : " ";
        return this.say(`${answer.run} has no numbers`, answer.reason, answer.next,
          make("p", {}, count, make("a", { href: this.browseHash({ view: answer.dataset, where: "" }) }, `look at the samples of ${answer.dataset}`), "."));
      }
      const view = state.with
        ? new ComparisonView(answer, { go: (search) => this.go(search) })
        : new RunView(answer, { open: (filter, more) => this.open(filter, more), state: () => this.state, change: (members) => this.keep(members) });
      fill(this.main, ...view.parts());
      if (turn === 1 && history.state?.scrolled) this.main.scrollTop = history.state.scrolled;
      return undefined;
    } catch (error) {
      if (isPresent()) this.fail(error);
      return undefined;
    }
  }

  /// Opens the samples of a filter in the grid.
  async open(filter, more = {}) {
    this.said.hidden = true;
    try {
      const search = await fetchRunSamples(this.reference, filter);
      if (search.where === null) {
        this.said.hidden = false;
        return fill(this.said, make("span", {}, search.reason), make("button", { type: "button", onclick: () => { this.said.hidden = true; } }, "Close"));
      }
      return this.go({ ...search, ...more });
    } catch (error) {
      return this.fail(error);
    }
  }

  go(search) {
    clearTimeout(this.keeping);
    // Back shows the numbers at the same place.
    history.replaceState({ scrolled: this.main.scrollTop }, "", this.hash || runsHash(this.state));
    location.hash = this.browseHash(search);
  }

  say(title, reason, next, ...more) {
    fill(this.main, make("div", { class: "say" }, make("h2", {}, title), make("p", {}, reason), make("pre", {}, make("code", {}, next)), ...more));
  }

  fail(error) {
    if (error instanceof Refusal && error.status === 401) {
      return fill(this.main, signInView({
        refused: error.message, author: this.session.author, onlink: async (token) => {
          const { session } = await signIn(token);
          if (session) location.reload();
        },
      }));
    }
    const reason = error instanceof Gone ? "The server does not respond. If it has stopped, start it again with assay open." : `${error.message ?? error}`;
    return fill(this.main, make("div", { class: "say" }, make("h2", {}, "The numbers cannot be shown"), make("p", { role: "alert" }, reason),
      make("button", { type: "button", onclick: () => this.show() }, "Try again")));
  }
}
