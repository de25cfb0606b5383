"""Section 1: classifiers."""
import os

import numpy as np
import onnx

from .base import (BOOL, F32, I64, MEAN, PETS, SIDE, STD, Graph, Wrong, classifier, image_input, names, near, need, numbered,
                   reference, row, setting, settled, sigmoid, softmax, varied)

NORMAL = {"scale": "1/255", "offset": "0"}
FLAT = f"mean: {MEAN.tolist()}, std: {STD.tolist()}"


def plain(classes=5, activation=None, batch="N", opset=17, height=SIDE, width=SIDE, gain=6.0):
    """A classifier of logits y, or with its activation inside."""
    graph = Graph(3)
    value = graph.logits(classes=classes, gain=gain)
    if activation:
        value = graph.op(activation, value, **({} if activation == "Sigmoid" else {"axis": 1}))
    graph.name(value, "y")
    return graph.model([image_input(batch, 3, height, width)], [("y", F32, [batch, classes])], opset)


def compared(place, model, tolerance=1e-5, activation="softmax", function=softmax, options=(), file=None, alone=False, **keys):
    """The probabilities of the 15 images, against ONNX Runtime."""
    data = place.pets()
    name = place.add(file or place.save(model), classifier(activation, **keys))
    return near("probabilities", place.scores(name, data, *options),
                function(reference(model, place.inputs(data), alone=alone)[0]), tolerance)


@row("1", "A", "torchvision, legacy export, Resize and CenterCrop of Pillow images")
def torchvision(place):
    torch, tv = need("torch", "torchvision")
    from PIL import Image
    torch.manual_seed(1)
    model = tv.models.mobilenet_v2(num_classes=5).eval()
    settled(torch, model, torch.nn.functional.interpolate(torch.rand(8, 3, 12, 12), 224) * torch.rand(8, 3, 1, 1))
    with torch.no_grad():
        model.classifier[1].weight.mul_(10)
    path = place.path("tv.onnx")
    torch.onnx.export(model, torch.zeros(1, 3, 224, 224), path, dynamo=False, input_names=["x"], output_names=["y"],
                      dynamic_axes={"x": {0: "batch"}, "y": {0: "batch"}})
    data = place.odd()
    transform = tv.models.MobileNet_V2_Weights.IMAGENET1K_V1.transforms()
    images = torch.stack([transform(Image.fromarray(image)) for image in place.images(data)])
    name = place.add(path, f"task: classification\ninput: {{preset: torchvision}}\nactivation: softmax\n{names(PETS)}")
    first = near("inputs", place.tensors(name, data), images.numpy(), 1e-6)
    with torch.no_grad():
        return first + ", " + near("probabilities", place.scores(name, data, "--ignore-missing"),
                                   varied(softmax(model(images).numpy())), 1e-4)


@row("1", "A", "the same crop without torchvision: Pillow's own resize")
def crop(place):
    from PIL import Image
    data, graph = place.odd(), Graph(4)
    graph.name(graph.logits(), "y")
    model = graph.model([image_input()], [("y", F32, ["N", 5])])
    name = place.add(place.save(model), f"task: classification\ninput: {{preset: torchvision, width: 64, height: 64,"
                                        f" shorter: 72}}\nactivation: softmax\n{names(PETS)}")
    expected = []
    for image in place.images(data):
        height, width = image.shape[:2]
        side = (72, int(72 * height / width)) if width <= height else (int(72 * width / height), 72)
        small = np.asarray(Image.fromarray(image).resize(side, Image.BILINEAR)).astype(np.float64)
        top, left = round((side[1] - 64) / 2), round((side[0] - 64) / 2)
        expected.append(((small[top:top + 64, left:left + 64] / 255 - MEAN) / STD).transpose(2, 0, 1))
    expected = np.stack(expected).astype(np.float32)
    return (near("inputs", place.tensors(name, data), expected, 1e-6) + ", " +
            near("probabilities", place.scores(name, data), softmax(reference(model, expected)[0]), 1e-5))


@row("1", "A", "a draft without statements leaves preprocessing and activation open")
def open_draft(place):
    file = place.save(plain())
    text, draft = place.draft(file)
    for word in ("resize", "scale", "activation"):
        line = [line for line in draft.splitlines() if word + ":" in line]
        if not line or "TODO" not in line[0]:
            raise Wrong(f"the draft states {word} without a TODO: {line}")
    place.add_refused(file, reason="TODO|open|does not state|draft", step=r"\.yaml|--manifest")
    return "refused", "the draft's lines for resize, scale and activation have a TODO; --accept-draft refuses"


@row("1", "-", "fixed batch 1 and 8, dynamic batch")
def batches(place):
    texts = []
    for batch in ("N", 1, 8):
        model = plain(batch=batch)
        free = plain()
        data = place.pets()
        name = place.add(place.save(model), classifier())
        texts.append(f"{batch} " + near("probabilities", place.scores(name, data),
                                        softmax(reference(free, place.inputs(data))[0]), 1e-5))
    return "; ".join(texts)


@row("1", "-", "operator sets 11, 13, 17, 20 to 26")
def opsets(place):
    texts = []
    for opset in (11, 13, 17, 20, 21, 22, 23, 24, 25, 26):
        if opset > onnx.defs.onnx_opset_version():
            continue
        model = plain(opset=opset)
        data = place.pets()
        name = place.add(place.save(model), classifier())
        try:
            expected = reference(model, place.inputs(data))[0]
        except Exception:  # ONNX Runtime lags behind
            expected = reference(plain(), place.inputs(data))[0]
        near(f"operator set {opset}", place.scores(name, data), softmax(expected), 1e-5)
        texts.append(str(opset))
    return "probabilities within 1e-05, sets " + " ".join(texts)


@row("1", "-", "batch fixed by a Reshape (4, 32), --batch 3")
def reshaped(place):
    texts, data = [], place.pets()
    for batch in (4, 32):
        graph = Graph(3)
        graph.name(graph.op("Reshape", graph.logits(), graph.i64([batch, 5])), "y")
        name = place.add(place.save(graph.model([image_input(batch)], [("y", F32, [batch, 5])])), classifier())
        run, text = place.predict(name, data, "--batch", "3")
        table = place.table(run)[1]
        near("probabilities", [[float(v) for v in table[key]] for key in place.keys(data)],
             softmax(reference(plain(), place.inputs(data))[0]), 1e-5)
        if "batch" not in text.lower():
            raise Wrong(f"not a word about the batch: {text}")
        texts.append(str(batch))
    return "probabilities within 1e-05, padded and told, batch " + " ".join(texts)


@row("1", "B", "values in another file (external data), as PyTorch's exporter writes by default")
def external(place):
    model = plain()
    expected = reference(model, place.inputs(place.pets()))[0]
    onnx.save(model, place.path("outside.onnx"), save_as_external_data=True, location="outside.onnx.data", size_threshold=0)
    name = place.add("outside.onnx", classifier())
    first = near("probabilities", place.scores(name, place.pets()), softmax(expected), 1e-5)
    os.rename(place.path("outside.onnx.data"), place.path("gone.data"))
    place.add_refused("outside.onnx", classifier(), reason=r"outside\.onnx\.data", step="beside|folder|external_data|copy")
    return first + "; without the other file refused"


@row("1", "B", "torch.onnx.export with its defaults (dynamo, .onnx.data)")
def dynamo(place):
    torch, _ = need("torch", "onnxscript")
    model, inputs = torch_net(torch), place.inputs(place.pets())
    torch.onnx.export(model, (torch.zeros(1, 3, SIDE, SIDE),), place.path("default.onnx"))
    name = place.add("default.onnx", classifier())
    with torch.no_grad():
        return near("probabilities", place.scores(name, place.pets()), softmax(model(torch.from_numpy(inputs)).numpy()), 1e-5)


@row("1", "-", "dynamo, one file, dynamic batch")
def dynamo_one(place):
    torch, _ = need("torch", "onnxscript")
    model, inputs = torch_net(torch), place.inputs(place.pets())
    torch.onnx.export(model, (torch.zeros(2, 3, SIDE, SIDE),), place.path("one.onnx"), external_data=False,
                      dynamic_shapes=({0: torch.export.Dim("batch")},))
    name = place.add("one.onnx", classifier())
    with torch.no_grad():
        return near("probabilities", place.scores(name, place.pets()), softmax(model(torch.from_numpy(inputs)).numpy()), 1e-5)


def torch_net(torch, classes=5):
    torch.manual_seed(5)
    nn = torch.nn
    net = nn.Sequential(nn.Conv2d(3, 8, 3, 2), nn.ReLU(), nn.Conv2d(8, 16, 3, 2), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
                        nn.Linear(16, classes)).eval()
    with torch.no_grad():
        net[-1].weight.mul_(10)
    return net


@row("1", "-", "dynamic height and width")
def any_size(place):
    return compared(place, plain(height="h", width="w"))


@row("1", "-", "timm's ViT and ConvNeXt")
def timm(place):
    torch, library = need("torch", "timm")
    texts = []
    for kind in ("vit_tiny_patch16_224", "convnext_atto"):
        torch.manual_seed(6)
        model = library.create_model(kind, pretrained=False, num_classes=5).eval()
        torch.nn.init.normal_((model.head.fc if hasattr(model.head, "fc") else model.head).weight, std=0.3)
        torch.onnx.export(model, torch.zeros(1, 3, 224, 224), place.path(kind + ".onnx"), dynamo=False, input_names=["x"],
                          output_names=["y"], dynamic_axes={"x": {0: "b"}, "y": {0: "b"}})
        data = place.odd()
        transform = library.data.create_transform(input_size=(3, 224, 224), interpolation="bicubic", crop_pct=0.875)
        from PIL import Image
        images = torch.stack([transform(Image.fromarray(image)) for image in place.images(data)])
        name = place.add(kind + ".onnx", f"task: classification\ninput: {{preset: timm}}\nactivation: softmax\n{names(PETS)}")
        with torch.no_grad():
            texts.append(kind + " " + near("probabilities", place.scores(name, data), varied(softmax(model(images).numpy())), 1e-4))
    return "; ".join(texts)


@row("1", "-", "Hugging Face's ViT with config.json, all dimensions dynamic, its draft")
def hugging(place):
    torch, hf = need("torch", "transformers")
    from PIL import Image
    torch.manual_seed(4)
    config = hf.ViTConfig(hidden_size=48, num_hidden_layers=2, num_attention_heads=3, intermediate_size=96, num_labels=5,
                          id2label=dict(enumerate(PETS)), architectures=["ViTForImageClassification"])
    model = hf.ViTForImageClassification(config).eval()
    torch.nn.init.normal_(model.classifier.weight, std=0.5)
    processor = (getattr(hf, "ViTImageProcessorPil", None) or hf.ViTImageProcessor)()
    folder = place.path("hfvit")
    model.config.save_pretrained(folder)
    processor.save_pretrained(folder)
    torch.onnx.export(model, torch.zeros(1, 3, 224, 224), folder + "/model.onnx", dynamo=False, opset_version=17,
                      input_names=["pixel_values"], output_names=["logits"],
                      dynamic_axes={"pixel_values": dict(enumerate(("batch", "channels", "height", "width"))),
                                    "logits": {0: "batch"}})
    data = place.odd()
    tensors = processor([Image.fromarray(image) for image in place.images(data)], return_tensors="pt")["pixel_values"]
    name = place.add("hfvit/model.onnx")
    first = near("inputs", place.tensors(name, data), tensors.numpy(), 1e-6)
    with torch.no_grad():
        return first + ", " + near("probabilities", place.scores(name, data), softmax(model(tensors).logits.numpy()), 1e-4)


@row("1", "A", "Ultralytics' classifier, metadata as it writes them, the draft as it is")
def ultralytics_made(place):
    from PIL import Image
    data, graph = place.odd(), Graph(7)
    graph.name(graph.op("Softmax", graph.logits(), axis=1), "output0")
    metadata = {"description": "Ultralytics YOLOv8n-cls model", "author": "Ultralytics", "stride": 1, "task": "classify",
                "batch": 1, "imgsz": [64, 64], "names": dict(enumerate(PETS)), "head": "Classify", "version": "8.4.190"}
    model = graph.model([image_input(1, name="x")], [("output0", F32, [1, 5])], metadata=metadata)
    file = place.save(model)
    name = place.add(file)
    expected = []
    for image in place.images(data):
        height, width = image.shape[:2]
        side = (64, int(64 * height / width)) if width <= height else (int(64 * width / height), 64)
        small = np.asarray(Image.fromarray(image).resize(side, Image.BILINEAR)).astype(np.float64)
        top, left = round((side[1] - 64) / 2), round((side[0] - 64) / 2)
        expected.append((small[top:top + 64, left:left + 64] / 255).transpose(2, 0, 1))
    expected = np.stack(expected).astype(np.float32)
    return (near("inputs", place.tensors(name, data), expected, 1e-6) + ", " +
            near("probabilities", place.scores(name, data), reference(model, expected, alone=True)[0], 1e-5))


@row("1", "A", "yolov8n-cls as Ultralytics exports it, the draft as it is")
def ultralytics(place):
    torch, library = need("torch", "ultralytics")
    from PIL import Image
    torch.manual_seed(3)
    data = place.odd()
    model = library.YOLO("yolov8n-cls.yaml")
    settled(torch, model.model, torch.nn.functional.interpolate(torch.rand(8, 3, 14, 14), 224) * torch.rand(8, 3, 1, 1))
    with torch.no_grad():
        model.model.model[-1].linear.weight.mul_(5)
    model.save("cls.pt")
    library.YOLO("cls.pt").export(format="onnx", imgsz=224, verbose=False)
    name = place.add("cls.onnx")
    results = library.YOLO("cls.onnx", task="classify")([Image.fromarray(i) for i in place.images(data)], verbose=False)
    return near("probabilities", place.scores(name, data, "--ignore-missing"),
                varied([result.probs.data.tolist() for result in results], 1e-3), 1e-4)


@row("1", "-", "softmax inside: none is right, softmax again is refused")
def soft_inside(place):
    model = plain(activation="Softmax")
    first = compared(place, model, activation="none", function=np.asarray)
    place.predict_refused(place.save(model), classifier("softmax"), place.pets(), reason="already|second one",
                          step="activation: none|“none”|none")
    return first + "; softmax on it refused"


@row("1", "-", "log-softmax inside and softmax")
def log_softmax(place):
    return compared(place, plain(activation="LogSoftmax"))


@row("1", "C", "the model ends in its own sigmoid")
def own_sigmoid(place):
    model = plain(activation="Sigmoid", gain=3.0)
    file, data = place.save(model), place.pets()
    place.predict_refused(file, classifier("none"), data, reason="sum", step="sigmoid-in-model")
    for activation in ("sigmoid", "softmax"):
        place.predict_refused(file, classifier(activation), data, reason="already|second one|probabilit", step="sigmoid-in-model|none")
    first = compared(place, model, activation="sigmoid-in-model", function=np.asarray)
    return first + " with sigmoid-in-model; none, sigmoid and softmax refused"


@row("1", "C", "the model ends in its own sigmoid, multi-label")
def own_sigmoid_labels(place):
    model = plain(activation="Sigmoid", gain=3.0)
    file, data = place.save(model), multilabel(place)
    place.predict_refused(file, classifier("sigmoid", task="multilabel"), data, reason="second one|0.*1", step="none")
    name = place.add(file, classifier("none", task="multilabel"))
    return near("scores", place.scores(name, data), reference(model, place.inputs(data))[0], 1e-5) + "; sigmoid again refused"


def multilabel(place):
    if "labels" not in place.datasets:
        data = place.pets()
        keys = []
        lines = ["image,labels"]
        for index, image in enumerate(place.images(data)):
            keys.append(f"{index:02}.png")
            place.write("labels/" + keys[-1], image)
            lines.append(f"{keys[-1]},{PETS[index % 5]}|{PETS[(index * 2 + 1) % 5]}")
        with open(place.path("labels/labels.csv"), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")
        place.run("import", "labels/labels.csv:multilabel-csv", "--name", "labels")
        place.datasets["labels"] = keys, place.images(data)
    return "labels"


def binary(place):
    """The pets as two classes."""
    if "binary" not in place.datasets:
        keys, images = [], []
        for index, image in enumerate(place.images(place.pets())):
            keys.append(f"{'no' if index % 3 else 'yes'}/{index:02}.png")
            place.write("binary/" + keys[-1], image)
            images.append(image)
        place.run("import", "binary:image-folder", "--name", "binary")
        place.datasets["binary"] = keys, images
    return "binary"


@row("1", "B", "binary with one output [N, 1], probability and logit; accuracy and log loss")
def one_output(place):
    data, texts = binary(place), []
    for activation, inside in (("sigmoid", None), ("none", "Sigmoid")):
        model = plain(1, inside, gain=3.0)
        name = place.add(place.save(model), classifier(activation, ["no", "yes"], "positive: yes\n"))
        run, _ = place.predict(name, data)
        classes, table = place.table(run)
        value = reference(model, place.inputs(data))[0][:, 0]
        value = value if inside else sigmoid(value)
        found = np.array([float(table[key][classes.index("yes")]) for key in place.keys(data)])
        near("probabilities", found, value, 1e-5)
        truth = np.array([key.startswith("yes") for key in place.keys(data)])
        metrics = place.evaluate(run)
        near("accuracy", find(metrics, "accuracy"), ((value > 0.5) == truth).mean(), 1e-9)
        texts.append(near("log loss", find(metrics, "log_loss", "logLoss"),
                          -np.log(np.where(truth, value, 1 - value)).mean(), 1e-5))
    file = place.save(plain(1, "Sigmoid", gain=3.0))
    place.predict_refused(file, classifier("none", ["no", "yes"]), data, reason="shape|one value|2|two", step="positive")
    return "; ".join(texts) + "; without “positive” refused"


def find(tree, *keys):
    """The first value of one of the keys, anywhere in a JSON tree."""
    if isinstance(tree, dict):
        for key in keys:
            if isinstance(tree.get(key), (int, float)):
                return tree[key]
            if isinstance(tree.get(key), dict) and isinstance(tree[key].get("value"), (int, float)):
                return tree[key]["value"]
    for value in tree.values() if isinstance(tree, dict) else tree if isinstance(tree, list) else ():
        found = find(value, *keys)
        if found is not None:
            return found
    return None


@row("1", "C", "outputs in whole steps of 1/256, as a full-integer TFLite gives them")
def steps(place):
    graph = Graph(3)
    value = graph.op("Softmax", graph.logits(gain=3.0), axis=1)
    rounded = graph.op("Mul", graph.op("Round", graph.op("Mul", value, graph.f32(256))), graph.f32(1 / 256))
    graph.name(rounded, "y")
    model = graph.model([image_input()], [("y", F32, ["N", 5])])
    data, file = place.pets(), place.save(model)
    values = reference(model, place.inputs(data))[0].astype(np.float64)
    if np.abs(values.sum(1) - 1).max() < 0.001:
        raise Wrong("the model's sums do not differ from 1: the row checks nothing")
    name = place.add(file, classifier("none"))
    first = near("probabilities", place.scores(name, data), values / values.sum(1, keepdims=True), 1e-6)
    for activation in ("softmax", "sigmoid"):
        place.predict_refused(file, classifier(activation), data, reason="already|second one|probabilit", step="none")
    return first + "; softmax and sigmoid on them refused"


@row("1", "C", "full-integer TFLite with float input and output")
def tflite_int8(place):
    tf = need("tensorflow")
    model, inputs = keras(tf), place.inputs(place.pets(), order="NHWC")
    converter = tf.lite.TFLiteConverter.from_keras_model(model)
    converter.optimizations = [tf.lite.Optimize.DEFAULT]
    converter.representative_dataset = lambda: ([image[None]] for image in inputs)
    data = converter.convert()
    file = place.save(data, suffix=".tflite")
    name = place.add(file, classifier("none", layout="NHWC"))
    expected = interpreted(tf, data, inputs)
    expected = expected / expected.sum(1, keepdims=True)
    # The interpreter computes in 8 bits, OpenVINO in float32: one step of 1/256 or two.
    return near("probabilities", place.scores(name, place.pets()), expected, 0.02)


def keras(tf, activation="softmax", side=SIDE):
    tf.keras.utils.set_random_seed(5)
    layers = tf.keras.layers
    model = tf.keras.Sequential([
        layers.Input((side, side, 3)), layers.Conv2D(8, 3, strides=2, activation="relu"),
        layers.Conv2D(16, 3, strides=2, activation="relu"), layers.GlobalAveragePooling2D(), layers.Dense(5, activation=activation)])
    weights = model.layers[-1].get_weights()
    model.layers[-1].set_weights([weights[0] * 8, weights[1]])
    return model


def interpreted(tf, data, inputs):
    """TensorFlow Lite's own answers, quantized inputs and outputs included."""
    lite = tf.lite.Interpreter(model_content=data, num_threads=1)
    lite.allocate_tensors()
    into, out = lite.get_input_details()[0], lite.get_output_details()[0]
    answers = []
    for image in inputs:
        value = image[None]
        if into["dtype"] != np.float32:
            scale, zero = into["quantization"]
            limits = np.iinfo(into["dtype"])
            value = np.clip(np.round(value / scale + zero), limits.min, limits.max)
        lite.set_tensor(into["index"], value.astype(into["dtype"]))
        lite.invoke()
        answer = lite.get_tensor(out["index"])[0].astype(np.float64)
        if out["dtype"] != np.float32:
            answer = (answer - out["quantization"][1]) * out["quantization"][0]
        answers.append(answer)
    return np.array(answers)


@row("1", "E", "two outputs, an embedding and logits")
def two_outputs(place):
    graph = Graph(3)
    features = graph.features("x")
    graph.name(features, "embedding")
    graph.name(graph.dense(features, 16, 5), "logits")
    model = graph.model([image_input()], [("embedding", F32, ["N", 16]), ("logits", F32, ["N", 5])])
    file, data = place.save(model), place.pets()
    place.predict_refused(file, classifier(), data, reason="outputs", step="output:|“output”|output")
    name = place.add(file, classifier(more="output: logits\n"))
    return near("probabilities", place.scores(name, data), softmax(reference(model, place.inputs(data))[1]), 1e-5) + \
        "; without “output” refused"


@row("1", "D", "argmax inside (i64), top 3 inside (scores, indices)")
def argmax(place):
    data = place.pets()
    graph = Graph(3)
    graph.name(graph.op("ArgMax", graph.logits(), axis=1, keepdims=0), "label")
    model = graph.model([image_input()], [("label", I64, ["N"])])
    keys = "labels-output: label\nclass-base: 0\n"
    name = place.add(place.save(model), f"task: classification\n{setting()}{names(PETS)}{keys}")
    run, _ = place.predict(name, data)
    _, table = place.table(run)
    found = [PETS.index(table[key][0]) for key in place.keys(data)]
    labels = reference(model, place.inputs(data))[0]
    near("classes", found, labels, 0)
    truth = np.repeat(np.arange(5), 3)
    near("accuracy", find(place.evaluate(run), "accuracy"), (labels == truth).mean(), 1e-9)
    graph = Graph(3)
    values, indices = graph.op("TopK", graph.op("Softmax", graph.logits(), axis=1), graph.i64([3]), outputs=2, axis=1)
    graph.name(values, "scores"), graph.name(indices, "indices")
    model = graph.model([image_input()], [("scores", F32, ["N", 3]), ("indices", I64, ["N", 3])])
    file = place.save(model)
    place.predict_refused(file, classifier("none"), data, reason="outputs|indices", step="labels-output|output")
    name = place.add(file, f"task: classification\n{setting()}{names(PETS)}labels-output: indices\nclass-base: 0\n"
                           "scores-output: scores\n")
    run, _ = place.predict(name, data)
    _, table = place.table(run)
    near("classes", [PETS.index(table[key][0]) for key in place.keys(data)], labels, 0)
    return "classes and accuracy equal for both"


@row("1", "-", "999 or 1001 names for 1000 classes")
def wrong_count(place):
    file = place.save(plain(1000))
    for count in (999, 1001):
        place.predict_refused(file, classifier(classes=numbered(count)), place.pets(), reason=f"{count}.*1,?000|1,?000.*{count}|{count:,}")
    return "refused", "both counts named"


@row("1", "D", "several classes of the model are one of the data (ImageNet's dogs)")
def grouped(place):
    own = ["tabby", "tiger cat", "beagle", "pug", "hen", "ant", "bee", "owl"]
    mapping = {"tabby": "cat", "tiger cat": "cat", "beagle": "dog", "pug": "dog"}
    graph = Graph(8)
    graph.name(graph.logits(classes=8), "y")
    model = graph.model([image_input()], [("y", F32, ["N", 8])])
    name = place.add(place.save(model), f"task: classification\n{setting()}activation: softmax\n{names(own, 'outputs')}"
                                        f"classes: {{{', '.join(f'{a}: {b}' for a, b in mapping.items())}}}\n")
    data = place.pets()
    run, _ = place.predict(name, data)
    classes, table = place.table(run)
    values = softmax(reference(model, place.inputs(data))[0])
    texts = []
    for label, members in (("cat", (0, 1)), ("dog", (2, 3)), ("hen", (4,)), ("ant", (5,))):
        found = [float(table[key][classes.index(label)]) for key in place.keys(data)]
        texts.append(near(label, found, values[:, members].sum(1), 1e-5))
    return ", ".join(texts)


@row("1", "D", "1000 classes of the model, 5 of the data: accuracy and macro F1")
def many(place):
    data, model = place.pets(), plain(1000, gain=3.0)
    name = place.add(place.save(model), classifier(classes=numbered(1000)))
    run, _ = place.predict(name, data)
    values = softmax(reference(model, place.inputs(data))[0])
    truth = np.repeat(np.arange(5), 3)
    metrics = place.evaluate(run)
    near("accuracy", find(metrics, "accuracy"), (values.argmax(1) == truth).mean(), 1e-9)
    lines = len(place.run("evaluate", run).splitlines())
    loss = near("log loss", find(metrics, "log_loss", "logLoss"), -np.log(values[np.arange(15), truth]).mean(), 1e-5)
    return f"accuracy equal, {loss}; {lines} lines printed"


@row("1", "D", "a view without a class in common, or without labels")
def foreign(place):
    data, model = place.pets(), plain(2)
    name = place.add(place.save(model), classifier(classes=["x", "y"]))
    place.refused("predict", data, "--model", name, "--name", "foreign", reason="class", step="--ignore-missing|classes:")
    run, _ = place.predict(name, data, "--ignore-missing")
    expected = softmax(reference(model, place.inputs(data))[0])
    _, table = place.table(run)
    near("probabilities", [[float(v) for v in table[key]] for key in place.keys(data)], expected, 1e-5)
    odd = place.odd()
    place.scores(name, odd, "--ignore-missing")
    return "refused with --ignore-missing named; with it probabilities within 1e-05, unlabeled images too"


@row("1", "-", "the model's output has another rank: [C], [N, C, 1, 1]")
def ranks(place):
    data, texts = place.pets(), []
    for shape, batch in (([-1, 5, 1, 1], "N"), ([5], 1)):
        graph = Graph(3)
        graph.name(graph.op("Reshape", graph.logits(), graph.i64(shape)), "y")
        model = graph.model([image_input(batch)], [("y", F32, [batch if v == -1 else v for v in shape])])
        expected = softmax(reference(plain(), place.inputs(data))[0])
        file = place.save(model)
        try:
            name = place.add(file, classifier())
            texts.append(f"{shape} " + near("probabilities", place.scores(name, data), expected, 1e-5))
        except Exception as error:
            if len(shape) == 4 or isinstance(error, Wrong):
                raise
            place.predict_refused(file, classifier(), data, reason=r"\[5\]")
            texts.append(f"{shape} refused by its shape")
    return "; ".join(texts)
