#!/usr/bin/env python3
"""Makes the folder segmentation/ beside this file: small files of masks, and in expected.json what they score.

Needs numpy 2.4.6, Pillow, pycocotools 2.0.11, MedPy 0.5.2, scipy 1.17.1. Compared in AssayWorkflowsTests with a tolerance of 1e-12.
labels/ holds label maps (gray, palette, 4 bits; 255 is void, 7 is no class), binary/ masks of 0 and 255 (one of 1 bit, one
pair empty, one result in shades of gray), coco-*.json instances and results.
"""
import json
import os

import numpy as np
import scipy.ndimage as ndi
from medpy.metric.binary import hd95
from PIL import Image
from pycocotools import mask as coco
from pycocotools.coco import COCO

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "segmentation")
rng = np.random.default_rng(31)


def smooth(h, w, k):
    return ndi.gaussian_filter(rng.normal(size=(k, h, w)), (0, 2, 2), mode="nearest").argmax(0).astype(np.uint8)


def save(image, *path):
    path = os.path.join(HERE, *path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    image.save(path, optimize=True)


def palette(a):
    image = Image.fromarray(a, "P")
    image.putpalette([(37 * i) % 256 for i in range(768)])
    return image


def labels():
    """As the field does it: one matrix over all pixels by bincount, nan for classes that never occur."""
    n, cm, per = 5, np.zeros((5, 5), np.int64), []
    for name, size in (("a", (30, 40)), ("b", (17, 23)), ("deep/c", (20, 20)), ("deep/d", (8, 9))):
        t = smooth(*size, 4)
        p = np.roll(t, 1, 1)
        p[rng.random(size) < .1] = 2
        if name in ("a", "deep/d"):
            t[:3] = 255
        if name == "b":
            t[-1, :4] = 7
        make = palette if name == "b" else Image.fromarray
        save(make(t), "labels", "gt", name + ".png")
        save(palette(p) if name == "deep/c" else Image.fromarray(p), "labels", "pred", name + ".png")
        a, b = t.astype(np.int64), p.astype(np.int64)
        keep = (a >= 0) & (a < n)
        one = np.bincount(n * a[keep] + b[keep], minlength=n * n).reshape(n, n)
        cm += one
        with np.errstate(all="ignore"):
            per.append(float(np.nanmean(np.diag(one) / (one.sum(0) + one.sum(1) - np.diag(one)))))
    tp, t, p = np.diag(cm), cm.sum(1), cm.sum(0)
    with np.errstate(all="ignore"):
        iou, dice = tp / (t + p - tp), 2 * tp / (t + p)
    none = lambda v: [None if np.isnan(x) else float(x) for x in v]
    return dict(confusion=cm.tolist(), pixel_accuracy=float(tp.sum() / cm.sum()), class_iou=none(iou), class_dice=none(dice),
                miou=float(np.nanmean(iou)), sample_miou=float(np.mean(per)))


def binary():
    iou, dice, distances, sums = [], [], [], np.zeros(3, int)
    for i in range(5):
        t = smooth(24, 31, 2) > 0
        p = np.roll(t, 2, 0)
        if i == 3:
            t[:], p[:] = False, False
        save(Image.fromarray(t) if i == 1 else Image.fromarray(t.astype(np.uint8) * 255), "binary", "gt", f"{i}.png")
        gray = np.where(p, 128 + rng.integers(0, 128, p.shape), rng.integers(0, 128, p.shape)).astype(np.uint8)
        save(Image.fromarray(gray if i == 2 else p.astype(np.uint8) * 255), "binary", "pred", f"{i}.png")
        both, either, total = int((t & p).sum()), int((t | p).sum()), int(t.sum() + p.sum())
        sums += (both, either, total)
        distances.append(float(hd95(p, t)) if p.any() and t.any() else None)
        if either:
            iou.append(both / either)
            dice.append(2 * both / total)
    return dict(n=5, defined=len(iou), mean_iou=float(np.mean(iou)), mean_dice=float(np.mean(dice)),
                iou=float(sums[0] / sums[1]), dice=float(2 * sums[0] / sums[2]),
                hausdorff95=distances, mean_hausdorff95=float(np.mean([d for d in distances if d is not None])))


def cocos():
    def text(m):
        r = coco.encode(np.asfortranarray(m.astype(np.uint8)))
        return dict(size=r["size"], counts=r["counts"].decode())

    def runs(m):
        flat, out, last = m.T.ravel(), [], 0
        for v in flat:
            if len(out) == 0 or v != last:
                if len(out) == 0 and v:
                    out.append(0)
                out.append(0)
                last = v
            out[-1] += 1
        return dict(size=list(m.shape), counts=[int(v) for v in out])

    images = [dict(id=i, file_name=f"{i}.jpg", width=33, height=26) for i in (3, 1, 9, 4)]
    person, dog = dict(id=1, name="person"), dict(id=18, name="dog")
    blob = lambda: smooth(26, 33, 3) > 1
    truth = [
        dict(id=1, image_id=3, category_id=1, iscrowd=0, segmentation=[[2.5, 3, 20, 4.5, 14, 20.25], [22, 2, 30, 2, 30, 9, 22, 9]]),
        dict(id=2, image_id=3, category_id=1, iscrowd=1, segmentation=runs(blob())),
        dict(id=3, image_id=3, category_id=18, iscrowd=0, segmentation=text(blob())),
        dict(id=4, image_id=1, category_id=1, iscrowd=0, segmentation=text(blob())),
        dict(id=5, image_id=4, category_id=18, iscrowd=0, segmentation=text(blob()))]
    for a in truth:
        a.update(area=1, bbox=[0, 0, 1, 1])
    results = [dict(image_id=3, category_id=1, score=.9, segmentation=text(blob())),
               dict(image_id=3, category_id=1, score=.8, segmentation=text(blob())),
               dict(image_id=1, category_id=18, score=.8, segmentation=text(blob())),
               dict(image_id=1, category_id=1, score=.4, segmentation=text(blob())),
               dict(image_id=4, category_id=18, score=.4, segmentation=text(blob()))]
    for name, content in (("truth", dict(images=images, annotations=truth, categories=[person, dog])), ("results", results)):
        with open(os.path.join(HERE, f"coco-{name}.json"), "w") as f:
            json.dump(content, f, separators=(",", ":"))
            f.write("\n")
    g = COCO(os.path.join(HERE, "coco-truth.json"))
    d = g.loadRes(os.path.join(HERE, "coco-results.json"))
    out = {}
    for category in ("person", None):
        iou, dice = [], []
        for im in images:
            a, b = (np.zeros((26, 33), bool) for _ in range(2))
            for c, m in ((g, a), (d, b)):
                for x in c.imgToAnns[im["id"]]:
                    if category is None or g.cats[x["category_id"]]["name"] == category:
                        m |= c.annToMask(x) > 0
            if (a | b).any():
                iou.append((a & b).sum() / (a | b).sum())
                dice.append(2 * (a & b).sum() / (a.sum() + b.sum()))
        out[category or ""] = dict(n=4, defined=len(iou), mean_iou=float(np.mean(iou)), mean_dice=float(np.mean(dice)))
    return out


os.makedirs(HERE, exist_ok=True)
content = dict(labels=labels(), binary=binary(), coco=cocos())
with open(os.path.join(HERE, "expected.json"), "w") as f:
    json.dump(content, f, indent=1, allow_nan=False)
    f.write("\n")
