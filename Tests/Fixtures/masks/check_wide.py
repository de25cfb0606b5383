#!/usr/bin/env python3
"""Reads the masks of 16 bits that make.py wrote with OpenCV, and writes the pixels and the box (x, y, width, height) of
every value into goldens.json. Run with opencv-python-headless 5.0.0.93 in this folder."""
import glob
import json

import cv2
import numpy as np

found = {}
for path in sorted(glob.glob("wide*/masks/**/*.png", recursive=True)):
    pixels = cv2.imread(path, cv2.IMREAD_UNCHANGED)
    assert pixels.dtype == np.uint16 and pixels.ndim == 2, path
    found[path] = {}
    for value in np.unique(pixels).tolist():
        mask = (pixels == value).astype(np.uint8)
        found[path][str(value)] = [int(cv2.countNonZero(mask)), *map(int, cv2.boundingRect(mask))]
rows = [f"  {json.dumps(path)}: {json.dumps(regions)}" for path, regions in found.items()]
with open("goldens.json", "w") as f:
    f.write("{\n" + ",\n".join(rows) + "\n}\n")
