// The independent versions of a sample side by side, in a queue where somebody decides between them.
import { differingPart, drawn } from "./conflicts.js";
import { button, count, make } from "./dom.js";
import { labelWords } from "./labels.js";

const colors = [[213, 94, 0], [0, 114, 178], [0, 158, 115], [204, 121, 167], [230, 159, 0]];
const setAside = { unsure: "unsure", skipped: "skipped", open: "not started", started: "not finished" };

function words({ label, labels, left_out: leftOut, objects, status }) {
  if (status in setAside) return setAside[status];
  if (leftOut) return `excluded: ${leftOut}`;
  if (labels) return `labels: ${labelWords(labels) || "none"}`;
  if (label) return `label: ${label}`;
  return count(objects.length, "object");
}

function version(one, image, part, color, take) {
  const isDecided = one.entry && !(one.status in setAside);
  const text = make("p", {}, words(one));
  const choose = isDecided ? button(`Take ${one.author}'s`, null, () => take(one), { "data-version": one.author }) : null;
  if (!one.objects.some((object) => object.counts)) {
    return make("figure", { class: "label", "data-author": one.author }, make("figcaption", {}, one.author), text,
      one.note ? make("p", { class: "muted" }, one.note) : null, make("div", {}, choose));
  }
  const picture = drawn(image, one.objects, part, color);
  picture.setAttribute("role", "img");
  picture.setAttribute("aria-label", `The version of ${one.author}`);
  return make("figure", { "data-author": one.author }, make("figcaption", {}, one.author), picture, text,
    one.note ? make("p", { class: "muted" }, one.note) : null, make("div", {}, choose));
}

/// Builds the panel; `take(version)` makes one the ground truth.
export function versionsView({ versions, image, review, take, onlater }) {
  const drawnOnes = versions.filter((one) => one.objects.some((object) => object.counts));
  const [first, ...rest] = drawnOnes;
  const differing = rest.find((one) => JSON.stringify(one.objects.map((object) => object.counts))
    !== JSON.stringify(first.objects.map((object) => object.counts)));
  const part = differing ? differingPart(image, first.objects, differing.objects)
    : { x: 0, y: 0, width: image.width, height: image.height };
  return make("div", { class: "conflicts versions" },
    make("h2", {}, "Versions", button("Later", null, onlater)),
    make("p", {}, `Several people corrected this sample in ${review.adjudicates}. Take one of the versions, or correct the `
      + "sample and accept it."),
    make("div", { class: "pair" }, ...versions.map((one, index) => version(one, image, part, colors[index % colors.length], take))));
}

/// Shows the versions of the open sample beside the image (`app`, app.js).
export function showVersions(app) {
  const { versions } = app.openSample.detail;
  if (!versions?.length) return;
  app.showSide("versions", versionsView({
    versions, image: app.openSample.image, review: app.review, onlater: () => app.showSide(null),
    take: ({ author, entry }) => app.decided("agree", { entry }, `Took the version of ${author}.`),
  }));
}
