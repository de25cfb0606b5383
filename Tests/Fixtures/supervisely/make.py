#!/usr/bin/env python3
"""Writes small Supervisely projects with Python's standard library; run in this folder.

project/: meta.json and two datasets with all shapes; the bitmaps are PNGs with a palette, and with alpha. older/: one
dataset without meta.json, whose objects have no geometryType.
"""
import base64
import json
import os
import struct
import zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def header(width, height, depth, color):
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color, 0, 0, 0))


def png(path, width, height):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    rows = b"".join(b"\0" + bytes((x * 7 + y * 13) % 256 for x in range(width)) for y in range(height))
    with open(path, "wb") as f:
        f.write(header(width, height, 8, 0) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def palette(rows):
    """A PNG of one bit with a palette whose index 0 is transparent, as the SDK writes it."""
    data = b"".join(b"\0" + int(row.ljust((len(row) + 7) // 8 * 8, "0"), 2).to_bytes((len(row) + 7) // 8, "big") for row in rows)
    return (header(len(rows[0]), len(rows), 1, 3) + chunk(b"PLTE", bytes([0, 0, 0, 255, 255, 255])) + chunk(b"tRNS", b"\0")
            + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b""))


def alpha(rows):
    """A PNG of black pixels whose alpha is the mask; every row has another filter."""
    data, last = b"", bytes(4 * len(rows[0]))
    for y, row in enumerate(rows):
        line = b"".join(bytes([0, 0, 0, 255 if bit == "1" else 0]) for bit in row)
        coded = bytearray()
        for x, value in enumerate(line):
            left, up = line[x - 4] if x >= 4 else 0, last[x]
            corner = last[x - 4] if x >= 4 else 0
            guess = left + up - corner
            distances = [abs(guess - left), abs(guess - up), abs(guess - corner)]
            paeth = [left, up, corner][distances.index(min(distances))]
            coded.append((value - [0, left, up, (left + up) // 2, paeth][y % 5]) % 256)
        data += bytes([y % 5]) + bytes(coded)
        last = line
    return header(len(rows[0]), len(rows), 8, 6) + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


def bitmap(data, x, y):
    return {"data": base64.b64encode(zlib.compress(data)).decode(), "origin": [x, y]}


def write(path, content):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as f:
        f.write(json.dumps(content, indent=4) + "\n")


def thing(number, kind, title, exterior=None, interior=(), tags=(), **more):
    points = {} if exterior is None else {"points": {"exterior": exterior, "interior": list(interior)}}
    return {"id": number, "classId": 7, "description": "", "geometryType": kind, "labelerLogin": "me",
            "tags": list(tags), "classTitle": title, **points, **more}


def annotation(width, height, objects, tags=()):
    return {"description": "", "tags": list(tags), "size": {"height": height, "width": width}, "objects": objects}


objects = [
    thing(1, "rectangle", "dog", [[2, 1], [9, 6]], tags=[{"name": "age", "value": 3}, {"name": "wet", "value": None}]),
    thing(2, "polygon", "cat", [[0, 0], [4, 0], [4, 4], [0, 4]]),
    thing(3, "polygon", "ring", [[10, 0], [16, 0], [16, 6], [10, 6]], [[[12, 2], [14, 2], [14, 4], [12, 4]]]),
    thing(4, "bitmap", "sky", bitmap=bitmap(palette(["110", "011", "111"]), 5, 6)),
    thing(5, "bitmap", "sky", bitmap=bitmap(alpha(["11011", "01110", "11111", "00100", "10101", "11111"]), 12, 4)),
    thing(6, "line", "lane", [[0, 9], [5, 5], [9, 9]]),
    thing(7, "point", "eye", [[3, 4]]),
    thing(8, "graph", "person", nodes={"a": {"loc": [1, 2]}, "b": {"loc": [3, 4], "disabled": True}}),
]
write("project/meta.json", {"classes": [{"title": t, "shape": "any", "color": "#112233"} for t in
                                        ["sky", "cat", "dog", "ring", "lane", "eye", "person", "bird"]], "tags": []})
write("project/train/ann/a.png.json", annotation(20, 10, objects, [{"name": "night"}, {"name": "city", "value": "Ulm"}]))
write("project/val/ann/b.png.json", annotation(8, 8, []))
png("project/train/img/a.png", 20, 10)
png("project/val/img/b.png", 8, 8)
old = [{**thing(None, None, "cat", [[0, 0], [4, 0], [4, 4]]), "bitmap": None},
       {**thing(None, None, "sky", []), "bitmap": bitmap(palette(["11", "11"]), 1, 1)}]
for item in old:
    del item["geometryType"], item["id"]
write("older/ds/ann/a.json", {**annotation(20, 10, old), "name": "a"})
png("older/ds/img/a.png", 20, 10)
