#!/usr/bin/env python3
"""Makes classification.json, ties.json, bootstrap.json and statistics.json beside this file.

Needs scikit-learn 1.9.1, scipy 1.17.1, numpy 2.4.6. Seeded: the same versions write the same bytes.
Compared in AssayMetricsTests with a tolerance of 1e-12.

What no library offers is written out here in its slowest, plainest form: the risk-coverage area with ties
averaged goes through fractions, sample by sample.
"""
import json
import os
import warnings
from fractions import Fraction

import numpy as np
import scipy
import scipy.stats as st
import sklearn
import sklearn.metrics as m

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = f"scikit-learn {sklearn.__version__}, scipy {scipy.__version__}, numpy {np.__version__}"


def softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


def decimals(p):
    """Rows as numbers whose shortest decimals give the same bits back."""
    if p.dtype == np.float32:
        rows = [[float(np.format_float_positional(x, unique=True, trim="-")) for x in r] for r in p]
        assert (np.array(rows, np.float64).astype(np.float32) == p).all()
        return rows
    return p.tolist()


def rounded(x):
    return None if x is None or np.isnan(x) else float(x)


def area(scores, right):
    """(1/n) sum of the risk at k, errors within a group of equal scores spread evenly; exact."""
    order = np.argsort(-scores, kind="stable")
    total, errors, k, i, n = Fraction(0), Fraction(0), 0, 0, len(scores)
    while i < n:
        j = i
        while j < n and scores[order[j]] == scores[order[i]]:
            j += 1
        group = Fraction(int((~right[order[i:j]]).sum()), j - i)
        for _ in range(i, j):
            k += 1
            errors += group
            total += errors / k
        i = j
    return float(total / n)


def expected(truth, p, accept, margin, normalize):
    k = p.shape[1]
    n = len(truth)
    labels = list(range(k))
    p = p.astype(np.float64)
    pred = p.argmax(1)
    prec, rec, f1, sup = m.precision_recall_fscore_support(truth, pred, labels=labels, zero_division=np.nan)
    f0 = m.precision_recall_fscore_support(truth, pred, labels=labels, zero_division=0)
    weigh = lambda x: m.precision_recall_fscore_support(truth, pred, labels=labels, zero_division=0, average=x)
    out = dict(
        accuracy=m.accuracy_score(truth, pred), baseline_accuracy=np.bincount(truth, minlength=k).max() / n,
        balanced_accuracy=m.balanced_accuracy_score(truth, pred), confusion=m.confusion_matrix(truth, pred, labels=labels).tolist(),
        precision=[rounded(x) for x in prec], recall=[rounded(x) for x in rec], support=sup.tolist(),
        # zero_division=nan leaves F1 undefined only where neither truth nor prediction has the class.
        f1=[rounded(x) for x in f1],
        f1_zero=f0[2].tolist(),
        macro_precision=weigh("macro")[0], macro_recall=weigh("macro")[1], macro_f1=weigh("macro")[2],
        weighted_precision=weigh("weighted")[0], weighted_recall=weigh("weighted")[1], weighted_f1=weigh("weighted")[2],
        macro_precision_defined=float(np.nanmean(prec)), macro_f1_defined=float(np.nanmean(f1)),
        jaccard=[rounded(x) if seen else None for x, seen in
                 zip(m.jaccard_score(truth, pred, labels=labels, average=None, zero_division=0), np.isin(labels, truth) | np.isin(labels, pred))],
        macro_jaccard=m.jaccard_score(truth, pred, labels=labels, average="macro", zero_division=0),
        kappa=rounded(m.cohen_kappa_score(truth, pred)), mcc=m.matthews_corrcoef(truth, pred))
    order = np.argsort(-p, axis=1, kind="stable")
    for t in (1, 2, 3, 5):
        out[f"top{t}"] = float((order[:, :t] == truth[:, None]).any(1).mean()) if t < k else None
    q = p / p.sum(1, keepdims=True) if normalize else p
    onehot = np.eye(k)[truth]
    out["log_loss"] = m.log_loss(truth, q, labels=labels) if k > 1 else None
    out["brier"] = float(((q - onehot) ** 2).sum(1).mean())
    out["auroc_ovr"] = [m.roc_auc_score(onehot[:, c], q[:, c]) if 0 < onehot[:, c].sum() < n else None for c in labels]
    out["average_precision"] = [m.average_precision_score(onehot[:, c], q[:, c]) if onehot[:, c].sum() else None for c in labels]
    mean = lambda x: float(np.mean([v for v in x if v is not None])) if any(v is not None for v in x) else None
    out["macro_auroc_ovr"], out["mean_average_precision"] = mean(out["auroc_ovr"]), mean(out["average_precision"])
    conf, right = q.max(1), pred == truth
    edges = np.linspace(0, 1, 16)
    bins, ece = [], 0.0
    for lo, hi in zip(edges[:-1], edges[1:]):
        s = (conf > lo) & (conf <= hi)
        bins.append([int(s.sum())] + ([float(right[s].mean()), float(conf[s].mean())] if s.any() else [None, None]))
        if s.any():
            ece += s.mean() * abs(right[s].mean() - conf[s].mean())
    out["ece15"], out["bins"] = float(ece), bins
    top = np.sort(q, axis=1)[:, ::-1]
    lead = top[:, 0] - top[:, 1] if k > 1 else top[:, 0]
    out["aurc"], out["aurc_margin"] = area(conf, right), area(lead, right)
    s = (conf >= accept) & (lead >= margin)
    out["answered"] = float(s.mean())
    out["answered_accuracy"] = float(right[s].mean()) if s.any() else None
    out["mean_accepted"] = float((q >= accept).sum(1).mean())
    return {key: (v if isinstance(v, list) else rounded(v)) for key, v in out.items()}


def classification():
    rng = np.random.default_rng(20)
    sets = []

    def add(name, truth, p, accept=0.3, margin=0.1, normalize=False):
        truth = np.asarray(truth)
        sets.append(dict(name=name, classes=p.shape[1], accept=accept, margin=margin, truth=truth.tolist(),
                         float32=p.dtype == np.float32, normalize=normalize, scores=decimals(p),
                         expected=expected(truth, p, accept, margin, normalize)))

    def random(n, k, weights=None, lead=1.6, dtype=np.float32):
        truth = rng.choice(k, n, p=weights)
        logits = rng.normal(size=(n, k))
        logits[np.arange(n), truth] += lead
        return truth, softmax(logits.astype(dtype)).astype(dtype)

    add("seven classes, float32", *random(300, 7, [.138, .015, .143, .25, .169, .112, .173]))
    add("two classes, float32", *random(120, 2))
    add("three classes, float64", *random(150, 3, dtype=np.float64))
    add("ten classes, numpy's second summation order", *random(120, 10))
    truth, p = random(40, 19)
    add("more classes than eight lanes, some without truth", truth, p)
    truth, p = random(120, 6, [.4, .3, .3, 0, 0, 0])
    p[:, 5] = 0
    add("classes without truth, one never predicted", truth, p, normalize=True)
    truth, p = random(200, 4, dtype=np.float64)
    add("ties: one decimal", truth, np.maximum(np.round(p, 1), 0.1), normalize=True)
    truth, p = random(60, 5)
    p[:] = np.float32(0.2)
    add("constant scores", truth, p, accept=0.2, margin=0.0)
    truth, p = random(60, 3)
    add("constant truth", np.zeros(60, int), p)
    add("truth and prediction constant", np.ones(20, int), np.tile(np.array([.1, .7, .2], np.float32), (20, 1)))
    add("perfect and certain", np.arange(30) % 3, np.eye(3, dtype=np.float32)[np.arange(30) % 3])
    add("wrong and certain", np.arange(30) % 3, np.eye(3, dtype=np.float32)[(np.arange(30) + 1) % 3])
    truth, p = random(90, 4)
    add("sigmoids that do not sum to one", truth, (1 / (1 + np.exp(-5 * (p - 0.4)))).astype(np.float32), accept=0.25,
        normalize=True)
    add("one sample", [1], np.array([[.2, .5, .3]], np.float32))
    truth, p = random(1500, 3)
    add("enough samples for the radix sort", truth, np.round(p, 3).astype(np.float32))
    add("tied scores in rows that sum to 1 within rounding", [2, 0], np.array([[.7, .2, .1], [.8, .1, .1]]))
    truth, p = random(400, 10, dtype=np.float64)
    add("ten trees vote", truth, votes(rng, p, 10))
    return sets


def votes(rng, p, trees):
    return np.array([rng.multinomial(trees, row) for row in p]) / trees


def ties():
    """Random sets with many equal scores, as whole numbers over one divisor a set; float32 where that is 0."""
    rng = np.random.default_rng(31)
    sets = []
    for number in range(320):
        k, n = int(rng.integers(2, 8)), int(rng.integers(12, 40))
        truth = rng.integers(0, k, n)
        logits = rng.normal(size=(n, k)) * 2
        logits[np.arange(n), truth] += 1
        p = softmax(logits)
        kind = number % 4
        if kind == 0:
            divisor = int(rng.choice([3, 5, 7, 10, 10, 20, 100]))
            scores = np.array([rng.multinomial(divisor, row) for row in p])
        elif kind == 1:
            divisor = 10 ** int(rng.integers(3, 7))
            scores = np.round(p * divisor).astype(int)
        elif kind == 2:
            # Rows of tenths that sum to 1: 0.7, 0.2, 0.1.
            divisor = 10
            scores = np.array([rng.permutation(np.bincount(rng.integers(0, k, 10), minlength=k)) for _ in range(n)])
        else:
            # A few float32 softmax rows, drawn again and again.
            divisor = 0
            few = softmax(rng.normal(size=(6, k)).astype(np.float32)).astype(np.float32)
            scores = few[rng.integers(0, 6, n)]
        q = scores.astype(np.float64) / divisor if divisor else scores.astype(np.float64)
        with warnings.catch_warnings():
            # Decimals miss 1 by more than log_loss likes, which uses them all the same.
            warnings.simplefilter("ignore")
            e = expected(truth, q, 0.3, 0.1, False)
        keys = ("auroc_ovr", "average_precision", "log_loss", "brier", "ece15", "top2", "top3")
        sets.append(dict(classes=k, divisor=divisor, truth=truth.tolist(),
                         scores=[x for r in (scores.tolist() if divisor else decimals(scores)) for x in r],
                         expected={key: e[key] for key in keys}))
    return sets


def bootstrap():
    """Weighted scores: what a bootstrap draw has to give for known weights."""
    rng = np.random.default_rng(21)
    n, k = 60, 3
    truth = rng.choice(k, n)
    p = np.maximum(np.round(softmax(rng.normal(size=(n, k)) + 1.2 * np.eye(k)[truth]), 2), 0.01)
    q = p / p.sum(1, keepdims=True)
    draws = []
    for d in range(8):
        w = np.bincount(rng.integers(0, n, n), minlength=n)
        onehot = np.eye(k)[truth]
        draws.append(dict(
            weights=w.tolist(), log_loss=m.log_loss(truth, q, labels=list(range(k)), sample_weight=w),
            auroc_ovr=[m.roc_auc_score(onehot[:, c], q[:, c], sample_weight=w) for c in range(k)],
            average_precision=[m.average_precision_score(onehot[:, c], q[:, c], sample_weight=w) for c in range(k)]))
    return dict(classes=k, truth=truth.tolist(), scores=p.tolist(), draws=draws)


def statistics():
    wilson = [[h, n, *map(float, st.binomtest(h, n).proportion_ci(0.95, "wilson"))]
              for h, n in ((0, 1), (1, 1), (0, 10), (3, 10), (10, 10), (2100, 3589), (1, 100000), (611_234, 1_000_000))]
    student = [[f, float(st.t.ppf(0.975, f))] for f in (1, 2, 3, 4, 5, 7, 10, 19, 20, 48, 49, 200)]
    means = []
    rng = np.random.default_rng(22)
    for n in (2, 5, 30):
        x = rng.exponential(size=n)
        r = st.t.interval(0.95, n - 1, loc=x.mean(), scale=st.sem(x))
        means.append([x.tolist(), float(r[0]), float(r[1])])
    mcnemar = []
    for b, c in ((0, 0), (0, 1), (5, 0), (3, 9), (12, 12), (24, 0), (11, 14), (25, 0), (20, 31), (300, 341), (40, 40)):
        if b + c == 0:
            p = 1.0
        elif b + c < 25:
            p = st.binomtest(min(b, c), b + c, 0.5).pvalue
        else:
            p = st.chi2.sf(max(0, abs(b - c) - 1) ** 2 / (b + c), 1)
        mcnemar.append([b, c, float(p)])
    x = rng.normal(size=1000)
    percentile = [x.tolist(), *map(float, np.percentile(x, [2.5, 97.5]))]
    pmf = [[n, p, [float(v) for v in st.binom.pmf(np.arange(n + 1), n, p)]] for n, p in ((5, 0.3), (40, 0.1), (60, 0.5), (200, 0.93))]
    return dict(wilson=wilson, student=student, means=means, mcnemar=mcnemar, percentile=percentile, binomial=pmf)


for name, content in (("classification", dict(sets=classification())), ("ties", dict(sets=ties())), ("bootstrap", bootstrap()), ("statistics", statistics())):
    with open(os.path.join(HERE, name + ".json"), "w") as f:
        json.dump(dict(tools=TOOLS, **content), f, separators=(",", ":"), allow_nan=False)
        f.write("\n")
