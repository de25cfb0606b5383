#!/usr/bin/env python3
"""Writes order.json: drawn images that Pillow 13.0.0 resizes rows first, and others at the limit of that rule.

Pixel (x, y, c) is (7 x + 13 y + 50 c + x y) mod 256. Each image gives different bytes in the two orders.
"""
import json
import os

import numpy as np
from PIL import Image, __version__

here = os.path.dirname(os.path.abspath(__file__))


def drawn(width, height, channels):
    x, y, c = np.arange(width)[None, :, None], np.arange(height)[:, None, None], np.arange(channels)[None, None]
    return ((7 * x + 13 * y + 50 * c + x * y) % 256).astype(np.uint8)


cases, rows_first = [], 0
for source, target in [((43, 64), (23, 22)), ((33, 50), (22, 22)), ((31, 60), (40, 33)), ((40, 40), (30, 20)), ((40, 41), (30, 20)),
                       ((64, 43), (22, 22)), ((30, 60), (50, 70)), ((50, 70), (30, 30)), ((50, 71), (30, 30)), ((20, 33), (27, 32)),
                       ((60, 30), (20, 40)), ((24, 80), (24, 30))]:
    image = Image.fromarray(drawn(*source, 3))
    how = Image.Resampling.BILINEAR
    made = np.asarray(image.resize(target, how))
    columns = np.asarray(image.resize((target[0], source[1]), how).resize(target, how))
    rows = np.asarray(image.resize((source[0], target[1]), how).resize(target, how))
    assert (made == columns).all() or (made == rows).all()
    rows_first += not (made == columns).all()
    cases.append({"source": source, "target": target, "channels": 3, "pixels": made.reshape(-1).tolist()})
print(rows_first, "rows first")
with open(os.path.join(here, "order.json"), "w") as file:
    json.dump({"pillow": __version__, "cases": cases}, file, separators=(",", ":"))
    file.write("\n")
