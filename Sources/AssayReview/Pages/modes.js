// Two modes of the page: masks (the canvas) and labels. Both provide the same interface: {view:
// {open, close?, show, finish?, undo?, redo?}, key(event, key), keyBefore?(key), refresh?(), canvas?}.
import { postCutout, postSegment } from "./api.js";
import { classHint } from "./class-hint.js";
import { createCanvas } from "./canvas.js";
import { fill, make, remembered } from "./dom.js";
import { Film } from "./film.js";
import { clashes, decisions, moves, others } from "./keys.js";
import { LabelView } from "./labels.js";
import { toolbar } from "./toolbar.js";

export function openMasks({ session, picture, tools, app }) {
  const root = make("div", { class: "canvas-root" });
  fill(picture, root);
  let refresh = () => {};
  const place = `class-${session.ledger}-${session.review.name}`;
  const film = session.films ? new Film(app) : null;
  const canvas = createCanvas(root, {
    film,
    categories: session.categories,
    classCommand: session.import_classes,
    polygons: Boolean(session.polygons),
    skeletons: session.skeletons,
    fields: session.fields,
    category: remembered.get(place),
    chosen: (name) => remembered.set(place, name),
    change: (change) => {
      app.forget();
      return app.openSample.change(change);
    },
    cutout: (body, signal) => postCutout(app.openSample.visit.sample, body, signal),
    segment: session.segmenter ? (body, signal) => postSegment(app.openSample.visit.sample, body, signal) : null,
    undo: (entry) => app.openSample.canvasUndid(entry),
    redo: (entry) => app.openSample.canvasRedid(entry),
    grouped: (uuids) => app.openSample.groups.add(uuids),
    status: () => refresh(),
    // The canvas shows its own messages below the image; here they are only for screen readers.
    say: (words) => (document.getElementById("heard").textContent = words),
  });
  if (film) film.canvas = canvas;
  // The tool of the dataset's regions. A detector's review is about boxes.
  if (session.review.task === "detection" || session.boxes) canvas.choose("box");
  else if (session.polygons) canvas.choose("polygon");
  const act = (id) => (id === "undo" || id === "redo" ? app.run(id) : canvas.act(id));
  refresh = toolbar(tools, canvas, act);
  const twice = clashes([...decisions, ...moves, ...others], [...canvas.tools, ...canvas.actions])
    .filter((key) => key !== "Enter");
  if (twice.length) console.error(`keys assigned twice: ${twice.join(" ")}`);
  return {
    canvas,
    refresh,
    view: {
      open: (opened) => canvas.open(opened),
      close: () => canvas.close(),
      show: (state) => canvas.show(state),
      finish: () => canvas.finish(),
      undo: () => canvas.undo(),
      redo: () => canvas.redo(),
    },
    key: (event) => canvas.key(event),
    // Selecting the class to draw changes no image, so it is allowed before one is shown.
    keyBefore: (key) => /^[1-9]$/.test(key) && canvas.setCategory(session.categories[key - 1]),
  };
}

export function openLabels({ session, picture, tools, app }) {
  const view = new LabelView({
    picture, tools, categories: session.categories, isSet: app.isSet, hint: classHint(session.import_classes, session.categories),
    onlabel: (category, isKey) => app.label(category, isKey),
  });
  document.body.dataset.mode = "labels";
  const steps = { ArrowLeft: "previous", ArrowRight: "next" };
  return {
    view: { open: (opened) => view.open(opened), show: (state) => view.show(state) },
    key: (event, key) => {
      if (steps[key]) {
        app.run(steps[key]);
        return true;
      }
      return view.press(key);
    },
  };
}
