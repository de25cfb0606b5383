#!/usr/bin/env python3
"""Measures how the sharpness of photographs depends on their size.

    blur_scale.py FOLDER

For the JPEGs of a folder, sharp and blurred by 4, 8 and 16 of 640 pixels (Gaussian), and resized by factors from 2 to 0.11:
the median of the sharpness and the number of findings (below 0.12), at 160 pixels on the longer side as `assay check` measures
it, and with smaller images left as they are. Needs Pillow and numpy.
"""
import glob
import os
import sys

import numpy as np
from PIL import Image, ImageFilter

LONGEST, LIMIT = 160, 0.12
SCALES = (2, 1, 0.5, 0.25, 0.2, 0.15, 0.125, 0.11)


def sharpness(image, enlarges):
    """The 99th percentile of the absolute Laplacian over the range between the 1st and the 99th percentile of gray."""
    side = max(image.size)
    gray = np.sort(np.asarray(image.resize([max(1, round(s * min(1, LONGEST / side))) for s in image.size], Image.BOX)).ravel())
    spread = int(gray[int(np.ceil(len(gray) * 0.99)) - 1]) - int(gray[max(1, int(np.ceil(len(gray) * 0.01))) - 1])
    if side > LONGEST or (enlarges and side < LONGEST):
        image = image.resize([max(1, round(s * LONGEST / side)) for s in image.size],
                             Image.BOX if side > LONGEST else Image.BICUBIC)
    a = np.asarray(image, dtype=int)
    edges = np.abs(4 * a[1:-1, 1:-1] - a[1:-1, :-2] - a[1:-1, 2:] - a[:-2, 1:-1] - a[2:, 1:-1]).ravel()
    edges.sort()
    return edges[int(np.ceil(len(edges) * 0.99)) - 1] / spread if spread > 8 else np.nan


def main(folder):
    files = sorted(glob.glob(os.path.join(folder, "*.jpg")))
    print(f"{len(files)} images, scales {SCALES}")
    for blur in (0, 4, 8, 16):
        for enlarges in (True, False):
            rows = []
            for file in files:
                image = Image.open(file).convert("L")
                if blur:
                    image = image.filter(ImageFilter.GaussianBlur(blur * max(image.size) / 640))
                rows.append([
                    sharpness(image.resize([max(1, round(s * scale)) for s in image.size],
                                           Image.LANCZOS if scale < 1 else Image.BICUBIC), enlarges) for scale in SCALES])
            values = np.array(rows)
            print(f"blur {blur:2d}, {'at 160 pixels' if enlarges else 'small ones as they are'}: median "
                  + " ".join(f"{value:.3f}" for value in np.nanmedian(values, axis=0)) + "; findings "
                  + " ".join(map(str, (values < LIMIT).sum(axis=0))))


main(sys.argv[1])
