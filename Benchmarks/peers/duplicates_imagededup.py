#!/usr/bin/env python3
"""Peer for the duplicates: imagededup's perceptual hash looks for duplicates in a folder of images.

    duplicates_imagededup.py FOLDER WORKERS OUT.json [THRESHOLD]

Writes the groups as lists of file names: each image with the images that find_duplicates gives for it (a Hamming distance of
at most 10 of 64 bits by default). imagededup's hashes need no PyTorch, but its package imports it for another method: an empty
module stands in for it if it is not installed.
"""
import importlib.util
import json
import logging
import os
import sys
from unittest import mock

# Before the empty modules: SciPy looks for PyTorch among the loaded modules.
import scipy.stats  # noqa: F401
import sklearn.metrics.pairwise  # noqa: F401

STUBS = []
if importlib.util.find_spec("torch") is None:
    STUBS = ["torch", "torch.nn", "torch.utils", "torch.utils.data", "torchvision", "torchvision.models",
             "torchvision.models.vision_transformer", "torchvision.transforms"]
    for name in STUBS:
        sys.modules[name] = mock.MagicMock()
    sys.modules["torch.nn"].Module = sys.modules["torch"].nn.Module = object
    sys.modules["torch.utils.data"].Dataset = object

from imagededup.methods import PHash  # noqa: E402

for name in STUBS:
    del sys.modules[name]

if __name__ == "__main__":
    logging.disable(logging.INFO)
    workers = int(sys.argv[2])
    threshold = int(sys.argv[4]) if len(sys.argv) > 4 else 10
    found = PHash(verbose=False).find_duplicates(
        image_dir=sys.argv[1], max_distance_threshold=threshold, num_enc_workers=workers, num_dist_workers=workers)
    groups = [[name] + others for name, others in found.items() if others]
    with open(sys.argv[3], "w") as file:
        json.dump([[os.path.basename(path) for path in group] for group in groups], file)
    print(json.dumps({"check": len(groups)}))
