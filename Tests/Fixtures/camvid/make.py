#!/usr/bin/env python3
"""Writes small CamVid sets and the pixel counts of the real one with Pillow 13 and numpy 2; run in this folder.

index/: folders and lists, index PNGs 0-11. colors/: images beside `_L.png` in colors, with a label file;
one pixel of b_L.png has a colour that is not listed. `goldens.json` counts the pixels of every value of the
masks in ../../../../shared/data/camvid, as numpy's bincount gives them.
"""
import glob
import json
import os

import numpy as np
from PIL import Image

random = np.random.default_rng(7)


def save(path, pixels, mode):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    Image.fromarray(np.array(pixels, np.uint8), mode).save(path)


def photo(path, width, height):
    save(path, random.integers(0, 256, (height, width, 3)), "RGB")


photo("index/train/a.png", 4, 3)
save("index/trainannot/a.png", [[0, 0, 0, 0], [1, 1, 5, 5], [3, 3, 3, 11]], "L")
photo("index/train/b.png", 4, 3)
save("index/trainannot/b.png", [[0, 0, 0, 0], [0, 0, 0, 8], [3, 3, 3, 12]], "L")
photo("index/train/cut.png", 4, 3)
save("index/trainannot/cut.png", [[0, 0, 0], [0, 0, 0]], "L")
photo("index/val/c.png", 4, 3)
save("index/valannot/c.png", [[11] * 4] * 3, "L")
photo("index/val/unlisted.png", 4, 3)
save("index/valannot/unlisted.png", [[2] * 4] * 3, "L")
with open("index/train.txt", "w") as f:
    for name in ["a", "b", "cut", "gone"]:
        f.write(f"/SegNet/CamVid/train/{name}.png /SegNet/CamVid/trainannot/{name}.png\n")
with open("index/val.txt", "w") as f:
    f.write("/SegNet/CamVid/val/c.png /SegNet/CamVid/valannot/c.png")

sky, car, void = (128, 128, 128), (64, 0, 128), (0, 0, 0)
photo("colors/701_StillsRaw_full/a.png", 2, 2)
save("colors/LabeledApproved_full/a_L.png", [[sky, sky], [car, void]], "RGB")
photo("colors/701_StillsRaw_full/b.png", 2, 2)
save("colors/LabeledApproved_full/b_L.png", [[sky, car], [car, (1, 2, 3)]], "RGB")
with open("colors/label_colors.txt", "w") as f:
    f.write("128 128 128\tSky\n64 0 128\tCar\n0 0 0\t\tVoid\n")

root = "../../../../shared/data/camvid/"
counts = {}
for path in sorted(glob.glob(root + "*annot/*.png")):
    counts[path[len(root):]] = np.bincount(np.array(Image.open(path)).ravel(), minlength=12).tolist()
with open("goldens.json", "w") as f:
    json.dump({"tool": f"numpy {np.__version__}", "counts": counts}, f, separators=(",", ":"))
