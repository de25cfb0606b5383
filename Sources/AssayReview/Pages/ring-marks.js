// The selected polygon above the image: its edges, and its vertices where they can be told apart.
import { truthColor } from "./overlay.js";

/// The smallest distance of two vertices that are both drawn as handles, in canvas pixels.
const handleDistance = 7;

/// Draws polygons [[x0, y0, …], …]; `context` is in CSS pixels of the canvas. `isActive`: the tool moves vertices;
/// `isDragged`: they are not in the mask yet, so the inside is drawn too.
export function drawRings(context, viewport, { rings, vertex, isActive, isDragged }) {
  context.setLineDash([]);
  context.lineJoin = "round";
  if (isDragged) {
    // The region is the union of the polygons, as in the mask.
    context.fillStyle = "rgba(0,114,178,0.3)";
    for (const ring of rings) {
      trace(context, viewport, [ring]);
      context.fill("evenodd");
    }
  }
  trace(context, viewport, rings);
  for (const [color, width] of [["rgba(255,255,255,0.7)", 4], [truthColor, 2]]) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.stroke();
  }
  const size = isActive ? 7 : 4;
  context.fillStyle = "#fff";
  context.strokeStyle = truthColor;
  context.lineWidth = isActive ? 2 : 1;
  for (const ring of rings) {
    let last = null;
    for (let at = 0; at < ring.length; at += 2) {
      const [x, y] = viewport.toView(ring[at], ring[at + 1]);
      if (x < -8 || y < -8 || x > viewport.stageWidth + 8 || y > viewport.stageHeight + 8) continue;
      if (last && Math.hypot(x - last[0], y - last[1]) < handleDistance) continue;
      last = [x, y];
      context.fillRect(x - size / 2, y - size / 2, size, size);
      context.strokeRect(x - size / 2, y - size / 2, size, size);
    }
  }
  if (!vertex) return;
  const ring = rings[vertex.ring];
  const [x, y] = viewport.toView(ring[2 * vertex.index], ring[2 * vertex.index + 1]);
  context.fillStyle = truthColor;
  context.strokeStyle = "#fff";
  context.lineWidth = 2;
  context.beginPath();
  context.arc(x, y, 6, 0, 2 * Math.PI);
  context.fill();
  context.stroke();
}

function trace(context, viewport, rings) {
  context.beginPath();
  for (const ring of rings) {
    for (let at = 0; at < ring.length; at += 2) {
      const [x, y] = viewport.toView(ring[at], ring[at + 1]);
      if (at === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
    context.closePath();
  }
}
