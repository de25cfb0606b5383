// The objects of a sample's ground truth, and the effect on each of them of an edit of a whole
// category. The rule is the same as the server's: removed pixels are cut from every object of the
// category; each added part joins the object it touches most (the first one on ties, never a
// crowd); a part that touches none is a new object. In a label map, added pixels are taken from
// objects of other classes.
import { sameBox } from "./box-edges.js";
import { components, dilated } from "./morphology.js";
import { polygonsMask } from "./polygon-fill.js";
import { boxAround, sameRings, vertexCount } from "./rings.js";
import {
  areaOf, boundsOf, contains, emptyMask, intersection, isEmpty, isEqual, maskFromCompressed, sharedArea, subtracting,
  unionOf,
} from "./run-lengths.js";

/// The maximum number of new objects from one edit; the smallest parts beyond it
/// become one object together.
const newObjectLimit = 256;

/// Returns the name of an object that an entry created.
export function madeTarget(uuid, occurrence = 0) {
  return JSON.stringify(occurrence === 0 ? { entry: uuid } : { entry: uuid, occurrence });
}

/// An object as received from the server; its mask is decoded on first use.
class SampleObject {
  constructor(told, width, height) {
    this.target = told.target;
    this.category = told.category;
    this.isCrowd = Boolean(told.crowd);
    this.isChanged = Boolean(told.changed);
    this.box = told.box ?? null;
    this.shape = told.shape ?? "mask";
    this.counts = told.counts ?? null;
    /// The vertices [[x0, y0, x1, y1, …], …] of an object given by polygons; null for others. They count while the mask is
    /// theirs: a stroke makes the object a mask, and undoing it a polygon again.
    this.polygons = told.polygons ?? null;
    this.polygonsMask = null;
    /// Its attributes and keypoints by name. The names are from outside, so this is no plain object.
    this.fields = new Map(Object.entries(told.attributes ?? {}));
    this.size = [width, height];
    this.decoded = told.mask ?? null;
    /// The reason why its mask cannot be decoded, or null.
    this.trouble = null;
  }

  get mask() {
    if (!this.decoded) {
      this.decoded = emptyMask(...this.size);
      if (this.counts) {
        try {
          this.decoded = maskFromCompressed(...this.size, this.counts);
        } catch (error) {
          this.trouble = String(error.message);
        }
      } else if (this.polygons) {
        this.decoded = polygonsMask(this.polygons, ...this.size);
      }
    }
    return this.decoded;
  }

  set mask(mask) {
    if (this.polygons) this.polygonsMask ??= this.mask;
    this.decoded = mask;
    this.knownArea = null;
    this.knownBounds = undefined;
  }

  /// True if it is a box without pixels.
  get isBox() {
    return this.box !== null && !this.counts && this.polygons === null && this.area === 0;
  }

  /// True if it is given by polygons, and no stroke has changed its pixels.
  get isPolygon() {
    return this.polygons !== null
      && (this.polygonsMask === null || this.polygonsMask === this.mask || isEqual(this.polygonsMask, this.mask));
  }

  /// The number of vertices of its polygons.
  get vertices() {
    return vertexCount(this.polygons);
  }

  /// Sets its box or its polygons.
  reshape({ box, polygons }) {
    if (!polygons) {
      this.box = box;
      return;
    }
    this.polygons = polygons;
    this.box = boxAround(polygons);
    this.mask = polygonsMask(polygons, ...this.size);
    this.polygonsMask = null;
  }

  /// x, y and visibility (0, 1 or 2) of each of its keypoints, as in COCO; null if it has none.
  get keypoints() {
    const points = this.fields.get("keypoints");
    const isValid = Array.isArray(points) && points.length > 0 && points.length % 3 === 0
      && points.every((value, at) => Number.isFinite(value) && (at % 3 < 2 || [0, 1, 2].includes(value)));
    return isValid ? points : null;
  }

  /// Sets fields, [[name, value], …]; null removes one.
  setFields(entries) {
    for (const [name, value] of entries) {
      if (value === null) this.fields.delete(name);
      else this.fields.set(name, value);
    }
  }

  /// True if it has pixels.
  get isDrawn() {
    return this.area > 0;
  }

  /// [x, y, width, height] around its pixels; null if it has none.
  get bounds() {
    if (this.knownBounds === undefined) {
      const found = boundsOf(this.mask);
      this.knownBounds = found && [found.x, found.y, found.width, found.height];
    }
    return this.knownBounds;
  }

  get area() {
    return (this.knownArea ??= areaOf(this.mask));
  }
}

/// Returns the labels of the whole image beside its objects, each once: the label of a sample's
/// state, and those among its objects. They are shown, not edited.
export function imageLabels({ label, objects }) {
  const tags = (objects ?? []).filter((one) => one.shape === "tag").map((one) => one.category);
  return [...new Set(label ? [label, ...tags] : tags)];
}

export class Objects {
  /// `isLabelMap`: whether a pixel has at most one class, so that added pixels are taken from objects of other classes.
  constructor(told, width, height, isLabelMap = false) {
    this.width = width;
    this.height = height;
    this.isLabelMap = isLabelMap;
    // Labels of the whole image are no objects: they have no pixels.
    this.items = (told ?? []).filter((one) => one.shape !== "tag").map((one) => new SampleObject(one, width, height));
  }

  find(target) {
    return target === null ? undefined : this.items.find((item) => item.target === target);
  }

  of(category) {
    return this.items.filter((item) => item.category === category);
  }

  add(target, category, mask) {
    const item = new SampleObject({ target, category, mask, changed: true }, this.width, this.height);
    this.items.push(item);
    return item;
  }

  /// Adds an object with a box or with polygons.
  addShape(target, category, shape) {
    const item = new SampleObject(
      { target, category, shape: shape.box ? "box" : "polygon", changed: true }, this.width, this.height);
    item.reshape(shape);
    this.items.push(item);
    return item;
    return item;
  }

  remove(target) {
    this.items = this.items.filter((item) => item.target !== target);
  }

  /// Returns whether both have the same objects.
  isSame(other) {
    return this.items.length === other.items.length && this.items.every((item) => {
      const own = other.find(item.target);
      return own && own.category === item.category && own.isBox === item.isBox && isEqual(own.mask, item.mask)
        && (!item.isBox || sameBox(own.box, item.box)) && own.isPolygon === item.isPolygon
        && (!item.isPolygon || sameRings(own.polygons, item.polygons)) && sameFields(own.fields, item.fields);
    });
  }

  /// Returns the pixels of all objects of a category.
  region(category) {
    return unionOf(this.of(category).map((item) => item.mask), this.width, this.height);
  }

  /// Returns the pixels of a category's objects, without crowds.
  instances(category) {
    const own = this.of(category).filter((item) => !item.isCrowd);
    return unionOf(own.map((item) => item.mask), this.width, this.height);
  }

  /// Returns the smallest object at a pixel among those for which `isShown` returns true; for a
  /// box, its whole interior counts.
  at(x, y, isShown) {
    let best = null;
    let least = Infinity;
    for (const item of this.items) {
      if (!isShown(item) || !(item.isBox ? isIn(item.box, x, y) : contains(item.mask, x, y))) continue;
      const area = item.isBox ? item.box[2] * item.box[3] : item.area;
      if (area < least) [best, least] = [item, area];
    }
    return best;
  }

  /// Applies an edit of a category's region to its objects; `uuid` names the new ones. Parts below
  /// `instanceArea` pixels that touch no object become one new object together. Returns the
  /// changed masks as [{target, category, before, after}], with an empty mask if the object did
  /// not or does not exist.
  edit(category, delta, uuid, instanceArea = 0) {
    const before = new Map(this.of(category).map((item) => [item, item.mask]));
    const whole = unionOf([...before.values()], this.width, this.height);
    const removed = intersection(delta, whole);
    const added = subtracting(delta, whole);
    const after = new Map();
    if (!isEmpty(removed)) {
      for (const [item, mask] of before) {
        const rest = subtracting(mask, removed);
        if (rest.spans.length !== mask.spans.length || areaOf(rest) !== item.area) after.set(item, rest);
      }
    }
    const fresh = [];
    const near = [...before.keys()].filter((item) => !item.isCrowd && !isEmpty(after.get(item) ?? item.mask));
    const joined = new Map();
    for (const part of isEmpty(added) ? [] : components(added)) {
      const best = near.length > 0 ? mostTouched(near, after, part) : null;
      if (best) joined.set(best, [...(joined.get(best) ?? []), part]);
      else fresh.push(part);
    }
    for (const [item, parts] of joined) {
      after.set(item, unionOf([after.get(item) ?? item.mask, ...parts], this.width, this.height));
    }
    // The largest parts come first.
    const small = fresh.findIndex((part) => areaOf(part) < instanceArea);
    if (small >= 0) fresh.push(unionOf(fresh.splice(small), this.width, this.height));
    if (fresh.length > newObjectLimit) {
      fresh.push(unionOf(fresh.splice(newObjectLimit - 1), this.width, this.height));
    }
    const pieces = [...after].map(([item, mask]) => (
      { target: item.target, category, before: before.get(item), after: mask }));
    fresh.forEach((mask, index) => pieces.push({
      target: madeTarget(uuid, index), category, before: emptyMask(this.width, this.height), after: mask,
    }));
    pieces.push(...this.taken(added, (item) => item.category !== category));
    this.put(pieces, "after");
    return pieces;
  }

  /// In a label map, takes pixels that an object has got from those for which `loses` returns true. Returns the changed
  /// masks as `edit` does.
  takeOver(added, loses) {
    const pieces = this.taken(added, loses);
    this.put(pieces, "after");
    return pieces;
  }

  taken(added, loses) {
    if (!this.isLabelMap || isEmpty(added)) return [];
    return this.items.filter((item) => loses(item) && !item.isBox && !isEmpty(intersection(item.mask, added))).map((item) => (
      { target: item.target, category: item.category, before: item.mask, after: subtracting(item.mask, added) }));
  }

  /// Sets the masks of objects to those `before` or `after` an edit. Objects
  /// without pixels are removed.
  put(pieces, when) {
    for (const piece of pieces) {
      const item = this.find(piece.target);
      if (isEmpty(piece[when])) {
        if (item) piece.gone = item;
        this.remove(piece.target);
      } else if (item) {
        item.mask = piece[when];
        item.isChanged = true;
      } else if (piece.gone) {
        piece.gone.mask = piece[when];
        this.items.push(piece.gone);
      } else {
        this.add(piece.target, piece.category, piece[when]);
      }
    }
  }
}

/// Returns whether a box [x, y, width, height] contains the center of a pixel.
function isIn(box, x, y) {
  return x + 0.5 >= box[0] && x + 0.5 < box[0] + box[2] && y + 0.5 >= box[1] && y + 0.5 < box[1] + box[3];
}

function sameFields(one, other) {
  return one.size === other.size
    && [...one].every(([name, value]) => JSON.stringify(value) === JSON.stringify(other.get(name)));
}

function mostTouched(items, after, part) {
  const around = dilated(part, 1);
  const reach = boundsOf(around);
  let best = null;
  let most = 0;
  for (const item of items) {
    const mask = after.get(item) ?? item.mask;
    const first = Math.floor(mask.spans[0] / mask.height);
    const last = Math.floor((mask.spans[mask.spans.length - 1] - 1) / mask.height);
    if (last < reach.x || first >= reach.x + reach.width) continue;
    const contact = sharedArea(around, mask);
    if (contact > most) {
      most = contact;
      best = item;
    }
  }
  return best;
}
