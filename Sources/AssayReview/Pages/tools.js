// What the mask editor can do, as lists: the toolbar, the help page and the keys are built from them.
// `key` is spelled as `keyOf` spells an event: "b", "Shift+F", "Ctrl+Z", ">", "Delete".

/// The tools: one is chosen at a time (`canvas.choose(id)`, `canvas.tool`).
export const tools = [
  { id: "brush", label: "Brush", key: "b", group: "Draw", hint: "Paint pixels; [ and ] change the size; Alt erases; Shift and click draws a straight line" },
  { id: "eraser", label: "Eraser", key: "e", group: "Draw", hint: "Take pixels of the chosen class or object away; Shift and click: a straight line" },
  { id: "polygon", label: "Polygon", key: "p", group: "Draw",
    hint: "Click corners or drag; Enter closes, Backspace takes a corner back, Esc cancels" },
  { id: "polygon-cut", label: "Cut polygon", key: "Shift+P", group: "Draw", hint: "As the polygon, but takes away" },
  { id: "fill", label: "Fill", key: "f", group: "Draw",
    hint: "Click inside a closed outline to fill it; Alt and click on a part to take it away" },
  { id: "flood", label: "Flood by colour", key: "g", group: "Draw",
    hint: "Click a colour; drag sideways for the tolerance; Alt takes away" },
  { id: "select", label: "Choose object", key: "v", group: "View", hint: "Click an object to edit it" },
  { id: "pan", label: "Move picture", key: "h", group: "View", hint: "Drag; with any tool: Space or the middle button" },
];

/// What is done at once (`canvas.act(id)`). `on` names a truth of `canvas.options` that shows it as pressed;
/// `hold`: it lasts as long as the key or button is down (`canvas.hold(id, true|false)`).
export const actions = [
  { id: "undo", label: "Undo", key: "Ctrl+Z", group: "History" },
  { id: "redo", label: "Redo", key: "Ctrl+Shift+Z", group: "History" },
  { id: "fill-holes", label: "Fill holes", key: "Shift+F", group: "Shape" },
  { id: "keep-largest", label: "Keep largest part", key: "Shift+L", group: "Shape" },
  { id: "open", label: "Open: drop thin bits", key: "Shift+O", group: "Shape", hint: "Takes away what is thinner than 3 pixels" },
  { id: "close", label: "Close: join gaps", key: "Shift+C", group: "Shape", hint: "Fills gaps thinner than 3 pixels" },
  { id: "grow", label: "Grow", key: ">", group: "Shape", hint: "By one pixel all around" },
  { id: "shrink", label: "Shrink", key: "<", group: "Shape", hint: "By one pixel all around" },
  { id: "from-model", label: "Start from the model", key: "Shift+M", group: "Start",
    hint: "The model's mask, at the threshold of the slider, becomes the mask" },
  { id: "from-truth", label: "Start from the truth", key: "Shift+T", group: "Start",
    hint: "Back to the mask as it was when the sample was opened" },
  { id: "clear", label: "Clear", key: "Shift+Delete", group: "Start", hint: "Takes all pixels away" },
  { id: "new-object", label: "New object", key: "i", group: "Objects" },
  { id: "delete-object", label: "Delete object", key: "Delete", group: "Objects" },
  { id: "next-object", label: "Next object", key: "Tab", group: "Objects" },
  { id: "previous-object", label: "Previous object", key: "Shift+Tab", group: "Objects" },
  { id: "whole-category", label: "Whole category", key: "w", group: "Objects", on: "wholeCategory",
    hint: "Edit all objects of the category as one region" },
  { id: "hide-category", label: "Hide category", key: "Shift+H", group: "Objects", on: "hidden",
    hint: "Hidden is not deleted" },
  { id: "zoom-in", label: "Zoom in", key: "+", group: "View" },
  { id: "zoom-out", label: "Zoom out", key: "-", group: "View" },
  { id: "fit", label: "Fit", key: "0", group: "View" },
  { id: "actual-size", label: "Pixel for pixel", key: "Shift+Z", group: "View" },
  { id: "zoom-mask", label: "Zoom to the mask", key: "z", group: "View" },
  { id: "outline", label: "Outline or fill", key: "o", group: "View", on: "outline" },
  { id: "show-model", label: "Model's outline", key: "m", group: "View", on: "showModel" },
  { id: "before", label: "Blink: before", key: "c", group: "View", hold: true,
    hint: "Hold: the masks as they were when the sample was opened" },
  { id: "picture", label: "Blink: picture alone", key: "d", group: "View", hold: true, hint: "Hold: no masks" },
];

/// The sliders, built by the canvas itself above the picture. `keys` lower and raise the value.
export const settings = [
  { id: "brushSize", label: "Brush size", min: 1, max: 400, step: 1, value: 20, unit: "px", keys: ["[", "]"] },
  { id: "tolerance", label: "Flood tolerance", min: 0, max: 255, step: 1, value: 24, unit: "", keys: ["{", "}"] },
  { id: "threshold", label: "Model threshold", min: 0.01, max: 1, step: 0.01, value: 0.5, unit: "", keys: [",", "."] },
  { id: "opacity", label: "Opacity", min: 0, max: 1, step: 0.05, value: 0.35, unit: "", keys: ["(", ")"] },
  { id: "smallestPart", label: "Smallest part", min: 0, max: 5, step: 0.05, value: 0.1, unit: "%", keys: [";", "'"],
    hint: "Taking the model's mask leaves out parts below this share of it that touch no object" },
];

/// Keys the canvas takes beside those of the lists (for the help page).
export const otherKeys = [
  { keys: "1 … 9", label: "Choose the category", group: "Objects" },
  { keys: "[ ]", label: "Brush smaller, larger (Shift and wheel too)", group: "Draw" },
  { keys: "{ }", label: "Tolerance of the flood", group: "Draw" },
  { keys: ", .", label: "Threshold of the model's map", group: "Start" },
  { keys: "( )", label: "Opacity", group: "View" },
  { keys: "; '", label: "Smallest part of the model's mask that is taken", group: "Start" },
  { keys: "Alt or right button", label: "The opposite: the brush erases, fill and flood take away", group: "Draw" },
  { keys: "Ctrl and click", label: "Choose an object, with any tool", group: "Objects" },
  { keys: "Shift and click", label: "Straight line from the last stroke's end", group: "Draw" },
  { keys: "Enter", label: "Close the polygon", group: "Draw" },
  { keys: "Backspace", label: "Take the last corner back", group: "Draw" },
  { keys: "Esc", label: "Cancel the polygon or the stroke", group: "Draw" },
  { keys: "Space and drag", label: "Move the picture", group: "View" },
  { keys: "Arrows", label: "Move the picture; with the keyboard cursor on: the cursor (Shift: 10)", group: "View" },
  { keys: "k", label: "Keyboard cursor on or off; Space then paints, clicks, and sets corners", group: "Draw" },
];

/// The spelling of a key event as the lists have it.
export function keyOf(event) {
  const key = event.key === " " ? "Space" : event.key;
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  const control = event.ctrlKey || event.metaKey;
  let name = isLetter ? (control || event.shiftKey ? key.toUpperCase() : key.toLowerCase()) : key;
  if (event.shiftKey && (isLetter || key.length > 1)) name = "Shift+" + name;
  return (control ? "Ctrl+" : "") + (event.altKey ? "Alt+" : "") + name;
}
