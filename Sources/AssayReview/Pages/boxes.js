// Boxes on the image: ground truth in blue, detections in orange, each with its class; detections
// also with their confidence.
import { modelColor, truthColor } from "./overlay.js";

const textHeight = 16;
/// The text color for each background color.
const inks = { [truthColor]: "#fff", [modelColor]: "#000" };

/// Returns the boxes to draw as [{box, text, color, dash, width}], ground truth first. Of
/// the ground truth: the objects without a mask, or all objects if the review is of a
/// detector. Of the detections: those that a take would copy, and, dashed, those with at
/// least half its score threshold.
export function boxesOf(editor, { showModel }) {
  const { model, hidden } = editor;
  const found = [];
  for (const item of editor.objects.items) {
    if (hidden.has(item.category) || !item.box || !(item.isBox || model.isDetector)) continue;
    const isChosen = item.target === editor.target;
    // A mask has its own outline: its box is drawn only for comparison.
    if (isChosen && editor.dragging?.target === item.target) continue;
    const box = item.isBox ? item.box : item.bounds;
    if (!box) continue;
    found.push({
      box, text: item.category, color: truthColor, dash: item.isBox ? [] : [2, 3], width: isChosen ? 4 : 2,
      isBelow: true,
    });
  }
  if (editor.dragging) {
    const { box, category } = editor.dragging;
    found.push({ box, text: category, color: truthColor, dash: [], width: 4, isBelow: true });
  }
  if (!showModel) return found;
  // The most confident detection is drawn last, on top.
  for (const one of [...model.boxes].reverse()) {
    if (hidden.has(one.category)) continue;
    const isTaken = one.confidence >= model.score;
    if (!isTaken && one.confidence < model.score / 2) continue;
    found.push({
      box: one.box, text: `${one.category ?? "?"} ${one.confidence.toFixed(2)}`, color: modelColor,
      dash: isTaken ? [] : [6, 4], width: 2,
    });
  }
  return found;
}

/// Draws the boxes; `context` is in CSS pixels of the canvas.
export function drawBoxes(context, viewport, boxes) {
  context.font = "12px system-ui, sans-serif";
  context.textBaseline = "middle";
  for (const { box, color, dash, width } of boxes) {
    const [x, y] = viewport.toView(box[0], box[1]);
    if (dash.length === 0) {
      // A light border makes it visible on every image.
      context.setLineDash([]);
      context.strokeStyle = "rgba(255,255,255,0.6)";
      context.lineWidth = width + 2;
      context.strokeRect(x, y, box[2] * viewport.scale, box[3] * viewport.scale);
    }
    context.strokeStyle = color;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.strokeRect(x, y, box[2] * viewport.scale, box[3] * viewport.scale);
  }
  context.setLineDash([]);
  for (const { box, text, color, isBelow } of boxes) {
    const [left, top] = viewport.toView(box[0], box[1]);
    const [right, bottom] = viewport.toView(box[0] + box[2], box[1] + box[3]);
    if (right < 0 || bottom < 0 || left > viewport.stageWidth || top > viewport.stageHeight) continue;
    const wide = Math.ceil(context.measureText(text).width) + 8;
    const x = Math.min(Math.max(left - 1, 0), Math.max(viewport.stageWidth - wide, 0));
    const wanted = isBelow ? bottom + 1 : top - textHeight - 1;
    const y = Math.min(Math.max(wanted, 0), Math.max(viewport.stageHeight - textHeight, 0));
    context.fillStyle = color;
    context.fillRect(x, y, wide, textHeight);
    context.fillStyle = inks[color];
    context.fillText(text, x + 4, y + textHeight / 2 + 1);
  }
}
