#!/usr/bin/env python3
"""Writes small VoTT datasets with Python's standard library; run in this folder.

export/: one export of all assets with tags in the order of the project, and the images. assets/: a file for each asset.
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
        f.write(json.dumps(content, indent=4) + "\n")


def asset(name, width, height, regions):
    return {"asset": {"format": "png", "id": f"id-{name}", "name": name, "path": f"file:/home/me/pictures/{name}",
                      "size": {"width": width, "height": height}, "state": 2, "type": 1},
            "regions": regions, "version": "2.1.0"}


def region(number, kind, tags, left, top, width, height):
    return {"id": f"r{number}", "type": kind, "tags": tags,
            "boundingBox": {"left": left, "top": top, "width": width, "height": height},
            "points": [{"x": left, "y": top}, {"x": left + width, "y": top}, {"x": left + width, "y": top + height},
                       {"x": left, "y": top + height}]}


assets = [asset("a.png", 20, 10, [region(1, "RECTANGLE", ["dog"], 1.5, 2, 8, 6), region(2, "POLYGON", ["cat"], 0, 0, 4, 4)]),
          asset("b.png", 8, 8, [])]
for name, width, height in [("a.png", 20, 10), ("b.png", 8, 8)]:
    png(f"export/{name}", width, height)
    png(f"assets/{name}", width, height)
write("export/Animals-export.json", {
    "name": "Animals", "securityToken": "x", "videoSettings": {"frameExtractionRate": 15},
    "tags": [{"name": "dog", "color": "#5db300"}, {"name": "cat", "color": "#e81123"}], "id": "p1",
    "activeLearningSettings": {"autoDetect": False}, "version": "2.1.0", "lastVisitedAssetId": "id-a.png",
    "assets": {a["asset"]["id"]: a for a in assets}})
for a in assets:
    write(f"assets/{a['asset']['id']}-asset.json", a)
