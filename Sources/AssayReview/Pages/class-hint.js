// How a class is added that the dataset lacks: a command, since classes belong to the import.
import { copy as copyText } from "./clipboard.js";
import { button, make } from "./dom.js";

/// Returns the text with its command, closed unless there is no class yet; null for datasets whose source has the classes.
export function classHint(command, categories) {
  if (!command) return null;
  const isEmpty = categories.length === 0;
  const copy = button("Copy", null, async () => {
    copy.querySelector(".label").textContent = (await copyText(command)) ? "Copied" : "Select and copy it";
  }, { class: "copy" });
  return make("details", { class: "class-hint", open: isEmpty },
    make("summary", {}, isEmpty ? "This dataset has no classes yet" : "A class is missing?"),
    make("p", {}, `Put ${isEmpty ? "the names of the classes" : "its name"} in place of NEW and run this, then start the review `
      + "again. All corrections are kept."),
    make("pre", {}, make("code", {}, command)), copy);
}
