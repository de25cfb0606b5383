// The mask editor alone on a page of the server, with a host that only records its calls.
// `window.lab` is {canvas, told: [[name, value]…], times: [ms from a stroke's end to its change]}.
async ({ width, height, objects, categories, run, hue, map, skeletons, fields, labelMap, keepsPolygons, picture, noSegmenter }) => {
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
    categories, skeletons, fields, polygons: keepsPolygons,
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
    // The box and the strokes themselves, instead of an object in them; `lab.fault` is thrown, `lab.gate` is awaited.
    async cutout(body, signal) {
      told.push(["cutout", body]);
      await lab.gate;
      if (signal.aborted) throw new Error("aborted");
      if (lab.fault) throw Object.assign(new Error("no background is left"), { code: lab.fault });
      const { compressed, maskFromBits, areaOf } = await import("/app/run-lengths.js");
      const bits = new Uint8Array(width * height);
      for (let x = 0; x < width; x++) {
        for (let y = 0; y < height; y++) {
          const [left, top, wide, high] = body.box;
          let isIn = x >= left + 1 && x < left + wide - 1 && y >= top + 1 && y < top + high - 1;
          for (const { object, radius, points } of body.strokes) {
            for (let at = 0; at < points.length; at += 2) {
              if (Math.hypot(x + 0.5 - points[at], y + 0.5 - points[at + 1]) <= radius) isIn = object;
            }
          }
          bits[x * height + y] = isIn ? 1 : 0;
        }
      }
      const mask = maskFromBits(bits, width, height);
      return { counts: compressed(mask), area: areaOf(mask), factor: 1 };
    },
    // A square around each point on the object, without those around other points, and the box; `lab.fault` is thrown,
    // `lab.gate` is awaited.
    segment: noSegmenter ? null : async (body, signal) => {
      told.push(["segment", body]);
      await lab.gate;
      if (signal.aborted) throw new Error("aborted");
      if (lab.fault) throw Object.assign(new Error("the model cannot be read"), { code: lab.fault });
      const { compressed, maskFromBits, areaOf } = await import("/app/run-lengths.js");
      const bits = new Uint8Array(width * height);
      const fillIn = (left, top, wide, high, isIn) => {
        for (let x = Math.max(Math.ceil(left), 0); x < Math.min(left + wide, width); x++) {
          for (let y = Math.max(Math.ceil(top), 0); y < Math.min(top + high, height); y++) bits[x * height + y] = isIn ? 1 : 0;
        }
      };
      if (body.box) fillIn(...body.box, true);
      for (const { x, y, object } of body.points) fillIn(x - 4, y - 4, 8, 8, object);
      const mask = maskFromBits(bits, width, height);
      return { counts: compressed(mask), area: areaOf(mask), score: 0.87 };
    },
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
  if (picture === "disc") {
    // A disc that is not much darker, in noise.
    const pixels = context.getImageData(0, 0, width, height);
    let seed = 1;
    for (let at = 0; at < width * height; at++) {
      const isIn = Math.hypot(at % width + 0.5 - width / 2, Math.floor(at / width) + 0.5 - height / 2) < height / 3;
      for (let channel = 0; channel < 3; channel++) {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        pixels.data[4 * at + channel] = (isIn ? 90 : 150) + seed / 2147483648 * 24;
      }
    }
    context.putImageData(pixels, 0, 0);
  }
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
