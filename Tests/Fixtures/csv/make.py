#!/usr/bin/env python3
"""Writes small tables of boxes with Python's standard library; run in this folder.

tensorflow.csv: the header of TensorFlow's tutorials. retina.csv: RetinaNet's rows without a header, with an image without
objects. Images are in images/.
The expected boxes in CSVImporterTests are computed by hand from the rows below.
"""
import os
import struct
import zlib


def png(path, width, height):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    rows = b"".join(b"\0" + bytes((x * 7 + y * 13) % 256 for x in range(width)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def text(path, content):
    with open(path, "w", newline="") as f:
        f.write(content)


png("images/a.png", 20, 10)
png("images/b.png", 10, 10)
png("images/c.png", 10, 10)
text("tensorflow.csv", "filename,width,height,class,xmin,ymin,xmax,ymax\r\n"
     "a.png,20,10,cat,1,2,5,8\r\nb.png,10,10,dog,0,0,10,10\r\na.png,20,10,\"dog, old\",6,1,20,9\r\n")
text("retina.csv", "images/a.png,1,2,5,8,cat\nimages/b.png,,,,,\nimages/a.png,6,1,20,9,dog\n")
