#!/usr/bin/env python3
"""Reads a folder of JPEGs as a dataset's loader does: walks it, reads each file, its header (Pillow) and its SHA-256, with two
processes.

    walk_folder.py FOLDER
"""
import hashlib
import io
import os
import sys
from multiprocessing import Pool

from PIL import Image


def walk(folder):
    for root, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".jpg"):
                yield os.path.join(root, name)


def probe(path):
    with open(path, "rb") as file:
        data = file.read()
    with Image.open(io.BytesIO(data)) as image:
        size, mode = image.size, image.mode
    return path, len(data), size, mode, hashlib.sha256(data).hexdigest()


if __name__ == "__main__":
    with Pool(2) as pool:
        rows = pool.map(probe, list(walk(sys.argv[1])), chunksize=500)
    print(len(rows), "images,", sum(row[1] for row in rows), "bytes")
