#!/usr/bin/env python3
"""Writes area.json: drawn images resized with OpenCV's INTER_AREA. Pixel (x, y, c) is (7 x + 13 y + 50 c + x y) mod 256."""
import json
import os

import cv2
import numpy as np

here = os.path.dirname(os.path.abspath(__file__))


def drawn(width, height, channels):
    x, y, c = np.arange(width)[None, :, None], np.arange(height)[:, None, None], np.arange(channels)[None, None]
    return ((7 * x + 13 * y + 50 * c + x * y) % 256).astype(np.uint8)


cases = []
for channels in (1, 3):
    for source, target in [((40, 30), (20, 15)), ((60, 45), (20, 15)), ((64, 48), (13, 9)), ((50, 37), (49, 36)), ((33, 20), (7, 19)),
                           ((12, 9), (12, 9)), ((9, 7), (20, 16)), ((40, 7), (20, 16)), ((7, 40), (16, 20)), ((100, 80), (33, 27)),
                           ((1, 1), (5, 4)), ((31, 1), (10, 1)), ((24, 24), (8, 12))]:
        pixels = drawn(*source, channels)
        made = cv2.resize(pixels, target, interpolation=cv2.INTER_AREA).reshape(-1)
        cases.append({"source": source, "target": target, "channels": channels, "pixels": made.tolist()})
with open(os.path.join(here, "area.json"), "w") as file:
    json.dump({"opencv": cv2.__version__, "cases": cases}, file, separators=(",", ":"))
    file.write("\n")
