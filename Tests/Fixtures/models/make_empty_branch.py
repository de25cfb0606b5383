#!/usr/bin/env python3
"""Writes detectors with an `If` whose branch has no values, as torchvision exports them, and compares OpenVINO with ONNX
Runtime on them: onnx 1.23.2, onnxruntime 1.32.0, openvino 2026.4.1, numpy.

    chosen_guarded    as chosen_torch of make_variants.py; the indices of the boxes that are kept come from
                      If(number of values of the candidates == 0, none, those of the candidates)
    chosen_doubted    the same with the condition that the scores' sum is at most 0.1
    chosen_nested     as chosen_guarded, in a branch of another If whose branches both have values
    chosen_looped     as chosen_guarded, in the body of a Loop

OpenVINO gives one box for a black picture, where the models find none (`python3 make_empty_branch.py --compare`).
"""
import os
import sys

import numpy as np
from onnx import TensorProto, checker, helper, numpy_helper, save

here = os.path.dirname(os.path.abspath(__file__))
node = helper.make_node
T = TensorProto
BOXES = np.array([[2, 2, 20, 12, 0.9, 0], [30, 4, 60, 28, 0.8, 2], [5, 15, 25, 30, 0.4, 1], [1, 1, 9, 9, 0.005, 0]],
                 np.float32)


def number(name, value, kind=np.float32):
    return numpy_helper.from_array(np.array(value, kind), name)


def branch(name, nodes, output, tensors=()):
    return helper.make_graph(nodes, name, [], [helper.make_tensor_value_info(output, T.INT64, None)], list(tensors))


def nested(choice):
    """The choice in the branch of an If that is always taken: the maximum of the scores is below 2."""
    inner = branch("outer", choice, "kept")
    copy = branch("copy", [node("Identity", ["firsts"], ["kept"])], "kept", [number("firsts", [0, 1], np.int64)])
    return [node("ReduceMax", ["s"], ["most"], keepdims=0), node("Less", ["most", "two"], ["is_usual"]),
            node("If", ["is_usual"], ["kept"], name="outer", then_branch=inner, else_branch=copy)]


def looped(choice):
    """The choice in a loop of one round, from which it is taken as a state of changing size."""
    info = helper.make_tensor_value_info
    body = helper.make_graph(
        choice + [node("Identity", ["more"], ["again"])], "body",
        [info("round", T.INT64, []), info("more", T.BOOL, []), info("before", T.INT64, None)],
        [info("again", T.BOOL, []), info("kept", T.INT64, None)])
    return [node("Loop", ["one", "yes", "firsts"], ["kept"], name="loop", body=body)]


def write(name, condition, place=lambda choice: choice):
    none = branch("none", [node("Constant", [], ["none"], value=number("none", [], np.int64))], "none")
    # The names of values in branches can be those of others.
    some = branch("some", [node("Greater", ["cs", "nil"], ["is"]), node("NonZero", ["is"], ["places"]),
                           node("Squeeze", ["places", "first"], ["none"])], "none", [number("first", [0], np.int64)])
    graph = helper.make_graph(
        [node("ReduceMean", ["x"], ["mean"], axes=[0, 1, 2], keepdims=0), node("Sub", ["s", "half"], ["over"]),
         node("Mul", ["over", "mean"], ["lit"]), node("Greater", ["lit", "nil"], ["keep"]),
         node("Compress", ["b", "keep"], ["cb"], axis=0), node("Compress", ["l", "keep"], ["cl"], axis=0),
         node("Compress", ["s", "keep"], ["cs"], axis=0)] + condition +
        place([node("If", ["is_empty"], ["kept"], name="nms", then_branch=none, else_branch=some)]) +
        [node("Gather", ["cb", "kept"], ["boxes"]), node("Gather", ["cl", "kept"], ["labels"]),
         node("Gather", ["cs", "kept"], ["scores"])],
        name, [helper.make_tensor_value_info("x", T.FLOAT, [3, 32, 64])],
        [helper.make_tensor_value_info("boxes", T.FLOAT, ["n", 4]), helper.make_tensor_value_info("labels", T.INT64, ["n"]),
         helper.make_tensor_value_info("scores", T.FLOAT, ["n"])],
        [number("b", BOXES[:, :4]), number("l", BOXES[:, 5] + 1, np.int64), number("s", BOXES[:, 4]),
         number("half", 0.5), number("nil", 0), number("zero", 0, np.int64), number("tenth", 0.1)] +
        ([number("two", 2)] if place is nested else []) +
        ([number("one", 1, np.int64), number("yes", True, bool), number("firsts", [0, 1], np.int64)]
         if place is looped else []))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    checker.check_model(model)
    save(model, os.path.join(here, name + ".onnx"))


IS_EMPTY = [node("Shape", ["cb"], ["sides"]), node("ReduceProd", ["sides"], ["count"], keepdims=0),
            node("Equal", ["count", "zero"], ["is_zero"]), node("Cast", ["is_zero"], ["is_empty"], to=T.BOOL)]
write("chosen_guarded", IS_EMPTY)
write("chosen_nested", IS_EMPTY, nested)
write("chosen_looped", IS_EMPTY, looped)
write("chosen_doubted",
      [node("ReduceSum", ["cs"], ["sum"], keepdims=0), node("LessOrEqual", ["sum", "tenth"], ["is_empty"])])

if "--compare" in sys.argv:
    import onnxruntime
    import openvino

    for name in ("chosen_guarded", "chosen_doubted", "chosen_nested", "chosen_looped"):
        path = os.path.join(here, name + ".onnx")
        session = onnxruntime.InferenceSession(path)
        model = openvino.Core().compile_model(path, "CPU")
        for level in (0, 9):
            x = np.full((3, 32, 64), level, np.float32)
            print(name, level, "ONNX Runtime", [a.shape for a in session.run(None, {"x": x})],
                  "OpenVINO", [np.array(a).shape for a in model(x).values()])
