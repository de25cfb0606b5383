#!/usr/bin/env python3
"""Writes people.json: where a person model sees people on COCO's pictures, computed without assay.

    make_people.py DATA          DATA is the folder with coco/mini and models/selfie_segmentation.xml

openvino runs the model, cv2 resizes pictures and maps, pycocotools gives truth and run lengths (versions in
"made_by"). The pictures are those with one or two people, no crowd, who cover 20 to 70 %. A map is rounded to 8
bits, resized to its picture in float32 and cut at 127.5.
"""
import json
import os
import sys

import cv2
import numpy as np
import openvino
from PIL import Image
from importlib.metadata import version
from pycocotools import mask
from pycocotools.coco import COCO

data = sys.argv[1]
coco = COCO(f"{data}/coco/mini/instances_val2017.json")
person = coco.getCatIds(["person"])[0]
model = openvino.Core().compile_model(f"{data}/models/selfie_segmentation.xml", "CPU",
                                      {"NUM_STREAMS": 1, "INFERENCE_PRECISION_HINT": "f32"})
images, scores, twice_shared, both = [], [], 0, 0
for image in coco.dataset["images"]:
    people = [a for a in coco.imgToAnns[image["id"]] if a["category_id"] == person]
    if not 1 <= len(people) <= 2 or any(a["iscrowd"] for a in people):
        continue
    width, height = image["width"], image["height"]
    truth = np.zeros((height, width), bool)
    for annotation in people:
        truth |= coco.annToMask(annotation).astype(bool)
    if not 0.2 <= truth.mean() <= 0.7:
        continue
    picture = np.asarray(Image.open(f"{data}/coco/mini/val2017/{image['file_name']}").convert("RGB"))
    small = cv2.resize(picture, (256, 256), interpolation=cv2.INTER_LINEAR)
    map_ = model(small.astype(np.float32)[None] / np.float32(255))[0][0, :, :, 0]
    cells = np.floor(255 * map_.astype(np.float64) + 0.5).astype(np.float32)
    found = cv2.resize(cells, (width, height), interpolation=cv2.INTER_LINEAR) >= 127.5
    shared, sizes = int((found & truth).sum()), int(found.sum() + truth.sum())
    scores.append(2 * shared / sizes)
    twice_shared, both = twice_shared + 2 * shared, both + sizes
    counts = mask.encode(np.asfortranarray(found.astype(np.uint8)))["counts"].decode()
    images.append({"image_id": image["id"], "dice": scores[-1], "counts": counts})
made_by = ", ".join(f"{name} {version(package)}" for name, package in [
    ("cv2", "opencv-python-headless"), ("numpy", "numpy"), ("openvino", "openvino"), ("pillow", "pillow"),
    ("pycocotools", "pycocotools")])
out = {"made_by": made_by, "mean_dice": float(np.mean(scores)), "dice": twice_shared / both, "images": images}
with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "people.json"), "w") as file:
    json.dump(out, file, indent=1)
    file.write("\n")
print(len(images), "images, mean Dice", out["mean_dice"])
