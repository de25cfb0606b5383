// The end of a queue: what was done, by whom and how fast, and what comes next.
import { request, queuePath } from "./api.js";
import { copy as copyText } from "./clipboard.js";
import { button, count, grouped, make } from "./dom.js";
import { queueAddress } from "./people.js";

const one = (number) => (number === null || number === undefined ? "–" : number.toFixed(1));

/// Returns a table: `columns` are `[title, (row) => text]`, the first of words, the others of numbers.
function table(columns, rows) {
  const cell = (name, text, index) => make(name, { class: index ? "number" : null, scope: name === "th" ? "col" : null }, text);
  return make("div", { class: "scroll" }, make("table", {},
    make("thead", {}, make("tr", {}, ...columns.map(([title], index) => cell("th", title, index)))),
    make("tbody", {}, ...rows.map((row) => make("tr", {}, ...columns.map(([, text], index) => cell("td", text(row), index)))))));
}

function command({ words, command: text, queue }) {
  const copy = button("Copy", null, async () => {
    const isCopied = await copyText(text);
    copy.querySelector(".label").textContent = isCopied ? "Copied" : "Select and copy it";
  }, { class: "copy" });
  return make("li", {}, make("p", {}, words), make("pre", {}, make("code", {}, text)), copy,
    queue ? make("a", { href: queueAddress(queue), onclick: () => setTimeout(() => location.reload()) }, "Open here") : null);
}

/// Builds the panel from the server's summary.
export function doneView({ summary, author, isShared, words, onclose }) {
  const { counts, mine, people, parts, next, corrected, median_seconds: median } = summary;
  const left = parts.filter((part) => part.author !== author && part.counts.left > 0);
  const isAll = counts.left === 0;
  const facts = [
    [counts.done, "done"], [corrected, "corrected"], [counts.unsure, "unsure"], [counts.skipped, "skipped"],
    [counts.left_out, "excluded"], [counts.conflicts, "in conflict"], [counts.left, isShared ? "left or without consensus" : "left"],
  ].filter(([number], index) => number || index < 2);
  return make("div", { class: "done-view" },
    make("h2", {}, (isAll || !parts.length) && !left.length ? "The queue is finished" : "Your part is finished", button("Close", null, onclose)),
    words ? make("p", {}, words) : null,
    make("p", {}, facts.map(([number, word]) => `${grouped(number)} ${word}`).join(" · ")),
    parts.length ? make("p", {}, `Your part: ${grouped(mine.total - mine.left)} of ${grouped(mine.total)} decided.`) : null,
    left.length ? make("p", {}, left.map((part) => `${part.author} has ${grouped(part.counts.left)} of ${grouped(part.assigned)} left`)
      .join(", ") + ".") : null,
    people.length ? table([
      ["Person", (row) => row.author], ["Decided", (row) => grouped(row.counts.total - row.counts.left)],
      ["Unsure", (row) => grouped(row.counts.unsure)], ["Skipped", (row) => grouped(row.counts.skipped)],
      ["s per sample", (row) => one(row.seconds_per_sample)],
    ], people) : null,
    median === null ? null : make("p", { class: "muted" }, `Median time per sample: ${one(median)} s.`),
    next.length ? make("h3", {}, "Next") : null,
    make("ul", { class: "commands" }, ...next.map(command)));
}

/// Says that the queue is finished, or only the part of the person who uses this page.
export function finishedWords({ parts, author }) {
  const left = parts.filter((part) => part.author !== author && part.counts.left > 0);
  if (left.length === 0) return "The queue is finished";
  const names = left.map((part) => `${part.author} has ${grouped(part.counts.left)} left`);
  return `Your part is finished (${names.join(", ")})`;
}

/// Tells that the queue is finished, and shows what was done beside the image (`app`, app.js).
export async function finished(app, words = "") {
  app.isAtEnd = true;
  const { held } = app.queue;
  const others = held ? ` except ${count(held, "sample")} that others have open` : "";
  app.say(`${words} ${finishedWords(app.queue)}${others}.`.trim());
  if (!(await app.outbox.settled(app.openSample.visit?.sample)) || !app.isAtEnd) return;
  let summary;
  try {
    summary = (await request(queuePath("/api/queue/summary"))).answer;
  } catch {
    return; // The sentence above says it.
  }
  await app.queue.refresh().catch(() => {});
  if (!app.isAtEnd || ![null, "versions", "done"].includes(app.sideShows)) return;
  app.showSide("done", doneView({
    summary, author: app.session.author, isShared: app.review.shared, words: held ? `Others have ${count(held, "sample")} open.` : null,
    onclose: () => app.showSide(null),
  }));
}
