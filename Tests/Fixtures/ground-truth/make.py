#!/usr/bin/env python3
"""Writes small manifests of SageMaker Ground Truth with Python's standard library; run in this folder.

boxes/: a job's output folder with boxes, the images in a folder of another name than the bucket's.
classes/: one class per image, in manifests of two splits. ../ground-truth-labels/sets: sets of labels.
The form is that of the developer guide's "Labeling job output data"; boxes are computed by hand.
"""
import json
import os
import struct
import zlib


def png(path, width, height):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    rows = b"".join(b"\0" + bytes((x * 7 + y * 13) % 256 for x in range(width)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def write(path, lines):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as f:
        f.write("".join(json.dumps(line) + "\n" for line in lines))


def meta(kind, **more):
    return {**more, "type": "groundtruth/" + kind, "human-annotated": more.pop("human", "yes"),
            "creation-date": "2024-02-29T12:34:56.000000", "job-name": "labeling-job/x"}


def box(number, left, top, width, height):
    return {"class_id": number, "left": left, "top": top, "width": width, "height": height}


def boxes(name, size, found, confidence, classes):
    return {"source-ref": "s3://bucket/photos/" + name,
            "animals": {"image_size": [{"width": size[0], "height": size[1], "depth": 3}], "annotations": found},
            "animals-metadata": meta("object-detection", objects=[{"confidence": c} for c in confidence],
                                     **{"class-map": classes})}


png("boxes/images/a.png", 20, 10)
png("boxes/images/b.png", 8, 8)
png("boxes/images/c.png", 16, 16)
write("boxes/manifests/output/output.manifest", [
    boxes("a.png", (20, 10), [box(0, 2, 1, 8, 6), box(5, 0, 0, 3, 2)], [0.75, 0], {"0": "dog", "5": "ant"}),
    boxes("b.png", (8, 8), [], [], {}),
    boxes("c.png", (16, 16), [box(0, 4, 4, 12, 12)], [0.5], {"0": "dog"})])
for split, names in [("train", ["1", "2"]), ("validation", ["3"])]:
    lines = []
    for name in names:
        png(f"classes/{split}/{name}.png", 4, 4)
        number = int(name) % 2
        lines.append({"source-ref": f"s3://bucket/{split}/{name}.png", "kind": number, "kind-metadata": meta(
            "image-classification", confidence=0.5, **{"class-name": ["cat", "bird"][number]})})
    write(f"classes/{split}.manifest", lines)
sets = "../ground-truth-labels/sets/"
lines = []
for name, numbers in [("1", [2, 0]), ("2", []), ("3", [0])]:
    png(sets + name + ".png", 4, 4)
    names = {"0": "sun", "2": "dog"}
    lines.append({"source-ref": f"s3://bucket/{name}.png", "tags": numbers, "tags-metadata": meta(
        "image-classification-multilabel", **{"class-map": {str(n): names[str(n)] for n in numbers},
                                              "confidence-map": {str(n): 0.9 for n in numbers}})})
write(sets + "output.manifest", lines)
