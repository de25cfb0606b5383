#!/usr/bin/env python3
"""Writes models with several inputs and with images of any size. onnx 1.23.0.

inputs_detr: `pixel_values` [N, 3, H, W] and `pixel_mask` i64 [N, H, W], as Hugging Face's DETR. `pred_boxes` [N, 2, 4] holds
  (1/4, 1/4, 1/2, 1/2) and (1/2, 1/2, W/1000, H/1000); `logits` [N, 2, 3] are 20 · mean of the mask for class 0 of the first
  box and for class 1 of the second, 0 else.
inputs_sizes: `image` [N, 3, 8, 8], `im_shape` [N, 2] (height, width) and `scale_factor` [N, 2], as PaddleDetection's. One row
  per image: the middle half of im_shape / scale_factor as x1, y1, x2, y2, the image's mean as the score, class 0.
inputs_rows: `images` [N, 3, H, W], `output0` [N, 6, H/8 · W/8], as YOLOv8 with dynamic sides. A box of 8 pixels per cell with
  the means of the channels 0 and 1 as the scores of two classes.
inputs_scalar: `image` [N, 1, 2, 2] and `keras_learning_phase` bool, a scalar, as of Keras models. `scores` [N, 2]: the mean of the
  image if the scalar is true, else 0; and 1 minus it.
outputs_pair: `image` [N, 3, 8, 8], `boxes` [N, 6, 4] and `scores` [N, 6, 8] of the image's mean, as YOLO-NAS has its two outputs.
"""
import os

import numpy as np
import onnx
from onnx import TensorProto as T
from onnx import helper as h
from onnx import numpy_helper as n

here = os.path.dirname(os.path.abspath(__file__))


def save(name, nodes, inputs, outputs, constants):
    graph = h.make_graph(nodes, name, [h.make_tensor_value_info(*i) for i in inputs],
                         [h.make_tensor_value_info(*o) for o in outputs],
                         [n.from_array(np.asarray(v), k) for k, v in constants.items()])
    model = h.make_model(graph, opset_imports=[h.make_opsetid("", 18)], ir_version=8)
    onnx.checker.check_model(model)
    onnx.save(model, os.path.join(here, name + ".onnx"))


f32 = lambda *v: np.array(v, np.float32)
i64 = lambda *v: np.array(v, np.int64)

save("inputs_detr", [
    h.make_node("Shape", ["pixel_values"], ["shape"]),
    h.make_node("Gather", ["shape", "sides"], ["height_width"]),
    h.make_node("Cast", ["height_width"], ["sides_float"], to=T.FLOAT),
    h.make_node("Div", ["sides_float", "thousand"], ["parts"]),
    h.make_node("Concat", ["half", "parts"], ["second"], axis=0),
    h.make_node("Reshape", ["second", "row"], ["second_row"]),
    h.make_node("Concat", ["first", "second_row"], ["both"], axis=1),
    h.make_node("ReduceMean", ["pixel_values", "axes"], ["mean"], keepdims=1),
    h.make_node("Reshape", ["mean", "column"], ["mean_column"]),
    h.make_node("Mul", ["mean_column", "nothing"], ["zero"]),
    h.make_node("Add", ["both", "zero"], ["pred_boxes"]),
    h.make_node("Cast", ["pixel_mask"], ["mask"], to=T.FLOAT),
    h.make_node("ReduceMean", ["mask", "mask_axes"], ["mask_mean"], keepdims=1),
    h.make_node("Mul", ["mask_mean", "weights"], ["logits"]),
], [("pixel_values", T.FLOAT, ["N", 3, "H", "W"]), ("pixel_mask", T.INT64, ["N", "H", "W"])],
    [("logits", T.FLOAT, ["N", 2, 3]), ("pred_boxes", T.FLOAT, ["N", 2, 4])],
    {"sides": i64(3, 2), "thousand": f32(1000), "half": f32(0.5, 0.5), "row": i64(1, 1, 4),
     "first": f32(0.25, 0.25, 0.5, 0.5).reshape(1, 1, 4), "axes": i64(1, 2, 3), "column": i64(-1, 1, 1), "nothing": f32(0),
     "mask_axes": i64(1, 2), "weights": f32(20, 0, 0, 0, 20, 0).reshape(1, 2, 3)})

save("inputs_sizes", [
    h.make_node("Div", ["im_shape", "scale_factor"], ["size"]),
    h.make_node("Gather", ["size", "turned"], ["width_height"], axis=1),
    h.make_node("Mul", ["width_height", "quarter"], ["low"]),
    h.make_node("Mul", ["width_height", "quarters"], ["high"]),
    h.make_node("ReduceMean", ["image", "axes"], ["mean"], keepdims=1),
    h.make_node("Reshape", ["mean", "column"], ["score"]),
    h.make_node("Mul", ["score", "nothing"], ["zero"]),
    h.make_node("Concat", ["low", "high", "score", "zero"], ["rows"], axis=1),
    h.make_node("Unsqueeze", ["rows", "one"], ["boxes"]),
], [("im_shape", T.FLOAT, ["N", 2]), ("image", T.FLOAT, ["N", 3, 8, 8]), ("scale_factor", T.FLOAT, ["N", 2])],
    [("boxes", T.FLOAT, ["N", 1, 6])],
    {"turned": i64(1, 0), "quarter": f32(0.25), "quarters": f32(0.75), "axes": i64(1, 2, 3), "column": i64(-1, 1),
     "nothing": f32(0), "one": i64(1)})

save("inputs_rows", [
    h.make_node("AveragePool", ["images"], ["cells"], kernel_shape=[8, 8], strides=[8, 8]),
    h.make_node("Split", ["cells"], ["red", "green", "blue"], axis=1, num_outputs=3),
    h.make_node("Mul", ["red", "nothing"], ["zeros"]),
    h.make_node("Add", ["zeros", "one"], ["ones"]),
    h.make_node("CumSum", ["ones", "axis3"], ["columns"]),
    h.make_node("CumSum", ["ones", "axis2"], ["rows"]),
    h.make_node("Sub", ["columns", "half"], ["xs"]),
    h.make_node("Sub", ["rows", "half"], ["ys"]),
    h.make_node("Mul", ["xs", "eight"], ["x"]),
    h.make_node("Mul", ["ys", "eight"], ["y"]),
    h.make_node("Mul", ["ones", "eight"], ["side"]),
    h.make_node("Concat", ["x", "y", "side", "side", "red", "green"], ["maps"], axis=1),
    h.make_node("Reshape", ["maps", "shape"], ["output0"]),
], [("images", T.FLOAT, ["N", 3, "H", "W"])], [("output0", T.FLOAT, ["N", 6, "boxes"])],
    {"nothing": f32(0), "one": f32(1), "axis3": i64(3)[0], "axis2": i64(2)[0], "half": f32(0.5), "eight": f32(8),
     "shape": i64(0, 6, -1)})

save("inputs_scalar", [
    h.make_node("ReduceMean", ["image", "axes"], ["mean"], keepdims=0),
    h.make_node("Cast", ["keras_learning_phase"], ["phase"], to=T.FLOAT),
    h.make_node("Mul", ["mean", "phase"], ["bright"]),
    h.make_node("Sub", ["one", "bright"], ["dark"]),
    h.make_node("Reshape", ["bright", "column"], ["bright_column"]),
    h.make_node("Reshape", ["dark", "column"], ["dark_column"]),
    h.make_node("Concat", ["bright_column", "dark_column"], ["scores"], axis=1),
], [("image", T.FLOAT, ["N", 1, 2, 2]), ("keras_learning_phase", T.BOOL, [])], [("scores", T.FLOAT, ["N", 2])],
    {"axes": i64(1, 2, 3), "one": f32(1), "column": i64(-1, 1)})

save("outputs_pair", [
    h.make_node("ReduceMean", ["image", "axes"], ["mean"], keepdims=1),
    h.make_node("Reshape", ["mean", "row"], ["mean_row"]),
    h.make_node("Mul", ["mean_row", "box_ones"], ["boxes"]),
    h.make_node("Mul", ["mean_row", "score_ones"], ["scores"]),
], [("image", T.FLOAT, ["N", 3, 8, 8])], [("boxes", T.FLOAT, ["N", 6, 4]), ("scores", T.FLOAT, ["N", 6, 8])],
    {"axes": i64(1, 2, 3), "row": i64(-1, 1, 1), "box_ones": np.ones((1, 6, 4), np.float32),
     "score_ones": np.ones((1, 6, 8), np.float32)})
