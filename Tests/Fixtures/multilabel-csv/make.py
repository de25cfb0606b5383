#!/usr/bin/env python3
"""Writes one dataset as two CSV files: a list of labels, and a column per class.

Made with scikit-learn 1.9.1 (MultiLabelBinarizer) and Pillow; run in this folder. Six PNG images of 3×2
pixels, one without a label, one whose labels have blanks in their names.
"""
import csv
import os

from PIL import Image
from sklearn.preprocessing import MultiLabelBinarizer

rows = [
    ("images/a.png", "train", ["dog"]),
    ("images/b.png", "train", ["cat", "traffic light"]),
    ("images/c.png", "train", []),
    ("images/d.png", "val", ["dog", "cat"]),
    ("images/e.png", "val", ["traffic light"]),
    ("images/f.png", "val", ["traffic light", "dog", "cat"]),
]
os.makedirs("images", exist_ok=True)
for number, (path, _, _) in enumerate(rows):
    Image.new("L", (3, 2), 40 * number).save(path)
with open("list.csv", "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["image", "labels", "split"])
    writer.writerows((path, "|".join(labels), split) for path, split, labels in rows)
binarizer = MultiLabelBinarizer()
flags = binarizer.fit_transform([labels for _, _, labels in rows])
with open("columns.csv", "w", newline="") as file:
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["image", "split", *binarizer.classes_])
    writer.writerows((path, split, *line) for (path, split, _), line in zip(rows, flags.tolist()))
