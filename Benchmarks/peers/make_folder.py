#!/usr/bin/env python3
"""Writes 40,000 JPEGs of 48 x 48 pixels into 7 class folders, from the faces of a fer2013.csv with qualities from 75 up.

    make_folder.py FER2013.CSV[.gz] FOLDER [COUNT]
"""
import csv
import gzip
import os
import sys

from PIL import Image

NAMES = ["angry", "disgust", "fear", "happy", "sad", "surprise", "neutral"]


def main(source, folder, count=40_000):
    with (gzip.open if source.endswith(".gz") else open)(source, "rt", newline="") as file:
        rows = [(int(row["emotion"]), bytes(map(int, row["pixels"].split()))) for row in csv.DictReader(file)]
    for name in NAMES:
        os.makedirs(os.path.join(folder, name), exist_ok=True)
    for place in range(count):
        label, pixels = rows[place % len(rows)]
        image = Image.frombytes("L", (48, 48), pixels)
        image.save(os.path.join(folder, NAMES[label], f"{place:06}.jpg"), quality=min(95, 75 + place // len(rows)))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], *map(int, sys.argv[3:]))
