"""Peers of MaskBench: the same task in pycocotools, hotcoco or numpy; one line of JSON with the seconds of the task.

    mask_works.py LIBRARY WORK PATH

WORK: rle-decode, rle-encode, iou, polygons, confusion, binary. LIBRARY: pycocotools, hotcoco, numpy.
The checks are MaskBench's.
"""
import glob
import importlib
import json
import os
import sys
import time

import numpy as np

BATCH = 100
CLASSES = 19


class Clock:
    """Adds up the seconds of its `with` blocks."""
    total = 0.0

    def __enter__(self):
        self.start = time.perf_counter()

    def __exit__(self, *_):
        self.total += time.perf_counter() - self.start


def loaded(path):
    with open(path) as file:
        return json.load(file)


def run_lengths(path):
    return [{"size": entry["size"], "counts": entry["counts"].encode()} for entry in loaded(path)]


def text(counts):
    return counts if isinstance(counts, bytes) else counts.encode()


def decode(library, path, clock):
    runs, set_pixels = run_lengths(path), 0
    for start in range(0, len(runs), BATCH):
        with clock:
            pixels = library.decode(runs[start:start + BATCH])
        set_pixels += int(pixels[..., :3].sum())
    return len(runs), set_pixels


def encode(library, path, clock):
    from pycocotools import mask as reference
    runs, same = run_lengths(path), 0
    for start in range(0, len(runs), BATCH):
        part = runs[start:start + BATCH]
        pixels = np.asfortranarray(reference.decode(part))
        with clock:
            made = library.encode(pixels)
        same += sum(text(one["counts"]) == two["counts"] for one, two in zip(made, part))
    return len(runs), same


def overlaps(library, path, clock):
    runs, total = run_lengths(path), 0.0
    for start in range(0, len(runs), BATCH):
        after = (start + BATCH) % len(runs)
        results, truth = runs[start:start + BATCH], runs[after:after + BATCH]
        with clock:
            values = library.iou(results, truth, [0] * len(truth))
        total += float(values.sum())
    return len(runs) * BATCH, round(total, 6)


def polygons(library, path, clock):
    if library.__name__.startswith("hotcoco"):
        # Its fastest way: annotations that it has loaded itself.
        from hotcoco import COCO
        coco = COCO(path)
        work = [entry for entry in coco.loadAnns(coco.getAnnIds()) if not entry["iscrowd"]]
        with clock:
            made = [coco.annToRLE(entry) for entry in work]
    else:
        root = loaded(path)
        sizes = {image["id"]: (image["height"], image["width"]) for image in root["images"]}
        work = [(entry["segmentation"], *sizes[entry["image_id"]])
                for entry in root["annotations"] if not entry["iscrowd"]]
        with clock:
            made = [library.merge(library.frPyObjects(*entry)) for entry in work]
    return len(made), sum(len(entry["counts"]) for entry in made)


def resident(folder):
    """The pixels of both sides, decoded in advance."""
    import cv2
    names = sorted(map(os.path.basename, glob.glob(os.path.join(folder, "gt", "*.png"))))
    return [[cv2.imread(os.path.join(folder, side, name), cv2.IMREAD_GRAYSCALE) for name in names]
            for side in ("gt", "pred")]


def confusion(library, path, clock):
    truth, predicted = resident(path)
    counted = library.SemanticEval(CLASSES)
    with clock:
        for pair in zip(truth, predicted):
            counted.update(*pair)
    pixels = np.asarray(counted.confusion()).astype(float)
    both = np.diag(pixels)
    return len(truth), float(np.nanmean(both / (pixels.sum(0) + pixels.sum(1) - both)))


def binary(_, path, clock):
    truth, predicted = resident(path)
    total = 0.0
    with clock:
        for one, two in zip(truth, predicted):
            one, two = one > 127, two > 127
            both, first, second = np.count_nonzero(one & two), np.count_nonzero(one), np.count_nonzero(two)
            total += both / (first + second - both) + 2 * both / (first + second)
    return len(truth), float(total)


WORKS = {"rle-decode": decode, "rle-encode": encode, "iou": overlaps, "polygons": polygons,
         "confusion": confusion, "binary": binary}
name, work, path = sys.argv[1:]
module = np if name == "numpy" else importlib.import_module(f"{name}.{'semantic' if work == 'confusion' else 'mask'}")
clock = Clock()
items, check = WORKS[work](module, path, clock)
print(json.dumps({"work": work, "seconds": clock.total, "items": items, "check": check}))
