#!/usr/bin/env python3
"""Makes errors/random.json, errors/example.json and errors/val2014_100.json beside this file: what tidecv says.

    python make_error_goldens.py [VAL2014_100]

Needs tidecv 1.0.1, pycocotools 2.0.11, numpy. VAL2014_100 is the folder with the COCO API's example; the files of
example.json are in ../detect/example. tidecv is run twice: as it is ("tidecv"), and with METRICS.md's rules in its place ("rules") where they differ:

  mean     the mean is over classes with an object; tidecv counts classes without as 0, and fails without any
  recalls  recalls are linspace(0, 1, 101); tidecv divides whole numbers by 100, which misses a bit at times
  ties     equal scores rank in the order of images, then in the given one, also once an error is put right
  overlaps objects are matched as COCO does it: of equal overlaps the later object, a crowd from the IoU on
  limit    the most detections are counted by class; tidecv counts all classes of an image together
  crowds   a detection on a crowd has no type of error; tidecv gives it one, and may put it right

"differs" says for each set whether that changed a number. The random sets come from a generator that is
written the same in Swift (RandomDetections.swift).
"""
import importlib.metadata
import json
import os
import sys
from unittest import mock

import numpy as np

# tidecv draws with these; nothing is drawn here.
for name in ["cv2", "matplotlib", "matplotlib.pyplot", "appdirs", "tidecv.plotting"]:
    sys.modules.setdefault(name, mock.MagicMock())
import tidecv.quantify as q
from pycocotools import mask as mask_utils
from tidecv.ap import APDataObject, ClassedAPDataObject
from tidecv.data import Data
from tidecv.functions import toRLE

HERE = os.path.dirname(os.path.abspath(__file__))
TOOLS = "tidecv {}, pycocotools {}, numpy {}".format(
    *[importlib.metadata.version(x) for x in ["tidecv", "pycocotools", "numpy"]])
KINDS = [q.ClassError, q.BoxError, q.OtherError, q.DuplicateError, q.BackgroundError, q.MissedError]


class Random:
    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        z = self.state
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9 % 2**64
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB % 2**64
        return z ^ (z >> 31)

    def below(self, bound):
        return self.next() % bound


def random_set(seed):
    """Every fourth set is odd: crowds, equal scores, boxes without area, at most three detections."""
    r = Random(seed)
    odd = seed % 4 == 0
    classes, images, truths, found = 1 + r.below(4), 1 + r.below(8), [], []
    for image in range(images):
        first = len(truths)
        for _ in range(r.below(7)):
            box = [r.below(60), r.below(60), 4 + r.below(40), 4 + r.below(40)]
            if odd and r.below(10) == 0:
                box[2] = 0
            truths.append(dict(image=image, cls=r.below(classes), box=box, crowd=odd and r.below(6) == 0))
        for _ in range(r.below(16)):
            if len(truths) > first and r.below(4) > 0:
                near = truths[first + r.below(len(truths) - first)]
                box = [near["box"][0] + r.below(15) - 7, near["box"][1] + r.below(15) - 7,
                       max(0, near["box"][2] + r.below(11) - 5), max(0, near["box"][3] + r.below(11) - 5)]
                cls = near["cls"] if r.below(4) > 0 else r.below(classes)
            else:
                box = [r.below(60), r.below(60), r.below(44), r.below(44)]
                cls = r.below(classes)
            score = r.below(12) / 16 if odd else r.below(2**30) / 2**30
            found.append(dict(image=image, cls=cls, box=box, score=score))
    return classes, images, truths, found, 3 if odd else 100


class RulesExample(q.TIDEExample):
    def _run(self):
        gt, ignore, kind = self.gt, self.ignore_regions, "bbox" if self.mode == q.TIDE.BOX else "mask"
        preds, seen = sorted(self.preds, key=lambda p: -p["score"]), {}
        self.preds = []
        for pred in preds:
            seen[pred["class"]] = seen.get(pred["class"], 0) + 1
            if seen[pred["class"]] <= self.max_dets:
                self.preds.append(pred)
        preds, everything = self.preds, gt + ignore
        crowd = [bool(x["ignore"]) for x in everything]
        iou = mask_utils.iou([x[kind] for x in preds], [x[kind] for x in everything], crowd)
        iou = np.array(iou).reshape(len(preds), len(everything))
        for index, x in enumerate(everything):
            x.update(used=False, usable=False, _idx=index)
        for index, pred in enumerate(preds):
            pred.update(used=False, _idx=index, iou=0)
            best, match = min(self.pos_thresh, 1 - 1e-10), None
            for other, x in enumerate(everything):
                if x["class"] != pred["class"] or (x["used"] and not crowd[other]):
                    continue
                if match is not None and not crowd[match] and crowd[other]:
                    break
                if iou[index, other] >= best:
                    best, match = iou[index, other], other
            if match is not None:
                everything[match]["used"] = True
                pred["used"] = None if crowd[match] else True
                pred["matched_with"] = everything[match]["_id"]
                everything[match]["matched_with"] = pred["_id"]
        if not gt:
            return
        same = np.array([x["class"] for x in preds])[:, None] == np.array([x["class"] for x in gt])[None]
        used = np.array([x["used"] for x in gt])[None]
        self.gt_iou = iou[:, :len(gt)]
        self.gt_cls_iou = self.gt_iou * same
        self.gt_noncls_iou = self.gt_iou * ~same
        self.gt_used_cls = self.gt_iou * used * same


class RulesRun(q.TIDERun):
    def _add_error(self, error):
        if getattr(error, "pred", {}).get("used", False) is None:
            match = getattr(error, "match", None)
            assert match is None, "no match was made for it"
            return
        super()._add_error(error)


class NoMatch:
    """In the place of tidecv's BestGTMatch: nothing is put right by a detection that does not count."""

    def __new__(cls, pred, gt):
        return None if pred["used"] is None else ORIGINAL["BestGTMatch"](pred, gt)


def rules_ap(self):
    if self.num_gt_positives == 0:
        return 0
    points = sorted(((s, i, ok) for i, (s, ok, _) in self.data_points.items()), key=lambda p: (-p[0], p[1]))
    right = np.cumsum([bool(p[2]) for p in points])
    wrong = np.cumsum([not p[2] for p in points])
    precision = (right / (right + wrong + np.spacing(1))).tolist()
    for i in range(len(precision) - 1, 0, -1):
        precision[i - 1] = max(precision[i], precision[i - 1])
    places = np.searchsorted(right / self.num_gt_positives, np.linspace(0, 1, 101), side="left")
    return sum(precision[p] for p in places if p < len(precision)) / 101 * 100


def rules_mean(self):
    aps = [x.get_ap() for x in self.objs.values() if x.num_gt_positives > 0]
    return sum(aps) / len(aps) if aps else None


def plain_mean(self):
    try:
        return ORIGINAL["mean"](self)
    except ZeroDivisionError:
        return None


import tidecv.errors.main_errors as main_errors

ORIGINAL = {"example": q.TIDEExample, "ap": APDataObject.get_ap, "mean": ClassedAPDataObject.get_mAP,
            "BestGTMatch": main_errors.BestGTMatch}


def run(truths, found, limit, rules, mode=q.TIDE.BOX, images=None):
    q.TIDEExample = RulesExample if rules else ORIGINAL["example"]
    APDataObject.get_ap = rules_ap if rules else ORIGINAL["ap"]
    ClassedAPDataObject.get_mAP = rules_mean if rules else plain_mean
    main_errors.BestGTMatch = NoMatch if rules else ORIGINAL["BestGTMatch"]
    gt, dt = Data("gt", max_dets=limit), Data("dt", max_dets=limit)
    for image in images:
        gt.add_image(image, str(image))
    for x in truths:
        add = gt.add_ignore_region if x["crowd"] else gt.add_ground_truth
        add(x["image"], x["cls"], x["box"], x.get("mask"))
    for x in found:
        dt.add_detection(x["image"], x["cls"], x["score"], x["box"], x.get("mask"))
    result = (RulesRun if rules else q.TIDERun)(gt, dt, 0.5, 0.1, mode, limit)
    costs = []
    for kind in KINDS:
        fixed = result.fix_errors(lambda e, kind=kind: isinstance(e, kind)).get_mAP()
        costs.append(0 if fixed is None or result.ap is None else max(fixed - result.ap, 0) / 100)
    counts = [sum(type(e) is kind for e in result.errors) for kind in KINDS]
    return dict(ap=None if result.ap is None else result.ap / 100, costs=costs, counts=counts)


def both(name, *arguments, **options):
    plain, rules = [run(*arguments, rules=x, **options) for x in (False, True)]
    same = plain["counts"] == rules["counts"] and np.allclose(
        [x["ap"] or 0 for x in [plain]] + plain["costs"], [x["ap"] or 0 for x in [rules]] + rules["costs"],
        rtol=0, atol=1e-12) and (plain["ap"] is None) == (rules["ap"] is None)
    return dict(name=name, differs=not same, tidecv=plain, rules=rules)


def write(name, sets):
    with open(os.path.join(HERE, "errors", name), "w") as file:
        file.write(json.dumps(dict(tools=TOOLS, sets=sets), separators=(",", ":")).replace('{"name"', '\n{"name"'))
        file.write("\n")
    print(name, len(sets), "sets,", sum(s["differs"] for s in sets), "differ")


def coco(folder, instances, detections):
    truth = json.load(open(os.path.join(folder, instances)))
    sizes = {x["id"]: (x["width"], x["height"]) for x in truth["images"]}
    sets = []
    for mode, kind in [(q.TIDE.BOX, "bbox"), (q.TIDE.MASK, "segm")]:
        results = json.load(open(os.path.join(folder, detections.format(kind))))
        images = sorted(sizes)
        truths = [dict(image=x["image_id"], cls=x["category_id"], box=x["bbox"], crowd=bool(x["iscrowd"]),
                       mask=toRLE(x["segmentation"], *sizes[x["image_id"]]))
                  for x in truth["annotations"]]
        found = [dict(image=x["image_id"], cls=x["category_id"], box=x.get("bbox"), score=x["score"],
                      mask=x.get("segmentation")) for x in results]
        found.sort(key=lambda x: x["image"])
        sets.append(both(kind, truths, found, 100, mode=mode, images=images))
    return sets


sets = []
for seed in range(400):
    classes, images, truths, found, limit = random_set(seed)
    sets.append(both(str(seed), truths, found, limit, images=range(images)))
write("random.json", sets)
write("example.json", coco(os.path.join(HERE, "../detect/example"), "instances.json", "{}.json"))
if len(sys.argv) > 1:
    write("val2014_100.json", coco(
        sys.argv[1], "instances_val2014_100.json", "instances_val2014_fake{}100_results.json"))
