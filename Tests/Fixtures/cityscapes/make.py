#!/usr/bin/env python3
"""Writes small datasets in Cityscapes' layout with Python's standard library; run in this folder.

official/: leftImg8bit/ and gtFine/ with polygons beside label images (train), instance ids of 16 bits (train), label ids
and training ids alone (val), no annotations (test), and gtCoarse/ with one image that has nothing else (train_extra).
datumaro/: imgsFine/ and label_colors.txt, whose background is black. The expected areas in CityscapesImporterTests are
counted by hand from the rectangles below.
"""
import json
import os
import struct
import zlib


def png(path, rows, depth=8, color=0):
    """A PNG of rows of values; RGB if color is 2."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    body = b"".join(b"\0" + struct.pack(f">{len(r)}{'H' if depth == 16 else 'B'}", *r) for r in rows)
    width = len(rows[0]) // (3 if color == 2 else 1)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, len(rows), depth, color, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(body, 9)) + chunk(b"IEND", b""))


def photo(path, width=12, height=8):
    png(path, [[(x * 7 + y * 13 + c) % 256 for x in range(width) for c in range(3)] for y in range(height)], color=2)


def rect(x, y, right, bottom):
    return [[x, y], [right, y], [right, bottom], [x, bottom]]


def polygons(path, objects, width=12, height=8):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        json.dump({"imgHeight": height, "imgWidth": width, "objects": objects}, f, indent=1)
        f.write("\n")


def rows(fill, boxes, width=12, height=8):
    grid = [[fill(x, y) for x in range(width)] for y in range(height)]
    for value, x, y, right, bottom in boxes:
        for line in grid[y:bottom]:
            line[x:right] = [value] * (right - x)
    return grid


left, fine, coarse = "official/leftImg8bit", "official/gtFine", "official/gtCoarse"
for name in ["train/ulm/ulm_000000_000019", "train/ulm/ulm_000001_000019", "val/bonn/bonn_000000_000019",
             "val/bonn/bonn_000001_000019", "test/berlin/berlin_000000_000019", "train_extra/mainz/mainz_000000_000019"]:
    photo(f"{left}/{name}_leftImg8bit.png")

polygons(f"{fine}/train/ulm/ulm_000000_000019_gtFine_polygons.json", [
    {"label": "sky", "polygon": rect(0, 0, 11, 4)},
    {"label": "road", "polygon": rect(0, 4, 12, 8)},
    {"label": "car", "polygon": rect(2, 3, 6, 6), "id": 7, "user": "ann", "verified": 1, "deleted": 0},
    {"label": "license plate", "polygon": rect(3, 5, 5, 6)},
    {"label": "cargroup", "polygon": rect(8, 3, 10, 5)},
    {"label": "person", "polygon": rect(0, 0, 2, 2), "deleted": 1},
    {"label": "cow", "polygon": rect(11, 0, 12, 1)},
])
png(f"{fine}/train/ulm/ulm_000000_000019_gtFine_labelIds.png", rows(lambda x, y: 7, []))
png(f"{fine}/train/ulm/ulm_000000_000019_gtFine_instanceIds.png", rows(lambda x, y: 7, []), 16)
png(f"{fine}/train/ulm/ulm_000000_000019_gtFine_color.png", [[128, 64, 128] * 12] * 8, color=2)
polygons(f"{coarse}/train/ulm/ulm_000000_000019_gtCoarse_polygons.json", [{"label": "road", "polygon": rect(0, 5, 12, 8)}])
png(f"{fine}/train/ulm/ulm_000001_000019_gtFine_instanceIds.png", rows(
    lambda x, y: 23 if y < 4 else 7,
    [(26001, 0, 4, 2, 6), (26002, 4, 4, 6, 6), (26, 8, 4, 10, 5), (0, 11, 7, 12, 8), (200, 10, 7, 11, 8)]), 16)
png(f"{fine}/val/bonn/bonn_000000_000019_gtFine_labelIds.png", rows(lambda x, y: 7, [(26, 0, 0, 3, 2)]))
png(f"{fine}/val/bonn/bonn_000001_000019_gtFine_labelTrainIds.png", rows(
    lambda x, y: 0, [(13, 0, 0, 3, 2), (255, 11, 0, 12, 8)]))
polygons(f"{coarse}/train_extra/mainz/mainz_000000_000019_gtCoarse_polygons.json", [
    {"label": "road", "polygon": rect(0, 4, 12, 8)}])

photo("datumaro/imgsFine/leftImg8bit/train/defaultcity/defaultcity_000002_000045_leftImg8bit.png", 6, 4)
photo("datumaro/imgsFine/leftImg8bit/val/1_leftImg8bit.png", 6, 4)
png("datumaro/gtFine/train/defaultcity/defaultcity_000002_000045_gtFine_instanceIds.png", rows(
    lambda x, y: 0, [(1001, 0, 0, 2, 2), (1002, 4, 0, 6, 2), (2, 0, 3, 6, 4)], 6, 4), 16)
png("datumaro/gtFine/val/1_gtFine_instanceIds.png", rows(lambda x, y: 3, [], 6, 4), 16)
with open("datumaro/label_colors.txt", "w") as f:
    f.write("0 0 0 background\n0 0 142 car\n128 64 128 road\n107 142 35 tomato plant\n")
