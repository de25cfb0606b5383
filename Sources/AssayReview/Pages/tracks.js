// The track of new objects in the frames of a video: none, a new one for each object, or the one that was selected last,
// which an object joins that is drawn in another frame.
import { make, remembered, fill } from "./dom.js";

/// The number of random tracks. Two people who begin a track at the same time must not make one.
const trackLimit = 1e9;

/// Returns the number of a new track.
export function newTrack() {
  return Math.floor(Math.random() * trackLimit) + 1;
}

export function isSame(one, other) {
  return one !== undefined && one !== null && one === other;
}

/// The track of an object, or null.
export function trackOf(item) {
  return item?.fields.get("track") ?? null;
}

export class Tracks {
  constructor(film, name) {
    this.film = film;
    this.name = name;
    /// {value, category} of the track that objects join, {value: null} to begin one, or null for none.
    this.next = kept(name);
    /// The object that was looked at last: only another one changes the track.
    this.seen = null;
    this.given = null;
    this.menu = make("select", { "aria-label": "Track of new objects" });
    this.menu.addEventListener("change", () => this.choose(this.menu.value));
    this.element = make("label", { class: "canvas-track", hidden: true },
      make("span", {}, "Track"), this.menu);
  }

  set(next) {
    this.next = next;
    remembered.set(this.name, JSON.stringify(next));
  }

  choose(value) {
    if (value === "none") this.set(null);
    else if (value === "new") this.set({ value: null, category: null });
    this.film.canvas.focus();
    this.update();
  }

  /// Follows the selection, and shows the track.
  update() {
    const { film } = this;
    this.element.hidden = !film.place;
    const { item } = film;
    const mark = item ? `${film.visit?.sample} ${item.target} ${trackOf(item)}` : null;
    if (mark !== null && mark !== this.seen && trackOf(item) !== null) this.set({ value: trackOf(item), category: item.category });
    this.seen = mark;
    const option = (value, words) => make("option", { value }, words);
    fill(this.menu, option("none", "new objects: none"), option("new", "new objects: a new one"),
      this.next && this.next.value !== null ? option("join", `${this.next.category}, track ${this.next.value}`) : null);
    this.menu.value = !this.next ? "none" : this.next.value === null ? "new" : "join";
    this.menu.title = this.menu.selectedOptions[0]?.textContent ?? "";
  }

  /// Begins a track: for the selected object if it has none, otherwise for the next one that is drawn.
  begin() {
    const { item, canvas, place } = this.film;
    if (!place) return this.film.say("This image is no frame of a video");
    if (!item || trackOf(item) !== null) {
      this.choose("new");
      return this.film.say("The next object that you draw begins a new track");
    }
    const track = newTrack();
    canvas.setFields(item.target, { track });
    return this.film.say(`${item.category}: new track ${track}; an object of the class that you draw in another frame joins it`);
  }

  /// Returns the fields of an object that is drawn, or null. It joins the track unless the frame has an object of that,
  /// or the class is another one: then it begins a track.
  fieldsOfNew(category) {
    const { next, film } = this;
    this.given = null;
    if (!film.place || !next) return null;
    const isJoin = next.value !== null && next.category === category
      && !film.canvas.objects.items.some((one) => isSame(trackOf(one), next.value));
    const track = isJoin ? next.value : newTrack();
    this.given = isJoin ? `, joins track ${track} ($ begins another one)` : `, new track ${track}`;
    this.set({ value: track, category });
    return { track };
  }
}

/// Returns the track that a page before this one remembered, or null.
function kept(name) {
  try {
    const found = JSON.parse(remembered.get(name) ?? "null");
    return found && "value" in found ? found : null;
  } catch {
    return null;
  }
}
