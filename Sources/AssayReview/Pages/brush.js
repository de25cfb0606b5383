// The brush: the pixels that a stroke covers.

/// Returns the brush's center for a pointer at (x, y): a pixel's center for odd diameters, a corner
/// for even ones, so that the dot has the same shape everywhere.
export function brushCenter(x, y, diameter) {
  return diameter % 2 === 1
    ? [Math.floor(x) + 0.5, Math.floor(y) + 0.5] : [Math.round(x), Math.round(y)];
}

/// Calls visit(x, top, bottom) with the pixels, column by column, whose centers are at most half a
/// diameter away from the line between two centers. Rows are half-open and clipped to the image.
export function forEachStrokeColumn(from, to, diameter, width, height, visit) {
  const radius = diameter / 2;
  // Pixels exactly on the border count, also with rounding errors.
  const reach = radius * radius + 1e-9;
  const [x0, y0] = from;
  const [x1, y1] = to;
  const dx = x1 - x0;
  const dy = y1 - y0;
  const length = Math.hypot(dx, dy);
  // The corners of the band along the line, as wide as the brush.
  const nx = length > 0 ? (-dy / length) * radius : 0;
  const ny = length > 0 ? (dx / length) * radius : 0;
  const band = [
    [x0 + nx, y0 + ny], [x1 + nx, y1 + ny], [x1 - nx, y1 - ny], [x0 - nx, y0 - ny],
  ];
  const left = Math.max(Math.ceil(Math.min(x0, x1) - radius - 0.5 - 1e-9), 0);
  const right = Math.min(Math.floor(Math.max(x0, x1) + radius - 0.5 + 1e-9), width - 1);
  for (let x = left; x <= right; x++) {
    const center = x + 0.5;
    let top = Infinity;
    let bottom = -Infinity;
    const d0 = reach - (center - x0) * (center - x0);
    if (d0 >= 0) {
      const half = Math.sqrt(d0);
      top = y0 - half;
      bottom = y0 + half;
    }
    const d1 = reach - (center - x1) * (center - x1);
    if (d1 >= 0) {
      const half = Math.sqrt(d1);
      if (y1 - half < top) top = y1 - half;
      if (y1 + half > bottom) bottom = y1 + half;
    }
    if (length > 0) {
      for (let index = 0; index < 4; index++) {
        const [ax, ay] = band[index];
        const [bx, by] = band[(index + 1) % 4];
        if ((ax <= center && center <= bx) || (bx <= center && center <= ax)) {
          if (ax === bx) continue;
          const y = ay + ((center - ax) / (bx - ax)) * (by - ay);
          if (y < top) top = y;
          if (y > bottom) bottom = y;
        }
      }
    }
    const first = Math.max(Math.ceil(top - 0.5 - 1e-6), 0);
    const last = Math.min(Math.floor(bottom - 0.5 + 1e-6) + 1, height);
    if (first < last) visit(x, first, last);
  }
}
