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
// Images that a click enlarges, to a whole multiple of their pixels if they fit the window.
(() => {
  if (!window.HTMLDialogElement) return;
  const dialog = document.createElement("dialog");
  dialog.className = "enlarged";
  const make = (tag, text) => Object.assign(document.createElement(tag), { textContent: text });
  const place = make("div", "");
  const caption = make("p", "");
  const bar = make("nav", "");
  const [back, next, close] = ["Previous", "Next", "Close"].map((text) => {
    const button = make("button", text);
    button.type = "button";
    bar.append(button);
    return button;
  });
  dialog.append(place, caption, bar);
  dialog.setAttribute("aria-label", "Enlarged image");
  document.querySelector("main").append(dialog);

  let group = [];
  let at = 0;

  const size = (picture) => {
    const box = picture.viewBox?.baseVal;
    return box ? [box.width, box.height] : [picture.naturalWidth, picture.naturalHeight];
  };

  const show = (index) => {
    at = Math.min(Math.max(index, 0), group.length - 1);
    const button = group[at];
    const copy = button.firstElementChild.cloneNode(true);
    const [width, height] = size(button.firstElementChild);
    const room = Math.min((innerWidth - 80) / width, (innerHeight - 180) / height);
    const scale = room >= 2 && !copy.viewBox ? Math.floor(room) : room;
    copy.setAttribute("width", Math.max(1, Math.round(width * scale)));
    copy.setAttribute("height", Math.max(1, Math.round(height * scale)));
    // Name tags keep their size: only the image is enlarged. They are anchored at their lower left corner.
    for (const plate of scale > 1 ? copy.querySelectorAll(".overlay > rect") : []) {
      const [x, y] = [Number(plate.getAttribute("x")), Number(plate.getAttribute("y")) + Number(plate.getAttribute("height"))];
      const small = `translate(${x} ${y}) scale(${1 / scale}) translate(${-x} ${-y})`;
      for (const part of [plate, plate.nextElementSibling]) part?.setAttribute("transform", small);
    }
    copy.removeAttribute("class");
    if (button.querySelector(".pixels")) copy.setAttribute("class", "photo pixels");
    place.replaceChildren(copy);
    const figure = button.closest("figure");
    const words = [...(figure.querySelector("figcaption")?.childNodes ?? [])].map((node) => node.textContent.trim());
    const text = words.filter(Boolean).join(" ");
    const key = figure.title.replace(/^sample /, "");
    caption.textContent = key && !text.includes(key) ? `${text} (${key})` : text;
    back.disabled = at === 0;
    next.disabled = at === group.length - 1;
  };

  for (const picture of document.querySelectorAll(".picture img, .sample .photo")) {
    const button = make("button", "");
    button.type = "button";
    button.className = "enlarge";
    button.setAttribute("aria-haspopup", "dialog");
    picture.replaceWith(button);
    button.append(picture);
    button.addEventListener("click", () => {
      const list = button.closest(".pictures, .samples, .pairs, .means");
      group = [...(list ?? button.parentElement).querySelectorAll(".enlarge")];
      show(group.indexOf(button));
      dialog.showModal();
    });
  }
  const step = (by) => {
    show(at + by);
    if (document.activeElement === document.body) close.focus();
  };
  back.addEventListener("click", () => step(-1));
  next.addEventListener("click", () => step(1));
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("keydown", (event) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by) step(by);
  });
})();
// Buttons that copy the query of a section, and the command that opens its samples.
(() => {
  const copy = async (code) => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      return true;
    } catch {
      // Some browsers have no clipboard on pages without a server.
      getSelection().selectAllChildren(code);
      return document.execCommand("copy");
    }
  };
  for (const code of document.querySelectorAll(".query code")) {
    const name = code.closest("div").previousElementSibling?.matches("summary") ? "Copy query" : "Copy command";
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name;
    button.addEventListener("click", async () => {
      button.textContent = (await copy(code)) ? "Copied" : "Copy it with Ctrl+C";
      setTimeout(() => (button.textContent = name), 2000);
    });
    code.after(button);
  }
})();
