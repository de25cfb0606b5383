// The icons of the tools: lines on a grid of 16 × 16, in the color of the text. They repeat the label beside
// them, so screen readers pass over them.
const namespace = "http://www.w3.org/2000/svg";

/// Path data by the id of a tool or action (tools.js).
const paths = {
  brush: "M13.5 2.5 7 9M5.5 8.5l2 2c-.5 2.5-2 3-5 3 1-1 .5-2 .8-3 .3-1.2 1.2-2 2.2-2z",
  eraser: "M6 13.5H13.5M2.5 9.5 9 3l4 4-6.5 6.5H5z M5.7 6.3l4 4",
  polygon: "M3 5.5 9.5 2.5 13.5 8 10.5 13.5 4 12z",
  "polygon-cut": "M3 5.5 9.5 2.5 13.5 8 10.5 13.5 4 12zM6 8h4.5",
  box: "M4 4h8v8H4zM2.5 2.5h3v3h-3zM10.5 2.5h3v3h-3zM2.5 10.5h3v3h-3zM10.5 10.5h3v3h-3z",
  oriented: "M6 2.5 13.5 7 10 13.5 2.5 9zM11.5 2.5a4 4 0 0 1 2.2 2.2",
  cutout: "M2.5 5V2.5H5M11 2.5h2.5V5M13.5 11v2.5H11M5 13.5H2.5V11M8 5a3 3 0 1 0 .01 0z",
  segment: "M2.5 6.5h6v7h-6zM11.5 1.5l.9 2.6 2.6.9-2.6.9-.9 2.6-.9-2.6L8 5l2.6-.9z",
  scissors: "M4 9.5a2 2 0 1 0 .01 0zM12 9.5a2 2 0 1 0 .01 0zM5 9.8 11 2M11 9.8 5 2",
  "previous-frame": "M2.5 3.5h11v9h-11zM9.5 5.5 6.5 8l3 2.5",
  "next-frame": "M2.5 3.5h11v9h-11zM6.5 5.5 9.5 8l-3 2.5",
  "copy-to-next": "M2.5 2.5h7v7h-7zM6.5 12.5h7v-7M11 10l2.5 2.5L11 15",
  "new-track": "M2 12.5l4-4 3 2 4.5-5M11 2.5v4M9 4.5h4",
  interpolate: "M1.5 9.5h4v4h-4zM10.5 2.5h4v4h-4zM7 8.5l2-1.5",
  fill: "M7 2.5 12.5 8 7.5 13 2.5 8zM2.5 8h10M13.5 10.5v2.5",
  flood: "M8 2.5C5.5 6 4 7.8 4 9.8a4 4 0 0 0 8 0C12 7.8 10.5 6 8 2.5z",
  select: "M4 2.5v10l2.7-2.5 1.8 3.8 1.8-.9-1.8-3.7H12z",
  pan: "M8 2v12M2 8h12M6.5 3.5 8 2l1.5 1.5M6.5 12.5 8 14l1.5-1.5M3.5 6.5 2 8l1.5 1.5M12.5 6.5 14 8l-1.5 1.5",
  undo: "M5.5 3 2.5 6l3 3M2.5 6H9.5a3.5 3.5 0 0 1 0 7H6",
  redo: "M10.5 3l3 3-3 3M13.5 6H6.5a3.5 3.5 0 0 0 0 7H10",
  "fill-holes": "M8 2.5a5.5 5.5 0 1 0 .01 0zM8 6a2 2 0 1 0 .01 0zM7 8h2",
  "keep-largest": "M6.5 4.5a4.5 4.5 0 1 0 .01 0zM12 3l2 2M14 3l-2 2",
  open: "M5 8a2.5 2.5 0 1 0-.01 0zM11 8a2.5 2.5 0 1 0-.01 0zM2.5 12.5h11M8 4v3",
  close: "M5 10.5a2.5 2.5 0 1 0-.01 0zM11 10.5a2.5 2.5 0 1 0-.01 0zM7.5 8h1",
  grow: "M8 6a2 2 0 1 0 .01 0zM8 4V1.5M8 14.5V12M4 8H1.5M14.5 8H12",
  shrink: "M8 7a1 1 0 1 0 .01 0zM8 1.5V5M8 14.5V11M1.5 8H5M14.5 8H11M6.5 3.5 8 5l1.5-1.5M6.5 12.5 8 11l1.5 1.5",
  "from-model": "M4.5 4.5h7v7h-7zM6.5 2v2.5M9.5 2v2.5M6.5 11.5V14M9.5 11.5V14M2 6.5h2.5M2 9.5h2.5M11.5 6.5H14M11.5 9.5H14",
  "from-truth": "M3 3v3.5h3.5M3.2 6.5a5.2 5.2 0 1 1-.4 3M8 5.5V8l2 1.5",
  clear: "M3.5 3.5h9v9h-9zM6 6l4 4M10 6l-4 4",
  simplify: "M2.5 12 4.5 6l3-2 4 .5 2 5.5M2.5 12l5-8 6 6",
  "next-vertex": "M2.5 12 7 4l4 3M12.5 7.5a1.5 1.5 0 1 0 .01 0zM9 13h5M12 11l2 2-2 2",
  "previous-vertex": "M13.5 12 9 4 5 7M3.5 7.5a1.5 1.5 0 1 0 .01 0zM7 13H2M4 11l-2 2 2 2",
  "insert-vertex": "M2.5 12 13.5 4M8 6.5a1.5 1.5 0 1 0 .01 0zM11 12h4M13 10v4",
  keypoints: "M8 2a1.5 1.5 0 1 0 .01 0zM4 11a1.5 1.5 0 1 0 .01 0zM12 11a1.5 1.5 0 1 0 .01 0zM7.4 5 4.7 11M8.6 5l2.8 6",
  "turn-point": "M1.5 8C3.5 5 5.6 3.7 8 3.7S12.5 5 14.5 8c-2 3-4.1 4.3-6.5 4.3S3.5 11 1.5 8zM8 6.2a1.8 1.8 0 1 0 .01 0z",
  fields: "M2.5 4h4M2.5 8h4M2.5 12h4M8.5 2.8h5v2.4h-5zM8.5 6.8h5v2.4h-5zM8.5 10.8h5v2.4h-5z",
  split: "M2.5 4h4v8h-4zM9.5 4h4v8h-4zM8 2v12",
  merge: "M2.5 4h6v6h-6zM7.5 7h6v6h-6z",
  "new-object": "M8 3v10M3 8h10",
  "take-class": "M2.5 5.5h6v6h-6zM5.5 5.5v-3h6v6h-3M12 10v5M9.5 12.5h5",
  "take-box": "M2.5 3.5h7v7h-7zM12 7v7M8.5 10.5h7",
  "delete-object": "M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.6 8.5h5.8l.6-8.5M6.7 7v3.5M9.3 7v3.5",
  "next-object": "M3 8h9M8.5 4.5 12 8l-3.5 3.5M13.5 4v8",
  "previous-object": "M13 8H4M7.5 4.5 4 8l3.5 3.5M2.5 4v8",
  "whole-category": "M2.5 2.5h5v5h-5zM9.5 8.5h4v5h-4zM9.5 2.5h4v3.5h-4zM2.5 10h5v3.5h-5z",
  "hide-category": "M1.5 8C3.5 5 5.6 3.7 8 3.7S12.5 5 14.5 8c-2 3-4.1 4.3-6.5 4.3S3.5 11 1.5 8zM3 13 13 3",
  "zoom-in": "M7 2.5a4.5 4.5 0 1 0 .01 0zM10.3 10.3l3.2 3.2M5 7h4M7 5v4",
  "zoom-out": "M7 2.5a4.5 4.5 0 1 0 .01 0zM10.3 10.3l3.2 3.2M5 7h4",
  fit: "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10",
  "actual-size": "M3.5 5 5 4v8M11 5l1.5-1v8M8.5 6.5v.01M8.5 10v.01",
  "zoom-mask": "M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10M8 6a2 2 0 1 0 .01 0z",
  outline: "M8 2.5a5.5 5.5 0 1 0 .01 0zM8 2.5v11",
  "show-model": "M2.5 4.5v-2h2M6.5 2.5h3M11.5 2.5h2v2M13.5 6.5v3M13.5 11.5v2h-2M9.5 13.5h-3M4.5 13.5h-2v-2M2.5 9.5v-3",
  before: "M8 2.5a5.5 5.5 0 1 0 .01 0zM8 5v3.2l2.2 1.3",
  picture: "M2.5 3.5h11v9h-11zM2.5 11l3.5-3.5 3 3 2-1.8 2.5 2.3M10.5 6v.01",
};

/// Returns the icon of a tool or action; a plain square if it has none.
export function icon(id) {
  const image = document.createElementNS(namespace, "svg");
  image.setAttribute("class", "tool-icon");
  image.setAttribute("viewBox", "0 0 16 16");
  image.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", paths[id] ?? "M5.5 5.5h5v5h-5z");
  image.append(path);
  return image;
}

/// Returns whether a tool or action has an icon of its own.
export function hasIcon(id) {
  return Object.hasOwn(paths, id);
}
