#!/usr/bin/env python3
"""Writes detectors with outputs that a manifest may leave out. onnx 1.23.2, numpy.

The input is x [1, 3, 32, 64]; the outputs do not depend on it.

    unread_object   boxes [1, 8, 4], obj [1, 8, 1], scores [1, 8, 3]: as RKNN's exports of YOLO
    unread_size     pred_boxes [2, 4], pred_classes [2] of i64, scores [2], image_size [2] of i64: as Detectron2's
    widths_low      y [1, 400, 5]: 300 boxes of 8 × 8 pixels (center, size) with the score 0.9, and 100 with a width of
                    -8 and the score 0.1, as rows of background of YOLO26 can be
    widths_high     the same with the scores exchanged
"""
import os

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save

here = os.path.dirname(os.path.abspath(__file__))
node = helper.make_node
X = [1, 3, 32, 64]


def write(name, **outputs):
    """A model with constant outputs, of which those of floats have 0 · mean(x) added."""
    nodes = [node("ReduceMean", ["x"], ["mean"], keepdims=0), node("Mul", ["mean", "zero"], ["nothing"])]
    constants, values = [numpy_helper.from_array(np.float32(0), "zero")], []
    for key, value in outputs.items():
        value = np.array(value)
        value = value.astype(np.int64 if value.dtype.kind == "i" else np.float32)
        constants.append(numpy_helper.from_array(value, key + "_value"))
        nodes.append(node("Add", [key + "_value", "nothing"], [key]) if value.dtype == np.float32
                     else node("Identity", [key + "_value"], [key]))
        kind = TensorProto.FLOAT if value.dtype == np.float32 else TensorProto.INT64
        values.append(helper.make_tensor_value_info(key, kind, value.shape))
    graph = helper.make_graph(nodes, "detector", [helper.make_tensor_value_info("x", TensorProto.FLOAT, X)], values, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8, producer_name="make_unread")
    checker.check_model(model)
    save(model, os.path.join(here, name + ".onnx"))


square = [16.0, 16.0, 8.0, 8.0]
write("unread_object", boxes=[[square] * 8], obj=[[[0.5]] * 8], scores=[[[0.9, 0.1, 0.0]] * 8])
write("unread_size", pred_boxes=[[4.0, 4.0, 12.0, 12.0]] * 2, pred_classes=[0, 1], scores=[0.9, 0.8], image_size=[32, 64])
turned = [16.0, 16.0, -8.0, 8.0]
for name, good, bad in [("widths_low", 0.9, 0.1), ("widths_high", 0.1, 0.9)]:
    write(name, y=[[square + [good]] * 300 + [turned + [bad]] * 100])
