"""Writes masks with the size and layout of COCO, Cityscapes and a person dataset, only for measuring.

    make_masks.py FOLDER [NAME]...

Writes the missing ones of these files (or only of the named ones); seeded, a few GB, some minutes:
coco/instances_train.json (118,287 images, 860,001 annotations), coco/instances_val.json (5,000 images, 36,781),
masks/rles.json (10,000 masks of 640 × 480), labels/{gt,pred} (500 label maps of 2048 × 1024, classes 0 to 18, 255 ignored)
and binary/{gt,pred} (2,000 masks of 448 × 448). Needs numpy, opencv and pycocotools.
"""
import json
import os
import sys

import cv2
import numpy as np
from pycocotools import mask as coco_mask

CLASSES = [number for number in range(1, 91) if number % 9]
SHAPES = np.array([(640, 480), (480, 640), (640, 427), (500, 375)])


def blob(rng, center, radii, points, limits):
    """A star-shaped polygon in COCO format: x, y, x, y, … with two decimals."""
    turn = np.sort(rng.random(points)) * 2 * np.pi
    reach = (0.7 + 0.3 * np.cos(turn * rng.integers(2, 7)) * rng.random() + rng.normal(0, 0.03, points))[:, None]
    corners = center + np.stack([np.cos(turn), np.sin(turn)], 1) * reach * radii
    return np.round(np.clip(corners, 0, limits), 2).reshape(-1)


def crowd(rng, width, height, x, y, columns, rows):
    """Uncompressed runs of ragged columns in a box of at least two rows, and their area."""
    tops = y + rng.integers(0, max(1, rows // 3), columns)
    lengths = np.maximum(1, y + rows - tops - rng.integers(0, max(1, rows // 3), columns))
    starts = (x + np.arange(columns)) * height + tops
    ends = starts + lengths
    counts = np.empty(2 * columns + 1, np.int64)
    counts[0], counts[2:-1:2], counts[-1] = starts[0], starts[1:] - ends[:-1], width * height - ends[-1]
    counts[1::2] = lengths
    return counts.tolist(), int(lengths.sum())


def annotation(rng, width, height):
    limits = np.array([width, height])
    radii = np.clip(np.exp(rng.normal(3.3, 1.0, 2)), 2, limits / 2 - 2)
    center = radii + rng.random(2) * (limits - 2 * radii)
    if rng.random() < 0.012:
        (x, y), (columns, rows) = (center - radii).astype(int).tolist(), np.maximum(2, 2 * radii - 1).astype(int).tolist()
        counts, area = crowd(rng, width, height, x, y, columns, rows)
        return {"segmentation": {"counts": counts, "size": [height, width]}, "area": area, "iscrowd": 1,
                "bbox": [x, y, columns, rows]}
    parts, area = [], 0.0
    for part in range(1 + int(rng.random() < 0.14)):
        points = int(np.clip(rng.normal(28, 11), 5, 90))
        corners = blob(rng, center + part * radii / 2, radii / (1 + part), points, limits)
        x, y = corners[0::2], corners[1::2]
        area += abs(float(x @ np.roll(y, 1) - y @ np.roll(x, 1))) / 2
        parts.append(corners)
    every = np.concatenate(parts).reshape(-1, 2)
    low, high = every.min(0), every.max(0)
    return {"segmentation": [part.tolist() for part in parts], "area": area, "iscrowd": 0,
            "bbox": np.round(np.concatenate([low, high - low]), 2).tolist()}


def write_coco(path, seed, images, annotations):
    rng = np.random.default_rng(seed)
    share = rng.gamma(0.9, 1.0, images)
    sizes = rng.multinomial(annotations, share / share.sum())
    weights = 1 / np.arange(2, len(CLASSES) + 2)
    weights[0] += 1.5  # one class of about three tenths, as people are
    weights /= weights.sum()
    listed, number = [], 0
    with open(path + ".part", "w") as file:
        file.write('{"info": {"description": "generated"}, "licenses": [], "annotations": [')
        for index, count in enumerate(sizes, start=1):
            width, height = SHAPES[rng.integers(len(SHAPES))].tolist()
            listed.append({"license": 1, "file_name": f"{index:012d}.jpg", "height": height, "width": width,
                           "coco_url": f"http://images.example.org/train/{index:012d}.jpg",
                           "date_captured": "2013-11-14 17:02:52", "id": index})
            for kind in rng.choice(CLASSES, count, p=weights).tolist():
                number += 1
                entry = annotation(rng, width, height) | {"image_id": index, "category_id": kind, "id": number}
                file.write(("" if number == 1 else ", ") + json.dumps(entry))
        names = [{"supercategory": "thing", "id": kind, "name": f"class {kind}"} for kind in CLASSES]
        file.write(f'], "images": {json.dumps(listed)}, "categories": {json.dumps(names)}}}')
    os.replace(path + ".part", path)


def write_run_lengths(path):
    rng = np.random.default_rng(48)
    limits, found = np.array([640, 480]), []
    for _ in range(10_000):
        parts = [blob(rng, rng.random(2) * limits, np.exp(rng.normal(4, 0.7, 2)), int(rng.integers(10, 60)), limits)
                 for _ in range(rng.integers(1, 4))]
        merged = coco_mask.merge(coco_mask.frPyObjects([part.tolist() for part in parts], 480, 640))
        found.append({"size": [480, 640], "counts": merged["counts"].decode()})
    with open(path + ".part", "w") as file:
        json.dump(found, file)
    os.replace(path + ".part", path)


def field(rng, width, height, cell):
    """Noise without edges, from 0 to slightly more than 1."""
    coarse = rng.random((height // cell + 2, width // cell + 2), dtype=np.float32)
    return cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)


def label_pair(rng):
    ground = 18 * field(rng, 2048, 1024, 96)
    truth, predicted = (np.clip(one, 0, 18).astype(np.uint8) for one in (ground, ground + field(rng, 2048, 1024, 64) - 0.5))
    truth[-int(rng.integers(20, 90)):] = 255
    return truth, np.roll(predicted, rng.integers(-6, 7, 2), (0, 1))


def binary_pair(rng):
    ground = field(rng, 448, 448, 64)
    return tuple((one > 0.55).astype(np.uint8) * 255
                 for one in (ground, np.roll(ground, rng.integers(-4, 5, 2), (0, 1))))


def write_pairs(folder, seed, count, pair):
    rng = np.random.default_rng(seed)
    part = folder + ".part"
    for side in ("gt", "pred"):
        os.makedirs(os.path.join(part, side), exist_ok=True)
    for index in range(count):
        for side, pixels in zip(("gt", "pred"), pair(rng)):
            cv2.imwrite(os.path.join(part, side, f"{index:04d}.png"), pixels, [cv2.IMWRITE_PNG_COMPRESSION, 3])
    os.replace(part, folder)


def main():
    folder = sys.argv[1]
    works = [
        ("coco/instances_val.json", lambda path: write_coco(path, 5000, 5_000, 36_781)),
        ("coco/instances_train.json", lambda path: write_coco(path, 118287, 118_287, 860_001)),
        ("masks/rles.json", write_run_lengths),
        ("labels", lambda path: write_pairs(path, 19, 500, label_pair)),
        ("binary", lambda path: write_pairs(path, 2, 2_000, binary_pair)),
    ]
    for name, write in works:
        path = os.path.join(folder, name)
        if name in (sys.argv[2:] or [name]) and not os.path.exists(path):
            print(f"writing {name}", flush=True)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            write(path)


main()
