"""Section 5: types and files."""
import io
import json
import os
import zipfile

import numpy as np
import onnx
from onnx import helper, numpy_helper

from .base import (BOOL, F16, F32, F64, I8, I32, I64, PETS, U8, Graph, NoStep, Skip, Wrong, classifier, image_input, names,
                   near, need, reference, row, session, setting, softmax)
from .classifiers import interpreted, keras, plain

SIDE = 64
IMAGE = [image_input()]
OUT = [("y", F32, ["N", 5])]


def right(place, file, expected, tolerance=1e-5, activation="softmax", more="", **keys):
    name = place.add(file, classifier(activation, more=more, **keys))
    return near("probabilities", place.scores(name, place.pets()), expected, tolerance)


def bytes_of(place, order="NCHW"):
    """The pixels 0 to 255."""
    return place.inputs(place.pets(), scale=1, order=order)


@row("5", "-", "TensorFlow Lite: float32, float16, dynamic range")
def tflite(place):
    tf = need("tensorflow")
    inputs, texts = place.inputs(place.pets(), order="NHWC"), []
    for title, options, tolerance in (("float32", {}, 1e-5), ("float16", {"types": [tf.float16]}, 1e-5), ("dynamic range", {"types": []}, 0.01)):
        converter = tf.lite.TFLiteConverter.from_keras_model(keras(tf))
        if options:
            converter.optimizations = [tf.lite.Optimize.DEFAULT]
            converter.target_spec.supported_types = options["types"]
        data = converter.convert()
        texts.append(title + " " + right(place, place.save(data, suffix=".tflite"), interpreted(tf, data, inputs), tolerance,
                                         "none", layout="NHWC"))
    return "; ".join(texts)


@row("5", "B", "TensorFlow Lite with u8 and i8 inputs and outputs")
def tflite_integers(place):
    tf = need("tensorflow")
    inputs, texts = place.inputs(place.pets(), order="NHWC"), []
    for title, kind in (("u8", tf.uint8), ("i8", tf.int8)):
        converter = tf.lite.TFLiteConverter.from_keras_model(keras(tf))
        converter.optimizations = [tf.lite.Optimize.DEFAULT]
        converter.representative_dataset = lambda: ([image[None]] for image in inputs)
        converter.target_spec.supported_ops = [tf.lite.OpsSet.TFLITE_BUILTINS_INT8]
        converter.inference_input_type = converter.inference_output_type = kind
        data = converter.convert()
        lite = tf.lite.Interpreter(model_content=data)
        lite.allocate_tensors()
        (scale, zero), (out, out_zero) = (details()[0]["quantization"] for details in (lite.get_input_details, lite.get_output_details))
        if abs(scale * 255 - 1) > 0.02 or zero != (0 if kind is tf.uint8 else -128):
            raise Skip(f"the calibration gave the input's scale {scale} and zero {zero}, which is not a pixel")
        offset = 0 if kind is tf.uint8 else -128
        expected = interpreted(tf, data, inputs)
        expected = expected / expected.sum(1, keepdims=True)
        file = place.save(data, suffix=".tflite")
        keys = {"layout": "NHWC", "scale": "1", "offset": str(offset)}
        place.predict_refused(file, classifier("none", **keys), place.pets(), reason="whole numbers|u8|i8", step="output-scale")
        texts.append(title + " " + right(place, file, expected, 0.03, "none",
                                         f"output-scale: {out}\noutput-offset: {-out * out_zero}\n", **keys))
    return "; ".join(texts)


@row("5", "B", "inputs of u8, i8, i32, f64, f16; u8 NHWC with the preprocessing inside")
def types(place):
    texts = []
    expected = softmax(reference(plain(), place.inputs(place.pets()))[0])
    for title, kind, scale, offset in (("u8", U8, "1", 0), ("i8", I8, "1", -128), ("i32", I32, "1", 0), ("f64", F64, "1/255", 0),
                                       ("f16", F16, "1/255", 0)):
        graph = Graph(3)
        value = graph.cast("x", F32)
        if offset:
            value = graph.op("Sub", value, graph.f32(offset))
        if kind in (U8, I8, I32):
            value = graph.op("Mul", value, graph.f32(1 / 255))
        graph.name(graph.logits(value), "y")
        model = graph.model([image_input(kind=kind)], OUT)
        texts.append(title + " " + right(place, place.save(model), expected, 2e-3 if kind == F16 else 1e-5, scale=scale, offset=str(offset)))
        if kind == U8:
            place.predict_refused(place.save(model), classifier(scale="1/255"), place.pets(), reason="u8|whole", step="scale: 1")
    graph = Graph(3)
    value = graph.op("Mul", graph.cast(graph.op("Transpose", "x", perm=[0, 3, 1, 2]), F32), graph.f32(1 / 255))
    graph.name(graph.logits(value), "y")
    model = graph.model([("x", U8, ["N", SIDE, SIDE, 3])], OUT)
    texts.append("u8 NHWC " + right(place, place.save(model), expected, scale="1", layout="NHWC"))
    return "; ".join(texts)


@row("5", "B", "u8 NHWC of any size with a Resize inside")
def inside_resize(place):
    graph = Graph(3)
    value = graph.cast(graph.op("Transpose", "x", perm=[0, 3, 1, 2]), F32)
    shape = graph.op("Concat", graph.op("Slice", graph.op("Shape", value), graph.i64([0]), graph.i64([2])), graph.i64([SIDE, SIDE]), axis=0)
    value = graph.op("Resize", value, "", "", shape, mode="linear", coordinate_transformation_mode="half_pixel")
    graph.name(graph.logits(graph.op("Mul", value, graph.f32(1 / 255))), "y")
    model = graph.model([("x", U8, ["N", "h", "w", 3])], OUT)
    inputs = bytes_of(place, "NHWC").astype(np.uint8)
    return right(place, place.save(model), softmax(reference(model, inputs)[0]), 1e-4, scale="1", layout="NHWC")


@row("5", "-", "preprocessing inside with a float input")
def inside_float(place):
    graph = Graph(3)
    graph.name(graph.logits(graph.op("Mul", "x", graph.f32(1 / 255))), "y")
    model = graph.model(IMAGE, OUT)
    return right(place, place.save(model), softmax(reference(model, bytes_of(place))[0]), scale="1")


@row("5", "B", "outputs of f64, f16, u8 (quantized); of i64 without a scale refused")
def outputs(place):
    texts = []
    logits = reference(plain(), place.inputs(place.pets()))[0]
    for title, kind, tolerance in (("f64", F64, 1e-5), ("f16", F16, 0.01)):
        graph = Graph(3)
        graph.name(graph.cast(graph.logits(), kind), "y")
        texts.append(title + " " + right(place, place.save(graph.model(IMAGE, [("y", kind, ["N", 5])])), softmax(logits), tolerance))
    graph = Graph(3)
    value = graph.op("Round", graph.op("Mul", graph.op("Softmax", graph.logits(), axis=1), graph.f32(255)))
    graph.name(graph.cast(value, U8), "y")
    model = graph.model(IMAGE, [("y", U8, ["N", 5])])
    steps = reference(model, place.inputs(place.pets()))[0].astype(np.float64)
    file = place.save(model)
    place.predict_refused(file, classifier("none"), place.pets(), reason="whole numbers|u8", step="output-scale")
    texts.append("u8 " + right(place, file, steps / steps.sum(1, keepdims=True), 1e-5, "none", "output-scale: 1/255\noutput-offset: 0\n"))
    graph = Graph(3)
    graph.name(graph.cast(graph.op("Mul", graph.logits(), graph.f32(100)), I64), "y")
    place.predict_refused(place.save(graph.model(IMAGE, [("y", I64, ["N", 5])])), classifier(), place.pets(), reason="whole numbers|i64",
                          step="output-scale")
    return "; ".join(texts)


@row("5", "-", "f16 ONNX with f32 inputs and outputs")
def halves(place):
    graph = Graph(3)
    features = graph.cast(graph.features("x"), F16)
    weight = graph.constant(graph.random.normal(size=(16, 5)) * 1.5, np.float16)
    graph.name(graph.cast(graph.op("MatMul", features, weight), F32), "y")
    model = graph.model(IMAGE, OUT)
    return right(place, place.save(model), softmax(reference(model, place.inputs(place.pets()))[0]), 0.005)


@row("5", "-", "OpenVINO IR: f32, f16 weights, preprocessing of PrePostProcessor inside")
def ir(place):
    ov = need("openvino")
    model, texts = plain(), []
    with open(place.path("source.onnx"), "wb") as file:
        file.write(model.SerializeToString())
    expected = softmax(reference(model, place.inputs(place.pets()))[0])
    for title, half, tolerance in (("f32", False, 1e-5), ("f16", True, 0.01)):
        ov.save_model(ov.convert_model(place.path("source.onnx")), place.path(title + ".xml"), compress_to_fp16=half)
        texts.append(title + " " + right(place, title + ".xml", expected, tolerance))
    made = ov.preprocess.PrePostProcessor(ov.convert_model(place.path("source.onnx")))
    made.input().tensor().set_element_type(ov.Type.u8).set_layout(ov.Layout("NHWC"))
    made.input().model().set_layout(ov.Layout("NCHW"))
    made.input().preprocess().convert_element_type(ov.Type.f32).scale(255.0)
    ov.save_model(made.build(), place.path("ppp.xml"), compress_to_fp16=False)
    texts.append("u8 NHWC " + right(place, "ppp.xml", expected, 1e-5, scale="1", layout="NHWC"))
    return "; ".join(texts)


@row("5", "-", "OpenVINO IR in INT8 (NNCF)")
def nncf(place):
    ov, library = need("openvino", "nncf")
    inputs = place.inputs(place.pets())
    with open(place.path("source8.onnx"), "wb") as file:
        file.write(plain().SerializeToString())
    model = library.quantize(ov.convert_model(place.path("source8.onnx")), library.Dataset([i[None] for i in inputs]), subset_size=15)
    ov.save_model(model, place.path("int8.xml"))
    compiled = ov.Core().compile_model(place.path("int8.xml"), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    expected = softmax(np.concatenate([compiled(i[None])[0] for i in inputs]))
    return right(place, "int8.xml", expected, 0.05) + " (OpenVINO in Python, with its kernels of 8 bits)"


def quantized(signed):
    """QDQ around the inputs of two convolutions and a product, as ONNX Runtime's quantize_static writes it."""
    graph = Graph(3)
    kind, low = (np.int8, -128) if signed else (np.uint8, 0)

    def fake(value, scale, zero):
        step, center = graph.f32(scale), graph.constant(zero, kind)
        return graph.op("DequantizeLinear", graph.op("QuantizeLinear", value, step, center), step, center)

    def weight(array):
        step = np.abs(array).max() / 127
        return graph.op("DequantizeLinear", graph.constant(np.round(array / step), np.int8), graph.f32(step), graph.constant(0, np.int8))
    value = fake("x", 1 / 255, low)
    for inside, outside in ((3, 8), (8, 16)):
        array = graph.random.normal(size=(outside, inside, 3, 3)) * 2 / np.sqrt(inside * 9)
        value = graph.op("Relu", graph.op("Conv", value, weight(array), strides=[2, 2], pads=[1] * 4))
        value = fake(value, 6 / 255, low)
    value = graph.op("Flatten", graph.op("GlobalAveragePool", value), axis=1)
    value = fake(value, 4 / 255, low)
    graph.name(graph.op("MatMul", value, weight(graph.random.normal(size=(16, 5)) * 1.5)), "y")
    return graph.model(IMAGE, OUT)


@row("5", "C", "QDQ ONNX with signed and unsigned activations")
def qdq(place):
    import onnxruntime
    texts = []
    for title, signed in (("signed", True), ("unsigned", False)):
        model = quantized(signed)
        expected = softmax(reference(model, place.inputs(place.pets()))[0])
        texts.append(title + " " + right(place, place.save(model), expected, 0.03))
    try:
        from onnxruntime.quantization import CalibrationDataReader, QuantFormat, QuantType, quantize_static
    except Exception:
        return "; ".join(texts)
    inputs = place.inputs(place.pets())

    class Reader(CalibrationDataReader):
        def __init__(self):
            self.rows = iter({"x": image[None]} for image in inputs)

        def get_next(self):
            return next(self.rows, None)
    with open(place.path("float.onnx"), "wb") as file:
        file.write(plain().SerializeToString())
    try:
        quantize_static(place.path("float.onnx"), place.path("qdq.onnx"), Reader(), quant_format=QuantFormat.QDQ,
                        activation_type=QuantType.QInt8, weight_type=QuantType.QInt8)
    except Exception as error:
        return "; ".join(texts) + f"; quantize_static does not run ({str(error)[:60]})"
    expected = softmax(reference(place.path("qdq.onnx"), inputs)[0])
    return "; ".join(texts) + "; quantize_static " + right(place, "qdq.onnx", expected, 0.05)


@row("5", "C", "ReduceL1, ReduceLogSum, ReduceLogSumExp with the attribute axes (operator sets 13 to 17)")
def reductions(place):
    texts = []
    for kind in ("ReduceL1", "ReduceLogSum", "ReduceLogSumExp"):
        for opset in (13, 17, 18):
            graph = Graph(3)
            value = graph.op("Relu", graph.conv("x", 3, 8, 2, 2))
            positive = graph.op("Add", value, graph.f32(0.5))
            if opset < 18:
                value = graph.op(kind, positive, axes=[2, 3], keepdims=0)
            else:
                value = graph.op(kind, positive, graph.i64([2, 3]), keepdims=0)
            graph.name(graph.op("Mul", graph.dense(value, 8, 5, 1.0), graph.f32(0.01 if kind == "ReduceL1" else 1)), "y")
            model = graph.model(IMAGE, OUT, opset)
            if opset < 18:
                place.predict_refused(place.save(model), classifier(), place.pets(), reason=kind, step="opset|operator set|18|runner")
            else:
                texts.append(kind + " " + right(place, place.save(model), softmax(reference(model, place.inputs(place.pets()))[0]), 1e-4))
    return "sets 13 and 17 refused; 18: " + ", ".join(texts)


@row("5", "D", "operators that OpenVINO does not have: com.microsoft, a custom one")
def operators(place):
    texts = []
    for domain, kind in (("my.ops", "MyOp"), ("com.microsoft", "QGemm")):
        graph = Graph(3)
        value = graph.logits()
        graph.nodes.append(helper.make_node(kind, [value], ["y"], domain=domain))
        model = graph.model(IMAGE, OUT, domains=[domain], check=False)
        place.add_refused(place.save(model), classifier(), reason=kind, step="runner|export|QDQ|format")
        texts.append(kind)
    return "refused", ", ".join(texts)


@row("5", "D", "other inputs: im_shape and scale_factor, pixel_mask, keras_learning_phase")
def others(place):
    texts, data = [], place.pets()
    images = place.inputs(data)
    cases = (
        ("PaddleDetection", [("im_shape", F32, ["N", 2]), image_input(name="x"), ("scale_factor", F32, ["N", 2])],
         "constant-inputs: {im_shape: [height, width], scale_factor: [1, 2]}\n",
         {"im_shape": np.full((15, 2), 64, np.float32), "scale_factor": np.tile(np.float32([1, 2]), (15, 1))}),
        ("pixel_mask", [image_input(name="x"), ("pixel_mask", I64, ["N", SIDE, SIDE])], "constant-inputs: {pixel_mask: 1}\n",
         {"pixel_mask": np.ones((15, SIDE, SIDE), np.int64)}),
        ("keras_learning_phase", [image_input(name="x"), ("keras_learning_phase", BOOL, [])], "constant-inputs: {keras_learning_phase: 0}\n",
         {"keras_learning_phase": np.array(False)}))
    for title, inputs, more, values in cases:
        graph = Graph(3)
        value = graph.logits()
        for name, kind, shape in inputs:
            if name == "x":
                continue
            number = graph.cast(name, F32)
            if len(shape) > 1:
                number = graph.op("ReduceMean", number, axes=list(range(1, len(shape))), keepdims=0)
                number = graph.unsqueeze(number, 1)
            bend = graph.op("Mul", number, graph.f32(np.array([0.01, 0.02, 0, -0.01, 0.05])))
            value = graph.op("Add", value, bend)
        graph.name(value, "y")
        model = graph.model(inputs, OUT)
        file = place.save(model)
        place.predict_refused(file, classifier(), data, reason=inputs[1 if title != "PaddleDetection" else 0][0], step="constant-inputs")
        name = place.add(file, classifier(more=more))
        expected = softmax(session(model).run(None, {"x": images, **values})[0])
        texts.append(title + " " + near("probabilities", place.scores(name, data), expected, 1e-5))
    return "; ".join(texts)


@row("5", "-", "a batch that mixes its samples; random operators")
def mixing(place):
    graph = Graph(3)
    value = graph.logits()
    mean = graph.op("Mul", graph.op("ReduceMean", value, axes=[0], keepdims=1), graph.f32(0.5))
    graph.name(graph.op("Sub", value, mean), "y")
    file, data = place.save(graph.model(IMAGE, OUT)), place.pets()
    place.predict_refused(file, classifier(), data, "--batch", "3", reason="self-check|batch", step="--batch 1")
    name = place.add(file, classifier())
    expected = softmax(reference(plain(), place.inputs(data))[0] * 0.5)
    near("probabilities", place.scores(name, data, "--batch", "1"), expected, 1e-5)
    graph = Graph(3)
    value = graph.logits()
    graph.name(graph.op("Add", value, graph.op("RandomNormalLike", value)), "y")
    place.predict_refused(place.save(graph.model(IMAGE, OUT)), classifier(), data, reason="self-check|differ", step="random|eval|run again|batch")
    return "refused", "both by the self-check; the first works with --batch 1"


@row("5", "-", "NaN and infinity in the output")
def not_finite(place):
    for title in ("NaN", "Inf"):
        graph = Graph(3)
        value = graph.logits()
        zero = graph.op("Sub", value, value)
        graph.name(graph.op("Div", zero, zero) if title == "NaN" else graph.op("Div", value, zero), "y")
        place.predict_refused(place.save(graph.model(IMAGE, OUT)), classifier(), place.pets(), reason="nan|inf|finite", step="scale|manifest")
    return "refused", "sample and values named"


@row("5", "E", "constant outputs")
def constant(place):
    graph = Graph(3)
    graph.name(graph.op("Softmax", graph.op("Mul", graph.logits(), graph.f32(0)), axis=1), "y")
    name = place.add(place.save(graph.model(IMAGE, OUT)), classifier("none"))
    _, text = place.predict(name, place.pets())
    if not any(word in text.lower() for word in ("same", "constant", "equal", "identical outputs")):
        raise NoStep(f"not a word about outputs that are the same for all images: {' '.join(text.split())[-250:]}")
    return "told"


@row("5", "D", "inputs: [3, H, W] right; gray right; video, flat, RGBA refused")
def ranks(place):
    texts, data = [], place.pets()
    graph = Graph(3)
    graph.nodes.append(helper.make_node("Unsqueeze", ["x", graph.i64([0])], ["x4"]))
    graph.name(graph.logits("x4"), "y")
    model = graph.model([("x", F32, [3, SIDE, SIDE])], [("y", F32, [1, 5])])
    texts.append("[3, H, W] " + right(place, place.save(model), softmax(reference(plain(), place.inputs(data))[0])))
    graph = Graph(4)
    graph.name(graph.logits(channels=1), "y")
    model = graph.model([image_input(channels=1)], OUT)
    from PIL import Image
    gray = np.stack([np.asarray(Image.fromarray(image).convert("L")) for image in place.images(data)])[:, None] / 255
    texts.append("gray " + right(place, place.save(model), softmax(reference(model, gray.astype(np.float32))[0]), color="gray"))
    for title, shape in (("video", ["N", 3, 16, SIDE, SIDE]), ("flat", ["N", 784]), ("RGBA", ["N", 4, SIDE, SIDE])):
        graph = Graph(5)
        value = "x" if title != "flat" else None
        if title == "video":
            value = graph.logits(graph.op("ReduceMean", "x", axes=[2], keepdims=0))
        elif title == "RGBA":
            value = graph.logits(channels=4)
        else:
            value = graph.dense("x", 784, 5)
        graph.name(value, "y")
        place.add_refused(place.save(graph.model([("x", F32, shape)], OUT)), classifier(), reason=r"shape|takes|dimension|\[N",
                          step="image|channels|reads|runner|feeds|\\[N")
        texts.append(title + " refused")
    return "; ".join(texts)


@row("5", "-", "damaged files: cut, a byte short, empty, HTML, pointer of Git LFS, random, IR without its .bin")
def damaged(place):
    data = plain().SerializeToString()
    random = np.random.default_rng(7)
    cases = {"half.onnx": data[:len(data) // 2], "last.onnx": data[:-1], "head.onnx": data[:100], "empty.onnx": b"",
             "random.onnx": random.bytes(1 << 20), "page.onnx": b"<!DOCTYPE html><html><head><title>404</title></head></html>",
             "lfs.onnx": b"version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 13992273\n",
             "broken.tflite": b"\x20\0\0\0TFL3" + random.bytes(2000)}
    for name, content in cases.items():
        with open(place.path(name), "wb") as file:
            file.write(content)
        place.add_refused(name, classifier(), reason=".", step="git lfs pull" if name == "lfs.onnx" else None)
    texts = list(cases)
    for cut in range(200, len(data), len(data) // 12):
        with open(place.path("cut.onnx"), "wb") as file:
            file.write(data[:cut])
        place.add_refused("cut.onnx", classifier(), reason=".")
    changed = bytearray(data)
    changed[len(data) // 3] ^= 255
    try:
        ov = need("openvino")
    except Skip:
        return "refused", ", ".join(texts)
    with open(place.path("ok.onnx"), "wb") as file:
        file.write(data)
    ov.save_model(ov.convert_model(place.path("ok.onnx")), place.path("whole.xml"))
    os.rename(place.path("whole.bin"), place.path("other.bin"))
    place.add_refused("whole.xml", classifier(), reason=r"whole\.bin|\.bin", step="beside|\\.bin")
    place.add_refused("other.bin", classifier(), reason=".", step=r"\.xml")
    with open(place.path("other.bin"), "rb") as file:
        weights = file.read()
    with open(place.path("whole.bin"), "wb") as file:
        file.write(weights[:len(weights) // 2])
    place.add_refused("whole.xml", classifier(), reason=r"bin|offset|size|cut|length|weights")
    return "refused", ", ".join(texts) + ", 12 cuts, IR without or with half of its .bin, a .bin"


@row("5", "D", "a tensor of 16 GiB made by 400 bytes; sizes that the file does not have; 4 GiB")
def memory(place):
    graph = Graph(3)
    value = graph.op("ReduceMean", graph.op("ConstantOfShape", graph.i64([1 << 16, 1 << 16])), keepdims=0)
    graph.name(graph.op("Add", graph.logits(), value), "y")
    model = graph.model(IMAGE, OUT)
    name, file = place.fresh("n"), place.save(model)
    added = place.words("model", "add", file, "--name", name, "--manifest", place.manifest(classifier()), "--max-memory", "2G")
    done = place.words("predict", place.pets(), "--model", name, "--name", place.fresh("r"), "--max-memory", "2G") if added.returncode == 0 else added
    text = " ".join(done.text.split())
    if done.returncode <= 0 or "memory" not in text:
        raise NoStep(f"status {done.returncode}: {text[-300:]}")
    graph = Graph(3)
    graph.name(graph.logits(), "y")
    model = graph.model(IMAGE, OUT)
    extra = model.graph.initializer.add()
    extra.name, extra.data_type, extra.raw_data = "huge", F32, b"\0" * 16
    extra.dims.extend([1 << 15, 1 << 15])
    place.add_refused(place.save(model), classifier(), reason="bytes|values|size|GiB|huge")
    with open(place.path("sparse.onnx"), "wb") as file:
        file.write(plain().SerializeToString())
        file.seek(4 << 30)
        file.write(b"x")
    place.add_refused("sparse.onnx", classifier(), reason="limit of")
    os.remove(place.path("sparse.onnx"))
    return "refused", text[-160:]


@row("5", "-", "the model's file is changed or gone after adding; a draft that exists")
def gone(place):
    file = place.save(plain())
    name = place.add(file, classifier())
    with open(place.path(file), "wb") as out:
        out.write(plain(gain=5.0).SerializeToString())
    place.refused("predict", place.pets(), "--model", name, "--name", place.fresh("r"), reason="not the file|changed", step="put the file back|add")
    os.remove(place.path(file))
    place.refused("predict", place.pets(), "--model", name, "--name", place.fresh("r"), reason="no file|not found|missing|gone|not there|does not exist")
    other = place.save(plain(), "drafted")
    place.words("model", "add", other, "--name", "drafted")
    done = place.words("model", "add", other, "--name", "drafted")
    if "drafted.yaml" not in done.text:
        raise Wrong(f"not a word about the existing draft: {done.text[-200:]}")
    return "refused", "both; " + " ".join(done.text.split())[-100:]


@row("5", "E", "the model's file is cut after adding: the reason is the change")
def cut_later(place):
    file = place.save(plain())
    name = place.add(file, classifier())
    with open(place.path(file), "rb+") as out:
        out.truncate(1000)
    text = place.refused("predict", place.pets(), "--model", name, "--name", place.fresh("r"), reason="not the file|changed", step="put|add")
    return "refused", text[:160]


@row("5", "B", "PyTorch: .pt, .pth, TorchScript, .pt2; Keras: .keras, .h5; safetensors, frozen .pb, .mlmodel, SavedModel folder")
def foreign(place):
    def packed(*members):
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for member in members:
                archive.writestr(member, b"x" * 40)
        return out.getvalue()
    cases = {"net.pt": (packed("net/data.pkl", "net/data/0"), "torch.onnx.export|yolo export"),
             "net.pth": (b"\x80\x02c" + b"x" * 60, "torch.onnx.export"),
             "script.pt": (packed("s/code/x.py", "s/data.pkl"), "torch.jit.load"),
             "net.pt2": (packed("net/models/model.json", "net/archive_format"), "torch.export.load"),
             "net.keras": (packed("metadata.json", "config.json", "model.weights.h5"), "keras|ovc|tf2onnx"),
             "net.h5": (b"\x89HDF\r\n\x1a\n" + b"\0" * 100, "keras"),
             "net.safetensors": (b"\x3c\0\0\0\0\0\0\0{\"weight\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", "optimum-cli|onnx")}
    texts = []
    for name, (content, step) in cases.items():
        with open(place.path(name), "wb") as file:
            file.write(content)
        place.add_refused(name, classifier(), reason="PyTorch|Torch|pickle|Keras|weights", step=step)
        texts.append(name)
    os.makedirs(place.path("saved/variables"), exist_ok=True)
    with open(place.path("saved/saved_model.pb"), "wb") as file:
        file.write(b"\x08\x01\x12\x09\x0a\x02\x0a\x00\x12\x03abc")
    place.add_refused("saved", classifier(), reason="SavedModel", step="ovc|tf2onnx")
    place.add_refused("saved/saved_model.pb", classifier(), reason="SavedModel", step="ovc|tf2onnx")
    try:
        torch = need("torch")
    except Skip:
        return "refused", ", ".join(texts) + ", SavedModel"
    net = torch.nn.Linear(3, 2)
    torch.save(net.state_dict(), place.path("real.pth"))
    torch.save(net, place.path("real.pt"))
    torch.jit.trace(net, torch.zeros(1, 3)).save(place.path("real_script.pt"))
    torch.export.save(torch.export.export(net, (torch.zeros(1, 3),)), place.path("real.pt2"))
    for name, step in (("real.pth", "torch.onnx.export"), ("real.pt", "torch.onnx.export|yolo"), ("real_script.pt", "torch.jit.load"),
                       ("real.pt2", "torch.export.load")):
        place.add_refused(name, classifier(), reason="PyTorch|Torch", step=step)
        texts.append(name)
    return "refused", ", ".join(texts) + ", SavedModel"


@row("5", "D", "Keras, TensorFlow: .keras, .h5, SavedModel, frozen graph as TensorFlow writes them")
def tensorflow_files(place):
    tf = need("tensorflow")
    model = keras(tf)
    model.save(place.path("k.keras"))
    model.save(place.path("k.h5"))
    model.export(place.path("k_saved"), verbose=False)
    function = tf.function(lambda x: model(x)).get_concrete_function(tf.TensorSpec([None, SIDE, SIDE, 3]))
    from tensorflow.python.framework.convert_to_constants import convert_variables_to_constants_v2
    with open(place.path("frozen.pb"), "wb") as file:
        file.write(convert_variables_to_constants_v2(function).graph.as_graph_def().SerializeToString())
    for name in ("k.keras", "k.h5", "k_saved", "k_saved/saved_model.pb", "frozen.pb"):
        place.add_refused(name, classifier(), reason="Keras|TensorFlow|SavedModel|frozen", step="ovc|tf2onnx|keras|tensorflow")
    return "refused", "each with the command that converts it"


@row("5", "E", "a folder with an OpenVINO IR in it")
def folder(place):
    ov = need("openvino")
    os.makedirs(place.path("net_openvino_model"), exist_ok=True)
    with open(place.path("f.onnx"), "wb") as file:
        file.write(plain().SerializeToString())
    ov.save_model(ov.convert_model(place.path("f.onnx")), place.path("net_openvino_model/net.xml"), compress_to_fp16=False)
    return right(place, "net_openvino_model", softmax(reference(plain(), place.inputs(place.pets()))[0]))
