#!/usr/bin/env python3
"""Writes small Hugging Face image folders with Python's standard library; run in this folder.

labels/: metadata.csv at the top, splits in the names, a caption. objects/: metadata.jsonl per split, objects as lists
and as a list of objects. Images are copies of image-folder's JPEG (4 x 5).
"""
import json
import os
import shutil


def image(path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    shutil.copyfile("../image-folder/splits/val/dog/2.jpg", path)


def text(path, content):
    with open(path, "w", newline="") as f:
        f.write(content)


for path in ("train/a.jpg", "train/b.jpg", "test/c.jpg"):
    image(f"labels/{path}")
text("labels/metadata.csv", 'file_name,label,text\ntrain/a.jpg,dog,"a dog,\nasleep"\ntrain/b.jpg,cat,\ntest/c.jpg,dog,x\n')

for path in ("train/1.jpg", "train/2.jpg", "validation/3.jpg"):
    image(f"objects/{path}")
text("objects/train/metadata.jsonl", "".join(json.dumps(line) + "\n" for line in (
    {"file_name": "1.jpg", "width": 4, "height": 5, "image_id": 7,
     "objects": {"id": [11, 12], "area": [4, 6.5], "bbox": [[0, 1, 2, 2], [1.5, 0, 2, 3]], "category": [10, 9]}},
    {"file_name": "2.jpg", "objects": {"id": [], "area": [], "bbox": [], "category": []}})))
text("objects/validation/metadata.jsonl", json.dumps(
    {"file_name": "3.jpg", "objects": [{"bbox": [0, 0, 4, 5], "category": 9, "iscrowd": 1, "occluded": True}]}))

# parquet/: metadata.parquet with class names, written by datasets 5.2.0 and pyarrow 26.0.1; without them it stays.
try:
    import datasets
except ImportError:
    raise SystemExit("parquet/ is not written: datasets is not installed")
for path in ("train/1.jpg", "train/2.jpg"):
    image(f"parquet/{path}")
datasets.Dataset.from_list([
    {"file_name": "1.jpg", "label": 1, "note": "x", "objects": {"bbox": [[1, 1, 2, 3]], "category": [0]}},
    {"file_name": "2.jpg", "label": -1, "note": None, "objects": {"bbox": [], "category": []}},
], features=datasets.Features({
    "file_name": datasets.Value("string"), "label": datasets.ClassLabel(names=["cat", "owl"]),
    "note": datasets.Value("string"), "objects": datasets.Sequence({
        "bbox": datasets.List(datasets.Value("float32"), length=4),
        "category": datasets.ClassLabel(names=["beak", "wing"])})})).to_parquet("parquet/train/metadata.parquet")
