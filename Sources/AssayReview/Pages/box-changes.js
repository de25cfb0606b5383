// Changes of boxes in the editor (editor.js): adding, moving, and what is said where a stroke would remove one.
import { sameBox } from "./box-edges.js";
import { madeTarget } from "./objects.js";

/// Adds a box of the selected class and selects it.
export function drawBox(editor, box) {
  editor.begin();
  editor.endStroke();
  const { category } = editor;
  const uuid = editor.tell({ kind: "add", category, box });
  editor.draft = null;
  editor.target = madeTarget(uuid);
  editor.objects.addBox(editor.target, category, box);
  editor.history.add({ kind: "add", uuid, target: editor.target, category });
  editor.activate();
}

/// Moves or resizes a box; false if it stays as it is.
export function moveBox(editor, target, box) {
  const item = editor.objects.find(target);
  if (!item?.isBox || sameBox(item.box, box)) return false;
  editor.begin();
  editor.endStroke();
  const uuid = editor.tell({ kind: "outline", target, category: item.category, box });
  editor.history.add({ kind: "outline", uuid, target, before: item.box, after: box });
  item.box = box;
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
