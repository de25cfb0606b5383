// Sizes and similar settings are kept for the next session. The threshold belongs to an image.
import { settings } from "./tools.js";

const name = "assay-canvas";

/// Copies the stored values to `into`.
export function loadPreferences(into) {
  try {
    const kept = JSON.parse(localStorage.getItem(name) ?? "{}");
    for (const { id, min, max } of settings) {
      if (id !== "threshold" && kept[id] >= min && kept[id] <= max) into[id] = Number(kept[id]);
    }
  } catch {
    // A private window forgets them.
  }
}

export function savePreferences(values) {
  try {
    localStorage.setItem(name, JSON.stringify(values));
  } catch {
    // See above.
  }
}
