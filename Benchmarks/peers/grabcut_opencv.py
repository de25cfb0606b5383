#!/usr/bin/env python3
"""The peer of `assay predictions refine RUN --steps grabcut:N`: OpenCV's grabCut with the same bands and five
iterations on one thread, on the masks of a run that keeps masks. Needs opencv-python-headless and pycocotools.

    Benchmarks/peers/grabcut_opencv.py CATALOG RUN IMAGES --band 8

RUN is one without probability maps (predict --no-maps, or predictions refine). Reading images is in the time, as it is
in assay's.
"""
import argparse
import os
import sqlite3
import time

import cv2
import numpy as np
from pycocotools import mask


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("catalog")
    parser.add_argument("run")
    parser.add_argument("images", help="the dataset's root")
    parser.add_argument("--band", type=int, default=8)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    rows = sqlite3.connect(options.catalog).execute(
        "SELECT s.location, s.height, s.width, m.counts FROM maskPrediction m JOIN run r ON r.id = m.run "
        "JOIN sample s ON s.id = m.sample WHERE r.name = ? AND m.counts IS NOT NULL", [options.run]).fetchall()
    kernel = np.ones((2 * options.band + 1,) * 2, np.uint8)
    start, count = time.monotonic(), 0
    for location, height, width, counts in rows:
        image = cv2.imread(os.path.join(options.images, location))
        found = np.ascontiguousarray(mask.decode({"size": [height, width], "counts": bytes(counts)}))
        inside, outside = cv2.erode(found, kernel), cv2.dilate(found, kernel) == 0
        if not inside.any() or not outside.any():
            continue
        labels = np.where(found == 1, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
        labels[inside == 1], labels[outside] = cv2.GC_FGD, cv2.GC_BGD
        cv2.grabCut(image, labels, None, np.zeros((1, 65)), np.zeros((1, 65)), 5, cv2.GC_INIT_WITH_MASK)
        count += 1
    print(f"{count} of {len(rows)} masks, {time.monotonic() - start:.2f} s")


if __name__ == "__main__":
    main()
