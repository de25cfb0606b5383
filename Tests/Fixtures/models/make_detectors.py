#!/usr/bin/env python3
"""Writes the small detectors of this folder: onnx 1.23.2, numpy.

Each takes x [N, 3, H, W], H and W multiples of 32. A cell of stride s sees the mean of its s × s pixels, of which a
seeded matrix makes 8 numbers: 4 of a box, an objectness, 3 classes.

    detect_yolox    [N, cells, 8]   strides 8, 16, 32; offsets from the cells; probabilities
    detect_logits   [N, cells, 8]   the same without the sigmoids
    detect_huge     [N, cells, 8]   the same as detect_yolox with sizes that overflow
    detect_pair     [N, 1, cells, 4] boxes and [N, 3, cells] scores, stride 8: xyxy in parts of the input; logits
    detect_turned   [N, 7, cells]   stride 8: cxcywh in pixels, 3 classes, probabilities
    detect_chosen   [N, boxes, 8]   the cells of detect_yolox that see something bright: as many as there are
"""
import os

import numpy as np
from onnx import TensorProto, helper, numpy_helper

here = os.path.dirname(os.path.abspath(__file__))
node = helper.make_node
rng = np.random.default_rng(4)
STRIDES = (8, 16, 32)


def number(name, value, kind=np.float32):
    return numpy_helper.from_array(np.array(value, kind), name)


def write(name, nodes, outputs, constants):
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 3, "H", "W"])
    ys = [helper.make_tensor_value_info(key, TensorProto.FLOAT, shape) for key, shape in outputs]
    graph = helper.make_graph(nodes, "detector", [x], ys, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with open(os.path.join(here, name + ".onnx"), "wb") as f:
        f.write(model.SerializeToString(deterministic=True))


def cells(stride, weights, bias):
    """[N, 8, cells of one stride] as `rows{stride}`, row by row."""
    s = str(stride)
    return ([node("AveragePool", ["x"], ["mean" + s], kernel_shape=[stride, stride], strides=[stride, stride]),
             node("Conv", ["mean" + s, "w" + s, "b" + s], ["map" + s]),
             node("Reshape", ["map" + s, "flat"], ["rows" + s])],
            [number("w" + s, np.reshape(weights, (8, 3, 1, 1))), number("b" + s, bias)])


def grids(scale):
    """[N, 8, cells] of all strides as `all`."""
    nodes, constants = [], [number("flat", [0, 8, -1], np.int64)]
    for stride in STRIDES:
        weights = rng.uniform(-1, 1, (8, 3)) / 128
        bias = rng.uniform(-1, 1, 8)
        weights[2:4] *= scale / 2
        weights[4:] *= 4
        made = cells(stride, weights, bias)
        nodes += made[0]
        constants += made[1]
    return nodes + [node("Concat", ["rows%d" % s for s in STRIDES], ["all"], axis=2)], constants


split = [node("Split", ["all", "halves"], ["box", "rest"], axis=1)]
halves = number("halves", [4, 4], np.int64)
turn = [node("Transpose", ["full"], ["y"], perm=[0, 2, 1])]
ROWS = [("y", ["N", "cells", 8])]

state = rng.bit_generator.state
nodes, constants = grids(1)
probable = split + [node("Sigmoid", ["rest"], ["p"]), node("Concat", ["box", "p"], ["full"], axis=1)]
write("detect_yolox", nodes + probable + turn, ROWS, constants + [halves])
write("detect_logits", nodes + [node("Identity", ["all"], ["full"])] + turn, ROWS, constants)
write("detect_chosen",
      nodes + probable + [node("Transpose", ["full"], ["t"], perm=[0, 2, 1]),
                          node("ReduceMax", ["t"], ["most"], axes=[0, 2], keepdims=0),
                          node("Greater", ["most", "half"], ["bright"]), node("Compress", ["t", "bright"], ["y"], axis=1)],
      ROWS, constants + [halves, number("half", 0.75)])
rng.bit_generator.state = state
nodes, constants = grids(300)
write("detect_huge", nodes + probable + turn, ROWS, constants + [halves])

weights = rng.uniform(-1, 1, (8, 3)) / 32
made = cells(8, weights, rng.uniform(-1, 1, 8))
constants = made[1] + [number("flat", [0, 8, -1], np.int64), number("parts", [2, 2, 1, 3], np.int64)]
parts = made[0] + [node("Split", ["rows8", "parts"], ["near", "far", "object", "classes"], axis=1),
                   node("Sigmoid", ["near"], ["n"]), node("Sigmoid", ["far"], ["f"])]
# Left and top in 0...½, right and bottom in ½...1: always a box.
write("detect_pair",
      parts + [node("Mul", ["n", "half"], ["first"]), node("Mul", ["f", "half"], ["g"]),
               node("Add", ["g", "half"], ["second"]), node("Concat", ["first", "second"], ["xyxy"], axis=1),
               node("Transpose", ["xyxy"], ["table"], perm=[0, 2, 1]), node("Unsqueeze", ["table", "one"], ["boxes"]),
               node("Identity", ["classes"], ["scores"])],
      [("boxes", ["N", 1, "cells", 4]), ("scores", ["N", 3, "cells"])],
      constants + [number("half", 0.5), number("one", [1], np.int64)])
write("detect_turned",
      parts + [node("Mul", ["n", "sixty"], ["centre"]), node("Mul", ["f", "thirty"], ["size"]),
               node("Sigmoid", ["classes"], ["p"]), node("Concat", ["centre", "size", "p"], ["y"], axis=1)],
      [("y", ["N", 7, "cells"])], constants + [number("sixty", 60), number("thirty", 30)])
