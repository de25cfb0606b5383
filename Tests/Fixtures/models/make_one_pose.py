#!/usr/bin/env python3
"""Writes one_pose.onnx, a model with the keypoints of one object, and one_pose.json with what MMPose makes of its heat maps:
onnx 1.23.2, numpy 2.4.6, mmpose 1.3.2 (`pip download --no-deps mmpose==1.3.2`, unpacked beside this script or in
PYTHONPATH; of PyTorch, which the functions used here do not call, an empty module suffices).

    one_pose  x [N, 3, 32, 64]; maps [N, 24, 8, 16], the same as [N, 8, 16, 24] (maps_last), points [N, 1, 20]: 4 points of
            5 values (x, y, depth, visibility, presence), flag [N, 1]: 0.75, flat [N, 4, 2]: the points' x and y in
            fractions of the input

The maps have peaks at each place of the border, ties, and one has nothing above 0.
"""
import json
import os
import sys
import types

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save

here = os.path.dirname(os.path.abspath(__file__))


class Anything(types.ModuleType):
    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything(name)


for name in ["torch", "torch.nn", "torch.nn.functional"]:
    sys.modules.setdefault(name, Anything(name))
for name in ["mmpose", "mmpose.codecs", "mmpose.codecs.utils"]:
    # Only two files of the package are wanted, not what its folders import.
    module = types.ModuleType(name)
    folders = [os.path.join(place, *name.split(".")) for place in sys.path + [here]]
    module.__path__ = [folder for folder in folders if os.path.isdir(folder)]
    sys.modules[name] = module
from mmpose.codecs.utils.post_processing import get_heatmap_maximum  # noqa: E402
from mmpose.codecs.utils.refinement import refine_keypoints  # noqa: E402

POINTS, H, W = 24, 8, 16
r = np.random.default_rng(41)
maps = np.round(r.uniform(0, 0.3, (POINTS, H, W)), 3).astype(np.float32)
places = [(0, 0), (1, 0), (2, 0), (0, 1), (0, 2), (1, 1), (2, 2), (15, 7), (14, 6), (13, 5), (14, 3), (15, 3), (13, 7),
          (7, 0), (7, 7), (0, 4), (5, 4)]
for k in range(POINTS):
    x, y = places[k] if k < len(places) else (int(r.integers(W)), int(r.integers(H)))
    maps[k, y, x] = np.float32(round(float(r.uniform(0.5, 1.1)), 3))
maps[17, 3, 9] = maps[17, 5, 2] = 1.2  # A tie: the first wins.
maps[18] = -maps[18]  # Nothing above 0.
maps[19, 4, 6] = 1.2
maps[19, 4, 5] = maps[19, 4, 7] = 0.2  # No shift on one axis.

points = np.array([[10, 4, -3, 2.5, 9], [50, 28, 1, -1.5, 9], [30, 20, 0, 0.5, 9], [-4, 12, 0, -4, 9]], np.float32)


def number(name, value):
    return numpy_helper.from_array(np.asarray(value, np.float32), name)


def model():
    node = helper.make_node
    nodes = [node("ReduceMean", ["x"], ["mean"], axes=[1, 2, 3], keepdims=0), node("Mul", ["mean", "zero"], ["none"])]
    inits = [number("zero", 0.0)]
    shapes = {"maps": maps[None], "maps_last": maps.transpose(1, 2, 0)[None], "points": points.reshape(1, 1, 20),
              "flag": [[0.75]], "flat": (points[:, :2] / [64, 32])[None]}
    outputs = []
    for name, value in shapes.items():
        value = np.asarray(value, np.float32)
        inits.append(number(name + "_value", value))
        inits.append(numpy_helper.from_array(np.array([-1] + [1] * (value.ndim - 1), np.int64), name + "_shape"))
        nodes += [node("Reshape", ["none", name + "_shape"], [name + "_zero"]),
                  node("Add", [name + "_zero", name + "_value"], [name])]
        outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["n", *value.shape[1:]]))
    graph = helper.make_graph(nodes, "pose", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 3, H * 4, W * 4])],
                              outputs, inits)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)
    checker.check_model(made, full_check=True)
    return made


save(model(), os.path.join(here, "one_pose.onnx"))
locations, scores = get_heatmap_maximum(maps)
refined = refine_keypoints(locations[None].copy(), maps)[0]
scale = np.array([W * 4, H * 4], np.float32) / np.array([W, H], np.float32)
with open(os.path.join(here, "one_pose.json"), "w") as out:
    json.dump({"argmax": (locations * scale).tolist(), "quarter": (refined * scale).tolist(),
               "scores": [float(score) for score in scores]}, out)
    out.write("\n")
