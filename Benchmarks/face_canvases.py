#!/usr/bin/env python3
"""Writes the faces of a FER-2013 table as images to find faces in, for the figures of Docs/Pipelines.md: each enlarged
to 96 pixels (OpenCV, bilinear) in the middle of 192 x 192 pixels, its border repeated, then rotated clockwise about the
center. The folders are the labels.

    pip install numpy pillow 'opencv-python-headless<5'
    python Benchmarks/face_canvases.py fer2013_publictest.csv.gz DIR [--angle DEGREES] [--limit N]
"""
import argparse
import csv
import gzip
import os

import cv2
import numpy as np
from PIL import Image

LABELS = ["angry", "disgust", "fear", "happy", "sad", "surprise", "neutral"]
SIZE, CANVAS = 96, 192


def canvas(pixels, angle):
    """The image of a face of 48 x 48 pixels."""
    face = cv2.resize(pixels, (SIZE, SIZE), interpolation=cv2.INTER_LINEAR)
    # As far as a corner of the canvas can come from when it is rotated.
    border = int(np.ceil(CANVAS * 2 ** 0.5 / 2)) - SIZE // 2
    wide = Image.fromarray(np.pad(face, border, mode="edge"))
    if angle:
        wide = wide.rotate(-angle, Image.Resampling.BICUBIC)
    start = (wide.width - CANVAS) // 2
    return wide.crop((start, start, start + CANVAS, start + CANVAS))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("table")
    parser.add_argument("folder")
    parser.add_argument("--angle", type=float, default=0)
    parser.add_argument("--limit", type=int)
    given = parser.parse_args()
    with (gzip.open if given.table.endswith(".gz") else open)(given.table, "rt") as file:
        for number, row in enumerate(csv.DictReader(file)):
            if number == given.limit:
                break
            folder = os.path.join(given.folder, LABELS[int(row["emotion"])])
            os.makedirs(folder, exist_ok=True)
            pixels = np.array(row["pixels"].split(), np.uint8).reshape(48, 48)
            canvas(pixels, given.angle).save(os.path.join(folder, f"{number:05d}.png"))


if __name__ == "__main__":
    main()
