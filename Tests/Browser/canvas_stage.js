// The mask editor alone on a page of the server, with a host that only records its calls.
// `window.lab` is {canvas, told: [[name, value]…], times: [ms from a stroke's end to its change]}.
async ({ width, height, objects, categories, run, hue, map, skeletons, fields, labelMap }) => {
  const { createCanvas } = await import("/app/canvas.js");
  document.body.className = "";
  document.body.removeAttribute("data-mode");
  const root = document.createElement("div");
  root.style.position = "fixed";
  root.style.inset = "0";
  root.style.display = "flex";
  document.body.replaceChildren(root);
  const told = [];
  const times = [];
  let number = 0;
  let released = 0;
  document.addEventListener("pointerup", () => { released = performance.now(); }, { capture: true });
  const host = {
    categories, skeletons, fields,
    change(change) {
      if (released) times.push(performance.now() - released);
      released = 0;
      told.push(["change", change]);
      number += 1;
      return `entry-${number}`;
    },
    undo: (entry) => told.push(["undo", entry]),
    redo: (entry) => told.push(["redo", entry]),
    hidden: (category, isHidden) => told.push(["hidden", { category, isHidden }]),
    say: (text) => told.push(["say", text]),
    status() {},
  };
  const paper = new OffscreenCanvas(width, height);
  const context = paper.getContext("2d");
  context.fillStyle = hue ?? "#f0f0f0";
  context.fillRect(0, 0, width, height);
  // A dark square in the middle, with a step of gray inside.
  context.fillStyle = "#202020";
  context.fillRect(width / 4, height / 4, width / 2, height / 2);
  context.fillStyle = "#303030";
  context.fillRect(width / 2, height / 2, width / 8, height / 8);
  const image = await createImageBitmap(paper);
  const canvas = createCanvas(root, host);
  document.addEventListener("keydown", (event) => {
    if (canvas.key(event)) event.preventDefault();
  });
  window.lab = { canvas, told, times, image };
  if (map) window.fetch = async () => new Response(Uint8Array.from(map));
  for (const one of objects ?? []) {
    // Ten thousand vertices are too many for a test's file.
    if (one.polygons !== "circle") continue;
    one.polygons = [Array.from({ length: 10000 }, (_, at) => at / 10000 * 2 * Math.PI)
      .flatMap((angle) => [width / 2 + width / 3 * Math.cos(angle), height / 2 + height / 3 * Math.sin(angle)])];
  }
  const state = { objects: objects ?? [], run: run ?? null, head: null, label_map: labelMap ?? false };
  canvas.open({
    sample: { id: 1, key: "a.png", width, height }, state, image, categories,
    mapURL: () => (map ? "/a-map" : null),
  });
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  return true;
}
