"""Section 2: detectors."""
import json
import os

import numpy as np

from .base import (F32, I32, I64, MEAN, SIDE, STD, U8, Graph, NoStep, Refused, Skip, Wrong, image_input, names, near, need,
                   picture, reference, row, setting, settled, sigmoid, softmax)

THINGS = ["car", "bus", "van", "cow", "pig", "cup", "pen", "hat"]
STRIDES, CELLS = (8, 16, 32), (8, 4, 2)
ROWS = sum(cell * cell for cell in CELLS)
FLAT = setting()


class Rows(Graph):
    """A detector that answers as YOLOX-nano does, with random weights: [N, 84, 5 + classes]."""

    def __init__(self, classes=8, x="x", seed=11):
        super().__init__(seed)
        self.classes = classes
        value = x
        parts = []
        inside = 3
        for outside in (8, 12, 16, 16, 16):
            value = self.op("Relu", self.conv(value, inside, outside, 2, 2.2))
            inside = outside
            if len(parts) or outside == 16:
                head = self.conv(value, inside, 5 + classes, 1, 3.0, 1)
                parts.append(self.op("Reshape", head, self.i64([0, 5 + classes, -1])))
        rows = self.op("Transpose", self.op("Concat", *parts, axis=2), perm=[0, 2, 1])
        centered = self.op("Sub", rows, self.op("ReduceMean", rows, axes=[1], keepdims=1))
        offsets, wide = self.part(centered, 0, 2, 2), self.part(centered, 2, 4, 2)
        offsets = self.op("Mul", self.op("Add", self.op("Tanh", offsets), self.f32(1)), self.f32(0.5))
        self.logit = self.op("Sub", self.op("Mul", self.part(centered, 4, 5 + classes, 2), self.f32(0.5)), self.f32(0.5))
        probabilities = self.op("Sigmoid", self.logit)
        self.wide = self.op("Mul", self.op("Tanh", wide), self.f32(0.9))
        self.raw = self.op("Concat", offsets, self.wide, probabilities, axis=2)
        grid = np.concatenate([np.stack(np.meshgrid(np.arange(n), np.arange(n)), -1).reshape(-1, 2) for n in CELLS])
        stride = np.concatenate([np.full((n * n, 1), s) for n, s in zip(CELLS, STRIDES)])
        center = self.op("Mul", self.op("Add", offsets, self.f32(grid[None])), self.f32(stride[None]))
        sides = self.op("Mul", self.op("Exp", self.wide), self.f32(stride[None]))
        self.cxcywh = self.op("Concat", center, sides, axis=2)
        half = self.op("Mul", sides, self.f32(0.5))
        self.xyxy = self.op("Concat", self.op("Sub", center, half), self.op("Add", center, half), axis=2)
        self.objectness, self.each = self.part(probabilities, 0, 1, 2), self.part(probabilities, 1, 1 + classes, 2)
        self.scores = self.op("Mul", self.objectness, self.each)

    def scaled(self, boxes):
        return self.op("Mul", boxes, self.f32(1 / SIDE))

    def best(self, count=20):
        """The boxes [N, count, 4] with the best class, scores [N, count], numbers of the classes [N, count]."""
        top = self.op("ReduceMax", self.scores, axes=[2], keepdims=0)
        values, rows = self.op("TopK", top, self.i64([count]), outputs=2, axis=1)
        classes = self.op("GatherElements", self.op("ArgMax", self.scores, axis=2, keepdims=0), rows, axis=1)
        wide = self.op("Expand", self.unsqueeze(rows, 2), self.i64([1, 1, 4]))
        return self.op("GatherElements", self.xyxy, wide, axis=1), values, classes

    def above(self, score=0.4, guard=False):
        """Of one image: the rows with a best score above, as many as there are. Boxes [n, 4], scores [n], classes [n]."""
        top = self.op("ReduceMax", self.scores, axes=[2], keepdims=0)
        flat = self.squeeze(top, 0)
        rows = self.squeeze(self.op("NonZero", self.op("Greater", flat, self.f32(score))), 0)
        rows = self.guarded(rows) if guard else rows
        classes = self.op("Gather", self.squeeze(self.op("ArgMax", self.scores, axis=2, keepdims=0), 0), rows, axis=0)
        return (self.op("Gather", self.squeeze(self.xyxy, 0), rows, axis=0), self.op("Gather", flat, rows, axis=0), classes, rows)

    def guarded(self, rows):
        """The rows through torchvision's If: an empty constant if there are none."""
        from onnx import helper, numpy_helper
        empty = numpy_helper.from_array(np.zeros(0, np.int64), "empty")
        none = helper.make_graph([helper.make_node("Constant", [], ["none"], value=empty)], "none", [],
                                 [helper.make_tensor_value_info("none", I64, [0])])
        some = helper.make_graph([helper.make_node("Identity", [rows], ["some"])], "some", [],
                                 [helper.make_tensor_value_info("some", I64, None)])
        return self.op("If", self.op("Equal", self.op("Size", rows), self.i64(0)), then_branch=none, else_branch=some)

    def finish(self, outputs, batch="N", inputs=None, metadata=(), opset=17, **keys):
        for name, value, *_ in outputs:
            self.name(value, name)
        return self.model(inputs or [image_input(batch, **keys)], [(name, kind, shape) for name, _, shape, kind in outputs],
                          opset, metadata)


_parts = {}


def truth_rows(inputs, classes=8):
    """Boxes xyxy [n, 84, 4], objectness [n, 84, 1] and class scores [n, 84, classes] from ONNX Runtime."""
    if classes not in _parts:
        graph = Rows(classes)
        _parts[classes] = graph.finish([("b", graph.xyxy, ["N", ROWS, 4], F32), ("o", graph.objectness, ["N", ROWS, 1], F32),
                                        ("c", graph.each, ["N", ROWS, classes], F32)])
    return reference(_parts[classes], inputs, alone=True)


def overlap(one, others):
    left, top = np.maximum(one[0], others[:, 0]), np.maximum(one[1], others[:, 1])
    right, bottom = np.minimum(one[2], others[:, 2]), np.minimum(one[3], others[:, 3])
    shared = np.clip(right - left, 0, None) * np.clip(bottom - top, 0, None)
    area = (others[:, 2] - others[:, 0]) * (others[:, 3] - others[:, 1])
    return shared / ((one[2] - one[0]) * (one[3] - one[1]) + area - shared)


def chosen(boxes, scores, names_=THINGS, score=0.01, nms=0.65, best=False, width=SIDE, height=SIDE, limit=100):
    """Non-maximum suppression per class of boxes [n, 4] and scores [n, C]; boxes clipped to the image."""
    found = []
    for number in range(scores.shape[1]):
        own = scores[:, number] >= score
        if best:
            own &= scores.argmax(1) == number
        rows = np.nonzero(own)[0]
        rows = rows[np.argsort(-scores[rows, number], kind="stable")]
        kept = []
        while len(rows):
            first, rows = rows[0], rows[1:]
            kept.append(first)
            if len(rows):
                rows = rows[overlap(boxes[first], boxes[rows]) <= nms]
        found += [(names_[number], float(scores[k, number]), *clip(boxes[k], width, height)) for k in kept[:limit]]
    return found


def clip(box, width=SIDE, height=SIDE):
    return (max(0.0, float(box[0])), max(0.0, float(box[1])), min(float(width), float(box[2])), min(float(height), float(box[3])))


def same(found, expected, pixels=0.02, score=1e-5, share=0.0):
    """A text; Wrong if more than a share of the boxes has no partner."""
    missing = total = 0
    sample = None
    for ours, theirs in zip(found, expected):
        for one, other in ((ours, theirs), (theirs, ours)):
            classes = {}
            for box in other:
                classes.setdefault(box[0], []).append(box[1:])
            classes = {label: np.array(boxes, np.float64) for label, boxes in classes.items()}
            for box in one:
                if box[4] - box[2] <= 0 or box[5] - box[3] <= 0:
                    continue  # clipped away
                total += 1
                rows = classes.get(box[0])
                limits = [score] + [pixels] * 4
                if rows is None or not (np.abs(rows - np.array(box[1:], np.float64)) <= limits).all(1).any():
                    missing += 1
                    sample = sample or (box, "of assay" if one is ours else "of the reference")
    if total == 0:
        raise Wrong("no boxes at all: nothing was compared")
    if missing > share * total:
        raise Wrong(f"{missing} of {total} boxes without a partner within {pixels:g} px and {score:g}, such as {sample}")
    return f"{total} boxes, {missing} without a partner within {pixels:g} px and {score:g}"


def street(place, name="street", sizes=((SIDE, SIDE),) * 6, classes=THINGS):
    """COCO's instances; the truth is near some boxes of the model, so that AP is neither 0 nor 1."""
    if name not in place.datasets:
        random = np.random.default_rng(21)
        keys, images, records, objects = [], [], [], []
        for index, (height, width) in enumerate(sizes):
            keys.append(f"{index}.png")
            images.append(picture(random, height, width))
            place.write(f"{name}/images/{keys[-1]}", images[-1])
            records.append({"id": index + 1, "file_name": keys[-1], "width": width, "height": height})
        for index, image in enumerate(images):
            small = np.zeros((1, 3, SIDE, SIDE), np.float32)
            part = image[:SIDE, :SIDE].transpose(2, 0, 1) / 255
            small[0, :, :part.shape[1], :part.shape[2]] = part
            boxes, objectness, each = truth_rows(small)
            best = sorted(chosen(boxes[0], (objectness * each)[0], width=image.shape[1], height=image.shape[0], score=0.2),
                          key=lambda box: -box[1])[:8]
            for label, _, left, top, right, bottom in best:
                shift = random.normal(0, 0.8, 4)
                box = [left + shift[0], top + shift[1], max(2, right - left + shift[2]), max(2, bottom - top + shift[3])]
                objects.append({"id": len(objects) + 1, "image_id": index + 1, "category_id": classes.index(label) + 1,
                                "bbox": [round(float(v), 2) for v in box], "area": float(box[2] * box[3]), "iscrowd": 0})
        with open(place.path(name + "/instances.json"), "w", encoding="utf-8") as file:
            json.dump({"images": records, "annotations": objects,
                       "categories": [{"id": k + 1, "name": label} for k, label in enumerate(classes)]}, file)
        place.run("import", f"{name}/instances.json", "--images", f"{name}/images", "--name", name)
        place.datasets[name] = keys, images
    return name


def streets(place):
    return street(place, "streets", ((48, 64), (97, 61), (45, 120), (200, 211), (64, 64), (33, 40)))


def expected(place, **keys):
    boxes, objectness, each = truth_rows(place.inputs(street(place)))
    return [chosen(b, s, **keys) for b, s in zip(boxes, objectness * each)]


def detector(keys, classes=THINGS, start=FLAT):
    return f"task: detection\n{start}{keys}{names(classes)}"


def pycoco(truth, results, kind="bbox"):
    """pycocotools' AP."""
    import contextlib
    import io
    COCO, COCOeval = need("pycocotools.coco", "pycocotools.cocoeval")
    with contextlib.redirect_stdout(io.StringIO()):
        gt = COCO.COCO(truth)
        run = COCOeval.COCOeval(gt, gt.loadRes(json.loads(json.dumps(results))), kind)  # loadRes changes its list
        run.evaluate(), run.accumulate(), run.summarize()
    return run.stats[0]


BOXES = "head: boxes\nbox-order: cxcywh\nbox-units: pixels\nscore: 0.01\nnms: 0.65\n"
FINAL = "head: final\nbox-order: xyxy\nbox-units: pixels\nclass-base: 0\nscore: 0.01\n"


def v5():
    graph = Rows()
    return graph.finish([("output0", graph.op("Concat", graph.cxcywh, graph.objectness, graph.each, axis=2), ["N", ROWS, 13], F32)])


def v8(metadata=(), batch="N", classes=8, **keys):
    graph = Rows(classes)
    both = graph.op("Transpose", graph.op("Concat", graph.cxcywh, graph.scores, axis=2), perm=[0, 2, 1])
    return graph.finish([("output0", both, [batch, 4 + classes, ROWS], F32)], batch, None, metadata, **keys)


def ultralytics_metadata(task="detect", labels=THINGS, **more):
    return {"description": "Ultralytics YOLOv8n model", "author": "Ultralytics", "version": "8.4.190", "stride": 32,
            "task": task, "batch": 1, "imgsz": [SIDE, SIDE], "names": dict(enumerate(labels)),
            "args": {"batch": 1, "nms": False}, "end2end": False, **more}


def compare(place, model, keys, data=None, start=FLAT, **options):
    name = place.add(place.save(model), detector(keys, start=start))
    return same(place.boxes(name, data or street(place)), expected(place, **options))


@row("2", "-", "YOLOX, raw rows: boxes and AP")
def yolox(place):
    graph = Rows()
    model = graph.finish([("output", graph.raw, ["N", ROWS, 13], F32)])
    data = street(place)
    name = place.add(place.save(model), detector("head: yolox\nscore: 0.01\nnms: 0.65\n"))
    run, _ = place.predict(name, data)
    first = same(place.boxes_of(run, data), expected(place))
    own = place.evaluate(run)["AP"]
    theirs = pycoco(place.path("street/instances.json"), place.results(run))
    if not 0.05 < theirs < 0.98:
        raise Wrong(f"AP {theirs} says nothing")
    return f"{first}; AP {own:.4f} " + near("against pycocotools", own, theirs, 1e-9)


@row("2", "-", "YOLOX decoded and YOLOv6 [1, n, 5 + C]; head: yolox on it is refused or told")
def yolox_decoded(place):
    first = compare(place, v5(), BOXES + "objectness: yes\n")
    done = place.predict_refused(place.save(v5()), detector("head: yolox\nscore: 0.01\nnms: 0.65\n"), street(place),
                                 reason="decoded|boxes|exp|pixels|large|width", step="head: boxes")
    return first + "; head: yolox refused" + done[:0]


@row("2", "A", "YOLOv8 without metadata: the draft leaves resize and objectness open; right with the best manifest")
def v8_plain(place):
    file = place.save(v8())
    _, draft = place.draft(file)
    line = [line for line in draft.splitlines() if "resize:" in line]
    if line and "TODO" not in line[0]:
        raise Wrong(f"the draft states the resize: {line[0]}")
    place.add_refused(file, reason="TODO|open|state|draft", step=r"\.yaml|manifest")
    place.predict_refused(file, detector(BOXES), street(place), reason="objectness", step="objectness: (yes|no)|yes or no")
    return compare(place, v8(), BOXES + "objectness: no\n") + "; draft open, --accept-draft refused"


def letterboxed(image, side=SIDE):
    """As Ultralytics: sides rounded to the nearest, OpenCV's bilinear, gray 114, in the middle."""
    cv2 = need("cv2")
    height, width = image.shape[:2]
    ratio = min(side / height, side / width)
    across, down = round(width * ratio), round(height * ratio)
    small = cv2.resize(image, (across, down), interpolation=cv2.INTER_LINEAR) if (across, down) != (width, height) else image
    left, top = round((side - across) / 2 - 0.1), round((side - down) / 2 - 0.1)
    out = np.full((side, side, 3), 114, np.uint8)
    out[top:top + down, left:left + across] = small
    return out, left, top, across, down


@row("2", "A", "YOLOv8 with Ultralytics' metadata, images of all sizes, the draft as it is")
def v8_draft(place):
    data = streets(place)
    name = place.add(place.save(v8(ultralytics_metadata(), 1)))
    run, _ = place.predict(name, data)
    inputs, want = [], []
    for image in place.images(data):
        inputs.append(letterboxed(image)[0])
    tensors = np.ascontiguousarray(np.stack(inputs).transpose(0, 3, 1, 2) / 255).astype(np.float32)
    first = near("inputs", place.tensors(name, data), tensors, 1e-6)
    boxes, objectness, each = truth_rows(tensors)
    for image, box, score in zip(place.images(data), boxes, objectness * each):
        _, left, top, across, down = letterboxed(image)
        height, width = image.shape[:2]
        # The exact inverse of the resize: Ultralytics divides both sides by one ratio, which differs where a side was rounded.
        want.append([(label, value, *clip(((l - left) * width / across, (t - top) * height / down, (r - left) * width / across,
                                           (b - top) * height / down), width, height)) for label, value, l, t, r, b in
                     unclipped(box, score)])
    return first + "; " + same(place.boxes_of(run, data), want, 0.05, 1e-5, 0.002)


def unclipped(boxes, scores, score=0.01, nms=0.65, names_=THINGS):
    found = []
    for number in range(scores.shape[1]):
        rows = np.nonzero(scores[:, number] >= score)[0]
        rows = rows[np.argsort(-scores[rows, number], kind="stable")]
        kept = []
        while len(rows):
            first, rows = rows[0], rows[1:]
            kept.append(first)
            if len(rows):
                rows = rows[overlap(boxes[first], boxes[rows]) <= nms]
        found += [(names_[number], float(scores[k, number]), *map(float, boxes[k])) for k in kept[:100]]
    return found


@row("2", "A", "YOLOv8 as OpenVINO IR with metadata.yaml, the folder as it is")
def v8_ir(place):
    ov = need("openvino")
    data = streets(place)
    onnx_name = place.add(place.save(v8(ultralytics_metadata(), 1)))
    os.makedirs(place.path("best_openvino_model"), exist_ok=True)
    place.save(v8((), 1), "plain8")
    ov.save_model(ov.convert_model(place.path("plain8.onnx")), place.path("best_openvino_model/best.xml"), compress_to_fp16=False)
    with open(place.path("best_openvino_model/metadata.yaml"), "w", encoding="utf-8") as file:
        file.write("description: Ultralytics YOLOv8n model\nauthor: Ultralytics\nversion: 8.4.190\nstride: 32\ntask: detect\n"
                   f"batch: 1\nimgsz:\n- {SIDE}\n- {SIDE}\nnames:\n" + "".join(f"  {k}: {v}\n" for k, v in enumerate(THINGS)) +
                   "args:\n  batch: 1\n  nms: false\n")
    name = place.add("best_openvino_model")
    return same(place.boxes(name, data), place.boxes(onnx_name, data)) + " (the same model as ONNX, compared above)"


@row("2", "E", "YOLOv8 with dynamic height and width")
def v8_open(place):
    graph = Rows()
    both = graph.op("Transpose", graph.op("Concat", graph.cxcywh, graph.scores, axis=2), perm=[0, 2, 1])
    model = graph.finish([("output0", both, ["N", 12, "boxes"], F32)], height="height", width="width")
    file = place.save(model)
    _, draft = place.draft(file)
    name = place.add(file, detector(BOXES + "objectness: no\n"))
    text = same(place.boxes(name, street(place)), expected(place))
    return text + ("; draft: " + [line for line in draft.splitlines() if line.startswith("task")][0] if draft else "")


@row("2", "-", "YOLOv5 [1, n, 5 + C]")
def v5_right(place):
    return compare(place, v5(), BOXES + "objectness: yes\n")


@row("2", "A", "YOLOv8 with one name too few, first or last")
def few_names(place):
    file = place.save(v8())
    for labels in (THINGS[:-1], THINGS[1:]):
        for more in ("objectness: no\n", ""):
            place.predict_refused(file, detector(BOXES + more, labels), street(place), reason="class|objectness|12|shape",
                                  step="objectness|classes|names")
    file = place.save(v8(ultralytics_metadata(), 1))
    # The person says “objectness: yes”, which fits the 7 names: the file states 8 names.
    name = place.fresh("n")
    done = place.words("model", "add", file, "--name", name, "--manifest",
                       place.manifest(detector(BOXES + "objectness: yes\n", THINGS[1:])))
    if done.returncode == 0:
        run = place.words("predict", street(place), "--model", name, "--name", "r" + name, "--ignore-missing")
        return "refused", ("7 names refused; with “objectness: yes”, which is then wrong, and 8 names in the file: " +
                           ("runs: " + " ".join(run.text.split())[-200:] if run.returncode == 0 else "refused"))
    return "refused", "7 names refused, also with “objectness: yes” where the file states 8 names"


@row("2", "A", "YOLOv5 with one name too many (background), first or last")
def more_names(place):
    file = place.save(v5())
    for labels in (["background"] + THINGS, THINGS + ["background"]):
        for more in ("objectness: yes\n", ""):
            place.predict_refused(file, detector(BOXES + more, labels), street(place), reason="class|objectness|13|shape",
                                  step="objectness|classes|names")
    return "refused", "9 names refused with “objectness: yes” and without the key"


@row("2", "C", "YOLOv8-OBB [1, 4 + C + 1, n]")
def oriented(place):
    graph = Rows()
    angle = graph.op("Mul", graph.op("Sub", graph.objectness, graph.f32(0.25)), graph.f32(np.pi))
    value = graph.op("Transpose", graph.op("Concat", graph.cxcywh, graph.scores, angle, axis=2), perm=[0, 2, 1])
    model = graph.finish([("output0", value, ["N", 13, ROWS], F32)])
    file, data = place.save(model), street(place)
    for more in ("objectness: no\n", ""):
        place.predict_refused(file, detector(BOXES + more), data, reason="13|objectness|shape", step="angle|objectness")
    # 8 names and an objectness fit the shape, too: a person who says so is told by what it does to the values, if at all.
    keys = BOXES.replace("nms: 0.65", "nms: 1") + "objectness: no\nangle: radians\nmax: 10000\n"
    name = place.add(file, detector(keys))
    run, _ = place.predict(name, data)
    boxes, objectness, each = truth_rows(place.inputs(data))
    want = []
    for b, o, c in zip(boxes, objectness, each):
        center, half = (b[:, :2] + b[:, 2:]) / 2, (b[:, 2:] - b[:, :2]) / 2
        turn = (o[:, 0] - 0.25) * np.pi
        across = np.abs(half[:, 0] * np.cos(turn)) + np.abs(half[:, 1] * np.sin(turn))
        down = np.abs(half[:, 0] * np.sin(turn)) + np.abs(half[:, 1] * np.cos(turn))
        upright = np.stack([center[:, 0] - across, center[:, 1] - down, center[:, 0] + across, center[:, 1] + down], 1)
        want.append([(THINGS[k], float(s[k]), *clip(box)) for box, s in zip(upright, o * c) for k in range(8) if s[k] >= 0.01])
    text = same(place.boxes_of(run, data), want, 0.05, 1e-5, 0.01)
    regions = sum("segmentation" in result for result in place.results(run))
    if not regions:
        raise Wrong("the run has no regions")
    return f"upright boxes around the rotated ones: {text}; without “angle” refused"


@row("2", "C", "YOLOv8-OBB read with “objectness: yes”: the angle as a class")
def oriented_wrong(place):
    graph = Rows()
    angle = graph.op("Mul", graph.op("Sub", graph.objectness, graph.f32(0.25)), graph.f32(np.pi))
    value = graph.op("Transpose", graph.op("Concat", graph.cxcywh, graph.scores, angle, axis=2), perm=[0, 2, 1])
    model = graph.finish([("output0", value, [1, 13, ROWS], F32)], 1, None, ultralytics_metadata("obb"))
    place.predict_refused(place.save(model), detector(BOXES + "objectness: yes\n"), street(place),
                          reason="obb|angle|rotat|0.*1|probabilit", step="angle|activation|objectness|manifest")
    return "refused", "Ultralytics' metadata or the values tell"


@row("2", "C", "YOLO-NAS, PP-YOLOE: boxes and scores; its draft")
def pair(place):
    graph = Rows()
    model = graph.finish([("boxes", graph.op("Identity", graph.xyxy), ["N", ROWS, 4], F32),
                          ("scores", graph.op("Identity", graph.scores), ["N", ROWS, 8], F32)])
    _, draft = place.draft(place.save(model))
    head = [line for line in draft.splitlines() if line.startswith("head:")]
    if not head or "yolox" in head[0]:
        raise Wrong(f"the draft has {head}")
    return compare(place, model, BOXES.replace("cxcywh", "xyxy") + "boxes-output: boxes\nscores-output: scores\n") + \
        f"; draft {head[0].split('#')[0].strip()}"


@row("2", "-", "DETR: logits with no object, relative boxes")
def detr(place):
    return detr_compared(place, detr_model(), "")


def detr_model(mask=False):
    graph = Rows()
    none = graph.op("Sub", graph.f32(1.5), graph.objectness)
    graph.name(graph.op("Concat", graph.op("Mul", graph.part(graph.logit, 1, 9, 2), graph.f32(2.0)), none, axis=2), "logits")
    boxes = graph.scaled(graph.cxcywh)
    inputs = [image_input(name="x")]
    if mask:
        inputs.append(("pixel_mask", I64, ["N", SIDE, SIDE]))
        share = graph.op("ReduceMean", graph.cast("pixel_mask", F32), axes=[1, 2], keepdims=0)
        boxes = graph.op("Mul", boxes, graph.unsqueeze(graph.unsqueeze(share, 1), 2))
    graph.name(boxes, "pred_boxes")
    return graph.model(inputs, [("logits", F32, ["N", ROWS, 9]), ("pred_boxes", F32, ["N", ROWS, 4])])


def detr_compared(place, model, more):
    data = street(place)
    keys = ("head: boxes\nbox-order: cxcywh\nbox-units: relative\nscore: 0.01\nnms: 1\nbox-classes: best\n"
            "boxes-output: pred_boxes\nscores-output: logits\nactivation: softmax\n" + more)
    name = place.add(place.save(model), detector(keys, [*THINGS, "background"]))
    inputs = place.inputs(data)
    constant = {"pixel_mask": np.ones((len(inputs), SIDE, SIDE), np.int64)} if "pixel_mask" in more else None
    logits, boxes = reference(model, inputs, "x", constant)
    want = []
    for logit, box in zip(logits, boxes.astype(np.float64) * SIDE):
        corners = np.concatenate([box[:, :2] - box[:, 2:] / 2, box[:, :2] + box[:, 2:] / 2], 1)
        score = softmax(logit)
        want.append([one for one in chosen(corners, score, [*THINGS, "background"], nms=1, best=False)
                     if one[0] != "background"])
        # As transformers' post-processing: of each query its best class that is an object.
        best = score[:, :8].argmax(1)
        want[-1] = [(THINGS[k], float(s[k]), *clip(c)) for k, s, c in zip(best, score, corners) if s[k] >= 0.01]
    return same(place.boxes(name, data), want, 0.02, 1e-5)


@row("2", "D", "DETR with pixel_mask")
def detr_mask(place):
    model = detr_model(True)
    place.predict_refused(place.save(model), detector(
        "head: boxes\nbox-order: cxcywh\nbox-units: relative\nnms: 1\nbox-classes: best\nboxes-output: pred_boxes\n"
        "scores-output: logits\nactivation: softmax\n", [*THINGS, "background"]), street(place),
        reason="pixel_mask", step="constant-inputs")
    return detr_compared(place, model, "constant-inputs: {pixel_mask: 1}\n") + "; without the key refused"


@row("2", "-", "RT-DETR: logits and relative boxes; Ultralytics' RT-DETR in one output [1, n, 4 + C]")
def rtdetr(place):
    data = street(place)
    texts = []
    graph = Rows()
    logits = graph.part(graph.logit, 1, 9, 2)
    model = graph.finish([("logits", logits, ["N", ROWS, 8], F32), ("pred_boxes", graph.scaled(graph.cxcywh), ["N", ROWS, 4], F32)])
    name = place.add(place.save(model), detector(
        "head: boxes\nbox-order: cxcywh\nbox-units: relative\nscore: 0.01\nnms: 1\nboxes-output: pred_boxes\n"
        "scores-output: logits\nactivation: sigmoid\n"))
    boxes, _, each = truth_rows(place.inputs(data))
    want = [chosen(b, s, nms=1) for b, s in zip(boxes, each)]
    texts.append(same(place.boxes(name, data), want))
    graph = Rows()
    model = graph.finish([("output0", graph.op("Concat", graph.scaled(graph.cxcywh), graph.each, axis=2), ["N", ROWS, 12], F32)])
    name = place.add(place.save(model), detector(BOXES.replace("pixels", "relative").replace("0.65", "1") + "objectness: no\n"))
    texts.append(same(place.boxes(name, data), want))
    return "; ".join(texts)


@row("2", "E", "relative boxes read as pixels, and pixels as relative")
def units(place):
    graph = Rows()
    relative = graph.finish([("output0", graph.op("Concat", graph.scaled(graph.cxcywh), graph.each, axis=2), ["N", ROWS, 12], F32)])
    place.predict_refused(place.save(relative), detector(BOXES + "objectness: no\n"), street(place), reason="relative",
                          step="box-units: relative")
    place.predict_refused(place.save(v8()), detector(BOXES.replace("pixels", "relative") + "objectness: no\n"), street(place),
                          reason="pixels", step="box-units: pixels")
    return "refused", "box-units named"


def best_expected(place, names_=THINGS, count=20, minimum=0.01):
    boxes, objectness, each = truth_rows(place.inputs(street(place)))
    want = []
    for b, s in zip(boxes, objectness * each):
        top = np.argsort(-s.max(1), kind="stable")[:count]
        want.append([(names_[s[k].argmax()], float(s[k].max()), *clip(b[k])) for k in top if s[k].max() >= minimum])
    return want


@row("2", "B", "end to end [1, n, 6] (YOLOv10, YOLO26, nms=True, RT-DETR), with and without metadata")
def six(place):
    texts, data = [], street(place)
    for metadata in ((), ultralytics_metadata(args={"batch": 1, "nms": True}, end2end=True)):
        graph = Rows()
        boxes, values, classes = graph.best()
        value = graph.op("Concat", boxes, graph.unsqueeze(values, 2), graph.unsqueeze(graph.cast(classes, F32), 2), axis=2)
        model = graph.finish([("output0", value, [1, 20, 6], F32)], 1, None, metadata)
        file = place.save(model)
        text, draft = place.draft(file)
        if "task: detection" not in draft or "head: final" not in draft:
            raise Wrong(f"the draft is not of a detector: {draft[:300]}")
        name = place.add(file) if metadata else place.add(file, detector(FINAL))
        texts.append(same(place.boxes(name, data), best_expected(place)))
    return "; ".join(texts) + "; the second by its draft"


@row("2", "B", "YOLOv8-seg: coefficients and prototypes, the draft as it is")
def masks(place):
    data = street(place)
    graph = Rows()
    coefficients = graph.op("Sub", graph.op("Mul", graph.part(graph.raw, 5, 9, 2), graph.f32(4)), graph.f32(1.5))
    coefficients = graph.op("Concat", *[coefficients] * 8, axis=2)
    value = graph.op("Transpose", graph.op("Concat", graph.cxcywh, graph.scores, coefficients, axis=2), perm=[0, 2, 1])
    prototypes = graph.conv(graph.op("Relu", graph.conv("x", 3, 8, 2, 2)), 8, 32, 2, 3.0)
    model = graph.finish([("output0", value, [1, 44, ROWS], F32), ("output1", prototypes, [1, 32, 16, 16], F32)], 1, None,
                         ultralytics_metadata("segment"))
    file = place.save(model)
    name = place.add(file)
    run, _ = place.predict(name, data)
    results = place.results(run)
    output, maps = reference(model, place.inputs(data), alone=True)
    place.predict_refused(place.save(bare(model)), detector(BOXES + "objectness: no\n"), data, reason="44|shape|masks|outputs",
                          step="masks|output")
    mask = need("pycocotools.mask")
    grid = np.clip((np.arange(SIDE) + 0.5) / 4 - 0.5, 0, 15)
    low = np.minimum(np.floor(grid).astype(int), 14)
    share = grid - low
    differ = pixels = count = 0
    for result in results:
        image = result["image_id"] - 1
        box = np.array(result["bbox"])
        number = result["category_id"] - 1
        rows = output[image][:4].T
        corners = np.concatenate([rows[:, :2] - rows[:, 2:] / 2, rows[:, :2] + rows[:, 2:] / 2], 1)
        left, top, right, bottom = box[0], box[1], box[0] + box[2], box[1] + box[3]
        near_box = np.abs(np.clip(corners, 0, SIDE) - [left, top, right, bottom]).max(1) + np.abs(
            output[image][4 + number] - result["score"]) * 1000
        k = near_box.argmin()
        if near_box[k] > 0.1:
            raise Wrong(f"no row of the model is the box {result['bbox']} with score {result['score']}")
        value = np.tensordot(output[image][12:, k].astype(np.float64), maps[image].astype(np.float64), 1)
        rows_ = value[low] * (1 - share)[:, None] + value[low + 1] * share[:, None]
        full = rows_[:, low] * (1 - share) + rows_[:, low + 1] * share
        center = np.arange(SIDE) + 0.5
        inside = (center >= left)[None] & (center < right)[None] & (center >= top)[:, None] & (center < bottom)[:, None]
        if "segmentation" not in result:
            if (full[inside] > 0).sum() > 1:
                raise Wrong(f"no mask of the box {result['bbox']}")
            continue
        found = mask.decode(result["segmentation"]).astype(bool)
        # A pixel at the edge of the box may count or not.
        edge = (np.abs(center - left) < 0.6)[None] | (np.abs(center - right) < 0.6)[None] | (np.abs(center - top) < 0.6)[:, None] | (
            np.abs(center - bottom) < 0.6)[:, None]
        differ += int(((found != ((full > 0) & inside)) & ~edge & (np.abs(full) > 1e-4)).sum())
        pixels += int(found.sum())
        count += 1
    if not count:
        raise Wrong("no masks at all")
    if differ > 0:
        raise Wrong(f"{differ} pixels of {pixels} in {count} masks differ")
    return f"{count} masks, {pixels} pixels inside, {differ} differ (but for edges of boxes)"


def bare(model):
    import copy
    model = copy.deepcopy(model)
    del model.metadata_props[:]
    return model


def people(place):
    """COCO's person_keypoints with one person per image, 17 keypoints."""
    if "people" not in place.datasets:
        data = street(place)
        names_ = ["nose", *(f"{side}_{part}" for part in ("eye", "ear", "shoulder", "elbow", "wrist", "hip", "knee", "ankle")
                            for side in ("left", "right"))]
        output = pose_reference(place)
        random = np.random.default_rng(5)
        records, objects = [], []
        for index, image in enumerate(place.images(data)):
            place.write(f"people/images/{index}.png", image)
            records.append({"id": index + 1, "file_name": f"{index}.png", "width": SIDE, "height": SIDE})
            for k in np.argsort(-output[index][4])[:3]:
                row_ = output[index][:, k]
                points = row_[5:].reshape(17, 3) + np.pad(random.normal(0, 1.0, (17, 2)), ((0, 0), (0, 1)))
                flat = [v for x, y, _ in points for v in (round(float(np.clip(x, 0, SIDE)), 2), round(float(np.clip(y, 0, SIDE)), 2), 2)]
                wide, high = float(row_[2]), float(row_[3])
                objects.append({"id": len(objects) + 1, "image_id": index + 1, "category_id": 1, "iscrowd": 0, "num_keypoints": 17,
                                "keypoints": flat, "area": wide * high * 0.6,
                                "bbox": [float(row_[0]) - wide / 2, float(row_[1]) - high / 2, wide, high]})
        with open(place.path("people/person_keypoints.json"), "w", encoding="utf-8") as file:
            json.dump({"images": records, "annotations": objects, "categories": [
                {"id": 1, "name": "person", "keypoints": names_, "skeleton": [[1, 2]]}]}, file)
        place.run("import", "people/person_keypoints.json", "--images", "people/images", "--name", "people")
        place.datasets["people"] = place.keys(data), place.images(data)
    return "people"


def pose_model(metadata=()):
    graph = Rows()
    spread = graph.f32(np.stack(np.meshgrid(np.linspace(-0.4, 0.4, 17), [0.3]), -1).reshape(1, 1, 17, 2))
    box = graph.unsqueeze(graph.cxcywh, 2)
    points = graph.op("Add", graph.part(box, 0, 2, 3), graph.op("Mul", graph.part(box, 2, 4, 3), spread))
    ones = graph.op("Expand", graph.f32(np.full((1, 1, 17, 1), 0.9)), graph.i64([1, ROWS, 17, 1]))
    flat = graph.op("Reshape", graph.op("Concat", points, ones, axis=3), graph.i64([0, ROWS, 51]))
    value = graph.op("Transpose", graph.op("Concat", graph.cxcywh, graph.part(graph.scores, 0, 1, 2), flat, axis=2), perm=[0, 2, 1])
    return graph.finish([("output0", value, [1, 56, ROWS], F32)], 1, None, metadata)


def pose_reference(place):
    return reference(pose_model(), place.inputs(street(place)), alone=True)[0]


@row("2", "B", "YOLOv8-pose, the draft as it is: keypoints, and OKS against pycocotools")
def pose(place):
    data = people(place)
    metadata = ultralytics_metadata("pose", ["person"], kpt_shape=[17, 3])
    name = place.add(place.save(pose_model(metadata)))
    run, _ = place.predict(name, data)
    results, output = place.results(run), pose_reference(place)
    worst = 0
    for result in results:
        rows = output[result["image_id"] - 1]
        k = np.abs(rows[4] - result["score"]).argmin()
        points = rows[5:, k].reshape(17, 3)
        points[:, :2] = np.clip(points[:, :2], 0, SIDE)
        worst = max(worst, np.abs(np.array(result["keypoints"]).reshape(17, 3)[:, :2] - points[:, :2]).max())
    if worst > 0.02 or not results:
        raise Wrong(f"keypoints differ by {worst} px in {len(results)} results")
    own = place.evaluate(run)["AP"]
    theirs = pycoco(place.path("people/person_keypoints.json"), results, "keypoints")
    # pycocotools keeps 20 results an image.
    return f"{len(results)} results, keypoints within {worst:.1g} px; AP (OKS) {own:.4f} " + near("against pycocotools", own, theirs, 1e-9)


@row("2", "B", "torchvision's detectors: [3, H, W] in; boxes, labels, scores out, n open")
def tv_like(place):
    graph = Rows(x="x4")
    graph.nodes.insert(0, __import__("onnx").helper.make_node("Unsqueeze", ["x", graph.i64([0])], ["x4"]))
    boxes, values, classes, _ = graph.above()
    labels = graph.op("Add", classes, graph.i64(1))
    model = graph.finish([("boxes", boxes, ["n", 4], F32), ("labels", labels, ["n"], I64), ("scores", values, ["n"], F32)],
                         inputs=[("x", F32, [3, "h", "w"])])
    file, data = place.save(model), street(place)
    _, draft = place.draft(file)
    if "head: final" not in draft:
        raise Wrong(f"the draft has no head: final: {draft[:400]}")
    keys = FINAL.replace("base: 0", "base: 1") + "boxes-output: boxes\nscores-output: scores\nlabels-output: labels\n"
    name = place.add(file, detector(keys))
    want = best_expected(place, count=ROWS, minimum=0.4)
    return same(place.boxes(name, data), want) + "; draft has head: final"


@row("2", "C", "images in which a detector finds nothing; through torchvision's If with an empty branch")
def nothing(place):
    data, texts = street(place), []
    boxes, objectness, each = truth_rows(place.inputs(data))
    score = float(np.sort((objectness * each).max((1, 2)))[2:4].mean())
    want = best_expected(place, count=ROWS, minimum=score)
    if sum(not boxes_ for boxes_ in want) != 3:
        raise ValueError("3 images should be without boxes")
    for guard in (False, True):
        graph = Rows(x="x4")
        graph.nodes.insert(0, __import__("onnx").helper.make_node("Unsqueeze", ["x", graph.i64([0])], ["x4"]))
        boxes, values, classes, _ = graph.above(score, guard)
        model = graph.finish([("boxes", boxes, ["n", 4], F32), ("labels", classes, ["n"], I64), ("scores", values, ["n"], F32)],
                             inputs=[("x", F32, [3, SIDE, SIDE])])
        name = place.add(place.save(model), detector(FINAL + "boxes-output: boxes\nscores-output: scores\nlabels-output: labels\n"))
        found = place.boxes(name, data)
        more = [(key, boxes_) for key, boxes_, none in zip(place.keys(data), found, want) if boxes_ and not none]
        if more:
            raise Wrong(f"{'with' if guard else 'without'} If: ONNX Runtime finds nothing in {len(more)} images, assay has {more[0]}")
        texts.append(("with If " if guard else "without If ") + same(found, want))
    return "; ".join(texts)


@row("2", "B", "torchvision's Mask R-CNN and Keypoint R-CNN outputs: masks [n, 1, H, W], keypoints [n, points, 3]")
def tv_masks(place):
    graph = Rows(x="x4")
    graph.nodes.insert(0, __import__("onnx").helper.make_node("Unsqueeze", ["x", graph.i64([0])], ["x4"]))
    boxes, values, classes, rows = graph.above()
    labels = graph.op("Add", classes, graph.i64(1))
    maps = graph.op("Sigmoid", graph.conv("x4", 3, ROWS, 1, 6.0))
    own = graph.unsqueeze(graph.op("Gather", graph.squeeze(maps, 0), rows, axis=0), 1)
    corner = graph.op("Reshape", boxes, graph.i64([-1, 2, 2]))
    points = graph.op("Concat", corner, graph.op("Mul", graph.part(corner, 0, 1, 2), graph.f32(0)), axis=2)
    model = graph.finish([("boxes", boxes, ["n", 4], F32), ("labels", labels, ["n"], I64), ("scores", values, ["n"], F32),
                          ("masks", own, ["n", 1, SIDE, SIDE], F32), ("keypoints", points, ["n", 2, 3], F32)],
                         inputs=[("x", F32, [3, SIDE, SIDE])])
    data = street(place)
    keys = (FINAL.replace("base: 0", "base: 1") + "boxes-output: boxes\nscores-output: scores\nlabels-output: labels\n")
    file = place.save(model)
    name = place.add(file, detector(keys + "masks-output: masks\nmasks-frame: input\nkeypoints-output: keypoints\nkeypoints: 2x3\n"))
    run, _ = place.predict(name, data)
    text = same(place.boxes_of(run, data), best_expected(place, count=ROWS, minimum=0.4))
    mask = need("pycocotools.mask")
    differ = pixels = 0
    answers = [dict(zip(("boxes", "labels", "scores", "masks", "keypoints"), reference(model, image))) for image in place.inputs(data)]
    for result in place.results(run):
        answer = answers[result["image_id"] - 1]
        k = (np.abs(answer["scores"] - result["score"]) + np.abs(answer["labels"] - result["category_id"])).argmin()
        found = mask.decode(result["segmentation"]).astype(bool) if "segmentation" in result else np.zeros((SIDE, SIDE), bool)
        want = answer["masks"][k, 0]
        differ += int(((found != (want >= 0.5)) & (np.abs(want - 0.5) > 1e-4)).sum())
        pixels += int(found.sum())
        near("keypoints", np.array(result["keypoints"]).reshape(2, 3)[:, :2], np.clip(answer["keypoints"][k][:, :2], 0, SIDE), 0.02)
    if differ or not pixels:
        raise Wrong(f"{differ} of {pixels} pixels of the masks differ")
    return f"{text}; {pixels} pixels of masks equal, keypoints within 0.02 px"


def tfod(classes=8, whole=True, numbers=True):
    graph = Rows(classes, x="planes")
    start = graph.op("Transpose", "image_tensor", perm=[0, 3, 1, 2])
    start = graph.op("Mul", graph.cast(start, F32), graph.f32(1 / 255)) if whole else start
    # The nodes of the input come first.
    made = [node for node in graph.nodes if node.output[0] in {start} or "image_tensor" in node.input or
            (whole and node.op_type == "Cast")]
    graph.nodes = made + [node for node in graph.nodes if node not in made]
    for node in graph.nodes:
        node.input[:] = [start if value == "planes" else value for value in node.input]
    boxes, values, numbers_ = graph.best()
    turned = graph.op("Gather", graph.scaled(boxes), graph.i64([1, 0, 3, 2]), axis=2)
    count = graph.op("ReduceSum", graph.cast(graph.op("Greater", values, graph.f32(0.3)), F32), graph.i64([1]), keepdims=0)
    outputs = [("detection_boxes", turned, [1, 20, 4], F32), ("detection_scores", values, [1, 20], F32)]
    if numbers:
        outputs.append(("detection_classes", graph.cast(graph.op("Add", numbers_, graph.i64(1)), F32), [1, 20], F32))
    outputs.append(("num_detections", count, [1], F32))
    return graph.finish(outputs, inputs=[("image_tensor", U8 if whole else F32, [1, SIDE, SIDE, 3])])


@row("2", "B", "TensorFlow Object Detection: u8 in; y x y x, classes from 1, scores, their number")
def tf_detection(place):
    model, data = tfod(), street(place)
    file = place.save(model)
    text, draft = place.draft(file)
    if "head: final" not in draft or "softmax" in text:
        raise Wrong(f"the draft is not of a detector that chooses: {draft[:300]}{text[-300:]}")
    keys = (FINAL.replace("xyxy", "yxyx").replace("pixels", "relative").replace("base: 0", "base: 1") +
            "boxes-output: detection_boxes\nscores-output: detection_scores\nlabels-output: detection_classes\n")
    start = setting(layout="NHWC", scale="1")
    place.predict_refused(file, detector(keys, start=start), data, reason="num_detections", step="count-output")
    name = place.add(file, detector(keys + "count-output: num_detections\n", start=start))
    want = [[box for box in boxes if box[1] > 0.3] for boxes in best_expected(place)]
    return same(place.boxes(name, data), want, 0.02, 1e-5)


@row("2", "C", "the same with one class, read as boxes and scores with another order")
def tf_one(place):
    data = street(place)
    model = tfod(1, whole=False)
    keys = BOXES.replace("cxcywh", "xyxy").replace("pixels", "relative") + "boxes-output: detection_boxes\nscores-output: detection_scores\n"
    start = setting(layout="NHWC")
    place.predict_refused(place.save(model), detector(keys, ["car"], start), data, "--ignore-missing", reason="detection_classes",
                          step="labels-output|head: final")
    # Without the numbers of the classes nothing says the order; the boxes are beyond the image, or not.
    return "refused", "an output with the numbers of the classes is not read"


@row("2", "D", "OpenVINO's and Caffe's SSD [1, 1, n, 7]")
def ssd(place):
    graph = Rows()
    boxes, values, classes = graph.best()
    zero = graph.op("Mul", graph.unsqueeze(values, 2), graph.f32(0))
    value = graph.op("Concat", zero, graph.unsqueeze(graph.cast(graph.op("Add", classes, graph.i64(1)), F32), 2),
                     graph.unsqueeze(values, 2), graph.scaled(boxes), axis=2)
    model = graph.finish([("detection_out", graph.unsqueeze(value, 1), [1, 1, 20, 7], F32)], 1)
    file = place.save(model)
    _, draft = place.draft(file)
    if "task: detection" not in draft:
        raise Wrong(f"the draft is not of a detector: {draft[:300]}")
    name = place.add(file, detector(FINAL.replace("pixels", "relative").replace("base: 0", "base: 1") + "row: image-class-score-box\n"))
    return same(place.boxes(name, street(place)), best_expected(place))


@row("2", "C", "MMDetection: dets [1, n, 5] and labels; with one name the labels are not ignored")
def mmdet(place):
    graph = Rows()
    boxes, values, classes = graph.best()
    model = graph.finish([("dets", graph.op("Concat", boxes, graph.unsqueeze(values, 2), axis=2), [1, 20, 5], F32),
                          ("labels", classes, [1, 20], I64)], 1)
    file, data = place.save(model), street(place)
    for more in ("output: dets\nobjectness: no\n", "output: dets\nobjectness: yes\n", "output: dets\n"):
        place.predict_refused(file, detector(BOXES.replace("cxcywh", "xyxy") + more, ["car"]), data, "--ignore-missing",
                              reason="labels|objectness|shape", step="labels-output|head: final|objectness")
    name = place.add(file, detector(FINAL + "boxes-output: dets\nlabels-output: labels\n"))
    return same(place.boxes(name, data), best_expected(place)) + "; one name and “output: dets” refused"


@row("2", "D", "TensorRT's names: num_dets, det_boxes, det_scores, det_classes (i32)")
def tensorrt(place):
    graph = Rows()
    boxes, values, classes = graph.best()
    count = graph.op("ReduceSum", graph.cast(graph.op("Greater", values, graph.f32(0.3)), I32), graph.i64([1]), keepdims=1)
    model = graph.finish([("num_dets", count, [1, 1], I32), ("det_boxes", graph.op("Identity", boxes), [1, 20, 4], F32),
                          ("det_scores", graph.op("Identity", values), [1, 20], F32), ("det_classes", graph.cast(classes, I32), [1, 20], I32)], 1)
    name = place.add(place.save(model), detector(
        FINAL + "boxes-output: det_boxes\nscores-output: det_scores\nlabels-output: det_classes\ncount-output: num_dets\n"))
    want = [[box for box in boxes if box[1] > 0.3] for boxes in best_expected(place)]
    return same(place.boxes(name, street(place)), want)


@row("2", "D", "YOLOv3, v4, v5 raw grids [1, A (5 + C), H, W] at three strides")
def grids(place):
    data, texts = street(place), []
    anchors = np.array([[[5, 6], [8, 4], [10, 12]], [[14, 9], [9, 16], [20, 18]], [[30, 20], [22, 34], [44, 40]]], float)
    graph = Graph(31)
    value, inside, outputs = "x", 3, []
    for outside in (8, 12, 16, 16, 16):
        value = graph.op("Relu", graph.conv(value, inside, outside, 2, 2.2))
        inside = outside
        if outside == 16:
            outputs.append(graph.op("Mul", graph.op("Tanh", graph.conv(value, inside, 39, 1, 1.0, 1)), graph.f32(2)))
    for name, output in zip("abc", outputs):
        graph.name(output, name)
    model = graph.model([image_input()], [(n, F32, ["N", 39, c, c]) for n, c in zip("abc", CELLS)])
    answers = reference(model, place.inputs(data))
    file = place.save(model)
    for decode in ("yolov3", "yolov5"):
        name = place.add(file, detector(
            "head: anchors\nstrides: [8, 16, 32]\ngrid-outputs: [a, b, c]\nactivation: sigmoid\nscore: 0.05\nnms: 0.65\n"
            f"decode: {decode}\nanchors: {json.dumps(anchors.reshape(3, 6).tolist())}\n"))
        want = []
        for index in range(len(place.keys(data))):
            boxes, scores = [], []
            for level, cells in enumerate(CELLS):
                raw = answers[level][index].astype(np.float64).reshape(3, 13, cells, cells)
                down, across = np.mgrid[0:cells, 0:cells]
                for anchor in range(3):
                    part = raw[anchor]
                    s = sigmoid(part)
                    if decode == "yolov3":
                        x, y = s[0] + across, s[1] + down
                        w, h = np.exp(part[2]) * anchors[level, anchor, 0], np.exp(part[3]) * anchors[level, anchor, 1]
                    else:
                        x, y = 2 * s[0] - 0.5 + across, 2 * s[1] - 0.5 + down
                        w, h = (2 * s[2]) ** 2 * anchors[level, anchor, 0], (2 * s[3]) ** 2 * anchors[level, anchor, 1]
                    x, y = x * STRIDES[level], y * STRIDES[level]
                    boxes.append(np.stack([x - w / 2, y - h / 2, x + w / 2, y + h / 2], -1).reshape(-1, 4))
                    scores.append((s[4] * s[5:]).reshape(8, -1).T)
            want.append(chosen(np.concatenate(boxes), np.concatenate(scores), score=0.05))
        texts.append(f"{decode}: " + same(place.boxes(name, data), want, 0.05, 1e-5, 0.002))
    place.predict_refused(file, detector(BOXES + "output: a\nobjectness: yes\n"), data, reason="shape|39", step="head: anchors|anchors|shape")
    return "; ".join(texts)


@row("2", "D", "MediaPipe's detectors: offsets from anchors, keypoints, logits")
def blaze(place):
    data = street(place)
    graph = Graph(33)
    value, inside, parts = "x", 3, []
    for outside in (8, 12, 16, 16):
        value = graph.op("Relu", graph.conv(value, inside, outside, 2, 2.2))
        inside = outside
        if outside == 16:
            count = 2 if len(parts) == 0 else 6
            head = graph.op("Transpose", graph.conv(value, inside, 9 * count, 1, 4.0, 1), perm=[0, 2, 3, 1])
            parts.append(graph.op("Reshape", head, graph.i64([0, -1, 9])))
    rows = graph.op("Concat", *parts, axis=1)
    graph.name(graph.op("Mul", graph.part(rows, 0, 8, 2), graph.f32([1, 1, 3, 3, 2, 2, 2, 2])), "regressors0")
    graph.name(graph.op("Mul", graph.part(rows, 8, 9, 2), graph.f32(0.2)), "classificators")
    total = 2 * 64 + 6 * 16
    regressors = graph.op("Add", "regressors0", graph.f32([0, 0, 14, 14, 0, 0, 0, 0]))
    graph.name(regressors, "regressors")
    model = graph.model([image_input()], [("regressors", F32, ["N", total, 8]), ("classificators", F32, ["N", total, 1])])
    name = place.add(place.save(model), detector(
        "head: blazeface\nboxes-output: regressors\nscores-output: classificators\nstrides: [8, 16]\nanchors-per-cell: [2, 6]\n"
        "box-units: pixels\nkeypoints: 2x2\nactivation: sigmoid\nscore: 0.5\nnms: 0.3\nnms-kind: greedy\nmax: 1000\n", ["car"]))
    boxes, scores = reference(model, place.inputs(data))
    centers = np.concatenate([np.repeat(np.stack(np.meshgrid(np.arange(n), np.arange(n)), -1).reshape(-1, 2) + 0.5, a, 0) * s
                              for n, s, a in ((8, 8, 2), (4, 16, 6))])
    want = []
    for b, s in zip(boxes.astype(np.float64), sigmoid(scores)):
        center = centers + b[:, :2]
        corners = np.concatenate([center - b[:, 2:4] / 2, center + b[:, 2:4] / 2], 1)
        usable = (b[:, 2:4] > 0).all(1)
        want.append(chosen(corners[usable], s[usable], ["car"], score=0.5, nms=0.3, limit=1000))
    return same(place.boxes(name, data, "--ignore-missing"), want, 0.05, 1e-5, 0.01)


@row("2", "D", "MediaPipe's face mesh: 468 points of one object, and a logit")
def mesh(place):
    data = street(place)
    graph = Graph(34)
    features = graph.features("x")
    points = graph.op("Add", graph.dense(features, 16, 1404, 12.0), graph.f32(32))
    graph.name(graph.op("Reshape", points, graph.i64([-1, 1, 1, 1404])), "points")
    graph.name(graph.op("Reshape", graph.dense(features, 16, 1), graph.i64([-1, 1, 1, 1])), "face")
    model = graph.model([image_input()], [("points", F32, ["N", 1, 1, 1404]), ("face", F32, ["N", 1, 1, 1])])
    name = place.add(place.save(model), detector(
        "head: keypoints\nkeypoints-output: points\nkeypoints: 468x3\nkeypoint-depth: yes\nbox-units: pixels\n"
        "scores-output: face\nscore-activation: sigmoid\nscore: 0.001\n", ["car"]))
    run, _ = place.predict(name, data, "--ignore-missing")
    points, face = reference(model, place.inputs(data))
    results = place.results(run)
    for result in results:
        index = result["image_id"] - 1
        near("score", result["score"], sigmoid(face[index]).item(), 1e-5)
        near("points", np.array(result["keypoints"]).reshape(468, 3)[:, :2],
             np.clip(points[index].reshape(468, 3)[:, :2], 0, SIDE), 0.02)
    if len(results) < 3:
        raise Wrong(f"only {len(results)} faces")
    return f"{len(results)} faces, points within 0.02 px, scores within 1e-05"


@row("2", "B", "TFLite SSD with TFLite_Detection_PostProcess")
def tflite_ssd(place):
    tf = need("tensorflow")

    class Net(tf.Module):
        @tf.function(input_signature=[tf.TensorSpec([1, 64, 64, 3])])
        def net(self, x):
            mean = tf.reshape(tf.reduce_mean(x, [1, 2]), [1, 1, 1, 3])
            rois, scores = tf.raw_ops.GenerateBoundingBoxProposals(
                scores=mean, bbox_deltas=tf.tile(mean, [1, 1, 1, 4]), image_info=tf.ones([1, 5]), anchors=tf.ones([1, 3, 4]),
                nms_threshold=0.5, pre_nms_topn=4, min_size=1.0, post_nms_topn=4)
            return rois, scores
    net = Net()
    converter = tf.lite.TFLiteConverter.from_concrete_functions([net.net.get_concrete_function()], net)
    converter.allow_custom_ops = True
    # Another operator of 28 letters takes the place of the one that only the Object Detection API writes.
    own, other = b"TFLite_Detection_PostProcess", b"GenerateBoundingBoxProposals"
    data = converter.convert()
    if other not in data:
        raise Skip("TensorFlow does not write the operator")
    data = data.replace(other, own)
    text = place.add_refused(place.save(data, suffix=".tflite"), detector(FINAL), reason="TFLite_Detection_PostProcess",
                             step="without|runner|export")
    return "refused", text[:160]


@row("2", "E", "class names in another spelling")
def spelling(place):
    data = street(place)
    name = place.add(place.save(v8()), detector(BOXES + "objectness: no\n", [label.upper() for label in THINGS[:2]] + THINGS[2:]))
    done = place.words("predict", data, "--model", name, "--name", place.fresh("r"))
    text = " ".join(done.text.split())
    if done.returncode == 0 and "car" not in text:
        raise Wrong(f"predict says nothing of the classes that do not fit: {text[-300:]}")
    if done.returncode != 0 and "classes" not in text:
        raise NoStep(text[-400:])
    return ("refused" if done.returncode else "right"), "told: " + text[-160:]


@row("2", "D", "drafts of detectors that choose their boxes never advise a softmax")
def advice(place):
    texts = []
    for title, model in (("TF", tfod()),):
        text, draft = place.draft(place.save(model))
        if "task: detection" not in draft:
            raise Wrong(f"{title}: {draft[:200]}")
        texts.append(title)
    return "refused", "drafted as detectors: " + ", ".join(texts)


# Genuine exports, of libraries that are installed.

def lively(torch, model):
    """Random weights whose scores and boxes differ from image to image."""
    torch.manual_seed(3)
    last = model.model.model[-1]
    images = torch.nn.functional.interpolate(torch.rand(8, 3, 12, 12), 96) * torch.rand(8, 3, 1, 1)
    settled(torch, model.model, images)
    scores = [module for module in last.modules()
              if isinstance(module, torch.nn.Conv2d) and module.out_channels == last.nc and module.bias is not None]

    def scale(module, _, output):
        module.weight.div_(float((output - module.bias[:, None, None]).std()) + 1e-9)
        torch.nn.init.constant_(module.bias, -6)
    hooks = [module.register_forward_hook(scale) for module in scores]
    with torch.no_grad():
        model.model.train()
        model.model(images)
    model.model.eval()
    for hook in hooks:
        hook.remove()
    return model


def ultralytics_export(place, config, options):
    """A genuine export of 96 x 96 with random weights: its path."""
    torch, library = need("torch", "ultralytics")
    model = (library.RTDETR if "rtdetr" in config else library.YOLO)(config + ".yaml")
    if "rtdetr" not in config:
        lively(torch, model)
    made = str(model.export(**({"format": "onnx", "imgsz": 96, "verbose": False, "device": "cpu"} | options)))
    moved = place.fresh(config + "-") + ("" if os.path.isdir(made) else ".onnx")
    os.rename(made, place.path(moved))
    return moved


def limited(boxes, limit=100):
    """assay keeps 100 detections of each class (`max` in Docs/Models.md)."""
    seen, kept = {}, []
    for box in sorted(boxes, key=lambda box: -box[1]):
        seen[box[0]] = seen.get(box[0], 0) + 1
        if seen[box[0]] <= limit:
            kept.append(box)
    return kept


def shrunk(box, side=96):
    return clip(np.array(box, np.float64) * SIDE / side)


def exported(place, cases):
    """Adds Ultralytics' own exports by their drafts and counts boxes. Values are compared on the models above: random weights
    give scores of exactly 1, whose order rounding changes."""
    need("torch", "ultralytics")
    data, texts = street(place), []
    for config, options in cases:
        title = config + "".join(f" {key}={value}" for key, value in options.items())
        try:
            file = ultralytics_export(place, config, options)
        except Exception as error:
            texts.append(f"{title} is not exported ({str(error)[:60]})")
            continue
        run, _ = place.predict(place.add(file), data, "--ignore-missing")
        count = sum(map(len, place.boxes_of(run, data)))
        if not count:
            raise Wrong(f"{title}: no boxes")
        texts.append(f"{title} {count} boxes")
    return "; ".join(texts)


@row("2", "A", "Ultralytics' detectors as they are exported: v8, 11, v5u, v10, 26, RT-DETR; plain, nms, dynamic, half, IR: drafts accepted, boxes")
def genuine(place):
    return exported(place, (
        ("yolov8n", {}), ("yolo11n", {}), ("yolov5nu", {}), ("yolov8n", {"nms": True}), ("yolov8n", {"dynamic": True}), ("yolov10n", {}),
        ("yolo26n", {}), ("yolo26n", {"end2end": False}), ("yolov8n", {"format": "openvino"}), ("yolov8n", {"half": True}), ("rtdetr-l", {})))


@row("2", "B", "Ultralytics' segmenters, pose models, rotated boxes as they are exported: drafts accepted, boxes")
def genuine_others(place):
    return exported(place, (
        ("yolov8n-seg", {}), ("yolo26n-seg", {}), ("yolov8n-seg", {"nms": True}), ("yolov8n-pose", {}), ("yolov8n-pose", {"nms": True}),
        ("yolo26n-pose", {}), ("yolov8n-obb", {}), ("yolov8n-obb", {"nms": True})))


@row("2", "B", "torchvision's Faster R-CNN, Mask R-CNN, Keypoint R-CNN, RetinaNet as they are exported: boxes")
def genuine_rcnn(place):
    torch, tv = need("torch", "torchvision")
    detection, data, texts = tv.models.detection, street(place), []
    fixed = {"weights": None, "weights_backbone": None, "min_size": 128, "max_size": 128}
    makers = {"Faster R-CNN": lambda: detection.fasterrcnn_mobilenet_v3_large_320_fpn(num_classes=4, box_score_thresh=0.05, **fixed),
              "RetinaNet": lambda: detection.retinanet_resnet50_fpn(num_classes=4, score_thresh=0.005, **fixed),
              "Mask R-CNN": lambda: detection.maskrcnn_resnet50_fpn(num_classes=4, box_score_thresh=0.05, **fixed),
              "Keypoint R-CNN": lambda: detection.keypointrcnn_resnet50_fpn(num_classes=2, box_score_thresh=0.05, **fixed)}
    for title, make in makers.items():
        torch.manual_seed(2)
        model = make().eval()
        model.transform.postprocess = lambda result, *sizes: result
        outputs = ["boxes", "scores", "labels"] if title == "RetinaNet" else ["boxes", "labels", "scores"]
        outputs += {"Mask R-CNN": ["masks"], "Keypoint R-CNN": ["keypoints", "keypoints_scores"]}.get(title, [])
        path = place.path(title.replace(" ", "") + ".onnx")
        torch.onnx.export(model, ([torch.rand(3, 128, 128)],), path, dynamo=False, opset_version=17, input_names=["image"], output_names=outputs)
        labels = ["background", "a", "b", "c"][:2 if title.startswith("Keypoint") else 4]
        more = {"Mask R-CNN": "masks-output: masks\nmasks-frame: box\n", "Keypoint R-CNN": "keypoints-output: keypoints\nkeypoints: 17x3\n"}
        name = place.add(path, detector(FINAL + "boxes-output: boxes\nscores-output: scores\nlabels-output: labels\n" + more.get(title, ""),
                                        labels, setting(128, 128)))
        run, _ = place.predict(name, data, "--ignore-missing")
        want = []
        for tensor in place.tensors(name, data):
            with torch.no_grad():
                result = model([torch.from_numpy(tensor)])[0]
            want.append(limited([(labels[int(k)], float(score), *shrunk(box, 128)) for box, score, k in
                                 zip(result["boxes"].tolist(), result["scores"], result["labels"]) if k > 0 and score >= 0.01]))
        texts.append(f"{title}: " + same(place.boxes_of(run, data), want, 0.2, 1e-3, 0.05))
    return "; ".join(texts)


@row("2", "B", "torchvision's SSDlite as it is exported: boxes")
def genuine_tv(place):
    torch, tv = need("torch", "torchvision")
    torch.manual_seed(1)
    model = tv.models.detection.ssdlite320_mobilenet_v3_large(
        weights=None, weights_backbone=None, num_classes=4, score_thresh=0.01, detections_per_img=20).eval()
    for module in model.modules():
        if isinstance(module, torch.nn.Conv2d):
            torch.nn.init.kaiming_normal_(module.weight)
    torch.onnx.export(model, ([torch.rand(3, 320, 320)],), place.path("ssdlite.onnx"), dynamo=False, opset_version=17,
                      input_names=["image"], output_names=["boxes", "scores", "labels"])
    name = place.add("ssdlite.onnx", detector(
        FINAL + "boxes-output: boxes\nscores-output: scores\nlabels-output: labels\n", ["background", "a", "b", "c"],
        setting(320, 320)))
    data = street(place)
    want = []
    for tensor in place.tensors(name, data):
        with torch.no_grad():
            result = model([torch.from_numpy(tensor)])[0]
        want.append([("abc"[int(label) - 1], float(score), *clip(np.array(box) * SIDE / 320))
                     for box, score, label in zip(result["boxes"].tolist(), result["scores"], result["labels"])])
    return same(place.boxes(name, data, "--ignore-missing"), want, 0.2, 1e-3, 0.02)
