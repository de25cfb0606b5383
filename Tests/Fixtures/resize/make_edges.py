#!/usr/bin/env python3
"""Writes edges.json: the sizes of images after the resize of DETR and YOLOS, and the canvas of Ultralytics' `auto` letterbox.

transformers 5.24.0 (get_size_with_aspect_ratio, get_size_with_aspect_ratio_yolos); ResizeLongestSide is the formula of
segment_anything/utils/transforms.py (1.0), the letterbox that of ultralytics/data/augment.py (8.4).
"""
import json
import os
import random

from transformers.image_transforms import get_size_with_aspect_ratio
from transformers.models.yolos.image_processing_yolos import get_size_with_aspect_ratio_yolos

here = os.path.dirname(os.path.abspath(__file__))
random.seed(1)


def letterbox(width, height, side, multiple):
    r = min(side / height, side / width)
    new = round(width * r), round(height * r)
    dw, dh = (side - new[0]) % multiple / 2, (side - new[1]) % multiple / 2
    top, bottom, left, right = round(dh - 0.1), round(dh + 0.1), round(dw - 0.1), round(dw + 0.1)
    return {"canvas": [new[0] + left + right, new[1] + top + bottom], "placed": [left, top, *new]}


sizes = [(640, 480), (480, 640), (800, 800), (800, 1200), (1333, 800), (500, 333), (1, 1), (2000, 10), (333, 1333)]
sizes += [(random.randint(16, 3000), random.randint(16, 3000)) for _ in range(150)]
cases = []
for width, height in sizes:
    if max(width, height) / min(width, height) < 60:
        for shorter, longer in [(800, 1333), (512, 512), (256, 300)]:
            h, w = get_size_with_aspect_ratio((height, width), shorter, longer)
            cases.append({"source": [width, height], "shorter": shorter, "longer": longer, "multiple": 1, "size": [w, h]})
            h, w = get_size_with_aspect_ratio_yolos((height, width), shorter, longer)
            if min(w, h) >= 16:
                cases.append({"source": [width, height], "shorter": shorter, "longer": longer, "multiple": 16, "size": [w, h]})
        scale = 1024 * 1.0 / max(height, width)
        cases.append({"source": [width, height], "longer": 1024, "multiple": 1,
                      "size": [int(width * scale + 0.5), int(height * scale + 0.5)]})
    if max(width, height) / min(width, height) < 600:
        cases.append({"source": [width, height], "longer": 640, "multiple": 32} | letterbox(width, height, 640, 32))
with open(os.path.join(here, "edges.json"), "w") as file:
    json.dump(cases, file, separators=(",", ":"))
    file.write("\n")
