// The immediate actions of the mask editor: see the list in tools.js.
import { merge, split } from "./part-changes.js";
import { replacing } from "./shape-actions.js";
import { takeAll, takeOne } from "./take-detections.js";

/// The frames of a dataset without videos.
function noFilm(controller) {
  const say = () => controller.say("This dataset has no frames of a video");
  return { step: say, copy: say, interpolate: say, tracks: { begin: say } };
}

/// Runs an action of the lists in tools.js (`canvas.act(id)`); returns a promise if it takes time.
export function runAction(controller, id) {
  const film = controller.host.film ?? noFilm(controller);
  const { editor, pen, viewport, boxTool, keypointTool, polygonTool } = controller;
  const pointTool = keypointTool.isActive ? keypointTool : polygonTool;
  if (!editor.isOpen) return undefined;
  const view = {
    "zoom-in": () => viewport.zoomStep(1, ...controller.center),
    "zoom-out": () => viewport.zoomStep(-1, ...controller.center),
    fit: () => viewport.fit(),
    "actual-size": () => viewport.zoomTo(1, ...controller.center),
    "zoom-mask": () => controller.showChosen(),
  }[id];
  if (view) {
    view();
    return controller.show({ view: true });
  }
  if (id === "outline" || id === "show-model") {
    const name = id === "outline" ? "outline" : "showModel";
    return controller.set(name, !controller.look[name]);
  }
  if (id === "undo") return controller.undo() || void controller.host.undo?.(null);
  if (id === "redo") return controller.redo() || void controller.host.redo?.(null);
  if (controller.busy) return undefined;
  pen.up();
  if (replacing(controller, id)) return controller.busy ?? undefined;
  const run = {
    "new-object": () => editor.newObject(),
    "delete-object": () => editor.deleteObject(),
    "next-vertex": () => pointTool.step(1),
    "previous-vertex": () => pointTool.step(-1),
    "insert-vertex": () => polygonTool.insert(),
    split: () => controller.say(split(editor)),
    merge: () => controller.say(merge(editor)),
    "turn-point": () => keypointTool.turn(),
    fields: () => controller.list.fields.focus(),
    simplify: () => polygonTool.simplify(),
    "previous-frame": () => film.step(-1),
    "next-frame": () => film.step(1),
    "copy-to-next": () => film.copy(),
    interpolate: () => film.interpolate(),
    "new-track": () => film.tracks.begin(),
    "take-box": () => controller.say(takeOne(editor, controller.keyboard.cursor ?? controller.pointer.place, boxTool.reach)),
    "take-class": () => controller.say(takeAll(editor)),
    "next-object": () => editor.step(1) || controller.say("No next object"),
    "previous-object": () => editor.step(-1) || controller.say("No previous object"),
    "whole-category": () => editor.setObject(null),
    "hide-category": () => editor.setHidden(editor.category, !editor.hidden.has(editor.category)),
  }[id];
  return run?.();
}
