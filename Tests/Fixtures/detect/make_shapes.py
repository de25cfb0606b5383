"""Two pictures, objects on them and the AP of a small detector: shapes/ and shapes.json.

python3 make_shapes.py   (needs numpy 2.4.6, pillow 13.0.0 and pycocotools 2.0.11)

The pictures are those of `picture` in ../models/plain_detector.py, and the detections are what that program wrote to
../models/detections.json for ../models/detect_yolox.onnx with the settings of shapes.yaml. The objects are some of
these boxes, moved a little; where an overlap would be so near a threshold that rounding decides, they are moved
again. One crowd is added. shapes.json has pycocotools' numbers.
"""
import contextlib
import io
import json
import random
from pathlib import Path

import numpy as np
from PIL import Image
from pycocotools import mask as codec
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

here = Path(__file__).parent
entry = next(m for m in json.loads((here / "../models/detections.json").read_text())["models"]
             if m["name"] == "yolox, wide input")
width, height = entry["size"]
random.seed(5)
(here / "shapes/val").mkdir(parents=True, exist_ok=True)
images, annotations, results = [], [], []
for number, found in enumerate(entry["pictures"]):
    y, x = np.mgrid[0:height, 0:width]
    pixels = np.stack([5 * x + 3 * y + 40 * number, 2 * x + 7 * y + 90 * number, x * y // 16 + 9 * number], axis=2)
    Image.fromarray((pixels % 256).astype(np.uint8)).save(here / f"shapes/val/{number}.png", optimize=True)
    images.append({"id": 5 + number, "width": width, "height": height, "file_name": f"{number}.png"})
    boxes = [row[2:6] for row in found]
    results += [{"image_id": 5 + number, "category_id": 1 + row[0], "bbox": row[2:6], "score": row[1]} for row in found]
    for row in random.sample(found, 9):
        while True:
            bx, by, w, h = row[2:6]
            spread = random.choice([0.02, 0.05, 0.1, 0.2])
            box = [round(v, 1) for v in (max(0, bx + random.gauss(0, spread) * w), max(0, by + random.gauss(0, spread) * h),
                                         w, h)]
            box[2:] = [round(min(box[2], width - box[0]), 1), round(min(box[3], height - box[1]), 1)]
            overlaps = codec.iou(boxes, [box], [0]).ravel()
            if min(box[2:]) > 1 and np.abs(overlaps[:, None] - np.arange(0.5, 1, 0.05)).min() > 1e-4:
                break
        annotations.append({
            "id": len(annotations) + 1, "image_id": 5 + number, "category_id": 1 + row[0], "iscrowd": 0, "bbox": box,
            "area": box[2] * box[3], "segmentation": [[
                round(v, 1) for v in (box[0], box[1], box[0] + box[2], box[1], box[0] + box[2], box[1] + box[3],
                                      box[0], box[1] + box[3])]]})
# A crowd: the lower left quarter of the second picture.
area = np.zeros((height, width), np.uint8, order="F")
area[height // 2:, :width // 2] = 1
runs, size = [height // 2, height // 2] * (width // 2) + [height * (width - width // 2)], [height, width]
annotations.append({
    "id": len(annotations) + 1, "image_id": 6, "category_id": 3, "iscrowd": 1, "area": float(area.sum()),
    "bbox": [0, height // 2, width // 2, height // 2], "segmentation": {"size": size, "counts": runs}})
truth = {"info": {}, "licenses": [], "images": images,
         "categories": [{"id": 1 + i, "name": name} for i, name in enumerate("abc")], "annotations": annotations}
(here / "shapes/instances_val.json").write_text(json.dumps(truth, separators=(",", ":")).replace("{\"id\"", "\n{\"id\"") + "\n")
with contextlib.redirect_stdout(io.StringIO()):
    coco = COCO(str(here / "shapes/instances_val.json"))
    e = COCOeval(coco, coco.loadRes(results), "bbox")
    e.evaluate()
    e.accumulate()
    e.summarize()
goldens = {"detections": len(results), "AP": float(e.stats[0]), "AP50": float(e.stats[1]), "AP75": float(e.stats[2])}
(here / "shapes.json").write_text(json.dumps(goldens) + "\n")
print(goldens)
