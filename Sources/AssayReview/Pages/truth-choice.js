// The choice between the imported and the corrected ground truth in the row above the grid.
import { count, fill, make } from "./dom.js";

export class TruthChoice {
  /// `change(members)` changes the page's state.
  constructor({ change }) {
    this.select = make("select", {
      id: "truth", onchange: async () => {
        await change({ isCorrected: this.select.value === "corrected" });
        // A query that is not valid with the other ground truth leaves the page as it was.
        this.select.value = this.value;
      },
    });
    this.element = make("div", { class: "truth-choice", hidden: true }, make("label", { for: "truth" }, "Ground truth"), this.select);
  }

  /// `corrections` is that of ItemPages. Without corrections there is nothing to choose.
  show(corrections, isCorrected) {
    const { samples = 0, entries = false, problem = null } = corrections ?? {};
    this.element.hidden = !isCorrected && samples === 0 && !entries;
    fill(this.select, make("option", { value: "imported" }, "imported"),
      make("option", { value: "corrected", disabled: Boolean(problem) && !isCorrected }, `corrected (${count(samples, "sample")})`));
    this.value = isCorrected ? "corrected" : "imported";
    this.select.value = this.value;
    this.select.title = problem ? `The corrected ground truth cannot be shown: ${problem}`
      : "The corrected ground truth has what people labeled, drew and corrected. A corner at the top right marks corrected samples.";
  }
}
