#!/usr/bin/env python3
"""Writes small Pascal VOC datasets with Python's standard library; run in this folder.

challenge/: the folders of VOC2012 with indexed masks of classes and objects, a part, actions, and lists of
splits, also per class. roboflow/: XML beside the images, with Roboflow's order of corners and a polygon.
datumaro/: labelmap.txt with colors of its own, color masks, coordinates with decimals, attributes, no images.
The expected boxes in VOCImporterTests are computed by hand from the corners and rectangles below.
"""
import os
import struct
import zlib


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(path, width, height, channels=1, pixel=None, palette=None):
    """A PNG: gray with a ramp of values, or of the pixels that a function of x and y returns."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    pixel = pixel or (lambda x, y: ((x * 7 + y * 13) % 256,) * channels)
    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(width)) for y in range(height))
    kind = 3 if palette else 0 if channels == 1 else 2
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0))
                + (chunk(b"PLTE", palette) if palette else b"")
                + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def text(path, content):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", newline="") as f:
        f.write(content)


def color(value):
    """VOC's color of a value."""
    rgb = [0, 0, 0]
    for bit in range(8):
        for channel in range(3):
            rgb[channel] |= (value >> (3 * bit + channel) & 1) << (7 - bit) if 3 * bit + channel < 8 else 0
    return bytes(rgb)


PALETTE = b"".join(color(value) for value in range(256))


def rectangles(*rects):
    """The value of the first rectangle (left, top, right, bottom, value) that contains a pixel, else 0."""
    def pixel(x, y):
        for left, top, right, bottom, value in rects:
            if left <= x < right and top <= y < bottom:
                return value if isinstance(value, tuple) else (value,)
        return (0,) if not isinstance(rects[0][4], tuple) else (0, 0, 0)
    return pixel


def box(xmin, ymin, xmax, ymax):
    return f"<bndbox><xmin>{xmin}</xmin><ymin>{ymin}</ymin><xmax>{xmax}</xmax><ymax>{ymax}</ymax></bndbox>"


def annotation(path, filename, size, objects, database="The VOC2012 Database"):
    width, height = size
    text(path, f"""<annotation>
  <folder>VOC2012</folder>
  <filename>{filename}</filename>
  <source><database>{database}</database></source>
  <size><width>{width}</width><height>{height}</height><depth>3</depth></size>
  <segmented>1</segmented>
""" + "".join(f"  <object>{o}</object>\n" for o in objects) + "</annotation>\n")


png("challenge/JPEGImages/1.png", 20, 12)
png("challenge/JPEGImages/2.png", 10, 10)
png("challenge/JPEGImages/3.png", 10, 10)
annotation("challenge/Annotations/1.xml", "1.png", (20, 12), [
    "<name>person</name><pose>Frontal</pose><truncated>0</truncated><occluded>1</occluded>" + box(3, 2, 10, 11)
    + "<difficult>0</difficult><point><x>5</x><y>6</y></point><actions><jumping>1</jumping><phoning>0</phoning>"
    "</actions><part><name>head</name>" + box(4, 2, 7, 5) + "</part>",
    "<name>cat</name><difficult>1</difficult>" + box(12, 4, 18, 9)])
annotation("challenge/Annotations/2.xml", "2.png", (10, 10), [
    "<name>dog</name><truncated>1</truncated>" + box(1, 1, 10, 10)])
border = [(2, 1, 10, 11, 255), (11, 3, 18, 9, 255)]
png("challenge/SegmentationClass/1.png", 20, 12, palette=PALETTE,
    pixel=rectangles((3, 2, 9, 10, 15), (12, 4, 17, 8, 8), *border))
png("challenge/SegmentationObject/1.png", 20, 12, palette=PALETTE,
    pixel=rectangles((3, 2, 9, 10, 1), (12, 4, 17, 8, 2), *border))
text("challenge/ImageSets/Main/train.txt", "1\n")
text("challenge/ImageSets/Main/val.txt", "2\n3\n")
text("challenge/ImageSets/Main/trainval.txt", "1\n2\n3\n")
text("challenge/ImageSets/Main/cat_train.txt", "1  1\n")
text("challenge/ImageSets/Main/cat_val.txt", "2 -1\n3  0\n")
text("challenge/ImageSets/Segmentation/train.txt", "1\n")
text("challenge/ImageSets/Layout/train.txt", "1 1\n")
text("challenge/ImageSets/Action/train.txt", "1 1\n")
text("challenge/ImageSets/Action/jumping_train.txt", "1 1  1\n")

png("roboflow/train/a_png.rf.1.png", 10, 8)
png("roboflow/valid/b_png.rf.2.png", 10, 8)
annotation("roboflow/train/a_png.rf.1.xml", "a_png.rf.1.png", (10, 8), [
    "<name>helmet</name><pose>Unspecified</pose><bndbox><xmin>1</xmin><xmax>11</xmax><ymin>3</ymin><ymax>9</ymax>"
    "</bndbox>",
    "<name>head</name><bndbox><xmin>3</xmin><xmax>7</xmax><ymin>2</ymin><ymax>6</ymax></bndbox><polygon>"
    "<x1>3</x1><y1>2</y1><x2>7</x2><y2>2</y2><x3>7</x3><y3>6</y3></polygon>"], database="roboflow.com")
annotation("roboflow/valid/b_png.rf.2.xml", "b_png.rf.2.png", (10, 8), [], database="roboflow.com")
text("roboflow/README.roboflow.txt", "A dataset\n")

text("datumaro/labelmap.txt", """# label:color_rgb:parts:actions
background:0,0,0::
car:10,20,30:wheel:
tree:200,10,0::
ignored:224,224,192::
""")
text("datumaro/ImageSets/Main/default.txt", "x/1\nx/2\n")
annotation("datumaro/Annotations/x/1.xml", "x/1.png", (10, 10), [
    "<name>tree</name><occluded>0</occluded>" + box("2.0", "2.5", "7.0", "6.0") + "<attributes><attribute>"
    "<name>rotation</name><value>0.0</value></attribute><attribute><name>kind</name><value>oak</value></attribute>"
    "</attributes>",
    "<name>car</name>" + box("0.0", "0.0", "4.0", "2.0") + "<part><name>wheel</name>" + box(0, 1, 1, 2) + "</part>"],
    database="Unknown")
annotation("datumaro/Annotations/x/2.xml", "x/2.png", (10, 10), [], database="Unknown")
png("datumaro/SegmentationClass/x/2.png", 10, 10, channels=3,
    pixel=rectangles((0, 0, 4, 5, (10, 20, 30)), (5, 5, 10, 10, (200, 10, 0)), (5, 0, 6, 1, (224, 224, 192))))
png("datumaro/SegmentationObject/x/2.png", 10, 10, channels=3,
    pixel=rectangles((0, 0, 2, 5, tuple(color(1))), (2, 0, 4, 5, tuple(color(2))),
                     (5, 5, 10, 10, tuple(color(3)))))
