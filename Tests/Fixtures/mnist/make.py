#!/usr/bin/env python3
"""Writes small IDX files with Python's standard library; run in this folder.

plain/: five training and two test images of 3 x 2 pixels (t10k as gzip). letters/: EMNIST letters, 3 x 3, with the
table of classes; stored with rows and columns exchanged, as EMNIST does. kaggle/: each file in a folder of its name.
Pixel (x, y) of image n is 50 n + 10 y + x (modulo 256), before EMNIST's exchange.
"""
import gzip
import os
import struct


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if path.endswith(".gz"):
        data = gzip.compress(data, 9, mtime=0)
    with open(path, "wb") as f:
        f.write(data)


def images(count, width, height, exchanged=False):
    def value(n, x, y):
        return (50 * n + 10 * y + x) % 256

    rows = b"".join(
        bytes(value(n, r, c) if exchanged else value(n, c, r) for r in range(height) for c in range(width))
        for n in range(count))
    return struct.pack(">BBBBIII", 0, 0, 8, 3, count, height, width) + rows


def labels(values):
    return struct.pack(">BBBBI", 0, 0, 8, 1, len(values)) + bytes(values)


write("plain/train-images-idx3-ubyte", images(5, 3, 2))
write("plain/train-labels-idx1-ubyte", labels([5, 0, 4, 1, 9]))
write("plain/t10k-images-idx3-ubyte.gz", images(2, 3, 2))
write("plain/t10k-labels-idx1-ubyte.gz", labels([7, 0]))

for split, values in (("train", [23, 1, 2]), ("test", [1])):
    write(f"letters/emnist-letters-{split}-images-idx3-ubyte.gz", images(len(values), 3, 3, exchanged=True))
    write(f"letters/emnist-letters-{split}-labels-idx1-ubyte.gz", labels(values))
write("letters/emnist-letters-mapping.txt",
      "".join(f"{n} {64 + n} {96 + n}\n" for n in range(1, 27)).encode())

for split in ("train", "t10k"):
    write(f"kaggle/{split}-images-idx3-ubyte/{split}-images-idx3-ubyte", images(1, 2, 2))
    write(f"kaggle/{split}-labels-idx1-ubyte/{split}-labels-idx1-ubyte", labels([3]))
