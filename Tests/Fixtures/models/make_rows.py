#!/usr/bin/env python3
"""Writes detectors for one image whose boxes come in rows without a batch dimension, as many as they find: onnx 1.23.2,
numpy.

x [1, 3, 32, 64] (values are pixels), a black picture has no boxes; the boxes are those of make_empty_branch.py:

    rows_paddle    y [n, 6]: class from 0 on, score, left, top, right, bottom, as PaddleDetection gives them; count [1] of i32
    rows_yolov7    y [n, 7]: the image, left, top, right, bottom, class, score, as YOLOv7's --end2end gives them
"""
import os

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save

here = os.path.dirname(os.path.abspath(__file__))
node = helper.make_node
T = TensorProto
BOXES = np.array([[2, 2, 20, 12, 0.9, 0], [30, 4, 60, 28, 0.8, 2], [5, 15, 25, 30, 0.4, 1], [1, 1, 9, 9, 0.005, 0]],
                 np.float32)


def write(name, rows, outputs, more):
    graph = helper.make_graph(
        [node("ReduceMean", ["x"], ["mean"], axes=[0, 1, 2, 3], keepdims=0), node("Mul", ["s", "mean"], ["lit"]),
         node("Greater", ["lit", "nil"], ["keep"]), node("Compress", ["rows", "keep"], ["y"], axis=0)] + more,
        name, [helper.make_tensor_value_info("x", T.FLOAT, [1, 3, 32, 64])],
        [helper.make_tensor_value_info("y", T.FLOAT, ["n", rows.shape[1]])] + outputs,
        [numpy_helper.from_array(rows.astype(np.float32), "rows"), numpy_helper.from_array(BOXES[:, 4], "s"),
         numpy_helper.from_array(np.array(0, np.float32), "nil"), numpy_helper.from_array(np.array([0], np.int64), "first"),
         numpy_helper.from_array(np.array([1], np.int64), "second")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    checker.check_model(model)
    save(model, os.path.join(here, name + ".onnx"))


write("rows_paddle", BOXES[:, [5, 4, 0, 1, 2, 3]], [helper.make_tensor_value_info("count", T.INT32, [1])],
      [node("Shape", ["y"], ["sides"]), node("Slice", ["sides", "first", "second"], ["long"]),
       node("Cast", ["long"], ["count"], to=T.INT32)])
write("rows_yolov7", np.concatenate([np.zeros((4, 1)), BOXES[:, [0, 1, 2, 3, 5, 4]]], axis=1), [], [])
