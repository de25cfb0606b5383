#!/usr/bin/env python3
"""Writes detect_many.onnx, a detector that finds the same 200 boxes in any image, more than the usual 100 of a class: onnx
1.23.2, numpy.

x [N, 3, 64, 64]; y [N, 200, 6]: left, top, right, bottom, score, class 0. Box k is 2.5 × 5 pixels at (3 (k mod 20),
6 (k div 20)), its score 0.9 − k / 1000.
"""
import os

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save

here = os.path.dirname(os.path.abspath(__file__))
node = helper.make_node
rows = [[3 * (k % 20), 6 * (k // 20), 3 * (k % 20) + 2.5, 6 * (k // 20) + 5, 0.9 - k / 1000, 0] for k in range(200)]
graph = helper.make_graph(
    [node("ReduceMean", ["x"], ["mean"], axes=[1, 2, 3], keepdims=1), node("Squeeze", ["mean", "last"], ["one"]),
     node("Mul", ["one", "nil"], ["zero"]), node("Add", ["zero", "rows"], ["y"])],
    "many", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 3, 64, 64])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N", 200, 6])],
    [numpy_helper.from_array(np.array([rows], np.float32), "rows"), numpy_helper.from_array(np.array(0, np.float32), "nil"),
     numpy_helper.from_array(np.array([1], np.int64), "last")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
checker.check_model(model)
save(model, os.path.join(here, "detect_many.onnx"))
