// The save status at the top right. It shows "saved" only after the server's answer.
import { button, clock, count, fill, make } from "./dom.js";
import { quoted } from "./sign-in.js";

/// Returns the content of the line: `{kind, text, actions, isBusy}`; kind is saved, saving,
/// unsaved, conflict or idle; isBusy: a change is not in the browser's storage yet.
export function lineOf(state) {
  return { ...statusOf(state), isBusy: !state.outbox.isStored };
}

function statusOf({ outbox, conflicts, question, sampleProblem }) {
  const waiting = outbox.waiting.length;
  const refused = outbox.refused;
  const strokes = count(waiting, "change");
  const where = outbox.store.isKept ? "kept here" : "kept in this tab only";
  if (question) return { kind: "unsaved", text: question.text, actions: question.actions };
  if (outbox.phase === "signedOut") {
    const why = outbox.message ?? "signed out";
    return { kind: "unsaved", text: waiting ? `not saved: ${why}, ${strokes} ${where}` : why, actions: ["signIn"] };
  }
  if (outbox.phase === "gone" && waiting) {
    const why = outbox.message ? outbox.message : "server gone";
    return { kind: "unsaved", text: `not saved: ${why}, ${strokes} ${where}`, actions: ["retry"] };
  }
  if (refused.length) {
    const text = `not saved: ${count(refused.length, "change")} refused. ${refused[0].refused.message}`;
    return { kind: "unsaved", text, actions: ["insist", "giveUp"] };
  }
  if (conflicts) return { kind: "conflict", text: `conflict: ${count(conflicts, "other version")}`, actions: ["conflict"] };
  if (waiting) return { kind: "saving", text: "saving…", actions: [] };
  if (sampleProblem) return { kind: "unsaved", text: sampleProblem, actions: ["reopen"] };
  if (outbox.last) {
    return { kind: "saved", text: `saved ${clock(outbox.last.time)}, entry ${outbox.last.sequence}`, actions: [] };
  }
  return { kind: "idle", text: "nothing to save", actions: [] };
}

/// Returns sentences about other unsent changes in this browser.
export function notesOf(outbox, strangers) {
  const notes = Object.entries(outbox.others).map(([author, number]) =>
    `${count(number, "change")} by ${author} kept in this browser until ${author} signs in: `
    + `assay review link --author ${quoted(author)}`);
  for (const one of strangers) {
    notes.push(`${count(one.count, "change")} of another ledger (${one.ledger.slice(0, 8)}…) kept in this `
      + "browser, not sent to this one.");
  }
  const { isKept, why } = outbox.store;
  if (!isKept) notes.push(`Changes are kept only in this tab, because ${why}: do not close it until they are saved.`);
  return notes;
}

/// Builds the line. `actions` are `{name: {label, key, run}}`; it is redrawn only after a change,
/// so that a screen reader announces each state once.
export function stateLine(root, actions) {
  let shown = null;
  const text = make("span", { class: "text" });
  const buttons = make("span", { class: "actions" });
  fill(root, text, buttons);
  return (line) => {
    const { isBusy, ...content } = line;
    root.ariaBusy = String(isBusy);
    const mark = JSON.stringify(content);
    if (mark === shown) return;
    shown = mark;
    root.dataset.kind = line.kind;
    if (text.textContent !== line.text) text.textContent = line.text;
    text.title = line.text;
    fill(buttons, ...line.actions.map((name, index) => {
      const { label, key, run } = actions[name];
      return button(label, key ?? (index === 0 ? "q" : null), run, { "data-action": name });
    }));
  };
}

/// Measures the time that a person works on a sample: seconds since the last `take`, without pauses
/// of more than `pause` milliseconds and without time in the background.
export function activeTime(pause = 30000, now = () => performance.now()) {
  let active = 0;
  let last = null;
  const mark = () => {
    const time = now();
    if (last !== null && document.visibilityState === "visible") active += Math.min(pause, time - last);
    last = time;
  };
  for (const event of ["pointerdown", "pointermove", "keydown", "wheel"]) {
    window.addEventListener(event, mark, { passive: true, capture: true });
  }
  document.addEventListener("visibilitychange", () => (last = null));
  return {
    take() {
      mark();
      const seconds = Math.round(active / 100) / 10;
      active = 0;
      return seconds;
    },
  };
}
