#!/usr/bin/env python3
"""Makes disagreement.json beside this file: labels that probabilities speak against.

Needs cleanlab 2.9.0, scikit-learn 1.9.1, scipy 1.17.1, numpy 2.4.6. Seeded: the same versions write the same
bytes. Compared in AssayMetricsTests.

Thresholds, margins and self-confidences are cleanlab's. Which labels are likely wrong is written out here as
the paper has it (section 3.1: the likeliest of the classes that reach their threshold is another one), without
those that the model predicts, as cleanlab's find_label_issues does; cleanlab takes the likeliest of all classes
instead where several reach theirs, so it has to agree only where that one reaches its own, too.
"""
import json
import os

import cleanlab
import numpy as np
from cleanlab.count import compute_confident_joint, get_confident_thresholds
from cleanlab.internal.label_quality_utils import get_normalized_entropy
from cleanlab.rank import get_normalized_margin_for_each_label, get_self_confidence_for_each_label

HERE = os.path.dirname(os.path.abspath(__file__))


def case(seed, n, k, sharpness, flipped, skewed):
    rng = np.random.default_rng(seed)
    weights = np.arange(1, k + 1) ** 2.0 if skewed else np.ones(k)
    truth = rng.choice(k, n, p=weights / weights.sum())
    truth[:k] = np.arange(k)
    logits = rng.normal(size=(n, k))
    logits[np.arange(n), truth] += sharpness
    p = np.exp(logits)
    p = (p / p.sum(1, keepdims=True)).astype(np.float32)
    labels = truth.copy()
    wrong = rng.choice(np.arange(k, n), flipped, replace=False)
    labels[wrong] = (labels[wrong] + rng.integers(1, k, flipped)) % k
    q = p.astype(np.float64)
    thresholds = get_confident_thresholds(labels, q)
    likely = []
    for row, label in zip(q, labels):
        confident = [j for j in range(k) if row[j] >= thresholds[j] - 1e-6]
        likely.append(bool(confident) and int(max(confident, key=lambda j: row[j])) != int(label)
                      and int(row.argmax()) != int(label))
    _, theirs = compute_confident_joint(
        labels, q, calibrate=False, return_indices_of_off_diagonals=True)
    theirs = {int(i) for i in theirs if q[i].argmax() != labels[i]}
    for i, row in enumerate(q):
        confident = row >= thresholds - 1e-6
        if confident.sum() <= 1 or confident[row.argmax()]:
            assert likely[i] == (i in theirs), i
    # cleanlab brings the margin from −1...1 into 0...1.
    margins = 2 * get_normalized_margin_for_each_label(labels, q) - 1
    return {
        "classes": k, "labels": labels.tolist(),
        "scores": [float(np.format_float_positional(x, unique=True)) for x in p.ravel()],
        "thresholds": thresholds.tolist(), "likelyWrong": likely, "margins": margins.tolist(),
        "selfConfidences": get_self_confidence_for_each_label(labels, q).tolist(),
        "planted": sorted(map(int, wrong)),
    }


votes = []
for ballot in [[0, 0], [0, 1], [0, 0, 1], [0, 1, 2], [3, 3, 3, 1], [0, 0, 1, 1], [0, 1, 2, 3, 4]]:
    counts = np.bincount(ballot).astype(float)
    shares = counts[counts > 0] / len(ballot)
    entropy = float(-(shares * np.log(shares)).sum() / np.log(len(ballot)))
    # The same by cleanlab, over as many places as there are votes.
    padded = np.zeros((1, len(ballot)))
    padded[0, : len(shares)] = shares
    assert abs(get_normalized_entropy(padded)[0] - entropy) < 1e-6
    votes.append({"votes": ballot, "entropy": entropy})

golden = {
    "tools": f"cleanlab {cleanlab.__version__}, numpy {np.__version__}",
    "labels": [
        case(1, 120, 3, 3.0, 10, False), case(2, 300, 7, 4.0, 25, True),
        case(3, 60, 2, 1.0, 6, True),
    ],
    "votes": votes,
}
with open(os.path.join(HERE, "disagreement.json"), "w") as out:
    json.dump(golden, out, separators=(",", ":"))
    out.write("\n")
