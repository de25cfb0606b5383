// The mask editor. `createCanvas(root, host)` builds the slider bar, the canvas (image and masks),
// the list of objects and the status line inside `root`; the page builds toolbar and help from
// `tools`, `actions` and `otherKeys` (tools.js), and passes every key that is not for a form field
// to `canvas.key`.
//
// canvas: { open({sample, state, image, categories, mapURL(category) → URL|null}), close(), show(state),
//   tools, actions, otherKeys, tool, choose(id), act(id), hold(id, isDown), options, set(option, value),
//   setCategory(name), setObject(target|null), key(event) → true if it handled the event,
//   finish(): saves what a held arrow key has moved, undo() and redo() → boolean, objects: Objects (objects.js), zoom(factor), pan(dx, dy), fit(),
//   focus(), busy: a promise or null, isDrawing: true while undo is the canvas's: a polygon or a cut-out is unfinished,
//   selected: the target of the selected object or null, setFields(target, {name: value}), tell(words),
//   element: the canvas, clientPlace(x, y) → the position of an image point in the window }
// `show` is for a ground truth that is newer than the drawing here: drawn strokes that differ from
// it disappear from the screen, and with them the local undo. `image` is owned by the page: it is
// neither kept after close() nor closed.
// host: {
//   category: the class to draw first or null, categories, polygons: true if the dataset has polygons,
//   skeletons: {class: {names, edges}}, fields: {name: {type, values}} (may be missing),
//   chosen?(name): a person selected a class to draw,
//   change({kind: "mask", target|null, category, counts, size: [h, w], empty, instance_area?}) → uuid of the entry,
//   change({kind: "add", category, box}) and change({kind: "outline", target, category, box}) → uuid, [x, y, width, height],
//   and the same two with polygons in place of the box, [[x0, y0, x1, y1, …], …],
//   change({kind: "add", category, counts, size}) → uuid (the object's target is then {"entry":uuid}),
//   change({kind: "attributes", target, category, attributes: {name: value or null}}) → uuid,
//   change({kind: "remove", target, category}), change({kind: "category", target, category}) → uuid,
//   cutout({box, strokes, counts?, size?}, signal) → {counts, area, factor}: the mask that the server proposes,
//   segment({points: [{x, y, object}], box?}, signal) → {counts, area, score}: likewise of a promptable model; null for none,
//   film: the frames of a video (film.js), or nothing,
//   undo({uuid}|null), redo({uuid}|null): the canvas has already gone back or forward
//     (null: it has no such step, use the server),
//   begin?(): before a change, hidden(category, isHidden), status(): the
//   toolbar's state has changed,
//   say(text) }
import { CanvasController } from "./canvas-controller.js";
import { setFields } from "./field-changes.js";
import { actions, keyOf, otherKeys, settings, tools } from "./tools.js";

export { actions, keyOf, otherKeys, settings, tools };

export function createCanvas(root, host) {
  const controller = new CanvasController(root, host);
  return {
    tools, actions: host.film ? actions : actions.filter((one) => one.group !== "Video"), otherKeys, settings,
    element: controller.element,
    get tool() { return controller.tool; },
    get options() { return controller.options; },
    get isDrawing() { return controller.isDrawing || Boolean(host.film?.canUndo); },
    get objects() { return controller.editor.objects; },
    get busy() { return controller.busy; },
    open: (opened) => controller.open(opened),
    close: () => controller.close(),
    show: (state) => controller.editor.take(state),
    choose: (id) => controller.choose(id),
    act: (id) => controller.act(id),
    hold: (id, isDown) => controller.hold(id, isDown),
    set: (option, value) => controller.set(option, value),
    setCategory: (name) => controller.editor.setCategory(name),
    setObject: (target) => controller.editor.setObject(target),
    key: (event) => (event.type === "keyup" ? controller.keyboard.up(event) : controller.keyboard.down(event)),
    finish: () => controller.endNudge(),
    undo: () => controller.undo(),
    redo: () => controller.redo(),
    zoom: (factor) => {
      controller.viewport.zoomTo(controller.viewport.scale * factor);
      controller.show({ view: true });
    },
    pan: (dx, dy) => controller.pan(dx, dy),
    fit: () => controller.act("fit"),
    get selected() { return controller.editor.isOpen ? controller.editor.target : null; },
    setFields: (target, fields) => setFields(controller.editor, target, fields),
    tell: (words) => controller.say(words),
    focus: () => controller.focus(),
    clientPlace: (x, y) => controller.clientPlace(x, y),
  };
}
