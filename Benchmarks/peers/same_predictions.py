"""Checks that assay's probabilities equal the peer's.

    same_predictions.py RUN.CSV PEER.NPY

RUN.CSV is the output of `assay predictions export`: sample, then one column per class. Prints the largest difference;
over 0.0001 is an error: the two prepare the images separately and compile different batch sizes.
"""
import csv
import sys

import numpy as np

CLASSES = ["angry", "disgust", "fear", "happy", "sad", "surprise", "neutral"]
with open(sys.argv[1], newline="") as file:
    own = np.array([[float(row[name]) for name in CLASSES] for row in csv.DictReader(file)])
peer = np.load(sys.argv[2])
if own.shape != peer.shape:
    raise SystemExit(f"shapes {own.shape} and {peer.shape}")
worst = float(np.abs(own - peer).max())
if not worst < 1e-4:
    raise SystemExit(f"probabilities differ by up to {worst}")
print(f"probabilities within {worst:.1g}")
