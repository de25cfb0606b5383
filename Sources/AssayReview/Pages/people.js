// The queues of the server and the people who share one: the choice of the queue, the parts of others, and samples that
// several people correct independently.
import { count, fill, grouped, make } from "./dom.js";

/// Returns the address of a queue's page, without the origin.
/// Returns the address of a queue, or with `key` of a sample in it.
export const queueAddress = (name, key = null) => `#review?queue=${encodeURIComponent(name)}${key === null ? "" : `&sample=${encodeURIComponent(key)}`}`;

/// Returns the title of the page's head: the queue's name, or a choice if there are several.
export function queueTitle({ review, session }) {
  const queues = session.queues ?? [];
  if (queues.length < 2) return make("span", { class: "title" }, `${review.name ?? "review"} · `);
  const choice = make("select", {
    class: "queue-choice", title: "Another queue",
    // The page starts anew (routes.js); changes that are not saved yet wait in the outbox with the name of their queue.
    onchange: () => {
      location.hash = queueAddress(choice.value);
    },
  }, ...queues.map(({ name, total }) => make("option", { value: name, selected: name === review.name }, `${name} (${grouped(total)})`)));
  return make("label", { class: "title" }, make("span", { class: "unseen" }, "Queue "), choice, make("span", { class: "dot" }, " · "));
}

/// Returns the words about the parts of other people: "ben 3 of 20 left"; empty if nothing is assigned.
export function othersWords(parts, author) {
  const others = parts.filter((one) => one.author !== author);
  const words = others.map(({ author: name, assigned, counts }) => `${name} ${grouped(counts.left)} of ${grouped(assigned)} left`);
  if (words.length <= 3) return words.join(", ");
  const left = others.reduce((sum, one) => sum + one.counts.left, 0);
  return `${count(others.length, "other person", "other people")}: ${grouped(left)} left`;
}

/// Returns the words of a sample that several people correct; null for others.
export function sharedWords({ shared, people = [], versions }, author) {
  if (versions) return null;
  if (!shared) return people.length && !people.includes(author) ? `assigned to ${people.join(", ")}` : null;
  const others = people.filter((name) => name !== author);
  return others.length ? `independent of ${others.join(", ")}` : "independent";
}

/// Returns the link to the editor, for the head of the other pages: to the only queue, or to the list of several; null
/// without queues.
export function queuesLink({ queues }) {
  if (!queues?.length) return null;
  const [{ name }] = queues;
  return queues.length === 1 ? make("a", { class: "review-link", href: queueAddress(name), title: `Correct the samples of the queue ${name}` }, "Review")
    : make("a", { class: "review-link", href: "#queues", title: "Choose a queue to correct its samples" }, "Queues");
}

const queueList = (queues) => make("ul", { class: "queue-list" }, ...queues.map(({ name, subject, total }) => make("li", {},
  make("a", { href: queueAddress(name) }, name), ` ${subject}, ${count(total, "sample")}`)));

const makeOne = () => [make("p", {}, "Put samples into a queue to correct them: “Correct” above the grid does it, and so does"),
  make("pre", {}, make("code", {}, "assay review VIEW"))];

/// Shows the queues, or how to make one.
export function queuesView({ queues = [] }) {
  return make("div", { class: "say" }, make("h2", {}, queues.length ? "Queues" : "There are no queues yet"),
    queues.length ? queueList(queues) : null, ...(queues.length ? [] : makeOne()));
}

/// Shows which queues there are if the address names one that does not exist.
export function missingQueueView(session) {
  const queues = session.queues ?? [];
  return make("div", { class: "say" }, make("h2", {}, `There is no queue ${session.missing}`),
    ...(queues.length ? [make("p", {}, "There are:"), queueList(queues)] : makeOne()));
}
