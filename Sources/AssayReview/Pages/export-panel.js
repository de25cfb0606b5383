// What can be taken along from the browse page: the command, the SQL, a CSV file, a saved view.
import { fetchCommand, fetchCSV, postView } from "./browse-api.js";
import { copy } from "./clipboard.js";
import { notApplied } from "./correct.js";
import { make } from "./dom.js";

function download(bytes, type, name) {
  const url = URL.createObjectURL(new Blob([bytes], { type }));
  make("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/// Fills the panel. `query()` returns the current {view, where, isCorrected, sort, descending, seed}; `saved(name, query)` is
/// called with a new view. `written` is a name that the person has typed already; `pending()` tells whether the query bar
/// holds another query than the one that is shown.
export function fillExportPanel(panel, { query, saved, written = "", pending = () => false }) {
  const says = make("p", { class: "says", role: "status" });
  const shown = make("pre", { hidden: true, tabindex: "0" });
  const say = (words, isProblem = false) => {
    says.textContent = words;
    says.classList.toggle("problem", isProblem);
  };
  const attempt = (work) => async () => {
    say("");
    shown.hidden = true;
    if (pending()) return say(notApplied, true);
    try {
      await work();
    } catch (error) {
      say(error.message, true);
    }
  };
  const copyMember = (member, words) => attempt(async () => {
    const asked = query();
    const text = (await fetchCommand(asked))[member];
    const isCopied = await copy(text);
    shown.textContent = text;
    shown.hidden = false;
    say(isCopied ? words(asked) : "This browser does not allow copying here: select the text below.");
  });
  const name = make("input", { type: "text", id: "view-name", autocomplete: "off", spellcheck: "false", placeholder: "Name of the view", value: written });
  const form = make("form", {
    class: "save-view",
    onsubmit: (event) => {
      event.preventDefault();
      const wanted = name.value.trim();
      if (!wanted) return say("Enter a name for the view.", true);
      attempt(async () => {
        const asked = query();
        await postView(wanted, asked);
        say(`Saved as ${wanted}.`);
        saved(wanted, asked);
      })();
    },
  }, make("label", { for: "view-name" }, "Save these samples as a view"), name, make("button", { type: "submit" }, "Save view"));
  panel.replaceChildren(
    make("div", { class: "buttons" },
      make("button", { type: "button", onclick: copyMember("command", () => "Command copied.") }, "Copy as command"),
      make("button", { type: "button", onclick: copyMember("sql", ({ isCorrected, sort }) => [
        "SQL copied.", isCorrected ? "assay sql has no --corrected: the statement itself reads the tables with the corrections." : null,
        sort ? "It has the order of the dataset, not that of the grid." : null, "assay sql prints 1,000 rows; --limit 0 prints all.",
      ].filter(Boolean).join(" ")) }, "Copy as SQL"),
      make("button", {
        type: "button",
        onclick: attempt(async () => {
          say("Preparing the file…");
          const asked = query();
          const { bytes, type } = await fetchCSV(asked);
          download(bytes, type, `${asked.view.replaceAll(/[^\w.-]+/g, "-")}${asked.isCorrected ? "-corrected" : ""}.csv`);
          say("Downloaded.");
        }),
      }, "Download CSV")),
    shown, form, says);
}
