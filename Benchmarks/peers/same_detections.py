"""Checks that assay's boxes equal the peer's.

    same_detections.py CATALOG.DB RUN PEER.JSON

Boxes are paired by image and class in the order of their scores. At most one in a thousand may have no partner within
half a pixel and a score of 0.001: the two compute overlaps with different arithmetic, and a box near a threshold
can fall on either side.
"""
import collections
import json
import os
import sqlite3
import sys

rows = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True).execute(
    "SELECT s.key, d.class, d.confidence, d.x, d.y, d.width, d.height FROM detection d JOIN sample s ON s.id = d.sample"
    " JOIN run r ON r.id = d.run WHERE r.name = ?", (sys.argv[2],))
own, peer = collections.defaultdict(list), collections.defaultdict(list)
for key, number, *rest in rows:
    own[os.path.basename(key), number].append(rest)
with open(sys.argv[3]) as file:
    for found in json.load(file):
        peer[found["image"], found["class"]].append([found["score"], *found["bbox"]])
count, alone, worst = sum(map(len, own.values())), 0, 0.0
if count == 0:
    raise SystemExit("no boxes")
for key in own.keys() | peer.keys():
    left = sorted(peer[key], reverse=True)
    for box in sorted(own[key], reverse=True):
        near = [other for other in left if abs(other[0] - box[0]) < 1e-3
                and max(abs(a - b) for a, b in zip(other[1:], box[1:])) < 0.5]
        if not near:
            alone += 1
            continue
        best = min(near, key=lambda other: sum(abs(a - b) for a, b in zip(other, box)))
        worst = max(worst, max(abs(a - b) for a, b in zip(best[1:], box[1:])))
        left.remove(best)
    alone += len(left)
if alone > count / 1000:
    raise SystemExit(f"{alone} of {count} boxes have no partner")
print(f"{count} boxes, {'all' if alone == 0 else f'all but {alone}'} within {worst:.1g} pixels")
