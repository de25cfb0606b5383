// Draws a frame and what a model found in it.

const colors = ["#ffb000", "#4dabf7", "#51cf66", "#ff6b6b", "#da77f2", "#ffd43b", "#3bc9db", "#ff922b", "#a9e34b", "#f783ac"];

export const colorOf = (number) => colors[((number % colors.length) + colors.length) % colors.length];

/// Draws an answer over the frame that is on the canvas. `least` hides objects of lower scores.
export function drawAnswer(context, answer, classes, least) {
  const { width, height } = answer;
  const unit = Math.max(width, height) / 640;
  for (const { class: number, runs } of answer.masks ?? []) if (runs) drawMask(context, runs, height, colorOf(number));
  for (const one of [...(answer.objects ?? [])].reverse()) {
    if (one.score < least) continue;
    if (one.runs) drawMask(context, one.runs, height, colorOf(one.class));
    drawObject(context, one, classes, unit);
  }
}

/// Fills a mask of run lengths, which go down the columns; the first one is outside.
function drawMask(context, runs, height, color) {
  context.save();
  context.globalAlpha = 0.45;
  context.fillStyle = color;
  let place = 0;
  runs.forEach((length, index) => {
    if (index % 2 === 1) {
      let from = place;
      const end = place + length;
      while (from < end) {
        const column = Math.floor(from / height);
        const stop = Math.min(end, (column + 1) * height);
        context.fillRect(column, from - column * height, 1, stop - from);
        from = stop;
      }
    }
    place += length;
  });
  context.restore();
}

function drawObject(context, one, classes, unit) {
  const [x, y, width, height] = one.box;
  const qualifies = one.attributes?.qualifies !== false && one.accepted !== false;
  const color = colorOf(one.class);
  context.save();
  context.lineWidth = 2.5 * unit;
  context.strokeStyle = color;
  if (!qualifies) context.setLineDash([6 * unit, 5 * unit]);
  context.strokeRect(x, y, width, height);
  context.setLineDash([]);
  const points = one.keypoints ?? [];
  const size = (points.length > 60 ? 1 : 2.5) * unit;
  context.fillStyle = color;
  for (let at = 0; at + 2 < points.length; at += 3) {
    context.beginPath();
    context.arc(points[at], points[at + 1], size, 0, 7);
    context.fill();
  }
  const words = objectWords(one, classes);
  context.font = `600 ${14 * unit}px system-ui, sans-serif`;
  const length = context.measureText(words).width + 8 * unit;
  const top = Math.max(0, y - 19 * unit);
  context.fillRect(x, top, length, 19 * unit);
  context.fillStyle = "#14120e";
  context.fillText(words, x + 4 * unit, top + 14 * unit);
  context.restore();
}

/// The words beside an object: its class or the label that a classifier gave it, and the score.
export function objectWords(one, classes) {
  const { label, score } = one.attributes ?? {};
  if (typeof label === "string") return `${label} ${percent(score)}`;
  return `${classes[one.class] ?? one.class} ${percent(one.score)}`;
}

export const percent = (value) => (typeof value === "number" ? `${Math.round(value * 100)} %` : "");
