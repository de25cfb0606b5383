// Changes of boxes and polygons in the editor (editor.js): adding, moving, and what is said where a stroke would remove one.
import { sameBox } from "./box-edges.js";
import { madeTarget } from "./objects.js";
import { sameRings } from "./rings.js";

/// Sends a new object with the track that it gets in a video; `fields` are [[name, value], …].
export function tellNew(editor, change) {
  const attributes = editor.isGrouping ? null : editor.host.film?.tracks.fieldsOfNew(change.category);
  const uuid = editor.tell({ kind: "add", ...change, ...(attributes ? { attributes } : {}) });
  return { uuid, fields: Object.entries(attributes ?? {}) };
}

/// Adds an object of another class than the one to draw ({box} or {polygons}); the selection and the class to draw stay.
export function addBeside(editor, category, shape) {
  editor.endStroke();
  const { uuid, fields } = tellNew(editor, { category, ...shape });
  const target = madeTarget(uuid);
  editor.objects.addShape(target, category, shape).setFields(fields);
  editor.history.add({ kind: "add", uuid, target, category, isBeside: true });
  editor.show({ overlay: true, list: true, status: true, marks: true });
  return target;
}

/// Adds an object of the selected class with a box or with polygons ({box} or {polygons}), and selects it.
export function addShape(editor, shape) {
  editor.begin();
  editor.endStroke();
  const { category } = editor;
  const { uuid, fields } = tellNew(editor, { category, ...shape });
  editor.draft = null;
  editor.target = madeTarget(uuid);
  editor.objects.addShape(editor.target, category, shape).setFields(fields);
  editor.history.add({ kind: "add", uuid, target: editor.target, category });
  editor.activate();
}

/// Gives a box another box; false if it stays as it is.
export function moveBox(editor, target, box) {
  const item = editor.objects.find(target);
  if (!item?.isBox || sameBox(item.box, box)) return false;
  return reshape(editor, item, { box: item.box }, { box });
}

/// Gives a polygon other vertices; false if it stays as it is.
export function movePolygons(editor, target, polygons) {
  const item = editor.objects.find(target);
  if (!item?.isPolygon || sameRings(item.polygons, polygons)) return false;
  return reshape(editor, item, { polygons: item.polygons }, { polygons });
}

function reshape(editor, item, before, after) {
  editor.begin();
  editor.endStroke();
  const { target, category } = item;
  const uuid = editor.tell({ kind: "outline", target, category, ...after });
  editor.history.add({ kind: "outline", uuid, target, before, after, wasChanged: item.isChanged });
  item.reshape(after);
  item.isChanged = true;
  editor.activate();
  return true;
}

/// Returns the reason why the selection cannot be drawn on; null if it can.
export function whyNotDrawn(editor) {
  if (editor.draft) return null;
  const item = editor.objects.find(editor.target);
  if (item?.isBox) {
    return `${editor.subject} is a box: the box tool (A) moves and resizes it, Delete removes it, `
      + "I starts a new object with a mask";
  }
  if (item || !editor.objects.of(editor.category).some((one) => one.isBox)) return null;
  return `${editor.category} has boxes: the box tool (A) draws and moves them; I starts a new object with a mask`;
}

/// Returns the message for a click where there is no object.
export function nothingHere(editor) {
  const hasBoxes = editor.model.isDetector || editor.objects.items.some((one) => one.isBox);
  return hasBoxes ? "No object here. Drag with the box tool (A) to draw a box" : "No object here";
}

/// Returns how many objects of a class are given by polygons: a stroke makes those that it changes masks.
export function polygonsOf(editor, category) {
  return editor.objects.of(category).filter((one) => one.isPolygon).length;
}
