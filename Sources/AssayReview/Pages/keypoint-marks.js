// Keypoints above the image: the skeleton, the points, and the names of the selected object's points.
import { truthColor } from "./overlay.js";

/// Draws keypoints {points, names, edges, index, isActive, isChosen}; `context` is in CSS pixels of the canvas. A hidden point
/// is a ring, one that is not labeled is not drawn.
export function drawKeypoints(context, viewport, { points, names, edges, index, isActive, isChosen }) {
  const places = [];
  for (let at = 0; at < points.length; at += 3) {
    places.push(points[at + 2] > 0 ? [...viewport.toView(points[at], points[at + 1]), points[at + 2]] : null);
  }
  context.setLineDash([]);
  context.beginPath();
  for (const [from, to] of edges) {
    if (!places[from] || !places[to]) continue;
    context.moveTo(places[from][0], places[from][1]);
    context.lineTo(places[to][0], places[to][1]);
  }
  for (const [color, width] of [["rgba(255,255,255,0.7)", isChosen ? 5 : 3], [truthColor, isChosen ? 2.5 : 1]]) {
    context.strokeStyle = color;
    context.lineWidth = width;
    context.stroke();
  }
  const radius = isActive ? 5 : isChosen ? 4 : 2.5;
  places.forEach((place, number) => {
    if (!place) return;
    const isSelected = number === index;
    context.beginPath();
    context.arc(place[0], place[1], isSelected ? radius + 2 : radius, 0, 2 * Math.PI);
    context.fillStyle = place[2] > 1 ? truthColor : "#fff";
    context.strokeStyle = place[2] > 1 ? "#fff" : truthColor;
    context.lineWidth = isSelected ? 3 : 2;
    context.fill();
    context.stroke();
  });
  if (isActive) drawNames(context, viewport, places, names, index);
}

/// Draws the names that do not cover others, the selected point's first.
function drawNames(context, viewport, places, names, index) {
  context.font = "12px system-ui, sans-serif";
  context.textBaseline = "middle";
  const taken = [];
  const order = [...places.keys()].sort((a, b) => (b === index) - (a === index));
  for (const number of order) {
    const place = places[number];
    if (!place) continue;
    const text = `${names[number] ?? number + 1}`;
    const wide = Math.ceil(context.measureText(text).width) + 6;
    const x = Math.min(place[0] + 9, viewport.stageWidth - wide);
    const y = Math.min(Math.max(place[1] - 8, 0), viewport.stageHeight - 16);
    if (x < 0 || taken.some((one) => x < one.x + one.wide && one.x < x + wide && Math.abs(one.y - y) < 16)) continue;
    taken.push({ x, y, wide });
    context.fillStyle = number === index ? truthColor : "rgba(255,255,255,0.85)";
    context.fillRect(x, y, wide, 16);
    context.fillStyle = number === index ? "#fff" : "#000";
    context.fillText(text, x + 3, y + 9);
  }
}
