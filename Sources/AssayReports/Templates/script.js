"use strict";
(() => {
  const panels = document.querySelector(".cells");
  if (!panels) return;
  const links = (root) => [...root.querySelectorAll('a[href^="#cell-"]')];
  const charts = [...document.querySelectorAll(".heat svg")];
  const address = (link) => link.getAttribute("href");

  // Keeps the page's scroll position; scrolls only to what does not fit the window. Following a
  // fragment also moves the focus: it is restored, so that the arrow keys continue from the cell.
  const open = (hash, focused) => {
    const place = scrollY;
    location.hash = hash;
    scrollTo({ top: place, behavior: "instant" });
    focused?.focus({ preventScroll: true });
    const panel = panels.querySelector(":target");
    if (panel) {
      panels.scrollTop = 0;
      const box = panel.getBoundingClientRect();
      if (box.top > innerHeight - 120) panel.scrollIntoView({ block: "nearest" });
    }
  };

  const mark = () => {
    for (const chart of charts)
      for (const link of links(chart))
        if (address(link) === location.hash) link.setAttribute("aria-current", "true");
        else link.removeAttribute("aria-current");
  };

  // Returns the cell whose samples are shown, in the visible chart.
  const current = () =>
    charts
      .flatMap(links)
      .find((link) => address(link) === location.hash && link.getClientRects().length > 0);

  addEventListener("hashchange", mark);
  mark();

  document.addEventListener("click", (event) => {
    const link = event.target.closest(".heat a, .cells .close");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    open(address(link), link.matches(".close") ? current() : link);
  });

  const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
  document.addEventListener("keydown", (event) => {
    const inChart = event.target.closest(".heat a");
    if (event.key === "Escape" && (inChart || event.target.closest(".cells")))
      open("#matrix", inChart ?? current());
    const step = steps[event.key];
    if (!inChart || !step) return;
    const near = new Map(links(inChart.closest("svg")).map((link) => [address(link), link]));
    let [row, column] = address(inChart).slice(6).split("-").map(Number);
    // Cells without samples are not links: continue in the same direction.
    for (let count = near.size; count > 0; count--) {
      row += step[0];
      column += step[1];
      const next = near.get(`#cell-${row}-${column}`);
      if (next) {
        event.preventDefault();
        open(address(next), next);
        return;
      }
    }
  });
})();
// Tables that are sorted by a click on a heading: largest first; a second click: smallest first.
(() => {
  const number = (text) => parseFloat(text.replace("−", "-").replaceAll(",", ""));

  const sort = (table, column, button) => {
    const head = button.closest("th");
    const isText = column === 0;
    const old = head.getAttribute("aria-sort");
    const rises = old ? old === "descending" : isText;
    for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", rises ? "ascending" : "descending");
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row, place) => ({
      row,
      place,
      text: row.cells[column].textContent,
      value: number(row.cells[column].textContent),
    }));
    rows.sort((a, b) => {
      if (isText) {
        const order = a.text.localeCompare(b.text, "en", { numeric: true });
        return (rises ? order : -order) || a.place - b.place;
      }
      // Undefined values stay at the end.
      if (isNaN(a.value) || isNaN(b.value))
        return isNaN(a.value) - isNaN(b.value) || a.place - b.place;
      return (rises ? a.value - b.value : b.value - a.value) || a.place - b.place;
    });
    body.append(...rows.map((entry) => entry.row));
  };

  for (const table of document.querySelectorAll("table.sortable"))
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...head.childNodes);
      button.addEventListener("click", () => sort(table, column, button));
      head.append(button);
    });
})();
