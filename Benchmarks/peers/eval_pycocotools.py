"""Reference for the COCO evaluation: from files to the standard 12 metrics and the average precision of each class
with pycocotools; −1 if undefined.

    eval_pycocotools.py TRUTH.JSON RESULTS.JSON bbox|segm
"""
import contextlib
import io
import json
import sys

from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

truth, results, kind = sys.argv[1:]
with contextlib.redirect_stdout(io.StringIO()):
    coco = COCO(truth)
    evaluation = COCOeval(coco, coco.loadRes(results), kind)
    evaluation.evaluate()
    evaluation.accumulate()
    evaluation.summarize()
# Thresholds, recalls, classes; all areas, 100 detections.
precision = evaluation.eval["precision"][:, :, :, 0, -1]
classes = {}
for place, number in enumerate(evaluation.params.catIds):
    defined = precision[:, :, place][precision[:, :, place] > -1]
    classes[coco.cats[number]["name"]] = float(defined.mean()) if defined.size else -1.0
print(json.dumps({"check": [float(value) for value in evaluation.stats], "classes": classes}))
