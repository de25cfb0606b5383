#!/usr/bin/env python3
"""Writes detection.json: what pycocotools makes of the 100 images of COCO's own example and of random sets.

Needs numpy and pycocotools (made with numpy 2.4.6 and pycocotools 2.0.11) and, for the example,
../shared/data/coco/val2014_100 beside the project. Numbers are the bits of float64 in hexadecimal; a set's
digest is FNV-1a over those of the 12 numbers and the classes' average precisions, -1 where undefined.

  make_detection_goldens.py [--sets N]
"""
import argparse, contextlib, io, json, os, struct
from importlib.metadata import version

import numpy as np
from pycocotools import mask as masks
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

import random_coco

HERE = os.path.dirname(os.path.abspath(__file__))
EXAMPLE = os.path.join(HERE, "../../../../shared/data/coco/val2014_100")


def compressed(counts, size, is_truth):
    rle = masks.frPyObjects(dict(size=size, counts=counts), *size)
    return dict(size=size, counts=rle["counts"].decode())


def evaluate(truth, results, kind):
    """A COCOeval of documents in memory."""
    with contextlib.redirect_stdout(io.StringIO()):
        gt = COCO()
        gt.dataset = truth
        gt.createIndex()
        run = COCOeval(gt, gt.loadRes(results), kind)
        run.evaluate()
        run.accumulate()
        run.summarize()
    return run


def class_aps(run):
    precision = run.eval["precision"][:, :, :, 0, 2]
    values = []
    for k in range(precision.shape[2]):
        v = precision[:, :, k]
        v = v[v > -1]
        values.append(float(np.mean(v)) if v.size else -1.0)
    return values


def hexes(values):
    return [struct.pack(">d", v).hex() for v in values]


def fnv(values):
    digest = 0xCBF29CE484222325
    for byte in struct.pack(f"<{len(values)}d", *values):
        digest = ((digest ^ byte) * 0x100000001B3) & random_coco.MASK
    return f"{digest:016x}"


def voc_ap(run):
    """All-point average precision at IoU 0.5 of each class, from the reference's own matches."""
    p = run.params
    values = []
    for k in range(len(p.catIds)):
        images = [e for e in run.evalImgs[k * len(p.areaRng) * len(p.imgIds):][:len(p.imgIds)] if e]
        scores = np.concatenate([e["dtScores"] for e in images]) if images else np.zeros(0)
        order = np.argsort(-scores, kind="mergesort")
        ignored = sum(int((e["gtIgnore"] == 0).sum()) for e in images)
        if ignored == 0:
            values.append(-1.0)
            continue
        matched = np.concatenate([e["dtMatches"][0] for e in images])[order]
        skipped = np.concatenate([e["dtIgnore"][0] for e in images])[order].astype(bool)
        right = (matched != 0) & ~skipped
        wrong = (matched == 0) & ~skipped
        tp, fp = np.cumsum(right), np.cumsum(wrong)
        # As in PASCAL VOC's devkit: sentinels, an envelope from the right, the area below the steps.
        recall = np.concatenate([[0], tp / ignored, [1]])
        precision = np.concatenate([[0], tp / np.maximum(tp + fp, np.finfo(np.float64).eps), [0]])
        for i in range(len(precision) - 2, -1, -1):
            precision[i] = max(precision[i], precision[i + 1])
        steps = np.where(recall[1:] != recall[:-1])[0]
        values.append(float(np.sum((recall[steps + 1] - recall[steps]) * precision[steps + 1])))
    return values


def random_sets(kind, count):
    digests, voc = [], []
    for seed in range(count):
        truth, results = random_coco.documents(random_coco.make(seed, kind), kind, compressed)
        run = evaluate(truth, results, kind)
        digests.append(fnv([float(s) for s in run.stats] + class_aps(run)))
        if seed < 50:
            voc.append(voc_ap(run))
    return dict(digests=digests, voc_ap=voc)


def arrays(kind, seeds):
    """Digests of all of precision, recall and scores, [T, R, K, A, M] as the reference lays them out."""
    digests = []
    for seed in range(seeds):
        truth, results = random_coco.documents(random_coco.make(seed, kind), kind, compressed)
        run = evaluate(truth, results, kind)
        digests.append({name: fnv(run.eval[name].ravel().tolist())
                        for name in ("precision", "recall", "scores")})
    return digests


def example(kind):
    truth = json.load(open(f"{EXAMPLE}/instances_val2014_100.json"))
    results = json.load(open(f"{EXAMPLE}/instances_val2014_fake{kind}100_results.json"))
    run = evaluate(truth, results, kind)
    return dict(stats=hexes(run.stats), per_category_ap=hexes(class_aps(run)), voc_ap=voc_ap(run))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=1200)
    count = parser.parse_args().sets
    golden = dict(
        tool=f"pycocotools {version('pycocotools')}, numpy {np.__version__}",
        bbox=dict(example=example("bbox"), arrays=arrays("bbox", 6), **random_sets("bbox", count)),
        segm=dict(example=example("segm"), arrays=arrays("segm", 6), **random_sets("segm", count)))
    with open(os.path.join(HERE, "detection.json"), "w") as file:
        json.dump(golden, file, indent=0)
        file.write("\n")


if __name__ == "__main__":
    main()
