// Splitting an object with separate parts into one object for each, and merging two objects of a class. Each is several
// entries of the ledger, which one undo takes back, also after a reload (undo-groups.js).
import { count } from "./dom.js";
import { components } from "./morphology.js";
import { polygonsMask } from "./polygon-fill.js";
import { vertexCount, vertexLimit } from "./rings.js";
import { areaOf, contains, isEmpty, unionOf } from "./run-lengths.js";
import { addShape, movePolygons } from "./shape-changes.js";

/// The maximum number of objects that a split makes.
const partLimit = 50;

/// Makes one object of each separate part of the selected one, which keeps the largest; returns what is said about it.
export function split(editor) {
  editor.endStroke();
  const item = editor.objects.find(editor.target);
  if (!item || item.area === 0) return "Select an object with separate parts first";
  if (item.isCrowd) return "A crowd is not split: delete it and draw its objects";
  const parts = components(item.mask);
  const groups = item.isPolygon ? ringGroups(item, parts) : parts;
  if (groups.length < 2) return `${editor.subject} has only one part`;
  if (groups.length > partLimit) {
    return `${editor.subject} has ${groups.length} parts, more than ${partLimit}: remove small ones first (Shift+O, Shift+L)`;
  }
  const { target, category } = item;
  editor.group(() => {
    if (item.isPolygon) {
      movePolygons(editor, target, groups[0]);
      for (const polygons of groups.slice(1)) addShape(editor, { polygons });
    } else {
      editor.replace(groups[0]);
      for (const part of groups.slice(1)) {
        editor.newObject();
        editor.replace(part);
      }
    }
    editor.setObject(target);
  });
  return `${category}: split into ${count(groups.length, "object")}; fields stay with the first one`;
}

/// Returns the polygons of each separate part, the largest part first. Polygons without pixels stay with it.
function ringGroups({ polygons, size }, parts) {
  const groups = parts.map(() => []);
  for (const ring of polygons) {
    const mask = polygonsMask([ring], ...size);
    const [x, y] = isEmpty(mask) ? [] : [Math.floor(mask.spans[0] / mask.height), mask.spans[0] % mask.height];
    const at = isEmpty(mask) ? 0 : parts.findIndex((part) => contains(part, x, y));
    groups[Math.max(at, 0)].push(ring);
  }
  return groups.filter((group) => group.length > 0);
}

/// Marks the selected object, or merges it into the marked one; returns what is said about it.
export function merge(editor) {
  editor.endStroke();
  const item = editor.objects.find(editor.target);
  const marked = editor.objects.find(editor.marked);
  if (!item) return "Select an object first, press Shift+J, then select another one of its class and press Shift+J again";
  if (item.isCrowd || item.area === 0) return `${editor.subject} cannot be merged: only objects with pixels that are no crowds can`;
  if (!marked || marked === item) {
    editor.marked = marked ? null : item.target;
    editor.show({ list: true });
    return marked ? "Merging canceled" : `${editor.subject} is marked: select another ${item.category} and press Shift+J to merge them`;
  }
  if (marked.category !== item.category) {
    return `${editor.subject} and the marked ${marked.category} are of two classes: change the class of one first`;
  }
  const arePolygons = marked.isPolygon && item.isPolygon;
  const polygons = arePolygons ? [...marked.polygons, ...item.polygons] : null;
  if (arePolygons && vertexCount(polygons) > vertexLimit) return `An object has at most ${vertexLimit} vertices; nothing was changed`;
  const words = editor.subject;
  editor.marked = null;
  editor.group(() => {
    editor.deleteObject();
    editor.setObject(marked.target);
    if (arePolygons) movePolygons(editor, marked.target, polygons);
    else editor.replace(unionOf([marked.mask, item.mask], editor.width, editor.height));
  });
  return `${editor.subject}: merged with ${words}, ${areaOf(marked.mask)} pixels now`;
}
