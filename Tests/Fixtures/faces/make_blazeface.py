#!/usr/bin/env python3
"""Writes blazeface.json: random outputs of a detector with two grids of anchors, and the boxes that numpy makes of them by
the rules of MediaPipe 0.10.14: `ssd_anchors_calculator.cc` with `fixed_anchor_size`, `tensors_to_detections_calculator.cc`
with `reverse_output_order`, and `WeightedNonMaxSuppression` of `non_max_suppression_calculator.cc`, in float64.

    make_blazeface.py       numpy 1.26.4 (seeded)"""
import json
import os

import numpy as np

here = os.path.dirname(os.path.abspath(__file__))
width, height, strides, anchors, points = 64, 32, [8, 16], [2, 3], 2
least, overlap = 0.3, 0.3


def centers():
    made = []
    for stride, count in zip(strides, anchors):
        rows, columns = height // stride, width // stride
        for y in range(rows):
            for x in range(columns):
                made += [((x + 0.5) / columns, (y + 0.5) / rows)] * count
    return np.array(made)


def decoded(raw, scale):
    """Edges, and x and y of the keypoints, in fractions of the input."""
    anchor = centers()
    x, y = raw[:, 0] / scale[0] + anchor[:, 0], raw[:, 1] / scale[1] + anchor[:, 1]
    w, h = raw[:, 2] / scale[0], raw[:, 3] / scale[1]
    places = raw[:, 4:].reshape(len(raw), points, 2) / np.array(scale) + anchor[:, None]
    return np.stack([x - w / 2, y - h / 2, x + w / 2, y + h / 2], 1), places.reshape(len(raw), -1)


def iou(a, b):
    shared = max(0, min(a[2], b[2]) - max(a[0], b[0])) * max(0, min(a[3], b[3]) - max(a[1], b[1]))
    area = lambda r: (r[2] - r[0]) * (r[3] - r[1])
    return shared / (area(a) + area(b) - shared)


def suppressed(raw, logits, scale, weighted):
    edges, places = decoded(raw, scale)
    scores = 1 / (1 + np.exp(-np.clip(logits.astype(np.float64), -100, 100)))
    rest = [i for i in np.argsort(-scores, kind="stable")
            if scores[i] >= least and edges[i][2] > edges[i][0] and edges[i][3] > edges[i][1]]
    found = []
    while rest:
        best = rest[0]
        joined = [i for i in rest if iou(edges[best], edges[i]) > overlap]
        rest = [i for i in rest if i not in joined]
        used = joined if weighted else [best]
        weights = scores[used] / scores[used].sum()
        values = np.concatenate([weights @ edges[used], weights @ places[used]])
        found.append({"score": scores[best], "members": len(joined), "values": (values * np.tile([width, height], 2 + points)).tolist()})
    return found


random = np.random.default_rng(7)
rows = len(centers())
raw = np.concatenate([random.normal(0, 4, (rows, 2)), random.uniform(-1, 24, (rows, 2)), random.normal(0, 9, (rows, 2 * points))], 1)
raw = np.round(raw, 3).astype(np.float32).astype(np.float64)
logits = np.round(random.normal(-1, 3, rows), 3).astype(np.float32)
logits[3], logits[70] = 400, -400
result = {"width": width, "height": height, "strides": strides, "anchors": anchors, "points": points, "score": least, "nms": overlap,
          "boxes": raw.astype(np.float32).reshape(-1).tolist(), "scores": logits.tolist(), "centers": centers().tolist()}
for kind in ("weighted", "greedy"):
    result[kind] = suppressed(raw, logits, (width, height), kind == "weighted")
with open(os.path.join(here, "blazeface.json"), "w") as file:
    json.dump(result, file, separators=(",", ":"))
    file.write("\n")
print(rows, [[len(result[k]), max(b["members"] for b in result[k])] for k in ("weighted", "greedy")])
