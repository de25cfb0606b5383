#!/usr/bin/env python3
"""Writes small image folders with Pillow 13; run in this folder.

classes/: class/x; splits/: split/class/x. Sizes differ: 3×2 PNG, 4×5 JPEG, and a JPEG of 6×2 with EXIF
orientation 6 (looked at, it is 2×6). `cat/wrong.png` is a JPEG, `dog/text.jpg` is no image.
"""
import os
from PIL import Image


def save(path, size, kind, **more):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    Image.new("L" if kind == "PNG" else "RGB", size, 128 if kind == "PNG" else (200, 30, 40)).save(path, kind, **more)


save("classes/cat/1.png", (3, 2), "PNG")
save("classes/cat/WRONG.PNG", (4, 5), "JPEG")
exif = Image.Exif()
exif[0x0112] = 6
save("classes/dog/turned.jpeg", (6, 2), "JPEG", exif=exif)
with open("classes/dog/text.jpg", "w") as f:
    f.write("no image\n")
with open("classes/dog/cut.png", "wb") as f:
    f.write(open("classes/cat/1.png", "rb").read()[:20])
save("splits/train/cat/1.png", (3, 2), "PNG")
save("splits/train/dog/1.png", (3, 2), "PNG")
save("splits/val/dog/2.jpg", (4, 5), "JPEG")
