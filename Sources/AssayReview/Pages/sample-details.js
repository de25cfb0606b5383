// The list beside the image of the sample page: labels, objects, probabilities, and what is known about the sample.
import { clock, count, grouped, make } from "./dom.js";
import { shellWord } from "./tag-words.js";
import { resultNames, scoreText } from "./mark-style.js";

const section = (title, ...children) => make("section", {}, make("h3", {}, title), ...children);

/// Draws a mark's line: its color, and the dashes of its source.
function swatch(one) {
  const canvas = make("canvas", { class: "swatch", width: 48, height: 24, "aria-hidden": "true" });
  const context = canvas.getContext("2d");
  context.scale(2, 2);
  if (one.isFilled) {
    context.globalAlpha = 0.35;
    context.fillStyle = one.color;
    context.fillRect(2, 2, 20, 8);
    context.globalAlpha = 1;
  }
  context.strokeStyle = one.color;
  context.lineWidth = 2.5;
  context.setLineDash(one.dash);
  context.strokeRect(2, 2, 20, 8);
  return canvas;
}

/// `groups` is a list of {source, own, marks: [{mark, color, dash}], hiddenCount}. `on` has the functions `point(mark)`
/// (hover; null when it ends) and `choose(mark)`, `change(members)` of the page's state, and the sections `tags` and `fields`. Returns the view and the row of each mark.
export function detailsView(detail, groups, on) {
  const rows = new Map();
  const children = [on.tags, on.fields];
  for (const group of groups) children.push(sourceSection(group, detail, rows, on));
  for (const run of detail.runs ?? []) {
    if (run.probabilities?.length) children.push(probabilities(run));
  }
  if (detail.issues?.length) {
    const lines = detail.issues.map((one) => make("li", {}, make("b", {}, one.kind), ` ${one.detail ?? ""}`));
    children.push(section("Issues", make("ul", { class: "plain-list" }, ...lines)));
  }
  children.push(...findings(detail, on));
  if (detail.similar?.length) children.push(similar(detail, on));
  if (detail.notes?.length) children.push(section("Notes", ...detail.notes.map((note) => make("p", {}, note))));
  children.push(section("Sample", facts(detail)));
  if (detail.corrections?.length) children.push(history(detail.corrections));
  return { view: make("div", { class: "details" }, ...children), rows };
}

/// What checks found about the sample, with the other images of each finding: duplicates, leaks between splits, conflicting labels.
function findings(detail, on) {
  if (!detail.findings?.length) {
    if (detail.checked !== false) return [];
    return [section("Check", make("p", { class: "muted" }, "Duplicates and other findings appear here after ",
      make("code", {}, `assay check ${shellWord(detail.dataset)}`), "."))];
  }
  return detail.findings.map((one) => {
    const more = one.count - one.others.length;
    return make("section", { class: "finding", "data-kind": one.kind }, make("h3", {}, one.title ?? one.kind), make("p", {}, one.detail),
      one.others.length ? make("ul", { class: "finding-images" }, ...one.others.map((other) => make("li", {}, make("button", {
        type: "button", title: other.key, onclick: () => on.change({ sample: String(other.id) }),
      }, make("img", { src: other.thumbnail, alt: "", loading: "lazy", width: 64, height: 64 }),
      make("span", { class: "name" }, other.key.split("/").at(-1)), other.split ? make("span", { class: "muted" }, other.split) : null)))) : null,
      more > 0 ? make("p", { class: "muted" }, `and ${count(more, "more image", "more images")}`) : null);
  });
}

/// Buttons that sort the grid by the similarity to the sample, one for each run that keeps its embedding.
function similar({ similar: runs }, on) {
  const label = (run) => (runs.length > 1 ? `Similar images by ${run}` : "Similar images");
  return make("section", { class: "similar" }, make("h3", {}, "Embeddings"), ...runs.map(({ run, field }) => make("button", {
    type: "button", title: `Sort by ${field}`, onclick: () => on.change({ sample: null, sort: field, descending: true, at: 0 }),
  }, label(run))));
}

function sourceSection({ source, own, marks, hiddenCount }, detail, rows, on) {
  const number = marks.length + hiddenCount;
  const title = make("h3", {}, source.title, number ? make("span", { class: "muted" }, ` ${grouped(number)}`) : null,
    source.isTruth && detail.corrected ? make("span", { class: "sign" }, "corrected") : null);
  const label = own?.label ?? (own?.labels?.length ? own.labels.join(", ") : null);
  const said = label === null ? null : make("p", { class: "whole-label" },
    make("b", { class: source.isTruth || own.correct ? "truth" : "said" }, label), source.isTruth ? "" : ` ${scoreText(own.score)}`,
    own.correct === true ? make("span", { class: "result" }, " ✓ correct") : own.correct === false ? make("span", { class: "result wrong" }, " ✗ wrong") : null);
  const masks = source.isTruth ? null : detail.runs?.find((run) => run.name === source.run)?.masks;
  const ofClass = new Map((masks?.classes ?? []).map((one) => [one.class, one]));
  const list = marks.length ? make("ul", { class: "mark-list" }, ...marks.map((one) => markRow(one, rows, on, ofClass))) : null;
  const muted = (words) => make("p", { class: "muted" }, words);
  const none = source.isTruth ? "No ground truth." : own ? "Nothing predicted." : "This run has no prediction for this image.";
  const nothing = !said && number === 0 ? muted(none) : null;
  const more = hiddenCount ? muted(`${count(hiddenCount, "object is", "objects are")} hidden by the settings under Show.`) : null;
  return make("section", { "data-source": source.name }, title, ...sourceNotes(source, detail, muted), said, maskScores(masks), list, missedClasses(masks), nothing, more);
}

const scoreWords = (values) => Object.entries(values).filter(([, value]) => value !== null && value !== undefined)
  .map(([name, value]) => `${name} ${value.toFixed(2)}`).join(" · ");

/// The scores of the masks of the whole image; null without an evaluation.
function maskScores(masks) {
  if (!masks) return null;
  const words = scoreWords({ IoU: masks.iou, Dice: masks.dice, uncertainty: masks.uncertainty });
  return words ? make("p", { class: "mask-scores" }, words) : null;
}

/// The classes of the ground truth of which nothing was predicted; null without any.
function missedClasses(masks) {
  const missed = (masks?.classes ?? []).filter((one) => one.missed).map((one) => one.class);
  return missed.length ? make("p", { class: "mask-missed wrong" }, `Missed: ${missed.join(", ")}`) : null;
}

/// Returns the notes below a source: the reason why the sample was left out, and the one why a run has no results.
function sourceNotes(source, detail, muted) {
  if (source.isTruth) {
    if (typeof detail.left_out !== "string") return [];
    return [muted(`Left out of evaluations and exports${detail.left_out ? `: ${detail.left_out}` : ""}.`)];
  }
  const problem = detail.runs?.find((run) => run.name === source.run)?.problem;
  if (!problem) return [];
  return [make("p", { class: "muted" }, `No correct, wrong and missed objects: ${problem.reason}. `, make("code", {}, problem.command))];
}

// A field of an object in words; of several numbers with names, such as the scores of classes, the three largest.
function attributeText([name, value]) {
  const number = (value) => grouped(Math.round(value * 100) / 100);
  if (typeof value === "number") return `${name} ${number(value)}`;
  if (value === null || typeof value !== "object") return `${name} ${value}`;
  const isNumbers = Object.values(value).every((one) => typeof one === "number");
  if (!isNumbers) return `${name} ${JSON.stringify(value)}`;
  if (Array.isArray(value)) return value.length > 4 ? `${name}: ${count(value.length, "number")}` : `${name} ${value.map(number).join(", ")}`;
  const best = Object.entries(value).sort(([, one], [, other]) => other - one).slice(0, 3);
  return `${name} ${best.map(([key, value]) => `${key} ${number(value)}`).join(", ")}`;
}

/// The keypoints of an object in words: "14 of 17 keypoints, 3 hidden". A prediction has scores in place of visibilities.
export function keypointsText(keypoints, isTruth) {
  const third = keypoints.filter((_, index) => index % 3 === 2);
  const there = third.filter((one) => one > 0).length;
  const hidden = isTruth ? third.filter((one) => one === 1).length : 0;
  const words = there === third.length ? count(there, "keypoint") : `${there} of ${count(third.length, "keypoint")}`;
  return hidden ? `${words}, ${hidden} hidden` : words;
}

function markRow(one, rows, on, ofClass) {
  const { mark, source } = one;
  const hasPoints = Boolean(mark.keypoints?.length);
  const others = Object.entries(mark.attributes ?? {}).filter(([name]) => !hasPoints || (name !== "keypoints" && name !== "num_keypoints"));
  const scores = one.isRegion ? ofClass.get(mark.class) : null;
  const detail = [
    scores ? scoreWords({ IoU: scores.iou, Dice: scores.dice }) : null,
    mark.crowd ? "crowd" : null,
    mark.result ? resultNames[mark.result] : null,
    mark.iou !== null && mark.iou !== undefined ? `IoU ${mark.iou.toFixed(2)}` : null,
    hasPoints ? keypointsText(mark.keypoints, source.isTruth) : null,
    ...others.map(attributeText),
  ].filter(Boolean).join(" · ");
  const row = make("button", {
    type: "button", class: "mark-row",
    onclick: () => on.choose(mark), onpointerenter: () => on.point(mark), onpointerleave: () => on.point(null),
    onfocus: () => on.point(mark), onblur: () => on.point(null),
  }, swatch(one), make("span", { class: "name" }, mark.class ?? "?"), make("span", { class: "score" }, scoreText(mark.score)),
  detail ? make("span", { class: `detail${mark.result === "fp" || mark.result === "fn" ? " wrong" : ""}` }, detail) : null);
  rows.set(mark, row);
  return make("li", {}, row);
}

function probabilities(run) {
  const bars = run.probabilities.map(({ class: name, score }) => {
    const bar = make("li", {}, make("span", { class: "name" }, name), make("span", { class: "score" }, score.toFixed(3)));
    bar.style.setProperty("--share", `${Math.min(score, 1) * 100}%`);
    return bar;
  });
  return section(`Probabilities of ${run.name}`, make("ol", { class: "probabilities" }, ...bars));
}

function facts(detail) {
  const rows = [
    ["Key", make("span", { class: "key" }, detail.key)], ["Dataset", detail.dataset],
    ["Size", detail.width && detail.height ? `${grouped(detail.width)} × ${grouped(detail.height)} pixels` : null],
    ["Split", detail.split],
    ...Object.entries(detail.parts ?? {}).map(([name, part]) => [`Part of ${name}`, part]),
    ...Object.entries(detail.attributes ?? {}).map(([name, value]) => [name, typeof value === "object" ? JSON.stringify(value) : String(value)]),
  ].filter(([, value]) => value !== null && value !== undefined);
  return make("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)]));
}

function history(corrections) {
  return section("Corrections", make("ol", { class: "plain-list corrections" }, ...corrections.map((one) => {
    const date = new Date(one.time);
    const day = Number.isNaN(date.getTime()) ? one.time : `${date.toISOString().slice(0, 10)} ${clock(one.time)}`;
    return make("li", {}, make("b", {}, one.kind), one.detail ? ` ${one.detail}` : "",
      make("span", { class: "muted" }, ` ${one.author}, ${day}, entry ${grouped(one.sequence)}`));
  })));
}
