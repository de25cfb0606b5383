// The content of the mask layer: the selected mask, the other objects, the model's mask,
// each in its color.
import { colorWord } from "./layers.js";
import { paint } from "./run-lengths.js";

/// Okabe and Ito's blue and orange (vermilion): the ground truth and the prediction.
export const truthColor = "#0072B2";
export const modelColor = "#D55E00";
/// Objects with larger numbers are drawn like the last.
const lastID = 0x3ffe;

export class Overlay {
  constructor() {
    this.ids = null;
    this.before = null;
  }

  /// Computes the overlay after a change of objects, selection or look. `look` is
  /// {opacity, outline, showModel, blink}.
  make(editor, look) {
    const { width, height } = editor;
    const isBefore = look.blink === "before";
    if (isBefore && !this.before) this.before = numbered(editor.opened.items, width, height, null);
    if (!isBefore) {
      this.before = null;
      this.number(editor);
    }
    const shown = isBefore ? editor.opened.items : this.items;
    const ids = isBefore ? this.before : this.ids;
    const model = look.showModel && !isBefore && editor.model.run
      ? editor.model.shown(editor.category, editor.threshold) : null;
    const fill = look.outline ? 0 : look.opacity;
    const near = (item) => item.category === editor.category;
    return {
      width, height,
      // A polygon that is dragged is drawn by the marks.
      active: isBefore || editor.reshaping || editor.hidden.has(editor.category) ? null : editor.region.bits,
      ids: ids?.isEmpty ? null : ids?.numbers ?? null,
      model: model?.bytes ?? null,
      modelLimit: model?.limit ?? 1,
      colors: {
        activeFill: colorWord(truthColor, fill),
        activeLine: colorWord(truthColor, 1),
        // A light outer border, so that the blue is also visible on dark images.
        activeHalo: colorWord("#ffffff", 0.6),
        modelFill: 0,
        modelLine: colorWord(modelColor, 1),
        fills: Uint32Array.from([0, ...shown.map(
          (item) => colorWord(truthColor, fill * (isBefore ? 1 : near(item) ? 0.45 : 0)))]),
        lines: Uint32Array.from([0, ...shown.map(
          (item) => colorWord(truthColor, isBefore ? 1 : near(item) ? 0.85 : 0.5))]),
      },
    };
  }

  /// Numbers the objects that are not selected, if they have changed.
  number(editor) {
    const others = editor.objects.items.filter((item) => !editor.hidden.has(item.category)
      && (editor.isWhole ? item.category !== editor.category : item.target !== editor.target));
    // Small objects above large ones.
    others.sort((a, b) => b.area - a.area);
    const key = others.map((item) => item.mask);
    const isSame = this.ids && this.ids.width === editor.width && this.ids.height === editor.height
      && this.key.length === key.length && key.every((mask, index) => mask === this.key[index]);
    this.items = others;
    if (isSame) return;
    this.key = key;
    this.ids = numbered(others, editor.width, editor.height, this.ids);
  }

  close() {
    this.ids = this.before = null;
    this.items = this.key = [];
  }
}

/// Returns the number of the topmost object at each pixel, from 1.
function numbered(items, width, height, old) {
  if (items.length === 0) return { isEmpty: true, numbers: old?.numbers ?? null, width, height };
  const fits = old?.numbers && old.numbers.length === width * height;
  const numbers = fits ? old.numbers.fill(0) : new Uint16Array(width * height);
  items.forEach((item, index) => paint(item.mask, numbers, Math.min(index + 1, lastID)));
  return { isEmpty: false, numbers, width, height };
}
