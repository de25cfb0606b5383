"""Checks that assay's mean and standard deviation images equal the peer's.

    same_stats.py FOLDER STATS.NPZ

FOLDER is the output of `assay stats --out`. Prints the largest difference in gray values; over 0.001 is an error.
"""
import glob
import os
import sys

import numpy as np

CLASSES = ["angry", "disgust", "fear", "happy", "sad", "surprise", "neutral"]


def one(folder, label, what):
    """The array of a class, located anywhere in the folder."""
    found = [path for path in glob.glob(os.path.join(folder, "**", "*.npy"), recursive=True)
             if label in os.path.basename(path) and what in os.path.basename(path)]
    if len(found) != 1:
        raise SystemExit(f"{folder}: {len(found)} arrays of the {what} of {label}")
    return np.load(found[0]).reshape(-1)


peer = np.load(sys.argv[2])
worst = 0.0
for row, label in enumerate(CLASSES):
    for key, what in (("mean", "mean"), ("deviation", "dev")):
        worst = max(worst, float(np.abs(one(sys.argv[1], label, what) - peer[key][row]).max()))
if not worst < 1e-3:
    raise SystemExit(f"images differ by up to {worst}")
print(f"images within {worst:.1g} of gray" if worst else "equal images")
