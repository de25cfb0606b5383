#!/usr/bin/env python3
"""Makes evaluate/: pairs of files for `assay evaluate --gt --dt`, and the reference's numbers for them.

    make_evaluate_goldens.py ORACLE

ORACLE is the reference script (`../shared/tools/oracle.py` beside the checkout) on scikit-learn 1.9.1 and numpy
2.4.6, which takes rows of scores as given. Seeded. A set is NAME.truth.csv, NAME.scores.csv and NAME.json; where both tables name their samples the rows
stand in different orders.
"""
import csv
import importlib.util
import json
import os
import sys
import tempfile

import numpy as np

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "evaluate")
spec = importlib.util.spec_from_file_location("oracle", sys.argv[1])
oracle = importlib.util.module_from_spec(spec)
spec.loader.exec_module(oracle)


def write(path, header, rows):
    with open(path, "w", newline="") as f:
        csv.writer(f, lineterminator="\n").writerows([header] + rows)


def make(name, classes, truth, p, keyed, rng):
    scores = [[repr(float(x)) for x in row] for row in p]
    labels = [classes[t] for t in truth]
    with tempfile.NamedTemporaryFile("w", suffix=".csv") as f:
        write(f.name, ["truth"] + classes, [[l] + s for l, s in zip(labels, scores)])
        numbers = oracle.classification(f.name)
    keys = [f"{i:04}.png" for i in range(len(truth))]
    a, b = (rng.permutation(len(truth)) if keyed else np.arange(len(truth)) for _ in range(2))
    column = (lambda i: [keys[i]]) if keyed else (lambda i: [])
    head = ["sample"] if keyed else []
    write(os.path.join(HERE, name + ".truth.csv"), head + ["truth"], [column(i) + [labels[i]] for i in a])
    write(os.path.join(HERE, name + ".scores.csv"), head + classes, [column(i) + scores[i] for i in b])
    with open(os.path.join(HERE, name + ".json"), "w") as f:
        json.dump({k: v if not isinstance(v, float) or v == v else None for k, v in numbers.items()}, f, indent=1)
        f.write("\n")


def softmax(x):
    e = np.exp(x - x.max(1, keepdims=True))
    return e / e.sum(1, keepdims=True)


rng = np.random.default_rng(23)
os.makedirs(HERE, exist_ok=True)
faces = ["angry", "disgust", "fear", "happy", "sad", "surprise", "neutral"]
n = 300
truth = np.concatenate([np.arange(7), rng.choice(7, n - 7, p=[.138, .015, .143, .25, .169, .112, .173])])
logits = rng.normal(size=(n, 7))
logits[np.arange(n), truth] += 1.4
make("faces", faces, truth, np.maximum(np.round(softmax(logits), 4), 0.0001), True, rng)
truth = rng.choice(3, 60)
logits = rng.normal(size=(60, 5)) * [1, 1, 1, 1, 0] - [0, 0, 0, 0, 9]
logits[np.arange(60), truth] += 1.4
make("undefined", ["a", "b", "c, quoted", "d", "e"], truth, softmax(logits.astype(np.float32)).astype(np.float32), False, rng)
