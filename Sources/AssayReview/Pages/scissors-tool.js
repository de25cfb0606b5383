// The scissors: a polygon whose lines follow edges of the image (live-wire.js). The pen's draft holds it, as for the polygon
// tool; the way from the last anchor to the pointer is found in a window around the anchor.
import { Draft } from "./polygon.js";
import { strongest, wirePath } from "./live-wire.js";

/// The number of pixels from an anchor to the border of its window.
const reach = 256;
/// The distance in canvas pixels within which a click moves to the strongest edge, and its limits in pixels of the image.
const snapping = 8;
const largestSnap = 8;

export class ScissorsTool {
  constructor(controller) {
    this.controller = controller;
    /// The ways to the last anchor (live-wire.js); null if they are not known.
    this.field = null;
    /// The anchors that wait for their turn.
    this.turn = Promise.resolve();
    this.number = 0;
  }

  get draft() {
    const { draft } = this.controller.pen;
    return draft?.isSnapped ? draft : null;
  }

  get snap() {
    return Math.min(Math.max(Math.round(snapping / this.controller.viewport.scale), 0), largestSnap);
  }

  inside(x, y) {
    const { width, height } = this.controller.editor;
    return [Math.min(Math.max(Math.floor(x), 0), width - 1), Math.min(Math.max(Math.floor(y), 0), height - 1)];
  }

  /// Sets an anchor; `isExact` (Alt) sets it where the pointer is, with a straight line.
  click(x, y, isExact) {
    const { controller } = this;
    const { pen } = controller;
    if (this.draft?.closes(x, y, Math.max(10 / controller.viewport.scale, 1))) return pen.close();
    const { number } = this;
    if (!pen.draft) {
      pen.draft = new Draft();
      pen.draft.isSnapped = true;
      this.field = null;
    }
    const { draft } = pen;
    this.after(async () => {
      if (pen.draft === draft && number === this.number) await this.anchor(draft, x, y, isExact);
    });
    return null;
  }

  /// Does work when the anchors before it are set.
  after(work) {
    this.turn = this.turn.then(work).catch((error) => {
      if (error.message !== "closed") this.controller.say(`Scissors failed: ${error.message}`);
    });
    return this.turn;
  }

  async anchor(draft, x, y, isExact) {
    const { controller } = this;
    const isFirst = draft.isEmpty;
    let at = this.inside(x, y);
    const snap = isExact ? 0 : this.snap;
    if (!isFirst) {
      const points = isExact || !this.field ? [at] : this.path(x, y, snap);
      at = points.at(-1) ?? at;
      if (points.length > 0) draft.addPath(points.map(([column, row]) => [column + 0.5, row + 0.5]));
    }
    const field = await controller.editor.workerClient.wire(at[0], at[1], reach, isFirst ? snap : 0);
    if (controller.pen.draft !== draft) return;
    this.field = field;
    if (isFirst) draft.addCorner(field.x + 0.5, field.y + 0.5);
    controller.say(`Anchor ${draft.groups.length}; the line follows the edges. Enter or a double-click closes it`);
    controller.show({ marks: true, status: true });
  }

  /// Returns the pixels from the last anchor to a position. Outside of the window the last piece is straight.
  path(x, y, snap = this.snap) {
    const { field } = this;
    const [column, row] = this.inside(x, y);
    const isIn = column >= field.left && row >= field.top && column < field.left + field.width && row < field.top + field.height;
    if (isIn) return wirePath(field, ...strongest(field.edges, field, column, row, snap));
    const [edgeX, edgeY] = [
      Math.min(Math.max(column, field.left), field.left + field.width - 1),
      Math.min(Math.max(row, field.top), field.top + field.height - 1)];
    return [...wirePath(field, edgeX, edgeY), [column, row]];
  }

  /// The line from the last anchor to the pointer, as points; null if there is none.
  live(pointer) {
    if (!this.draft || !this.field || this.draft.isEmpty || !pointer) return null;
    return this.path(...pointer).map(([column, row]) => [column + 0.5, row + 0.5]);
  }

  /// Closes the line along edges, when all anchors are set.
  close(run) {
    const { draft } = this;
    return this.after(() => {
      if (!draft || this.draft !== draft) return;
      if (draft.points.length > 2 && this.field) {
        const [x, y] = draft.points[0];
        const points = this.path(x, y, 0).slice(0, -1);
        draft.addPath(points.map(([column, row]) => [column + 0.5, row + 0.5]));
      }
      run();
    });
  }

  /// Finds the ways to the last anchor again, after others were taken back.
  tookBack() {
    this.number += 1;
    this.field = null;
    const { draft, controller } = this;
    if (!draft) return;
    const [x, y] = draft.points.at(-1);
    this.after(async () => {
      if (this.draft !== draft) return;
      this.field = await controller.editor.workerClient.wire(Math.floor(x), Math.floor(y), reach, 0);
      controller.show({ marks: true });
    });
  }
}
