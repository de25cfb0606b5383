// What is asked before it is done: whether masks may go, a reason, a note, where to go. `app` is the page (app.js).
import { count, grouped } from "./dom.js";
import { lossesOf } from "./taking.js";

/// The model's answer becomes the truth; what would be lost by it is asked first.
export async function take(app) {
  const { sitting, bar, mode } = app;
  const { detail: { run }, visit } = sitting;
  if (!run?.name) return app.say("The run has nothing for this picture.");
  if (app.isLabels) return app.decided("take", { run: run.name }, app.isSet ? "The model's labels are the ground truth now." : "The model's label is the truth now.", { done: true });
  if (sitting.isAsked()) return undefined;
  const { options, objects } = mode.canvas;
  // Who has moved the threshold takes what is seen, not the run's own mask.
  if (options.isCut) return mode.canvas.act("from-model");
  const body = { run: run.name, smallest_share: options.smallestPart / 100 };
  const losses = lossesOf(objects, run);
  if (losses.length > 0) {
    const isMeant = await bar.confirm({
      text: `Taking the model's answer will ${losses.join("; ")}.`, yes: "Yes, take it", no: "No, keep the truth",
    });
    if (visit !== sitting.visit) return undefined;
    if (!isMeant) return app.say("Nothing was taken: the truth is as it was.");
    body.confirmed = true;
  }
  if (!sitting.decide("take", body)) return undefined;
  const found = (run.taken ?? []).reduce((sum, one) => sum + one.masks + one.boxes, 0);
  return app.say(run.taken?.length ? `${count(found, "detection is", "detections are")} the truth now: put them right, then Accept.`
    : "The model's mask is the truth now: mend it, then Accept.");
}

export async function reject(app) {
  const { visit } = app.sitting;
  const reason = await app.bar.ask({ label: "Why is it left out?", confirm: "Reject", isNeeded: true,
    list: ["wrong picture", "nothing of the classes is in it", "cut off", "too dark", "duplicate"] });
  if (reason && visit === app.sitting.visit) await app.decided("reject", { reason }, "Rejected: left out.");
}

export async function note(app) {
  const { visit } = app.sitting;
  const words = await app.bar.ask({ label: "Note", value: visit.state.note ?? "", confirm: "Keep the note", isNeeded: true });
  if (!words || visit !== app.sitting.visit || !app.sitting.decide("note", {}, { note: words })) return;
  visit.state = { ...visit.state, note: words };
  app.say("Note kept.");
}

export async function goTo(app) {
  const text = await app.bar.ask({ label: `Number (1 to ${grouped(app.queue.total)}) or key`, confirm: "Go", isNeeded: true });
  if (!text) return;
  const position = await app.queue.find(text).catch(() => null);
  if (position === null) return app.say(`No sample ${text} in this queue.`, true);
  await app.go(position);
}
