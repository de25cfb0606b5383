"""Section 6: results of other programs."""
import csv
import json
import os

import numpy as np

from .base import PETS, Refused, Wrong, near, need, row, softmax
from .classifiers import find
from .detectors import BOXES, THINGS, detector, people, pose_reference, pycoco, street, streets, v8
from .segmenters import HEIGHT, PARTS, WIDTH, scene


def scores(place):
    """Keys, probabilities of float32 and the truth of the pets."""
    random = np.random.default_rng(71)
    keys = place.keys(place.pets())
    truth = np.repeat(np.arange(5), 3)
    logits = random.normal(0, 1, (15, 5)) + 1.2 * np.eye(5)[truth]
    return keys, logits, softmax(logits).astype(np.float32), truth


def table(place, header, rows, name=None, separator=","):
    name = name or place.fresh("t") + ".csv"
    with open(place.path(name), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=separator)
        if header:
            writer.writerow(header)
        writer.writerows(rows)
    return name


def imported(place, file, data, *options):
    run = place.fresh("i")
    text = place.notes("predictions", "import", file, "--name", run, "--in", data, *options)
    return run, text


def judged(place, run, values, truth):
    metrics = place.evaluate(run)
    near("accuracy", find(metrics, "accuracy"), (values.argmax(1) == truth).mean(), 1e-12)
    return near("log loss", find(metrics, "log_loss", "logLoss"), -np.log(values[np.arange(15), truth].astype(np.float64)).mean(), 1e-6)


@row("6", "-", "probabilities in a CSV, a column a class; without keys in order; missing rows")
def probabilities(place):
    keys, _, values, truth = scores(place)
    data = place.pets()
    rows = [[k, *map(repr, map(float, v))] for k, v in zip(keys, values)]
    run, _ = imported(place, table(place, ["sample", *PETS], rows), data)
    texts = [judged(place, run, values, truth)]
    run, _ = imported(place, table(place, PETS, [r[1:] for r in rows]), data)
    texts.append("in order " + judged(place, run, values, truth))
    run, text = imported(place, table(place, ["sample", *PETS], rows[:10]), data)
    if "10" not in text and "5" not in text:
        raise Wrong(f"not a word about 5 missing rows: {text}")
    return "; ".join(texts) + "; 5 missing rows told"


@row("6", "-", "logits and per cent: refused, with what reads them")
def other_scales(place):
    keys, logits, values, truth = scores(place)
    data = place.pets()
    file = table(place, ["sample", *PETS], [[k, *v] for k, v in zip(keys, logits)])
    place.refused("predictions", "import", file, "--name", "bad1", "--in", data, reason="logit|sum|0.*1", step="--logits softmax|--logits")
    run, _ = imported(place, file, data, "--logits", "softmax")
    first = judged(place, run, softmax(logits), truth)
    file = table(place, ["sample", *PETS], [[k, *(v * 100)] for k, v in zip(keys, values.astype(float))])
    place.refused("predictions", "import", file, "--name", "bad2", "--in", data, reason="percent|sum", step="--normalize")
    run, _ = imported(place, file, data, "--normalize")
    return first + "; per cent " + judged(place, run, values, truth)


@row("6", "B", "only labels (sample,prediction); filename,label,score")
def labels(place):
    keys, _, values, truth = scores(place)
    data, found = place.pets(), [PETS[k] for k in values.argmax(1)]
    want = (values.argmax(1) == truth).mean()
    run, _ = imported(place, table(place, ["sample", "prediction"], list(zip(keys, found))), data)
    near("accuracy", find(place.evaluate(run), "accuracy"), want, 1e-12)
    rows = [[k, f, v] for k, f, v in zip(keys, found, values.max(1))]
    file = table(place, ["filename", "label", "score"], rows)
    place.refused("predictions", "import", file, "--name", "bad3", "--in", data, reason="filename|column|label", step="--key-column|--label-column")
    run, _ = imported(place, file, data, "--key-column", "filename", "--label-column", "label")
    near("accuracy", find(place.evaluate(run), "accuracy"), want, 1e-12)
    return "accuracy equal for both"


@row("6", "D", "another key column, pandas' index, further columns, semicolons, base names, absolute paths, class numbers, .npy, JSON")
def columns(place):
    keys, _, values, truth = scores(place)
    data = place.pets()
    plain_rows = [[k, *map(repr, map(float, v))] for k, v in zip(keys, values)]
    texts = []

    def check(title, file, *options, reason=None, step=None):
        if reason:
            place.refused("predictions", "import", file, "--name", place.fresh("bad"), "--in", data, reason=reason, step=step)
        run, _ = imported(place, file, data, *options)
        judged(place, run, values, truth)
        texts.append(title)
    check("image", table(place, ["image", *PETS], plain_rows), "--key-column", "image", reason="image", step="--key-column")
    check("pandas' index", table(place, ["", "sample", *PETS], [[i, *r] for i, r in enumerate(plain_rows)]),
          "--key-column", "sample")
    check("columns label and split", table(place, ["sample", "label", "split", *PETS], [[r[0], "cat", "test", *r[1:]] for r in plain_rows]),
          "--ignore-columns", "label,split", reason="label|split", step="--ignore-columns|--classes")
    check("semicolons", table(place, ["sample", *PETS], plain_rows, separator=";"))
    check("absolute paths", table(place, ["sample", *PETS], [["/home/me/pets/" + r[0], *r[1:]] for r in plain_rows]))
    check("Windows paths", table(place, ["sample", *PETS], [["C:\\data\\pets\\" + r[0].replace("/", "\\"), *r[1:]] for r in plain_rows]))
    check("class numbers", table(place, ["sample", *map(str, range(5))], plain_rows), "--class-numbers", "0", reason="class|name", step="--class-numbers")
    np.save(place.path("scores.npy"), values)
    check(".npy", "scores.npy", "--classes", ",".join(PETS), reason="classes|order", step="--classes")
    # Base names are not unique here (ant/0.png, bee/0.png): refused with the samples that fit.
    place.refused("predictions", "import", table(place, ["sample", *PETS], [[r[0].split("/")[1], *r[1:]] for r in plain_rows]),
                  "--name", "bad9", "--in", data, "--match-names", reason="0.png|several|more than one|fit|twice", step=None)
    with open(place.path("scores.json"), "w", encoding="utf-8") as file:
        json.dump([{"image": k, "scores": dict(zip(PETS, map(float, v)))} for k, v in zip(keys, values)], file)
    place.refused("predictions", "import", "scores.json", "--name", "bad10", "--in", data, reason="JSON|COCO|results", step="CSV|table|csv|COCO|Parquet")
    return ", ".join(texts) + ": right; JSON and repeated base names refused"


@row("6", "-", "COCO results, boxes: AP to the bit; ids as stems, whole data set with scores; 0 to 79 and corners are told")
def boxes(place):
    data = street(place)
    name = place.add(place.save(v8()), detector(BOXES + "objectness: no\n"))
    run, _ = place.predict(name, data)
    results = place.results(run)
    gt = place.path("street/instances.json")
    want = pycoco(gt, results)
    with open(place.path("results.json"), "w", encoding="utf-8") as file:
        json.dump(results, file)
    again, _ = imported(place, "results.json", data)
    texts = [near("AP", place.evaluate(again)["AP"], want, 0)]
    direct = json.loads(place.run("evaluate", "--gt", gt, "--dt", "results.json", "--json"))
    near("AP of files", direct["AP"], want, 0)
    with open(gt, encoding="utf-8") as file:
        truth = json.load(file)
    whole = {"images": truth["images"], "categories": truth["categories"],
             "annotations": [{"id": k + 1, **result} for k, result in enumerate(results)]}
    with open(place.path("whole.json"), "w", encoding="utf-8") as file:
        json.dump(whole, file)
    again, _ = imported(place, "whole.json", data)
    texts.append("whole data set " + near("AP", place.evaluate(again)["AP"], want, 0))
    cases = {"numbers from 0": [{**r, "category_id": r["category_id"] - 1} for r in results],
             "names as categories": [{**r, "category_id": THINGS[r["category_id"] - 1]} for r in results],
             "file names": [{**r, "image_id": f"{r['image_id'] - 1}.png"} for r in results],
             "corners": [{**r, "bbox": [r["bbox"][0], r["bbox"][1], r["bbox"][0] + r["bbox"][2], r["bbox"][1] + r["bbox"][3]]} for r in results]}
    for title, content in cases.items():
        with open(place.path("odd.json"), "w", encoding="utf-8") as file:
            json.dump(content, file)
        done = place.words("predictions", "import", "odd.json", "--name", place.fresh("odd"), "--in", data)
        text = " ".join(done.text.split())
        if done.returncode == 0 and not any(word in text for word in ("warning", "note", "class-numbers", "outside", "corner", "category", "beyond")):
            raise Wrong(f"{title}: imported without a word: {text[-300:]}")
        texts.append(f"{title} {'told' if done.returncode == 0 else 'refused'}")
    return "; ".join(texts)


@row("6", "B", "COCO results, masks (Yolo-seg, Mask R-CNN): segm AP to the bit")
def regions(place):
    mask = need("pycocotools.mask")
    data, random = street(place), np.random.default_rng(81)
    with open(place.path("street/instances.json"), encoding="utf-8") as file:
        truth = json.load(file)
    results = []
    down, across = np.mgrid[0:64, 0:64]
    for note in truth["annotations"]:
        left, top, wide, high = note["bbox"]
        own = ((across - left - wide / 2) / max(wide, 4) * 2) ** 2 + ((down - top - high / 2) / max(high, 4) * 2) ** 2 < 1
        coded = mask.encode(np.asfortranarray(own.astype(np.uint8)))
        note["segmentation"] = {"size": [64, 64], "counts": coded["counts"].decode()}
        note["area"], note["bbox"] = float(own.sum()), [float(v) for v in mask.toBbox(coded)]
        for shift in (0, 1, 3):
            moved = np.roll(own, (int(random.integers(-shift, shift + 1)), shift), (0, 1))
            coded = mask.encode(np.asfortranarray(moved.astype(np.uint8)))
            results.append({"image_id": note["image_id"], "category_id": note["category_id"], "score": float(random.uniform()),
                            "segmentation": {"size": [64, 64], "counts": coded["counts"].decode()}})
    truth["annotations"] = [note for note in truth["annotations"] if note["area"] > 0]
    os.makedirs(place.path("regions"), exist_ok=True)
    with open(place.path("regions/instances.json"), "w", encoding="utf-8") as file:
        json.dump(truth, file)
    with open(place.path("segm.json"), "w", encoding="utf-8") as file:
        json.dump(results, file)
    place.run("import", "regions/instances.json", "--images", "street/images", "--name", "regions")
    run, _ = imported(place, "segm.json", "regions")
    texts = []
    for kind in ("segm", "bbox"):
        want = pycoco(place.path("regions/instances.json"), [
            {**r, "bbox": [float(v) for v in mask.toBbox(r["segmentation"])]} for r in results] if kind == "bbox" else results, kind)
        own = json.loads(place.run("evaluate", run, "--json", "--iou-type", kind, "--as", kind))
        texts.append(f"{kind} AP {want:.4f} " + near("difference", own["AP"], want, 1e-12))
    return "; ".join(texts)


@row("6", "B", "a folder of masks: a run, mIoU, report")
def masks(place):
    from PIL import Image
    data = scene(place)
    truth = np.stack(place.datasets[data][2])
    moved = np.roll(truth, 2, 2)
    os.makedirs(place.path("predicted"), exist_ok=True)
    for key, mask in zip(place.keys(data), moved):
        Image.fromarray(mask).save(place.path("predicted/" + key.split("/")[-1]))
    os.makedirs(place.path("predicted2/images"), exist_ok=True)
    for key, mask in zip(place.keys(data), moved):
        Image.fromarray(mask).save(place.path("predicted2/" + key))
    want = float(np.mean([((truth == k) & (moved == k)).sum() / ((truth == k) | (moved == k)).sum() for k in range(1, 5)]))
    from .segmenters import measure
    texts = []
    files = json.loads(place.run("evaluate", "--gt", "scene/masks", "--dt", "predicted", "--classes", "background," + ",".join(PARTS), "--json"))
    texts.append("files " + str(sorted(files)[:3]))
    for folder in ("predicted2", "predicted"):
        done = place.words("predictions", "import", folder, "--name", "from-" + folder, "--in", data)
        if done.returncode == 0:
            texts.append(folder + " " + near("mIoU", measure(place.evaluate("from-" + folder)), want, 1e-9))
            place.run("report", "from-" + folder, "--out", place.fresh("report") + ".html")
            break
    else:
        raise Refused(done.text)
    place.run("query", data, f"run.iou < 0.9") if False else None
    return "; ".join(texts[1:]) + "; report written"


@row("6", "C", "a segmentation run exported as COCO and imported again")
def again(place):
    from .segmenters import manifest, segmenter
    data = scene(place)
    name = place.add(place.save(segmenter()[0]), manifest())
    run, _ = place.predict(name, data)
    place.results(run)
    done = place.words("predictions", "import", run + ".json", "--name", "again", "--in", data)
    text = " ".join(done.text.split())
    if done.returncode:
        return "refused", text[-200:]
    if "detection" in text or "segmentation" in text or "mask" in text:
        return "right", "told: " + text[-200:]
    raise Wrong(f"the task of the run is not told: {text[-300:]}")


@row("6", "C", "keypoints in results: kept, OKS against pycocotools")
def keypoints(place):
    data = people(place)
    output = pose_reference(place)
    results = []
    for index in range(len(output)):
        for k in np.argsort(-output[index][4])[:10]:
            row_ = output[index][:, k].astype(float)
            results.append({"image_id": index + 1, "category_id": 1, "score": float(row_[4]), "keypoints": [float(v) for v in row_[5:]]})
    with open(place.path("points.json"), "w", encoding="utf-8") as file:
        json.dump(results, file)
    want = pycoco(place.path("people/person_keypoints.json"), results, "keypoints")
    run, _ = imported(place, "points.json", data)
    own = place.evaluate(run)["AP"]
    return f"AP (OKS) {want:.4f} " + near("difference", own, want, 1e-12)
