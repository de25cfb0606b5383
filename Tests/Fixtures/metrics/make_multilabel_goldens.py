#!/usr/bin/env python3
"""Makes multilabel.json beside this file: random sets of samples with sets of classes, and their scores.

Needs scikit-learn 1.9.1, numpy 2.4.6. Seeded: the same versions write the same bytes. Compared in
AssayMetricsTests with a tolerance of 1e-12.

Conventions where scikit-learn has none or warns: undefined values are null. For one class scikit-learn's
multi-label functions refuse; there the plain formulas are written out.
"""
import json
import os
import warnings
from fractions import Fraction

import numpy as np
import sklearn
import sklearn.metrics as m

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = f"scikit-learn {sklearn.__version__}, numpy {np.__version__}"
warnings.simplefilter("ignore")


def rounded(x):
    return None if x is None or np.isnan(x) else float(x)


def mean(values):
    values = [x for x in values if x is not None]
    return float(np.mean(values)) if values else None


def best(y, s):
    """The largest F1 of all thresholds at a score, and the largest such threshold; exact."""
    if not y.any():
        return None, None
    f1 = {t: Fraction(2 * int((y[s >= t] == 1).sum()), int(y.sum()) + int((s >= t).sum())) for t in set(s)}
    top = max(f1.values())
    threshold = max(t for t, value in f1.items() if value == top)
    assert abs(m.f1_score(y, s >= threshold) - float(top)) < 1e-14
    return float(top), float(threshold)


def expected(y, s, threshold):
    n, k = y.shape
    p = (s >= s.dtype.type(threshold)).astype(int)
    ks = range(k)
    per = lambda f, **o: [rounded(f(y[:, c], p[:, c], zero_division=np.nan, **o)) for c in ks]
    e = dict(precision=per(m.precision_score), recall=per(m.recall_score), f1=per(m.f1_score))
    e["jaccard"] = [
        rounded(m.jaccard_score(y[:, c], p[:, c])) if y[:, c].any() or p[:, c].any() else None for c in ks]
    e["support"] = [int(y[:, c].sum()) for c in ks]
    tables = [m.confusion_matrix(y[:, c], p[:, c], labels=[0, 1]) for c in ks]
    e["counts"] = [[int(t[1, 1]), int(t[0, 1]), int(t[1, 0]), int(t[0, 0])] for t in tables]
    both = [0 < y[:, c].sum() < n for c in ks]
    e["auroc_ovr"] = [float(m.roc_auc_score(y[:, c], s[:, c])) if both[c] else None for c in ks]
    seen = [y[:, c].any() for c in ks]
    e["average_precision"] = [
        float(m.average_precision_score(y[:, c], s[:, c])) if seen[c] else None for c in ks]
    bests = [best(y[:, c], s[:, c]) for c in ks]
    e["best_f1"], e["best_threshold"] = [b[0] for b in bests], [b[1] for b in bests]

    flat = (y.ravel(), p.ravel())
    for name, score in (("precision", m.precision_score), ("recall", m.recall_score), ("f1", m.f1_score)):
        if k > 1:
            e["macro_" + name] = float(score(y, p, average="macro", zero_division=0))
            e[f"macro_{name}_defined"] = rounded(score(y, p, average="macro", zero_division=np.nan))
            e["micro_" + name] = rounded(score(y, p, average="micro", zero_division=np.nan))
        else:
            e["macro_" + name] = float(score(*flat, zero_division=0))
            e[f"macro_{name}_defined"] = rounded(score(*flat, zero_division=np.nan))
            e["micro_" + name] = rounded(score(*flat, zero_division=np.nan))
    e["macro_jaccard"] = float(
        m.jaccard_score(y, p, average="macro", zero_division=0) if k > 1
        else m.jaccard_score(*flat, zero_division=0))
    use = np.array(both)
    e["macro_auroc_ovr"] = (
        float(m.roc_auc_score(y[:, use], s[:, use], average="macro")) if use.sum() > 1
        else mean(e["auroc_ovr"]))
    use = np.array(seen)
    e["mean_average_precision"] = (
        float(m.average_precision_score(y[:, use], s[:, use], average="macro")) if use.sum() > 1
        else mean(e["average_precision"]))
    e["micro_average_precision"] = (
        None if not y.any() else float(m.average_precision_score(y, s, average="micro")) if k > 1
        else float(m.average_precision_score(*(y.ravel(), s.ravel()))))
    e["subset_accuracy"] = float(m.accuracy_score(y, p))
    e["hamming_loss"] = float(m.hamming_loss(y, p))
    # Both are vacuous where no sample has a class and lacks another: null here, 0 and 1 in scikit-learn.
    ranked = (0 < y.sum(1)) & (y.sum(1) < k)
    e["ranking_loss"] = float(m.label_ranking_loss(y, s)) if ranked.any() else None
    e["label_ranking_average_precision"] = (
        float(m.label_ranking_average_precision_score(y, s)) if ranked.any() else None)
    e["unranked"] = int((~ranked).sum())
    e["sample_f1"] = (
        rounded(m.f1_score(y, p, average="samples", zero_division=np.nan)) if k > 1
        else mean([float(a == b) for a, b in zip(*flat) if a or b]))
    e["sample_f1_defined"] = int((y | p).any(1).sum())
    return e


def scores(random, y, kind):
    n, k = y.shape
    s = 1 / (1 + np.exp(-(random.normal(size=(n, k)) * 1.5 + 1.6 * y - 1)))
    if kind == "double":
        return s.astype(np.float64)
    if kind == "ties":
        return (np.round(s * 8) / 8).astype(np.float32)
    if kind == "extremes":
        return np.where(s > 0.6, 1.0, np.where(s < 0.3, 0.0, 0.5)).astype(np.float32)
    if kind == "small":
        return (s ** 12).astype(np.float32)
    return s.astype(np.float32)


def make(index):
    random = np.random.default_rng(4200 + index)
    kind = ["single", "ties", "double", "extremes", "small"][index % 5]
    n, k = int(random.integers(2, 28)), int(random.integers(2, 8))
    if index % 17 == 3:
        n = 1
    if index % 19 == 4:
        k = 1
    if index % 41 == 6:
        n, k = 12, 70
    y = (random.random((n, k)) < random.uniform(0.05, 0.7, k)).astype(int)
    if index % 7 == 1:
        y[:, random.integers(k)] = 0
    if index % 7 == 2:
        y[:, random.integers(k)] = 1
    if index % 11 == 5:
        y[random.random(n) < 0.4] = 0
    if index % 29 == 7:
        y[:] = 0
    if index % 31 == 8:
        y[:] = 1
    s = scores(random, y, kind)
    threshold = [0.5, float(random.choice(s.ravel())), 0.5, 0.0, 1.0, float(random.uniform())][index % 6]
    digits = lambda x: x if s.dtype == np.float64 else float(
        np.format_float_positional(np.float32(x), unique=True, trim="-"))
    return dict(
        name=f"{index} {kind}", classes=k, threshold=digits(threshold), double=s.dtype == np.float64,
        truth=[[int(c) for c in np.flatnonzero(row)] for row in y],
        scores=[digits(float(x)) for x in s.ravel()], expected=expected(y, s, threshold))


with open(os.path.join(HERE, "multilabel.json"), "w") as out:
    sets = [make(index) for index in range(250)]
    out.write(json.dumps(dict(tools=TOOLS, sets=sets), separators=(",", ":")) + "\n")
