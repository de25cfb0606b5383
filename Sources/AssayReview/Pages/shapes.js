// The shape actions by id: (mask, steps) → mask.
import { closed, dilated, eroded, fillingHoles, largestComponent, opened } from "./morphology.js";

export const shapes = {
  "fill-holes": fillingHoles,
  "keep-largest": largestComponent,
  open: opened,
  close: closed,
  grow: dilated,
  shrink: eroded,
};
