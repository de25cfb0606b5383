#!/usr/bin/env python3
"""Writes the small models of this folder that find regions: onnx 1.23.2.

Each takes x [N, 1, 4, 4] (gray, NCHW, one value a pixel). The output's shape is what its name tells:

    mask_nchw        [N, 1, 4, 4]  x
    mask_nhwc        [N, 4, 4, 1]  x
    mask_flat        [N, 4, 4]     x
    mask_logits      [N, 1, 4, 4]  8x - 4
    mask_half        [N, 1, 2, 2]  the mean of 2 x 2 cells of x
    mask_classes     [N, 3, 4, 4]  x, 1 - x and 0.5
    mask_classes_nhwc [N, 4, 4, 3] the same
    mask_unclear     [N, 4, 4, 4]  x, x, x, x
    mask_mixes       [N, 1, 4, 4]  1 - (the largest x of the batch) + x
    mask_fixed       [1, 1, 4, 4]  x, for one sample at a time
    mask_open        [N, 1, H, W]  x, its input open too
"""
import os

import numpy as np
from onnx import TensorProto, helper, numpy_helper

here = os.path.dirname(os.path.abspath(__file__))


def write(name, nodes, shape, extra=(), taken=("N", 1, 4, 4)):
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, list(taken))
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, shape)
    graph = helper.make_graph(nodes, "mask", [x], [y], list(extra))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with open(os.path.join(here, name + ".onnx"), "wb") as f:
        f.write(model.SerializeToString(deterministic=True))


def number(name, value):
    return numpy_helper.from_array(np.array(value, np.float32), name)


node = helper.make_node
classes = [node("Sub", ["one", "x"], ["rest"]), node("Mul", ["x", "zero"], ["none"]),
           node("Add", ["none", "half"], ["third"])]
numbers = [number("one", 1), number("zero", 0), number("half", 0.5)]

write("mask_nchw", [node("Identity", ["x"], ["y"])], ["N", 1, 4, 4])
write("mask_nhwc", [node("Transpose", ["x"], ["y"], perm=[0, 2, 3, 1])], ["N", 4, 4, 1])
write("mask_flat", [node("Squeeze", ["x", "axis"], ["y"])], ["N", 4, 4],
      [numpy_helper.from_array(np.array([1], np.int64), "axis")])
write("mask_logits", [node("Mul", ["x", "eight"], ["m"]), node("Sub", ["m", "four"], ["y"])], ["N", 1, 4, 4],
      [number("eight", 8), number("four", 4)])
write("mask_half", [node("AveragePool", ["x"], ["y"], kernel_shape=[2, 2], strides=[2, 2])], ["N", 1, 2, 2])
write("mask_classes", classes + [node("Concat", ["x", "rest", "third"], ["y"], axis=1)], ["N", 3, 4, 4], numbers)
write("mask_classes_nhwc",
      classes + [node("Concat", ["x", "rest", "third"], ["all"], axis=1),
                 node("Transpose", ["all"], ["y"], perm=[0, 2, 3, 1])], ["N", 4, 4, 3], numbers)
write("mask_unclear", [node("Concat", ["x"] * 4, ["y"], axis=1)], ["N", 4, 4, 4])
write("mask_mixes",
      [node("ReduceMax", ["x"], ["most"], axes=[0], keepdims=1), node("Sub", ["x", "most"], ["low"]),
       node("Add", ["low", "one"], ["y"])], ["N", 1, 4, 4], [number("one", 1)])
write("mask_fixed", [node("Identity", ["x"], ["y"])], [1, 1, 4, 4], taken=(1, 1, 4, 4))
write("mask_open", [node("Identity", ["x"], ["y"])], ["N", 1, "H", "W"], taken=("N", 1, "H", "W"))
