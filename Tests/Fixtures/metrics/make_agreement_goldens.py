#!/usr/bin/env python3
"""Makes agreement.json beside this file: the agreement of several people who label the same items.

Needs scikit-learn 1.7.2, krippendorff 0.8.2, statsmodels 0.14.5. Seeded: the same versions write the same bytes.
Compared in AssayMetricsTests. Cohen's kappa of each pair is scikit-learn's over the items that both rated, alpha is
krippendorff's for nominal values, Fleiss' kappa is statsmodels' where every item has all ratings.
"""
import json
import os
import warnings

import krippendorff
import numpy as np
import sklearn
import statsmodels
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import fleiss_kappa

HERE = os.path.dirname(os.path.abspath(__file__))
warnings.filterwarnings("ignore")


def number(value):
    return None if value is None or np.isnan(value) else float(value)


def case(ratings, k):
    """`ratings`: items by people, -1 for missing."""
    ratings = np.asarray(ratings)
    people = ratings.shape[1]
    kappas = []
    for a in range(people):
        for b in range(a + 1, people):
            both = (ratings[:, a] >= 0) & (ratings[:, b] >= 0)
            value = None
            if both.any():
                value = number(cohen_kappa_score(ratings[both, a], ratings[both, b], labels=list(range(k))))
            kappas.append({"first": a, "second": b, "kappa": value})
    whole = np.where(ratings < 0, np.nan, ratings.astype(float)).T
    used = ratings[(ratings >= 0).sum(1) >= 2]
    alpha = None
    if len(used) and len(set(used[used >= 0])) > 1:
        alpha = number(krippendorff.alpha(reliability_data=whole, level_of_measurement="nominal",
                                          value_domain=list(range(k))))
    fleiss = None
    if len(used) == len(ratings) and (ratings >= 0).all():
        table = np.stack([(ratings == c).sum(1) for c in range(k)], 1)
        fleiss = number(fleiss_kappa(table, method="fleiss"))
    return {"classes": k, "people": people,
            "ratings": [[None if r < 0 else int(r) for r in row] for row in ratings],
            "kappas": kappas, "alpha": alpha, "fleiss": fleiss}


def drawn(seed, n, people, k, accuracy, missing=0.0, skew=1.0):
    rng = np.random.default_rng(seed)
    weights = np.arange(1, k + 1) ** skew
    truth = rng.choice(k, n, p=weights / weights.sum())
    ratings = np.empty((n, people), int)
    for person in range(people):
        is_right = rng.random(n) < accuracy - 0.05 * person
        ratings[:, person] = np.where(is_right, truth, rng.integers(0, k, n))
    ratings[rng.random((n, people)) < missing] = -1
    return case(ratings, k)


cases = [
    drawn(1, 40, 2, 2, 0.9), drawn(2, 120, 2, 5, 0.7, skew=2), drawn(3, 60, 2, 3, 0.4),
    drawn(4, 80, 3, 4, 0.8), drawn(5, 80, 3, 4, 0.8, missing=0.3), drawn(6, 200, 5, 7, 0.6, missing=0.5),
    drawn(7, 60, 4, 2, 0.95, skew=3),
    # One class alone, one person constant, complete disagreement, one item.
    case([[0, 0]] * 5, 2), case([[0, 0], [0, 1], [0, 0], [0, 1]], 2), case([[0, 1], [1, 0], [0, 1], [1, 0]], 2),
    case([[1, 1]], 2), case([[0, 1]], 2), case([[0, 0, 0]] * 3, 2), case([[0, 1, 2], [2, 1, 0]], 3),
    case([[0, -1, -1], [1, 1, -1], [-1, 0, 1]], 2),
]
tools = (f"scikit-learn {sklearn.__version__}, krippendorff {krippendorff.__version__ if hasattr(krippendorff, '__version__') else '0.8.2'}, "
         f"statsmodels {statsmodels.__version__}, numpy {np.__version__}")
with open(os.path.join(HERE, "agreement.json"), "w") as out:
    json.dump({"tools": tools, "cases": cases}, out, separators=(",", ":"))
    out.write("\n")
