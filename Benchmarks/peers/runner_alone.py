#!/usr/bin/env python3
"""PyTorch alone, for the time that a runner adds: reads JPEGs of 224 x 224 pixels and computes an untrained torchvision model in batches
of 64, as `runner_eager.py` does for assay. Prints the seconds of the model and of the loop.

    runner_alone.py make PHOTOS FOLDER    # FOLDER/x: 640 JPEGs of 224 x 224 pixels from the photographs
    runner_alone.py run FOLDER            # $NET: the model's name in torchvision
"""
import glob
import os
import sys
import time

import numpy as np
from PIL import Image

BATCH = 64


def make(photos, folder, count=640):
    files = sorted(glob.glob(os.path.join(photos, "**", "*.jpg"), recursive=True))
    os.makedirs(os.path.join(folder, "x"), exist_ok=True)
    for place in range(count):
        image = Image.open(files[place % len(files)]).convert("RGB").resize((224, 224))
        image.save(os.path.join(folder, "x", f"{place:04d}.jpg"), quality=90)


def run(folder):
    import torch
    import torchvision
    torch.manual_seed(0)
    model = getattr(torchvision.models, os.environ["NET"])(num_classes=5).eval()
    mean, deviation = np.float32([.485, .456, .406]), np.float32([.229, .224, .225])

    def load(file):
        pixels = np.asarray(Image.open(file).convert("RGB"), np.float32)
        return ((pixels / 255 - mean) / deviation).transpose(2, 0, 1)

    files, computing, start = sorted(glob.glob(os.path.join(folder, "x", "*.jpg"))), 0, time.time()
    for place in range(0, len(files), BATCH):
        images = np.ascontiguousarray(np.stack([load(file) for file in files[place:place + BATCH]]))
        before = time.time()
        with torch.inference_mode():
            model(torch.from_numpy(images)).numpy()
        computing += time.time() - before
    print(f"model {computing:.2f} s, loop {time.time() - start:.2f} s")


{"make": make, "run": run}[sys.argv[1]](*sys.argv[2:])
