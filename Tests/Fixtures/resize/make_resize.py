#!/usr/bin/env python3
"""Writes resize.json: what Pillow, OpenCV and the formulas of torchvision and Ultralytics make of drawn images.

Pillow 13.0.0, opencv-python-headless 5.0.0, numpy 2.4.6. torchvision's Resize and CenterCrop are Pillow's resize with
sides of torchvision/transforms/functional.py (0.29); the letterbox is that of ultralytics/data/augment.py (8.4), and yolox that of yolox/data/data_augment.py (0.3).

Pixel (x, y, c) of an image is (7 x + 13 y + 50 c + x y) mod 256.
"""
import json
import os

import cv2
import numpy as np
from PIL import Image

here = os.path.dirname(os.path.abspath(__file__))


def drawn(width, height, channels):
    x, y, c = np.arange(width)[None, :, None], np.arange(height)[:, None, None], np.arange(channels)[None, None]
    return ((7 * x + 13 * y + 50 * c + x * y) % 256).astype(np.uint8)


def pillow(pixels, size, how):
    squeezed = pixels[..., 0] if pixels.shape[2] == 1 else pixels
    made = np.asarray(Image.fromarray(squeezed).resize(size, how))
    return made[..., None] if pixels.shape[2] == 1 else made


def shorter_crop(pixels, size, shorter, how):
    height, width = pixels.shape[:2]
    long = int(shorter * max(width, height) / min(width, height))
    new = (shorter, long) if width <= height else (long, shorter)
    made = pillow(pixels, new, how)
    top, left = int(round((new[1] - size[1]) / 2.0)), int(round((new[0] - size[0]) / 2.0))
    return made[top:top + size[1], left:left + size[0]]


def letterbox(pixels, size):
    height, width = pixels.shape[:2]
    r = min(size[1] / height, size[0] / width)
    new = round(width * r), round(height * r)
    dw, dh = (size[0] - new[0]) / 2, (size[1] - new[1]) / 2
    made = cv2.resize(pixels, new, interpolation=cv2.INTER_LINEAR) if (width, height) != new else pixels
    top, bottom, left, right = round(dh - 0.1), round(dh + 0.1), round(dw - 0.1), round(dw + 0.1)
    return cv2.copyMakeBorder(made, top, bottom, left, right, cv2.BORDER_CONSTANT, value=(114, 114, 114))


FILTERS = {"pillow-bilinear": Image.Resampling.BILINEAR, "pillow-bicubic": Image.Resampling.BICUBIC,
           "nearest": Image.Resampling.NEAREST}
cases = []


def add(filter, rule, source, size, channels, made, shorter=None):
    assert made.shape == (size[1], size[0], channels), made.shape
    case = {"filter": filter, "rule": rule, "source": source, "target": size, "channels": channels}
    if shorter:
        case["shorter"] = shorter
    cases.append(case | {"pixels": made.reshape(-1).tolist()})


for name, how in FILTERS.items():
    for source, size, channels in (((37, 23), (16, 16), 3), ((9, 7), (20, 30), 3), ((64, 5), (7, 5), 1), ((1, 3), (4, 1), 3),
                                   ((200, 150), (11, 9), 3), ((12, 12), (12, 12), 1)):
        add(name, "stretch", source, size, channels, pillow(drawn(*source, channels), size, how))
    for source, size, shorter in (((37, 23), (14, 14), 16), ((23, 37), (13, 14), 16), ((40, 31), (16, 16), 16),
                                  ((14, 14), (14, 14), 17), ((33, 20), (8, 12), 15)):
        add(name, "shorter-crop", source, size, 3, shorter_crop(drawn(*source, 3), size, shorter, how), shorter)
for source, size in (((37, 23), (32, 32)), ((23, 37), (32, 32)), ((31, 45), (32, 16)), ((32, 32), (32, 32)), ((10, 33), (40, 24)),
                     ((427, 640), (64, 64)), ((333, 500), (64, 32))):
    add("bilinear", "letterbox", source, size, 3, letterbox(drawn(*source, 3), size))
for source, size in (((54, 72), (41, 41)), ((72, 54), (41, 41)), ((23, 37), (32, 32))):
    height, width = source[1], source[0]
    r = min(size[1] / height, size[0] / width)
    new = int(width * r), int(height * r)
    made = np.full((size[1], size[0], 3), 114, np.uint8)
    made[:new[1], :new[0]] = cv2.resize(drawn(*source, 3), new, interpolation=cv2.INTER_LINEAR)
    add("bilinear", "yolox", source, size, 3, made)
with open(os.path.join(here, "resize.json"), "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(case, separators=(",", ":")) for case in cases) + "\n]\n")
