// The mask editor. `createCanvas(root, host)` builds the bar of sliders, the stage (picture and masks), the list
// of objects and the line below inside `root`; the page builds toolbar and help from `tools`, `actions` and
// `otherKeys` (tools.js), and passes every key that is not for a form field to `canvas.key`.
//
// canvas: { open({sample, state, image, categories, mapURL(category) → URL|null}), close(), show(state),
//   tools, actions, otherKeys, tool, choose(id), act(id), hold(id, isDown), options, set(option, value),
//   setCategory(name), setObject(target|null), key(event) → whether it took the event, undo() and redo() → boolean,
//   objects: Objects (objects.js), zoom(factor), pan(dx, dy), fit(), focus(), busy: a promise or null, isDrawing: a polygon is, element: the stage,
//   clientPlace(x, y) → where a place of the picture is in the window }
// `show` is for a truth that is newer than what was drawn here: drawn strokes that differ from it are gone from
// the screen, and with them the local undo. `image` stays the page's: it is neither kept after close() nor closed.
// host: {
//   category: the one to draw at first or null, categories, chosen?(name): a person chose a category to draw,
//   change({kind: "mask", target|null, category, counts, size: [h, w], empty, instance_area?}) → uuid of the entry,
//   change({kind: "add", category, counts, size}) → uuid (the object's target is then {"entry":uuid}),
//   change({kind: "remove", target, category}), change({kind: "category", target, category}) → uuid,
//   undo({uuid}|null), redo({uuid}|null): the canvas has already gone back (null: it has nothing, ask the server),
//   begin?(): before a change, hidden(category, isHidden), status(): what the toolbar shows has changed, say(text) }
import { Stage } from "./stage.js";
import { actions, keyOf, otherKeys, settings, tools } from "./tools.js";

export { actions, keyOf, otherKeys, settings, tools };

export function createCanvas(root, host) {
  const stage = new Stage(root, host);
  return {
    tools, actions, otherKeys, settings,
    element: stage.element,
    get tool() { return stage.tool; },
    get options() { return stage.options; },
    get isDrawing() { return stage.pen.draft !== null; },
    get objects() { return stage.editor.objects; },
    get busy() { return stage.busy; },
    open: (opened) => stage.open(opened),
    close: () => stage.close(),
    show: (state) => stage.editor.take(state),
    choose: (id) => stage.choose(id),
    act: (id) => stage.act(id),
    hold: (id, isDown) => stage.hold(id, isDown),
    set: (option, value) => stage.set(option, value),
    setCategory: (name) => stage.editor.setCategory(name),
    setObject: (target) => stage.editor.setObject(target),
    key: (event) => (event.type === "keyup" ? stage.keyboard.up(event) : stage.keyboard.down(event)),
    undo: () => stage.undo(),
    redo: () => stage.redo(),
    zoom: (factor) => {
      stage.viewport.zoomTo(stage.viewport.scale * factor);
      stage.show({ view: true });
    },
    pan: (dx, dy) => stage.pan(dx, dy),
    fit: () => stage.act("fit"),
    focus: () => stage.focus(),
    clientPlace: (x, y) => stage.clientPlace(x, y),
  };
}
