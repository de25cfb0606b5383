// The size of the selection in words, for the line below the image.
import { boxWords } from "./box-edges.js";
import { count, pixels } from "./dom.js";
import { vertexCount } from "./rings.js";

/// Returns the size of the editor's selection: "1,204 pixels, 12 vertices", "a box of 64 × 48".
export function extentOf(editor) {
  const item = editor.objects.find(editor.target);
  if (editor.dragging) return boxWords(editor.dragging.box);
  if (item?.isPolygon) {
    const { polygons } = editor.reshaping ?? item;
    return `${pixels(editor.region.area)}, ${count(vertexCount(polygons), "vertex", "vertices")}`;
  }
  if (item?.isBox) return `a box of ${Math.round(item.box[2])} × ${Math.round(item.box[3])}`;
  const boxes = editor.isWhole ? editor.objects.of(editor.category).filter((one) => one.isBox).length : 0;
  const area = boxes > 0 && editor.region.area === 0 ? "" : pixels(editor.region.area);
  return [area, boxes > 0 && count(boxes, "box", "boxes")].filter(Boolean).join(", ");
}
