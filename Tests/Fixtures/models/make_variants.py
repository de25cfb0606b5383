#!/usr/bin/env python3
"""Writes small models with the element types and outputs of other exporters: onnx 1.23.2, numpy.

Classifiers take x [N, 1, 2, 2] and give y [N, 2], p = the mean of x and 1 - p, unless said otherwise:

    types_u8, _i8, _i32    x of whole numbers; p = (x + 128 for i8) / 255
    types_f16, types_f64   x and y of these types
    types_i64_out          y: 100 p and 100 - 100 p, in whole numbers
    quantized_out          y of u8: 256 p and 256 (1 - p), rounded down and cut to 0...255
    quantized_float        y: the same / 256, in float32
    binary_probability     y [N, 1]: p
    binary_logit           y [N, 1]: 8 p - 4
    sigmoids               y [N, 5]: the sigmoids of 0, 1, 2, 3 and 8 p - 4

Detectors take x [N, 3, 32, 64] (values are pixels); their boxes are in BOXES:

    chosen_tf      x of u8 [N, 32, 64, 3]; detection_boxes [N, 4, 4] (top, left, bottom, right in parts),
                   detection_scores, detection_classes [N, 4] (from 1 on), num_detections [N] = 3
    chosen_torch   x [3, 32, 64]; boxes [n, 4], labels [n] of i64 (from 1 on), scores [n] of the boxes whose score is
                   over 0.5, and none for a black picture
    chosen_dets    dets [N, 4, 5], labels [N, 4] of i64 (from 0 on)
    chosen_five    x [1, 3, 32, 64]; y [1, n, 5], box and score of those over 0.5, and none for a black picture
    chosen_pose    the same as dets [1, n, 5], and keypoints [1, n, 2, 3]: the top left and bottom right corner of the
                   box, with the box's score
    chosen_ssd     y [1, 1, 4, 7] for one image: image, class from 1 on, score, box in parts
    extra_values   y [N, 4, 4 + 3 + 6]: a box in pixels, three scores, six values that are none

And graphs with a reduction over the axis 1: reduce_NAME_VERSION of the operator set VERSION.
"""
import os

import numpy as np
from onnx import TensorProto, helper, numpy_helper

here = os.path.dirname(os.path.abspath(__file__))
node = helper.make_node
T = TensorProto

# Left, top, right, bottom in pixels of 64 x 32, score, class from 0 on.
BOXES = np.array([[2, 2, 20, 12, 0.9, 0], [30, 4, 60, 28, 0.8, 2], [5, 15, 25, 30, 0.4, 1], [1, 1, 9, 9, 0.005, 0]],
                 np.float32)


def number(name, value, kind=np.float32):
    return numpy_helper.from_array(np.array(value, kind), name)


def write(name, nodes, inputs, outputs, constants, version=17):
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info(*one) for one in inputs],
        [helper.make_tensor_value_info(*one) for one in outputs], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", version)], ir_version=8)
    with open(os.path.join(here, name + ".onnx"), "wb") as f:
        f.write(model.SerializeToString(deterministic=True))


# ---- classifiers
MEAN = [node("Flatten", ["f"], ["flat"], axis=1), node("ReduceMean", ["flat"], ["p"], axes=[1], keepdims=1),
        node("Sub", ["one", "p"], ["rest"]), node("Concat", ["p", "rest"], ["both"], axis=1)]
ONE = [number("one", 1)]


def classifier(name, before, after, constants, takes=T.FLOAT, gives=T.FLOAT, count=2):
    write(name, before + MEAN + after, [("x", takes, ["N", 1, 2, 2])], [("y", gives, ["N", count])], ONE + constants)


for name, kind, shift in (("u8", T.UINT8, 0), ("i8", T.INT8, 128), ("i32", T.INT32, 0)):
    classifier("types_" + name,
               [node("Cast", ["x"], ["c"], to=T.FLOAT), node("Add", ["c", "shift"], ["s"]),
                node("Div", ["s", "whole"], ["f"])], [node("Identity", ["both"], ["y"])],
               [number("shift", shift), number("whole", 255)], takes=kind)
for name, kind in (("f16", T.FLOAT16), ("f64", T.DOUBLE)):
    classifier("types_" + name, [node("Cast", ["x"], ["f"], to=T.FLOAT)], [node("Cast", ["both"], ["y"], to=kind)], [],
               takes=kind, gives=kind)
SAME = [node("Identity", ["x"], ["f"])]
classifier("types_i64_out", SAME,
           [node("Mul", ["both", "hundred"], ["h"]), node("Round", ["h"], ["r"]), node("Cast", ["r"], ["y"], to=T.INT64)],
           [number("hundred", 100)], gives=T.INT64)
steps = [node("Mul", ["both", "steps"], ["h"]), node("Floor", ["h"], ["r"]), node("Clip", ["r", "zero", "most"], ["q"])]
limits = [number("steps", 256), number("zero", 0), number("most", 255)]
classifier("quantized_out", SAME, steps + [node("Cast", ["q"], ["y"], to=T.UINT8)], limits, gives=T.UINT8)
classifier("quantized_float", SAME, steps + [node("Div", ["q", "steps"], ["y"])], limits)
logit = [node("Mul", ["p", "eight"], ["m"]), node("Sub", ["m", "four"], ["logit"])]
eights = [number("eight", 8), number("four", 4)]
classifier("binary_probability", SAME, [node("Identity", ["p"], ["y"])], [], count=1)
classifier("binary_logit", SAME, logit + [node("Identity", ["logit"], ["y"])], eights, count=1)
classifier("sigmoids", SAME,
           logit + [node("Mul", ["p", "none"], ["nothing"]), node("Add", ["nothing", "row"], ["rows"]),
                    node("Concat", ["rows", "logit"], ["all"], axis=1), node("Sigmoid", ["all"], ["y"])],
           eights + [number("none", 0), number("row", [[0, 1, 2, 3]])], count=5)

# ---- detectors
PIXELS = ("x", T.FLOAT, ["N", 3, 32, 64])


def zero(source, axes):
    """[N, 1, 1] of zeros that depend on the input."""
    return [node("ReduceMean", [source], ["mean4"], axes=axes, keepdims=1), node("Mul", ["mean4", "nothing"], ["z4"]),
            node("Squeeze", ["z4", "last"], ["z"])]


ZERO = [number("nothing", 0), number("last", [3], np.int64)]
xyxy, scores, labels = BOXES[:, :4], BOXES[:, 4], BOXES[:, 5]
parts = xyxy / np.array([64, 32, 64, 32], np.float32)
write("chosen_tf",
      [node("Cast", ["x"], ["f"], to=T.FLOAT)] + zero("f", [1, 2, 3]) +
      [node("Add", ["z", "b"], ["detection_boxes"]), node("Squeeze", ["z", "two"], ["z2"]),
       node("Add", ["z2", "s"], ["detection_scores"]), node("Add", ["z2", "c"], ["detection_classes"]),
       node("Squeeze", ["z2", "one1"], ["z1"]), node("Add", ["z1", "three"], ["num_detections"])],
      [("x", T.UINT8, ["N", 32, 64, 3])],
      [("detection_boxes", T.FLOAT, ["N", 4, 4]), ("detection_scores", T.FLOAT, ["N", 4]),
       ("detection_classes", T.FLOAT, ["N", 4]), ("num_detections", T.FLOAT, ["N"])],
      ZERO + [number("b", parts[None, :, [1, 0, 3, 2]]), number("s", scores[None]), number("c", labels[None] + 1),
              number("two", [2], np.int64), number("one1", [1], np.int64), number("three", 3)])
write("chosen_torch",
      [node("ReduceMean", ["x"], ["mean"], axes=[0, 1, 2], keepdims=0), node("Sub", ["s", "half"], ["over"]),
       node("Mul", ["over", "mean"], ["lit"]), node("Greater", ["lit", "nil"], ["keep"]),
       node("Compress", ["b", "keep"], ["boxes"], axis=0), node("Compress", ["l", "keep"], ["labels"], axis=0),
       node("Compress", ["s", "keep"], ["scores"], axis=0)],
      [("x", T.FLOAT, [3, 32, 64])],
      [("boxes", T.FLOAT, ["n", 4]), ("labels", T.INT64, ["n"]), ("scores", T.FLOAT, ["n"])],
      [number("b", xyxy), number("l", labels + 1, np.int64), number("s", scores), number("half", 0.5), number("nil", 0)])
write("chosen_dets",
      zero("x", [1, 2, 3]) +
      [node("Add", ["z", "b"], ["dets"]), node("Squeeze", ["z", "two"], ["z2"]), node("Add", ["z2", "l"], ["sum"]),
       node("Cast", ["sum"], ["labels"], to=T.INT64)],
      [PIXELS], [("dets", T.FLOAT, ["N", 4, 5]), ("labels", T.INT64, ["N", 4])],
      ZERO + [number("b", BOXES[None, :, :5]), number("l", labels[None]), number("two", [2], np.int64)])
KEEP = [node("ReduceMean", ["x"], ["mean"], axes=[0, 1, 2, 3], keepdims=0), node("Sub", ["s", "half"], ["over"]),
        node("Mul", ["over", "mean"], ["lit"]), node("Greater", ["lit", "nil"], ["keep"]),
        node("Compress", ["b", "keep"], ["kept"], axis=0), node("Unsqueeze", ["kept", "first"], ["dets"])]
KEPT = [number("b", BOXES[:, :5]), number("s", scores), number("half", 0.5), number("nil", 0),
        number("first", [0], np.int64)]
write("chosen_five", KEEP[:-1] + [node("Unsqueeze", ["kept", "first"], ["y"])],
      [("x", T.FLOAT, [1, 3, 32, 64])], [("y", T.FLOAT, [1, "n", 5])], KEPT)
corners = np.stack([np.column_stack([xyxy[:, :2], scores]), np.column_stack([xyxy[:, 2:], scores])], axis=1)
write("chosen_pose",
      KEEP + [node("Compress", ["k", "keep"], ["points"], axis=0),
              node("Unsqueeze", ["points", "first"], ["keypoints"])],
      [("x", T.FLOAT, [1, 3, 32, 64])], [("dets", T.FLOAT, [1, "n", 5]), ("keypoints", T.FLOAT, [1, "n", 2, 3])],
      KEPT + [number("k", corners)])
rows = np.concatenate([np.zeros((4, 1)), labels[:, None] + 1, scores[:, None], parts], axis=1)
write("chosen_ssd", zero("x", [1, 2, 3]) + [node("Add", ["z4", "r"], ["y"])],
      [("x", T.FLOAT, [1, 3, 32, 64])], [("y", T.FLOAT, [1, 1, 4, 7])], ZERO + [number("r", rows[None, None])])
each = np.zeros((4, 3), np.float32)
each[np.arange(4), labels.astype(int)] = scores
table = np.concatenate([xyxy, each, np.full((4, 6), 7, np.float32)], axis=1)
write("extra_values", zero("x", [1, 2, 3]) + [node("Add", ["z", "r"], ["y"])],
      [PIXELS], [("y", T.FLOAT, ["N", 4, 13])], ZERO + [number("r", table[None])])

# ---- reductions
for name in ("ReduceL1", "ReduceLogSum", "ReduceLogSumExp", "ReduceMean"):
    for version in (11, 13, 17, 18):
        if version < 18:
            nodes, constants = [node(name, ["x"], ["y"], name="inner", axes=[1], keepdims=1)], []
        else:
            nodes, constants = [node(name, ["x", "a"], ["y"], name="inner", keepdims=1)], [number("a", [1], np.int64)]
        write("reduce_%s_%d" % (name[6:].lower(), version), nodes, [("x", T.FLOAT, ["N", 3, 4, 5])],
              [("y", T.FLOAT, ["N", 1, 4, 5])], constants, version)
