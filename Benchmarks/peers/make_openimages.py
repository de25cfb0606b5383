#!/usr/bin/env python3
"""Writes a folder of the size and the layout of Open Images' training set: boxes of 600 classes.

    make_openimages.py DIR [--images 1900000] [--boxes 16000000]

The images are hard links to 64 small JPEGs (a link has no bytes of its own), so a file is opened for each, but the disk
needs little space. Seeded: the same options write the same bytes. Needs numpy and Pillow.
"""
import argparse
import os

import numpy
from PIL import Image

options = argparse.ArgumentParser()
options.add_argument("folder")
options.add_argument("--images", type=int, default=1_900_000)
options.add_argument("--boxes", type=int, default=16_000_000)
options = options.parse_args()
random = numpy.random.default_rng(7)
folder = os.path.join(options.folder, "train")
os.makedirs(folder)


def base(number):
    """A JPEG that fewer than 65,000 links share, the limit of ext4."""
    path = os.path.join(options.folder, f"base-{number}")
    pixels = random.integers(0, 255, (24 + number % 7, 32 + number % 5, 3), dtype=numpy.uint8)
    Image.fromarray(pixels).save(path, "JPEG")
    return path


links, files = 40_000, []
names = [f"{(number * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF:016x}" for number in range(1, options.images + 1)]
for start in range(0, options.images, links):
    files.append(base(len(files)))
    for name in names[start:start + links]:
        os.link(files[-1], os.path.join(folder, name + ".jpg"))
for path in files:
    os.utime(path, (1_700_000_000, 1_700_000_000))
    os.remove(path)

classes = [f"/m/{number:05x}" for number in range(600)]
with open(os.path.join(options.folder, "class-descriptions-boxable.csv"), "w") as file:
    file.writelines(f"{name},Class {number}\n" for number, name in enumerate(classes))
# Each image has at least one box as long as there are enough; the rest follow a skewed distribution.
counts = numpy.ones(options.images, dtype=numpy.int64)
extra = options.boxes - options.images
weights = random.gamma(0.8, 1.0, options.images)
counts += numpy.floor(weights / weights.sum() * extra).astype(numpy.int64)
counts[: options.boxes - int(counts.sum())] += 1
with open(os.path.join(options.folder, "train-annotations-bbox.csv"), "w", buffering=1 << 20) as file:
    file.write("ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,IsGroupOf,IsDepiction,"
               "IsInside\n")
    step = 10_000
    for start in range(0, options.images, step):
        part = counts[start:start + step]
        total = int(part.sum())
        corners = numpy.sort(random.random((total, 2, 2)), axis=2)
        kinds = numpy.minimum(random.geometric(0.02, total) - 1, 599)
        flags = random.random((total, 5)) < 0.1
        lines, row = [], 0
        for name, count in zip(names[start:start + step], part):
            for _ in range(int(count)):
                (left, right), (top, bottom) = corners[row].tolist()
                marks = ",".join("1" if flag else "0" for flag in flags[row].tolist())
                lines.append(f"{name},xclick,{classes[kinds[row]]},1,{left:.6f},{right:.6f},{top:.6f},{bottom:.6f},"
                             f"{marks}\n")
                row += 1
        file.writelines(lines)
print(f"{options.images} images, {int(counts.sum())} boxes")
