// The tools and actions of the mask editor, as lists: the toolbar, the help page and
// the keys are built from them. `key` is spelled as `keyOf` spells an event: "b",
// "Shift+F", "Ctrl+Z", ">", "Delete".

/// The tools: one is selected at a time (`canvas.choose(id)`, `canvas.tool`).
export const tools = [
  { id: "brush", label: "Brush", key: "b", group: "Draw", hint: "Paint pixels; [ and ] change the size; Alt erases; Shift+click draws a straight line" },
  { id: "eraser", label: "Eraser", key: "e", group: "Draw", hint: "Erase pixels of the selected class or object; Shift+click draws a straight line" },
  { id: "polygon", label: "Polygon", key: "p", group: "Draw",
    hint: "Click corners or drag; Enter closes, Backspace removes a corner. Selected polygon: drag a vertex, click an edge to add one" },
  { id: "polygon-cut", label: "Cut polygon", key: "Shift+P", group: "Draw", hint: "Like the polygon, but erases" },
  { id: "box", label: "Box", key: "a", group: "Draw",
    hint: "Drag to draw a box; drag the selected box or its handles; arrows move it (Shift: 10 px, Ctrl: its size)" },
  { id: "oriented", label: "Oriented box", key: "Shift+R", group: "Draw",
    hint: "Drag to draw one; drag its inside, handles or the round handle; [ and ] rotate by 1° ({ and }: 10°), arrows move it" },
  { id: "cutout", label: "Cut-out", key: "Shift+Q", group: "Draw",
    hint: "Drag a box around an object (Shift: a line on it); then strokes add, with Alt they remove; Enter takes it, Esc cancels" },
  { id: "segment", label: "Ask a model", key: "!", group: "Draw",
    hint: "Click the object, with Alt what is not part of it, or drag a box; Enter takes the proposed mask, Esc cancels" },
  { id: "scissors", label: "Scissors", key: "Shift+Y", group: "Draw",
    hint: "Click along an edge: the line follows it (Alt: straight). Enter or a double-click closes, Backspace removes an anchor" },
  { id: "keypoints", label: "Keypoints", key: "Shift+D", group: "Draw",
    hint: "Drag a point of the selected object; Alt+click changes its visibility; a click places one that is not labeled" },
  { id: "fill", label: "Fill", key: "f", group: "Draw",
    hint: "Click inside a closed outline to fill it; Alt+click a part to remove it" },
  { id: "flood", label: "Flood fill", key: "g", group: "Draw",
    hint: "Click a color; drag sideways to change the tolerance; Alt erases" },
  { id: "select", label: "Select object", key: "v", group: "View", hint: "Click an object to edit it; drag a selected box or its handles" },
  { id: "pan", label: "Pan", key: "h", group: "View", hint: "Drag; with any tool: Space or the middle button" },
];

/// The immediate actions (`canvas.act(id)`). `on` names a boolean of `canvas.options` that shows it
/// as pressed; `hold`: it lasts while the key or button is down (`canvas.hold(id, true|false)`).
export const actions = [
  { id: "undo", label: "Undo", key: "Ctrl+Z", group: "History" },
  { id: "redo", label: "Redo", key: "Ctrl+Shift+Z", group: "History" },
  { id: "fill-holes", label: "Fill holes", key: "Shift+F", group: "Shape" },
  { id: "keep-largest", label: "Keep largest part", key: "Shift+L", group: "Shape" },
  { id: "open", label: "Open: remove thin parts", key: "Shift+O", group: "Shape", hint: "Removes parts thinner than 3 pixels" },
  { id: "close", label: "Close: join gaps", key: "Shift+C", group: "Shape", hint: "Fills gaps thinner than 3 pixels" },
  { id: "grow", label: "Grow", key: ">", group: "Shape", hint: "By one pixel all around" },
  { id: "shrink", label: "Shrink", key: "<", group: "Shape", hint: "By one pixel all around" },
  { id: "from-model", label: "Start from the model", key: "Shift+M", group: "Start",
    hint: "Use the predicted mask at the slider's threshold" },
  { id: "from-truth", label: "Start from ground truth", key: "Shift+T", group: "Start",
    hint: "Restore the mask as it was when the sample was opened" },
  { id: "clear", label: "Clear", key: "Shift+Delete", group: "Start", hint: "Erase all pixels" },
  { id: "simplify", label: "Simplify polygon", key: "Shift+S", group: "Shape",
    hint: "Removes vertices of the selected polygon that are within the tolerance of the line without them" },
  { id: "next-vertex", label: "Next vertex or keypoint", key: "Shift+N", group: "Objects",
    hint: "Of the selected object; arrows move it (Shift: 10 px), Delete removes a vertex, Esc deselects" },
  { id: "previous-vertex", label: "Previous vertex or keypoint", key: "Shift+V", group: "Objects" },
  { id: "insert-vertex", label: "Add vertex", key: "Shift+E", group: "Objects",
    hint: "In the middle of the edge after the selected vertex" },
  { id: "turn-point", label: "Visibility of the keypoint", key: "Shift+U", group: "Objects",
    hint: "Of the selected point: visible, hidden, not labeled" },
  { id: "fields", label: "Fields of the object", key: "Shift+W", group: "Objects",
    hint: "Moves the focus to the selected object's fields; Esc returns to the image" },
  { id: "split", label: "Split into parts", key: "Shift+X", group: "Objects",
    hint: "Makes an object of each separate part of the selected one" },
  { id: "merge", label: "Merge objects", key: "Shift+J", group: "Objects",
    hint: "Marks the selected object; on another one of the class, merges it into the marked one" },
  { id: "new-object", label: "New object", key: "i", group: "Objects" },
  { id: "take-box", label: "Take one detection", key: "Shift+I", group: "Objects",
    hint: "Adds the detection under the pointer as an object of its class; the class to draw stays" },
  { id: "take-class", label: "Take all detections of the class", key: "%", group: "Objects",
    hint: "Adds those of the selected class that no object of it overlaps by half; one undo takes them back" },
  { id: "delete-object", label: "Delete object", key: "Delete", group: "Objects" },
  { id: "next-object", label: "Next object", key: "Tab", group: "Objects" },
  { id: "previous-object", label: "Previous object", key: "Shift+Tab", group: "Objects" },
  { id: "whole-category", label: "All instances of the class", key: "w", group: "Objects", on: "wholeCategory",
    hint: "Edit all objects of the class as one region" },
  { id: "hide-category", label: "Hide class", key: "Shift+H", group: "Objects", on: "hidden",
    hint: "Hidden objects are not deleted" },
  { id: "previous-frame", label: "Previous frame", key: "Shift+PageUp", group: "Video" },
  { id: "next-frame", label: "Next frame", key: "Shift+PageDown", group: "Video", hint: "The object of the same track stays selected" },
  { id: "copy-to-next", label: "Copy to next frame", key: "*", group: "Video",
    hint: "Adds the selected object to the next frame, with the same track, and goes there" },
  { id: "new-track", label: "New track", key: "$", group: "Video",
    hint: "Of the selected object, or of the next one that is drawn; what is drawn in other frames joins the track" },
  { id: "interpolate", label: "Interpolate boxes", key: "#", group: "Video",
    hint: "Adds boxes in the frames between the selected box and the last earlier one of its track; asks first" },
  { id: "zoom-in", label: "Zoom in", key: "+", group: "View" },
  { id: "zoom-out", label: "Zoom out", key: "-", group: "View" },
  { id: "fit", label: "Fit", key: "0", group: "View" },
  { id: "actual-size", label: "100 %", key: "Shift+Z", group: "View" },
  { id: "zoom-mask", label: "Zoom to mask", key: "z", group: "View" },
  { id: "outline", label: "Outline or fill", key: "o", group: "View", on: "outline" },
  { id: "show-model", label: "Model outline", key: "m", group: "View", on: "showModel" },
  { id: "before", label: "Compare: before", key: "c", group: "View", hold: true,
    hint: "Hold: the masks as they were when the sample was opened" },
  { id: "picture", label: "Compare: image only", key: "d", group: "View", hold: true, hint: "Hold: no masks" },
];

/// The sliders, which the canvas builds above the image. `keys` lower and raise the value. `tools`: the tools that
/// have it; without it, it belongs to the image or the run.
export const settings = [
  { id: "brushSize", label: "Brush size", min: 1, max: 400, step: 1, value: 20, unit: "px", keys: ["[", "]"],
    tools: ["brush", "eraser", "cutout"] },
  { id: "tolerance", label: "Flood fill tolerance", min: 0, max: 255, step: 1, value: 24, unit: "", keys: ["{", "}"],
    tools: ["flood"] },
  { id: "simplifyTolerance", label: "Simplify tolerance", min: 0.25, max: 20, step: 0.25, value: 1, unit: "px", keys: [":", "\""],
    tools: ["polygon"], hint: "How far from the outline a vertex may be that Shift+S removes" },
  { id: "threshold", label: "Model threshold", min: 0.01, max: 1, step: 0.01, value: 0.5, unit: "", keys: [",", "."] },
  { id: "opacity", label: "Opacity", min: 0, max: 1, step: 0.05, value: 0.35, unit: "", keys: ["(", ")"] },
  { id: "smallestPart", label: "Smallest part", min: 0, max: 5, step: 0.05, value: 0.1, unit: "%", keys: [";", "'"],
    hint: "When the prediction is used, parts smaller than this share of it that touch no object are dropped" },
];

/// Keys that the canvas handles besides those of the lists (for the help page).
export const otherKeys = [
  { keys: "1 … 9", label: "Select the class", group: "Objects" },
  { keys: "[ ]", label: "Brush size (also Shift+wheel)", group: "Draw" },
  { keys: "{ }", label: "Flood fill tolerance", group: "Draw" },
  { keys: ": \"", label: "Tolerance of Simplify polygon", group: "Shape" },
  { keys: ", .", label: "Model threshold", group: "Start" },
  { keys: "( )", label: "Opacity", group: "View" },
  { keys: "; '", label: "Smallest part of the predicted mask", group: "Start" },
  { keys: "Alt or right button", label: "Invert: the brush erases, fill and flood fill remove", group: "Draw" },
  { keys: "Ctrl and click", label: "Select an object, with any tool", group: "Objects" },
  { keys: "Shift and click", label: "Straight line from the end of the last stroke", group: "Draw" },
  { keys: "Enter", label: "Close the polygon", group: "Draw" },
  { keys: "Backspace", label: "Remove the last corner, or the selected vertex (also Delete)", group: "Draw" },
  { keys: "Esc", label: "Cancel the polygon or the stroke; deselect the vertex", group: "Draw" },
  { keys: "Space and drag", label: "Pan", group: "View" },
  { keys: "Arrows", label: "Box tool: move the selected box (Shift: 10 pixels, Ctrl: its right and bottom edges)", group: "Draw" },
  { keys: "Arrows", label: "Polygon tool: move the selected vertex, or the polygon if none is selected (Shift: 10 pixels); keypoint tool: the selected point", group: "Draw" },
  { keys: "Arrows", label: "Pan; with the keyboard cursor on: move the cursor (Shift: 10)", group: "View" },
  { keys: "k", label: "Keyboard cursor on or off; Space then paints, clicks, and sets corners", group: "Draw" },
  { keys: "Ctrl and Space", label: "With the keyboard cursor on: like Alt and a click", group: "Draw" },
];

/// Returns the spelling of a key event in the lists.
export function keyOf(event) {
  const key = event.key === " " ? "Space" : event.key;
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  const control = event.ctrlKey || event.metaKey;
  let name = isLetter ? (control || event.shiftKey ? key.toUpperCase() : key.toLowerCase()) : key;
  if (event.shiftKey && (isLetter || key.length > 1)) name = "Shift+" + name;
  return (control ? "Ctrl+" : "") + (event.altKey ? "Alt+" : "") + name;
}
