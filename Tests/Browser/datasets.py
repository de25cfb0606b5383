"""The synthetic dataset of the stand-in, written as files that the program imports."""

import csv
import json
import math
import os
import sqlite3
import struct
import zlib

import mock_demo
import runlengths


def write(server, task):
    """Imports the data and a model's predictions; returns the arguments for the review."""
    if task == "detect":
        return found(server)
    if task == "boxes":
        return boxes(server)
    if task == "polygons":
        return polygons(server)
    if task == "oriented":
        return oriented(server)
    if task == "film":
        return film(server)
    if task in ("fresh", "fresh-long", "fresh-masks", "fresh-labels", "fresh-sets", "unnamed"):
        return fresh(server, task)
    if task == "keypoints":
        return keypoints(server)
    if task == "sets":
        return sets(server)
    if task == "twins":
        return twins(server)
    return faces(server) if task == "label" else discs(server)


def sets(server):
    """Images with sets of labels, and a model's predictions; the most confident contradiction comes first."""
    folder = os.path.join(server.folder, "sets")
    os.makedirs(folder)
    labels = ["disc", "disc ring", "", "ring", "disc ring star"]
    scores = [(0.9, 0.8, 0.1), (0.7, 0.6, 0.2), (0.1, 0.2, 0.3), (0.4, 0.9, 0.1), (0.8, 0.7, 0.6)]
    with open(os.path.join(folder, "labels.csv"), "w", encoding="utf-8") as file:
        file.write("image,disc,ring,star\n")
        for number, names in enumerate(labels):
            with open(os.path.join(folder, "%d.png" % number), "wb") as picture:
                picture.write(mock_demo.disc(number).picture)
            held = names.split()
            file.write("%d.png,%s\n" % (number, ",".join(
                str(int(name in held)) for name in ("disc", "ring", "star"))))
    with open(os.path.join(server.folder, "scores.csv"), "w", encoding="utf-8") as file:
        file.write("sample,disc,ring,star\n")
        for number, row in enumerate(scores):
            file.write("%d.png,%s\n" % (number, ",".join(map(str, row))))
    server.run("import", os.path.join(folder, "labels.csv"), "--name", "sets")
    server.run("predictions", "import", os.path.join(server.folder, "scores.csv"), "--name", "sets-1",
               "--in", "sets")
    return ["sets-1", "--order", "disagreement"]


def twins(server):
    """Three images of a class, the third with the bytes of the first; not checked."""
    folder = os.path.join(server.folder, "twins")
    os.makedirs(os.path.join(folder, "disc"))
    for name, number in (("a", 0), ("b", 3), ("copy of a", 0)):
        with open(os.path.join(folder, "disc", name + ".png"), "wb") as picture:
            picture.write(mock_demo.disc(number).picture)
    server.run("import", folder, "--name", "twins")
    scores = os.path.join(server.folder, "scores.csv")
    with open(scores, "w", encoding="utf-8") as file:
        file.write("sample,disc\ndisc/a.png,1\ndisc/b.png,1\ndisc/copy of a.png,1\n")
    server.run("predictions", "import", scores, "--name", "emb", "--in", "twins")
    with sqlite3.connect(server.catalog) as catalog:
        for key, vector in (("a", (3, 4)), ("b", (4, 3)), ("copy of a", (6, 8))):
            catalog.execute("""INSERT INTO embedding SELECT r.run, r.sample, ? FROM runSample r JOIN sample s ON s.id = r.sample
                WHERE s.key = ?""", (struct.pack("<2f", *vector), "disc/%s.png" % key))
    return ["twins"]


def found(server):
    """The discs, and the boxes of a detector: one on each disc, and a ring on the first image."""
    discs(server)
    results = [{"image_id": number + 1, "category_id": 1, "score": 0.9 - number / 50,
                "bbox": runlengths.box(mock_demo.disc(number).objects[0]["bits"], [120, 160])}
               for number in range(6)]
    results.append({"image_id": 1, "category_id": 2, "score": 0.7, "bbox": [100, 10, 30, 20]})
    path = os.path.join(server.folder, "results.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(results, file)
    server.run("predictions", "import", path, "--name", "detector-1", "--in", "discs")
    return ["detector-1", "--order", "random"]


def coco(server, name, annotations_of, count, categories=None):
    """Imports COCO with `count` discs as a dataset; returns its folder.

    `annotations_of(number, sample)` gives the fields of the annotations of an image.
    """
    folder = os.path.join(server.folder, name)
    os.makedirs(os.path.join(folder, "images"))
    images, annotations = [], []
    for number in range(count):
        sample = mock_demo.disc(number)
        picture = "%04d.png" % number
        with open(os.path.join(folder, "images", picture), "wb") as file:
            file.write(sample.picture)
        images.append({"id": number + 1, "file_name": picture, "width": sample.width, "height": sample.height})
        for fields in annotations_of(number, sample):
            annotations.append({"id": 7000 + len(annotations), "image_id": number + 1, "category_id": 1, "iscrowd": 0, **fields})
    truth = {"images": images, "annotations": annotations,
             "categories": categories or [{"id": 1, "name": "disc"}, {"id": 2, "name": "ring"}]}
    with open(os.path.join(folder, "instances.json"), "w", encoding="utf-8") as file:
        json.dump(truth, file)
    server.run("import", os.path.join(folder, "instances.json") + ":coco", "--name", name,
               "--images", os.path.join(folder, "images"))
    return folder


def place(sample):
    """The box of a disc."""
    return runlengths.box(sample.objects[0]["bits"], sample.size)


def boxes(server, count=4):
    """COCO with boxes and no regions: one object per image, and a detector's results for them."""
    results = []

    def annotations(number, sample):
        box = place(sample)
        results.append({"image_id": number + 1, "category_id": 1, "score": 0.9 - number / 50, "bbox": box})
        return [{"area": box[2] * box[3], "bbox": box}]

    folder = coco(server, "boxed", annotations, count)
    with open(os.path.join(folder, "results.json"), "w", encoding="utf-8") as file:
        json.dump(results, file)
    server.run("predictions", "import", os.path.join(folder, "results.json"), "--name", "detector-1", "--in", "boxed")
    return ["detector-1", "--order", "random"]


def polygons(server):
    """COCO with polygons: an image with three objects, one of two polygons; one of 2,000 vertices; one far outside."""
    circle = [round(24 + 20 * turn(at / 2000 * 2 * math.pi), 2) for at in range(2000) for turn in (math.cos, math.sin)]
    rings = [
        [(1, [[8.125, 6, 30, 7.5, 29, 20, 9, 19]]), (1, [[32, 4, 44, 4, 44, 12], [33, 14, 44, 14, 38, 22]]),
         (2, [[4, 24, 12, 24, 12, 32, 4, 32]])],
        [(1, [circle])],
        [(1, [[-100000000, 5, 30, 5, 30, 20, 10, 900000000.5]]), (2, [[20, 20, 100000, 20.5, 22, 100000]])],
    ]

    def annotations(number, _):
        for category, outline in rings[number]:
            xs, ys = [value for ring in outline for value in ring[0::2]], [value for ring in outline for value in ring[1::2]]
            yield {"category_id": category, "area": 100, "segmentation": outline,
                   "bbox": [min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)]}

    coco(server, "outlined", annotations, len(rings))
    return ["outlined", "--order", "random"]


def oriented(server, count=2):
    """YOLO's oriented boxes: one in each image, turned."""
    folder = os.path.join(server.folder, "oriented")
    for part in ("images", "labels"):
        os.makedirs(os.path.join(folder, part, "train"))
    with open(os.path.join(folder, "data.yaml"), "w", encoding="utf-8") as file:
        file.write("path: .\ntrain: images/train\nnames:\n  0: disc\n  1: ring\n")
    for number in range(count):
        sample = mock_demo.disc(number)
        height, width = sample.size
        cos, sin = math.cos(0.4 + number), math.sin(0.4 + number)
        side = min(width, height)
        values = []
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
            values += [(width / 2 + side * (0.3 * a * cos - 0.15 * b * sin)) / width,
                       (height / 2 + side * (0.3 * a * sin + 0.15 * b * cos)) / height]
        with open(os.path.join(folder, "images", "train", "%d.png" % number), "wb") as picture:
            picture.write(sample.picture)
        with open(os.path.join(folder, "labels", "train", "%d.txt" % number), "w", encoding="utf-8") as file:
            file.write("0 " + " ".join("%.6f" % value for value in values) + "\n")
    server.run("import", folder, "--name", "oriented")
    return ["oriented", "--order", "random"]


def film(server, count=6):
    """A task of CVAT for video: one track with a box in the first frame; the frames are in the order of a random review."""
    folder = os.path.join(server.folder, "film")
    os.makedirs(os.path.join(folder, "images"))
    height, width = mock_demo.disc(0).size
    for number in range(count):
        with open(os.path.join(folder, "images", "frame_%06d.png" % number), "wb") as picture:
            picture.write(mock_demo.disc(0).picture)
    with open(os.path.join(folder, "annotations.xml"), "w", encoding="utf-8") as file:
        file.write("""<?xml version="1.0" encoding="utf-8"?>
<annotations><version>1.1</version><meta><task><id>1</id><name>t</name><size>%d</size><mode>interpolation</mode>
<labels><label><name>disc</name><attributes></attributes></label><label><name>ring</name><attributes></attributes></label></labels>
<original_size><width>%d</width><height>%d</height></original_size></task></meta>
<track id="0" label="disc" source="manual">
<box frame="0" outside="0" occluded="0" keyframe="1" xtl="4.00" ytl="4.00" xbr="14.00" ybr="12.00" z_order="0"></box>
<box frame="1" outside="1" occluded="0" keyframe="1" xtl="4.00" ytl="4.00" xbr="14.00" ybr="12.00" z_order="0"></box>
</track></annotations>
""" % (count, width, height))
    server.run("import", folder, "--name", "film")
    return ["film", "--order", "random"]


def fresh(server, task, count=6):
    """Frames without annotations: with classes and what is labeled, or (`unnamed`) without."""
    folder = os.path.join(server.folder, "fresh")
    os.makedirs(folder)
    for number in range(count):
        with open(os.path.join(folder, "%d.png" % number), "wb") as picture:
            picture.write(mock_demo.disc(0).picture)
    labeled = {"fresh": "detection", "fresh-masks": "segmentation", "fresh-labels": "classification",
               "fresh-sets": "multilabel"}.get(task)
    names = "disc,ring"
    if task == "fresh-long":
        names, labeled = "a traffic sign that is partly hidden behind a tree or another vehicle,ring", "detection"
    server.run("import", folder + ":frames", *(["--classes", names, "--task", labeled] if labeled else []))
    return ["fresh"] + (["--name", "frames-of-the-film-with-signs-at-the-station"] if task == "fresh-long" else [])


def keypoints(server, count=2):
    """COCO with a box, three keypoints and a field for each image."""
    def annotations(_, sample):
        left, top, wide, high = box = place(sample)
        return [{"area": wide * high, "bbox": box, "num_keypoints": 2, "occluded": False,
                 "keypoints": [left + 4.5, top + 8, 2, left + wide - 4, top + 8, 1, 0, 0, 0]}]

    coco(server, "posed", annotations, count, [
        {"id": 1, "name": "disc", "keypoints": ["left eye", "right eye", "tail"], "skeleton": [[1, 2], [2, 3]]}])
    return ["posed", "--order", "random"]


def discs(server, count=6):
    """COCO: one object per image."""
    def annotations(_, sample):
        mask = sample.objects[0]["bits"]
        return [{"area": runlengths.area(mask), "bbox": place(sample),
                 "segmentation": {"size": sample.size, "counts": runlengths.text_of(mask, sample.size)}}]

    coco(server, "discs", annotations, count)
    return ["discs", "--order", "random"]


def pixels(picture):
    """The gray values of a PNG made by pictures.py."""
    at, packed = 8, b""
    while at < len(picture):
        length = int.from_bytes(picture[at:at + 4], "big")
        if picture[at + 4:at + 8] == b"IDAT":
            packed += picture[at + 8:at + 8 + length]
        at += 12 + length
    rows = zlib.decompress(packed)
    return b"".join(rows[y * 49 + 1:(y + 1) * 49] for y in range(48))


def faces(server, count=24):
    """A file like fer2013.csv, and a model's scores."""
    path = os.path.join(server.folder, "faces.csv")
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["emotion", "pixels", "Usage"])
        for number in range(count):
            sample = mock_demo.portrait(number)
            out.writerow([mock_demo.FACES.index(sample.label),
                          " ".join(map(str, pixels(sample.picture))), "PublicTest"])
    server.run("import", path + ":fer", "--name", "faces")
    scores = os.path.join(server.folder, "scores.csv")
    with open(scores, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file)
        out.writerow(["sample"] + mock_demo.FACES)
        for number in range(count):
            said = {one["category"]: one["score"] for one in mock_demo.portrait(number).run["scores"]}
            total = sum(said.values())
            out.writerow([number] + ["%.6f" % (said[name] / total) for name in mock_demo.FACES])
    server.run("predictions", "import", scores, "--name", "fer-1", "--in", "faces")
    return ["fer-1", "--order", "uncertainty"]
