#!/usr/bin/env python3
"""Makes errors/confusion.json beside this file: confusion matrices of detections.

    python make_confusion_goldens.py [VAL2014_100]

Needs pycocotools 2.0.11 and numpy. VAL2014_100 is the folder with the COCO API's example; a small example is in
../detect/example. The true positives are
those of COCOeval's own matching at IoU 0.5 with a score of 0.3 or more: they are on the
diagonal. Then each detection left over, best score first, takes the object of another class left over that it
overlaps most, if by 0.5; of equal overlaps the later object. Crowds are no objects, and detections that COCOeval
ignores are left out. The rest is background: the last row and column.

The random sets come from a generator that is written the same in Swift (RandomDetections.swift).
"""
import contextlib
import io
import json
import os
import sys

import numpy as np
from pycocotools import mask as mask_utils
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

HERE = os.path.dirname(os.path.abspath(__file__))
IOU, SCORE = 0.5, 0.3


class Random:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        return z ^ (z >> 31)

    def below(self, bound):
        return self.next() % bound


def random_set(seed):
    r = Random(seed)
    odd = seed % 4 == 0
    classes, images, truths, found = 1 + r.below(4), 1 + r.below(8), [], []
    for image in range(images):
        first = len(truths)
        for _ in range(r.below(7)):
            box = [r.below(60), r.below(60), 4 + r.below(40), 4 + r.below(40)]
            if odd and r.below(10) == 0:
                box[2] = 0
            cls = r.below(classes)
            crowd = odd and r.below(6) == 0
            truths.append(dict(image_id=image, category_id=cls, bbox=box, iscrowd=int(crowd)))
        for _ in range(r.below(16)):
            if len(truths) > first and r.below(4) > 0:
                near = truths[first + r.below(len(truths) - first)]
                box = [near["bbox"][0] + r.below(15) - 7, near["bbox"][1] + r.below(15) - 7,
                       max(0, near["bbox"][2] + r.below(11) - 5), max(0, near["bbox"][3] + r.below(11) - 5)]
                cls = near["category_id"] if r.below(4) > 0 else r.below(classes)
            else:
                box = [r.below(60), r.below(60), r.below(44), r.below(44)]
                cls = r.below(classes)
            score = r.below(12) / 16 if odd else r.below(2**30) / 2**30
            found.append(dict(image_id=image, category_id=cls, bbox=box, score=score))
    for index, truth in enumerate(truths):
        truth.update(id=index + 1, area=truth["bbox"][2] * truth["bbox"][3])
    return list(range(classes)), list(range(images)), truths, found, 3 if odd else 100


def matrix(categories, images, truths, results, limit, kind):
    results = [dict(x) for x in results]
    for index, result in enumerate(results):
        result["order"] = index
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO()
        coco.dataset = dict(images=images, annotations=[dict(x) for x in truths],
                            categories=[dict(id=x, name=str(x)) for x in categories])
        coco.createIndex()
        judged = coco.loadRes(results) if results else None
    place = {x: i for i, x in enumerate(categories)}
    size = len(categories) + 1
    counts = np.zeros((size, size), int)
    rights, ignored, taken = {}, set(), set()
    if judged is not None:
        ev = COCOeval(coco, judged, kind)
        ev.params.iouThrs, ev.params.maxDets = np.array([IOU]), [limit]
        ev.params.areaRng, ev.params.areaRngLbl = [[0, 1e10]], ["all"]
        with contextlib.redirect_stdout(io.StringIO()):
            ev.evaluate()
        counted = set()
        for part in ev.evalImgs:
            if part is None:
                continue
            for at, result in enumerate(part["dtIds"]):
                counted.add(result)
                if part["dtIgnore"][0, at]:
                    ignored.add(result)
                elif part["dtMatches"][0, at] > 0:
                    rights[result] = int(part["dtMatches"][0, at])
    for image in images:
        objects = [x for x in coco.loadAnns(coco.getAnnIds(imgIds=image["id"])) if not x["iscrowd"]]
        founds = [] if judged is None else [
            x for x in judged.loadAnns(judged.getAnnIds(imgIds=image["id"]))
            if x["score"] >= SCORE and x["id"] in counted and x["id"] not in ignored]
        founds.sort(key=lambda x: (-x["score"], x["order"]))
        free = {x["id"]: x for x in objects}
        for x in founds:
            if x["id"] in rights:
                gone = free.pop(rights[x["id"]])
                counts[place[gone["category_id"]], place[x["category_id"]]] += 1
        for x in founds:
            if x["id"] in rights:
                continue
            best, match = min(IOU, 1 - 1e-10), None
            for y in sorted(free.values(), key=lambda y: y["order"] if "order" in y else y["id"]):
                if y["category_id"] == x["category_id"]:
                    continue
                a, b = ([x["bbox"]], [y["bbox"]]) if kind == "bbox" else (
                    [x["segmentation"]], [coco.annToRLE(y)])
                iou = mask_utils.iou(a, b, [0])[0, 0]
                if iou >= best:
                    best, match = iou, y
            if match is not None:
                del free[match["id"]]
            counts[place[match["category_id"]] if match else -1, place[x["category_id"]]] += 1
        for y in free.values():
            counts[place[y["category_id"]], -1] += 1
    return counts.tolist()


sets = []
for seed in range(400):
    classes, images, truths, found, limit = random_set(seed)
    rows = [dict(id=x, width=100, height=100) for x in images]
    sets.append(dict(name=str(seed), rows=matrix(classes, rows, truths, found, limit, "bbox")))


def example(folder, instances, detections, prefix):
    truth = json.load(open(os.path.join(folder, instances)))
    categories = sorted(x["id"] for x in truth["categories"])
    images = sorted(truth["images"], key=lambda x: x["id"])
    for kind in ["bbox", "segm"]:
        results = json.load(open(os.path.join(folder, detections.format(kind))))
        rows = matrix(categories, images, truth["annotations"], results, 100, kind)
        # Most cells are 0: row, column, count.
        cells = [[i, j, n] for i, row in enumerate(rows) for j, n in enumerate(row) if n]
        sets.append(dict(name=prefix + kind, cells=cells))
        print(prefix + kind, "diagonal", sum(rows[i][i] for i in range(len(rows))))


example(os.path.join(HERE, "../detect/example"), "instances.json", "{}.json", "example ")
if len(sys.argv) > 1:
    example(sys.argv[1], "instances_val2014_100.json", "instances_val2014_fake{}100_results.json", "")
with open(os.path.join(HERE, "errors", "confusion.json"), "w") as file:
    file.write(json.dumps(dict(sets=sets), separators=(",", ":")).replace('{"name"', '\n{"name"') + "\n")
