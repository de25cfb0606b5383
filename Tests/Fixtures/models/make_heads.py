#!/usr/bin/env python3
"""Writes small models whose outputs are classes instead of scores, masks and keypoints of chosen boxes, grids with
anchors, and rotated boxes, and heads.json with what numpy, PyTorch and pycocotools make of them: onnx 1.23.2, numpy 2.4.6, torch 2.15.0,
pycocotools 2.0.11, OpenCV 5.0.0, ultralytics 8.4.190.

Classifiers take x [N, 1, 2, 2], p is the mean of x; the scores of the three classes are p, 1 - p and 0.45:

    class_number      y [N] of i64: the class with the highest score
    class_number_one  y [N, 1] of f32: the same, from 1 on
    class_top         classes [N, 2] of i64 and scores [N, 2]: the two best classes, the second best first
    class_both        label [N] of i64 and probabilities [N, 2]: p and 1 - p, as sklearn's converter gives them

Detectors choose their boxes, which are those of make_variants.py; n is the number of those whose score is over 0.5, and
0 for a black picture:

    masks_box     x [3, 32, 64]; boxes [n, 4], labels [n] (from 1 on), scores [n], masks [n, 1, 7, 7], keypoints [n, 3, 3]
    masks_input   x [1, 3, 32, 64]; the same with masks [n, 1, 32, 64], without keypoints
    masks_dets    x [N, 3, 32, 64]; dets [N, 4, 5], labels [N, 4] (from 0 on), masks [N, 4, 7, 7]

Their masks in images of several sizes, letterboxed: of boxes as detectron2 0.6 pastes them (_do_paste_mask), those over
the input with torch.nn.functional.interpolate, both at least 0.5.

Grids with three anchors per cell and two classes, from x [N, 3, 64, 64], at the strides 8, 16 and 32:

    anchors_nchw   a, b, c [N, 21, H, W]
    anchors_five   a, b, c [N, 3, H, W, 7]
    anchors_nhwc   a, b, c [N, H, W, 21]

    oriented          y [N, 4 + 2 + 1, 5] from x [N, 3, 32, 64]: center, width and height, two scores, the angle in radians
    oriented_final    y [N, 5, 7]: the same with a score, a class and the angle

Their corners are those of Ultralytics 8.4.190 (xywhr2xyxyxyxy), their overlaps those of OpenCV 5.0.0, their masks in images
of several sizes pycocotools' of the corners.

The boxes of the grids as YOLOv5 and as YOLOv3 decodes them, the latter with 1.2, 1.1 and 1.05 for the centers, as YOLOv4 has them.
"""
import json
import os

import cv2
import numpy as np
import torch
from onnx import TensorProto, helper, numpy_helper
from pycocotools import mask as masks
from ultralytics.utils.ops import xywhr2xyxyxyxy

here = os.path.dirname(os.path.abspath(__file__))
node = helper.make_node
T = TensorProto
W, H = 64, 32

BOXES = np.array([[2, 2, 20, 12, 0.9, 0], [30, 4, 60, 28, 0.8, 2], [5, 15, 25, 30, 0.4, 1], [1, 1, 9, 9, 0.005, 0]],
                 np.float32)
r = np.random.default_rng(11)


def number(name, value, kind=np.float32):
    return numpy_helper.from_array(np.array(value, kind), name)


def write(name, nodes, inputs, outputs, constants):
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info(*one) for one in inputs],
        [helper.make_tensor_value_info(*one) for one in outputs], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with open(os.path.join(here, name + ".onnx"), "wb") as f:
        f.write(model.SerializeToString(deterministic=True))


# ---- classes
GRAY = [("x", T.FLOAT, ["N", 1, 2, 2])]
MEAN = [node("Flatten", ["x"], ["flat"], axis=1), node("ReduceMean", ["flat"], ["p"], axes=[1], keepdims=1),
        node("Sub", ["one", "p"], ["rest"]), node("Mul", ["p", "zero"], ["nothing"]),
        node("Add", ["nothing", "third"], ["c"])]
ALL = MEAN + [node("Concat", ["p", "rest", "c"], ["all"], axis=1)]
FIXED = [number("one", 1), number("zero", 0), number("third", 0.45)]
write("class_number", ALL + [node("ArgMax", ["all"], ["y"], axis=1, keepdims=0)], GRAY, [("y", T.INT64, ["N"])], FIXED)
write("class_number_one",
      ALL + [node("ArgMax", ["all"], ["best"], axis=1, keepdims=1), node("Cast", ["best"], ["f"], to=T.FLOAT),
             node("Add", ["f", "one"], ["y"])], GRAY, [("y", T.FLOAT, ["N", 1])], FIXED)
write("class_top",
      ALL + [node("TopK", ["all", "two"], ["s", "i"], axis=1), node("Gather", ["s", "turned"], ["scores"], axis=1),
             node("Gather", ["i", "turned"], ["classes"], axis=1)], GRAY,
      [("classes", T.INT64, ["N", 2]), ("scores", T.FLOAT, ["N", 2])],
      FIXED + [number("two", [2], np.int64), number("turned", [1, 0], np.int64)])
write("class_both",
      MEAN + [node("Concat", ["p", "rest"], ["probabilities"], axis=1),
              node("ArgMax", ["probabilities"], ["label"], axis=1, keepdims=0)], GRAY,
      [("label", T.INT64, ["N"]), ("probabilities", T.FLOAT, ["N", 2])], FIXED)

# ---- masks and keypoints
xyxy, scores, labels = BOXES[:, :4], BOXES[:, 4], BOXES[:, 5]
y, x = np.mgrid[0:7, 0:7]
CELLS = np.stack([1 / (1 + np.exp(-4 * (np.sin(x * a + b) * np.cos(y * c + d) + 0.4 + r.normal(size=(7, 7)) * 0.2)))
                  for a, b, c, d in r.uniform(0.2, 1, (4, 4))]).astype(np.float32)
y, x = np.mgrid[0:H, 0:W]
INPUT = np.stack([(x >= box[0]) * (x < box[2]) * (y >= box[1]) * (y < box[3]) * (0.5 + 0.5 * np.sin(x * 0.4 + y * 0.3))
                  for box in xyxy]).astype(np.float32)
POINTS = np.array([[[5, 4, 1], [12.5, 10, 1], [19, 11, 1]], [[31, 9, 1], [60, 28, 1], [-3, 40, 1]],
                   [[6, 16, 1], [7, 17, 1], [8, 18, 1]], [[2, 2, 1], [3, 3, 1], [4, 4, 1]]], np.float32)


def chosen(name, shape, parts):
    kinds = {"labels": np.int64}
    values = {"boxes": xyxy, "labels": labels + 1, "scores": scores, **parts}
    infos = [(key, T.INT64 if key == "labels" else T.FLOAT, ["n", *value.shape[1:]]) for key, value in values.items()]
    write(name,
          [node("ReduceMean", ["x"], ["mean"], axes=list(range(len(shape))), keepdims=0),
           node("Sub", ["c_scores", "half"], ["over"]), node("Mul", ["over", "mean"], ["lit"]),
           node("Greater", ["lit", "nil"], ["keep"])] +
          [node("Compress", ["c_" + key, "keep"], [key], axis=0) for key in values],
          [("x", T.FLOAT, shape)], infos,
          [number("half", 0.5), number("nil", 0)] +
          [number("c_" + key, value, kinds.get(key, np.float32)) for key, value in values.items()])


chosen("masks_box", [3, H, W], {"masks": CELLS[:, None], "keypoints": POINTS})
chosen("masks_input", [1, 3, H, W], {"masks": INPUT[:, None]})
write("masks_dets",
      [node("ReduceMean", ["x"], ["mean4"], axes=[1, 2, 3], keepdims=1), node("Mul", ["mean4", "nothing"], ["z4"]),
       node("Squeeze", ["z4", "last"], ["z"]), node("Squeeze", ["z", "two"], ["z2"]),
       node("Add", ["z", "b"], ["dets"]), node("Add", ["z2", "l"], ["sum"]), node("Cast", ["sum"], ["labels"], to=T.INT64),
       node("Add", ["z4", "m"], ["masks"])],
      [("x", T.FLOAT, ["N", 3, H, W])],
      [("dets", T.FLOAT, ["N", 4, 5]), ("labels", T.INT64, ["N", 4]), ("masks", T.FLOAT, ["N", 4, 7, 7])],
      [number("nothing", 0), number("last", [3], np.int64), number("two", [2], np.int64),
       number("b", BOXES[None, :, :5]), number("l", labels[None]), number("m", CELLS[None])])


def encoded(found):
    one = masks.encode(np.asfortranarray(found, dtype=np.uint8))
    return {"counts": one["counts"].decode(), "area": int(masks.area(one))}


def pasted(cells, box, width, height):
    """_do_paste_mask of detectron2: the box in the image's pixels."""
    rows, columns = torch.arange(height, dtype=torch.float64) + 0.5, torch.arange(width, dtype=torch.float64) + 0.5
    rows = (rows - box[1]) / (box[3] - box[1]) * 2 - 1
    columns = (columns - box[0]) / (box[2] - box[0]) * 2 - 1
    grid = torch.stack(torch.meshgrid(rows, columns, indexing="ij")[::-1], dim=2)[None]
    found = torch.nn.functional.grid_sample(torch.tensor(cells, dtype=torch.float64)[None, None], grid, align_corners=False)
    return encoded(found[0, 0].numpy() >= 0.5)


def made(width, height):
    gain = min(H / height, W / width)
    w, h = round(width * gain), round(height * gain)
    left, top = (W - w) // 2, (H - h) // 2
    over_boxes, over_input = [], []
    for box, cells, plane in zip(xyxy[:3], CELLS, INPUT):
        moved = [(box[0] - left) * width / w, (box[1] - top) * height / h, (box[2] - left) * width / w,
                 (box[3] - top) * height / h]
        if moved[2] <= 0 or moved[3] <= 0 or moved[0] >= width or moved[1] >= height:
            continue
        over_boxes.append(pasted(cells, moved, width, height))
        part = torch.tensor(plane[top:top + h, left:left + w], dtype=torch.float64)[None, None]
        found = torch.nn.functional.interpolate(part, size=(height, width), mode="bilinear", align_corners=False)
        over_input.append(encoded(found[0, 0].numpy() >= 0.5))
    return {"width": width, "height": height, "box": over_boxes, "input": over_input}


images = [made(*size) for size in [(64, 32), (128, 32), (100, 37), (30, 60), (640, 427), (7, 5)]]

# ---- grids with anchors
STRIDES = [8, 16, 32]
ANCHORS = [[[10, 13], [16, 30], [33, 23]], [[30, 61], [62, 45], [59, 19]], [[36, 40], [15, 8], [24, 50]]]
SIDE = 64
grids = []
for stride in STRIDES:
    cells = SIDE // stride
    grid = r.normal(size=(3, cells, cells, 7)) * 1.5
    grid[..., 4] -= 2
    grids.append(grid.astype(np.float32))


def gridded(name, turn):
    outputs = {key: turn(grid) for key, grid in zip("abc", grids)}
    nodes = [node("ReduceMean", ["x"], ["mean"], axes=[1, 2, 3], keepdims=0), node("Mul", ["mean", "nothing"], ["z"])]
    constants = [number("nothing", 0)]
    for key, value in outputs.items():
        nodes += [node("Reshape", ["z", "s_" + key], ["z_" + key]), node("Add", ["z_" + key, "c_" + key], [key])]
        constants += [number("c_" + key, value[None]), number("s_" + key, [-1] + [1] * value.ndim, np.int64)]
    write(name, nodes, [("x", T.FLOAT, ["N", 3, SIDE, SIDE])],
          [(key, T.FLOAT, ["N", *value.shape]) for key, value in outputs.items()], constants)


def channels(grid):
    return grid.transpose(0, 3, 1, 2).reshape(21, *grid.shape[1:3])


gridded("anchors_nchw", channels)
gridded("anchors_five", lambda grid: grid)
gridded("anchors_nhwc", lambda grid: channels(grid).transpose(1, 2, 0))


def sigmoid(value):
    return 1 / (1 + np.exp(-value.astype(np.float64)))


def decoded(kind):
    """Rows of left, top, right, bottom, score and class, best first, of those with at least 0.2."""
    found = []
    for grid, stride, anchors, scale in zip(grids, STRIDES, np.array(ANCHORS, float), (1.2, 1.1, 1.05)):
        rows, columns = np.meshgrid(*[np.arange(SIDE // stride)] * 2, indexing="ij")
        place, size = np.stack([columns, rows], axis=-1)[None], anchors[:, None, None]
        if kind == "yolov5":
            center = (sigmoid(grid[..., :2]) * 2 - 0.5 + place) * stride
            extent = (sigmoid(grid[..., 2:4]) * 2) ** 2 * size
        else:
            center = (sigmoid(grid[..., :2]) * scale - (scale - 1) / 2 + place) * stride
            extent = np.exp(grid[..., 2:4].astype(np.float64)) * size
        each = sigmoid(grid[..., 4:5]) * sigmoid(grid[..., 5:])
        for label in range(2):
            found.append(np.concatenate([center - extent / 2, center + extent / 2, each[..., label:label + 1],
                                         np.full(each[..., :1].shape, label)], axis=-1).reshape(-1, 6))
    found = np.concatenate(found)
    found = found[found[:, 4] >= 0.2]
    return found[np.argsort(-found[:, 4], kind="stable")].tolist()


# ---- rotated boxes: center, width, height, angle, score, class
ORIENTED = np.array([[20, 14, 30, 8, 0.5, 0.9, 0], [22, 15, 28, 9, 0.7, 0.8, 0], [20, 14, 8, 30, 0.5, 0.7, 0],
                     [45, 16, 24, 5, -0.785, 0.6, 1], [45, 16, 24, 5, 2.3, 0.3, 1]], np.float32)
each = np.where(np.arange(2)[None] == ORIENTED[:, 6:], ORIENTED[:, 5:6], 0)
for name, value in (("oriented", np.concatenate([ORIENTED[:, :4], each, ORIENTED[:, 4:5]], axis=1).T),
                    ("oriented_final", np.concatenate([ORIENTED[:, :4], ORIENTED[:, 5:], ORIENTED[:, 4:5]], axis=1))):
    write(name, [node("ReduceMean", ["x"], ["mean"], axes=[1, 2], keepdims=0), node("ReduceMean", ["mean"], ["row"], axes=[1]),
                 node("Mul", ["row", "nothing"], ["z"]), node("Unsqueeze", ["z", "last"], ["z3"]),
                 node("Add", ["z3", "c"], ["y"])],
          [("x", T.FLOAT, ["N", 3, H, W])], [("y", T.FLOAT, ["N", *value.shape])],
          [number("nothing", 0), number("last", [2], np.int64), number("c", value[None])])
corners = xywhr2xyxyxyxy(torch.tensor(ORIENTED[:, :5], dtype=torch.float64)).numpy()


def overlap(a, b):
    one, other = [((float(v[0]), float(v[1])), (float(v[2]), float(v[3])), float(np.degrees(v[4]))) for v in (a, b)]
    points = cv2.rotatedRectangleIntersection(one, other)[1]
    shared = 0 if points is None else cv2.contourArea(cv2.convexHull(points))
    return float(shared / (a[2] * a[3] + b[2] * b[3] - shared))


def outlined(width, height):
    gain = min(H / height, W / width)
    w, h = round(width * gain), round(height * gain)
    left, top = (W - w) // 2, (H - h) // 2
    found = []
    for box in corners:
        moved = np.stack([(box[:, 0] - left) * width / w, (box[:, 1] - top) * height / h], axis=1)
        one = masks.merge(masks.frPyObjects([moved.reshape(-1).tolist()], height, width))
        found.append({"counts": one["counts"].decode(), "area": int(masks.area(one))})
    return {"width": width, "height": height, "masks": found}


oriented = {"corners": corners.reshape(5, 8).tolist(),
            "overlaps": [[overlap(a, b) for b in ORIENTED] for a in ORIENTED],
            "images": [outlined(*size) for size in [(64, 32), (100, 50), (100, 37), (640, 427)]]}

with open(os.path.join(here, "heads.json"), "w") as f:
    json.dump({"oriented": oriented, "images": images, "yolov5": decoded("yolov5"), "yolov3": decoded("yolov3")}, f)
    f.write("\n")
for image in images:
    print(image["width"], image["height"], [(a["area"], b["area"]) for a, b in zip(image["box"], image["input"])])
print(np.round(oriented['overlaps'], 3).tolist())
print(len(decoded("yolov5")), len(decoded("yolov3")))
