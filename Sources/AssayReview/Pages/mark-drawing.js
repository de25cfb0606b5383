// Draws boxes, masks, keypoints and their names onto a canvas, for thumbnails and for the sample page.
import { outlineOf, polygonPath } from "./mask-outline.js";
import { classColor, isShown, scoreText } from "./mark-style.js";

/// The skeleton of COCO's 17 keypoints, from 0, for classes without one of their own.
const cocoEdges = [
  [15, 13], [13, 11], [16, 14], [14, 12], [11, 12], [5, 11], [6, 12], [5, 6], [5, 7], [6, 8], [7, 9], [8, 10], [1, 2],
  [0, 1], [0, 2], [1, 3], [2, 4], [3, 5], [4, 6],
];
/// The line below a mark's own: light below dark colors and dark below light ones.
const halos = { "#fff": "rgba(255,255,255,0.65)", "#000": "rgba(0,0,0,0.5)" };

/// Returns what to draw of a sample, the ground truth first: `{mark, source, color, ink, isRegion,
/// edges}`. `look` is the page's state: `hidden`, `score`, `results`, `classes`, `color`; `skeletons` are those of the classes.
export function shownMarks(marks, sources, look, classes, skeletons = {}) {
  const found = [];
  for (const source of sources) {
    if (look.hidden.includes(source.name)) continue;
    const own = source.isTruth ? marks.truth : marks.runs?.[source.run];
    if (!own) continue;
    const put = (mark, isRegion) => {
      if (!isShown(mark, look)) return;
      const isByClass = look.color === "class";
      found.push({
        mark, source, isRegion, dash: source.dash, edges: skeletons[mark.class]?.edges,
        color: isByClass ? classColor(mark.class, classes) : source.color, ink: isByClass ? "#000" : source.ink,
      });
    };
    for (const region of own.regions ?? []) put(region, true);
    // The most certain prediction is drawn last, on top.
    for (const object of [...(own.objects ?? [])].sort((a, b) => (a.score ?? 0) - (b.score ?? 0))) put(object, false);
  }
  return found;
}

/// Draws marks. `place` maps the image to the canvas: `{x, y, scale, width, height}` with the image's position, CSS
/// pixels per image pixel, and the image's size. `options`: `off` (kinds not drawn), `line` (width), `font` (pixels, 0:
/// no names), `emphasis` (the set of marks that are drawn stronger than all others, or null), `clip` (the room for names), `isSparse`
/// (names that would cover others are left out, and small objects have thin lines).
export function drawMarks(context, shown, place, { off, line: usual, font, emphasis = null, clip, isSparse = false }) {
  const has = (kind) => !off.includes(kind);
  context.lineJoin = "round";
  for (const one of shown) {
    const { mark, source } = one;
    const isStrong = Boolean(emphasis?.has(mark));
    const isFaint = emphasis !== null && !isStrong;
    context.globalAlpha = isFaint ? 0.35 : 1;
    const line = isSparse ? Math.min(usual, Math.max(sizeOf(mark, place) / 24, 1)) : usual;
    const hasMask = has("masks") && drawMask(context, one, place, line, isStrong);
    if (has("boxes") && mark.box && (!hasMask || isStrong || !source.isTruth)) drawBox(context, one, place, isStrong ? line + 1.5 : line);
    if (has("keypoints") && mark.keypoints) drawKeypoints(context, one, place, line, isSparse);
  }
  if (has("labels") && font > 0) {
    const taken = [];
    // The most certain prediction comes first, so that its name is the one that is kept.
    for (const one of isSparse ? shown.toReversed() : shown) {
      context.globalAlpha = emphasis !== null && !emphasis.has(one.mark) ? 0.35 : 1;
      drawName(context, one, place, font, clip, isSparse ? taken : null);
    }
  }
  context.globalAlpha = 1;
}

/// Returns the smaller side of a mark's box in CSS pixels.
function sizeOf(mark, place) {
  return mark.box ? Math.min(mark.box[2], mark.box[3]) * place.scale : Infinity;
}

function drawMask(context, { mark, color, dash, source, ink }, place, line, isStrong) {
  const path = mark.polygon?.length ? polygonPath(mark.polygon) : mark.mask ? outlineOf(mark.mask) : null;
  if (!path) return false;
  const scaleX = mark.polygon?.length ? place.scale : place.scale * place.width / mark.mask.width;
  const scaleY = mark.polygon?.length ? place.scale : place.scale * place.height / mark.mask.height;
  context.save();
  context.translate(place.x, place.y);
  context.scale(scaleX, scaleY);
  context.fillStyle = color;
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * (isStrong ? 0.5 : source.isTruth ? 0.35 : 0.15);
  context.fill(path);
  context.globalAlpha = alpha;
  stroke(context, () => context.stroke(path), { color, ink, dash, line: isStrong ? line + 1 : line, per: scaleX });
  context.restore();
  return true;
}

/// Strokes twice: the line below makes the color visible on every image.
function stroke(context, draw, { color, ink, dash, line, per = 1 }) {
  context.setLineDash([]);
  context.strokeStyle = halos[ink];
  context.lineWidth = (line + 1) / per;
  draw();
  context.setLineDash(dash.map((one) => one / per));
  context.strokeStyle = color;
  context.lineWidth = line / per;
  draw();
  context.setLineDash([]);
}

function drawBox(context, { mark, color, ink, dash }, place, line) {
  const [x, y, width, height] = mark.box;
  const at = [place.x + x * place.scale, place.y + y * place.scale, width * place.scale, height * place.scale];
  stroke(context, () => context.strokeRect(...at), { color, ink, dash: mark.crowd ? [1, 3] : dash, line });
}

/// The skeleton of the class, and the points: a hidden one is a ring. The third number of a prediction's point is a score.
function drawKeypoints(context, { mark, source, color, ink, dash, edges }, place, line, isSparse) {
  const points = [];
  for (let index = 0; index + 2 < mark.keypoints.length; index += 3) {
    const [x, y, visibility] = mark.keypoints.slice(index, index + 3);
    points.push(visibility > 0 ? { x: place.x + x * place.scale, y: place.y + y * place.scale, isHidden: source.isTruth && visibility < 2 } : null);
  }
  const joined = (edges ?? (points.length === 17 ? cocoEdges : [])).filter(([from, to]) => points[from] && points[to]);
  if (joined.length > 0) {
    stroke(context, () => {
      context.beginPath();
      for (const [from, to] of joined) {
        context.moveTo(points[from].x, points[from].y);
        context.lineTo(points[to].x, points[to].y);
      }
      context.stroke();
    }, { color, ink, dash, line: Math.max(line - 0.5, 1) });
  }
  // Points closer than they are large would be a blot.
  if (sizeOf(mark, place) < 60) return;
  const isMesh = points.length > 40;
  const radius = isMesh ? 1.25 : isSparse ? line + 0.75 : line + 2;
  for (const point of points) {
    if (!point) continue;
    context.beginPath();
    context.arc(point.x, point.y, radius, 0, 2 * Math.PI);
    if (isMesh || !point.isHidden) {
      context.fillStyle = color;
      context.fill();
    }
    if (isMesh) continue;
    if (point.isHidden) stroke(context, () => context.stroke(), { color, ink, dash: [], line: 1.5 });
    else {
      context.strokeStyle = halos[ink];
      context.lineWidth = 1;
      context.stroke();
    }
  }
}

/// Returns the name of an object beside its box, with its score; a classifier's label has its own score.
function nameOf(mark) {
  const { label, score } = mark.attributes ?? {};
  const name = [mark.class ?? "?", scoreText(mark.score), mark.crowd ? "crowd" : ""].filter(Boolean).join(" ");
  return typeof label === "string" && label !== "" ? `${name}, ${[label, typeof score === "number" ? scoreText(score) : ""].filter(Boolean).join(" ")}` : name;
}

function drawName(context, { mark, source, color, ink, isRegion }, place, font, clip, taken) {
  if (isRegion || !mark.box) return;
  const [x, y, width, height] = mark.box;
  const room = clip ?? { left: place.x, top: place.y, right: place.x + place.width * place.scale, bottom: place.y + place.height * place.scale };
  const text = nameOf(mark);
  context.font = `${font}px system-ui, sans-serif`;
  context.textBaseline = "middle";
  const high = font + 4;
  const wide = Math.min(Math.ceil(context.measureText(text).width) + 6, Math.max(room.right - room.left, 0));
  const left = place.x + x * place.scale;
  const right = left + width * place.scale;
  const top = place.y + y * place.scale;
  const bottom = top + height * place.scale;
  if (right < room.left || left > room.right || bottom < room.top || top > room.bottom) return;
  // Ground truth at the top left corner, predictions at the bottom right: names of a pair do not cover each other.
  const wantedX = source.isTruth ? left : right - wide;
  const wantedY = source.isTruth ? top : bottom - high;
  const atX = Math.min(Math.max(wantedX, room.left), Math.max(room.right - wide, room.left));
  const atY = Math.min(Math.max(wantedY, room.top), Math.max(room.bottom - high, room.top));
  if (taken) {
    // A name that is much wider than its object is rather in the way.
    if (wide > Math.max(1.6 * width * place.scale, 28)) return;
    if (taken.some((one) => atX < one.x + one.wide && one.x < atX + wide && Math.abs(one.y - atY) < high)) return;
    taken.push({ x: atX, y: atY, wide });
  }
  context.fillStyle = color;
  context.fillRect(atX, atY, wide, high);
  context.fillStyle = ink;
  context.fillText(text, atX + 3, atY + high / 2 + 0.5, wide - 6);
}
