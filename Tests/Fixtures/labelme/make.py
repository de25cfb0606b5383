#!/usr/bin/env python3
"""Writes small LabelMe datasets with Python's standard library; run in this folder.

beside/: JSONs of version 5 beside their images, with all kinds of shapes; a mask as base64 PNG of its box.
apart/: annotations/ and images/ with imagePath "..\\images\\x.png", in train and val; version 3 without shape_type.
embedded/: a JSON with imageData and without an image file, and imageData before shapes.
The expected values in LabelMeImporterTests are computed by hand from the numbers below.
"""
import base64
import json
import os
import struct
import zlib


def png(width, height, rows=None):
    """A gray PNG with a ramp of values, or with the rows."""
    if rows is None:
        rows = [[(x * 7 + y * 13) % 256 for x in range(width)] for y in range(height)]
    data = b"".join(b"\0" + bytes(row) for row in rows)

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b""))


def write(path, content):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "wb") as f:
        f.write(content if isinstance(content, bytes) else (json.dumps(content, indent=2) + "\n").encode())


def shape(label, points, kind="polygon", **more):
    return {"label": label, "points": points, "group_id": None, "description": "", "shape_type": kind, "flags": {},
            "mask": None, **more}


mask = png(3, 2, [[255, 0, 255], [0, 255, 0]])
write("beside/a.png", png(20, 10))
write("beside/a.json", {
    "version": "5.5.0", "flags": {"night": True, "blurred": False}, "shapes": [
        shape("cat", [[1, 1], [5, 1], [5, 4], [1, 4]], group_id=7, description="left", flags={"wet": True}),
        shape("dog", [[12, 8], [6, 2]], "rectangle"),
        shape("wheel", [[10, 5], [13, 9]], "circle"),
        shape("road", [[0, 0], [19, 9]], "line"),
        shape("road", [[0, 0], [5, 5], [10, 0]], "linestrip"),
        shape("eye", [[3.5, 2.5]], "point"),
        shape("eye", [[3, 2], [4, 2]], "points"),
        shape("hole", [[4, 5], [6, 6]], "mask", mask=base64.b64encode(mask).decode()),
        shape("sign", [[2, 2], [6, 2], [6, 4], [2, 4]], "oriented_rectangle"),
    ], "imagePath": "a.png", "imageData": None, "imageHeight": 10, "imageWidth": 20})
write("beside/b.png", png(8, 8))
write("beside/b.json", {"version": "5.5.0", "flags": {}, "shapes": [], "imagePath": "b.png", "imageData": None,
                        "imageHeight": 8, "imageWidth": 8})

for split, name in [("train", "a"), ("val", "b")]:
    write(f"apart/images/{split}/{name}.png", png(10, 10))
    write(f"apart/annotations/{split}/{name}.json", {
        "version": "3.16.7", "flags": {}, "shapes": [
            {"label": "cat", "line_color": None, "fill_color": None, "points": [[0, 0], [4, 0], [4, 4]]}],
        "lineColor": [0, 255, 0, 128], "fillColor": [255, 0, 0, 128],
        "imagePath": f"..\\..\\images\\{split}\\{name}.png", "imageData": None})

image = base64.b64encode(png(30, 20)).decode()
write("embedded/a.json", {"imageData": image, "imagePath": "a.png", "shapes": [shape("cat", [[1, 1], [3, 3]], "rectangle")],
                          "version": "4.5.6", "flags": {}})
