// Questions before an action: whether masks can be lost, a reason, a note, where to go. `app`
// is the page (app.js).
import { count, grouped } from "./dom.js";
import { additionsOf } from "./new-objects.js";
import { smallestShare } from "./region-parts.js";
import { lossesOf, replacedBoxes } from "./replacement-loss.js";

/// Replaces the ground truth by the prediction; asks for a confirmation if objects would be lost.
export async function take(app) {
  const { openSample, bar, mode } = app;
  const { detail: { run }, visit } = openSample;
  if (!run?.name) return app.say("The run has no prediction for this image.");
  if (app.isLabels) return app.decided("take", { run: run.name }, app.isSet ? "Predicted labels used." : "Predicted label used.", { done: true });
  if (openSample.isAsked()) return undefined;
  const unknown = unknownClasses(run, openSample.session.categories);
  if (unknown.length > 0 && unknown.length === predictedClasses(run).length) {
    return app.say(`The dataset has none of the predicted classes: ${unknown.join(", ")}. Import it again with --classes and all classes `
      + "of the model (--task detection --replace); it is not changed.");
  }
  const { options, objects } = mode.canvas;
  // After a change of the threshold, the visible mask is used, not the run's mask.
  if (options.isCut) return mode.canvas.act("from-model");
  const body = { run: run.name, smallest_share: smallestShare(options, objects) };
  const losses = lossesOf(objects, run);
  const effects = [...losses, ...replacedBoxes(objects, run), ...additionsOf(objects, run, body.smallest_share)];
  if (effects.length > 0) {
    const isMeant = await bar.confirm({
      text: `Using the prediction will ${effects.join("; ")}.`, yes: "Use prediction", no: "Keep ground truth",
    });
    if (visit !== openSample.visit) return undefined;
    if (!isMeant) return app.say("Prediction not used; ground truth unchanged.");
    if (losses.length > 0) body.confirmed = true;
  }
  if (!openSample.decide("take", body)) return undefined;
  const known = (run.taken ?? []).filter((one) => !unknown.includes(one.category));
  const found = known.reduce((sum, one) => sum + one.masks + one.boxes, 0);
  const rest = unknown.length > 0 ? ` Left out, because the dataset does not have the class: ${unknown.join(", ")}.` : "";
  return app.say((run.taken?.length ? `${count(found, "detection", "detections")} copied: edit them, then accept.`
    : "Prediction copied: edit it, then accept.") + rest);
}

/// Returns the classes that a detector found in the image; empty for other runs.
const predictedClasses = (run) => (run.taken ?? []).filter((one) => one.boxes + one.masks > 0).map((one) => one.category);

/// Returns those of them that the dataset does not have, whose objects the server does not take.
const unknownClasses = (run, categories) => predictedClasses(run).filter((name) => !categories.includes(name));

/// Discards the changes that the server refused, and shows the sample without them.
export async function giveUp({ outbox, openSample }) {
  const samples = new Set(outbox.refused.map((item) => item.sample));
  for (const item of outbox.own.filter((one) => samples.has(one.sample))) await outbox.drop(item);
  if (samples.has(openSample.visit?.sample)) openSample.reopen();
}

export async function reject(app) {
  const { visit } = app.openSample;
  const reason = await app.bar.ask({ label: "Reason for excluding the sample", confirm: "Reject", isNeeded: true,
    list: ["wrong image", "no object of the classes", "cut off", "too dark", "duplicate"] });
  if (reason && visit === app.openSample.visit) await app.decided("reject", { reason }, "Rejected: excluded.");
}

export async function note(app) {
  const { visit } = app.openSample;
  const words = await app.bar.ask({ label: "Note", value: visit.state.note ?? "", confirm: "Save note", isNeeded: true });
  if (!words || visit !== app.openSample.visit || !app.openSample.decide("note", {}, { note: words })) return;
  visit.state = { ...visit.state, note: words };
  app.say("Note saved.");
}

export async function goTo(app) {
  const text = await app.bar.ask({ label: `Number (1 to ${grouped(app.queue.total)}) or key`, confirm: "Go", isNeeded: true });
  if (!text) return;
  const position = await app.queue.find(text).catch(() => null);
  if (position === null) return app.say(`No sample ${text} in this queue.`, true);
  await app.go(position);
}
