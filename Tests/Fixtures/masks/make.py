#!/usr/bin/env python3
"""Writes small sets of images and masks with Pillow 13 and numpy 2; run in this folder.

binary/: images/train and masks/train, 0 and 255. index/: VOC's folders, palette PNGs with 255 as void, and a
classes.txt. one-folder/: x.jpg and x_mask.png, a mask of 0 and 1. unnamed/: index masks without names.
turned/: a JPEG of 6 x 2 with EXIF orientation 6 (looked at, it is 2 x 6), with its mask as stored and as looked at.
wide/: masks of 16 bits with 300 named classes. wide-unnamed/: some without names. check_wide.py has read them with
OpenCV into goldens.json.
"""
import os

import numpy as np
from PIL import Image

random = np.random.default_rng(11)


def photo(path, width, height, **more):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    Image.fromarray(random.integers(0, 256, (height, width, 3)).astype(np.uint8)).save(path, **more)


def mask(path, pixels, palette=False, **more):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    image = Image.fromarray(np.array(pixels, np.uint8), "P" if palette else "L")
    if palette:
        image.putpalette([value for i in range(256) for value in (i * 37 % 256, i * 91 % 256, i * 13 % 256)])
    image.save(path, **more)


photo("binary/images/train/a.jpg", 4, 2)
mask("binary/masks/train/a.png", [[0, 255, 255, 0], [0, 0, 255, 0]])
photo("binary/images/val/b.png", 3, 3)
mask("binary/masks/val/b.png", [[0] * 3] * 3)
photo("binary/images/val/alone.png", 3, 3)
mask("binary/masks/val/nobody.png", [[0] * 3] * 3)
photo("binary/images/val/other-size.png", 3, 3)
mask("binary/masks/val/other-size.png", [[0, 255]])

photo("index/JPEGImages/a.jpg", 3, 2)
mask("index/SegmentationClass/a.png", [[0, 1, 1], [255, 2, 0]], palette=True)
photo("index/JPEGImages/b.jpg", 3, 2)
mask("index/SegmentationClass/b.png", [[0, 2, 2], [255, 2, 7]], palette=True)
with open("index/classes.txt", "w") as f:
    f.write("background\naeroplane\nbicycle\n")

photo("one-folder/a.jpg", 2, 2)
mask("one-folder/a_mask.png", [[0, 1], [1, 1]])
photo("one-folder/b.jpg", 2, 2)
mask("one-folder/b_mask.png", [[0, 0], [0, 1]], bits=1)

photo("unnamed/images/a.png", 2, 2)
mask("unnamed/labels/a.png", [[0, 255], [1, 1]])
photo("unnamed/images/b.png", 2, 2)
mask("unnamed/labels/b.png", [[3, 3], [0, 1]])

exif = Image.Exif()
exif[0x0112] = 6
photo("turned/images/looked.jpg", 6, 2, exif=exif)
mask("turned/masks/looked.png", [[0, 0]] * 5 + [[0, 255]])
photo("turned/images/stored.jpg", 6, 2, exif=exif)
# The right end of the upper row: after a quarter turn to the right the lower end of the right column.
mask("turned/masks/stored.png", [[0, 0, 0, 0, 0, 255], [0] * 6])


def wide(path, pixels):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    Image.fromarray(np.array(pixels, np.uint16)).save(path)


# Every class once in a, with 50 pixels of background and of void; in b blocks around 255; in c a value without a name.
values = list(range(1, 301)) + [0] * 50 + [65535] * 50
photo("wide/images/train/a.png", 20, 20)
wide("wide/masks/train/a.png", np.array(values)[random.permutation(400)].reshape(20, 20))
photo("wide/images/train/b.jpg", 12, 8)
blocks = np.zeros((8, 12), np.uint16)
for place, value in enumerate((254, 255, 256, 257, 300, 65535)):
    blocks[1:7, 2 * place:2 * place + 2] = value
wide("wide/masks/train/b.png", blocks)
photo("wide/images/val/c.png", 6, 4)
wide("wide/masks/val/c.png", [[7, 7, 7, 0, 0, 0], [7, 7, 7, 0, 0, 0], [0] * 6, [0, 0, 0, 0, 301, 301]])
with open("wide/classes.txt", "w") as f:
    f.write("background\n" + "".join(f"species {number}\n" for number in range(1, 301)))

photo("wide-unnamed/images/a.png", 4, 3)
wide("wide-unnamed/masks/a.png", [[0, 1, 1, 1], [0, 256, 300, 300], [65535, 65535, 40000, 0]])
photo("wide-unnamed/images/b.png", 4, 3)
wide("wide-unnamed/masks/b.png", [[0, 65535, 65535, 0]] * 3)
