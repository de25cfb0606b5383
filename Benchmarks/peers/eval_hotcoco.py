"""Peer for the COCO evaluation: from files to the standard 12 metrics with hotcoco, on two threads.

    eval_hotcoco.py TRUTH.JSON RESULTS.JSON bbox|segm
"""
import contextlib
import io
import json
import os
import sys

os.environ["RAYON_NUM_THREADS"] = "2"
from hotcoco import COCO, COCOeval  # noqa: E402

truth, results, kind = sys.argv[1:]
with contextlib.redirect_stdout(io.StringIO()):
    coco = COCO(truth)
    evaluation = COCOeval(coco, coco.loadRes(results), kind)
    evaluation.evaluate()
    evaluation.accumulate()
    evaluation.summarize()
print(json.dumps({"check": [float(value) for value in evaluation.stats][:12]}))
