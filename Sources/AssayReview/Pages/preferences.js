// Sizes and the like stay as they were, also in the next session. The threshold belongs to a picture.
import { settings } from "./tools.js";

const name = "assay-canvas";

/// Puts the kept values into `into`.
export function loadPreferences(into) {
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? "{}");
    for (const { id, min, max } of settings) {
      if (id !== "threshold" && kept[id] >= min && kept[id] <= max) into[id] = Number(kept[id]);
    }
  } catch {
    // A private window forgets it.
  }
}

export function savePreferences(values) {
  try {
    localStorage.setItem(name, JSON.stringify(values));
  } catch {
    // See above.
  }
}
