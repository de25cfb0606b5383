"""Makes polygon_goldens.json: the pixels of polygons, computed by pycocotools 2.0.11 (numpy 2.4.6).

    python make_polygon_goldens.py > polygon_goldens.json
"""

import json

import numpy as np
from pycocotools import mask as coco

RANDOM = np.random.default_rng(11)


def numbers(count, low, high, decimals):
    return [round(float(value), decimals) for value in RANDOM.uniform(low, high, count)]


def case(width, height, rings):
    runs = coco.merge(coco.frPyObjects(rings, height, width))
    return {"width": width, "height": height, "rings": rings, "counts": runs["counts"].decode()}


def ring(width, height, corners, outside, decimals):
    xs = numbers(corners, -outside, width + outside, decimals)
    ys = numbers(corners, -outside, height + outside, decimals)
    return [value for pair in zip(xs, ys) for value in pair]


cases = []
for width, height in ((1, 1), (7, 5), (40, 30), (3, 90), (120, 64)):
    for corners, outside, decimals in ((3, 0, 2), (4, 0, 0), (5, 3, 1), (12, 0, 2), (30, 20, 3), (6, 2000, 2)):
        cases.append(case(width, height, [ring(width, height, corners, outside, decimals)]))
    cases.append(case(width, height, [ring(width, height, 5, 1, 2) for _ in range(3)]))
# Horizontal, vertical and steep edges, an edge on the border, a thin ring, one without pixels, one that is all outside.
cases.append(case(20, 10, [[2, 2, 8, 2, 8, 7, 2, 7]]))
cases.append(case(20, 10, [[0, 0, 20, 0, 20, 10, 0, 10]]))
cases.append(case(20, 10, [[3, 0, 3.2, 9, 3.4, 0]]))
cases.append(case(20, 10, [[1.1, 1.1, 1.2, 1.1, 1.2, 1.2]]))
cases.append(case(20, 10, [[-9, -9, -3, -9, -3, -2]]))
cases.append(case(20, 10, [[5, 5, 5, 5, 5, 5]]))
cases.append(case(20, 10, [[1, 1, 9, 9, 9, 1, 1, 9]]))
print(json.dumps(cases, separators=(",", ":")))
