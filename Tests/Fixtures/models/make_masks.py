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
    mask_close       [N, 3, 4, 4]  6 + 0.01 times each of mask_classes: in 8 bits their sigmoids are equal
    mask_labels      [N, 4, 4]     int64: the index of the largest of mask_classes
    mask_labels_nchw [N, 1, 4, 4]  int32: the same
    mask_labels_nhwc [N, 4, 4, 1]  uint8: the same
    mask_labels_float [N, 4, 4]    float32: the same
    mask_labels_far  [N, 4, 4]     int64: the same, plus 2
    mask_u8          [N, 1, 4, 4]  x / 255, with x of uint8
    mask_mixes       [N, 1, 4, 4]  1 - (the largest x of the batch) + x
    mask_fixed       [1, 1, 4, 4]  x, for one sample at a time
    mask_open        [N, 1, H, W]  x, its input open too
"""
import os

import numpy as np
from onnx import TensorProto, helper, numpy_helper

here = os.path.dirname(os.path.abspath(__file__))


def write(name, nodes, shape, extra=(), taken=("N", 1, 4, 4), takes=TensorProto.FLOAT, gives=TensorProto.FLOAT):
    x = helper.make_tensor_value_info("x", takes, list(taken))
    y = helper.make_tensor_value_info("y", gives, shape)
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
every = classes + [node("Concat", ["x", "rest", "third"], ["all"], axis=1)]
write("mask_close", every + [node("Mul", ["all", "little"], ["m"]), node("Add", ["m", "six"], ["y"])],
      ["N", 3, 4, 4], numbers + [number("little", 0.01), number("six", 6)])
write("mask_labels", every + [node("ArgMax", ["all"], ["y"], axis=1, keepdims=0)], ["N", 4, 4], numbers,
      gives=TensorProto.INT64)
write("mask_labels_nchw",
      every + [node("ArgMax", ["all"], ["l"], axis=1, keepdims=1), node("Cast", ["l"], ["y"], to=TensorProto.INT32)],
      ["N", 1, 4, 4], numbers, gives=TensorProto.INT32)
write("mask_labels_nhwc",
      every + [node("Transpose", ["all"], ["t"], perm=[0, 2, 3, 1]), node("ArgMax", ["t"], ["l"], axis=3, keepdims=1),
               node("Cast", ["l"], ["y"], to=TensorProto.UINT8)], ["N", 4, 4, 1], numbers, gives=TensorProto.UINT8)
write("mask_labels_float",
      every + [node("ArgMax", ["all"], ["l"], axis=1, keepdims=0), node("Cast", ["l"], ["y"], to=TensorProto.FLOAT)],
      ["N", 4, 4], numbers)
write("mask_labels_far",
      every + [node("ArgMax", ["all"], ["l"], axis=1, keepdims=0), node("Add", ["l", "two"], ["y"])],
      ["N", 4, 4], numbers + [numpy_helper.from_array(np.array(2, np.int64), "two")], gives=TensorProto.INT64)
write("mask_u8", [node("Cast", ["x"], ["f"], to=TensorProto.FLOAT), node("Div", ["f", "whole"], ["y"])],
      ["N", 1, 4, 4], [number("whole", 255)], takes=TensorProto.UINT8)
write("mask_unclear", [node("Concat", ["x"] * 4, ["y"], axis=1)], ["N", 4, 4, 4])
write("mask_mixes",
      [node("ReduceMax", ["x"], ["most"], axes=[0], keepdims=1), node("Sub", ["x", "most"], ["low"]),
       node("Add", ["low", "one"], ["y"])], ["N", 1, 4, 4], [number("one", 1)])
write("mask_fixed", [node("Identity", ["x"], ["y"])], [1, 1, 4, 4], taken=(1, 1, 4, 4))
write("mask_open", [node("Identity", ["x"], ["y"])], ["N", 1, "H", "W"], taken=("N", 1, "H", "W"))
