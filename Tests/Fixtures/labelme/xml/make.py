#!/usr/bin/env python3
"""Writes a small dataset of the original LabelMe tool with Python's standard library; run in this folder.

tool/: Annotations, Images, Masks and Scribbles with a polygon, a box, a mask (RGBA, as the tool writes), a point, a
line, parts and a deleted object. The expected boxes in LabelMeXMLImporterTests are computed by hand from the numbers.
"""
import os
import struct
import zlib


def png(path, width, height, channels, pixel):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    kind = {1: 0, 4: 6}[channels]
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def obj(number, name, shape, more="", deleted=0, parts=""):
    return (f"<object><name>{name}</name><deleted>{deleted}</deleted><verified>0</verified><occluded>no</occluded>"
            f"<attributes></attributes><parts>{parts or '<hasparts/><ispartof/>'}</parts><date>1-Jan-2020</date>"
            f"<id>{number}</id>{more}{shape}</object>\n")


def polygon(*points):
    return ("<polygon><username>ann</username>" + "".join(f"<pt><x>{x}</x><y>{y}</y></pt>" for x, y in points)
            + "</polygon>")


for name in ["a", "b"]:
    png(f"tool/Images/set/{name}.png", 20, 10, 1, lambda x, y: ((x * 7 + y * 13) % 256,))
png("tool/Masks/set/a_mask_2.png", 20, 10, 4, lambda x, y: (153, 51, 255, 60) if 3 <= x < 7 and 2 <= y < 4 else (0,) * 4)
png("tool/Scribbles/set/a_scribble_2.png", 20, 10, 4, lambda x, y: (0,) * 4)
os.makedirs("tool/Annotations/set", exist_ok=True)
with open("tool/Annotations/set/a.xml", "w") as f:
    f.write("<annotation><filename>a.png</filename><folder>set</folder><source><sourceImage>x</sourceImage></source>\n"
            + obj(0, "window", polygon((1, 1), (5, 1), (5, 4)), parts="<hasparts>1</hasparts><ispartof></ispartof>")
            + obj(1, "pane", polygon((2, 2), (6, 2), (6, 5), (2, 5)), more="<type>bounding_box</type>",
                  parts="<hasparts></hasparts><ispartof>0</ispartof>").replace(
                      "<occluded>no", "<occluded>yes").replace("<attributes>", "<attributes>wet, old=1")
            + obj(2, "car", "<segm><username>bob</username><box><xmin>3</xmin><ymin>2</ymin><xmax>6</xmax><ymax>3</ymax>"
                            "</box><mask>a_mask_2.png</mask><scribbles><scribble_name>a_scribble_2.png</scribble_name>"
                            "</scribbles></segm>")
            + obj(3, "gone", polygon((0, 0), (1, 0), (1, 1)), deleted=1)
            + obj(4, "lamp", polygon((7, 8))) + obj(5, "wire", polygon((0, 0), (9, 3)))
            + "<imagesize><nrows>10</nrows><ncols>20</ncols></imagesize></annotation>\n")
