#!/usr/bin/env python3
"""Random odd sets of COCO keypoints, evaluated by pycocotools 2.0.11 (iouType keypoints) and by assay.

Run with a Python that has pycocotools 2.0.11:
  python fuzz.py --program ../../../assay --seeds 2000     (compares; prints each difference)
  python fuzz.py --golden 40 > fuzz.json                   (the cases that the tests read)

Each set is valid for pycocotools, and odd in what it holds: crowds, objects with num_keypoints 0 or without a labeled
point, boxes and areas of size 0, more than 20 detections of a class, tied scores, visibilities other than 0, 1 and 2,
results without a bbox or with a region, several classes, points far outside, copies of objects, and other sigmas.
A difference is one of the 10 numbers, or a class's AP, with other bits.
"""
import argparse
import concurrent.futures
import contextlib
import io
import json
import os
import random
import subprocess
import sys
import tempfile

NAMES = ["AP", "AP50", "AP75", "APm", "APl", "AR", "AR50", "AR75", "ARm", "ARl"]
COCO = ["nose", "left_eye", "right_eye", "left_ear", "right_ear", "left_shoulder", "right_shoulder", "left_elbow",
        "right_elbow", "left_wrist", "right_wrist", "left_hip", "right_hip", "left_knee", "right_knee", "left_ankle",
        "right_ankle"]
W, H = 640, 480


def number(r, value):
    """A whole number, or a fraction."""
    return round(value) if r.random() < 0.6 else round(value, r.choice([1, 2, 5]))


def made(seed):
    """Ground truth, results and sigmas of a seed; None for COCO's."""
    r = random.Random(seed)
    sigmas = None
    count = 17
    if r.random() < 0.4:
        count = r.choice([1, 2, 5, 7, 8, 9, 15, 16, 17, 21, 33, 130])
        sigmas = [r.choice([0.025, 0.05, 0.1, 0.107, 0.3, round(r.uniform(0.01, 0.5), 4)]) for _ in range(count)]
        if r.random() < 0.2:
            sigmas = sigmas[:1] * count
    names = COCO if count == 17 else [f"p{k}" for k in range(count)]
    classes = [{"id": k, "name": f"c{k}", "keypoints": names} for k in r.sample(range(1, 9), r.choice([1, 1, 1, 2, 3]))]
    images = [{"id": k, "width": W, "height": H, "file_name": f"{k}.jpg"}
              for k in r.sample(range(1, 99), r.choice([1, 2, 3, 5]))]
    spread = r.choice([0.5, 2, 5, 20])
    noLabels, crowds, odd = r.choice([0, 0.2, 0.6]), r.choice([0, 0, 0.2]), r.choice([0, 0, 0.15])
    form = r.choice(["box", "box", "box", "none", "region", "mixed"])
    objects, results = [], []
    for image in images:
        for category in classes:
            own = []
            for _ in range(r.choice([0, 1, 2, 3, 6])):
                x, y, w, h = r.uniform(0, 500), r.uniform(0, 350), r.uniform(5, 300), r.uniform(5, 300)
                points = []
                isLabeled = r.random() >= noLabels
                for _ in range(count):
                    v = r.choice([0, 1, 2, 2]) if isLabeled else 0
                    if odd and r.random() < odd:
                        v = r.choice([-1, 3, 0.5, 1e-9])
                    known = v > 0 or r.random() < 0.1
                    points += [number(r, x + r.random() * w) if known else 0, number(r, y + r.random() * h) if known else 0, v]
                stated = sum(1 for v in points[2::3] if v > 0)
                if odd and r.random() < odd:
                    stated = r.choice([0, 3])
                area = w * h * r.choice([0.3, 0.6, 1])
                if r.random() < 0.1:
                    area = r.choice([0, 1, 1024, 9216, 1023.9999, 1e11])
                if r.random() < 0.1:
                    w = 0
                one = {"image_id": image["id"], "category_id": category["id"], "iscrowd": int(r.random() < crowds),
                       "bbox": [number(r, x), number(r, y), number(r, w), number(r, h)], "area": number(r, area),
                       "keypoints": points, "num_keypoints": stated}
                own.append(one)
                if r.random() < 0.1:
                    own.append(json.loads(json.dumps(one)))
            objects += own
            for _ in range(r.choice([0, 1, 3, 8, 25 if len(own) else 0])):
                points = []
                base = r.choice(own) if own and r.random() < 0.85 else None
                noise = r.choice([0, 0, 1, 1, 3]) * spread
                for k in range(count):
                    if base is not None and (base["keypoints"][3 * k + 2] > 0):
                        px, py = base["keypoints"][3 * k], base["keypoints"][3 * k + 1]
                    elif base is not None:
                        bx, by, bw, bh = base["bbox"]
                        px, py = bx + r.uniform(-1.5, 2.5) * bw, by + r.uniform(-1.5, 2.5) * bh
                    else:
                        px, py = r.uniform(-50, W + 50), r.uniform(-50, H + 50)
                    points += [number(r, px + r.gauss(0, noise)), number(r, py + r.gauss(0, noise)),
                               r.choice([0, 1, 2, round(r.random(), 3)])]
                if r.random() < 0.02:
                    points[0] = r.choice([1e7, -1e7, 1e200])
                score = r.choice([0.5, 0.9, round(r.random(), 2), round(r.random(), 6), r.random()])
                x, y, w, h = (number(r, r.uniform(0, 300)) for _ in range(4))
                result = {"image_id": image["id"], "category_id": category["id"], "keypoints": points, "score": score}
                if form in ("box", "mixed"):
                    result["bbox"] = [x, y, w, h]
                if form == "region":
                    result["segmentation"] = region(int(x), int(y), int(w) + 1, int(h) + 1)
                results.append(result)
    r.shuffle(results)
    r.shuffle(objects)
    for place, one in enumerate(objects):
        one["id"] = place + 1
    if form == "mixed" and results:
        # The first result decides; without a bbox it takes those of all others away.
        del results[0]["bbox"]
    return {"images": images, "categories": classes, "annotations": objects}, results, sigmas


def region(x, y, w, h):
    from pycocotools import mask as masks
    one = masks.merge(masks.frPyObjects([[x, y, x + w, y, x + w, y + h, x, y + h]], H, W))
    return {"size": [H, W], "counts": one["counts"].decode()}


def reference(truth, results, sigmas):
    """The 10 numbers and the AP of each class by pycocotools; None for undefined ones."""
    import numpy as np
    from pycocotools.coco import COCO as Files
    from pycocotools.cocoeval import COCOeval
    with contextlib.redirect_stdout(io.StringIO()):
        gt = Files()
        gt.dataset = json.loads(json.dumps(truth))
        gt.createIndex()
        dt = gt.loadRes(json.loads(json.dumps(results)))
        e = COCOeval(gt, dt, "keypoints")
        if sigmas is not None:
            e.params.kpt_oks_sigmas = np.array(sigmas)
        e.evaluate()
        e.accumulate()
        e.summarize()
    classes = {}
    for k, category in enumerate(e.params.catIds):
        s = e.eval["precision"][:, :, k, 0, -1]
        s = s[s > -1]
        name = next(c["name"] for c in truth["categories"] if c["id"] == category)
        classes[name] = float(np.mean(s)) if len(s) else None
    return dict(zip(NAMES, (None if n == -1 else float(n) for n in e.stats))), classes


def check(seed, program):
    truth, results, sigmas = made(seed)
    if not results:
        return None
    stats, classes = reference(truth, results, sigmas)
    with tempfile.TemporaryDirectory() as folder:
        gt, dt = os.path.join(folder, "gt.json"), os.path.join(folder, "dt.json")
        json.dump(truth, open(gt, "w"))
        json.dump(results, open(dt, "w"))
        command = [program, "evaluate", "--gt", gt, "--dt", dt, "--json"]
        command += ["--sigmas", ",".join(map(repr, sigmas))] if sigmas else []
        run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode != 0:
        return f"seed {seed}: refused: {run.stderr.strip()}"
    own = json.loads(run.stdout)
    if own["iou_type"] != "keypoints":
        return f"seed {seed}: iou_type {own['iou_type']}"
    if own["stats"] != stats:
        return f"seed {seed}: " + ", ".join(
            f"{n} {own['stats'].get(n)} instead of {stats[n]}" for n in NAMES if own["stats"].get(n) != stats[n])
    if own["per_category_ap"] != classes:
        return f"seed {seed}: AP of classes {own['per_category_ap']} instead of {classes}"
    return ""


def golden(count):
    cases, seed = [], 0
    while len(cases) < count:
        seed += 1
        truth, results, sigmas = made(seed)
        if not results or len(json.dumps([truth, results])) > 20_000:
            continue
        stats, classes = reference(truth, results, sigmas)
        cases.append({"seed": seed, "truth": truth, "results": results, "sigmas": sigmas, "stats": stats,
                      "classes": classes})
    return {"tool": "pycocotools 2.0.11", "cases": cases}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program")
    parser.add_argument("--seeds", type=int, default=2000)
    parser.add_argument("--start", type=int, default=0)
    parser.add_argument("--golden", type=int)
    options = parser.parse_args()
    if options.golden:
        json.dump(golden(options.golden), sys.stdout, separators=(",", ":"))
        print()
        return
    seeds = range(options.start, options.start + options.seeds)
    with concurrent.futures.ProcessPoolExecutor() as pool:
        found = list(pool.map(check, seeds, [options.program] * len(seeds), chunksize=8))
    wrong = [text for text in found if text]
    print("\n".join(wrong))
    print(f"{len(found)} sets, {found.count(None)} without results, {len(wrong)} differ")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
