// Asking a promptable model for the mask of an object: clicks on it and beside it, and a box around it. The proposal itself
// is that of cutting out (cutout-tool.js): it has `steps`, each {point: {x, y, object}} or {box}.
import { boxBetween } from "./box-edges.js";

/// The distance from which a drag counts, in canvas pixels, and the smallest side of a box in pixels of the image.
const dragStart = 3;
const smallest = 3;
/// The number of points that the server takes.
const most = 64;

const noModel = "No promptable model: add one with assay model add ENCODER --decoder DECODER, then start the server again "
  + "(with several, --segmenter NAME)";

/// Starts a click or a box; returns the work for the pen. `tool` is the CutoutTool.
export function promptDown(tool, x, y, isOther) {
  const { controller, editor } = tool;
  if (controller.busy) return null;
  const refuse = (words) => {
    controller.say(words);
    return null;
  };
  if (!controller.host.segment) return refuse(noModel);
  if (editor.hidden.has(editor.category)) return refuse(`${editor.category} is hidden; Shift+H shows it`);
  if (tool.proposal?.steps.length >= most) return refuse(`At most ${most} points and boxes; Ctrl+Z removes the last one`);
  let isDrawn = false;
  return {
    move: (toX, toY) => {
      isDrawn ||= Math.hypot(toX - x, toY - y) >= dragStart / controller.viewport.scale;
      if (isDrawn) tool.show({ box: boxBetween([x, y], [toX, toY], editor.width, editor.height) });
    },
    up: () => {
      const box = tool.drawing?.box;
      tool.show(null);
      if (isDrawn) {
        return box[2] < smallest || box[3] < smallest ? controller.say("The box is too small: drag it around an object")
          : tool.prompt({ box });
      }
      if (!tool.proposal && isOther) return controller.say("Click the object first, or drag a box around it");
      return tool.prompt({ point: { x, y, object: !isOther } });
    },
    cancel: () => tool.show(null),
  };
}

/// Returns the question of steps: all points, and the last box.
export function promptBody(steps) {
  const box = steps.findLast((step) => step.box)?.box;
  return { points: steps.filter(({ point }) => point).map(({ point }) => point), ...(box ? { box } : {}) };
}

/// Returns the text below the image while there is a proposal.
export function promptWords({ request, proposal }) {
  if (request) return proposal.mask ? "computing…" : "computing… the first answer for an image takes longest";
  return "Enter takes it; click what is missing, with Alt what is too much; Ctrl+Z removes the last click, Esc cancels";
}
