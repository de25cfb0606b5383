"""Writes promptable pairs with the signatures of SAM's and SAM 2's exports, and a file with what they answer.

    python3 make_promptable.py FOLDER

The models have no weights that anybody trained. The encoder gives the mean color of each cell of 16 × 16 pixels; the
decoder compares the colors of the cells with those at the points: a cell belongs to the object if its color is nearer to
that of the last point on the object (or of the box's center) than a distance, and not nearer to that of a point that is
not. SAM's input has 64 pixels here and not 1024, and its mask input 16 × 16 and not 256 × 256.

answers.json has what ONNX Runtime, with the pre- and postprocessing of segment_anything 1.0 written in NumPy and Pillow,
answers for the image image.png: `masks`, the run lengths of each prompt's mask along its columns.
"""

import json
import sys

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from PIL import Image

SIDE, CELL = 64, 16
LOW = SIDE // 4
MEAN, STD = np.array([123.675, 116.28, 103.53]), np.array([58.395, 57.12, 57.375])
SAM2_MEAN, SAM2_STD = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])


def value(name, shape, kind=TensorProto.FLOAT):
    return helper.make_tensor_value_info(name, kind, shape)


def const(name, array, kind=np.float32):
    return numpy_helper.from_array(np.asarray(array, kind), name)


def save(path, nodes, inputs, outputs, constants):
    graph = helper.make_graph(nodes, "promptable", inputs, outputs, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    model.ir_version = 8
    onnx.checker.check_model(model)
    onnx.save(model, path)


def pool(name, to):
    """The mean of each cell of LOW × LOW, so that a cell has 4 pixels of the input."""
    return helper.make_node("AveragePool", [name], [to], kernel_shape=[4, 4], strides=[4, 4])


def encoders(folder):
    nchw = value("input_image", [1, 3, SIDE, SIDE])
    out = value("image_embeddings", [1, 3, LOW, LOW])
    save(folder + "/sam_encoder.onnx", [pool("input_image", "image_embeddings")], [nchw], [out], [])
    # samexporter's --use-preprocess: an image of any size with the long side of the input, normalized and padded inside.
    nodes = [
        helper.make_node("Sub", ["input_image", "mean"], ["a"]), helper.make_node("Div", ["a", "std"], ["b"]),
        helper.make_node("Transpose", ["b"], ["c"], perm=[2, 0, 1]),
        helper.make_node("Shape", ["c"], ["size"]), helper.make_node("Sub", ["whole", "size"], ["rest"]),
        helper.make_node("Concat", ["zeros", "rest"], ["pads"], axis=0),
        helper.make_node("Pad", ["c", "pads"], ["d"]), helper.make_node("Unsqueeze", ["d", "axis"], ["e"]),
        pool("e", "image_embeddings"),
    ]
    constants = [const("mean", MEAN), const("std", STD), const("whole", [3, SIDE, SIDE], np.int64),
                 const("zeros", [0, 0, 0], np.int64), const("axis", [0], np.int64)]
    save(folder + "/sam_any_encoder.onnx", nodes, [value("input_image", ["image_height", "image_width", 3])], [out],
         constants)
    nodes = [pool("image", "image_embed"), helper.make_node("Identity", ["image_embed"], ["high_res_feats_0"]),
             helper.make_node("Identity", ["image_embed"], ["high_res_feats_1"])]
    save(folder + "/sam2_encoder.onnx", nodes, [value("image", [1, 3, SIDE, SIDE])],
         [value(name, [1, 3, LOW, LOW]) for name in ("high_res_feats_0", "high_res_feats_1", "image_embed")], [])


def decoder(path, embedding, is_sam2):
    """Weights of the points: exp(-d²) of the color of each cell to that at the point, for label 1 and -1 for label 0."""
    nodes = [
        # The cell of each point, [N]: x // 4 + LOW * (y // 4).
        helper.make_node("Floor", ["cells"], ["whole"]), helper.make_node("Div", ["point_coords", "four"], ["cells"]),
        helper.make_node("Clip", ["whole", "zero", "last"], ["within"]),
        helper.make_node("Mul", ["within", "strides"], ["parts"]),
        helper.make_node("ReduceSum", ["parts", "axis2"], ["index"], keepdims=0),
        helper.make_node("Cast", ["index"], ["indices"], to=TensorProto.INT64),
        helper.make_node("Squeeze", ["indices", "axis0"], ["places"]),
        helper.make_node("Reshape", [embedding, "flat"], ["colors"]),
        helper.make_node("Gather", ["colors", "places"], ["picked"], axis=1),
        helper.make_node("Unsqueeze", ["picked", "axis2"], ["p"]), helper.make_node("Unsqueeze", ["colors", "axis1"], ["q"]),
        helper.make_node("Sub", ["p", "q"], ["d"]), helper.make_node("Mul", ["d", "d"], ["dd"]),
        helper.make_node("ReduceSum", ["dd", "axis0"], ["far"], keepdims=0),
        helper.make_node("Neg", ["far"], ["minus"]), helper.make_node("Exp", ["minus"], ["near"]),
        # 1 for points on the object, -1 for others, 0.5 for the corners of a box, 0 for the point of the label -1.
        helper.make_node("Cast", ["point_labels"], ["labels"], to=TensorProto.INT64),
        helper.make_node("Add", ["labels", "one_whole"], ["row"]),
        helper.make_node("Gather", ["signs", "row"], ["sign"]),
        helper.make_node("MatMul", ["sign", "near"], ["sum"]), helper.make_node("Sub", ["sum", "half"], ["value"]),
        helper.make_node("Reshape", ["value", "map"], ["first"]),
        # The second mask is everything, and its estimate is worse.
        helper.make_node("Abs", ["first"], ["all"]), helper.make_node("Concat", ["all", "first"], ["low"], axis=1),
        # The other inputs must be there, and are not zero by accident.
        helper.make_node("ReduceSum", ["mask_input", "axes"], ["m"], keepdims=0),
        helper.make_node("Mul", ["m", "has_mask_input"], ["used"]),
        helper.make_node("Add", ["low", "used"], ["masks" if is_sam2 else "low_res_masks"]),
        helper.make_node("Identity", ["estimates"], ["iou_predictions"]),
    ]
    nodes[0], nodes[1] = nodes[1], nodes[0]
    constants = [
        const("four", 4), const("zero", 0), const("last", LOW - 1), const("strides", [1, LOW]), const("axis0", [0], np.int64),
        const("axis1", [1], np.int64), const("axis2", [2], np.int64), const("flat", [3, LOW * LOW], np.int64),
        const("one_whole", 1, np.int64), const("signs", [0, -1, 1, 0.5, 0.5]), const("half", 0.5),
        const("map", [1, 1, LOW, LOW], np.int64), const("axes", [0, 1, 2, 3], np.int64), const("estimates", [[0.25, 0.75]]),
    ]
    names = ["image_embed", "high_res_feats_0", "high_res_feats_1"] if is_sam2 else ["image_embeddings"]
    inputs = [value(name, [1, 3, LOW, LOW]) for name in names] + [
        value("point_coords", [1 if not is_sam2 else "labels", "points", 2]),
        value("point_labels", [1 if not is_sam2 else "labels", "points"]),
        value("mask_input", [1, 1, LOW, LOW]), value("has_mask_input", [1])]
    outputs = [value("iou_predictions", [1, 2]), value("masks" if is_sam2 else "low_res_masks", [1, 2, LOW, LOW])]
    if is_sam2:
        zero = []
        for name in names[1:]:
            zero.append(helper.make_node("Identity", [name], [name + "_out"]))
        nodes += zero
    else:
        # The masks in the image's size, as the official export has them.
        inputs.append(value("orig_im_size", [2]))
        outputs.insert(0, value("masks", [1, 2, "height", "width"]))
        nodes += [
            helper.make_node("Cast", ["orig_im_size"], ["sides"], to=TensorProto.INT64),
            helper.make_node("Concat", ["ones", "sides"], ["wanted"], axis=0),
            helper.make_node("Resize", ["low_res_masks", "", "", "wanted"], ["masks"], mode="linear",
                             coordinate_transformation_mode="half_pixel")]
        constants.append(const("ones", [1, 2], np.int64))
    save(path, nodes, inputs, outputs, constants)


def near_misses(folder):
    """Pairs that must be refused: EfficientSAM's inputs, and an encoder whose normalization is not known."""
    inputs = [value("image_embeddings", [1, 3, LOW, LOW]), value("batched_point_coords", [1, 1, "points", 2]),
              value("batched_point_labels", [1, 1, "points"]), value("orig_im_size", [2], TensorProto.INT64)]
    save(folder + "/efficient_decoder.onnx", [
        helper.make_node("Identity", ["image_embeddings"], ["output_masks"]),
        helper.make_node("ReduceMean", ["batched_point_coords"], ["iou_predictions"], keepdims=0, axes=[0, 1, 2])],
        inputs, [value("output_masks", [1, 3, LOW, LOW]), value("iou_predictions", [2])], [])
    save(folder + "/other_encoder.onnx", [pool("x", "image_embeddings")], [value("x", [1, 3, SIDE, SIDE])],
         [value("image_embeddings", [1, 3, LOW, LOW])], [])


def interpolate(field, height, width):
    """PyTorch's F.interpolate(mode="bilinear", align_corners=False)."""
    def taps(source, target):
        place = np.maximum((np.arange(target) + 0.5) * source / target - 0.5, 0)
        first = np.minimum(place.astype(int), source - 1)
        return first, np.minimum(first + 1, source - 1), place - first
    top, bottom, down = taps(field.shape[0], height)
    left, right, along = taps(field.shape[1], width)
    rows = field[top] * (1 - down)[:, None] + field[bottom] * down[:, None]
    return rows[:, left] * (1 - along) + rows[:, right] * along


def answer(encoder, dec, kind, image, points, box):
    height, width = image.shape[:2]
    scale = SIDE / max(height, width)
    new = (SIDE, SIDE) if kind == "sam2" else (int(height * scale + 0.5), int(width * scale + 0.5))
    if kind == "sam2":
        import cv2
        small = cv2.resize(image, (SIDE, SIDE)).astype(np.float64)
        tensor = ((small / 255 - SAM2_MEAN) / SAM2_STD).transpose(2, 0, 1)[None].astype(np.float32)
        found = encoder.run(["image_embed", "high_res_feats_0", "high_res_feats_1"], {"image": tensor})
        feed = dict(zip(["image_embed", "high_res_feats_0", "high_res_feats_1"], found))
    else:
        small = np.asarray(Image.fromarray(image).resize((new[1], new[0]), Image.BILINEAR)).astype(np.float64)
        if kind == "sam":
            padded = np.zeros((3, SIDE, SIDE))
            padded[:, :new[0], :new[1]] = ((small - MEAN) / STD).transpose(2, 0, 1)
            tensor = padded[None].astype(np.float32)
        else:
            tensor = small.astype(np.float32)
        feed = {"image_embeddings": encoder.run(None, {"input_image": tensor})[0],
                "orig_im_size": np.array([height, width], np.float32)}
    listed = [(x, y, 1 if is_object else 0) for x, y, is_object in points]
    if box:
        listed += [(box[0], box[1], 2), (box[0] + box[2], box[1] + box[3], 3)]
    scaled = [(x * new[1] / width, y * new[0] / height, label) for x, y, label in listed]
    if not box and kind != "sam2":
        scaled.append((0, 0, -1))
    feed["point_coords"] = np.array([[(x, y) for x, y, _ in scaled]], np.float32)
    feed["point_labels"] = np.array([[label for _, _, label in scaled]], np.float32)
    feed["mask_input"] = np.zeros((1, 1, LOW, LOW), np.float32)
    feed["has_mask_input"] = np.zeros(1, np.float32)
    scores, masks = dec.run(["iou_predictions", "masks" if kind == "sam2" else "low_res_masks"], feed)
    best = int(np.argmax(scores[0]))
    field = masks[0, best].astype(np.float64)
    if kind != "sam2":
        field = interpolate(field, SIDE, SIDE)[:new[0], :new[1]]
    return interpolate(field, height, width), float(scores[0, best])


def runs(mask):
    found, last, length = [], False, 0
    for one in mask.T.ravel():
        if one != last:
            found.append(length)
            last, length = bool(one), 0
        length += 1
    return found + [length]


def main(folder):
    encoders(folder)
    decoder(folder + "/sam_decoder.onnx", "image_embeddings", False)
    decoder(folder + "/sam2_decoder.onnx", "image_embed", True)
    near_misses(folder)
    height, width = 90, 140
    y, x = np.mgrid[:height, :width]
    image = np.stack([40 + x // 2, 200 - y, np.full_like(x, 60)], -1).astype(np.uint8)
    image[np.hypot(x - 45, y - 40) < 25] = (230, 40, 30)
    image[60:85, 90:130] = (20, 60, 220)
    Image.fromarray(image).save(folder + "/image.png")
    prompts = [
        {"points": [[45, 40, True]], "box": None},
        {"points": [[110, 70, True]], "box": None},
        {"points": [[45, 40, True], [110, 70, True], [10, 80, False]], "box": None},
        {"points": [[100, 75, True]], "box": [88, 58, 44, 29]},
    ]
    told = []
    for kind, first, second in (("sam", "sam_encoder", "sam_decoder"), ("any", "sam_any_encoder", "sam_decoder"),
                                ("sam2", "sam2_encoder", "sam2_decoder")):
        encoder = onnxruntime.InferenceSession(f"{folder}/{first}.onnx")
        dec = onnxruntime.InferenceSession(f"{folder}/{second}.onnx")
        for prompt in prompts:
            field, score = answer(encoder, dec, kind, image, prompt["points"], prompt["box"])
            told.append({"encoder": first, "decoder": second, "prompt": prompt, "score": score, "runs": runs(field > 0),
                         # Pixels so near to the threshold that rounding decides.
                         "close": int((np.abs(field) < 1e-4).sum())})
    with open(folder + "/answers.json", "w", encoding="utf-8") as file:
        json.dump(told, file)


if __name__ == "__main__":
    main(sys.argv[1])
