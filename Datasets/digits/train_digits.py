#!/usr/bin/env python3
"""Train the demo's digit classifier and write digits.onnx.

    train_digits.py [OUT]         OUT is digits.onnx beside this script unless told

A small convolutional network, in numpy alone: two 3x3 convolutions (16 and 32 channels), 2x2 max
pooling, one more convolution (32), 2x2 max pooling, a linear layer and softmax; 15,338 parameters.
Only rows whose split is `train` are learned from: each epoch moves, turns and scales them a little
anew. Epochs and rates were fixed beforehand; the validation rows are only looked at once, at the end, and
the test rows never.

Input `pixels` [N, 1, 8, 8] float32, value / 255. Output `probabilities` [N, 10] float32.
Needs numpy and onnx (made with numpy 2.4.6 and onnx 1.23.2, Python 3.11). The seed is fixed, one thread
is used: the same machine and versions write the same bytes; another BLAS may change the last bits.
"""
import csv
import gzip
import os
import sys

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import numpy as np  # noqa: E402  (the thread counts are read at import)

SEED = 8
EPOCHS = 60
BATCH = 32
RATE = 2e-3
DECAY = 1e-4


def read(path):
    """The rows by split: {split: (pixels [n, 1, 8, 8] float32 in 0...1, labels [n])}."""
    found = {}
    with gzip.open(path, "rt", newline="") as file:
        for row in csv.DictReader(file):
            found.setdefault(row["split"], []).append((int(row["label"]), row["pixels"].split()))
    return {
        split: (np.array([p for _, p in rows], np.float32).reshape(-1, 1, 8, 8) / np.float32(255),
                np.array([label for label, _ in rows]))
        for split, rows in found.items()
    }


def varied(x, rng):
    """Each picture turned by up to 12 degrees, scaled by up to 10 %, moved by up to one pixel; bilinear."""
    n = len(x)
    angle = rng.uniform(-12, 12, n) * np.pi / 180
    scale = rng.uniform(0.9, 1.1, n)
    move = rng.uniform(-1, 1, (n, 2))
    grid = np.stack(np.meshgrid(np.arange(8), np.arange(8), indexing="ij"), -1).reshape(64, 2) - 3.5
    turn = np.stack([np.stack([np.cos(angle), -np.sin(angle)], -1),
                     np.stack([np.sin(angle), np.cos(angle)], -1)], 1) / scale[:, None, None]
    at = np.einsum("nij,pj->npi", turn, grid) + 3.5 + move[:, None, :]
    low = np.floor(at).astype(int)
    part = at - low
    padded = np.pad(x[:, 0], ((0, 0), (3, 4), (3, 4)))
    out = np.zeros((n, 64))
    rows = np.arange(n)[:, None]
    for dy in (0, 1):
        for dx in (0, 1):
            weight = np.abs(1 - dy - part[..., 0]) * np.abs(1 - dx - part[..., 1])
            y = np.clip(low[..., 0] + dy + 3, 0, 14)
            z = np.clip(low[..., 1] + dx + 3, 0, 14)
            out += weight * padded[rows, y, z]
    return out.reshape(n, 1, 8, 8).astype(np.float32)


def patches(x):
    """The 3x3 surroundings of every pixel, zeros outside: [n, h, w, 9c]."""
    n, c, h, w = x.shape
    padded = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))
    view = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), axis=(2, 3))
    return view.transpose(0, 2, 3, 1, 4, 5).reshape(n, h, w, c * 9)


class Convolution:
    def __init__(self, rng, inputs, outputs):
        self.weights = [rng.normal(0, np.sqrt(2 / (9 * inputs)), (outputs, inputs, 3, 3)), np.zeros(outputs)]

    def forward(self, x):
        self.shape, self.patches = x.shape, patches(x)
        flat = self.patches @ self.weights[0].reshape(len(self.weights[1]), -1).T + self.weights[1]
        return flat.transpose(0, 3, 1, 2)

    def backward(self, g):
        n, c, h, w = self.shape
        k = g.shape[1]
        flat = g.transpose(0, 2, 3, 1).reshape(-1, k)
        self.gradients = [(flat.T @ self.patches.reshape(-1, c * 9)).reshape(k, c, 3, 3), flat.sum(0)]
        spread = (flat @ self.weights[0].reshape(k, -1)).reshape(n, h, w, c, 3, 3)
        out = np.zeros((n, c, h + 2, w + 2), spread.dtype)
        for dy in range(3):
            for dx in range(3):
                out[:, :, dy:dy + h, dx:dx + w] += spread[..., dy, dx].transpose(0, 3, 1, 2)
        return out[:, :, 1:-1, 1:-1]


class Rectifier:
    weights = []

    def forward(self, x):
        self.kept = x > 0
        return x * self.kept

    def backward(self, g):
        self.gradients = []
        return g * self.kept


class Pool:
    weights = []

    def forward(self, x):
        n, c, h, w = x.shape
        cells = x.reshape(n, c, h // 2, 2, w // 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(n, c, h // 2, w // 2, 4)
        self.best = cells.argmax(-1)
        return cells.max(-1)

    def backward(self, g):
        self.gradients = []
        n, c, h, w = g.shape
        cells = np.zeros((n, c, h, w, 4), g.dtype)
        np.put_along_axis(cells, self.best[..., None], g[..., None], -1)
        return cells.reshape(n, c, h, w, 2, 2).transpose(0, 1, 2, 4, 3, 5).reshape(n, c, 2 * h, 2 * w)


class Linear:
    def __init__(self, rng, inputs, outputs):
        self.weights = [rng.normal(0, np.sqrt(1 / inputs), (outputs, inputs)), np.zeros(outputs)]

    def forward(self, x):
        self.shape, self.x = x.shape, x.reshape(len(x), -1)
        return self.x @ self.weights[0].T + self.weights[1]

    def backward(self, g):
        self.gradients = [g.T @ self.x, g.sum(0)]
        return (g @ self.weights[0]).reshape(self.shape)


def network(rng):
    return [Convolution(rng, 1, 16), Rectifier(), Convolution(rng, 16, 32), Rectifier(), Pool(),
            Convolution(rng, 32, 32), Rectifier(), Pool(), Linear(rng, 128, 10)]


def probabilities(layers, x):
    for layer in layers:
        x = layer.forward(x)
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def train(layers, x, y, rng):
    """Adam with decoupled decay, the rate falling along half a cosine."""
    first = [[np.zeros_like(w) for w in layer.weights] for layer in layers]
    second = [[np.zeros_like(w) for w in layer.weights] for layer in layers]
    steps = EPOCHS * ((len(x) + BATCH - 1) // BATCH)
    step = 0
    for epoch in range(EPOCHS):
        order, pictures, loss = rng.permutation(len(x)), varied(x, rng), 0.0
        for start in range(0, len(x), BATCH):
            rows = order[start:start + BATCH]
            p = probabilities(layers, pictures[rows])
            loss -= np.log(np.maximum(p[np.arange(len(rows)), y[rows]], 1e-12)).sum()
            g = (p - np.eye(10)[y[rows]]) / len(rows)
            for layer in reversed(layers):
                g = layer.backward(g)
            step += 1
            rate = RATE * 0.5 * (1 + np.cos(np.pi * step / steps))
            for layer, m1, m2 in zip(layers, first, second):
                for k, gradient in enumerate(layer.gradients):
                    m1[k] = 0.9 * m1[k] + 0.1 * gradient
                    m2[k] = 0.999 * m2[k] + 0.001 * gradient**2
                    move = (m1[k] / (1 - 0.9**step)) / (np.sqrt(m2[k] / (1 - 0.999**step)) + 1e-8)
                    layer.weights[k] -= rate * (move + DECAY * layer.weights[k])
        if epoch % 10 == 9:
            print(f"epoch {epoch + 1}: training loss {loss / len(x):.4f}", flush=True)


def exported(layers):
    """The network as an ONNX model, operator set 17."""
    from onnx import TensorProto, checker, helper, numpy_helper

    nodes, tensors, at = [], [], "pixels"
    for place, layer in enumerate(layers):
        names = []
        for k, weight in enumerate(layer.weights):
            names.append(f"{'weight' if k == 0 else 'bias'}{place}")
            tensors.append(numpy_helper.from_array(weight.astype(np.float32), names[-1]))
        out = f"layer{place}"
        match layer:
            case Convolution():
                nodes.append(helper.make_node("Conv", [at, *names], [out], kernel_shape=[3, 3], pads=[1] * 4))
            case Rectifier():
                nodes.append(helper.make_node("Relu", [at], [out]))
            case Pool():
                nodes.append(helper.make_node("MaxPool", [at], [out], kernel_shape=[2, 2], strides=[2, 2]))
            case Linear():
                nodes.append(helper.make_node("Flatten", [at], [out + "_flat"]))
                nodes.append(helper.make_node("Gemm", [out + "_flat", *names], [out], transB=1))
        at = out
    nodes.append(helper.make_node("Softmax", [at], ["probabilities"], axis=1))
    graph = helper.make_graph(
        nodes, "digits",
        [helper.make_tensor_value_info("pixels", TensorProto.FLOAT, ["N", 1, 8, 8])],
        [helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, ["N", 10])], tensors)
    model = helper.make_model(
        graph, producer_name="assay train_digits.py", opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    checker.check_model(model, full_check=True)
    return model.SerializeToString(deterministic=True)


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "digits.onnx")
    parts = read(os.path.join(here, "digits.csv.gz"))
    rng = np.random.default_rng(SEED)
    layers = network(rng)
    train(layers, *parts["train"], rng)
    for split in ("train", "validation"):
        x, y = parts[split]
        right = int((probabilities(layers, x).argmax(1) == y).sum())
        print(f"{split}: {right} of {len(y)} right, {right / len(y):.4f}")
    packed = exported(layers)
    with open(out + ".part", "wb") as file:
        file.write(packed)
    os.replace(out + ".part", out)
    print(f"{out}: {len(packed)} bytes, {sum(w.size for layer in layers for w in layer.weights)} parameters")


if __name__ == "__main__":
    main()
