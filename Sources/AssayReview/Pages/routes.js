// The pages behind one address: `#browse?…` is the grid, `#runs?…` the numbers of runs, `#live` the camera,
// `#review` the editor.
import { Refusal, request } from "./api.js";
import { fill, make } from "./dom.js";
import { missingQueueView } from "./people.js";
import { goneView } from "./sign-in.js";

/// Returns "browse", "runs", "live" or "review" for an address's hash that names a page; else null.
export function placeOf(hash) {
  return /^#(browse|runs|live|review)(?:$|[?&])/.exec(hash)?.[1] ?? null;
}

/// Shows the page that the address names; `openEditor` shows the editor.
export async function openPage(session, openEditor) {
  if (session.missing) return fill(document.getElementById("picture"), missingQueueView(session));
  let place;
  try {
    place = await chosenPlace(location.hash, session);
  } catch {
    return fill(document.getElementById("picture"), goneView());
  }
  window.addEventListener("hashchange", () => {
    // The pages share nothing but the session: a link to the other one starts it from the beginning.
    const wanted = placeOf(location.hash) ?? (location.hash === "" ? place.usual : place.name);
    if (wanted !== place.name) location.reload();
  });
  if (place.name === "review") {
    if (place.browse) document.getElementById("head").prepend(make("a", { href: "#browse" }, "All samples"));
    return openEditor();
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

/// Returns `{name, usual, browse}`: the page to show, the page of an address without a hash, and the datasets, views and
/// runs if there is a browse page. A server
/// without browsing has only the editor; a server that does not answer now has one with a review.
async function chosenPlace(hash, session) {
  let browse = null;
  try {
    browse = (await request("/api/browse", { patience: 60000 })).answer;
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404) && !session.review) throw error;
  }
  if (!browse) return { name: "review", usual: "review" };
  const canReview = Boolean(session.review);
  const usual = browse.live ? "live" : canReview && !browse.start?.view ? "review" : "browse";
  const named = placeOf(hash) ?? usual;
  const isMissing = named === "review" && !canReview || named === "live" && !browse.live;
  return { name: isMissing ? "browse" : named, usual, browse };
}
