#!/usr/bin/env python3
"""Writes small Create ML datasets with Python's standard library; run in this folder.

roboflow/: _annotations.createml.json in train and valid. older.json: the names of the command-line tool.
classes/: one label per image. The boxes in CreateMLImporterTests are computed by hand.
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


def write(path, content):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as f:
        f.write(json.dumps(content) + "\n")


def box(label, x, y, width, height, **more):
    return {"label": label, "coordinates": {"x": x, "y": y, "width": width, "height": height}, **more}


png("roboflow/train/a_jpg.rf.1.png", 20, 10)
png("roboflow/train/b_jpg.rf.2.png", 8, 8)
png("roboflow/valid/c_jpg.rf.3.png", 16, 16)
write("roboflow/train/_annotations.createml.json", [
    {"image": "a_jpg.rf.1.png", "annotations": [box("dog", 10, 5, 8, 6), box("cat", 2.5, 2, 3, 2)]},
    {"image": "b_jpg.rf.2.png", "annotations": []}])
write("roboflow/valid/_annotations.createml.json", [
    {"image": "c_jpg.rf.3.png", "annotations": [box("dog", 8, 8, 16, 16, confidence=0.5)]}])
write("older.json", [{"imagefilename": "x.png", "annotation": [box("cat", 10, 10, 4, 2)]}])
for name in ["1", "2", "3"]:
    png(f"classes/{name}.png", 4, 4)
write("classes/labels.json", [{"image": "1.png", "annotations": [{"label": "cat"}]},
                              {"image": "2.png", "annotations": ["dog"]}, {"image": "3.png", "annotations": "cat"}])
