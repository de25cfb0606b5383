#!/usr/bin/env python3
"""Writes small Label Studio exports and the golden of brush masks; run in this folder.

With label-studio-converter 0.0.59 and numpy 1.26.4: brush.json has masks with the run lengths of its encode_rle, or of
packed() below, which uses other sizes and runs of different values; and for each the pixels that its decode_rle returns
with an alpha above 0.
export/: a folder with images and an export; export-min.json: JSON_MIN; classes.json: choices alone. Standard library.
"""
import json
import os
import random
import struct
import zlib

import numpy as np
from label_studio_converter import brush


def png(path, width, height):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    rows = b"".join(b"\0" + bytes((x * 7 + y * 13) % 256 for x in range(width)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def write(path, content, indent=None):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as f:
        f.write(json.dumps(content, indent=indent) + "\n")


def packed(values, word, sizes, rng):
    """Run lengths of any sizes, with runs of equal and of different values."""
    bits = f"{len(values):032b}{word - 1:05b}" + "".join(f"{size - 1:04b}" for size in sizes)
    place = 0
    while place < len(values):
        which = int(rng.integers(0, 4))
        most = min(1 << sizes[which], len(values) - place)
        same = 1
        while same < most and values[place + same] == values[place]:
            same += 1
        if same > 1 or rng.random() < 0.5:
            bits += "1" + f"{which:02b}" + f"{same - 1:0{sizes[which]}b}" + f"{values[place]:0{word}b}"
            place += same
        else:
            count = int(rng.integers(1, min(most, 9) + 1))
            bits += "0" + f"{which:02b}" + f"{count - 1:0{sizes[which]}b}"
            bits += "".join(f"{value:0{word}b}" for value in values[place:place + count])
            place += count
    bits += "0" * (-len(bits) % 8)
    return [int(bits[i:i + 8], 2) for i in range(0, len(bits), 8)]


rng = np.random.default_rng(7)
cases = []
for number in range(60):
    width, height = int(rng.integers(1, 30)), int(rng.integers(1, 20))
    kind = number % 4
    if kind == 0:
        alpha = (rng.random((height, width)) < rng.random()) * 255
    elif kind == 1:
        alpha = np.zeros((height, width), int)
        alpha[height // 4:height // 2 + 1, width // 3:] = 255
    elif kind == 2:
        alpha = rng.integers(0, 3, (height, width)) * rng.integers(0, 2, (height, width))
    else:
        alpha = np.full((height, width), int(rng.integers(0, 2)) * 255)
    rgba = np.zeros((height, width, 4), np.uint8)
    rgba[:, :, :3] = rng.integers(0, 256, 3) if number % 3 == 0 else 0
    rgba[:, :, 3] = alpha
    if number % 3 == 0:
        rle = [int(v) for v in brush.encode_rle(rgba.flatten())]
    else:
        word, sizes = [(8, [1, 2, 3, 4]), (9, [2, 5, 9, 12])][number % 3 - 1]
        rle = packed([int(v) for v in rgba.flatten()], word, sizes, rng)
    decoded = np.reshape(brush.decode_rle(rle), [height, width, 4])[:, :, 3]
    cases.append({"width": width, "height": height, "rle": rle,
                  "pixels": "".join("1" if value > 0 else "0" for value in decoded.flatten())})
write("brush.json", cases)

mask = np.zeros((10, 20, 4), np.uint8)
mask[2:5, 3:9, 3] = 255
mask_rle = [int(v) for v in brush.encode_rle(mask.flatten())]


def result(kind, number, value, **more):
    return {"original_width": 20, "original_height": 10, "image_rotation": 0, "value": value, "id": f"r{number}",
            "from_name": "label", "to_name": "image", "type": kind, "origin": "manual", **more}


def annotation(number, results, cancelled=False, by=1, at="2024-01-01T00:00:00Z"):
    return {"id": number, "completed_by": by, "result": results, "was_cancelled": cancelled, "ground_truth": False,
            "created_at": at, "updated_at": at, "lead_time": 1.5}


regions = [
    result("rectanglelabels", 0, {"x": 10, "y": 20, "width": 50, "height": 40, "rotation": 0,
                                  "rectanglelabels": ["dog"]}),
    result("rectanglelabels", 1, {"x": 50, "y": 20, "width": 20, "height": 20, "rotation": 90,
                                  "rectanglelabels": ["cat"]}, score=0.75),
    result("polygonlabels", 2, {"points": [[0, 0], [50, 0], [50, 50]], "closed": True, "polygonlabels": ["cat"]}),
    result("brushlabels", 3, {"format": "rle", "rle": mask_rle, "brushlabels": ["sky"]}),
    result("keypointlabels", 4, {"x": 25, "y": 50, "width": 0.5, "keypointlabels": ["eye"]}),
    result("ellipselabels", 5, {"x": 50, "y": 50, "radiusX": 10, "radiusY": 20, "rotation": 0,
                                "ellipselabels": ["ball"]}),
    result("rectangle", 6, {"x": 0, "y": 0, "width": 10, "height": 10, "rotation": 0}),
]
other = result("choices", 0, {"choices": ["wet"]}, from_name="state")
for name in ["0a1b2c3d-a.png", "b.png", "c.png", "d.png"]:
    png(f"export/images/{name}", 20, 10)
write("export/project-1.json", [
    {"id": 1, "annotations": [annotation(11, regions + [other], by=3)], "file_upload": "0a1b2c3d-a.png", "drafts": [],
     "predictions": [{"id": 1, "result": []}], "data": {"image": "/data/upload/1/0a1b2c3d-a.png"}, "meta": {},
     "total_annotations": 1, "project": 1},
    {"id": 2, "annotations": [annotation(21, regions[:1], at="2024-01-02T00:00:00Z"), annotation(22, regions[:2]),
                              annotation(23, regions[:3], True, at="2024-01-03T00:00:00Z")],
     "predictions": [], "data": {"image": "s3://bucket/pictures/b.png"}},
    {"id": 3, "annotations": [annotation(31, [], True)], "predictions": [],
     "data": {"image": "/data/local-files/?d=images/c.png"}},
    {"id": 4, "annotations": [annotation(41, [])], "predictions": [], "data": {"image": "http://host:8080/x/d.png?y=1"}},
])
write("export-min.json", [
    {"id": 1, "image": "/data/upload/1/0a1b2c3d-a.png", "annotator": 3, "annotation_id": 11,
     "created_at": "2024-01-01T00:00:00Z", "updated_at": "2024-01-01T00:00:00Z", "lead_time": 1.5,
     "label": [{"x": 10, "y": 20, "width": 50, "height": 40, "rotation": 0, "rectanglelabels": ["dog"],
                "original_width": 20, "original_height": 10},
               {"format": "rle", "rle": mask_rle, "brushlabels": ["sky"], "original_width": 20, "original_height": 10}]}])
write("classes.json", [
    {"id": n, "annotations": [annotation(n, [{"type": "choices", "from_name": "c", "to_name": "image", "id": "x",
                                              "value": {"choices": [label]}}])],
     "predictions": [], "data": {"image": f"/data/upload/1/{name}"}}
    for n, (name, label) in enumerate([("a.png", "cat"), ("b.png", "dog")])])
