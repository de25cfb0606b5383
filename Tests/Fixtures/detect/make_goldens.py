"""Made-up results for coco/mini, and pycocotools 2.0.11's numbers of them and of val2014_100: goldens.json.

python3 make_goldens.py ../../../../shared/data/coco   (needs pycocotools 2.0.11)

mini_bbox.json and mini_segm.json hold boxes and run lengths beside this script: every object of the truth
moved a little, some of another class, some twice, some not at all, and some boxes where nothing is.
Numbers are shortest decimals, which read back to the same doubles; undefined ones (-1) are null.
"""
import contextlib
import io
import json
import random
import sys
from pathlib import Path

import numpy as np
from pycocotools import mask as codec
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

here = Path(__file__).parent
data = Path(sys.argv[1])
NAMES = ["AP", "AP50", "AP75", "APs", "APm", "APl", "AR1", "AR10", "AR100", "ARs", "ARm", "ARl"]


def quiet(body):
    with contextlib.redirect_stdout(io.StringIO()):
        return body()


def make(truth):
    """Boxes and regions near the truth."""
    random.seed(4)
    boxes, regions = [], []
    categories = truth.getCatIds()
    for image in sorted(truth.imgs):
        info = truth.imgs[image]
        for a in truth.imgToAnns[image]:
            for _ in range(random.choice([0, 1, 1, 1, 1, 2])):
                x, y, w, h = a["bbox"]
                spread = random.choice([0, 0.03, 0.1, 0.3])
                moved = [v + random.gauss(0, spread) * s for v, s in zip((x, y, w, h), (w, h, w, h))]
                moved = [round(moved[0], 2), round(moved[1], 2), round(abs(moved[2]), 2), round(abs(moved[3]), 2)]
                category = a["category_id"] if random.random() < 0.85 else random.choice(categories)
                # Few digits, so that scores tie.
                score = round(random.random(), 2)
                boxes.append(dict(image_id=image, category_id=category, bbox=moved, score=score))
                if not a["iscrowd"]:
                    area = np.roll(truth.annToMask(a), random.randint(-3, 3), axis=random.randint(0, 1))
                    rle = codec.encode(np.asfortranarray(area))
                    regions.append(dict(
                        image_id=image, category_id=category, score=score,
                        segmentation=dict(size=rle["size"], counts=rle["counts"].decode())))
        for _ in range(random.randint(0, 3)):
            w, h = random.random() * info["width"] / 2, random.random() * info["height"] / 2
            boxes.append(dict(
                image_id=image, category_id=random.choice(categories), score=round(random.random() / 2, 2),
                bbox=[round(v, 2) for v in (random.random() * w, random.random() * h, w, h)]))
    return boxes, regions


def evaluate(truth, results, kind):
    e = COCOeval(truth, quiet(lambda: truth.loadRes(str(results))), kind)
    quiet(lambda: (e.evaluate(), e.accumulate(), e.summarize()))
    precision = e.eval["precision"][:, :, :, 0, 2]
    classes = {}
    for i, category in enumerate(e.params.catIds):
        values = precision[:, :, i]
        values = values[values > -1]
        classes[truth.cats[category]["name"]] = float(values.mean()) if values.size else None
    stats = [None if v == -1 else float(v) for v in e.stats]
    return dict(stats=dict(zip(NAMES, stats)), per_category_ap=classes)


def write(name, rows):
    (here / name).write_text("[" + ",\n".join(json.dumps(r, separators=(",", ":")) for r in rows) + "]\n")


mini = quiet(lambda: COCO(str(data / "mini/instances_val2017.json")))
boxes, regions = make(mini)
write("mini_bbox.json", boxes)
write("mini_segm.json", regions)
folder = data / "val2014_100"
small = quiet(lambda: COCO(str(folder / "instances_val2014_100.json")))
fake = "instances_val2014_fake{}100_results.json"
goldens = {
    "mini bbox": evaluate(mini, here / "mini_bbox.json", "bbox"),
    "mini segm": evaluate(mini, here / "mini_segm.json", "segm"),
    "mini boxes of regions": evaluate(mini, here / "mini_segm.json", "bbox"),
    "val2014_100 bbox": evaluate(small, folder / fake.format("bbox"), "bbox"),
    "val2014_100 segm": evaluate(small, folder / fake.format("segm"), "segm"),
}
(here / "goldens.json").write_text(json.dumps(goldens, indent=1) + "\n")
