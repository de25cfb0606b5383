// The cut-out above the image: its box, the proposed mask, and the strokes.
import { outlineOf } from "./mask-outline.js";
import { truthColor } from "./overlay.js";
import { promptBody } from "./segment-tool.js";

/// The color of strokes on the background: neither ground truth nor a prediction.
const otherColor = "#222";

/// Draws {box, strokes, counted, drawing}; `context` is in CSS pixels of the canvas.
export function drawCutout(context, viewport, { box, strokes = [], steps, counted, drawing }) {
  context.save();
  context.lineJoin = context.lineCap = "round";
  if (counted) drawMask(context, viewport, counted);
  for (const stroke of [...strokes, ...(drawing?.stroke ? [drawing.stroke] : [])]) drawStroke(context, viewport, stroke);
  const frame = drawing?.box ?? (steps ? promptBody(steps).box : box);
  if (frame) {
    const [x, y] = viewport.toView(frame[0], frame[1]);
    const [wide, high] = [frame[2] * viewport.scale, frame[3] * viewport.scale];
    for (const [color, width, dash] of [["rgba(255,255,255,0.8)", 3, []], [truthColor, 1.5, [6, 4]]]) {
      context.strokeStyle = color;
      context.lineWidth = width;
      context.setLineDash(dash);
      context.strokeRect(x, y, wide, high);
    }
  }
  for (const { point } of steps ?? []) if (point) drawPoint(context, viewport, point);
  context.restore();
}

function drawMask(context, viewport, counted) {
  const outline = outlineOf(counted);
  if (!outline) return;
  const path = new Path2D();
  const { scale } = viewport;
  path.addPath(outline, new DOMMatrix([scale, 0, 0, scale, -viewport.x * scale, -viewport.y * scale]));
  context.fillStyle = "rgba(0,114,178,0.4)";
  context.fill(path, "evenodd");
  for (const [color, width, dash] of [["#fff", 4, []], [truthColor, 2, [6, 4]]]) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.setLineDash(dash);
    context.stroke(path);
  }
}

/// A point on the object is a disc with a plus, one that is not a disc with a minus.
function drawPoint(context, viewport, { x, y, object }) {
  const [atX, atY] = viewport.toView(x, y);
  context.setLineDash([]);
  context.beginPath();
  context.arc(atX, atY, 7, 0, 2 * Math.PI);
  context.fillStyle = object ? truthColor : otherColor;
  context.fill();
  context.strokeStyle = "#fff";
  context.lineWidth = 2;
  context.stroke();
  context.beginPath();
  context.moveTo(atX - 3.5, atY);
  context.lineTo(atX + 3.5, atY);
  if (object) {
    context.moveTo(atX, atY - 3.5);
    context.lineTo(atX, atY + 3.5);
  }
  context.stroke();
}

function drawStroke(context, viewport, { object, radius, points }) {
  context.beginPath();
  for (let at = 0; at < points.length; at += 2) {
    const [x, y] = viewport.toView(points[at], points[at + 1]);
    if (at === 0) context.moveTo(x, y);
    context.lineTo(x, y);
  }
  context.setLineDash([]);
  const width = Math.max(2 * radius * viewport.scale, 3);
  context.globalAlpha = 0.35;
  context.strokeStyle = object ? truthColor : otherColor;
  context.lineWidth = width;
  context.stroke();
  context.globalAlpha = 1;
  // A line in the middle tells the two kinds apart without their colors.
  for (const [color, wide] of [["#fff", 4], [object ? truthColor : otherColor, 2]]) {
    context.strokeStyle = color;
    context.lineWidth = wide;
    context.setLineDash(object || wide > 2 ? [] : [3, 4]);
    context.stroke();
  }
}
