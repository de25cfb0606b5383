#!/usr/bin/env python3
"""Writes the folder data/ beside this file: the small sets that the goldens are made of (README.md).

Needs nothing but Python 3. Seeded: the same bytes each time.

faces.csv    66 images of 4 × 4 pixels, splits train and test, 4 classes (bored only in train); 2 without a label
r1.csv …     probabilities: r1, r2 (other column order), sigmoid (rows that need --normalize), partial (40 samples),
             nobored (without a column for bored), damaged (rows that are refused)
big-*.csv    165 truths and probabilities of 3 classes, in different orders: enough for intervals of macro scores
faces-truth.csv  the labels of faces.csv as a file of truths
fix.csv      corrections of faces
plain.csv    8 images without labels; plain-r.csv probabilities for them
instances.json  those of street/ in one file
street/      COCO instances: 40 train and 20 val images, 3 classes of which bus has no object; polygons, run lengths,
             a crowd, images without objects; 12 of the 60 images are there
d1.json …    COCO results: d1 and d2 boxes, d3 regions, d4 boxes with scores from 0.4 and for 2 classes alone
masks.json   what the segmentation runs s1, s2, s3 and es say: probability maps of 12 × 9 digits, or one box for each class
empty/       COCO instances without a single annotation; empty-d.json results for them
odd-*.json   COCO files with what pycocotools trips over: id 0, a crowd in the results' way, unknown ids, equal scores
cut.json     COCO results that end too early
scenes/      60 images with sets of 4 classes in labels.csv, of which 5 have none; no image has fog
m1.csv …     scores of scenes: m1, m2 (other column order, without a column for fog, 50 images), m0 (without a column
             for dog, which images have), mbad (a score above 1)
scenes-fix.csv  corrections of scenes
"""
import json
import os
import random
import struct
import zlib

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")
rng = random.Random(12)


def write(name, text):
    path = os.path.join(HERE, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())


def dump(name, value):
    """JSON with one line for each element of a list at the top or one level below."""
    if isinstance(value, list):
        text = "[\n" + ",\n".join(json.dumps(v) for v in value) + "\n]\n"
    else:
        parts = []
        for key, member in value.items():
            if isinstance(member, list):
                lines = ",\n".join(json.dumps(v) for v in member)
                parts.append(f"{json.dumps(key)}: [\n{lines}\n]")
            else:
                parts.append(f"{json.dumps(key)}: {json.dumps(member)}")
        text = "{\n" + ",\n".join(parts) + "\n}\n"
    write(name, text)


def png(width, height, pixel):
    """A gray PNG of 8 bits."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    rows = b"".join(b"\0" + bytes(pixel(x, y) for x in range(width)) for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9))
            + chunk(b"IEND", b""))


# Classification

CLASSES = ["angry", "bored", "happy", "sad"]


def probabilities(truth, sharpness, classes=CLASSES, digits=3):
    weights = [rng.random() + (sharpness if name == truth else 0) for name in classes]
    total = sum(weights)
    row = [round(w / total, digits) for w in weights]
    row[row.index(max(row))] = round(max(row) + 1 - sum(row), digits)
    return row


def classification():
    truths, lines = [], ["split,label,pixels"]
    for index in range(66):
        split = "train" if index < 40 else "test"
        label = CLASSES[rng.choice([0, 0, 1, 2, 2, 2, 3]) if index < 40 else rng.choice([0, 2, 2, 3])]
        if index in (39, 65):
            label = ""
        truths.append(label)
        pixels = " ".join(str((13 * index + 37 * x + 11 * (x // 4)) % 256) for x in range(16))
        lines.append(f"{split},{label},{pixels}")
    write("faces.csv", "\n".join(lines) + "\n")

    def rows(name, classes, value, samples=range(66)):
        text = ["sample," + ",".join(classes)]
        for index in samples:
            text.append(f"{index}," + ",".join(f"{v:g}" for v in value(truths[index], index)))
        write(name, "\n".join(text) + "\n")

    rows("r1.csv", CLASSES, lambda truth, _: probabilities(truth, 0.45))
    other = ["sad", "happy", "bored", "angry"]
    rows("r2.csv", other, lambda truth, _: probabilities(truth, 0.35, other))
    rows("sigmoid.csv", CLASSES, lambda truth, _: [
        round(min(0.99, rng.random() * 0.6 + (0.35 if name == truth else 0)), 2) for name in CLASSES])
    rows("partial.csv", CLASSES, lambda truth, _: probabilities(truth, 0.6), range(10, 50))
    three = ["angry", "happy", "sad"]
    rows("nobored.csv", three, lambda truth, _: probabilities(truth, 0.8, three))
    rows("damaged.csv", CLASSES, lambda truth, index: [0.9, 0.9, 0.1, 0.1] if index == 3 else [0.25] * 4)
    three_truths = [three[index % 3] for index in range(165)]
    write("big-truth.csv", "sample,truth\n" + "".join(f"{i},{t}\n" for i, t in enumerate(three_truths)))
    write("big-scores.csv", "sample," + ",".join(three) + "\n" + "".join(
        f"{i}," + ",".join(f"{v:g}" for v in probabilities(t, 0.6, three, 2)) + "\n"
        for i, t in reversed(list(enumerate(three_truths)))))
    write("faces-truth.csv", "sample,truth\n" + "".join(
        f"{i},{t or 'angry'}\n" for i, t in enumerate(truths)))
    write("fix.csv", "key,label,note\n0,happy,smiles\n5,happy,\n39,sad,\n")
    write("plain.csv", "\n".join(
        ["p0,p1,p2,p3,p4,p5,p6,p7,p8"]
        + [",".join(str((40 * i + 25 * x) % 256) for x in range(9)) for i in range(8)]) + "\n")
    write("plain-r.csv", "\n".join(
        ["sample,cat,dog"] + [f"{i},{p},{round(1 - p, 2)}" for i, p in enumerate(
            [0.9, 0.2, 0.55, 0.5, 0.99, 0.01, 0.7, 0.35])]) + "\n")


# Regions and objects

CATEGORIES = [{"id": 3, "name": "car"}, {"id": 1, "name": "person"}, {"id": 7, "name": "bus"}]


def polygon(x, y, w, h):
    """A box without two corners."""
    return [x + 2, y, x + w, y, x + w, y + h - 2, x + w - 2, y + h, x, y + h, x, y + 2]


def runs(x, y, w, h, width, height):
    """Run lengths, column by column, of a box."""
    cells = [x <= column < x + w and y <= row < y + h for column in range(width) for row in range(height)]
    counts, last, length = [], False, 0
    for cell in cells:
        if cell != last:
            counts.append(length)
            last, length = cell, 0
        length += 1
    return {"size": [height, width], "counts": counts + [length]}


def shifted(box, most, width, height):
    x, y, w, h = box
    x = min(max(0, x + rng.randint(-most, most)), width - 4)
    y = min(max(0, y + rng.randint(-most, most)), height - 4)
    return [x, y, max(3, min(w + rng.randint(-most, most), width - x)),
            max(3, min(h + rng.randint(-most, most), height - y))]


def street():
    images, annotations, identifier = {"train": [], "val": []}, {"train": [], "val": []}, 100
    boxes = {}
    for index in range(60):
        split = "train" if index < 40 else "val"
        width, height = (160, 120) if index in (5, 45) else (48, 36)
        image = 1000 - 7 * index
        images[split].append({"id": image, "width": width, "height": height, "file_name": f"{index:03}.png"})
        boxes[image] = []
        number = 0 if index in (7, 50) else rng.choice([1, 2, 2, 3, 3])
        for place in range(number):
            w, h = rng.randint(6, width // 2), rng.randint(6, height // 2)
            if index in (5, 45) and place == 0:
                w, h = 130, 100
            x, y = rng.randint(0, width - w - 1), rng.randint(0, height - h - 1)
            category = 3 if place == 0 else rng.choice([1, 1, 1, 3])
            crowd = 1 if index in (9, 41) and place == number - 1 and number > 1 else 0
            region = runs(x, y, w, h, width, height) if crowd or index == 3 else [polygon(x, y, w, h)]
            annotations[split].append({
                "id": identifier, "image_id": image, "category_id": category, "bbox": [x, y, w, h],
                "area": w * h - (0 if crowd or index == 3 else 4), "iscrowd": crowd, "segmentation": region})
            identifier += 1
            boxes[image].append((category, [x, y, w, h], width, height))
        if index % 5 == 0:
            def shade(x, y, here=boxes[image], index=index):
                inside = any(b[0] <= x < b[0] + b[2] and b[1] <= y < b[1] + b[3] for _, b, _, _ in here)
                return 200 - index if inside else (40 + index + x) % 120
            write(f"street/{split}/{index:03}.png", png(width, height, shade))
    for split in images:
        dump(f"street/annotations/instances_{split}.json", {
            "images": images[split], "categories": CATEGORIES, "annotations": annotations[split]})
    dump("instances.json", {
        "images": images["train"] + images["val"], "categories": CATEGORIES,
        "annotations": annotations["train"] + annotations["val"]})
    return images, boxes


def results(boxes, most, found, regions=False, least=0.05, categories=(3, 1, 7)):
    rows = []
    for image, objects in boxes.items():
        for category, box, width, height in objects:
            if rng.random() < found and category in categories:
                wrong = rng.random() < 0.15
                say = rng.choice([c for c in categories if c != category]) if wrong else category
                moved = shifted(box, most, width, height)
                row = {"image_id": image, "category_id": say,
                       "score": round(least + (1 - least) * (0.35 + 0.65 * rng.random()), 2)}
                if regions:
                    row["segmentation"] = runs(*moved, width, height)
                    row["segmentation"]["counts"] = compressed(row["segmentation"]["counts"])
                else:
                    row["bbox"] = moved
                rows.append(row)
                if rng.random() < 0.1:
                    rows.append(dict(row, score=round(least + 0.1 * rng.random(), 2)))
        if rng.random() < 0.25:
            row = {"image_id": image, "category_id": rng.choice(categories),
                   "score": round(least + 0.5 * rng.random(), 2)}
            box = [1, 1, rng.randint(4, 12), rng.randint(4, 12)]
            if regions:
                row["segmentation"] = runs(*box, *size_of(boxes, image))
                row["segmentation"]["counts"] = compressed(row["segmentation"]["counts"])
            else:
                row["bbox"] = box
            rows.append(row)
    return rows


def size_of(boxes, image):
    return next(((w, h) for _, _, w, h in boxes[image]), (48, 36))


def compressed(counts):
    """COCO's compressed run lengths."""
    text = ""
    for index, count in enumerate(counts):
        value = count - counts[index - 2] if index > 2 else count
        more = True
        while more:
            bits = value & 31
            value >>= 5
            more = value != -1 if bits & 16 else value != 0
            text += chr(48 + (bits | 32 if more else bits))
    return text


def masks(images, boxes):
    """Of s1 and s2 a map of the class car, in digits of 0 to 9; of s3 one box for each class."""
    out = {"s1": [], "s2": [], "s3": []}
    for split in ("train", "val"):
        for image in images[split]:
            width, height = image["width"], image["height"]
            cars = [box for category, box, _, _ in boxes[image["id"]] if category == 3]
            key = f"{split}/{image['file_name']}"
            for name, blur in (("s1", 3), ("s2", 1)):
                moved = [shifted(box, 2 * blur, width, height) for box in cars]
                digits = ""
                for row in range(9):
                    for column in range(12):
                        x, y = (column + 0.5) * width / 12, (row + 0.5) * height / 9
                        inside = any(b[0] <= x < b[0] + b[2] and b[1] <= y < b[1] + b[3] for b in moved)
                        value = 9 - rng.randint(0, blur + 1) if inside else rng.randint(0, blur + 1)
                        digits += str(min(9, max(0, value)))
                if image["id"] not in (1000 - 7 * 12,):
                    out[name].append({"sample": key, "car": digits})
            row = {"sample": key}
            for category, box, _, _ in boxes[image["id"]]:
                name = {3: "car", 1: "person"}[category]
                if name not in row and rng.random() < 0.9:
                    row[name] = shifted(box, 2, width, height)
            out["s3"].append(row)
    out["es"] = [{"sample": f"{i}.png", "car": [3 * i, 4, 10, 8]} for i in range(1, 4)] + [{"sample": "4.png"}]
    dump("masks.json", out)


def odd():
    dump("odd-gt.json", {
        "images": [{"id": 1, "width": 50, "height": 40}, {"id": 2, "width": 50, "height": 40},
                   {"id": 3}],
        "categories": [{"id": 1, "name": "cat"}, {"id": 2, "name": "dog"}, {"id": 3, "name": "cow"}],
        "annotations": [
            {"id": 0, "image_id": 1, "category_id": 1, "bbox": [5, 5, 20, 20], "area": 400, "iscrowd": 0},
            {"id": 1, "image_id": 1, "category_id": 2, "bbox": [20, 10, 10, 10], "area": 100, "iscrowd": 0},
            {"id": 2, "image_id": 2, "category_id": 2, "bbox": [0, 0, 40, 40], "area": 1600, "iscrowd": 1},
            {"id": 3, "image_id": 2, "category_id": 2, "bbox": [1, 1, 0, 5], "area": 0, "iscrowd": 0},
            {"id": 4, "image_id": 2, "category_id": 1, "bbox": [30, 20, 10, 10], "area": 100, "iscrowd": 0,
             "ignore": 1}]})
    dump("odd-dt.json", [
        {"image_id": 1, "category_id": 1, "bbox": [5, 5, 20, 20], "score": 0.9},
        {"image_id": 1, "category_id": 2, "bbox": [20, 10, 10, 10], "score": 0.5},
        {"image_id": 1, "category_id": 2, "bbox": [20, 11, 10, 10], "score": 0.5},
        {"image_id": 2, "category_id": 2, "bbox": [2, 2, 10, 10], "score": 0.8},
        {"image_id": 2, "category_id": 2, "bbox": [3, 3, 10, 10], "score": 0.8},
        {"image_id": 2, "category_id": 9, "bbox": [3, 3, 10, 10], "score": 0.7},
        {"image_id": 99, "category_id": 1, "bbox": [3, 3, 10, 10], "score": 0.7},
        {"image_id": 2, "category_id": 1, "bbox": [45, 35, 20, 20], "score": 0.2}])
    dump("empty/annotations.json", {
        "images": [{"id": i, "width": 48, "height": 36, "file_name": f"{i}.png"} for i in range(1, 5)],
        "categories": CATEGORIES[:2], "annotations": []})
    for index in range(1, 5):
        write(f"empty/{index}.png", png(48, 36, lambda x, y: (5 * x + 30 * index) % 256))
    dump("empty-d.json", [
        {"image_id": i, "category_id": 3, "bbox": [4 * i, 5, 12, 10], "score": round(0.2 * i, 1)}
        for i in range(1, 4)])
    write("cut.json", '[{"image_id": 1000, "category_id": 3, "bbox": [1, 2,')


TAGS = ["sky", "water", "person", "dog", "fog"]


def scenes():
    # A generator of its own: the other sets stay what they are.
    own = random.Random(5)
    shares = {"sky": 0.5, "water": 0.35, "person": 0.3, "dog": 0.2}
    keys, sets = [], []
    for index in range(60):
        names = [] if index % 12 == 7 else [name for name, share in shares.items() if own.random() < share]
        if index % 12 != 7 and not names:
            names = ["sky"]
        keys.append(f"{index:02}.png")
        sets.append(names)
        write(f"scenes/{keys[-1]}", png(12, 9, lambda x, y: (17 * x + 5 * y + 4 * index) % 256))
    lines = ["image,split," + ",".join(TAGS)]
    for index, (key, names) in enumerate(zip(keys, sets)):
        split = "train" if index < 40 else "val"
        lines.append(f"{key},{split}," + ",".join(str(int(tag in names)) for tag in TAGS))
    write("scenes/labels.csv", "\n".join(lines) + "\n")

    def scores(name, columns, spread, rows):
        text = ["sample," + ",".join(columns)]
        for key, names in list(zip(keys, sets))[:rows]:
            row = [min(1, max(0, own.gauss(0.68 if tag in names else 0.3, spread))) for tag in columns]
            text.append(key + "," + ",".join(f"{score:.3f}" for score in row))
        write(name, "\n".join(text) + "\n")

    scores("m1.csv", TAGS, 0.2, 60)
    scores("m2.csv", ["dog", "person", "water", "sky"], 0.28, 50)
    scores("m0.csv", ["sky", "water", "person"], 0.2, 60)
    write("mbad.csv", "sample,sky,water,person,dog\n00.png,0.5,0.2,1.5,0.1\n")


classification()
IMAGES, BOXES = street()
dump("d1.json", results(BOXES, 2, 0.85))
dump("d2.json", results(BOXES, 1, 0.9))
dump("d3.json", results(BOXES, 1, 0.85, regions=True))
dump("d4.json", results(BOXES, 2, 0.8, least=0.4, categories=(3, 1)))
masks(IMAGES, BOXES)
odd()
scenes()
