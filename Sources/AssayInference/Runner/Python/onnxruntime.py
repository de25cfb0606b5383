"""Computes an ONNX model with ONNX Runtime, for a second opinion: assay model check."""
import sys
sys.path[:] = [path for path in sys.path if path]  # nothing is imported from the current folder
import json, os
answers = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)
requests = sys.stdin.buffer
import numpy as np
import onnxruntime as ort

TYPES = {"float": "f32", "double": "f64", "float16": "f16", "uint8": "u8", "int8": "i8", "uint16": "u16",
         "int16": "i16", "uint32": "u32", "int32": "i32", "uint64": "u64", "int64": "i64"}
options = ort.SessionOptions()
# Basic optimizations keep quantized models in float arithmetic, as OpenVINO computes them here.
options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
options.intra_op_num_threads = os.cpu_count()
session = ort.InferenceSession(sys.argv[1], options, providers=["CPUExecutionProvider"])
entry = next((i for i in session.get_inputs() if len(i.shape) == 4), session.get_inputs()[0])
KINDS = {"float": "float32", "double": "float64"}
sides, constants = (2, 3), {}
# Texts, and the sequences of maps that ai.onnx.ml's ZipMap makes, are no arrays of numbers.
names = [output.name for output in session.get_outputs()
         if output.type.removeprefix("tensor(").removesuffix(")") in TYPES]
fixed = entry.shape[0] if len(entry.shape) == 4 and isinstance(entry.shape[0], int) else None


def feed(images):
    """The inputs of the model: images, and the constants of the manifest."""
    batched = len(entry.shape) == 4
    height, width = (images.shape[side if batched else side - 1] for side in sides)
    inputs = {entry.name: images}
    for other in session.get_inputs():
        if other.name == entry.name:
            continue
        values = [{"width": width, "height": height}.get(value, value) for value in constants[other.name]]
        shape = [length if isinstance(length, int) else None for length in other.shape]
        for place, length in enumerate(shape):
            if length is None:
                last = place == len(shape) - 1
                shape[place] = (len(images) if batched and place == 0 else
                                (width if last else height)
                                if len(shape) >= 3 - (not batched) and place >= len(shape) - 2 else len(values))
        kind = other.type.removeprefix("tensor(").removesuffix(")")
        inputs[other.name] = np.broadcast_to(np.array(values if len(values) > 1 else values[0],
                                                      KINDS.get(kind, kind)), shape)
    return inputs


def rows(images):
    """Runs the images in the model's own batch size, or one by one if it takes no batch."""
    if len(entry.shape) == 3:
        parts = [session.run(names, feed(image)) for image in images]
        return [np.stack([part[index] for part in parts]) for index in range(len(names))]
    if not fixed:
        return session.run(names, feed(images))
    parts = []
    for start in range(0, len(images), fixed):
        piece = images[start:start + fixed]
        count = len(piece)
        filled = np.concatenate([piece, np.zeros((fixed - count, *piece.shape[1:]), piece.dtype)])
        parts.append([array[:count] for array in session.run(names, feed(filled))])
    return [np.concatenate([part[index] for part in parts]) for index in range(len(names))]


for line in requests:
    request = json.loads(line)
    arrays = []
    if request["command"] == "describe":
        constants = request.get("constants", {})
        sides = (1, 2) if request["input"]["layout"] == "NHWC" else (2, 3)
        kind = entry.type.removeprefix("tensor(").removesuffix(")")
        answer = {"protocol": 1, "batch": 4, "element": TYPES[kind],
                  "versions": {"onnxruntime": ort.__version__}}
    else:
        np.lib.format.read_magic(requests)
        shape, _, dtype = np.lib.format.read_array_header_1_0(requests)
        size = int(np.prod(shape)) * dtype.itemsize
        arrays = rows(np.frombuffer(requests.read(size), dtype).reshape(shape))
        answer = {"outputs": names}
    answers.write(json.dumps(answer).encode() + b"\n")
    for array in arrays:
        array = np.ascontiguousarray(array)
        np.lib.format.write_array_header_1_0(answers, np.lib.format.header_data_from_array_1_0(array))
        answers.write(array.tobytes())
    answers.flush()
