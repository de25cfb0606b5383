// The way from the grid to the editor: a queue of the samples of a query.
import { postReview } from "./browse-api.js";
import { make } from "./dom.js";
import { queueAddress } from "./people.js";

/// The message for a query bar whose text is not applied.
export const notApplied = "The query bar has a text that is not applied: press Enter or Esc in it first.";

/// Returns a button that puts the samples of a query into a queue, or finds the queue that was made of them before, and opens
/// it. `query()` returns {view, where, isCorrected, runs}; `key()` the key of the sample to begin with, or null; `pending()`
/// whether another query is typed.
export function correctButton({ query, key = () => null, pending = () => false }) {
  const says = make("span", { class: "says problem", role: "status" });
  const button = make("button", {
    type: "button", class: "correct", title: "Put these samples into a queue and correct them in the editor",
    onclick: async () => {
      if (pending()) return void (says.textContent = notApplied);
      says.textContent = "";
      button.disabled = true;
      try {
        const { name } = await postReview(query());
        location.hash = queueAddress(name, key());
      } catch (error) {
        says.textContent = error.message;
      }
      button.disabled = false;
    },
  }, "Correct");
  return make("span", { class: "correcting" }, button, says);
}
