"""A small example of COCO's files in example/, and what pycocotools 2.0.11 says about it.

python3 make_example.py   (needs numpy 2.4.6 and pycocotools 2.0.11)

instances.json has twelve images with polygons (some of two parts), crowds as run lengths and
a class without an object. bbox.json and segm.json are made-up results: every object moved a little, some of another
class, some twice, some not at all, some boxes where nothing is, and scores that tie. example/goldens.json has the
twelve numbers, the AP of each class and the lines that COCOeval.summarize prints; ../metrics/make_error_goldens.py
and ../metrics/make_confusion_goldens.py read the same files. Undefined numbers (-1) are null.
"""
import contextlib
import io
import json
import math
import random
from pathlib import Path

import numpy as np
from pycocotools import mask as codec
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

here = Path(__file__).parent / "example"
NAMES = ["AP", "AP50", "AP75", "APs", "APm", "APl", "AR1", "AR10", "AR100", "ARs", "ARm", "ARl"]
CLASSES = {1: "person", 3: "car", 18: "dog", 47: "cup", 38: "kite"}
random.seed(11)


def quiet(body):
    with contextlib.redirect_stdout(io.StringIO()):
        return body()


def polygon(width, height):
    """A convex polygon of five to nine corners inside the image."""
    radius = random.uniform(4, min(width, height) * random.choice([0.12, 0.25, 0.48]))
    x, y = random.uniform(radius, width - radius), random.uniform(radius, height - radius)
    corners = random.randint(5, 9)
    turns = [2 * math.pi * (i + random.uniform(0, 0.7)) / corners for i in range(corners)]
    return [round(v, 2) for a in turns for v in (x + radius * math.cos(a), y + 0.8 * radius * math.sin(a))]


def crowd(width, height):
    area = np.zeros((height, width), np.uint8, order="F")
    x, y = random.randrange(width // 2), random.randrange(height // 2)
    area[y:y + height // 3, x:x + width // 3] = 1
    runs, at = [0], 0
    for value in area.flatten(order="F"):
        if value != at:
            runs.append(0)
            at = value
        runs[-1] += 1
    return {"size": [height, width], "counts": runs}, area


images, annotations = [], []
for place in range(12):
    width, height = random.choice([(60, 45), (90, 120), (130, 97), (240, 200)])
    image = {"id": 7 + 13 * place, "width": width, "height": height, "file_name": f"{place:02}.png"}
    images.append(image)
    for _ in range(random.randint(1, 7)):
        parts = [polygon(width, height) for _ in range(random.choice([1, 1, 1, 1, 2]))]
        rle = codec.merge(codec.frPyObjects(parts, height, width))
        annotations.append({
            "id": len(annotations) + 1, "image_id": image["id"], "category_id": random.choice([1, 1, 3, 18, 47]),
            "iscrowd": 0, "area": float(codec.area(rle)), "bbox": [float(v) for v in codec.toBbox(rle)],
            "segmentation": parts})
    if place % 3 == 0:
        runs, area = crowd(width, height)
        rle = codec.encode(area)
        annotations.append({
            "id": len(annotations) + 1, "image_id": image["id"], "category_id": 1, "iscrowd": 1,
            "area": float(codec.area(rle)), "bbox": [float(v) for v in codec.toBbox(rle)], "segmentation": runs})
dataset = {"info": {"description": "made by make_example.py"}, "licenses": [], "images": images,
           "categories": [{"id": k, "name": v} for k, v in CLASSES.items()], "annotations": annotations}
here.mkdir(exist_ok=True)


def text(value):
    return json.dumps(value, separators=(",", ":"))


rows = [f'"{key}":' + ("[\n" + ",\n".join(map(text, value)) + "]" if isinstance(value, list) and value else text(value))
        for key, value in dataset.items()]
(here / "instances.json").write_text("{" + ",\n".join(rows) + "}\n")
truth = quiet(lambda: COCO(str(here / "instances.json")))

boxes, regions = [], []
for image in images:
    size = (image["width"], image["height"])
    for a in truth.imgToAnns[image["id"]]:
        for _ in range(random.choice([0, 1, 1, 1, 2])):
            spread = random.choice([0, 0.03, 0.1, 0.3])
            x, y, w, h = a["bbox"]
            x, y = max(0, x + random.gauss(0, spread) * w), max(0, y + random.gauss(0, spread) * h)
            w, h = w * math.exp(random.gauss(0, spread)), h * math.exp(random.gauss(0, spread))
            x, y = min(x, size[0] - 2), min(y, size[1] - 2)
            box = [round(v, 2) for v in (x, y, min(w, size[0] - x), min(h, size[1] - y))]
            category = a["category_id"] if random.random() < 0.85 else random.choice(list(CLASSES))
            score = round(random.random() * 0.98 + 0.01, 2)
            boxes.append({"image_id": image["id"], "category_id": category, "bbox": box, "score": score})
            area = np.roll(truth.annToMask(a), random.randint(-4, 4), axis=random.randint(0, 1))
            rle = codec.encode(np.asfortranarray(area))
            regions.append({
                "image_id": image["id"], "category_id": category, "score": score,
                "segmentation": {"size": rle["size"], "counts": rle["counts"].decode()}})
    for _ in range(random.randint(0, 2)):
        w, h = random.uniform(3, size[0] / 2), random.uniform(3, size[1] / 2)
        boxes.append({
            "image_id": image["id"], "category_id": random.choice(list(CLASSES)),
            "bbox": [round(v, 2) for v in (random.uniform(0, w), random.uniform(0, h), w, h)],
            "score": round(random.random() / 2 + 0.01, 2)})
for name, results in [("bbox", boxes), ("segm", regions)]:
    (here / f"{name}.json").write_text("[" + ",\n".join(map(text, results)) + "]\n")


def evaluate(results, kind):
    e = COCOeval(truth, quiet(lambda: truth.loadRes(str(here / f"{results}.json"))), kind)
    quiet(lambda: (e.evaluate(), e.accumulate()))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        e.summarize()
    precision = e.eval["precision"][:, :, :, 0, 2]
    classes = {}
    for i, category in enumerate(e.params.catIds):
        values = precision[:, :, i]
        values = values[values > -1]
        classes[truth.cats[category]["name"]] = float(values.mean()) if values.size else None
    stats = [None if v == -1 else float(v) for v in e.stats]
    return {"stats": dict(zip(NAMES, stats)), "per_category_ap": classes, "lines": printed.getvalue().splitlines()}


goldens = {"bbox": evaluate("bbox", "bbox"), "segm": evaluate("segm", "segm"),
           "boxes of regions": evaluate("segm", "bbox")}
(here / "goldens.json").write_text(json.dumps(goldens, indent=1) + "\n")
print(len(images), "images,", len(annotations), "annotations,", len(boxes), "boxes,", len(regions), "regions")
