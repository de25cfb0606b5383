#!/usr/bin/env python3
"""Writes decision.json and votes.json beside this script: exact binomial bounds, the thresholds that
they choose, conformal thresholds, and the scores against votes.

    python3 make_decision_goldens.py

Tools: numpy 2.4.6, scipy 1.17.1. Thresholds are found here by scanning all thresholds of the grid with
scipy.stats.binom, with the fallback procedure written out as a sum of levels per hypothesis.
"""

import json
import math
import pathlib

import numpy
from scipy import stats
from scipy.special import rel_entr

GRID = [(1000 - k) / 1000 for k in range(1, 10)] + [(99 - k) / 100 for k in range(100)]
STARTS = [0.999, 0.99, 0.95, 0.9, 0.8, 0.5]


def upper(errors, count, level):
    return 1.0 if errors == count else float(stats.beta.ppf(1 - level, errors + 1, count - errors))


def bounds():
    cases = []
    for count in [1, 2, 5, 12, 29, 50, 100, 411, 3589, 100000]:
        for errors in sorted({0, 1, count // 20, count // 10, count // 3, count - 1, count}):
            if not 0 <= errors <= count:
                continue
            low = 0.0 if errors == 0 else float(stats.beta.ppf(0.025, errors, count - errors + 1))
            cases.append(
                {
                    "errors": errors,
                    "count": count,
                    "upper": {str(level): upper(errors, count, level) for level in (0.05, 0.00625, 0.0001)},
                    "low": low,
                    "high": upper(errors, count, 0.025),
                    "tail": float(stats.binom.cdf(errors, count, 0.1)),
                }
            )
    return cases


def choose(scores, wrong, risk, level):
    """The lowest threshold that the fallback procedure rejects, and its counts."""
    chosen, carried = None, 0.0
    for threshold in GRID:
        accepted = scores >= numpy.float32(threshold)
        count, errors = int(accepted.sum()), int(wrong[accepted].sum())
        tested = carried + (level / len(STARTS) if threshold in STARTS else 0.0)
        carried = 0.0
        if tested > 0 and count > 0 and stats.binom.cdf(errors, count, risk) <= tested:
            carried = tested
            chosen = {
                "threshold": threshold,
                "accepted": count,
                "errors": errors,
                "level": tested,
                "upper": upper(errors, count, tested),
            }
    return chosen


def searches(random):
    cases = []
    for count, risk, level, steps in [
        (30, 0.1, 0.05, 0), (80, 0.1, 0.05, 0), (400, 0.1, 0.05, 0), (400, 0.1, 0.05, 20),
        (2000, 0.1, 0.05 / 7, 0), (2000, 0.05, 0.05, 100), (2000, 0.3, 0.1, 0), (1500, 0.02, 0.05, 0),
    ]:
        scores = random.beta(4, 1, count)
        if steps:
            scores = numpy.round(scores * steps) / steps  # many ties
        scores = scores.astype(numpy.float32)
        wrong = random.random(count) < (1 - scores) * 0.6
        cases.append(
            {
                "risk": risk,
                "level": level,
                "least": math.ceil(math.log(level / len(STARTS)) / math.log(1 - risk)),
                "scores": [float(score) for score in scores],
                "wrong": [int(value) for value in wrong],
                "chosen": choose(scores, wrong, risk, level),
            }
        )
    return cases


def conformal(random):
    cases = []
    for count, risk in [(5, 0.1), (8, 0.1), (9, 0.1), (19, 0.05), (100, 0.1), (999, 0.25), (500, 0.01)]:
        own = random.beta(3, 1, count).astype(numpy.float32)
        rank = math.ceil(round((count + 1) * (1 - risk), 9))
        # The quantile of the scores 1 − p; the order is that of p, backward.
        threshold = 0.0 if rank > count else float(numpy.sort(own)[::-1][rank - 1])
        if rank <= count:
            quantile = numpy.quantile(1 - own.astype(float), rank / count, method="inverted_cdf")
            assert abs((1 - quantile) - threshold) < 1e-12
        cases.append(
            {"own": [float(value) for value in own], "risk": risk, "rank": rank, "threshold": threshold}
        )
    return cases


def votes(random):
    """Rows of probabilities and votes' shares; the last class has no scores."""
    cases = []
    for count in [40, 300]:
        probabilities = random.dirichlet(numpy.full(4, 0.5), count)
        probabilities[0] = [1, 0, 0, 0]
        probabilities = numpy.hstack([probabilities, numpy.zeros((count, 1))])
        counts = random.multinomial(10, [0.4, 0.3, 0.2, 0.1, 0], count).astype(float)
        counts[5] = [0, 0, 5, 0, 5]  # a vote for the class without scores
        counts[0] = [5, 5, 0, 0, 0]  # p = 0 for a class with votes
        shares = counts / counts.sum(axis=1, keepdims=True)
        has = numpy.arange(count) % 7 != 3
        scored = has & (shares[:, 4] == 0)
        clipped = numpy.clip(probabilities, numpy.finfo(float).eps, 1 - numpy.finfo(float).eps)
        entropy = -numpy.sum(numpy.where(shares > 0, shares * numpy.log(clipped), 0), axis=1)
        kl = numpy.sum(rel_entr(shares, clipped), axis=1)
        expected = shares[numpy.arange(count), probabilities.argmax(axis=1)]
        cases.append(
            {
                "truths": [int(value) for value in counts.argmax(axis=1)],
                "probabilities": probabilities.tolist(),
                "shares": [row.tolist() if flag else None for row, flag in zip(shares, has)],
                "cross_entropy": float(entropy[scored].mean()),
                "kl": float(kl[scored].mean()),
                "expected_accuracy": float(expected[has].mean()),
                "defined": [int(scored.sum()), int(has.sum())],
            }
        )
    return cases


def main():
    folder = pathlib.Path(__file__).parent
    random = numpy.random.default_rng(20261128)
    content = {"bounds": bounds(), "searches": searches(random), "conformal": conformal(random)}
    (folder / "decision.json").write_text(json.dumps(content) + "\n")
    (folder / "votes.json").write_text(json.dumps({"cases": votes(random)}) + "\n")


main()
