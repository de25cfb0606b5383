"""The table of rows, what a row can report, and the folder that a row works in."""
import csv
import json
import os
import re
import subprocess

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

F32, F16, F64 = TensorProto.FLOAT, TensorProto.FLOAT16, TensorProto.DOUBLE
U8, I8, I32, I64, BOOL = TensorProto.UINT8, TensorProto.INT8, TensorProto.INT32, TensorProto.INT64, TensorProto.BOOL
SIDE = 64
MEAN, STD = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
PETS = ["ant", "bee", "cat", "dog", "owl"]
ROWS = []


class Wrong(Exception):
    """assay gives other values than the reference, without a word."""


class Refused(Exception):
    """assay refuses what should work."""


class NoStep(Exception):
    """assay refuses as it should, but the text lacks the reason or the next step."""


class Skip(Exception):
    """The row needs something that is not installed."""


class Row:
    def __init__(self, section, severity, title, function):
        self.section, self.severity, self.title, self.function = section, severity, title, function


def row(section, severity, title):
    def register(function):
        ROWS.append(Row(section, severity, title, function))
        return function
    return register


def need(*modules):
    """The modules, or the row is skipped."""
    import importlib
    found = []
    for name in modules:
        try:
            found.append(importlib.import_module(name))
        except Exception as error:  # a broken installation, too
            raise Skip(f"{name} is not installed ({type(error).__name__})") from None
    return found[0] if len(found) == 1 else found


def softmax(rows, axis=-1):
    rows = np.asarray(rows, np.float64)
    powers = np.exp(rows - rows.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def sigmoid(values):
    return 1 / (1 + np.exp(-np.asarray(values, np.float64)))


def varied(values, least=0.02):
    """The values, if they differ from image to image: else a comparison says nothing."""
    spread = float(np.asarray(values, np.float64).std(0).max())
    if spread < least:
        raise ValueError(f"the reference differs by {spread:.2g} from image to image: nothing is compared")
    return values


def settled(torch, net, inputs):
    """Sets the statistics of the batch norms of random weights, so that outputs depend on the image."""
    for module in net.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.momentum = None
            module.reset_running_stats()
        if isinstance(module, torch.nn.Dropout):
            module.p = 0
    net.train()
    with torch.no_grad():
        net(inputs)
    net.eval()


def near(what, found, expected, tolerance):
    """A text with the largest difference; Wrong if it is over the tolerance or the shapes differ."""
    found, expected = np.asarray(found, np.float64), np.asarray(expected, np.float64)
    if found.shape != expected.shape:
        raise Wrong(f"{what}: shape {found.shape}, reference {expected.shape}")
    worst = float(np.abs(found - expected).max(initial=0))
    if not worst <= tolerance:
        raise Wrong(f"{what}: largest difference {worst:.3g}, limit {tolerance:g}")
    return f"{what}: {worst:.1g} of {tolerance:g}"


class Graph:
    """An ONNX graph that grows by one node for each call of `op`."""

    def __init__(self, seed=0):
        self.nodes, self.constants, self.count = [], [], 0
        self.random = np.random.default_rng(seed)

    def constant(self, value, kind=None):
        self.count += 1
        array = np.asarray(value, kind) if kind else np.asarray(value)
        self.constants.append(numpy_helper.from_array(array, f"c{self.count}"))
        return f"c{self.count}"

    def f32(self, value):
        return self.constant(value, np.float32)

    def i64(self, value):
        return self.constant(value, np.int64)

    def op(self, kind, *inputs, outputs=1, **attributes):
        self.count += 1
        names = [f"v{self.count}_{index}" for index in range(outputs)]
        self.nodes.append(helper.make_node(kind, list(inputs), names, **attributes))
        return names[0] if outputs == 1 else names

    def name(self, value, name):
        self.nodes.append(helper.make_node("Identity", [value], [name]))
        return name

    def part(self, value, start, end, axis):
        return self.op("Slice", value, self.i64([start]), self.i64([end]), self.i64([axis]))

    def unsqueeze(self, value, axis):
        return self.op("Unsqueeze", value, self.i64([axis]))

    def squeeze(self, value, axis):
        return self.op("Squeeze", value, self.i64([axis]))

    def cast(self, value, to):
        return self.op("Cast", value, to=to)

    def conv(self, value, inside, outside, stride=1, gain=1.0, kernel=3):
        weight = self.random.normal(size=(outside, inside, kernel, kernel)) * gain / np.sqrt(inside * kernel * kernel)
        return self.op("Conv", value, self.f32(weight), strides=[stride] * 2, pads=[kernel // 2] * 4)

    def features(self, value, channels=3, wide=16):
        """[N, wide] from [N, channels, H, W]."""
        value = self.op("Relu", self.conv(value, channels, 8, 2, 2))
        value = self.op("Relu", self.conv(value, 8, wide, 2, 2))
        return self.op("Flatten", self.op("GlobalAveragePool", value), axis=1)

    def dense(self, value, inside, outside, gain=6.0):
        weight = self.random.normal(size=(inside, outside)) * gain / np.sqrt(inside)
        return self.op("MatMul", value, self.f32(weight))

    def logits(self, value="x", classes=5, channels=3, gain=6.0):
        return self.dense(self.features(value, channels), 16, classes, gain)

    def model(self, inputs, outputs, opset=17, metadata=(), domains=(), check=True):
        graph = helper.make_graph(
            self.nodes, "g", [helper.make_tensor_value_info(name, kind, shape) for name, kind, shape in inputs],
            [helper.make_tensor_value_info(name, kind, shape) for name, kind, shape in outputs], self.constants)
        sets = [helper.make_opsetid("", opset)] + [helper.make_opsetid(domain, 1) for domain in domains]
        model = helper.make_model(graph, opset_imports=sets)
        model.ir_version = 8 if opset < 21 else max(10, model.ir_version if opset > 23 else 10)
        for key, value in dict(metadata).items():
            entry = model.metadata_props.add()
            entry.key, entry.value = key, str(value)
        if check:
            onnx.checker.check_model(model)
        return model


def image_input(batch="N", channels=3, height=SIDE, width=SIDE, kind=F32, name="x"):
    return (name, kind, [batch, channels, height, width])


class Place:
    """A folder with a catalog, data sets and models. Images are PNG, so that only assay's own steps are compared."""

    def __init__(self, program, folder, given):
        self.program, self.folder, self.given = os.path.abspath(program), folder, given
        self.number = 0
        self.datasets = {}

    def path(self, name):
        return os.path.join(self.folder, name)

    def fresh(self, stem="m"):
        self.number += 1
        return f"{stem}{self.number}"

    def words(self, *words, timeout=900):
        done = subprocess.run([self.program, *map(str, words)], cwd=self.folder, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=timeout, errors="replace",
                              env=os.environ | {"ASSAY_DB": self.path("catalog.db")})
        done.text = done.stderr + done.stdout
        return done

    def run(self, *words):
        done = self.words(*words)
        if done.returncode != 0:
            raise Refused(f"assay {' '.join(map(str, words))}: {done.text.strip()}")
        return done.stdout

    def notes(self, *words):
        """Standard output and standard error of a command that must work."""
        done = self.words(*words)
        if done.returncode != 0:
            raise Refused(f"assay {' '.join(map(str, words))}: {done.text.strip()}")
        return done.text

    def refused(self, *words, reason, step=None):
        """The command must fail with a text that matches the reason and the next step."""
        done = self.words(*words)
        command = "assay " + " ".join(map(str, words))
        if done.returncode == 0:
            raise Wrong(f"{command} works: {done.text.strip()[-400:]}")
        if done.returncode < 0:
            raise NoStep(f"{command}: ended by signal {-done.returncode}: {done.text.strip()[-400:]}")
        text = " ".join(done.text.split())
        for what, pattern in (("reason", reason), ("next step", step)):
            if pattern and not re.search(pattern, text, re.I):
                raise NoStep(f"{command}: no {what} /{pattern}/ in: {text[-700:]}")
        return text

    # Models

    def save(self, model, name=None, suffix=".onnx"):
        """The file's name; a model is an ONNX model or bytes."""
        name = (name or self.fresh()) + suffix
        with open(self.path(name), "wb") as file:
            file.write(model if isinstance(model, bytes) else model.SerializeToString())
        return name

    def manifest(self, text):
        name = self.fresh("y") + ".yaml"
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def add(self, file, manifest=None):
        """The name of the model in the catalog; without a manifest its draft must be complete."""
        name = self.fresh("n")
        if manifest is None:
            self.run("model", "add", file, "--name", name, "--accept-draft")
        else:
            self.run("model", "add", file, "--name", name, "--manifest", self.manifest(manifest))
        return name

    def add_refused(self, file, manifest=None, *, reason, step=None):
        name = self.fresh("n")
        more = ["--accept-draft"] if manifest is None else ["--manifest", self.manifest(manifest)]
        return self.refused("model", "add", file, "--name", name, *more, reason=reason, step=step)

    def predict_refused(self, file, manifest, data, *options, reason, step=None):
        """Adding or predicting must fail."""
        name = self.fresh("n")
        done = self.words("model", "add", file, "--name", name, "--manifest", self.manifest(manifest))
        if done.returncode != 0:
            text = " ".join(done.text.split())
            for what, pattern in (("reason", reason), ("next step", step)):
                if pattern and not re.search(pattern, text, re.I):
                    raise NoStep(f"model add: no {what} /{pattern}/ in: {text[-700:]}\n{manifest}")
            return text
        return self.refused("predict", data, "--model", name, "--name", "r" + name, *options, reason=reason, step=step)

    def draft(self, file):
        """The text that `model add` prints, and the draft that it writes."""
        name = self.fresh("d")
        done = self.words("model", "add", file, "--name", name)
        try:
            with open(self.path(name + ".yaml"), encoding="utf-8") as text:
                return done.text, text.read()
        except FileNotFoundError:
            return done.text, ""

    def predict(self, name, data, *options):
        run = self.fresh("r")
        return run, self.notes("predict", data, "--model", name, "--name", run, *options)

    def table(self, run):
        """Class names, and the scores by key."""
        out = run + ".csv"
        self.run("predictions", "export", run, "--out", out)
        with open(self.path(out), newline="", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        return rows[0][1:], {line[0]: line[1:] for line in rows[1:]}

    def scores(self, name, data, *options):
        """The scores of a model, one row per image in the order of the data set's keys."""
        run, _ = self.predict(name, data, *options)
        _, table = self.table(run)
        return np.array([[float(value) for value in table[key]] for key in self.keys(data) if key in table])

    def sql(self, query):
        rows = json.loads(self.run("sql", query, "--limit", "0", "--json"))["rows"]
        return [list(line.values()) if isinstance(line, dict) else line for line in rows]

    def boxes(self, name, data, *options):
        """Per image a list of (class, score, left, top, right, bottom)."""
        run, _ = self.predict(name, data, *options)
        return self.boxes_of(run, data)

    def boxes_of(self, run, data):
        found = {key: [] for key in self.keys(data)}
        for key, *values in self.sql(
                "SELECT s.key, c.name, d.confidence, d.x, d.y, d.x + d.width, d.y + d.height FROM detection d"
                " JOIN sample s ON s.id = d.sample JOIN run r ON r.id = d.run"
                f" JOIN runClass c ON c.run = d.run AND c.ordinal = d.class WHERE r.name = '{run}'"):
            found[key].append(tuple(values))
        return [found[key] for key in self.keys(data)]

    def tensors(self, name, data):
        out = self.fresh("inputs")
        self.run("model", "inputs", name, data, "--out", out)
        with open(os.path.join(self.path(out), "inputs.json"), encoding="utf-8") as file:
            listing = json.load(file)["inputs"]
        arrays = {entry["sample"]: np.load(os.path.join(self.path(out), entry["tensor"])) for entry in listing}
        return [arrays[key][0] for key in self.keys(data)]

    def results(self, run):
        """COCO results of a run."""
        out = run + ".json"
        self.run("predictions", "export", run, "--format", "coco", "--out", out)
        with open(self.path(out), encoding="utf-8") as file:
            return json.load(file)

    def evaluate(self, run, *options):
        return json.loads(self.run("evaluate", run, "--json", *options))

    # Data sets

    def keys(self, data):
        return self.datasets[data][0]

    def images(self, data):
        return self.datasets[data][1]

    def inputs(self, data, scale=1 / 255, offset=0.0, order="NCHW"):
        """What images of the input's own size become."""
        stack = np.stack(self.images(data)).astype(np.float64) * scale + offset
        return np.ascontiguousarray(stack.transpose(0, 3, 1, 2) if order == "NCHW" else stack).astype(np.float32)

    def write(self, name, image):
        from PIL import Image
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        Image.fromarray(image).save(self.path(name))

    def pets(self):
        """15 labeled images of 64 x 64, three of each class."""
        return self.folder_of("pets", 1, [(f"{label}/{index}.png", SIDE, SIDE) for label in PETS for index in range(3)])

    def odd(self):
        """6 unlabeled images of different sizes."""
        sizes = ((97, 61), (45, 120), (300, 211), (64, 64), (250, 251), (33, 40))
        return self.folder_of("odd", 2, [(f"{index}.png", height, width) for index, (height, width) in enumerate(sizes)])

    def folder_of(self, name, seed, images):
        """Imports a folder of seeded images once; `images` are keys with heights and widths."""
        if name not in self.datasets:
            random = np.random.default_rng(seed)
            made = [picture(random, height, width) for _, height, width in images]
            keys = [key for key, _, _ in images]
            for key, image in zip(keys, made):
                self.write(f"{name}/{key}", image)
            self.run("import", f"{name}:image-folder", "--name", name)
            self.datasets[name] = keys, made
        return name


def picture(random, height, width):
    """A smooth image with edges and some noise."""
    down, across = np.mgrid[0:height, 0:width]
    image = np.zeros((height, width, 3))
    base = random.uniform(30, 220, 3)
    for channel in range(3):
        image[..., channel] = base[channel] + random.uniform(10, 60) * np.sin(
            across * random.uniform(0.02, 0.4) + down * random.uniform(0.02, 0.4) + random.uniform(0, 6))
    for _ in range(4):
        top, left = random.integers(0, height), random.integers(0, width)
        image[top:top + random.integers(4, height // 2 + 4), left:left + random.integers(4, width // 2 + 4)] = random.uniform(0, 255, 3)
    return np.clip(image + random.normal(0, 6, image.shape), 0, 255).astype(np.uint8)


def session(model):
    import onnxruntime
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = 1
    return onnxruntime.InferenceSession(
        model if isinstance(model, (bytes, str)) else model.SerializeToString(), options)


def reference(model, inputs, name=None, more=None, alone=False):
    """ONNX Runtime's outputs; with `alone` one image at a time."""
    runner = session(model)
    own = name or runner.get_inputs()[0].name
    if alone:
        parts = [runner.run(None, {own: inputs[index:index + 1], **(more or {})}) for index in range(len(inputs))]
        return [np.concatenate(values) for values in zip(*parts)]
    return runner.run(None, {own: inputs, **(more or {})})


def names(values, key="classes"):
    return f"{key}: {json.dumps(list(values))}\n"


def numbered(count):
    """Names for a model with more classes than the data set has."""
    return PETS + [f"other {index}" for index in range(count - len(PETS))]


def setting(width=SIDE, height=SIDE, layout="NCHW", color="rgb", scale="1/255", offset="0", resize="stretch", more=""):
    return (f"input: {{width: {width}, height: {height}, layout: {layout}, color: {color}, scale: {scale},"
            f" offset: {offset}, resize: {resize}{', ' + more if more else ''}}}\n")


def classifier(activation="softmax", classes=PETS, more="", task="classification", **keys):
    return f"task: {task}\n{setting(**keys)}activation: {activation}\n{names(classes)}{more}"
