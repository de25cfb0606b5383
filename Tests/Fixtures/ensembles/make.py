"""Weighted box fusion by ensemble-boxes 1.0.9 (NumPy in the version of wbf.json), and means by NumPy.

    python3 make.py

Boxes are shares of the image for ensemble-boxes; the file has pixels, x, y, width, height.
ensemble-boxes rounds merged boxes and scores to 32 bits, so it is compared within 1e-4 pixels and
1e-6 of a score.
"""

import json
import os
import warnings

import numpy as np
from ensemble_boxes import weighted_boxes_fusion

os.chdir(os.path.dirname(os.path.abspath(__file__)))
warnings.simplefilter("ignore")
random = np.random.default_rng(8)
cases = []
for number in range(120):
    width, height = (int(v) for v in random.integers(20, 800, 2))
    models = int(random.integers(2, 5))
    weights = [1.0] * models if number % 3 else [float(w) for w in random.integers(1, 5, models)]
    options = {"iou": float(random.choice([0.3, 0.55, 0.7])), "least": float(random.choice([0.0, 0.2])),
               "score": str(random.choice(["mean", "max"]))}
    objects = random.random((int(random.integers(0, 6)), 4))
    lists, given = [], []
    for _ in range(models):
        boxes, scores, labels = [], [], []
        for o in objects:
            for _ in range(int(random.integers(0, 3))):
                x, y = o[:2] * 0.7 + random.normal(0, 0.02, 2)
                w, h = 0.05 + o[2:] * 0.3 + random.normal(0, 0.01, 2)
                boxes.append([x, y, x + max(w, 0.01), y + max(h, 0.01)])
                scores.append(float(np.float32(random.random())))
                labels.append(int(random.integers(0, 2)))
        if number % 10 == 0 and boxes:
            boxes[0] = [0.4, 0.4, 0.4, 0.6]  # No area.
        given.append([[c, s, b[0] * width, b[1] * height, (b[2] - b[0]) * width, (b[3] - b[1]) * height]
                      for b, s, c in zip(boxes, scores, labels)])
        lists.append((boxes, scores, labels))
    boxes, scores, labels = weighted_boxes_fusion(
        [a[0] for a in lists], [a[1] for a in lists], [a[2] for a in lists], weights=weights,
        iou_thr=options["iou"], skip_box_thr=options["least"],
        conf_type={"mean": "avg", "max": "max"}[options["score"]])
    expected = [[int(c), float(s), float(b[0]) * width, float(b[1]) * height,
                 float(b[2] - b[0]) * width, float(b[3] - b[1]) * height]
                for b, s, c in zip(boxes, scores, labels)]
    cases.append({"width": width, "height": height, "weights": weights, **options, "lists": given,
                  "expected": expected})
json.dump({"numpy": np.__version__, "cases": cases}, open("wbf.json", "w"))
rows = random.dirichlet([1, 1, 1], (3, 20)).astype(np.float32)
weights = [1.0, 2.0, 0.5]
mean = np.average(rows.astype(np.float64), axis=0, weights=weights).astype(np.float32)
json.dump({"rows": rows.astype(float).tolist(), "weights": weights, "mean": mean.astype(float).tolist()},
          open("means.json", "w"))
