#!/usr/bin/env python3
"""Writes query_masks.onnx: a model with the outputs of Hugging Face's MaskFormer exports, a class and a mask for each of 5 queries.

onnx 1.23; opset 17."""
import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

here = os.path.dirname(os.path.abspath(__file__))
nodes = [
    helper.make_node("Conv", ["pixel_values", "weights"], ["masks_queries_logits"], kernel_shape=[4, 4], strides=[4, 4]),
    helper.make_node("GlobalAveragePool", ["masks_queries_logits"], ["pooled"]),
    helper.make_node("Squeeze", ["pooled", "last"], ["scores"]),
    helper.make_node("Mul", ["scores", "classes"], ["class_queries_logits"]),
]
weights = [
    numpy_helper.from_array(np.random.default_rng(1).normal(size=(5, 3, 4, 4)).astype(np.float32), "weights"),
    numpy_helper.from_array(np.array([3], np.int64), "last"),
    numpy_helper.from_array(np.float32([[[1, -1, 2]]]), "classes"),
]
graph = helper.make_graph(
    nodes, "queries", [helper.make_tensor_value_info("pixel_values", TensorProto.FLOAT, ["N", 3, 16, 16])],
    [helper.make_tensor_value_info("class_queries_logits", TensorProto.FLOAT, ["N", 5, 3]),
     helper.make_tensor_value_info("masks_queries_logits", TensorProto.FLOAT, ["N", 5, 4, 4])], weights)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
onnx.checker.check_model(model)
onnx.save(model, os.path.join(here, "query_masks.onnx"))
