#!/usr/bin/env python3
"""Writes a small classifier with a vector of each image, and what ONNX Runtime gives for it: onnx 1.23, numpy,
onnxruntime.

    embedded    x [N, 1, 2, 2]; y [N, 2]: p = the mean of x and 1 - p; pooled [N, 3]; features [N, 3, 2, 2] (a map);
                tokens [N, 4, 3]

embeddings.json: the vectors of `pooled`, and the means of `features` over the positions in float64, rounded once, for
images with the pixels (n, 2n, 3n, 4n), n from 0 to 4, divided by 255.
"""
import json
import os

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

here = os.path.dirname(os.path.abspath(__file__))
node = helper.make_node
rng = np.random.default_rng(7)


def number(name, value):
    return numpy_helper.from_array(np.array(value, np.float32), name)


nodes = [
    node("Flatten", ["x"], ["flat"], axis=1), node("ReduceMean", ["flat"], ["p"], axes=[1], keepdims=1),
    node("Sub", ["one", "p"], ["rest"]), node("Concat", ["p", "rest"], ["y"], axis=1),
    node("Conv", ["x", "w", "b"], ["features"], pads=[1, 1, 1, 1]),
    node("ReduceMax", ["features"], ["pooled"], axes=[2, 3], keepdims=0),
    node("Reshape", ["features", "shape"], ["wide"]), node("Transpose", ["wide"], ["tokens"], perm=[0, 2, 1]),
]
value = helper.make_tensor_value_info
graph = helper.make_graph(
    nodes, "g", [value("x", TensorProto.FLOAT, ["N", 1, 2, 2])],
    [value("y", TensorProto.FLOAT, ["N", 2]), value("pooled", TensorProto.FLOAT, ["N", 3]),
     value("features", TensorProto.FLOAT, ["N", 3, 2, 2]), value("tokens", TensorProto.FLOAT, ["N", 4, 3])],
    [number("one", 1), number("w", rng.normal(0, 3, (3, 1, 3, 3))), number("b", rng.normal(0, 1, 3)),
     numpy_helper.from_array(np.array([0, 3, 4], np.int64), "shape")])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
data = model.SerializeToString(deterministic=True)
with open(os.path.join(here, "embedded.onnx"), "wb") as f:
    f.write(data)

session = onnxruntime.InferenceSession(data)
rows = []
for n in range(5):
    x = (np.array([n, 2 * n, 3 * n, 4 * n], np.float64) / 255).astype(np.float32).reshape(1, 1, 2, 2)
    pooled, features = session.run(["pooled", "features"], {"x": x})
    means = features.astype(np.float64).mean((2, 3)).astype(np.float32)
    rows.append({"pooled": pooled[0].tolist(), "features": means[0].tolist()})
with open(os.path.join(here, "embeddings.json"), "w") as f:
    json.dump({"onnxruntime": onnxruntime.__version__, "rows": rows}, f, indent=1)
    f.write("\n")
