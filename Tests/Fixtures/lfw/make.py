#!/usr/bin/env python3
"""Writes small trees of LFW with Python's standard library; run in this folder.

original/: a folder per person, the lists of people of both development sets, pairs. datumaro/: the layout that
Datumaro writes, with landmarks. Images are copies of image-folder's JPEG (4 x 5).
"""
import os
import shutil


def image(path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    shutil.copyfile("../image-folder/splits/val/dog/2.jpg", path)


def text(path, content):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", newline="") as f:
        f.write(content)


for person, count in (("Ann_Veneman", 2), ("Bo_Ryan", 1), ("Zico", 1)):
    for number in range(1, count + 1):
        image(f"original/lfw/{person}/{person}_{number:04d}.jpg")
text("original/peopleDevTrain.txt", "2\nAnn_Veneman\t2\nZico\t3\n")
text("original/peopleDevTest.txt", "1\nBo_Ryan\t1\n")
text("original/pairsDevTrain.txt", "1\nAnn_Veneman\t1\t2\nAnn_Veneman\t1\tZico\t1\n")

for person, count in (("name0", 1), ("name1", 2)):
    for number in range(1, count + 1):
        image(f"datumaro/dev/images/{person}/{person}_{number:04d}.jpg")
text("datumaro/dev/annotations/people.txt", "2\nname1\t2\nname0\t1\n")
text("datumaro/dev/annotations/pairs.txt", "1\t2\nname1\t1 \t2\nname0\t1\tname1\t1\nname0\t1\tname1\t2\n")
text("datumaro/dev/annotations/landmarks.txt", "name0/name0_0001.jpg\t0\t4\t3\t3\t2\t2\t1\t0\t3\t0\n"
     "name1/name1_0001.jpg\t1\t4\t3\t3\t2\t2\t1\t0\t3\t0.5\n")
