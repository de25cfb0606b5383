// The run's predictions for a sample: its masks by category, its objects, its probability maps.
import { sessionHeader } from "./api.js";
import { areaOf, bitsOf, emptyMask, intersection, maskFromCompressed, union } from "./run-lengths.js";
import { mapLimit } from "./flood.js";

export class ModelMasks {
  /// `changed` is called when a map has been loaded.
  constructor(run, width, height, mapURL, workerClient, changed) {
    Object.assign(this, { run, width, height, mapURL, workerClient, changed });
    this.masks = new Map();
    this.bits = { category: null, bits: null };
    this.map = { category: null, bytes: null, loading: null };
  }

  get name() {
    return this.run?.name ?? null;
  }

  /// True if the run is from a detector.
  get isDetector() {
    return typeof this.run?.score === "number";
  }

  /// The minimum confidence of the detections that a take copies.
  get score() {
    return this.run?.score ?? 0.5;
  }

  /// The detections, the most confident first: [{category, confidence, box, counts}].
  get boxes() {
    return this.run?.boxes ?? [];
  }

  /// Returns the detections of a category that a take would copy.
  boxesOf(category) {
    return this.boxes.filter((one) => one.category === category && one.confidence >= this.score);
  }

  hasMap(category) {
    return Boolean(this.run?.maps?.includes(category) && this.mapURL?.(category));
  }

  /// True if the run has maps of any category.
  get hasMaps() {
    return Boolean(this.run?.maps?.length);
  }

  /// True if the run has masks or maps of any category.
  get hasMasks() {
    return Boolean(this.run?.masks?.length || this.run?.maps?.length);
  }

  has(category) {
    return this.mask(category) !== null || this.hasMap(category);
  }

  /// Returns the run's mask of a category; null if it has none.
  mask(category) {
    if (!this.masks.has(category)) {
      const told = this.run?.masks?.find((mask) => mask.category === category);
      this.masks.set(category, told ? this.read(told.counts) : null);
    }
    return this.masks.get(category);
  }

  read(counts) {
    try {
      return counts ? maskFromCompressed(this.width, this.height, counts) : emptyMask(this.width, this.height);
    } catch {
      return null;
    }
  }

  /// Returns the run's object of a category with the largest IoU with a mask; null
  /// if none overlaps it.
  objectNear(category, mask) {
    let best = null;
    let most = 0;
    for (const box of this.boxes) {
      const other = box.category === category && box.counts ? this.read(box.counts) : null;
      if (!other) continue;
      const share = areaOf(intersection(mask, other)) / Math.max(areaOf(union(mask, other)), 1);
      if (share > most) {
        most = share;
        best = other;
      }
    }
    return best;
  }

  /// Returns the bytes to compare and the limit from which they count as set; null if there
  /// is nothing to show. With a threshold, these are from the map if it is loaded, otherwise
  /// from the run's mask.
  shown(category, threshold) {
    if (threshold !== null && this.hasMap(category)) {
      if (this.map.category === category && this.map.bytes) {
        return { bytes: this.map.bytes, limit: Math.max(mapLimit(threshold), 1) };
      }
      this.load(category).catch(() => {});
    }
    const mask = this.mask(category);
    if (!mask) {
      return threshold === null && this.hasMap(category) ? this.shown(category, 0.5) : null;
    }
    if (this.bits.category !== category) this.bits = { category, bits: bitsOf(mask) };
    return { bytes: this.bits.bits, limit: 1 };
  }

  /// Fetches the map of a category.
  load(category) {
    if (this.map.category === category) return this.map.loading;
    const map = { category, bytes: null, loading: null };
    this.map = map;
    map.loading = (async () => {
      const response = await fetch(this.mapURL(category), { credentials: "omit", headers: sessionHeader() });
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      if (bytes.length !== this.width * this.height) throw new Error("the map's size differs from the image's");
      map.bytes = await this.workerClient.map(category, bytes, this.width, this.height);
      this.changed();
    })();
    map.loading.catch(() => {
      // The next attempt can succeed.
      if (this.map === map) this.map = { category: null, bytes: null, loading: null };
    });
    return map.loading;
  }

  /// Returns the mask of a category's map at a threshold.
  async atThreshold(category, threshold) {
    await this.load(category);
    return this.workerClient.threshold(category, threshold);
  }
}
