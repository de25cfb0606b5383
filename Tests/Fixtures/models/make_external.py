"""tiny.onnx with its values in another file, as torch.onnx.export writes models: onnx 1.23.2.

external_data.onnx + external_data.bin: the matrix w at the offset 4096, and the same inside the branches of an
`If`, without a length (to the end of a file of its own, external_branch.bin).
"""
import os

import numpy as np
from onnx import TensorProto, helper, numpy_helper

here = os.path.dirname(os.path.abspath(__file__))
W = np.array([[0.25, 0]] * 4, np.float32)


def external(name, dims, **entries):
    tensor = TensorProto(name=name, data_type=TensorProto.FLOAT, dims=dims)
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in entries.items():
        entry = tensor.external_data.add()
        entry.key, entry.value = key, str(value)
    return tensor


branch = helper.make_graph([helper.make_node("Identity", ["w2"], ["b"])], "branch", [],
                           [helper.make_tensor_value_info("b", TensorProto.FLOAT, [4, 2])],
                           [external("w2", [4, 2], location="external/branch.bin")])
nodes = [helper.make_node("If", ["yes"], ["chosen"], then_branch=branch, else_branch=branch),
         helper.make_node("Mul", ["w", "chosen"], ["product"]),
         helper.make_node("Flatten", ["x"], ["flat"]),
         helper.make_node("MatMul", ["flat", "product"], ["y"])]
graph = helper.make_graph(
    nodes, "tiny", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 1, 2, 2])],
    [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N", 2])],
    [numpy_helper.from_array(np.array(True), "yes"),
     external("w", [4, 2], location="external_data.bin", offset=4096, length=32)])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
with open(os.path.join(here, "external_data.onnx"), "wb") as f:
    f.write(model.SerializeToString(deterministic=True))
with open(os.path.join(here, "external_data.bin"), "wb") as f:
    f.write(b"\xff" * 4096 + W.tobytes() + b"\xff" * 8)
os.makedirs(os.path.join(here, "external"), exist_ok=True)
with open(os.path.join(here, "external", "branch.bin"), "wb") as f:
    f.write(np.full((4, 2), 4, np.float32).tobytes())
