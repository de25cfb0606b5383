#!/usr/bin/env python3
"""Makes small/: gray pictures of 4 × 4 pixels with regions of `thing`, and small.json, computed without assay.

    make_small.py                (needs numpy 2.4.6, pillow 13.0.0, pycocotools 2.0.11)

../models/mask_nchw.onnx gives back what it sees, pixel/255, as the probability of `thing`: a map has the pixels'
values, and the mask at a threshold t is where they are at least 255·t. small.json has for all pictures ("all") and for
those with one or two things, no crowd, that cover 20 to 70 % ("people", as in make_people.py) the run lengths at 0.5,
IoU and Dice of each and the means; a picture without a thing in either mask has neither. "sweep" has the mean IoU of
"people" at 0.3, 0.5 and 0.7.
"""
import json
import os

import numpy as np
from PIL import Image
from pycocotools import mask
from pycocotools.coco import COCO

here = os.path.dirname(os.path.abspath(__file__))
folder = os.path.join(here, "small")
os.makedirs(os.path.join(folder, "val"), exist_ok=True)
rng = np.random.default_rng(8)
images, annotations, pixels = [], [], {}


def add(number, x, y, width, height, crowd=0):
    area = np.zeros((4, 4), np.uint8, order="F")
    area[y:y + height, x:x + width] = 1
    runs, last = [0], 0
    for value in area.flatten(order="F"):
        if value != last:
            runs.append(0)
            last = value
        runs[-1] += 1
    box = [x, y, x + width, y, x + width, y + height, x, y + height]
    annotations.append({
        "id": len(annotations) + 1, "image_id": number, "category_id": 7, "iscrowd": crowd,
        "bbox": [x, y, width, height], "area": width * height,
        "segmentation": {"size": [4, 4], "counts": runs} if crowd else [box]})


for place in range(10):
    number = 20 - place
    images.append({"id": number, "file_name": f"{place}.png", "width": 4, "height": 4})
    bright = np.zeros((4, 4), bool)
    if place < 8:
        x, y, width, height = [(0, 0, 3, 3), (1, 1, 3, 2), (2, 0, 2, 4), (0, 2, 4, 2)][place % 4]
        add(number, x, y, width, height, crowd=int(place == 7))
        bright[y:y + height, x:x + width] = True
        if place in (1, 5):
            add(number, 0, 0, 1, 1)
    values = np.where(bright, rng.integers(70, 256, (4, 4)), rng.integers(0, 150, (4, 4)))
    pixels[number] = np.zeros((4, 4), np.int64) if place == 9 else values
    Image.fromarray(pixels[number].astype(np.uint8)).save(os.path.join(folder, "val", f"{place}.png"))
dataset = {"info": {}, "licenses": [], "images": images,
           "categories": [{"id": 3, "name": "other"}, {"id": 7, "name": "thing"}], "annotations": annotations}
with open(os.path.join(folder, "instances_val.json"), "w") as file:
    file.write(json.dumps(dataset, separators=(",", ":")).replace('{"id"', '\n{"id"') + "\n")
coco = COCO(os.path.join(folder, "instances_val.json"))


def truth(number):
    return np.any([coco.annToMask(a) for a in coco.imgToAnns[number]] or [np.zeros((4, 4))], axis=0)


def score(numbers, threshold=0.5):
    rows, shared, sizes, union = [], 0, 0, 0
    for number in numbers:
        found, right = pixels[number] >= 255 * threshold, truth(number)
        both, either = int((found & right).sum()), int((found | right).sum())
        shared, sizes, union = shared + both, sizes + int(found.sum() + right.sum()), union + either
        rows.append({
            "image_id": number, "file": coco.imgs[number]["file_name"],
            "iou": both / either if either else None,
            "dice": 2 * both / int(found.sum() + right.sum()) if either else None,
            "counts": mask.encode(np.asfortranarray(found.astype(np.uint8)))["counts"].decode()})
    means = {f"mean_{key}": float(np.mean([r[key] for r in rows if r[key] is not None])) for key in ["iou", "dice"]}
    return {"n": len(rows), "defined": sum(r["iou"] is not None for r in rows), **means, "iou": shared / union,
            "dice": 2 * shared / sizes, "images": rows}


def passes(number):
    own = coco.imgToAnns[number]
    return 1 <= len(own) <= 2 and not any(a["iscrowd"] for a in own) and 0.2 <= truth(number).mean() <= 0.7


numbers = [image["id"] for image in images]
people = [number for number in numbers if passes(number)]
out = {"people": score(people), "all": score(numbers), "sweep": [score(people, t)["mean_iou"] for t in (0.3, 0.5, 0.7)]}
with open(os.path.join(here, "small.json"), "w") as file:
    json.dump(out, file, indent=1)
    file.write("\n")
print(len(people), "of", len(numbers), "images, mean Dice", out["people"]["mean_dice"], out["sweep"])
