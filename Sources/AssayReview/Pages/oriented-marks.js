// The selected oriented box above the image: its edges, its handles along its own axes, and the handle that rotates it.
import { across, orientedHandles, pointOf } from "./oriented-box.js";
import { truthColor } from "./overlay.js";

/// The distance of the rotation's handle from the first side, in canvas pixels.
const stem = 26;

/// Returns the place of the handle that rotates a box, in pixels of the image.
export function rotationPoint(box, scale) {
  const [x, y] = pointOf(box, 0, -1);
  const [vx, vy] = across(box);
  return [x - vx * stem / scale, y - vy * stem / scale];
}

/// Draws {ring, box, isDragged}; `context` is in CSS pixels of the canvas.
export function drawOriented(context, viewport, { ring, box, isDragged }) {
  const corners = [0, 2, 4, 6].map((at) => viewport.toView(ring[at], ring[at + 1]));
  const top = viewport.toView(...pointOf(box, 0, -1));
  const knob = viewport.toView(...rotationPoint(box, viewport.scale));
  const line = (points, isClosed) => {
    context.beginPath();
    points.forEach(([x, y], index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
    if (isClosed) context.closePath();
  };
  context.setLineDash([]);
  context.lineJoin = "round";
  if (isDragged) {
    line(corners, true);
    context.fillStyle = "rgba(0,114,178,0.2)";
    context.fill();
  }
  for (const [color, width] of [["rgba(255,255,255,0.8)", 4], [truthColor, 2]]) {
    context.strokeStyle = color;
    context.lineWidth = width;
    line(corners, true);
    context.stroke();
    line([top, knob], false);
    context.stroke();
  }
  context.fillStyle = "#fff";
  context.strokeStyle = truthColor;
  context.lineWidth = 2;
  const isSmall = Math.max(box.width, box.height) * viewport.scale < 24;
  const angle = Math.atan2(box.u[1], box.u[0]);
  for (const handle of orientedHandles) {
    if (isSmall && (handle[0] === 0 || handle[1] === 0)) continue;
    const [x, y] = viewport.toView(...pointOf(box, ...handle));
    context.save();
    context.translate(x, y);
    context.rotate(angle);
    context.fillRect(-4, -4, 8, 8);
    context.strokeRect(-4, -4, 8, 8);
    context.restore();
  }
  context.beginPath();
  context.arc(...knob, 5, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
}
