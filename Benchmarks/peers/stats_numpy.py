"""Peer for the statistics: mean and standard deviation images per class, one pass of integer sums over a raw file.

    stats_numpy.py FACES.U8 LABELS.U8 OUT.NPZ

Only the numbers: no images are drawn.
"""
import sys

import numpy as np

faces = np.fromfile(sys.argv[1], np.uint8).reshape(-1, 2304)
labels = np.fromfile(sys.argv[2], np.uint8)
means, deviations = [], []
for label in range(7):
    part = faces[labels == label]
    count = len(part)
    mean = part.sum(axis=0, dtype=np.uint32).astype(np.float64) / count
    wide = part.astype(np.uint16)
    squares = np.multiply(wide, wide, out=wide).sum(axis=0, dtype=np.uint32).astype(np.float64)
    means.append(mean)
    deviations.append(np.sqrt(np.maximum(squares / count - mean**2, 0)))
np.savez(sys.argv[3], mean=np.array(means, np.float32), deviation=np.array(deviations, np.float32))
