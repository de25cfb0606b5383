#!/usr/bin/env python3
"""Writes small YOLO datasets with Python's standard library; run in this folder.

ultralytics/: data.yaml with the path of another machine and a map of names; boxes, and an image without a label file.
roboflow/: data.yaml with ../train/images; a background image with an empty label file. darknet/: obj.data with lists
whose paths start with data/. loose/: x.png and x.txt in one folder with classes.txt. segment/: lists of images and
polygons. pose/: kpt_shape [2, 3]. turned/: a JPEG with EXIF orientation 6 (displayed, it is 2 x 6; a copy of image-folder's).
The expected boxes in YOLOImporterTests are computed by hand from the sizes and the lines below.
"""
import os
import shutil
import struct
import zlib


def png(path, width, height):
    """A gray PNG with a ramp of values."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    rows = b"".join(b"\0" + bytes((x * 7 + y * 13) % 256 for x in range(width)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def text(path, content):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", newline="") as f:
        f.write(content)


png("ultralytics/images/train/a.png", 20, 10)
png("ultralytics/images/train/b.png", 8, 8)
png("ultralytics/images/val/c.png", 16, 16)
text("ultralytics/labels/train/a.txt", "0 0.5 0.5 0.4 0.6\n2 0.25 0.25 0.5 0.5\n")
text("ultralytics/labels/val/c.txt", "1 0.5 0.5 1 1\n")
text("ultralytics/data.yaml", """# Three classes
path: /home/someone/datasets/three  # dataset root dir
train: images/train
val: images/val
test:  # optional

names:
  0: person
  1: bicycle
  2: traffic light

download: |
  mkdir x && cd x
""")
text("ultralytics/README.txt", "0 0.5 0.5 0.1 0.1 is what a label looks like.\n")

png("roboflow/train/images/a_jpg.rf.1.png", 10, 10)
png("roboflow/train/images/b_jpg.rf.2.png", 10, 10)
png("roboflow/valid/images/c_jpg.rf.3.png", 10, 20)
text("roboflow/train/labels/a_jpg.rf.1.txt", "1 0.5 0.5 0.2 0.2")
text("roboflow/train/labels/b_jpg.rf.2.txt", "")
text("roboflow/valid/labels/c_jpg.rf.3.txt", "0 0.5 0.5 0.2 0.2\r\n0 0.5 0.25 0.2 0.1\r\n")
text("roboflow/data.yaml", """train: ../train/images
val: ../valid/images
test: ../test/images

nc: 2
names: ['cat', 'dog']
""")
text("roboflow/README.roboflow.txt", "A dataset\n")

for name in ["1", "2", "3"]:
    png(f"darknet/obj_train_data/{name}.png", 10, 10)
    text(f"darknet/obj_train_data/{name}.txt", f"{int(name) - 1} 0.5 0.5 0.{name} 0.{name}\n")
text("darknet/obj.data", "classes = 3\ntrain = data/train.txt\nvalid = data/valid.txt\nnames = data/obj.names\n"
     "backup = backup/\n")
text("darknet/obj.names", "cat\ndog\nowl\n")
text("darknet/train.txt", "data/obj_train_data/1.png\ndata/obj_train_data/2.png\n")
text("darknet/valid.txt", "data/obj_train_data/3.png\n")

png("loose/a.png", 10, 10)
png("loose/b.png", 10, 10)
text("loose/a.txt", "1 0.5 0.5 1 1\n")
text("loose/classes.txt", "cat\ndog\n")

for name in ["a", "b"]:
    png(f"segment/images/{name}.png", 10, 10)
text("segment/labels/a.txt", "0 0.1 0.1 0.5 0.1 0.5 0.3 0.1 0.3\n1 0 0 1 0 1 1\n")
text("segment/labels/b.txt", "1 0.2 0.2 0.4 0.2 0.4 0.4 0.3 0.5 0.2 0.4\n")
text("segment/train.txt", "./images/a.png\n")
text("segment/val.txt", "/content/segment/images/b.png\n")
text("segment/data.yaml", "path: .\ntrain: train.txt\nval: [val.txt]\nnames: {0: box, 1: leaf}\n")

png("pose/images/a.png", 10, 20)
text("pose/labels/a.txt", "0 0.5 0.5 0.2 0.4 0.45 0.4 2 0.55 0.6 0\n")
text("pose/data.yaml", "train: images\nval: images\nkpt_shape: [2, 3]\nnames: [person]\n")

os.makedirs("turned/images", exist_ok=True)
shutil.copy("../image-folder/classes/dog/turned.jpeg", "turned/images/turned.jpeg")
text("turned/labels/turned.txt", "0 0.5 0.5 1 0.5\n")
