#!/usr/bin/env python3
"""Writes one node per file: operators that OpenVINO computes wrongly, and neighbors that it computes right.

    operators/wrong_NAME.onnx    OpenVINO's result differs from ONNX Runtime's
    operators/right_NAME.onnx    both agree

Each pair is compared here, and the script fails if a file is not what its name says: numpy, onnx 1.23.2,
onnxruntime 1.32.0, openvino 2026.4.1. The name of the node is "inner".
"""
import os
import sys

import numpy as np
import onnxruntime
import openvino
from onnx import TensorProto, helper, numpy_helper

here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "operators")
random = np.random.default_rng(7)


def floats(*shape):
    return random.standard_normal(shape).astype(np.float32)


def size(*sides):
    return np.array(sides, np.int64)


IMAGE = floats(1, 2, 8, 8)
EMPTY = None
BOXES = np.array([[1, 1, 7, 6], [0, 0, 3, 3]], np.float32)
LSTM = [floats(3, 1, 2), floats(1, 12, 2), floats(1, 12, 3), EMPTY, EMPTY, EMPTY, EMPTY]
POOL = dict(kernel_shape=[1, 1], strides=[2, 2])
# Name, operator, operator set, inputs (all but the first are constants), attributes; an operator before it, with
# another one after it.
CASES = [
    ("wrong_softmax_11", "Softmax", 11, [floats(2, 3, 4, 4)], dict(axis=1)),
    ("wrong_softmax_12", "Softmax", 12, [floats(2, 3, 4)], {}),
    ("right_softmax_10", "Softmax", 10, [floats(2, 3, 4, 4)], dict(axis=1)),
    ("right_softmax_12_last", "Softmax", 12, [floats(2, 3, 4)], dict(axis=-1)),
    ("right_softmax_12_ones", "Softmax", 12, [floats(2, 3, 1, 1)], dict(axis=1)),
    ("right_softmax_13", "Softmax", 13, [floats(2, 3, 4, 4)], dict(axis=1)),
    ("right_logsoftmax_12", "LogSoftmax", 12, [floats(2, 3, 4, 4)], dict(axis=1)),
    ("wrong_maxpool", "MaxPool", 12, [IMAGE], dict(POOL, ceil_mode=1)),
    ("wrong_maxpool_pads", "MaxPool", 12, [IMAGE],
     dict(kernel_shape=[2, 2], strides=[2, 2], pads=[0, 0, 1, 1], ceil_mode=1)),
    ("right_maxpool", "MaxPool", 12, [IMAGE], POOL),
    ("right_maxpool_ceil", "MaxPool", 12, [IMAGE], dict(kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)),
    ("right_maxpool_dilated", "MaxPool", 12, [IMAGE],
     dict(kernel_shape=[2, 2], strides=[3, 3], dilations=[2, 2], ceil_mode=1)),
    ("wrong_averagepool", "AveragePool", 11, [IMAGE],
     dict(kernel_shape=[3, 3], strides=[2, 2], pads=[0, 1, 0, 0], ceil_mode=1, count_include_pad=1)),
    ("right_averagepool", "AveragePool", 11, [IMAGE],
     dict(kernel_shape=[3, 3], strides=[2, 2], pads=[0, 1, 0, 0], ceil_mode=1)),
    ("right_averagepool_include", "AveragePool", 11, [IMAGE],
     dict(kernel_shape=[3, 3], strides=[2, 2], pads=[0, 1, 0, 0], count_include_pad=1)),
    ("wrong_resize_antialias", "Resize", 18, [IMAGE, EMPTY, EMPTY, size(1, 2, 4, 4)], dict(mode="linear", antialias=1)),
    ("wrong_resize_exclude", "Resize", 13, [IMAGE, EMPTY, EMPTY, size(1, 2, 13, 11)],
     dict(mode="cubic", exclude_outside=1)),
    ("wrong_resize_policy", "Resize", 18, [IMAGE, EMPTY, EMPTY, size(11, 5)],
     dict(mode="linear", axes=[2, 3], keep_aspect_ratio_policy="not_larger")),
    ("right_resize", "Resize", 18, [IMAGE, EMPTY, EMPTY, size(1, 2, 4, 4)], dict(mode="linear")),
    ("right_resize_cubic", "Resize", 13, [IMAGE, EMPTY, EMPTY, size(1, 2, 13, 11)], dict(mode="cubic")),
    ("right_resize_stretch", "Resize", 18, [IMAGE, EMPTY, EMPTY, size(11, 5)],
     dict(mode="linear", axes=[2, 3], keep_aspect_ratio_policy="stretch")),
    ("wrong_roialign", "RoiAlign", 16, [IMAGE, BOXES, size(0, 0)],
     dict(mode="max", output_height=3, output_width=2, sampling_ratio=2)),
    ("right_roialign", "RoiAlign", 16, [IMAGE, BOXES, size(0, 0)],
     dict(mode="avg", output_height=3, output_width=2, sampling_ratio=2)),
    ("wrong_roialign_ratio", "RoiAlign", 16, [IMAGE, BOXES, size(0, 0)], dict(output_height=3, output_width=2)),
    ("wrong_prelu", "PRelu", 16, [floats(1, 4, 5, 4), floats(4)], {}),
    ("right_prelu", "PRelu", 16, [floats(1, 4, 5, 4), floats(4, 1, 1)], {}),
    ("right_prelu_columns", "PRelu", 16, [floats(1, 3, 5, 4), floats(4)], {}),
    ("wrong_maxpool_same", "MaxPool", 12, [IMAGE],
     dict(kernel_shape=[3, 3], strides=[3, 3], dilations=[2, 2], auto_pad="SAME_LOWER")),
    ("wrong_reducel1_noop", "ReduceL1", 18, [IMAGE], dict(noop_with_empty_axes=1)),
    ("wrong_lstm", "LSTM", 14, LSTM + [floats(1, 9)], dict(hidden_size=3)),
    ("right_lstm", "LSTM", 14, LSTM, dict(hidden_size=3)),
    ("wrong_lstm_forget", "LSTM", 14, LSTM, dict(hidden_size=3, input_forget=1)),
    ("wrong_lppool", "LpPool", 18, [IMAGE], dict(kernel_shape=[3, 3], strides=[2, 2], ceil_mode=1)),
    ("right_lppool", "LpPool", 18, [IMAGE], dict(kernel_shape=[3, 3], strides=[2, 2])),
    ("wrong_convtranspose", "ConvTranspose", 11, [IMAGE, floats(2, 3, 3, 3)],
     dict(kernel_shape=[3, 3], strides=[2, 2], auto_pad="SAME_UPPER", output_shape=[16, 16])),
    ("right_convtranspose", "ConvTranspose", 11, [IMAGE, floats(2, 3, 3, 3)],
     dict(kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], output_padding=[1, 1])),
    ("right_convtranspose_shape", "ConvTranspose", 11, [IMAGE, floats(2, 3, 3, 3)],
     dict(kernel_shape=[3, 3], strides=[2, 2], output_shape=[17, 17])),
    ("wrong_reducelogsum_empty", "ReduceLogSum", 18, [np.abs(IMAGE) + np.float32(0.1), size()],
     dict(noop_with_empty_axes=1)),
    # Followed by operators, so that the file does not state the shape of the result.
    ("wrong_softmax_inside", "Softmax", 11, [floats(2, 3, 4, 4)], dict(axis=1), "Conv"),
    ("right_softmax_inside", "Softmax", 11, [floats(2, 3, 4, 4)], dict(axis=3), "Conv"),
    ("right_softmax_pooled", "Softmax", 11, [floats(2, 3, 4, 4)], dict(axis=1), "GlobalAveragePool"),
    ("wrong_softmax_reshaped", "Softmax", 11, [floats(2, 3, 4, 4)], dict(axis=1), "Reshape"),
    ("right_softmax_reshaped", "Softmax", 11, [floats(2, 3, 4, 4)], dict(axis=2), "Reshape"),
    # Parts of 1×1 pixels: over axis 1 all after it has one value.
    ("right_softmax_sliced", "Softmax", 11, [floats(2, 3, 4, 4)], dict(axis=1), "Slice", size(-1, 2)),
    ("wrong_softmax_sliced", "Softmax", 11, [floats(2, 3, 4, 4)], dict(axis=1), "Slice", size(-1, 1)),
    # The results of a branch, whose shape the node does not state.
    ("right_softmax_branch", "Softmax", 12, [floats(2, 3)], dict(axis=1), "If"),
    ("wrong_softmax_branch", "Softmax", 12, [floats(2, 3, 4)], dict(axis=1), "If"),
]
SIGNAL = floats(1, 4, 6, 1)
KEYS = [floats(1, 2, 3, 8), floats(1, 2, 5, 8), floats(1, 2, 5, 8)]
PAST = KEYS + [EMPTY, floats(1, 2, 4, 8), floats(1, 2, 4, 8)]
CASES += [
    ("right_dft_17", "DFT", 17, [SIGNAL], {}),
    ("wrong_dft", "DFT", 20, [SIGNAL], {}),
    ("wrong_dft_axis", "DFT", 20, [SIGNAL, EMPTY, np.array(2, np.int64)], {}),
    ("right_dft_rows", "DFT", 20, [floats(2, 6, 1)], {}),
    ("right_attention", "Attention", 23, KEYS, dict(is_causal=1)),
    ("right_attention_past", "Attention", 23, PAST, {}),
    ("wrong_attention_past", "Attention", 23, PAST, dict(is_causal=1)),
    ("wrong_attention_window", "Attention", 25, KEYS, dict(left_window_size=1, right_window_size=0)),
    # Followed by operators: values from 0 to 4 in 255 or 65,535 steps, and weights.
    ("right_quantize_8", "QuantizeLinear", 21, [floats(2, 8) * 3, np.float32(4 / 255), np.uint8(0)], {}, "Quantized"),
    ("wrong_quantize_16", "QuantizeLinear", 21, [floats(2, 8) * 3, np.float32(4 / 65535), np.uint16(0)], {}, "Quantized"),
    ("wrong_quantize_signed", "QuantizeLinear", 21, [floats(2, 8) * 3, np.float32(4 / 65535), np.int16(0)], {}, "Quantized"),
    ("wrong_quantize_type", "QuantizeLinear", 21, [floats(2, 8) * 3, np.float32(4 / 65535)],
     dict(output_dtype=TensorProto.UINT16), "Quantized"),
]


def branches():
    """Two graphs that give x0 and its negative, under names whose shapes they do not state."""
    return {
        f"{name}_branch": helper.make_graph(
            [helper.make_node(kind, ["x0"], [name])], name, [], [helper.make_empty_tensor_value_info(name)])
        for name, kind in (("then", "Abs"), ("else", "Neg"))
    }


def model(kind, version, values, attributes, before=None, starts=None):
    names = ["" if value is None else f"x{place}" for place, value in enumerate(values)]
    # Attention with earlier keys gives those of the next step, too.
    results = ["y", "keys", "values"] if kind == "Attention" and len(values) > 4 else ["y"]
    nodes = [helper.make_node(kind, names, results, name="inner", **attributes)]
    inner = helper.make_tensor_value_info("x0", TensorProto.FLOAT, values[0].shape)
    constants = [numpy_helper.from_array(np.asarray(v), n) for n, v in zip(names[1:], values[1:]) if v is not None]
    if before == "Quantized":
        nodes = [
            helper.make_node(kind, names, ["q"], name="inner", **attributes),
            helper.make_node("DequantizeLinear", ["q"] + names[1:], ["d"]),
            helper.make_node("MatMul", ["d", "w"], ["y"]),
        ]
        constants.append(numpy_helper.from_array(np.eye(8, dtype=np.float32) * 2 + np.float32(1), "w"))
    elif before:
        kernel = np.ones((3, 3, 1, 1), np.float32) * np.float32(0.5) + np.eye(3, dtype=np.float32)[:, :, None, None]
        constants.append(numpy_helper.from_array(kernel, "w"))
        if before == "If":
            constants.append(numpy_helper.from_array(np.array(True), "yes"))
        if starts is not None:
            # From the last row on; from the second or the first column to the third.
            for label, value in (("starts", starts), ("ends", size(2**40, 3)), ("axes", size(2, 3))):
                constants.append(numpy_helper.from_array(value, label))
        more = {"Conv": ["w"], "Reshape": ["sides"], "Slice": ["starts", "ends", "axes"]}.get(before, [])
        nodes = [
            helper.make_node("Constant", [], ["sides"], value=numpy_helper.from_array(size(2, 3, 16))),
            helper.make_node("If", ["yes"], ["a"], **branches()) if before == "If"
            else helper.make_node(before, ["x0"] + more, ["a"]),
            helper.make_node("Mul", ["a", "two"], ["b"]),
            helper.make_node(kind, ["b"], ["c"], name="inner", **attributes),
            helper.make_node("Sigmoid", ["c"], ["y"]),
        ]
        constants.append(numpy_helper.from_array(np.float32(2), "two"))
    graph = helper.make_graph(nodes, "g", [inner], [helper.make_empty_tensor_value_info("y")], constants)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", version)], ir_version=8 if version < 20 else 10)


def agree(bytes_, value):
    expected = onnxruntime.InferenceSession(bytes_, providers=["CPUExecutionProvider"]).run(None, {"x0": value})[0]
    core = openvino.Core()
    core.set_property("CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    compiled = core.compile_model(core.read_model(bytes_), "CPU")
    found = compiled([value])[compiled.outputs[0]]
    return found.shape == expected.shape and np.allclose(found, expected, rtol=1e-3, atol=1e-4)


os.makedirs(here, exist_ok=True)
failed = 0
for name, kind, version, values, attributes, *before in CASES:
    bytes_ = model(kind, version, values, attributes, *before).SerializeToString()
    if agree(bytes_, values[0]) != name.startswith("right"):
        print(f"{name}: not what its name says", file=sys.stderr)
        failed = 1
    with open(os.path.join(here, name + ".onnx"), "wb") as file:
        file.write(bytes_)
print(f"{len(CASES)} files in {here}")
sys.exit(failed)
