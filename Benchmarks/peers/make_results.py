"""Writes the results of fictitious detectors, only for measuring.

    make_results.py FOLDER

Writes the missing ones of these files next to FOLDER/coco/instances_val.json; seeded, about a minute:
coco/bbox_results.json (100 boxes per image: the ground truth's, moved and resized, some twice, some of another class;
the rest random) and coco/segm_results.json (for most objects their moved polygons, for some a random one).
Scores have three decimals, so that many are equal and their order matters. Needs numpy and pycocotools.
"""
import json
import os
import sys

import numpy as np
from pycocotools import mask as coco_mask

AN_IMAGE = 100


def scored(rng, middle, spread):
    return round(float(np.clip(middle + rng.normal(0, spread), 0.01, 0.999)), 3)


def moved(rng, box, strength):
    x, y, width, height = box
    shift, scale = rng.normal(0, strength, 2), np.exp(rng.normal(0, strength, 2))
    return [x + shift[0] * width, y + shift[1] * height, width * scale[0], height * scale[1]]


def clipped(box, size):
    """The part inside the image, at least one pixel wide and high."""
    x, y = (max(0.0, float(value)) for value in box[:2])
    width, height = (max(1.0, min(float(length), limit - start))
                     for length, limit, start in zip(box[2:], size, (x, y)))
    return [round(value, 2) for value in (x, y, width, height)]


def anywhere(rng, size):
    lengths = np.clip(np.exp(rng.normal(4, 1, 2)), 3, np.array(size) - 2)
    return [*(rng.random(2) * (np.array(size) - lengths)), *lengths]


def boxes(rng, image, objects, classes):
    """The results of an image as class, box, score, in no order."""
    size, found = (image["width"], image["height"]), []
    for entry in objects:
        if entry["iscrowd"] or rng.random() < 0.12:
            continue
        for repeat in range(1 + int(rng.random() < 0.4) + int(rng.random() < 0.2)):
            strength = abs(rng.normal(0, 0.05 + 0.07 * repeat))
            kind = entry["category_id"] if rng.random() < 0.93 else int(rng.choice(classes))
            score = scored(rng, 0.92 - 3 * strength - 0.2 * repeat, 0.12)
            found.append((kind, moved(rng, entry["bbox"], strength), score))
    found = found[:AN_IMAGE]
    near = [entry["category_id"] for entry in objects] or classes
    while len(found) < AN_IMAGE:
        kind = int(rng.choice(near if rng.random() < 0.6 else classes))
        found.append((kind, anywhere(rng, size), scored(rng, 0.09, 0.08)))
    for place in rng.permutation(len(found)):
        kind, box, score = found[place]
        yield {"image_id": image["id"], "category_id": kind, "bbox": clipped(box, size), "score": score}


def regions(rng, image, objects, classes):
    size = (image["width"], image["height"])
    for entry in objects:
        if entry["iscrowd"]:
            continue
        shapes = []
        if rng.random() > 0.12:
            strength = abs(rng.normal(0, 0.05))
            polygons = [np.array(polygon).reshape(-1, 2) for polygon in entry["segmentation"]]
            shift = rng.normal(0, strength, 2) * entry["bbox"][2:]
            polygons = [polygon + shift + rng.normal(0, 0.8, polygon.shape) for polygon in polygons]
            kind = entry["category_id"] if rng.random() < 0.95 else int(rng.choice(classes))
            shapes.append((kind, polygons, scored(rng, 0.9 - 3 * strength, 0.12)))
        if rng.random() > 0.15:
            x, y, width, height = anywhere(rng, size)
            turn = np.sort(rng.random(24)) * 2 * np.pi
            reach = (0.8 + 0.2 * rng.random(24))[:, None]
            corners = np.stack([np.cos(turn), np.sin(turn)], 1) * reach * [width / 2, height / 2]
            kind = entry["category_id"] if rng.random() < 0.6 else int(rng.choice(classes))
            shapes.append((kind, [corners + [x + width / 2, y + height / 2]], scored(rng, 0.2, 0.15)))
        for kind, polygons, score in shapes:
            inside = [np.clip(polygon, 0, size).reshape(-1).tolist() for polygon in polygons]
            runs = coco_mask.merge(coco_mask.frPyObjects(inside, size[1], size[0]))
            yield {"image_id": image["id"], "category_id": kind, "score": score,
                   "segmentation": {"size": [size[1], size[0]], "counts": runs["counts"].decode()}}


def write(path, rng, truth, made):
    classes = [category["id"] for category in truth["categories"]]
    objects = {image["id"]: [] for image in truth["images"]}
    for entry in truth["annotations"]:
        objects[entry["image_id"]].append(entry)
    count = 0
    with open(path + ".part", "w") as file:
        file.write("[")
        for image in truth["images"]:
            for result in made(rng, image, objects[image["id"]], classes):
                file.write(("," if count else "") + json.dumps(result, separators=(",", ":")))
                count += 1
        file.write("]")
    os.replace(path + ".part", path)


def main():
    folder = os.path.join(sys.argv[1], "coco")
    missing = [(os.path.join(folder, name), seed, made)
               for name, seed, made in [("bbox_results.json", 500, boxes), ("segm_results.json", 63, regions)]
               if not os.path.exists(os.path.join(folder, name))]
    if not missing:
        return
    with open(os.path.join(folder, "instances_val.json")) as file:
        truth = json.load(file)
    for path, seed, made in missing:
        print(f"writing coco/{os.path.basename(path)}", flush=True)
        write(path, np.random.default_rng(seed), truth, made)


main()
