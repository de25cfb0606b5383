"""Small models that ask for everything: the tests give them to the program, which must stop them.

cycle.onnx         two nodes that need each other's result
cycle_inside.onnx  the same inside the branch of an If
calls_itself.onnx  a function that calls itself
loop_forever.onnx  a loop of 2^63 - 1 turns; its classes are right
loop_on_white.onnx the same for a batch with a white pixel, one turn for others
huge.onnx          a value of 16 GiB a sample on the way
Each takes x [N, 1, 2, 2] and gives y [N, 2].

    python make_hostile.py     # onnx 1.22
"""

import numpy as np
from onnx import TensorProto, helper, numpy_helper

X = helper.make_tensor_value_info("x", TensorProto.FLOAT, ["N", 1, 2, 2])
Y = helper.make_tensor_value_info("y", TensorProto.FLOAT, ["N", 2])
OPSETS = [helper.make_opsetid("", 17), helper.make_opsetid("own", 1)]


def constant(name, value):
    return numpy_helper.from_array(np.asarray(value), name)


# The mean and what is missing to 1, as tiny.onnx computes them.
def mean(source, target="y"):
    return [
        helper.make_node("Flatten", [source], [target + "_flat"], axis=1),
        helper.make_node("ReduceMean", [target + "_flat"], [target + "_mean"], axes=[1], keepdims=1),
        helper.make_node("Sub", ["one", target + "_mean"], [target + "_rest"]),
        helper.make_node("Concat", [target + "_mean", target + "_rest"], [target], axis=1),
    ]


def save(name, nodes, initializers=(), functions=()):
    graph = helper.make_graph(
        nodes, "g", [X], [Y], [constant("one", np.float32(1)), *initializers])
    model = helper.make_model(
        graph, opset_imports=OPSETS, ir_version=8, functions=list(functions))
    with open(name, "wb") as file:
        file.write(model.SerializeToString())


CYCLE = [
    helper.make_node("Add", ["b", "x"], ["a"], name="first"),
    helper.make_node("Relu", ["a"], ["b"], name="second"),
]
save("cycle.onnx", CYCLE + mean("b"))

branch = helper.make_graph(
    [helper.make_node("Add", ["d", "x"], ["c"], name="inner"),
     helper.make_node("Relu", ["c"], ["d"])],
    "branch", [], [helper.make_tensor_value_info("d", TensorProto.FLOAT, None)])
other = helper.make_graph(
    [helper.make_node("Identity", ["x"], ["e"])],
    "other", [], [helper.make_tensor_value_info("e", TensorProto.FLOAT, None)])
save(
    "cycle_inside.onnx",
    [helper.make_node("If", ["yes"], ["f"], then_branch=branch, else_branch=other)] + mean("f"),
    [constant("yes", np.bool_(True))])

again = helper.make_function(
    "own", "Again", ["p"], ["q"], [helper.make_node("Again", ["p"], ["q"], domain="own")], OPSETS)
save(
    "calls_itself.onnx",
    [helper.make_node("Again", ["x"], ["z"], domain="own")] + mean("z"), functions=[again])

body = helper.make_graph(
    [helper.make_node("Identity", ["go"], ["go_on"]),
     helper.make_node("Add", ["v", "tiny"], ["w"])],
    "body",
    [helper.make_tensor_value_info("i", TensorProto.INT64, []),
     helper.make_tensor_value_info("go", TensorProto.BOOL, []),
     helper.make_tensor_value_info("v", TensorProto.FLOAT, ["N", 1, 2, 2])],
    [helper.make_tensor_value_info("go_on", TensorProto.BOOL, []),
     helper.make_tensor_value_info("w", TensorProto.FLOAT, ["N", 1, 2, 2])])
TINY = [constant("yes", np.bool_(True)), constant("tiny", np.float32(0))]
save(
    "loop_forever.onnx",
    [helper.make_node("Loop", ["turns", "yes", "x"], ["z"], body=body)] + mean("z"),
    [constant("turns", np.int64(2**63 - 1)), *TINY])
save(
    "loop_on_white.onnx",
    [helper.make_node("ReduceMax", ["x"], ["top"], keepdims=0),
     helper.make_node("Greater", ["top", "gray"], ["is_white"]),
     helper.make_node("Where", ["is_white", "many", "few"], ["turns"]),
     helper.make_node("Loop", ["turns", "yes", "x"], ["z"], body=body)] + mean("z"),
    [constant("gray", np.float32(0.99)), constant("many", np.int64(2**63 - 1)),
     constant("few", np.int64(1)), *TINY])

save(
    "huge.onnx",
    [helper.make_node("Tile", ["x", "times"], ["field"]),
     helper.make_node("Sqrt", ["field"], ["roots"]),
     helper.make_node("ReduceMax", ["roots"], ["z"], axes=[2, 3], keepdims=1)] + mean("z"),
    [constant("times", np.asarray([1, 1, 2**15, 2**15], np.int64))])
