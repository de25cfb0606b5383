"""Peer for the evaluation of label maps: hotcoco counts two folders of PNG files.

    labels_hotcoco.py TRUTH PREDICTED CLASSES
"""
import json
import sys

import numpy as np
from hotcoco import semantic

counted = semantic.SemanticEval(int(sys.argv[3]), ignore_index=255)
pairs = counted.update_folders(sys.argv[1], sys.argv[2])
pixels = np.asarray(counted.confusion()).astype(float)
both = np.diag(pixels)
print(json.dumps({"items": pairs, "check": float(np.nanmean(both / (pixels.sum(0) + pixels.sum(1) - both)))}))
