#!/usr/bin/env python3
"""Random odd COCO files, evaluated by pycocotools 2.0.11 and by `assay evaluate --compat pycocotools`.

Run with a Python that has pycocotools 2.0.11:
  python fuzz.py --program ../../../assay --seeds 1500          (compares; prints each difference)
  python fuzz.py --golden 240 --also 752 1131 1197 1234 2446 2603 2733 2825 2981 2997 > fuzz.json
                                                                (the cases that the tests read)

A small random set of boxes or masks gets one to three odd values: a field that is missing, null, of another type,
NaN, infinite or malformed. Each of these counts as a difference:
  numbers     one of the 12 numbers, or a class's AP, has other bits
  false stop  assay says that pycocotools stops, and it does not
  untold      pycocotools stops, and assay neither says so nor refuses the files
  refused     assay refuses files that pycocotools evaluates, for another reason than a format of their own
Where assay says that it does not reproduce what pycocotools makes of a value, or refuses polygons in an image whose size
is none, nothing is compared; these are counted.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import io
import json
import multiprocessing
import os
import random
import resource
import struct
import subprocess
import sys
import tempfile
import warnings

NAMES = ["AP", "AP50", "AP75", "APs", "APm", "APl", "AR1", "AR10", "AR100", "ARs", "ARm", "ARl"]
W, H = 120, 90
FINE = {"same", "not reproduced", "refused for a size"}
NAN, INF = float("nan"), float("inf")
DELETE = object()


def square(x, y, w, h):
    return [[x, y, x + w, y, x + w, y + h, x, y + h]]


def rle(x, y, w, h, height=H, width=W):
    from pycocotools import mask as masks
    made = masks.merge(masks.frPyObjects(square(x, y, w, h), height, width))
    return {"size": [int(n) for n in made["size"]], "counts": made["counts"].decode()}


def runs(x, y, w, h, height=H, width=W):
    from pycocotools import mask as masks
    out, value, count = [], 0, 0
    for pixel in masks.decode(rle(x, y, w, h, height, width)).flatten(order="F"):
        if pixel == value:
            count += 1
        else:
            out.append(count)
            value, count = pixel, 1
    return {"size": [height, width], "counts": out + [count]}


# Odd values of each field; a function takes the entry.

IDS = [DELETE, None, "7", "a7", " 8 ", "1e2", "nan", "0", "", True, False, 1.5, 0, -3, 1e300, [1], {"a": 1}, 10**25]
REFERENCES = [DELETE, None, "10", "x", True, 10.0, 10.5, 999, -1, [10], {"a": 1}, 1e300, NAN,
              lambda e: str(e.get("image_id"))]
AREAS = [DELETE, None, "400", "x", "", NAN, INF, -INF, -5, True, False, [1], {}, 0, 1024, 9216, 1e10, 1e11, 1e300, "nan"]
CROWDS = [DELETE, None, "0", "1", "", "x", "2", "-1", "1.5", "256", " 1 ", "1_0", "0x1", 2, 255, 256, -1, 0.5, 1.5, -0.5,
          255.9, 256.0, 1e300, True, False, [], [1], {}, {"a": 1}, NAN, INF]
BOXES = [
    DELETE, None, [], [1, 2, 3], [1, 2], ["10", "10", "30", "30"], ["a", 1, 2, 3], [None, 10, 30, 30],
    [10, 10, None, 30], [10, 10, True, True], [True, False, 30, 30], [[10], 10, 30, 30], [[10], [10], [30], [30]],
    [NAN, 10, 30, 30], [10, 10, NAN, 30], [10, 10, 30, NAN], [NAN] * 4, [10, 10, INF, 30], [10, 10, 30, INF],
    [10, 10, INF, INF], [INF, 10, 30, 30], [-INF, 10, 30, 30], [-INF, 10, INF, 30], [10, 10, -INF, 30],
    [0, 0, INF, INF], [10, 10, 1e200, 1e200], [30, 30, -20, -20], [10, 10, 0, 30], [10, 10, -0.0, 30], "abcd", "", 5, 5.5,
    True, {}, {"a": 1, "b": 2, "c": 3, "d": 4}, {"0": 1}, ["1", "2", "x", "4"], ["10", 10, 30, 30], [10, 10, "30", 30],
    [10, 10, "nan", 30], [" 10 ", "1e1", "30", "30"], lambda e: [float(n) for n in e["bbox"]],
]
SEGMENTATIONS = [
    DELETE, None, [], [[]], [[1, 2]], [[1, 2, 3]], [[10, 10, 30, 30]], [[10, 10, 30, 30], [5, 5, 6, 6]],
    [10, 10, 40, 10, 40, 40, 10, 40], [10, 10, 30, 30], [[10, 10, 40, 10, 40, 40, 10]],
    [[10, 10, 40, 10, 40, 40], [5, 5]], [[10, 10, 40, 10, 40, 40], []], "x", "", 5, True, {}, [None], ["abcdef"],
    [[10, 10, 40, "10", 40, 40]],
    lambda e: rle(10, 10, 30, 30, 50, 70), lambda e: runs(10, 10, 30, 30, 50, 70), lambda e: rle(10, 10, 30, 30, W, H),
    lambda e: runs(10, 10, 30, 30), lambda e: rle(10, 10, 30, 30), lambda e: [rle(10, 10, 30, 30)],
    lambda e: {"size": [H, W], "counts": [5, 6]}, lambda e: {"size": [H, W], "counts": []},
    lambda e: {"size": [H, W], "counts": "52"}, lambda e: {"size": [H, W], "counts": ""},
    lambda e: {"size": [H, W], "counts": "~~"}, lambda e: {"size": [H, W], "counts": None},
    lambda e: {"size": [H, W], "counts": 5}, lambda e: {"counts": rle(10, 10, 30, 30)["counts"]},
    lambda e: {"counts": runs(10, 10, 30, 30)["counts"]}, lambda e: {"size": [H, W]},
    lambda e: {"size": [H], "counts": "52"}, lambda e: {"size": None, "counts": "52"},
    lambda e: {"size": [float(H), float(W)], "counts": rle(10, 10, 30, 30)["counts"]},
    lambda e: {"size": [str(H), str(W)], "counts": rle(10, 10, 30, 30)["counts"]},
    lambda e: square(10, 10, 30, 30), lambda e: {"size": [H, W], "counts": [H * W]},
    lambda e: {"size": [0, 0], "counts": []},
]
SCORES = [DELETE, None, "0.5", "x", "", NAN, INF, -INF, True, False, [0.5], {}, -0.5, 0, 1e300, 10**30, 7]
SIZES = [DELETE, None, str(H), "x", 0, -1, float(H), H + 0.5, True, [H], NAN, 10**12]

BY_FIELD = {
    ("gt", "id"): IDS, ("gt", "image_id"): REFERENCES, ("gt", "category_id"): REFERENCES, ("gt", "area"): AREAS,
    ("gt", "iscrowd"): CROWDS, ("gt", "bbox"): BOXES, ("gt", "segmentation"): SEGMENTATIONS,
    ("gt", "ignore"): [1, 0, None], ("gt", "num_keypoints"): [0, 3],
    ("dt", "image_id"): REFERENCES, ("dt", "category_id"): REFERENCES, ("dt", "score"): SCORES, ("dt", "bbox"): BOXES,
    ("dt", "segmentation"): SEGMENTATIONS, ("dt", "id"): IDS, ("dt", "area"): AREAS, ("dt", "iscrowd"): CROWDS,
    ("dt", "caption"): ["a", None], ("dt", "extra"): [None, {"a": [1]}],
    ("images", "id"): [DELETE, None, "10", "x", True, 10.0, 11.5, 1e300, [1], 10**25, lambda e: str(e["id"])],
    ("images", "width"): SIZES, ("images", "height"): SIZES,
    ("categories", "id"): [DELETE, None, "1", "x", True, 1.0, 2.5, [1], lambda e: str(e["id"])],
    ("categories", "name"): [DELETE, None, "", "cat", 5, ["cat"]],
}
# How often a field is chosen.
WEIGHTS = {("gt", "iscrowd"): 4, ("gt", "area"): 3, ("gt", "id"): 3, ("gt", "bbox"): 5, ("gt", "segmentation"): 5,
           ("dt", "bbox"): 5, ("dt", "segmentation"): 5, ("dt", "score"): 2, ("dt", "image_id"): 1,
           ("images", "width"): 1, ("images", "height"): 1}


def base(rng, kind):
    images = [{"id": i, "file_name": f"{i}.jpg", "width": W, "height": H} for i in (10, 20, 30)]
    categories = [{"id": 1, "name": "cat"}, {"id": 3, "name": "dog"}, {"id": 7, "name": "car"}]
    hasBoxes, hasMasks = True, rng.random() < 0.3
    if kind == "segm":
        hasBoxes, hasMasks = rng.random() < 0.4, True
    elif rng.random() < 0.15:
        hasBoxes, hasMasks = False, True
    truths, results = [], []
    for number in range(rng.randint(4, 9)):
        x, y, w, h = rng.randint(0, 60), rng.randint(0, 40), rng.randint(5, 60), rng.randint(5, 50)
        crowd = int(rng.random() < 0.15)
        truths.append({
            "id": 100 + number, "image_id": rng.choice(images)["id"], "category_id": rng.choice([1, 1, 3]),
            "bbox": [x, y, w, h], "area": w * h, "iscrowd": crowd,
            "segmentation": runs(x, y, w, h) if crowd else square(x, y, w, h)})
    for number in range(rng.randint(4, 12)):
        truth = rng.choice(truths)
        x, y, w, h = truth["bbox"]
        if rng.random() < 0.5:
            x, y, w, h = x + rng.randint(0, 4), y + rng.randint(0, 4), w, max(1, h + rng.randint(-3, 3))
        image, category = truth["image_id"], truth["category_id"]
        if rng.random() < 0.15:
            image = rng.choice(images)["id"]
        if rng.random() < 0.15:
            category = rng.choice([1, 3, 7])
        result = {"image_id": image, "category_id": category, "score": rng.randint(1, 20) / 20}
        if hasBoxes:
            result["bbox"] = [x, y, w, h]
        if hasMasks:
            result["segmentation"] = rle(x, y, w, h)
        results.append(result)
    gt = {"info": {}, "licenses": [], "images": images, "categories": categories, "annotations": truths}
    return gt, results


def spoil(rng, gt, dt):
    """Makes one field of one entry, or of all, odd."""
    fields = list(BY_FIELD)
    side, field = rng.choices(fields, [WEIGHTS.get(f, 1) for f in fields])[0]
    entries = {"gt": gt["annotations"], "dt": dt}.get(side)
    if entries is None:
        entries = gt[side]
    value = rng.choice(BY_FIELD[side, field])
    place = rng.choice([0, rng.randrange(len(entries)), rng.randrange(len(entries))])
    chosen = entries if rng.random() < 0.2 else [entries[place]]
    for entry in chosen:
        if not isinstance(entry, dict):
            continue
        if value is DELETE:
            entry.pop(field, None)
        else:
            try:
                entry[field] = value(entry) if callable(value) else value
            except (TypeError, KeyError, ValueError):
                entry[field] = None


def structure(rng, gt, dt):
    """Makes a list odd."""
    def repeat_id():
        first, second = rng.choice(gt["annotations"]), rng.choice(gt["annotations"])
        first["id"] = second["id"]

    def identical_image():
        gt["images"].insert(rng.randrange(3), dict(rng.choice(gt["images"]), height=rng.choice([H, 40, None])))

    rng.choice([
        repeat_id, repeat_id, identical_image, lambda: gt["annotations"].append(rng.choice([None, 5, "x", [], {}])),
        lambda: gt["images"].append(rng.choice([None, 5, {}])),
        lambda: gt["categories"].append(rng.choice([None, 5, {}, {"id": 1, "name": "again"}, {"id": 9, "name": "cat"}])),
        lambda: dt.append(rng.choice([None, 5, "x", [], {}])), lambda: dt.clear(),
        lambda: dt.insert(0, rng.choice([{}, {"image_id": 10, "category_id": 1, "score": 1}])),
        lambda: gt.pop("annotations"), lambda: gt["annotations"].clear(),
        lambda: dt.extend({"image_id": 10, "category_id": 1, "bbox": [i % 50, i % 40, 20, 20], "score": .001 * (i % 37),
                           "segmentation": rle(i % 50, i % 40, 20, 20)} for i in range(130)),
    ])()


def make(seed):
    rng = random.Random(seed)
    kind = rng.choice(["bbox", "segm"])
    gt, dt = base(rng, kind)
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        if not dt or not gt.get("annotations"):
            break
        (structure if rng.random() < 0.12 else spoil)(rng, gt, dt)
    return kind, json.dumps(gt), json.dumps(dt)


def evaluated(pipe, gt, dt, kind):
    import numpy as np
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval
    warnings.simplefilter("ignore")
    # A polygon with NaN takes all memory there is.
    resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            paths = [os.path.join(folder, name) for name in ("gt.json", "dt.json")]
            for path, text in zip(paths, (gt, dt)):
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text)
            truth = COCO(paths[0])
            run = COCOeval(truth, truth.loadRes(paths[1]), kind)
            run.evaluate()
            run.accumulate()
            run.summarize()
        classes = {}
        for k, category in enumerate(run.params.catIds):
            values = run.eval["precision"][:, :, k, 0, 2]
            values = values[values > -1]
            name = truth.cats[category].get("name")
            if isinstance(name, str) and name:
                classes.setdefault(name, []).append(float(np.mean(values)) if values.size else None)
        pipe.send({
            "stats": {n: None if s == -1 else float(s) for n, s in zip(NAMES, run.stats)},
            "per_category_ap": {name: values[0] for name, values in classes.items() if len(values) == 1}})
    except BaseException as error:
        pipe.send({"error": f"{type(error).__name__}: {error}"})
    os._exit(0)


def reference(gt, dt, kind):
    """The numbers (null for -1), or the error; in a process of its own, as it may crash or not end."""
    mine, other = multiprocessing.Pipe(False)
    child = multiprocessing.get_context("fork").Process(target=evaluated, args=(other, gt, dt, kind))
    child.start()
    other.close()
    try:
        return mine.recv() if mine.poll(20) else {"error": "it does not end"}
    except EOFError:
        return {"error": "it crashes"}
    finally:
        child.kill()
        child.join()


def ours(program, gt, dt, kind):
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("gt.json", "dt.json")]
        for path, text in zip(paths, (gt, dt)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        return subprocess.run(
            [program, "evaluate", "--gt", paths[0], "--dt", paths[1], "--iou-type", kind, "--compat", "pycocotools",
             "--json"], capture_output=True, text=True)


def same(a, b):
    return a is b is None or (a is not None and b is not None and struct.pack("d", a) == struct.pack("d", b))


def compare(case):
    program, seed, expected = case
    kind, gt, dt = make(seed)
    expected = expected or reference(gt, dt, kind)
    run = ours(program, gt, dt, kind)
    if run.returncode == 2:
        isSize = "states no width and height" in run.stderr
        verdict = "same" if "error" in expected else "refused for a size" if isSize else "refused"
        return seed, kind, verdict, run.stderr.strip(), expected
    if run.returncode:
        return seed, kind, "crash", f"status {run.returncode}: {run.stderr.strip()[-300:]}", expected
    answer = json.loads(run.stdout)
    stops = answer["reference"]["stops"]
    because = ", ".join(answer["reference"]["because_of"])
    if answer["reference"]["not_reproduced"]:
        return seed, kind, "not reproduced", because, expected
    if "error" in expected:
        return seed, kind, "same" if stops else "untold", because, expected
    if stops:
        return seed, kind, "false stop", f"{stops} ({because})", expected
    for key in ("stats", "per_category_ap"):
        for name, value in expected[key].items():
            if name not in answer[key] or not same(value, answer[key][name]):
                return seed, kind, "numbers", f"{name}: {answer[key].get(name)} for {value} ({because})", expected
    return seed, kind, "same", "", expected


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", help="the assay to compare")
    parser.add_argument("--seeds", type=int, default=1500, help="how many files (1500)")
    parser.add_argument("--from", type=int, dest="first", default=0, help="the first seed (0)")
    parser.add_argument("--golden", type=int, metavar="N", help="print N cases with what pycocotools makes of them")
    parser.add_argument("--also", type=int, nargs="*", default=[], metavar="SEED", help="further seeds of --golden")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--against", metavar="FILE", help="take what pycocotools makes of the files from a --golden FILE")
    options = parser.parse_args()
    # Before the first fork.
    import pycocotools.cocoeval  # noqa: F401
    if options.golden:
        cases = []
        for seed in [*range(options.first, options.first + options.golden), *options.also]:
            kind, gt, dt = make(seed)
            cases.append({"name": f"seed {seed}", "type": kind, "gt": gt, "dt": dt, "reference": reference(gt, dt, kind)})
        json.dump({"tool": "pycocotools 2.0.11", "cases": cases}, sys.stdout, indent=0)
        return print()
    counts = collections.Counter()
    known = {}
    if options.against:
        with open(options.against, encoding="utf-8") as file:
            known = {int(case["name"].split()[1]): case["reference"] for case in json.load(file)["cases"]}
    with concurrent.futures.ProcessPoolExecutor(options.jobs) as pool:
        seeds = known or range(options.first, options.first + options.seeds)
        for seed, kind, verdict, text, expected in pool.map(
                compare, [(options.program, s, known.get(s)) for s in seeds]):
            counts[verdict] += 1
            if verdict not in FINE:
                print(f"seed {seed}, {kind}: {verdict}: {text[:300]}\n    pycocotools: {str(expected)[:160]}", flush=True)
    print(", ".join(f"{verdict} {count}" for verdict, count in sorted(counts.items())))
    sys.exit(1 if set(counts) - FINE else 0)


if __name__ == "__main__":
    main()
