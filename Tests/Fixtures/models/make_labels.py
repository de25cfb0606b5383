#!/usr/bin/env python3
"""Writes the multi-label models of this folder and their expected scores: onnx 1.23.2, numpy 2.4.6.

Each takes x [N, 1, 2, 2] (gray, NCHW, pixel/255) and gives a number per class (sky, tree, person, car, boat):
labels_logits.onnx a linear layer's logits, labels_sigmoid.onnx their sigmoid, and labels_none.onnx a constant that
is a probability in all classes but “car”, where it is 1.5.

labels.json has the scores of the images of number n = 0...63, whose pixels are (n, 2n, 3n, 4n) modulo 256: numpy's in
float64, which onnx's reference implementation confirms in float32.
"""
import json
import os

import numpy as np
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

here = os.path.dirname(os.path.abspath(__file__))
CLASSES = ["sky", "tree", "person", "car", "boat"]
STEPS = np.array([1, 2, 3, 4])
# What the weights of a class are, but for the rise of its logit along the images (n, 2n, 3n, 4n).
random = np.random.default_rng(7).standard_normal((4, 5))
RISE = np.array([-20, 30, 12, 1, 40])
WEIGHTS = (random + np.outer(STEPS, RISE - STEPS @ random) / 30).astype(np.float32)
BIAS = np.array([0.5, -1, -2, -0.25, -4], np.float32)


def write(name, nodes, tensors):
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 1, 2, 2])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N", 5])
    graph = helper.make_graph(nodes, "labels", [x], [y],
                              [numpy_helper.from_array(value, key) for key, value in tensors.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with open(os.path.join(here, name), "wb") as f:
        f.write(model.SerializeToString(deterministic=True))
    return ReferenceEvaluator(model)


tensors = {"w": WEIGHTS, "b": BIAS}
flatten = helper.make_node("Flatten", ["x"], ["flat"])
product = helper.make_node("MatMul", ["flat", "w"], ["product"])
logits = write("labels_logits.onnx",
               [flatten, product, helper.make_node("Add", ["product", "b"], ["y"])], tensors)
sigmoid = write("labels_sigmoid.onnx",
                [flatten, product, helper.make_node("Add", ["product", "b"], ["logits"]),
                 helper.make_node("Sigmoid", ["logits"], ["y"])], tensors)
constant = np.array([0.1, 0.9, 0, 1.5, 1], np.float32)
write("labels_none.onnx",
      [flatten, helper.make_node("MatMul", ["flat", "w"], ["product"]),
       helper.make_node("Add", ["product", "b"], ["y"])],
      {"w": np.zeros((4, 5), np.float32), "b": constant})

pixels = np.array([[n * k & 255 for k in STEPS] for n in range(64)])
flat = (pixels / 255).astype(np.float32).astype(np.float64)
expected = 1 / (1 + np.exp(-(flat @ WEIGHTS.astype(np.float64) + BIAS.astype(np.float64))))
x = (pixels / 255).astype(np.float32).reshape(-1, 1, 2, 2)
raw = logits.run(None, {"x": x})[0].astype(np.float64)
assert np.abs(1 / (1 + np.exp(-raw)) - expected).max() < 1e-6
assert np.abs(sigmoid.run(None, {"x": x})[0] - expected).max() < 1e-6
# The first images tell logits from probabilities, and scores of several labels from those of one.
assert raw[:4].min() < 0 and (np.abs(expected[0].sum() - 1) > 0.1)
assert (expected >= 0.5).sum(axis=1).min() == 0 and (expected >= 0.5).sum(axis=1).max() >= 3
with open(os.path.join(here, "labels.json"), "w") as f:
    json.dump({"classes": CLASSES, "scores": [[float(f"{v:.9g}") for v in row] for row in expected]},
              f, separators=(",", ":"))
    f.write("\n")
