#!/usr/bin/env python3
"""A plain detector: OpenVINO, cv2 and numpy, box by box. Writes the goldens of this folder, and measures.

    plain_detector.py goldens                    writes detections.json (the models of make_detectors.py)
    plain_detector.py mini MODEL MINI            writes yolox_mini.json: the first images of coco/mini
    plain_detector.py ap MODEL MINI [WORD]...    the AP by pycocotools: pil, bf16, best, unclipped
    plain_detector.py result FILE MINI           the AP of a results file of coco/mini

numpy 2.4.6, opencv-python-headless 5.0.0.93, openvino 2026.4.1, pycocotools 2.0.11, pillow 13.0.0.
"""
import contextlib
import io
import json
import math
import os
import sys

import cv2
import numpy as np
import openvino

here = os.path.dirname(os.path.abspath(__file__))


def picture(number, width, height):
    """A smooth colour picture without a file, RGB: (5x + 3y + 40n, 2x + 7y + 90n, x·y/16 + 9n) modulo 256."""
    y, x = np.mgrid[0:height, 0:width]
    return np.stack([5 * x + 3 * y + 40 * number, 2 * x + 7 * y + 90 * number, x * y // 16 + 9 * number],
                    axis=2).astype(np.int64) % 256


def place(size, target, letterbox):
    """Where a picture lies in the model's input: width, height."""
    (width, height), (w, h) = size, target
    if not letterbox:
        return w, h
    if width * h > height * w:
        return w, max(1, height * w // width)
    if width * h < height * w:
        return max(1, width * h // height), h
    return w, h


def fed(image, target, letterbox, bgr, scale, pil=False):
    """The model's input for an RGB picture."""
    w, h = place((image.shape[1], image.shape[0]), target, letterbox)
    if pil:
        from PIL import Image
        small = np.asarray(Image.fromarray(image.astype(np.uint8)).resize((w, h), Image.BILINEAR))
    else:
        small = cv2.resize(image.astype(np.uint8), (w, h), interpolation=cv2.INTER_LINEAR)
    full = np.full((target[1], target[0], 3), 114, np.uint8)
    full[:h, :w] = small
    if bgr:
        full = full[:, :, ::-1]
    return np.ascontiguousarray((full.astype(np.float64) * scale).astype(np.float32).transpose(2, 0, 1)[None])


def overlap(a, b):
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0.0
    shared = width * height
    return shared / ((a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - shared)


def sigmoid(x):
    return (1 / (1 + np.exp(-np.asarray(x, np.float64)))).astype(np.float32)


def softmax(x):
    e = np.exp(np.asarray(x, np.float64) - np.max(x))
    return (e / e.sum()).astype(np.float32)


def edges_of(rows, rule, target):
    """Corners in the input's pixels, float64, of rows of four numbers."""
    rows = rows.astype(np.float64)
    if rule["head"] == "yolox":
        cells = [(x, y, s) for s in rule.get("strides", (8, 16, 32))
                 for y in range(target[1] // s) for x in range(target[0] // s)]
        assert len(cells) == len(rows)
        out = []
        for (a, b, c, d), (x, y, s) in zip(rows, cells):
            cx, cy, w, h = (a + x) * s, (b + y) * s, math.exp(c) * s, math.exp(d) * s
            out.append((cx - w / 2, cy - h / 2, cx + w / 2, cy + h / 2))
        return out
    sx, sy = target if rule["units"] == "relative" else (1, 1)
    if rule["order"] == "yxyx":
        sx, sy = sy, sx
    out = []
    for a, b, c, d in rows:
        a, b, c, d = a * sx, b * sy, c * sx, d * sy
        out.append({"xyxy": (a, b, c, d), "yxyx": (b, a, d, c), "xywh": (a, b, a + c, b + d),
                    "cxcywh": (a - c / 2, b - d / 2, a + c / 2, b + d / 2)}[rule["order"]])
    return out


def decoded(boxes, objectness, classes, rule, target, size, clip=True):
    """The detections: (class, score, x, y, width, height, [(class, score)]), best first."""
    edges = edges_of(boxes, rule, target)
    if rule.get("activation") == "sigmoid":
        classes = sigmoid(classes)
        objectness = None if objectness is None else sigmoid(objectness)
    if rule.get("activation") == "softmax":
        classes = np.stack([softmax(row) for row in classes])
    scores = classes if objectness is None else (classes * objectness[:, None]).astype(np.float32)
    least, most = np.float32(rule.get("score", 0.01)), rule.get("nms", 0.65)
    found = [(row, c) for row in range(len(scores)) for c in np.nonzero(scores[row] >= least)[0]
             if c != rule.get("background")]
    if rule.get("best"):
        found = [(row, c) for row, c in found
                 if c == min((k for k in range(scores.shape[1]) if k != rule.get("background")),
                             key=lambda k: (-scores[row][k], k))]
    found.sort(key=lambda p: (-scores[p[0]][p[1]], p[0], p[1]))
    kept = []
    for row, c in found:
        box = edges[row]
        if not (box[2] > box[0] and box[3] > box[1]):
            continue
        same = [other for other, k in kept if k == c]
        if "max" not in rule and len(same) >= 100:
            continue
        if all(overlap(edges[other], box) <= most for other in same):
            kept.append((row, c))
    kept = kept[:rule.get("max", len(kept))]
    w, h = place(size, target, rule.get("letterbox", False))
    out = []
    for row, c in kept:
        l, t, r, b = edges[row]
        l, r, t, b = l * size[0] / w, r * size[0] / w, t * size[1] / h, b * size[1] / h
        if clip:
            l, t, r, b = max(l, 0), max(t, 0), min(r, size[0]), min(b, size[1])
            if not (r > l and b > t):
                continue
        every = [(int(k), float(scores[row][k])) for k in range(scores.shape[1])
                 if scores[row][k] >= least and k != rule.get("background")]
        every.sort(key=lambda p: (-p[1], p[0]))
        out.append((int(c), float(scores[row][c]), float(l), float(t), float(r - l), float(b - t),
                    every if len(every) > 1 else []))
    return out


def compiled(path, target, precision="f32"):
    core = openvino.Core()
    model = core.read_model(path)
    model.reshape([1, 3, target[1], target[0]])
    setup = {"PERFORMANCE_HINT": "LATENCY", "NUM_STREAMS": 1}
    if precision:
        setup["INFERENCE_PRECISION_HINT"] = precision
    return core.compile_model(model, "CPU", setup)


def tables(outputs, rule):
    """Boxes, objectness or None, and classes of one sample's outputs."""
    if len(outputs) == 2:
        return outputs[0].reshape(-1, 4), None, outputs[1][0].T if rule.get("turned") else outputs[1][0]
    rows = outputs[0][0].T if rule.get("turned") else outputs[0][0]
    if rule["head"] == "yolox" or rule.get("objectness"):
        return rows[:, :4], rows[:, 4], rows[:, 5:]
    return rows[:, :4], None, rows[:, 4:]


HEAD = "head: yolox\n"
MODELS = [  # name, model, input size, picture size, lines of the manifest, the same for the decoder
    ("yolox, letterbox", "yolox", (64, 64), (90, 70), HEAD + "score: 0.7\n",
     {"head": "yolox", "letterbox": True, "score": 0.7}),
    ("yolox, wide input", "yolox", (128, 32), (61, 80), HEAD + "score: 0.3\nnms: 0.4\n",
     {"head": "yolox", "letterbox": True, "score": 0.3, "nms": 0.4}),
    ("yolox, stretch, best class", "yolox", (64, 96), (200, 40), HEAD + "box-classes: best\nmax: 12\n",
     {"head": "yolox", "best": True, "max": 12}),
    ("yolox, logits", "logits", (64, 64), (64, 64), HEAD + "activation: sigmoid\nscore: 0.5\nnms: 0.2\n",
     {"head": "yolox", "letterbox": True, "activation": "sigmoid", "score": 0.5, "nms": 0.2}),
    ("pair, softmax, background", "pair", (32, 64), (50, 50),
     "head: boxes\nbox-order: xyxy\nbox-units: relative\nboxes-output: boxes\nscores-output: scores\n"
     "activation: softmax\nnms: 0.95\nclasses: [background, b, c]\n",
     {"head": "boxes", "order": "xyxy", "units": "relative", "turned": True, "activation": "softmax",
      "background": 0, "letterbox": True, "nms": 0.95}),
    ("turned", "turned", (64, 32), (33, 47), "head: boxes\nbox-order: cxcywh\nbox-units: pixels\nobjectness: no\nnms: 1\nscore: 0.7\n",
     {"head": "boxes", "order": "cxcywh", "units": "pixels", "turned": True, "nms": 1, "score": 0.7}),
]


def from_models():
    cases = []
    for name, model, target, size, lines, rule in MODELS:
        run = compiled(os.path.join(here, f"detect_{model}.onnx"), target)
        pictures = []
        for number in range(2):
            image = picture(number, *size)
            x = fed(image, target, rule.get("letterbox", False), False, 1)
            outputs = list(run([x]).values())
            pictures.append(decoded(*tables(outputs, rule), rule, target, size))
        if "\nclasses:" not in lines:
            lines += "classes: [a, b, c]\n"
        resize = "{resize: letterbox, fill: 114, anchor: top-left}" if rule.get("letterbox") else "{resize: stretch}"
        manifest = (f"task: detection\ninput: {{width: {target[0]}, height: {target[1]}, layout: NCHW, colour: rgb,"
                    f" scale: 1, offset: 0, {resize[1:-1]}}}\n{lines}")
        cases.append({"name": name, "model": f"detect_{model}.onnx", "manifest": manifest, "size": size,
                      "pictures": pictures})
    return cases


def from_numbers():
    """Outputs made here instead of by a model: all orders, units and layouts, few boxes that overlap much."""
    rng = np.random.default_rng(11)
    cases = []
    for order in ("xyxy", "xywh", "cxcywh", "yxyx"):
        for units in ("pixels", "relative"):
            for turned, objectness in ((False, True), (True, False)):
                rows, target, size = 14, (40, 20), (100, 30)
                left, top = rng.uniform(-5, 15, rows), rng.uniform(-4, 8, rows)
                width, height = rng.uniform(8, 25, rows), rng.uniform(5, 12, rows)
                width[3] = 0
                four = {"xyxy": (left, top, left + width, top + height), "yxyx": (top, left, top + height, left + width),
                        "xywh": (left, top, width, height),
                        "cxcywh": (left + width / 2, top + height / 2, width, height)}[order]
                four = np.stack(four, 1)
                if units == "relative":
                    four = four / np.array([20, 40, 20, 40] if order == "yxyx" else [40, 20, 40, 20])
                # Scores with few digits: ties.
                scores = rng.integers(0, 20, (rows, 3 if objectness else 2)) / 20
                table = np.concatenate([four, scores], 1).astype(np.float32)
                rule = {"head": "boxes", "order": order, "units": units, "score": 0.1, "nms": 0.5,
                        "objectness": objectness}
                found = decoded(*tables([table[None]], rule), rule, target, size)
                manifest = ("task: detection\ninput: {width: 40, height: 20, layout: NCHW, colour: rgb, scale: 1,"
                            " offset: 0, resize: stretch}\nclasses: [a, b]\nhead: boxes\nscore: 0.1\nnms: 0.5\n"
                            f"box-order: {order}\nbox-units: {units}\nobjectness: {'yes' if objectness else 'no'}\n")
                values = (table.T if turned else table)
                cases.append({"name": f"{order}, {units}, {'turned' if turned else 'objectness'}",
                              "manifest": manifest, "size": size, "shape": [1, *values.shape],
                              "outputs": [float(v) for v in values.ravel()], "found": found})
    return cases


def short(value):
    """Numbers with 9 digits, which float32 needs."""
    if isinstance(value, dict):
        return {key: short(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [short(each) for each in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value


def write(name, value):
    with open(os.path.join(here, name), "w") as file:
        json.dump(short(value), file, separators=(",", ":"))
        file.write("\n")


def mini_images(folder):
    with open(os.path.join(folder, "instances_val2017.json")) as file:
        return json.load(file)


YOLOX = {"head": "yolox", "letterbox": True}


def mini(model, folder, images, pil=False, precision="f32", clip=True, **more):
    """Detections of images by YOLOX."""
    rule, run = {**YOLOX, **more}, compiled(model, (416, 416), precision)
    for image in images:
        path = os.path.join(folder, "val2017", image["file_name"])
        pixels = cv2.imdecode(np.fromfile(path, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION)[:, :, ::-1]
        x = fed(pixels, (416, 416), True, True, 1, pil)
        size = (image["width"], image["height"])
        yield image, decoded(*tables(list(run([x]).values()), rule), rule, (416, 416), size, clip)


def printed(truth_path, results):
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval
    with contextlib.redirect_stdout(io.StringIO()):
        truth = COCO(truth_path)
        judge = COCOeval(truth, truth.loadRes(results), "bbox")
        judge.evaluate()
        judge.accumulate()
        judge.summarize()
    print(f"{len(results)} results, AP {judge.stats[0]:.4f}, AP50 {judge.stats[1]:.4f}, AP75 {judge.stats[2]:.4f}")


def main():
    command, rest = sys.argv[1], sys.argv[2:]
    if command == "goldens":
        write("detections.json", {"numpy": np.__version__, "cv2": cv2.__version__, "openvino": openvino.__version__,
                                  "models": from_models(), "numbers": from_numbers()})
    elif command == "mini":
        images = sorted(mini_images(rest[1])["images"], key=lambda image: image["file_name"])[:8]
        write("yolox_mini.json", [
            {"file": image["file_name"], "count": len(found),
             "found": [[c, round(s, 6), *(round(v, 3) for v in box)] for c, s, *box, _ in found if s >= 0.3]}
            for image, found in mini(rest[0], rest[1], images, score=0.01)])
    elif command == "ap":
        data, words = mini_images(rest[1]), rest[2:]
        ids = sorted(category["id"] for category in data["categories"])
        results = [{"image_id": image["id"], "category_id": ids[c], "bbox": box, "score": s}
                   for image, found in mini(rest[0], rest[1], data["images"], pil="pil" in words,
                                            precision=None if "bf16" in words else "f32",
                                            clip="unclipped" not in words, best="best" in words)
                   for c, s, *box, _ in found]
        printed(os.path.join(rest[1], "instances_val2017.json"), results)
    elif command == "result":
        with open(rest[0]) as file:
            printed(os.path.join(rest[1], "instances_val2017.json"), json.load(file))
    else:
        raise SystemExit(__doc__)


main()
