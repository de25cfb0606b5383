#!/usr/bin/env python3
"""Makes outliers.json: vectors, and the mean cosine distance to their 10 nearest neighbors as cleanlab computes it.

    python3 -m venv /tmp/venv && /tmp/venv/bin/pip install cleanlab==2.9.0
    /tmp/venv/bin/python Tests/Fixtures/outliers/make.py
"""
import json
import os

import cleanlab
import numpy as np
from cleanlab.outlier import OutOfDistribution

generator = np.random.default_rng(13)
vectors = generator.integers(-40, 41, (60, 6))
vectors[:50] = np.array([30, 5, -12, 40, 0, 8]) + generator.integers(-9, 10, (50, 6))
vectors[7] = vectors[3]
detector = OutOfDistribution({"k": 10})
scores = detector.fit_score(features=vectors.astype(float), verbose=False)
# cleanlab's score is exp(-distance / scaling factor).
distances = -np.log(scores) * detector.params["scaling_factor"]
path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "outliers.json")
with open(path, "w") as file:
    json.dump({"source": f"cleanlab {cleanlab.__version__}, numpy {np.__version__}", "vectors": vectors.tolist(),
               "distances": [round(float(d), 9) for d in distances]}, file)
    file.write("\n")
