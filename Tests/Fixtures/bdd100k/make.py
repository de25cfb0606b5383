#!/usr/bin/env python3
"""Writes small BDD100K datasets with Python's standard library; run in this folder.

release/: labels/det_20 and images/100k as in the release. older/: a JSON per image. track/: frames of a video.
scalabel/: one object with a config, polygons, curves, run lengths and a graph. alone.json: a list without its images.
bitmasks/: instance masks as in the release, with color maps. bitmasks-panoptic/, bitmasks-track/: the other kinds of
bitmasks. bitmasks-plain/: bitmasks/ beside images/. bitmasks-odd/: what bitmasks can have wrong. check_bitmasks.py has
read them with BDD100K's own program into goldens.json.
"""
import json
import os
import struct
import zlib


def png(path, width, height, pixels=None):
    """A gray picture, or one of red, green, blue and alpha with the rows `pixels`."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    gray = [[(x * 7 + y * 13) % 256 for x in range(width)] for y in range(height)]
    color = 6 if pixels else 0
    rows = b"".join(b"\0" + bytes(row) for row in ([sum(row, ()) for row in pixels] if pixels else gray))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, color, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def write(path, content):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as f:
        f.write(json.dumps(content, indent=2) + "\n")


def counts(box, width, height):
    """COCO's compressed run lengths of a filled box x, y, width, height."""
    left, top, w, h = box
    pixels = [left <= x < left + w and top <= y < top + h for x in range(width) for y in range(height)]
    runs, value, length = [], False, 0
    for pixel in pixels:
        if pixel != value:
            runs.append(length)
            value, length = pixel, 0
        length += 1
    runs.append(length)
    text = ""
    for i, run in enumerate(runs):
        x = run - (runs[i - 2] if i > 2 else 0)
        while True:
            c = x & 0x1F
            x >>= 5
            more = x != -1 if c & 0x10 else x != 0
            text += chr((c | 0x20 if more else c) + 48)
            if not more:
                break
    return text


def box(x1, y1, x2, y2):
    return {"x1": x1, "y1": y1, "x2": x2, "y2": y2}


day = {"weather": "clear", "scene": "city street", "timeofday": "daytime"}
night = {"weather": "rainy", "scene": "highway", "timeofday": "night"}


def label(number, category, shape, **attributes):
    return {"id": str(number), "attributes": attributes, "category": category, **shape}


a = {"name": "a.png", "attributes": day, "timestamp": 10000, "labels": [
    label(1, "car", {"box2d": box(2.5, 1, 9.5, 6)}, occluded=False, truncated=True, trafficLightColor="NA"),
    label(2, "traffic light", {"box2d": box(12, 0, 13, 2)}, occluded=False, truncated=False, trafficLightColor="G"),
]}
b = {"name": "b.png", "attributes": night, "timestamp": 10000, "labels": [
    label(3, "pedestrian", {"box2d": box(0, 0, 4, 9)}, occluded=True, truncated=False, crowd=True)]}
c = {"name": "c.png", "attributes": night, "timestamp": 10000}

write("release/labels/det_20/det_train.json", [a, b])
write("release/labels/det_20/det_val.json", [c, {**a, "name": "d.png"}])
for path in ["train/a.png", "train/b.png", "val/c.png", "val/d.png"]:
    png(f"release/images/100k/{path}", 20, 10)
write("alone.json", [a, b])

older = {"name": "a", "frames": [{"timestamp": 10000, "objects": [
    {"category": "car", "id": 0, "attributes": {"occluded": True, "truncated": False, "trafficLightColor": "none"},
     "box2d": box(2, 1, 9, 6)},
    {"category": "area/drivable", "id": 1, "attributes": {},
     "poly2d": [[0, 10, "L"], [0, 6, "L"], [8, 6, "L"], [8, 10, "L"]]},
    {"category": "lane/single white", "id": 2, "attributes": {"direction": "parallel", "style": "solid"},
     "poly2d": [[1, 9, "L"], [10, 2, "L"]]},
]}], "attributes": day}
write("older/labels/100k/train/a.json", older)
write("older/labels/100k/val/b.json", {**older, "name": "b", "attributes": night})
png("older/images/100k/train/a.png", 20, 10)
png("older/images/100k/val/b.png", 20, 10)

frames = [{"name": f"v1-000000{i + 1}.png", "videoName": "v1", "frameIndex": i, "labels": [
    label("00048705", "car", {"box2d": box(i, 1, i + 5, 4)}, occluded=False, truncated=False, crowd=False)]} for i in range(2)]
write("track/labels/box_track_20/val/v1.json", frames)
for i in range(2):
    png(f"track/images/track/val/v1/v1-000000{i + 1}.png", 20, 10)

write("scalabel/dataset.json", {
    "frames": [
        {"name": "a.png", "url": None, "size": {"width": 20, "height": 10}, "labels": [
            {"id": "p", "category": "car", "poly2d": [
                {"vertices": [[0, 0], [4, 0], [4, 4], [0, 4]], "types": "LLLL", "closed": True},
                {"vertices": [[6, 0], [8, 0], [8, 2]], "types": "LLL", "closed": True}], "box2d": box(0, 0, 7, 3),
             "box3d": None, "manualShape": True, "score": 0.5},
            {"id": "l", "category": "lane", "poly2d": [
                {"vertices": [[0, 0], [0, 8], [8, 8], [8, 0], [10, 0]], "types": "LCCCL", "closed": False}]},
            {"id": "m", "category": "truck", "rle": {"counts": counts((3, 2, 6, 3), 20, 10), "size": [10, 20]}},
            {"id": "g", "category": "pedestrian", "graph": {"nodes": [
                {"id": "n0", "location": [3, 4], "category": "head"},
                {"id": "n1", "location": [5, 6], "category": "foot"}], "edges": []}},
            {"id": "b", "category": "car", "box3d": {"alpha": 0, "orientation": [0, 0, 0], "location": [0, 0, 9],
                                                     "dimension": [1, 1, 1]}},
        ]},
        {"name": "b.png", "labels": []},
    ],
    "groups": None,
    "config": {"imageSize": None, "attributes": None, "categories": [
        {"name": "human", "subcategories": [{"name": "pedestrian"}, {"name": "rider"}]},
        {"name": "vehicle", "subcategories": [{"name": "car"}, {"name": "truck"}]}, {"name": "lane"}]},
})
png("scalabel/a.png", 20, 10)
png("scalabel/b.png", 20, 10)


TRUNCATED, OCCLUDED, CROWD, IGNORED = 8, 4, 2, 1


def bitmask(path, *objects, width=20, height=10):
    """Objects (left, top, width, height), class, attributes and number, later ones on top."""
    pixels = [[(0, 0, 0, 0)] * width for _ in range(height)]
    for (left, top, w, h), category, attributes, number in objects:
        for y in range(top, top + h):
            for x in range(left, left + w):
                pixels[y][x] = (category, attributes, number >> 8, number & 255)
    png(path, width, height, pixels)


instances = [((0, 0, 4, 6), 1, 0, 1), ((3, 2, 9, 5), 3, TRUNCATED + OCCLUDED, 2), ((14, 1, 3, 3), 2, CROWD, 3),
             ((14, 6, 4, 3), 8, IGNORED, 258)]
bitmask("bitmasks/labels/ins_seg/bitmasks/train/a.png", *instances)
bitmask("bitmasks/labels/ins_seg/bitmasks/train/b.png")
bitmask("bitmasks/labels/ins_seg/bitmasks/val/c.png", ((1, 1, 5, 5), 6, 0, 1), ((2, 2, 2, 2), 6, OCCLUDED, 2))
for path in ["train/a.png", "train/b.png", "val/c.png", "test/d.png"]:
    png(f"bitmasks/images/10k/{path}", 20, 10)
    png(f"bitmasks/labels/ins_seg/colormaps/{path}", 20, 10)

panoptic = [((0, 0, 20, 4), 30, 0, 30), ((0, 4, 20, 6), 7, 0, 7), ((2, 3, 5, 4), 35, OCCLUDED, 31),
            ((9, 3, 5, 4), 35, TRUNCATED, 32), ((16, 3, 2, 4), 31, CROWD, 33)]
bitmask("bitmasks-panoptic/labels/pan_seg/bitmasks/train/a.png", *panoptic)
png("bitmasks-panoptic/images/10k/train/a.png", 20, 10)

for split, name in [("train", "a"), ("val", "b")]:
    bitmask(f"bitmasks-plain/bitmasks/{split}/{name}.png", *instances)
    png(f"bitmasks-plain/images/{split}/{name}.png", 20, 10)

for i in range(2):
    name = f"val/v1/v1-000000{i + 1}.png"
    bitmask(f"bitmasks-track/labels/seg_track_20/bitmasks/{name}", ((i, 1, 6, 4), 3, 0, 7))
    png(f"bitmasks-track/images/seg_track_20/{name}", 20, 10)

odd = "bitmasks-odd/labels/ins_seg/bitmasks/train"
bitmask(f"{odd}/attributes.png", ((0, 0, 2, 2), 3, 0x1F, 1))
bitmask(f"{odd}/class.png", ((0, 0, 2, 2), 9, 0, 1), ((4, 0, 2, 2), 3, 0, 2))
bitmask(f"{odd}/classless.png", ((0, 0, 2, 2), 0, CROWD + IGNORED, 1), ((4, 0, 2, 2), 3, 0, 2))
bitmask(f"{odd}/number.png", ((0, 0, 2, 2), 3, 0, 1), ((4, 0, 2, 2), 4, 0, 1), ((8, 0, 2, 2), 4, CROWD, 1))
bitmask(f"{odd}/size.png", ((0, 0, 2, 2), 3, 0, 1), width=10, height=10)
bitmask(f"{odd}/absent.png", ((0, 0, 2, 2), 3, 0, 1))
png(f"{odd}/gray.png", 20, 10)
for name in ["attributes", "class", "classless", "number", "size", "gray"]:
    png(f"bitmasks-odd/images/10k/train/{name}.png", 20, 10)
