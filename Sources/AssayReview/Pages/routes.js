// The two pages behind one address: `#browse?…` is the grid, `#review` is the editor.
import { Refusal, request } from "./api.js";

/// Returns "browse" or "review" for an address's hash that names a page; else null.
export function placeOf(hash) {
  return /^#(browse|review)(?:$|[?&])/.exec(hash)?.[1] ?? null;
}

/// Returns `{name, browse}`: the page to show, and the datasets, views and runs if it is the browse page. A server
/// without browsing has only the editor.
export async function chosenPlace(hash, session) {
  let browse = null;
  try {
    browse = (await request("/api/browse")).answer;
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 404) throw error;
  }
  if (!browse) return { name: "review" };
  const named = placeOf(hash);
  const canReview = Boolean(browse.review && session.review);
  if (canReview && (named === "review" || (!named && !browse.start?.view))) return { name: "review" };
  return { name: "browse", browse };
}
