#!/usr/bin/env python3
"""Writes the small models of this folder: onnx 1.23.2, openvino 2026.4.1 for the IR.

Each takes x [N, 1, 2, 2] (gray, NCHW) and gives two numbers a sample: the mean of the four values, and 0.
"""
import os

import numpy as np
import openvino
from onnx import TensorProto, helper, numpy_helper, save

here = os.path.dirname(os.path.abspath(__file__))
WEIGHTS = np.array([[0.25, 0]] * 4, np.float32)


def write(name, nodes, extra=(), batch="N", weights=None):
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [batch, 1, 2, 2])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [batch, 2])
    weights = weights or numpy_helper.from_array(WEIGHTS, "w")
    graph = helper.make_graph(nodes, "tiny", [x], [y], [weights, *extra])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with open(os.path.join(here, name), "wb") as f:
        f.write(model.SerializeToString(deterministic=True))


def external(location):
    tensor = TensorProto(name="w", data_type=TensorProto.FLOAT, dims=[4, 2])
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (("location", location), ("offset", "0"), ("length", "32")):
        entry = tensor.external_data.add()
        entry.key, entry.value = key, value
    return tensor


flatten = helper.make_node("Flatten", ["x"], ["flat"])
product = helper.make_node("MatMul", ["flat", "w"], ["logits"])
softmax = helper.make_node("Softmax", ["logits"], ["y"], axis=1)
plain = helper.make_node("MatMul", ["flat", "w"], ["y"])

write("tiny.onnx", [flatten, product, softmax])
write("logits.onnx", [flatten, plain])
# The batch size is written into the graph, deeper than OpenVINO mends it.
write("fixed_batch.onnx",
      [helper.make_node("Reshape", ["x", "square"], ["rows"]),
       helper.make_node("Reshape", ["rows", "line"], ["flat"]), product, softmax],
      [numpy_helper.from_array(np.array([2, 2], np.int64), "square"),
       numpy_helper.from_array(np.array([1, 4], np.int64), "line")], batch=1)
# Each answer depends on the rest of the batch.
write("mixes_batch.onnx",
      [flatten, helper.make_node("ReduceMax", ["flat"], ["most"], axes=[0], keepdims=1),
       helper.make_node("Sub", ["flat", "most"], ["rest"]),
       helper.make_node("MatMul", ["rest", "w"], ["logits"]), softmax])
write("external.onnx", [flatten, plain], weights=external("weights.bin"))
write("address.onnx", [flatten, plain], weights=external("*/_ORT_MEM_ADDR_/*"))
# The same inside the branch of an `If`.
branch = helper.make_graph([helper.make_node("Identity", ["w2"], ["b"])], "branch", [],
                           [helper.make_tensor_value_info("b", TensorProto.FLOAT, [4, 2])],
                           [external("weights.bin")])
branch.initializer[0].name = "w2"
write("nested_external.onnx",
      [helper.make_node("If", ["yes"], ["chosen"], then_branch=branch, else_branch=branch),
       flatten, helper.make_node("MatMul", ["flat", "chosen"], ["y"])],
      [numpy_helper.from_array(np.array(True), "yes")])

model = openvino.Core().read_model(os.path.join(here, "tiny.onnx"))
openvino.save_model(model, os.path.join(here, "tiny.xml"), compress_to_fp16=False)
