#!/usr/bin/env python3
"""Writes small KITTI datasets with Python's standard library; run in this folder.

benchmark/: training/ and testing/ with ImageSets; testing has no labels and its ids are those of training. datumaro/:
subsets with dataset_meta.json and scores. plain/: images/ and labels/. The expected boxes in KITTIImporterTests are
computed by hand from the lines below.
"""
import os
import struct
import zlib


def png(path, width, height):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    rows = b"".join(b"\0" + bytes((x * 7 + y * 13) % 256 for x in range(width)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def text(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", newline="") as f:
        f.write(content)


for number in range(4):
    png(f"benchmark/training/image_2/00000{number}.png", 40, 20)
    if number < 3:
        png(f"benchmark/testing/image_2/00000{number}.png", 40, 20)
png("benchmark/training/image_3/000000.png", 40, 20)
text("benchmark/training/label_2/000000.txt",
     "Car 0.00 0 -1.57 5.50 6.25 15.75 16.50 2.85 2.63 12.34 0.47 1.49 69.44 -1.56\n"
     "Pedestrian 0.25 2 0.21 30.00 2.00 36.00 14.00 1.89 0.48 1.20 1.84 1.47 8.41 0.01\n"
     "DontCare -1 -1 -10 20.00 1.00 25.00 5.00 -1 -1 -1 -1000 -1000 -1000 -10\n")
text("benchmark/training/label_2/000001.txt",
     "Cyclist 0.00 1 1.85 0.00 0.00 40.00 20.00 1.67 1.87 3.69 -16.53 2.39 58.49 1.57\r\n")
text("benchmark/training/label_2/000002.txt", "")
text("benchmark/training/calib/000000.txt", "P0: 7.2e+02 0 6.0e+02 0 0 7.2e+02 1.7e+02 0 0 0 1 0\n")
text("benchmark/ImageSets/train.txt", "000000\n000001\n")
text("benchmark/ImageSets/val.txt", "000002\n")
text("benchmark/ImageSets/trainval.txt", "000000\n000001\n000002\n")
text("benchmark/ImageSets/test.txt", "000000\n000001\n000002\n")

png("datumaro/train/image_2/a.png", 10, 10)
png("datumaro/extra/image_2/b/c.png", 10, 10)
text("datumaro/train/label_2/a.txt", "van 0.0 1 0.0 0.00 1.00 4.00 3.00 0.0 0.0 0.0 0.0 0.0 0.0 0.0 0.5\n")
text("datumaro/extra/label_2/b/c.txt", "bus 0.0 0 0.0 1.00 1.00 9.00 9.00 0.0 0.0 0.0 0.0 0.0 0.0 0.0\n")
text("datumaro/dataset_meta.json", '{"labels": ["van", "tram"]}\n')

png("plain/images/train/1.png", 10, 10)
text("plain/labels/train/1.txt", "face 0.0 0 0.0 1.00 2.00 3.00 5.00 0.0 0.0 0.0 0.0 0.0 0.0 0.0\n")
