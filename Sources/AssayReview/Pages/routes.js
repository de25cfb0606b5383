// The pages behind one address: `#browse?…` is the grid, `#runs?…` the numbers of runs, `#live` the camera,
// `#review?queue=NAME` the editor, and `#queues` the list of queues.
import { fetchSession, Refusal, request, useQueue } from "./api.js";
import { fill, make } from "./dom.js";
import { missingQueueView, queueAddress, queuesView } from "./people.js";
import { goneView, takeLink } from "./sign-in.js";

/// Returns "browse", "runs", "live", "review" or "queues" for an address's hash that names a page; else null.
export function placeOf(hash) {
  return /^#(browse|runs|live|review|queues)(?:$|[?&])/.exec(hash)?.[1] ?? null;
}

/// Returns the queue, or another member, that an address's hash names; null for none.
const queueIn = (hash, name = "queue") => new URLSearchParams(hash.replace(/^#review[?&]?/, "")).get(name);

/// Shows the page that the address names; `openEditor(session)` shows the editor.
export async function openPage(given, openEditor) {
  let place = null;
  let session = given;
  window.addEventListener("hashchange", () => {
    if (["runs", "live", "queues"].includes(place?.name) && takeLink()) return;
    // The pages share nothing but the session: a link to the other one starts it from the beginning.
    if (isOther(location.hash, place, session)) location.reload();
  });
  if (session.missing) return fill(document.getElementById("picture"), missingQueueView(session));
  try {
    place = await chosenPlace(location.hash, session);
    if (place.queue) {
      useQueue(place.queue);
      history.replaceState(null, "", queueAddress(place.queue));
      session = await fetchSession();
    }
  } catch {
    return fill(document.getElementById("picture"), goneView());
  }
  if (place.name === "queues") {
    document.title = "Queues – assay";
    if (place.browse) document.getElementById("head").prepend(make("a", { href: lastGrid() }, "All samples"));
    document.getElementById("state").remove();
    return fill(document.getElementById("picture"), queuesView(session));
  }
  if (place.name === "review") {
    if (place.browse) document.getElementById("head").prepend(make("a", { href: lastGrid() }, "All samples"));
    // The sample to begin with is in the address once: a reload opens the last one.
    const asked = queueIn(location.hash, "sample");
    if (asked !== null) history.replaceState(null, "", queueAddress(session.review.name));
    return openEditor({ ...session, asked });
  }
  if (place.name === "live") {
    const { LivePage } = await import("./live.js");
    return new LivePage(session, place.browse).start();
  }
  if (place.name === "runs") {
    const { RunsPage } = await import("./runs.js");
    return new RunsPage(session, place.browse).start();
  }
  const { BrowsePage } = await import("./browse.js");
  return new BrowsePage(session, place.browse).start();
}

/// Returns whether a hash names another page than the one that is shown, or another queue.
function isOther(hash, place, session) {
  if (!place) return true;
  const named = placeOf(hash) ?? (hash === "" ? place.usual : null);
  if (named === null) return false;
  // Without a name the address means the queue that the server was started with.
  if (named !== "review" || place.name !== "review") return named !== place.name;
  const queue = queueIn(hash) ?? (place.browse ? place.browse.review ?? null : session.review.name);
  return queue !== session.review.name;
}

/// The grid that this tab showed last, to which the editor leads back; by its address's hash.
const gridKey = "assay-grid";

function lastGrid() {
  try {
    const hash = sessionStorage.getItem(gridKey);
    return placeOf(hash ?? "") === "browse" ? hash : "#browse";
  } catch {
    return "#browse";
  }
}

function keepGrid(address) {
  const { hash } = new URL(address);
  if (placeOf(hash) !== "browse") return;
  try {
    sessionStorage.setItem(gridKey, hash);
  } catch { /* Without storage the link leads to the first dataset. */ }
}

addEventListener("hashchange", (event) => keepGrid(event.oldURL));
addEventListener("pagehide", () => keepGrid(location.href));

/// Returns `{name, usual, browse, queue}`: the page to show, the page of an address without a hash, the datasets, views and
/// runs if there is a browse page, and the queue that has to be opened first. A server without browsing has only the
/// editor; a server that does not answer now has one with a review.
async function chosenPlace(hash, session) {
  let browse = null;
  try {
    browse = (await request("/api/browse", { patience: 60000 })).answer;
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404) && !session.review) throw error;
  }
  if (!browse) return { name: "review", usual: "review" };
  browse.queues = session.queues ?? [];
  const usual = browse.live ? "live" : session.review && !browse.start?.view ? "review" : "browse";
  const named = placeOf(hash) ?? usual;
  if (named === "live" && !browse.live) return { name: "browse", usual, browse };
  if (named !== "review" || session.review) return { name: named, usual, browse };
  const [only, ...others] = browse.queues;
  return only && others.length === 0 ? { name: "review", usual, browse, queue: only.name } : { name: "queues", usual, browse };
}
