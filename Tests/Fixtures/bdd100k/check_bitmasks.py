#!/usr/bin/env python3
"""Reads the bitmasks that make.py wrote with BDD100K's own program, and writes the objects into goldens.json.

Run in this folder with bdd100k 1.0.1, scalabel 0.3.1 and pydantic 1.10.27. Box: x, y, width and height of the pixels.
"""
import glob
import json

import numpy as np
from bdd100k.common.utils import load_bdd100k_config
from bdd100k.label.label import labels
from bdd100k.label.to_coco import bitmasks_loader
from scalabel.label.utils import get_leaf_categories


def classes(mode):
    if mode == "pan_seg":
        return {label.id: label.name for label in labels if label.id > 0}
    leaves = get_leaf_categories(load_bdd100k_config(mode).scalabel.categories)
    return {place + 1: category.name for place, category in enumerate(leaves)}


found = {"classes": {mode: list(classes(mode).values()) for mode in ["ins_seg", "pan_seg", "seg_track"]},
         "things": [label.name for label in labels if label.hasInstances], "objects": {}}
for path in sorted(glob.glob("*/**/bitmasks/**/*.png", recursive=True)):
    if "odd" in path:
        continue
    mode = "pan_seg" if "pan_seg" in path else "ins_seg"
    rows = []
    for item in bitmasks_loader(path)[0]:
        ys, xs = np.nonzero(item["mask"])
        box = [int(xs.min()), int(ys.min()), int(xs.max() - xs.min() + 1), int(ys.max() - ys.min() + 1)]
        rows.append({
            "category": classes(mode)[item["category_id"]], "number": item["instance_id"], "area": item["area"],
            "box": box, **{name: item[name] for name in ["truncated", "occluded", "crowd", "ignored"]}})
    found["objects"][path] = rows
with open("goldens.json", "w") as f:
    f.write(json.dumps(found, indent=1) + "\n")
