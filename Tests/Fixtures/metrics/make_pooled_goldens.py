#!/usr/bin/env python3
"""Writes pooled.json: average precision over the objects of all classes at once, from pycocotools' own matches.

The matches of COCOeval (2.0.11, numpy 2.4.6) at each IoU, class by class, ranked together by score and read at
the 101 recalls as COCOeval.accumulate reads those of a class. One number per seed of random_coco.py; -1 where a set
has no object. Equal scores of different classes have no order of their own: sets with such are null.

  make_pooled_goldens.py
"""
import json, os

import numpy as np

import random_coco
from make_detection_goldens import compressed, evaluate

HERE = os.path.dirname(os.path.abspath(__file__))


def pooled(run):
    p = run.params
    entries = [e for k in range(len(p.catIds))
               for e in run.evalImgs[k * len(p.areaRng) * len(p.imgIds):][:len(p.imgIds)] if e]
    truths = sum(int((e["gtIgnore"] == 0).sum()) for e in entries)
    if truths == 0:
        return -1.0
    scores = np.concatenate([e["dtScores"] for e in entries])
    if len(np.unique(scores)) < len(scores):
        return None
    order = np.argsort(-scores, kind="mergesort")
    values = []
    for t in range(len(p.iouThrs)):
        matched = np.concatenate([e["dtMatches"][t] for e in entries])[order]
        skipped = np.concatenate([e["dtIgnore"][t] for e in entries])[order].astype(bool)
        tp = np.cumsum((matched != 0) & ~skipped).astype(float)
        fp = np.cumsum((matched == 0) & ~skipped).astype(float)
        recall, precision = tp / truths, tp / (fp + tp + np.spacing(1))
        for i in range(len(precision) - 1, 0, -1):
            precision[i - 1] = max(precision[i - 1], precision[i])
        places = np.searchsorted(recall, p.recThrs, side="left")
        values.append(np.mean([precision[i] if i < len(precision) else 0.0 for i in places]))
    return float(np.mean(values))


values = []
for seed in range(400):
    truth, results = random_coco.documents(random_coco.make(seed, "bbox"), "bbox", compressed)
    values.append(pooled(evaluate(truth, results, "bbox")))
with open(os.path.join(HERE, "pooled.json"), "w") as file:
    json.dump(values, file)
print(sum(v is not None and v >= 0 for v in values), "sets with a value,", sum(v is None for v in values), "with ties")
