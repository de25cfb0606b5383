#!/usr/bin/env python3
"""Odd files of COCO's truth and results, and what pycocotools 2.0.11 makes of them.

Run with a Python that has pycocotools 2.0.11:
  python make.py > cases.json
  python make.py ../../../../shared/data/coco/val2014_100 > val2014_100.json   (the COCO API's own example)

Each case has the two files as they are (`gt`, `dt`, texts), as pycocotools reads them (`reference`: its twelve
numbers, or the error it stops with), and, where assay judges the files in another way, the numbers of
pycocotools for the files put right by assay's rule (`fixed`).
"""
import contextlib, copy, io, json, os, signal, sys, tempfile

from pycocotools import mask as M
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

NAMES = ["AP", "AP50", "AP75", "APs", "APm", "APl", "AR1", "AR10", "AR100", "ARs", "ARm", "ARl"]
W, H = 200, 150


def square(x, y, w, h):
    return [[x, y, x + w, y, x + w, y + h, x, y + h]]


def rle(x, y, w, h, height=H, width=W):
    r = M.merge(M.frPyObjects(square(x, y, w, h), height, width))
    return {"size": list(map(int, r["size"])), "counts": r["counts"].decode()}


def runs(x, y, w, h, height=H, width=W):
    out, value, n = [], 0, 0
    for v in M.decode(rle(x, y, w, h, height, width)).flatten(order="F"):
        if v == value:
            n += 1
        else:
            out.append(n)
            value, n = v, 1
    return {"size": [height, width], "counts": out + [n]}


def annotation(id, image, category, x, y, w, h, crowd=0):
    return {"id": id, "image_id": image, "category_id": category, "bbox": [x, y, w, h], "area": w * h,
            "iscrowd": crowd, "segmentation": runs(x, y, w, h) if crowd else square(x, y, w, h)}


def truth():
    return {
        "info": {}, "licenses": [],
        "images": [{"id": i, "file_name": f"{i}.jpg", "width": W, "height": H} for i in (10, 20, 30, 40)],
        "categories": [{"id": 1, "name": "cat"}, {"id": 3, "name": "dog"}, {"id": 7, "name": "car"}],
        "annotations": [
            annotation(101, 10, 1, 10, 10, 20, 20), annotation(102, 10, 1, 60, 20, 40, 50),
            annotation(103, 10, 3, 110, 5, 25, 30), annotation(104, 20, 1, 5, 60, 110, 85),
            annotation(105, 20, 3, 40, 10, 30, 30), annotation(106, 20, 3, 90, 5, 60, 40, 1),
            annotation(107, 30, 7, 20, 20, 120, 100), annotation(108, 30, 1, 150, 90, 12, 14),
        ],
    }


BOXES = [(10, 1, 11, 11, 20, 20, .9), (10, 1, 62, 22, 40, 50, .8), (10, 3, 112, 5, 25, 30, .7),
         (10, 1, 120, 100, 20, 20, .65), (20, 1, 5, 62, 110, 80, .85), (20, 3, 44, 10, 30, 30, .6),
         (20, 3, 92, 8, 20, 20, .55), (30, 7, 22, 22, 118, 96, .95), (30, 1, 150, 92, 12, 14, .5),
         (30, 7, 60, 60, 40, 40, .3), (20, 7, 10, 10, 30, 30, .2)]


def boxes():
    return [{"image_id": i, "category_id": c, "bbox": [x, y, w, h], "score": s} for i, c, x, y, w, h, s in BOXES]


def masks():
    return [{"image_id": i, "category_id": c, "segmentation": rle(x, y, w, h), "score": s}
            for i, c, x, y, w, h, s in BOXES]


def both():
    return [dict(b, segmentation=m["segmentation"]) for b, m in zip(boxes(), masks())]


def evaluate(gt, dt, kind):
    """The twelve numbers (null for -1), or the error."""
    def late(*_):
        raise TimeoutError("it does not end")
    signal.signal(signal.SIGALRM, late)
    signal.alarm(10)
    try:
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
            g, d = os.path.join(folder, "gt.json"), os.path.join(folder, "dt.json")
            open(g, "w").write(gt)
            open(d, "w").write(dt)
            c = COCO(g)
            e = COCOeval(c, c.loadRes(d), kind)
            e.evaluate()
            e.accumulate()
            e.summarize()
        return {"stats": {n: None if s == -1 else float(s) for n, s in zip(NAMES, e.stats)}}
    except BaseException as error:
        return {"error": f"{type(error).__name__}: {error}"}
    finally:
        signal.alarm(0)


def real(folder):
    """The numbers of the COCO API's example, with the AP of every category."""
    made = {"tool": "pycocotools 2.0.11"}
    for kind in ("bbox", "segm"):
        with contextlib.redirect_stdout(io.StringIO()):
            c = COCO(f"{folder}/instances_val2014_100.json")
            e = COCOeval(c, c.loadRes(f"{folder}/instances_val2014_fake{kind}100_results.json"), kind)
            e.evaluate()
            e.accumulate()
            e.summarize()
        precision = e.eval["precision"][:, :, :, 0, 2]
        classes = {}
        for k, id in enumerate(e.params.catIds):
            p = precision[:, :, k]
            p = p[p > -1]
            classes[c.cats[id]["name"]] = float(p.mean()) if p.size else None
        made[kind] = {"stats": dict(zip(NAMES, map(float, e.stats))), "per_category_ap": classes}
    json.dump(made, sys.stdout, indent=1)
    print()


if len(sys.argv) > 1:
    real(sys.argv[1])
    sys.exit()

CASES = []


def case(name, odd, fixed=None, kind="bbox", results=boxes):
    """`odd(gt, dt)` spoils the files, or gives two texts; `fixed` puts right what assay's rule says."""
    def texts(change):
        g, d = truth(), results()
        made = change(g, d) if change else None
        g, d = made if made is not None else (g, d)
        return tuple(t if isinstance(t, str) else json.dumps(t) for t in (g, d))
    gt, dt = texts(odd)
    entry = {"name": name, "type": kind, "gt": gt, "dt": dt, "reference": evaluate(gt, dt, kind)}
    if fixed:
        entry["fixed"] = evaluate(*texts(fixed), kind)
        assert "stats" in entry["fixed"], (name, entry["fixed"])
    CASES.append(entry)


def same(g, d):
    pass


def each(path, value, only=None):
    """Sets (or with `del`, takes) a member of annotations or results; `path` is gt.MEMBER or dt.MEMBER."""
    side, member = path.split(".")
    def change(g, d):
        entries = g["annotations"] if side == "gt" else d
        for i in (range(len(entries)) if only is None else only):
            if value is del_:
                entries[i].pop(member)
            else:
                entries[i][member] = value(entries[i]) if callable(value) else value
    return change


class del_:
    pass


def then(*changes):
    def change(g, d):
        for c in changes:
            c(g, d)
    return change


def drop_results(*places):
    def change(g, d):
        for i in sorted(places, reverse=True):
            del d[i]
    return change


def drop_truth(*places):
    def change(g, d):
        for i in sorted(places, reverse=True):
            del g["annotations"][i]
    return change


# As it should be.
case("fine", same)
case("fine masks", same, kind="segm", results=masks)
case("fine both bbox", same, results=both)
case("fine both segm", same, kind="segm", results=both)
case("masks judged as boxes", same, results=masks)

# The truth's lists.
case("no annotations", lambda g, d: g.pop("annotations") and None)
case("no images", lambda g, d: g.pop("images") and None)
case("empty images", lambda g, d: g.update(images=[]))
case("no categories", lambda g, d: g.pop("categories") and None)
case("image is a number", lambda g, d: g["images"].append(5), same)
case("image without id", lambda g, d: g["images"].append({"file_name": "x.jpg", "width": 9, "height": 9}), same)
case("image id twice", lambda g, d: g["images"].append(copy.deepcopy(g["images"][0])), same)
case("image id twice, other size",
     lambda g, d: g["images"].insert(0, {"id": 10, "file_name": "a.jpg", "width": 20, "height": 30}), same,
     kind="segm", results=masks)
case("image without size", lambda g, d: [i.pop("width") for i in g["images"]] and None, same)
case("image without size, segm", lambda g, d: g["images"][0].pop("width") and None, kind="segm", results=masks)
case("category is a text", lambda g, d: g["categories"].append("x"), same)
case("category without id", lambda g, d: g["categories"].append({"name": "x"}), same)
case("category without name", lambda g, d: g["categories"][0].pop("name") and None, same)
case("category id twice", lambda g, d: g["categories"].append({"id": 1, "name": "again"}), same)
case("category name twice", lambda g, d: g["categories"][1].update(name="cat"), same)

# The truth's annotations.
case("annotation is null", lambda g, d: g["annotations"].append(None), same)
case("annotation without image_id", each("gt.image_id", del_, [1]), drop_truth(1))
case("annotation without category_id", each("gt.category_id", del_, [1]), drop_truth(1))
case("annotation of unknown image", each("gt.image_id", 999, [1]), drop_truth(1))
case("annotation of unknown category", each("gt.category_id", 999, [1]), drop_truth(1))
case("annotation of an image id as text", each("gt.image_id", "10", [1]), same)
case("annotation of a category id as text", each("gt.category_id", "1", [1]), same)
case("annotation of an image id with a fraction of 0", each("gt.image_id", 10.0, [1]), same)
case("annotation without id", each("gt.id", del_, [0]), same)
case("annotation id is a text", each("gt.id", "a7", [0]), same)
case("annotation id is a number as text", each("gt.id", "7", [0]), same)
case("annotation id 0", each("gt.id", 0, [0]), same)
case("annotation id 0 segm", each("gt.id", 0, [0]), same, kind="segm", results=masks)
case("annotation id 0 as text", each("gt.id", "0", [0]), same)
case("annotation ids repeated", each("gt.id", 101, [1, 4]), same)
case("annotation ids repeated segm", each("gt.id", 101, [1, 4]), same, kind="segm", results=masks)
case("annotation ids repeated, last of an unknown image",
     then(each("gt.id", 101, [1, 4]), each("gt.image_id", 999, [4])), drop_truth(4))
case("no area", each("gt.area", del_, [0, 2, 6]),
     then(each("gt.area", lambda a: int(M.area(rle(*a["bbox"]))), [0, 2, 6])))
case("null area", each("gt.area", None, [0]), each("gt.area", lambda a: int(M.area(rle(*a["bbox"]))), [0]))
case("no area, no segmentation", then(each("gt.area", del_), each("gt.segmentation", del_)), same)
case("text area", each("gt.area", lambda a: str(a["area"]), [0]), same)
case("NaN area", each("gt.area", float("nan"), [0]),
     each("gt.area", lambda a: int(M.area(rle(*a["bbox"]))), [0]))
case("infinite area", each("gt.area", float("inf"), [0]),
     each("gt.area", lambda a: int(M.area(rle(*a["bbox"]))), [0]))
case("negative area", each("gt.area", -5, [0]),
     each("gt.area", lambda a: int(M.area(rle(*a["bbox"]))), [0]))
case("no iscrowd", each("gt.iscrowd", del_, [0, 1, 2, 3, 4, 6, 7]), same)
case("iscrowd true and false", each("gt.iscrowd", lambda a: bool(a["iscrowd"])), same)
case("iscrowd null", each("gt.iscrowd", None, [0]), same)
case("iscrowd 2", each("gt.iscrowd", 2, [5]), same)
case("no bbox", each("gt.bbox", del_, [0]), same)
case("null bbox", each("gt.bbox", None, [0]), same)
case("bbox of three numbers", each("gt.bbox", [1, 2, 3], [0]), same)
case("NaN bbox", each("gt.bbox", [float("nan"), 2, 3, 4], [0]), same)
case("no bbox, segm", each("gt.bbox", del_), same, kind="segm", results=masks)
case("neither bbox nor segmentation", then(each("gt.bbox", del_, [0]), each("gt.segmentation", del_, [0])),
     drop_truth(0))
case("negative bbox", each("gt.bbox", [30, 30, -20, -20], [0]), each("gt.bbox", [30, 30, -20, -20], [0]))
case("no segmentation, segm", each("gt.segmentation", del_, [0]), same, kind="segm", results=masks)
case("empty segmentation, segm", each("gt.segmentation", [], [0]), same, kind="segm", results=masks)
case("polygon of four numbers", each("gt.segmentation", lambda a: [a["bbox"]], [0]), same, kind="segm", results=masks)
case("polygon without its list", each("gt.segmentation", lambda a: a["segmentation"][0], [0]), same, kind="segm",
     results=masks)
case("polygon of an odd count", each("gt.segmentation", lambda a: [a["segmentation"][0] + [9]], [0]), same,
     kind="segm", results=masks)
case("polygon of two numbers beside another",
     each("gt.segmentation", lambda a: a["segmentation"] + [[5, 5]], [0]), same, kind="segm", results=masks)
case("truth's runs of another size", each("gt.segmentation", lambda a: rle(*a["bbox"], height=100, width=250), [1]),
     drop_truth(1), kind="segm", results=masks)
case("truth's runs do not sum up", each("gt.segmentation", {"size": [H, W], "counts": [5, 6]}, [1]), drop_truth(1),
     kind="segm", results=masks)
case("truth's segmentation is a text", each("gt.segmentation", "x", [1]), drop_truth(1), kind="segm", results=masks)

# The results.
case("empty list", lambda g, d: (g, []), lambda g, d: (g, [dict(d[0], category_id=999)]))
case("wrapped", lambda g, d: (g, {"annotations": d}), same)
case("result is a number", lambda g, d: d.append(3), same)
case("unknown image", each("dt.image_id", 999, [1]), drop_results(1))
case("all images unknown", each("dt.image_id", 999))
case("unknown category", each("dt.category_id", 999, [1]), drop_results(1))
case("category id 2 of none", each("dt.category_id", 2, [0, 1]), drop_results(0, 1))
case("no image_id", each("dt.image_id", del_, [1]), drop_results(1))
case("no category_id", each("dt.category_id", del_, [1]), drop_results(1))
case("image ids as text", each("dt.image_id", lambda r: str(r["image_id"])), same)
case("category ids as text", each("dt.category_id", lambda r: str(r["category_id"]), [0, 1]), same)
case("all ids as text", lambda g, d: then(
    each("gt.image_id", lambda r: "i%s" % r["image_id"]), each("dt.image_id", lambda r: "i%s" % r["image_id"]))(g, d)
    or [i.update(id="i%s" % i["id"]) for i in g["images"]] and None)
case("no score", each("dt.score", del_, [1]), drop_results(1))
case("no scores", each("dt.score", del_))
case("null score", each("dt.score", None, [1]), drop_results(1))
case("text score", each("dt.score", lambda r: str(r["score"]), [1]), same)
case("NaN score", each("dt.score", float("nan"), [1]), drop_results(1))
case("NaN and infinite scores",
     lambda g, d: [d[i].update(score=s) for i, s in ((1, float("nan")), (3, float("inf")), (8, -float("inf")))] and None,
     drop_results(1, 3, 8))
case("score 1e999", lambda g, d: (g, json.dumps(d).replace('"score": 0.65', '"score": 1e999')), drop_results(3))
case("no bbox in a result", each("dt.bbox", del_, [1]), drop_results(1))
case("no bbox in the first result", each("dt.bbox", del_, [0]), drop_results(0))
case("null bbox in a result", each("dt.bbox", None, [1]), drop_results(1))
case("no bbox but a segmentation", each("dt.bbox", del_, [1]),
     each("dt.bbox", lambda r: list(map(float, M.toBbox(r["segmentation"]))), [1]), results=both)
case("short bbox in a result", each("dt.bbox", [1, 2], [1]), drop_results(1))
case("NaN bbox in a result", each("dt.bbox", [float("nan"), 1, 2, 3], [1]), drop_results(1))
case("negative bbox in a result", each("dt.bbox", [30, 30, -20, -20], [0]), each("dt.bbox", [30, 30, -20, -20], [0]))
case("empty bbox in a result", each("dt.bbox", [30, 30, 0, 0], [0]), each("dt.bbox", [30, 30, 0, 0], [0]))
case("boxes judged as masks", same, kind="segm")
case("a box among masks", lambda g, d: d[1].pop("segmentation") and None, same, kind="segm", results=both)
case("a box among masks without boxes", lambda g, d: d[1].update(bbox=list(map(float, M.toBbox(d[1].pop("segmentation")))))
     , same, kind="segm", results=masks)
case("result of neither", lambda g, d: d[1].pop("segmentation") and None, drop_results(1), kind="segm", results=masks)
case("runs of another size", each("dt.segmentation", lambda r: rle(10, 10, 20, 20, 100, 250), [1]), drop_results(1),
     kind="segm", results=masks)
case("runs of another size as boxes", each("dt.segmentation", lambda r: rle(10, 10, 20, 20, 100, 250), [1]),
     drop_results(1), results=masks)
case("runs that do not sum up", each("dt.segmentation", {"size": [H, W], "counts": "52"}, [1]), drop_results(1),
     kind="segm", results=masks)
case("bad characters in runs", each("dt.segmentation", {"size": [H, W], "counts": "~~"}, [1]), drop_results(1),
     kind="segm", results=masks)
case("runs without a size", each("dt.segmentation", {"counts": "52"}, [1]), drop_results(1), kind="segm", results=masks)
case("uncompressed runs", each("dt.segmentation", lambda r: runs(60, 20, 40, 50), [1]),
     each("dt.segmentation", lambda r: rle(60, 20, 40, 50), [1]), kind="segm", results=masks)
case("uncompressed runs beside boxes", each("dt.segmentation", lambda r: runs(60, 20, 40, 50), [1]),
     each("dt.segmentation", lambda r: rle(60, 20, 40, 50), [1]), kind="segm", results=both)
case("polygons as results beside boxes", each("dt.segmentation", lambda r: square(60, 20, 40, 50), [1]),
     each("dt.segmentation", lambda r: rle(60, 20, 40, 50), [1]), kind="segm", results=both)
case("more than 100 of a class", lambda g, d: d.extend(
    {"image_id": 10, "category_id": 1, "bbox": [i % 150, i % 120, 20, 20], "score": .001 * (i % 37)} for i in range(130)))

# The files.
case("swapped", lambda g, d: (d, g))
case("truth twice", lambda g, d: (g, g))
case("results twice", lambda g, d: (d, d))
case("truth is cut off", lambda g, d: (json.dumps(g)[:-100], d))
case("results are cut off", lambda g, d: (g, json.dumps(d)[:-30]))
case("results are cut off between two", lambda g, d: (g, json.dumps(d)[:json.dumps(d).index("}") + 1]))
case("results miss a comma", lambda g, d: (g, json.dumps(d).replace("}, {", "} {", 1)))
case("results have a comma too many", lambda g, d: (g, json.dumps(d)[:-1] + ",]"))
case("results are no JSON", lambda g, d: (g, "image,score\n1,2\n"))
case("results are empty", lambda g, d: (g, ""))
case("results are a number", lambda g, d: (g, "5"))
case("results are an object", lambda g, d: (g, {"a": 1, "b": []}))
case("results are predictions in a list", lambda g, d: (g, {"predictions": d}))
case("truth is no JSON", lambda g, d: ("hello", d))

json.dump({"tool": "pycocotools 2.0.11", "cases": CASES}, sys.stdout, indent=1)
print()
