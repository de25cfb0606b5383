#!/usr/bin/env python3
"""Writes small Open Images datasets with Python's standard library; run in this folder.

v6/: the official files with their names (V6 has a header in the class list): boxes, masks of another size, verified labels,
a list of images with Rotation, a hierarchy. v5/: images/ and tables in one folder, a class list without a header, rows
of one image apart from each other, and no list of images. The expected values in OpenImagesImporterTests are computed
by hand from the rows below.
"""
import os
import struct
import zlib


def png(path, width, height, value=None):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    value = value or (lambda x, y: (x * 7 + y * 13) % 256)
    rows = b"".join(b"\0" + bytes(value(x, y) for x in range(width)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def text(path, content):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", newline="") as f:
        f.write(content)


def rect(x, y, right, bottom):
    return lambda a, b: 255 if x <= a < right and y <= b < bottom else 0


BOX = "ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,IsGroupOf,IsDepiction,IsInside"
MASK = "MaskPath,ImageID,LabelName,BoxID,BoxXMin,BoxXMax,BoxYMin,BoxYMax,PredictedIoU,Clicks"
png("v6/train/0001eeaf4aed83f9.png", 20, 10)
png("v6/train/000595fe6fee6369.png", 8, 8)
png("v6/validation/00075905539074f2.png", 16, 16)
# Half the size of the image: the nearest pixel makes it 8 x 4 at 2, 2.
png("v6/masks/0001eeaf4aed83f9_m01g317_aa.png", 10, 5, rect(1, 1, 5, 3))
png("v6/masks/0001eeaf4aed83f9_m0k4j_bb.png", 20, 10, rect(0, 0, 3, 3))
text("v6/oidv6-train-annotations-bbox.csv", BOX + ",XClick1X\n"
     "0001eeaf4aed83f9,xclick,/m/01g317,1,0.1,0.5,0.2,0.6,1,0,0,0,-1,0.3\n"
     "0001eeaf4aed83f9,activemil,/m/0k4j,1,0.25,0.75,0.5,1,0,1,1,1,0,-1\n"
     "00ffffffffffffff,xclick,/m/0k4j,1,0,1,0,1,0,0,0,0,0,-1\n"
     "00ffffffffffffff,xclick,/m/0k4j,1,0,1,0,0.5,0,0,0,0,0,-1\n")
text("v6/validation-annotations-bbox.csv", BOX + "\n"
     "00075905539074f2,xclick,/m/01g317,0.5,0,1,0.5,0.75,-1,-1,-1,-1,-1\n")
text("v6/train-annotations-object-segmentation.csv", MASK + "\n"
     "0001eeaf4aed83f9_m01g317_aa.png,0001eeaf4aed83f9,/m/01g317,aa,0.100000,0.500000,0.200000,0.600000,0.84,"
     "0.1 0.2 1;0.3 0.4 0\n"
     "0001eeaf4aed83f9_m0k4j_bb.png,0001eeaf4aed83f9,/m/0k4j,bb,0,0,0,0,0.5,\n")
text("v6/validation-annotations-object-segmentation.csv", MASK + "\n"
     "00075905539074f2_m01g317_cc.png,00075905539074f2,/m/01g317,cc,0,1,0.5,0.75,0.9,\n")
text("v6/class-descriptions-boxable.csv", "LabelName,DisplayName\n/m/01g317,Person\n/m/0k4j,Car\n/m/012n7d,Ambulance\n")
text("v6/oidv6-class-descriptions.csv", "LabelName,DisplayName\n/m/01g317,Person\n/m/0k4j,Car\n/m/0199g,\"Bicycle, old\"\n")
text("v6/bbox_labels_600_hierarchy.json", '{"LabelName": "/m/0bl9f", "Subcategory": [{"LabelName": "/m/01g317"}, '
     '{"LabelName": "/m/0k4j", "Subcategory": [{"LabelName": "/m/012n7d"}], "Part": [{"LabelName": "/m/083wq"}]}]}\n')
text("v6/train-images-boxable-with-rotation.csv",
     "ImageID,Subset,OriginalURL,OriginalLandingURL,License,AuthorProfileURL,Author,Title,OriginalSize,OriginalMD5,"
     "Thumbnail300KURL,Rotation\n"
     "0001eeaf4aed83f9,train,https://a,https://b,https://c,https://d,\"Ann, Bob\",\"A \"\"title\"\"\",1,x,,90.0\n"
     "000595fe6fee6369,train,https://a,https://b,https://c,https://d,Ann,t,1,x,,nan\n")
text("v6/train-annotations-human-imagelabels-boxable.csv", "ImageID,Source,LabelName,Confidence\n"
     "0001eeaf4aed83f9,verification,/m/01g317,1\n0001eeaf4aed83f9,verification,/m/0199g,0\n"
     "00ffffffffffffff,verification,/m/0k4j,1\n")
text("v6/train-annotations-machine-imagelabels.csv", "ImageID,Source,LabelName,Confidence\n"
     "0001eeaf4aed83f9,machine,/m/01g317,0.7\n")

png("v5/images/train/a.png", 10, 10)
png("v5/images/train/b.png", 10, 10)
png("v5/images/test/c.png", 10, 10)
text("v5/annotations/class-descriptions.csv", "/m/0,cat\n/m/1,dog\n/m/2,cat\n")
text("v5/annotations/boxes.csv", "ImageID,LabelName,XMin,XMax,YMin,YMax\r\n"
     "a,/m/0,0,0.5,0,0.5\r\nb,/m/1,0.5,1,0.5,1\r\na,/m/2,0.5,1,0,0.5\r\nc,/m/9,0,1,0,1\r\na,/m/0,0,0.5,0.5,1\r\n")
