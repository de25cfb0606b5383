#!/usr/bin/env python3
"""Writes goldens.json: probability maps laid over pictures by OpenCV 5.0 and numpy 2.4 (see "made_by").

A map's part over the picture is cut out and resized with cv2.resize, INTER_LINEAR, in float32; which part, and
to which pixels of the picture, follows from the resize rule alone. Tolerance: 1e-3 of 255.
"""
import json
import os

import cv2
import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
random = np.random.default_rng(20)


def rounded(a, b):
    """a / b to the nearest whole number, halves up."""
    return (2 * a + b) // (2 * b)


def case(source, model, output, resize, anchor="center"):
    (w, h), (mw, mh), (ow, oh) = source, model, output
    crop, place = [0, 0, w, h], [0, 0, mw, mh]
    if resize == "center-crop":
        cw, ch = (max(1, rounded(mw * h, mh)), h) if w * mh > h * mw else (w, max(1, rounded(mh * w, mw)))
        if w * mh == h * mw:
            cw, ch = w, h
        crop = [(w - cw) // 2, (h - ch) // 2, cw, ch]
    if resize == "letterbox":
        pw, ph = (mw, max(1, h * mw // w)) if w * mh > h * mw else (max(1, w * mh // h), mh)
        if w * mh == h * mw:
            pw, ph = mw, mh
        place = [(mw - pw) // 2, (mh - ph) // 2, pw, ph] if anchor == "center" else [0, 0, pw, ph]
    cut = []
    for value, cells, side in zip(place, (ow, oh, ow, oh), (mw, mh, mw, mh)):
        assert value * cells % side == 0, "choose sizes that cut between cells"
        cut.append(value * cells // side)
    # Smooth enough to look like a model's, with steps that a mistake would show.
    cells = random.integers(0, 256, (oh, ow), dtype=np.uint8)
    part = cells[cut[1]:cut[1] + cut[3], cut[0]:cut[0] + cut[2]].astype(np.float32)
    values = cv2.resize(part, (crop[2], crop[3]), interpolation=cv2.INTER_LINEAR)
    return {"source": source, "input": model, "output": output, "resize": resize, "anchor": anchor,
            "crop": crop, "cells": cells.flatten().tolist(),
            "values": [round(float(v), 3) for v in values.flatten()]}


cases = [
    case([7, 5], [7, 5], [7, 5], "stretch"), case([13, 9], [4, 4], [4, 4], "stretch"),
    case([3, 4], [8, 8], [8, 8], "stretch"), case([20, 11], [16, 16], [4, 4], "stretch"),
    case([12, 10], [6, 8], [12, 16], "stretch"), case([1, 9], [4, 3], [4, 3], "stretch"),
    case([12, 8], [5, 5], [5, 5], "center-crop"), case([8, 13], [4, 6], [2, 3], "center-crop"),
    case([9, 9], [6, 6], [6, 6], "center-crop"),
    case([16, 8], [8, 8], [8, 8], "letterbox"), case([8, 16], [8, 8], [4, 4], "letterbox"),
    case([24, 18], [8, 8], [8, 8], "letterbox", "top-left"), case([10, 40], [8, 8], [16, 16], "letterbox"),
    case([5, 5], [6, 6], [3, 3], "letterbox"),
]
with open(os.path.join(here, "goldens.json"), "w") as file:
    json.dump({"made_by": f"cv2 {cv2.__version__}, numpy {np.__version__}, make_maps.py", "cases": cases}, file,
              separators=(",", ":"))
    file.write("\n")
