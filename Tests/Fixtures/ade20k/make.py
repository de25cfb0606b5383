#!/usr/bin/env python3
"""Writes small trees of ADE20K's scene parsing release and of its full releases of 2016 and 2021; run in this folder.

Needs Python's standard library only.

The values and areas in ADE20KImporterTests and ADE20KListTests are counted by hand.
"""
import base64
import json
import os
import struct
import zlib


def png(path, rows, channels=1):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    data = b"".join(b"\0" + bytes(row) for row in rows)

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as f:
        head = struct.pack(">IIBBBBB", len(rows[0]) // channels, len(rows), 8, 2 if channels == 3 else 0, 0, 0, 0)
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(data, 9)) + chunk(b"IEND", b""))


def pair(split, name, rows):
    photo = [[(x * 7 + y * 31) % 256 for x in range(3 * len(rows[0]))] for y in range(len(rows))]
    png(f"scenes/images/{split}/{name}.png", photo, 3)
    png(f"scenes/annotations/{split}/{name}.png", rows)


pair("training", "ADE_train_00000001", [[1, 1, 2, 0], [1, 1, 2, 150]])
pair("training", "ADE_train_00000002", [[3, 3, 3], [0, 0, 3]])
pair("validation", "ADE_val_00000001", [[2, 2], [151, 2]])
with open("scenes/objectInfo150.txt", "w") as f:
    f.write("Idx\tRatio\tTrain\tVal\tName\n1\t0.1576\t11664\t1172\twall\n2\t0.1072\t6046\t612\tbuilding, edifice\n"
            "3 \t0.0878\t8265\t796\tsky \n150\t0.0002\t421\t56\tflag\n")
with open("scenes/sceneCategories.txt", "w") as f:
    f.write("ADE_train_00000001 airport_terminal\nADE_train_00000002 beach\nADE_val_00000001 street\n")


def objects(folder, name, objects):
    """A JSON as in ADE20K_2021_17_01 (made after the images that CSAILVision/ADE20K shows)."""
    base = f"full/images/ADE/{folder}"
    os.makedirs(base, exist_ok=True)
    with open(f"{base}/{name}.jpg", "wb") as f:
        f.write(PHOTO)
    with open(f"{base}/{name}.json", "w") as f:
        json.dump({"annotation": {
            "filename": f"{name}.jpg", "folder": f"ADE20K_2021_17_01/images/ADE/{folder}", "imsize": [4, 6, 3],
            "source": {"folder": "static_sun_database/s/street", "filename": "labelme_a.jpg", "origin": ""},
            "scene": ["outdoor", "urban", "street"], "object": objects}}, f, separators=(",", ":"))
        f.write("\n")
    # R / 10 * 256 + G is the class, B the instance; here the car (401) is instance 1, the building (312) instance 2.
    png(f"{base}/{name}_seg.png", [[10, 145, 1] * 3 + [10, 56, 2] * 3] * 4, 3)


def thing(number, name, index, x, y, mask=None, **members):
    words = name.split(", ")
    return {"id": number, "name": name, "name_ndx": index, "hypernym": [name, "entity"], "raw_name": words[0],
            "attributes": [], "depth_ordering_rank": number + 1, "occluded": "no", "crop": "0",
            "parts": {"hasparts": [], "ispartof": [], "part_level": 0}, "instance_mask": mask or "",
            "polygon": {"x": x, "y": y, "click_date": []}, "saved_date": "18-Dec-2005 06:56:48", **members}


# A gray JPEG of 6 x 4 pixels, written by Pillow 12.
PHOTO = base64.b64decode(
    "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAgGBgcGBQgHBwcJCQgKDBQNDAsLDBkSEw8UHRofHh0aHBwgJC4nICIsIxwcKDcpLDAxNDQ0Hyc5PTgyPC4z"
    "NDL/wAALCAAEAAYBAREA/8QAFAABAAAAAAAAAAAAAAAAAAAABf/EAB8QAAEDAwUAAAAAAAAAAAAAAAIBAwQABREGBxJBUf/aAAgBAQAAPwA1m+u6D28j"
    "XS1xIjz7soI5DKEiFBUDLKcSFc5BO/a//9k=")
CAR = "car, auto, automobile, machine, motorcar"
objects("training/urban/street", "ADE_train_00000001", [
    thing(0, CAR, 401, [0, 4, 4, 0], [0, 0, 3, 3], occluded="yes", crop="1",
          parts={"hasparts": [2, 3], "ispartof": [], "part_level": 0}),
    thing(1, "building, edifice", 312, [3, 6, 6, 3], [0, 0, 4, 4], attributes=["tall", "old"], occluded=[]),
    # MATLAB writes lists of one element as the element.
    thing(2, "door", 774, [0, 2, 2, 0], [0, 0, 2, 2], attributes="open",
          parts={"hasparts": 3, "ispartof": 0, "part_level": 1}),
    thing(3, "handle", 1180, [], [], "ADE_train_00000001/instance_003_ADE_train_00000001.png",
          parts={"hasparts": [], "ispartof": 2, "part_level": 2}),
])
png("full/images/ADE/training/urban/street/ADE_train_00000001_parts_1.png", [[30, 6, 1] * 2 + [0, 0, 0] * 4] * 4, 3)
png("full/images/ADE/training/urban/street/ADE_train_00000001/instance_003_ADE_train_00000001.png",
    [[0, 255, 0, 0, 0, 0], [0, 255, 255, 0, 0, 0], [0] * 6, [0] * 6])
objects("validation/nature/beach", "ADE_val_00000001", [thing(0, "sky", 2420, [0, 6, 6, 0], [0, 0, 2, 2])])
with open("full/index_ade20k.pkl", "wb") as f:
    f.write(b"\x80\x04}\x94.")


def listed(folder, name, lines, *levels):
    """An image as in ADE20K_2016_07_26: a list, and a mask of each level with (class, instance) pairs of each pixel."""
    base = f"lists/images/{folder}"
    os.makedirs(base, exist_ok=True)
    with open(f"{base}/{name}.jpg", "wb") as f:
        f.write(PHOTO)
    with open(f"{base}/{name}_atr.txt", "w") as f:
        f.write("".join(" # ".join(fields) + "\n" for fields in lines))
    for level, rows in enumerate(levels):
        ending = "seg" if level == 0 else f"parts_{level}"
        png(f"{base}/{name}_{ending}.png",
            [[byte for number, value in row for byte in (number // 256 * 10, number % 256, value)] for row in rows], 3)


O, C, B, D, H, S = (0, 0), (401, 40), (312, 90), (774, 7), (1180, 1), (2420, 1)
listed("training/s/street", "ADE_train_00000001", [
    ("001", "0", "1", CAR, "car", '"parked, red"'),
    ("002", "0", "0", "building, edifice", "building", '""'),
    ("001", "1", "0", "door", "door", '"open"'),
    ("001", "2", "0", "handle", "handle", '""'),
], [[C, C, C, B, B, B]] * 3 + [[C, C, C, O, O, O]], [[D, D, O, O, O, O]] * 2 + [[O] * 6] * 2,
    [[O, H, O, O, O, O]] * 2 + [[O] * 6] * 2)
# The person is entirely hidden.
listed("validation/b/beach", "ADE_val_00000001", [
    ("001", "0", "0", "sky", "sky", '""'), ("002", "0", "1", "person", "person", '""')], [[S] * 6] * 2 + [[O] * 6] * 2)
with open("lists/index_ade20k.mat", "wb") as f:
    f.write(b"MATLAB 5.0 MAT-file")
