#!/usr/bin/env python3
"""Makes segmentation.json beside this file.

Needs scikit-learn 1.9.1, pycocotools 2.0.11, scipy 1.17.1, numpy 2.4.6. Seeded: the same versions write the same bytes.
Compared in AssayMetricsTests with a tolerance of 1e-12.

IoU, Dice, precision, recall and accuracy come from scikit-learn over the judged pixels; those of binary masks are checked
here against pycocotools; boundary bands come from scipy's binary_erosion (3x3, a border of 0). Pixels are letters: A is
label 0, B label 1, ...; void is '-'.
"""
import json
import os
from importlib.metadata import version

import numpy as np
import scipy
import scipy.ndimage as ndi
import sklearn
import sklearn.metrics as m
from pycocotools import mask as coco

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = (f"scikit-learn {sklearn.__version__}, pycocotools {version('pycocotools')}, scipy {scipy.__version__}, "
         f"numpy {np.__version__}")
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
                   mean_boundary_iou=over("boundary_iou"))
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
    with open(os.path.join(HERE, "segmentation.json"), "w") as f:
        json.dump(dict(tools=TOOLS, cases=cases), f, separators=(",", ":"), allow_nan=False)
        f.write("\n")


main()
