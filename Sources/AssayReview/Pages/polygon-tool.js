// Polygons with a pointer or the keyboard: vertices are selected, moved, added and removed, the polygon is moved as a whole
// and simplified. A polygon that is drawn is an object of its own. The editor (editor.js) saves; while a polygon is dragged,
// `editor.reshaping` shows it.
import { count } from "./dom.js";
import {
  edgeAt, movedRings, ringOf, sameRings, simplified, vertexAt, vertexCount, vertexLimit, vertexOf, withNewVertex,
  withVertex, withoutVertex,
} from "./rings.js";
import { polygonsMask } from "./polygon-fill.js";
import { contains, isEmpty } from "./run-lengths.js";
import { addShape, movePolygons } from "./shape-changes.js";
import { ShapeTool } from "./shape-tool.js";

/// The radius of a vertex and the distance from which a drag counts, in canvas pixels.
const vertexReach = 8;
const edgeReach = 5;
const dragStart = 3;

const vertices = (rings) => count(vertexCount(rings), "vertex", "vertices");

/// `nudged` is `{target, polygons}`.
export class PolygonTool extends ShapeTool {
  constructor(controller) {
    super(controller);
    /// The selected vertex, `{rings, ring, index}`, of the polygons that it was selected in; null if none is.
    this.selected = null;
  }

  changes(item) {
    return item.isPolygon;
  }

  /// True if vertices can be moved with the tool that is selected.
  get isActive() {
    return ["polygon", "select"].includes(this.controller.tool);
  }

  /// The selected vertex; null if there is none, or the polygons have changed since.
  get vertex() {
    const item = this.isActive && this.selected ? this.chosen : null;
    const isSame = item && (item.polygons === this.selected.rings || sameRings(item.polygons, this.selected.rings));
    return isSame ? this.selected : null;
  }

  /// True if a closed polygon becomes an object, and not pixels of the selected mask.
  get drawsObjects() {
    const { editor, controller } = this;
    if (!["polygon", "scissors"].includes(controller.tool) || !editor.isOpen || !editor.keepsPolygons) return false;
    const item = editor.objects.find(editor.target);
    return !item || item.isPolygon;
  }

  /// The selected polygon as the marks layer draws it: {rings, vertex, isActive, isDragged}; null if none is selected.
  get marks() {
    const item = this.chosen;
    if (!item) return null;
    const { reshaping } = this.editor;
    return {
      rings: reshaping?.polygons ?? item.polygons, isActive: this.isActive, isDragged: reshaping !== null,
      vertex: reshaping ? reshaping.vertex : this.vertex,
    };
  }

  /// Returns what is at a position of the selected polygon: {vertex}, {edge} or {isInside}; null for nothing.
  gripAt(x, y) {
    const item = this.isActive && !this.controller.pen.draft ? this.chosen : null;
    if (!item) return null;
    const { scale } = this.controller.viewport;
    // The keyboard's cursor moves from pixel to pixel, and vertices are at their corners.
    const least = this.controller.keyboard.cursor ? 0.75 : 0;
    const vertex = vertexAt(item.polygons, x, y, Math.max(vertexReach / scale, least));
    if (vertex) return { vertex };
    const edge = edgeAt(item.polygons, x, y, edgeReach / scale);
    if (edge) return { edge };
    return contains(item.mask, Math.floor(x), Math.floor(y)) ? { isInside: true } : null;
  }

  /// Starts to change the selected polygon if it is at (x, y); returns the work for the pen, or null.
  grip(x, y) {
    const grip = this.gripAt(x, y);
    if (!grip) return null;
    const { controller, editor } = this;
    const { target, polygons: before } = this.chosen;
    if (grip.edge && vertexCount(before) >= vertexLimit) {
      controller.say(`An object has at most ${vertexLimit} vertices; nothing was added`);
      return {};
    }
    const start = dragStart / controller.viewport.scale;
    const rings = grip.edge ? withNewVertex(before, grip.edge) : before;
    const vertex = grip.vertex ?? grip.edge ?? null;
    const [fromX, fromY] = vertex ? vertexOf(rings, vertex) : [0, 0];
    let after = rings;
    let isMoved = false;
    if (vertex) this.show(target, rings, vertex);
    return {
      move: (toX, toY) => {
        isMoved ||= Math.hypot(toX - x, toY - y) >= start;
        if (!isMoved) return;
        after = vertex ? withVertex(rings, vertex, [fromX + toX - x, fromY + toY - y], editor.width, editor.height)
          : movedRings(before, toX - x, toY - y, editor.width, editor.height);
        this.show(target, after, vertex);
      },
      up: () => {
        this.show(null);
        if (!vertex && !isMoved) return this.click(x, y);
        return this.keep(target, before, after, vertex, grip.edge ? "vertex added" : vertex ? "vertex moved" : "moved");
      },
      cancel: () => this.show(null),
    };
  }

  /// A click inside the selected polygon: with the polygon tool the first corner of another one.
  click(x, y) {
    const { controller } = this;
    if (controller.tool === "select") controller.pen.select(x, y);
    else controller.pen.begin(x, y);
  }

  /// Shows polygons that are being dragged; without a target, none.
  show(target, polygons = null, vertex = null) {
    const { editor, controller } = this;
    const isFirst = (editor.reshaping === null) !== (target === null);
    editor.reshaping = target === null ? null : { target, polygons, vertex };
    controller.show({ marks: true, foot: true, overlay: isFirst });
  }

  /// Saves polygons and says what was done; `vertex` is selected then. False if they are not saved.
  keep(target, before, after, vertex, done, words = null) {
    const { controller, editor } = this;
    const item = editor.objects.find(target);
    if (!item?.isPolygon || !sameRings(item.polygons, before)) {
      controller.say("Somebody else changed this object in the meantime; nothing was changed");
      return false;
    }
    if (isEmpty(polygonsMask(after, editor.width, editor.height))) {
      controller.say("The polygon must have a pixel inside the image; nothing was changed");
      return false;
    }
    const isChanged = movePolygons(editor, target, after);
    if (editor.target === target) this.select(vertex && { ring: vertex.ring, index: vertex.index });
    if (isChanged) controller.say(`${editor.subject}: ${done}, ${words ?? this.placeWords ?? vertices(after)}`);
    else if (vertex) controller.say(`${this.placeWords}; Delete removes it, Esc deselects it`);
    return isChanged;
  }

  /// Adds the object that the pen has drawn, without vertices that are within a tolerance; false if it has no pixel.
  add(points, tolerance = 0) {
    const { controller, editor } = this;
    const drawn = ringOf(points, editor.width, editor.height);
    const ring = drawn && tolerance > 0 ? simplified([drawn], tolerance)[0] : drawn;
    if (!ring || ring.length / 2 > vertexLimit || isEmpty(polygonsMask([ring], editor.width, editor.height))) {
      controller.say(ring && ring.length / 2 > vertexLimit
        ? `An object has at most ${vertexLimit} vertices; nothing was added`
        : "The polygon must have a pixel inside the image; nothing was added");
      return false;
    }
    this.selected = null;
    addShape(editor, { polygons: [ring] });
    controller.say(`${editor.subject}: polygon of ${vertices([ring])}`);
    return true;
  }

  // ---- the selected vertex ----

  select(vertex) {
    const rings = this.chosen?.polygons ?? null;
    this.selected = vertex && rings ? { ...vertex, rings } : null;
    this.controller.show({ marks: true, foot: true });
  }

  /// The selected vertex in words: "vertex 3 of 12 at 10.5, 20"; null if there is none.
  get placeWords() {
    const { vertex } = this;
    if (!vertex) return null;
    const { rings, ring, index } = vertex;
    const number = vertexCount(rings.slice(0, ring)) + index + 1;
    return `vertex ${number} of ${vertexCount(rings)} at ${vertexOf(rings, vertex).join(", ")}`;
  }

  /// Deselects the vertex: true if there was one.
  deselect() {
    if (!this.vertex) return false;
    this.select(null);
    this.controller.say(`${this.editor.subject}: no vertex selected`);
    return true;
  }

  /// Says why there is no polygon to work on; null if there is one.
  get trouble() {
    if (!this.chosen) return "Select an object with vertices first: click it in the list, or press Tab on the image (F6 goes there)";
    return this.isActive ? null : "Choose the polygon tool (P) or the select tool (V) first";
  }

  /// Selects the next or the previous vertex.
  step(direction) {
    const { controller, trouble } = this;
    if (trouble) return controller.say(trouble);
    const { polygons } = this.chosen;
    const all = polygons.flatMap((ring, number) => Array.from({ length: ring.length / 2 }, (_, index) => ({ ring: number, index })));
    const { vertex } = this;
    const at = vertex ? all.findIndex((one) => one.ring === vertex.ring && one.index === vertex.index) : direction > 0 ? -1 : 0;
    this.select(all[(at + direction + all.length) % all.length]);
    controller.show({ view: controller.viewport.reveal(...vertexOf(polygons, this.vertex)) });
    return controller.say(`${this.editor.subject}: ${this.placeWords}`);
  }

  /// Adds a vertex in the middle of the edge after the selected one.
  insert() {
    const { controller } = this;
    const { vertex, trouble } = this;
    if (trouble || !vertex) return controller.say(trouble ?? "Select a vertex first (Shift+N)");
    const { target, polygons: before } = this.chosen;
    const { ring, index } = vertex;
    const next = { ring, index: (index + 1) % (before[ring].length / 2) };
    const [[x0, y0], [x1, y1]] = [vertexOf(before, vertex), vertexOf(before, next)];
    const place = [(x0 + x1) / 2, (y0 + y1) / 2].map((value) => Math.round(value * 100) / 100);
    if (vertexCount(before) >= vertexLimit) {
      return controller.say(`An object has at most ${vertexLimit} vertices; nothing was added`);
    }
    const added = { ring, index: index + 1, place };
    return this.keep(target, before, withNewVertex(before, added), added, "vertex added");
  }

  /// Removes the selected vertex: true if there is one.
  remove() {
    const { controller } = this;
    if (this.vertex) controller.pen.up();
    const { vertex } = this;
    if (!vertex) return false;
    const { target, polygons: before } = this.chosen;
    const after = withoutVertex(before, vertex);
    if (!after) return controller.say("A polygon keeps three vertices. Esc, then Delete removes the whole object");
    const count = after[vertex.ring].length / 2;
    this.keep(target, before, after, { ring: vertex.ring, index: vertex.index % count }, "vertex removed");
    return true;
  }

  /// Moves the selected vertex by an arrow key, or the whole polygon if no vertex is selected: true if there is one. The
  /// change is saved when the key is released, so that a held key is one change.
  nudge([dx, dy], isFar) {
    const item = this.isActive ? this.chosen : null;
    if (!item) return false;
    // The pointer holds it.
    if (this.controller.pen.isDown) return true;
    const { editor } = this;
    if (this.nudged?.target !== item.target) {
      this.endNudge();
      this.nudged = { target: item.target, before: item.polygons, polygons: item.polygons, vertex: this.vertex };
    }
    const { nudged } = this;
    const { vertex } = nudged;
    const step = isFar ? 10 : 1;
    if (vertex) {
      const [x, y] = vertexOf(nudged.polygons, vertex);
      nudged.polygons = withVertex(nudged.polygons, vertex, [x + dx * step, y + dy * step], editor.width, editor.height);
    } else {
      nudged.polygons = movedRings(nudged.polygons, dx * step, dy * step, editor.width, editor.height);
    }
    this.show(item.target, nudged.polygons, vertex);
    return true;
  }

  /// Saves what the arrow keys did.
  endNudge() {
    const { nudged } = this;
    if (!nudged) return;
    this.nudged = null;
    this.show(null);
    if (sameRings(nudged.before, nudged.polygons)) return;
    this.keep(nudged.target, nudged.before, nudged.polygons, nudged.vertex, nudged.vertex ? "vertex moved" : "moved");
  }

  // ---- simplifying ----

  get tolerance() {
    return this.controller.options.simplifyTolerance;
  }

  /// Simplifies the selected polygon.
  simplify() {
    const { controller, trouble, tolerance } = this;
    if (!this.chosen) return controller.say(trouble);
    const { target, polygons: before } = this.chosen;
    const after = simplified(before, tolerance);
    if (sameRings(before, after)) return controller.say(`${this.unchanged}; ${vertices(before)}`);
    const words = `${vertexCount(before)} → ${vertices(after)}`;
    return this.keep(target, before, after, null, `simplified at ${tolerance} px`, words);
  }

  get unchanged() {
    return `No vertex is within ${this.tolerance} px of the line without it`;
  }

  /// Says what simplifying would do.
  preview() {
    const item = this.chosen;
    if (!item) return;
    const after = simplified(item.polygons, this.tolerance);
    this.controller.say(sameRings(item.polygons, after) ? this.unchanged
      : `At ${this.tolerance} px: ${vertexCount(item.polygons)} → ${vertices(after)}; Shift+S simplifies`);
  }
}
