"""A small Datumaro dataset with every type of annotation, written by Datumaro itself, and what
Datumaro reads from it (golden.json).

    python3 -m venv v && v/bin/pip install datumaro==1.13.12 && v/bin/python make.py

Also writes the labels, captions, panoptic segments, stuff and images of COCO that Datumaro exports:
../coco-labels/family and ../coco/family. Image names, sizes and annotations are fixed; nothing is random.
"""
import json
import shutil
from pathlib import Path

import numpy as np
from datumaro.components.annotation import (
    AnnotationType, Bbox, Caption, Ellipse, Label, LabelCategories, Mask, MaskCategories, Points,
    PointsCategories, Polygon, PolyLine)
from datumaro.components.dataset import Dataset
from datumaro.components.dataset_base import DatasetItem
from datumaro.components.media import Image

here = Path(__file__).parent
labels = LabelCategories.from_iterable([("cat", "animal"), ("dog", "animal"), ("road/side", "")])


def picture(width, height, value):
    pixels = np.zeros((height, width, 3), np.uint8)
    pixels[:, :, 0] = value
    pixels[:, :, 1] = np.arange(width, dtype=np.uint8)[None, :] * 7
    return Image.from_numpy(pixels, ext=".png")


def mask(width, height, x, y, w, h):
    pixels = np.zeros((height, width), bool)
    pixels[y:y + h, x:x + w] = True
    return pixels


def item(name, subset, size, annotations, value):
    return DatasetItem(id=name, subset=subset, media=picture(*size, value), annotations=annotations)


def write(dataset, target, form, **options):
    shutil.rmtree(target, ignore_errors=True)
    dataset.export(str(target), form, save_media=True, **options)


categories = {
    AnnotationType.label: labels,
    AnnotationType.points: PointsCategories.from_iterable([(0, ["nose", "tail"], {(1, 2)})]),
    AnnotationType.mask: MaskCategories({0: (10, 20, 30), 1: (40, 50, 60)}),
}
shapes = Dataset.from_iterable([
    item("a", "train", (20, 10), [
        Bbox(1, 2, 5, 4, label=0, id=7, group=3, z_order=1, attributes={"occluded": True, "track_id": 5}),
        Polygon([1, 1, 9, 1, 9, 6, 1, 6], label=1, id=8),
        Mask(mask(20, 10, 3, 4, 6, 5), label=2, id=9, attributes={"is_crowd": True}),
        PolyLine([0, 0, 5, 5, 10, 3], label=2, id=10),
        Points([2, 3, 4, 5], [2, 0], label=0, id=11, group=3),
        Caption("a cat beside a road", id=12),
        Ellipse(4, 2, 12, 8, label=1, id=13),
    ], 40),
    item("sub/b", "train", (12, 8), [Label(1), Bbox(0.5, 0.25, 3.5, 2, label=1)], 90),
    item("c", "val", (6, 6), [Label(0, attributes={"score": 0.5}), Label(2)], 120),
    item("d", "val", (7, 5), [], 160),
], categories=categories)
write(shapes, here / "shapes", "datumaro", image_ext=".png")

golden = []
for entry in Dataset.import_from(str(here / "shapes"), "datumaro"):
    for annotation in entry.annotations:
        line = [entry.subset, Path(entry.media.path).name, annotation.type.name]
        line.append("" if getattr(annotation, "label", None) is None else labels[annotation.label].name)
        if annotation.type in (AnnotationType.bbox, AnnotationType.polygon, AnnotationType.polyline):
            line.append(" ".join(str(float(v)) for v in annotation.get_bbox()))
        elif annotation.type == AnnotationType.mask:
            line.append(str(int(annotation.image.sum())))
        golden.append("|".join(line))
(here / "golden.json").write_text(json.dumps(sorted(golden), indent=1) + "\n")

multi = Dataset.from_iterable([
    item("a", "train", (10, 5), [Label(1), Label(0)], 40),
    item("b", "train", (10, 5), [], 50),
    item("c", "val", (5, 10), [Label(2)], 60),
], categories={AnnotationType.label: labels})
write(multi, here.parent / "coco-labels" / "family", "coco_labels", image_ext=".png")

segments = Dataset.from_iterable([
    item("a", "train", (10, 5), [
        Mask(mask(10, 5, 0, 0, 4, 5), label=0, id=7, group=7, attributes={"is_crowd": False}),
        Mask(mask(10, 5, 5, 1, 3, 4), label=2, id=300, group=300, attributes={"is_crowd": True}),
        Caption("first"), Caption("second"),
    ], 40),
    item("b", "val", (5, 10), [Mask(mask(5, 10, 1, 2, 2, 3), label=1, id=70000, group=70000)], 60),
], categories={AnnotationType.label: labels})
family = here.parent / "coco" / "family"
for form in ["coco_panoptic", "coco_captions", "coco_stuff", "coco_image_info"]:
    write(segments, family / form, form, image_ext=".png")
keypoints = Dataset.from_iterable([
    item("a", "train", (20, 10), [
        Points([2, 3, 4, 5], [2, 1], label=0, id=1, group=1), Bbox(1, 2, 5, 4, label=0, id=1, group=1),
    ], 40),
], categories=categories)
write(keypoints, family / "coco_person_keypoints", "coco_person_keypoints", image_ext=".png")
