#!/usr/bin/env python3
"""Writes a small tree of ADE20K's scene parsing release with Python's standard library; run in this folder.

The values and areas in ADE20KImporterTests are counted by hand.
"""
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
