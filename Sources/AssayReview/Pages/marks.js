// The marks above the masks: the pixel grid, the unfinished polygon, boxes, the keyboard cursor;
// and the ring of the brush, which is a separate element so that moving it redraws nothing.
import { handles } from "./box-edges.js";
import { drawBoxes } from "./boxes.js";
import { drawCutout } from "./cutout-marks.js";
import { brushCenter } from "./brush.js";
import { drawKeypoints } from "./keypoint-marks.js";
import { truthColor } from "./overlay.js";
import { drawOriented } from "./oriented-marks.js";
import { drawRings } from "./ring-marks.js";
import { gridScale } from "./viewport.js";

export class MarksLayer {
  constructor(canvas, ring) {
    this.canvas = canvas;
    this.context = canvas.getContext("2d");
    this.ring = ring;
  }

  draw(viewport, ratio, { draft, live, isCut, pointer, boxes, cursor, grips, polygon, keypoints, oriented, cutout }) {
    const { context, canvas } = this;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.frame(viewport);
    if (viewport.scale >= gridScale) this.grid(viewport, ratio);
    drawBoxes(context, viewport, boxes);
    if (grips) this.grips(viewport, grips);
    if (polygon) drawRings(context, viewport, polygon);
    for (const one of keypoints) drawKeypoints(context, viewport, one);
    if (oriented) drawOriented(context, viewport, oriented);
    if (cutout) drawCutout(context, viewport, cutout);
    if (draft && !draft.isEmpty) this.polygon(viewport, draft, pointer, isCut, live);
    if (cursor) this.cross(...viewport.toView(...cursor), Math.max(viewport.scale / 2, 3));
  }

  frame(viewport) {
    const [x, y] = viewport.toView(0, 0);
    const { context } = this;
    context.strokeStyle = "rgba(128,128,128,0.6)";
    context.lineWidth = 1;
    context.setLineDash([]);
    context.strokeRect(
      Math.round(x) - 0.5, Math.round(y) - 0.5, viewport.width * viewport.scale + 1,
      viewport.height * viewport.scale + 1);
  }

  grid(viewport, ratio) {
    const { context } = this;
    const left = Math.max(Math.floor(viewport.x), 0);
    const top = Math.max(Math.floor(viewport.y), 0);
    const right = Math.min(Math.ceil(viewport.x + viewport.stageWidth / viewport.scale), viewport.width);
    const bottom = Math.min(Math.ceil(viewport.y + viewport.stageHeight / viewport.scale), viewport.height);
    const [x0, y0] = viewport.toView(left, top);
    const [x1, y1] = viewport.toView(right, bottom);
    // At whole pixels of the screen, dark next to light, to be visible on every image.
    const snap = (value) => Math.round(value * ratio) / ratio + 0.5 / ratio;
    for (const [color, offset] of [["rgba(0,0,0,0.28)", 0], ["rgba(255,255,255,0.22)", 1 / ratio]]) {
      context.beginPath();
      for (let x = left + 1; x < right; x++) {
        const at = snap((x - viewport.x) * viewport.scale) + offset;
        context.moveTo(at, y0);
        context.lineTo(at, y1);
      }
      for (let y = top + 1; y < bottom; y++) {
        const at = snap((y - viewport.y) * viewport.scale) + offset;
        context.moveTo(x0, at);
        context.lineTo(x1, at);
      }
      context.strokeStyle = color;
      context.lineWidth = 1 / ratio;
      context.setLineDash([]);
      context.stroke();
    }
  }

  polygon(viewport, draft, pointer, isCut, live) {
    const { context } = this;
    const points = draft.points.map((point) => viewport.toView(...point));
    const trace = (withPointer) => {
      context.beginPath();
      points.forEach(([x, y], index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
      for (const point of withPointer && pointer ? live ?? [pointer] : []) context.lineTo(...viewport.toView(...point));
    };
    trace(true);
    context.fillStyle = isCut ? "rgba(255,255,255,0.25)" : "rgba(0,114,178,0.25)";
    context.fill();
    trace(true);
    context.lineJoin = "round";
    context.setLineDash([]);
    context.strokeStyle = "rgba(255,255,255,0.9)";
    context.lineWidth = 4;
    context.stroke();
    context.strokeStyle = isCut ? "#000" : truthColor;
    context.lineWidth = 2;
    context.setLineDash(isCut ? [6, 4] : []);
    context.stroke();
    context.setLineDash([]);
    let at = 0;
    for (const group of draft.groups) {
      // Handles at the corners that were clicked; a dragged line has one at its end.
      at += group;
      const [x, y] = points[at - 1];
      this.handle(x, y, 3.5);
    }
    const closes = pointer && draft.closes(...pointer, 10 / viewport.scale);
    this.handle(...points[0], closes ? 8 : 5);
  }

  handle(x, y, radius) {
    const { context } = this;
    context.beginPath();
    context.arc(x, y, radius, 0, 2 * Math.PI);
    context.fillStyle = "#fff";
    context.fill();
    context.strokeStyle = truthColor;
    context.lineWidth = 2;
    context.stroke();
  }

  /// The eight handles of the selected box.
  grips(viewport, { box: [left, top, width, height] }) {
    const { context } = this;
    context.fillStyle = "#fff";
    context.strokeStyle = truthColor;
    context.lineWidth = 2;
    const isSmall = Math.max(width, height) * viewport.scale < 24;
    for (const { id, at: [along, down] } of handles) {
      if (isSmall && id.length === 1) continue;
      const [x, y] = viewport.toView(left + along * width, top + down * height);
      context.fillRect(x - 4, y - 4, 8, 8);
      context.strokeRect(x - 4, y - 4, 8, 8);
    }
  }

  cross(x, y, gap) {
    const { context } = this;
    for (const [color, width] of [["#fff", 5], ["#000", 2]]) {
      context.beginPath();
      for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
        context.moveTo(x + dx * gap, y + dy * gap);
        context.lineTo(x + dx * (gap + 14), y + dy * (gap + 14));
      }
      context.strokeStyle = color;
      context.lineWidth = width;
      context.stroke();
    }
  }

  /// Puts the brush's ring around a position in the image; null hides it.
  placeRing(viewport, place, diameter) {
    const { style } = this.ring;
    if (!place) {
      style.visibility = "hidden";
      return;
    }
    const [x, y] = viewport.toView(...brushCenter(place[0], place[1], diameter));
    const size = Math.max(diameter * viewport.scale, 3);
    style.visibility = "visible";
    style.width = style.height = `${size}px`;
    style.transform = `translate(${x - size / 2}px, ${y - size / 2}px)`;
  }
}
