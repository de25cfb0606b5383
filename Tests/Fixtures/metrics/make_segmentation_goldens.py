#!/usr/bin/env python3
"""Makes segmentation.json beside this file.

Needs scikit-learn 1.9.1, pycocotools 2.0.11, MedPy 0.5.2, scipy 1.17.1, numpy 2.4.6. Seeded: the same versions write the same bytes.
Compared in AssayMetricsTests with a tolerance of 1e-12.

IoU, Dice, precision, recall and accuracy come from scikit-learn over the judged pixels; those of binary masks are checked
here against pycocotools; boundary bands come from scipy's binary_erosion (3x3, a border of 0). Hausdorff distances come
from MedPy's hd95; MedPy knows no void pixels, so with them the same steps are done here with scipy. Pixels are letters: A
is label 0, B label 1, ...; void is '-'.
"""
import json
import os
from importlib.metadata import version

import numpy as np
import scipy
import scipy.ndimage as ndi
import sklearn
import sklearn.metrics as m
from medpy.metric.binary import hd95
from pycocotools import mask as coco

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = (f"scikit-learn {sklearn.__version__}, pycocotools {version('pycocotools')}, MedPy {version('medpy')}, "
         f"scipy {scipy.__version__}, numpy {np.__version__}")
VOID = 255


def none(x):
    return None if x is None or np.isnan(x) else float(x)


def mean(values):
    values = [v for v in values if v is not None]
    return float(np.mean(values)) if values else None


def per_class(t, p, labels):
    """IoU, Dice, precision, recall a label, None where undefined; t and p hold judged pixels only."""
    if t.size == 0:
        return {k: [None] * len(labels) for k in ("iou", "dice", "precision", "recall")}
    present = [bool((t == c).any() or (p == c).any()) for c in labels]
    prec, rec, _, _ = m.precision_recall_fscore_support(t, p, labels=labels, zero_division=np.nan)
    iou = m.jaccard_score(t, p, labels=labels, average=None, zero_division=0)
    dice = m.f1_score(t, p, labels=labels, average=None, zero_division=0)
    return dict(iou=[float(v) if k else None for v, k in zip(iou, present)],
                dice=[float(v) if k else None for v, k in zip(dice, present)],
                precision=[none(v) for v in prec], recall=[none(v) for v in rec])


def band(mask, void):
    h, w = mask.shape
    d = max(1, int(np.round(0.02 * np.sqrt(h * h + w * w))))      # np.round: half to even
    inner = ndi.binary_erosion(mask | void, structure=np.ones((3, 3)), iterations=d, border_value=0)
    return mask & ~inner & ~void


def bands(t, p, labels):
    """Intersection and union of the boundary bands a label."""
    void = t == VOID
    out = []
    for c in labels:
        a, b = band(t == c, void), band((p == c) & ~void, void)
        out.append((int((a & b).sum()), int((a | b).sum())))
    return out


def hausdorff95(t, p, label):
    """In pixels; None where a mask has no edge."""
    void = t == VOID
    a, b = t == label, (p == label) & ~void
    edge = [x & ~ndi.binary_erosion(x | void, border_value=0) for x in (a, b)]
    if not (edge[0].any() and edge[1].any()):
        return None
    reach = [ndi.distance_transform_edt(~e) for e in edge]
    value = np.percentile(np.hstack((reach[1][edge[0]], reach[0][edge[1]])), 95)
    if not void.any():
        assert abs(value - hd95(a, b)) < 1e-12
        value = hd95(a, b)
    return float(value)


def expected(samples, k, background, empty):
    labels = list(range(k))
    judged = labels[1:] if background else labels
    binary = len(judged) == 1
    flat = [(t[t != VOID], p[t != VOID]) for t, p in samples]
    T, P = np.concatenate([t for t, _ in flat]), np.concatenate([p for _, p in flat])
    known = judged if binary else [c for c in judged if (T == c).any() or (P == c).any()]
    pooled = per_class(T, P, judged)
    rule = dict(undefined=None, one=1.0, zero=0.0)[empty]
    rows = []
    edges = [bands(t, p, labels) for t, p in samples]
    for (t, p), edge in zip(flat, edges):
        one = per_class(t, p, known)
        for i, c in enumerate(known):
            if not ((t == c).any() or (p == c).any()):
                for key in one:
                    one[key][i] = rule
        biou = [rule if not ((t == c).any() or (p == c).any()) else edge[c][0] / edge[c][1] if edge[c][1] else None for c in known]
        rows.append(dict(iou=mean(one["iou"]), dice=mean(one["dice"]), precision=mean(one["precision"]), recall=mean(one["recall"]),
                         boundary_iou=mean(biou), pixel_accuracy=float(m.accuracy_score(t, p)) if t.size else None))
    if binary:
        for row, (t, p) in zip(rows, samples):
            row["hausdorff95"] = hausdorff95(t, p, judged[0])
    sums = np.array(edges).sum(0)
    over = lambda key: mean([r[key] for r in rows])
    out = dict(
        pixel_accuracy=float(m.accuracy_score(T, P)) if T.size else None, mean_pixel_accuracy=over("pixel_accuracy"),
        class_iou=pooled["iou"], class_dice=pooled["dice"], precision=pooled["precision"], recall=pooled["recall"],
        support=[int((T == c).sum()) for c in judged],
        class_boundary_iou=[float(sums[c][0] / sums[c][1]) if sums[c][1] else None for c in judged],
        boundary_iou=float(sums[judged, 0].sum() / sums[judged, 1].sum()) if sums[judged, 1].sum() else None)
    present = T.size and np.isin(T, judged).any() or np.isin(P, judged).any()
    out["iou"] = float(m.jaccard_score(T, P, labels=judged, average="micro")) if present else None
    out["dice"] = float(m.f1_score(T, P, labels=judged, average="micro")) if present else None
    if binary:
        out.update(mean_iou=over("iou"), mean_dice=over("dice"), mean_precision=over("precision"), mean_recall=over("recall"),
                   mean_boundary_iou=over("boundary_iou"), mean_hausdorff95=over("hausdorff95"))
    else:
        support = np.array(out["support"], float)
        out.update(miou=mean(pooled["iou"]), mdice=mean(pooled["dice"]), sample_miou=over("iou"), sample_mdice=over("dice"),
                   mean_class_accuracy=mean(pooled["recall"]),
                   frequency_weighted_iou=float(np.average([v or 0 for v in pooled["iou"]], weights=support)) if support.sum() else None)
    confusion = m.confusion_matrix(T, P, labels=labels).tolist() if T.size else [[0] * k for _ in labels]
    return dict(scores=out, samples=rows, confusion=confusion, void=int(sum((t == VOID).sum() for t, _ in samples)),
                boundary=[[n for pair in e for n in pair] for e in edges])


def check_with_pycocotools(samples):
    for t, p in samples:
        if (t == VOID).any():
            continue
        a, b = (coco.encode(np.asfortranarray((x == 1).astype(np.uint8))) for x in (t, p))
        if coco.area(a) + coco.area(b) > 0:
            assert abs(coco.iou([a], [b], [0])[0][0] - m.jaccard_score((t == 1).ravel(), (p == 1).ravel())) < 1e-15


def distance_pairs():
    """Pairs of masks of odd shapes for hd95, 60 of them."""
    rng = np.random.default_rng(95)

    def mask(h, w, *boxes):
        m = np.zeros((h, w), np.uint8)
        for top, left, bottom, right, value in boxes:
            m[top:bottom, left:right] = value
        return m

    def line(h, w, y0, x0, y1, x1):
        m = np.zeros((h, w), np.uint8)
        n = max(abs(y1 - y0), abs(x1 - x0)) + 1
        m[np.round(np.linspace(y0, y1, n)).astype(int), np.round(np.linspace(x0, x1, n)).astype(int)] = 1
        return m

    def disc(h, w, y, x, r):
        a, b = np.mgrid[:h, :w]
        return ((a - y) ** 2 + (b - x) ** 2 <= r * r).astype(np.uint8)

    pixel = lambda h, w, y, x: mask(h, w, (y, x, y + 1, x + 1, 1))
    ring = disc(24, 24, 12, 12, 10) - disc(24, 24, 12, 12, 6)
    holes = mask(20, 26, (2, 2, 18, 24, 1), (5, 5, 8, 9, 0), (11, 14, 16, 15, 0), (4, 20, 5, 21, 0))
    chess = (np.indices((15, 22)).sum(0) % 2).astype(np.uint8)
    frame = mask(18, 19, (0, 0, 18, 19, 1), (1, 1, 17, 18, 0))
    blank, full = np.zeros((11, 9), np.uint8), np.ones((11, 9), np.uint8)
    pairs = [
        (pixel(7, 9, 0, 0), pixel(7, 9, 6, 8)), (pixel(1, 30, 0, 2), pixel(1, 30, 0, 29)), (pixel(30, 1, 3, 0), pixel(30, 1, 3, 0)),
        (pixel(9, 9, 4, 4), mask(9, 9, (0, 0, 9, 9, 1))), (pixel(1, 1, 0, 0), pixel(1, 1, 0, 0)), (pixel(12, 40, 5, 1), pixel(12, 40, 6, 39)),
        (line(20, 30, 3, 0, 3, 29), line(20, 30, 15, 0, 15, 29)), (line(20, 30, 0, 4, 19, 4), line(20, 30, 10, 0, 10, 29)),
        (line(25, 25, 0, 0, 24, 24), line(25, 25, 0, 24, 24, 0)), (line(16, 33, 1, 1, 14, 30), line(16, 33, 3, 1, 15, 25)),
        (ring, disc(24, 24, 12, 12, 10)), (ring, disc(24, 24, 12, 12, 2)), (ring, np.roll(ring, (2, -3), (0, 1))), (ring, 1 - ring),
        (holes, (holes > 0) | (mask(20, 26, (2, 2, 18, 24, 1)) > 0)), (holes, np.roll(holes, 3, 1)), (holes, 1 - holes),
        (chess, 1 - chess), (chess, pixel(15, 22, 7, 21)), (chess[:, ::-1], np.ones((15, 22), np.uint8)),
        (frame, mask(18, 19, (8, 9, 9, 10, 1))), (frame, np.ones((18, 19), np.uint8)), (frame, mask(18, 19, (0, 0, 18, 1, 1))),
        (mask(14, 17, (0, 0, 5, 6, 1)), mask(14, 17, (9, 11, 14, 17, 1))), (mask(14, 17, (0, 3, 14, 9, 1)), mask(14, 17, (0, 0, 6, 17, 1))),
        (mask(40, 3, (0, 0, 20, 3, 1)), mask(40, 3, (19, 1, 40, 2, 1))), (mask(2, 64, (0, 0, 2, 40, 1)), mask(2, 64, (0, 0, 1, 64, 1))),
        (mask(10, 90, (2, 1, 9, 5, 1), (4, 85, 5, 86, 1)), mask(10, 90, (2, 2, 9, 6, 1))),
        (full, blank), (blank, full), (blank, blank), (full, full), (pixel(11, 9, 10, 8), blank),
        (np.pad(chess, ((0, 0), (0, 120))), pixel(15, 142, 14, 141)),
    ]
    while len(pairs) < 60:
        h, w = (int(v) for v in rng.integers(1, 36, 2))
        density = rng.choice([0.02, 0.1, 0.5, 0.9])
        if len(pairs) % 2:
            pairs.append(tuple((rng.random((h, w)) < density).astype(np.uint8) for _ in range(2)))
        else:
            f = ndi.gaussian_filter(rng.normal(size=(2, h, w)), (0, 2, 2), mode="nearest")
            pairs.append(tuple((x > np.quantile(x, 1 - density)).astype(np.uint8) for x in (f[0], f[0] + f[1])))
    return [(np.asarray(t, np.uint8), np.asarray(p, np.uint8)) for t, p in pairs]


def letters(a):
    return "".join("-" if v == VOID else chr(65 + v) for v in a.ravel())


def main():
    rng = np.random.default_rng(30)
    cases = []

    def smooth(h, w, k, scale=2.0):
        f = ndi.gaussian_filter(rng.normal(size=(k, h, w)), (0, scale, scale), mode="nearest")
        return f.argmax(0).astype(np.uint8)

    def disturbed(t, k, share=0.15):
        p = np.roll(t, (int(rng.integers(-2, 3)), int(rng.integers(-2, 3))), (0, 1))
        noise = rng.random(t.shape) < share
        return np.where(noise, smooth(*t.shape, k, 1.0), p).astype(np.uint8)

    def void(t, share):
        f = ndi.gaussian_filter(rng.normal(size=t.shape), 1.5)
        return np.where(f > np.quantile(f, 1 - share), VOID, t).astype(np.uint8)

    def add(name, samples, k, background, empty="undefined"):
        if background and k == 2:
            check_with_pycocotools(samples)
        cases.append(dict(name=name, labels=k, background=background, empty=empty,
                          samples=[dict(width=t.shape[1], height=t.shape[0], truth=letters(t), predicted=letters(p)) for t, p in samples],
                          expected=expected(samples, k, background, empty)))

    def random(n, k, h, w, share=0.0):
        out = []
        for _ in range(n):
            t = smooth(h, w, k)
            p = disturbed(t, k)
            out.append((void(t, share) if share else t, p))
        return out

    add("binary", random(5, 2, 17, 23), 2, True)
    add("binary with void pixels", random(5, 2, 20, 15, 0.2), 2, True)
    blank, full = np.zeros((9, 12), np.uint8), np.ones((9, 12), np.uint8)
    shape = smooth(9, 12, 2)
    pairs = [(blank, blank), (shape, blank), (blank, shape), (shape, shape), (full, full), (full, shape), (blank, blank)]
    for empty in ("undefined", "one", "zero"):
        add(f"empty pairs are {empty}", pairs, 2, True, empty)
    add("empty throughout", [(blank, blank)] * 3, 2, True)
    add("empty throughout is one", [(blank, blank)] * 3, 2, True, "one")
    add("only void", [(np.full((4, 5), VOID, np.uint8), np.ones((4, 5), np.uint8))], 2, True)
    island = np.full((12, 12), VOID, np.uint8)
    island[3:9, 3:9] = 1
    add("a mask that void surrounds", [(island, np.ones((12, 12), np.uint8)), (shape, shape)], 2, True)
    add("five classes", random(5, 5, 24, 18), 5, False)
    add("five classes with void pixels", random(5, 5, 18, 24, 0.15), 5, False)
    add("four classes and a background", random(4, 5, 20, 20), 5, True)
    few = random(4, 3, 16, 16)
    for empty in ("undefined", "one", "zero"):
        add(f"classes that never occur, empty pairs are {empty}",
            few + [(np.zeros((16, 16), np.uint8), np.full((16, 16), 2, np.uint8))], 6, True, empty)
    add("a class that is only predicted", [(np.zeros((6, 7), np.uint8), np.array([[0, 3, 3, 0, 0, 0, 1]] * 6, np.uint8))], 4, False)
    big = random(1, 3, 60, 110, 0.1)
    add("a band of 3 pixels", big, 3, False)
    line = np.zeros((1, 40), np.uint8)
    line[0, 7:21] = 1
    add("one row", [(line, np.roll(line, 3, 1))], 2, True)
    add("one pixel", [(np.ones((1, 1), np.uint8), np.ones((1, 1), np.uint8)), (np.zeros((1, 1), np.uint8), np.ones((1, 1), np.uint8))], 2, True)
    add("nineteen classes", random(3, 19, 30, 40, 0.1), 19, False)
    add("distances between edges", [(t, p) for t, p in distance_pairs()], 2, True)
    with open(os.path.join(HERE, "segmentation.json"), "w") as f:
        json.dump(dict(tools=TOOLS, cases=cases), f, separators=(",", ":"), allow_nan=False)
        f.write("\n")


main()
