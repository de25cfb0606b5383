"""Predictions as pandas, NumPy, pyarrow and other programs write them, and the runs they must become.

    python3 make.py

pandas, NumPy, pyarrow, SciPy and Pillow in the versions that golden.json names. Seeded: the
same versions write the same bytes. The formats of supervision, Ultralytics and FiftyOne are written
as their sources do: supervision 0.25 `csv_sink.py` and `json_sink.py`, Ultralytics 8.3
`DetectionValidator.pred_to_json` and `Results.save_txt`, FiftyOne 1.3
`FiftyOneImageDetectionDatasetExporter`.
"""

import csv
import json
import os
import struct

import numpy as np
import pandas as pd
import PIL
import pyarrow
import pyarrow.parquet as pq
import scipy
from PIL import Image
from scipy.special import expit, softmax

os.chdir(os.path.dirname(os.path.abspath(__file__)))
random = np.random.default_rng(14)
CLASSES = ["cat", "dog", "owl"]
STEMS = [f"{c}{i}" for c in CLASSES for i in range(3)]
KEYS = [f"{s[:3]}/{s}.png" for s in STEMS]


def bits(rows):
    return [["%08x" % struct.unpack("<I", struct.pack("<f", x))[0] for x in row] for row in rows]


# The data set: nine images of three classes, in folders.
for key in KEYS:
    os.makedirs(os.path.dirname("data/" + key), exist_ok=True)
    Image.fromarray(random.integers(0, 255, (4, 6, 3), dtype=np.uint8)).save("data/" + key)

logits = random.normal(0, 4, (9, 3))
probabilities = softmax(logits, axis=1).astype(np.float32)
labels = [CLASSES[i] for i in [0, 0, 1, 1, 1, 0, 2, 2, 2]]
order = random.permutation(9)
golden = {
    "versions": {
        "pandas": pd.__version__, "numpy": np.__version__, "pyarrow": pyarrow.__version__,
        "scipy": scipy.__version__, "pillow": PIL.__version__,
    },
    "keys": KEYS,
    "classes": CLASSES,
    "labels": labels,
    "probabilities": bits(probabilities),
    # One rounding: SciPy in 64 bits, then 32.
    "softmax": bits(softmax(logits, axis=1).astype(np.float32)),
    "sigmoid": bits(expit(logits).astype(np.float32)),
}

frame = pd.DataFrame(probabilities[order].astype(float), columns=CLASSES)
keys = [KEYS[i] for i in order]
named = frame.copy()
named.insert(0, "filename", keys)
named["fold"] = 3
named["who"] = "me"
named.to_csv("pandas.csv")
indexed = frame.copy()
indexed.index = keys
indexed.to_csv("index-keys.csv")
paths = frame.copy()
paths.insert(0, "sample", ["C:\\data\\" + k.replace("/", "\\") for k in keys])
paths.to_csv("windows.csv", index=False)
stems = frame.copy()
stems.insert(0, "sample", [k.split("/")[-1][:-4] for k in keys])
stems.to_csv("stems.csv", index=False)
comma = frame.copy()
comma.insert(0, "sample", keys)
comma.to_csv("semicolon.csv", index=False, sep=";", decimal=",")
comma.to_csv("tab.tsv", index=False, sep="\t")
prefixed = frame.rename(columns={c: "prob_" + c for c in CLASSES})
prefixed.insert(0, "sample", keys)
prefixed["epoch"] = 7
prefixed.to_csv("prefix.csv", index=False)
numbered = frame.rename(columns={c: str(i) for i, c in enumerate(CLASSES)})
numbered.insert(0, "sample", keys)
numbered.to_csv("numbers.csv", index=False)
raw = pd.DataFrame(logits[order], columns=CLASSES)
raw.insert(0, "sample", keys)
raw.to_csv("logits.csv", index=False)
pd.DataFrame({"sample": KEYS, "prediction": labels}).to_csv("labels.csv", index=False)
pd.DataFrame({"filename": KEYS, "label": labels, "score": 0.9}).to_csv("label-score.csv", index=False)
pd.DataFrame({"sample": KEYS, "prediction": [CLASSES.index(c) + 1.0 for c in labels]}).to_csv(
    "label-numbers.csv", index=False)

np.save("scores-f4.npy", probabilities)
np.save("scores-f8.npy", probabilities.astype(">f8"))
np.save("scores-fortran.npy", np.asfortranarray(probabilities))
np.save("logits.npy", logits)
np.save("halves.npy", np.array([[0.5, 0.25, 0.25]] * 9, dtype=np.float16))
np.save("numbers.npy", np.array([CLASSES.index(c) for c in labels], dtype=np.uint8))
np.save("keys.npy", np.array(KEYS))
np.save("objects.npy", np.array([[0.1, "a", None]] * 9, dtype=object), allow_pickle=True)
np.save("cube.npy", probabilities.reshape(9, 3, 1))
open("keys.txt", "w").write("\n".join(keys) + "\n")
np.save("shuffled.npy", probabilities[order])
np.savez("named.npz", scores=probabilities[order], keys=np.array(keys), classes=np.array(CLASSES))
np.savez_compressed("bytes.npz", probs=probabilities[order], files=np.array(keys, dtype="S"), other=logits)
np.savez("object-keys.npz", scores=probabilities, keys=np.array(KEYS, dtype=object))

comma.to_parquet("table.parquet", index=False)
indexed.to_parquet("indexed.parquet")
named.sample(frac=1, random_state=1).sort_index().to_parquet("named.parquet")
lists = pyarrow.table({
    "key": keys, "scores": pyarrow.array(probabilities[order].tolist(), pyarrow.list_(pyarrow.float32())),
    "epoch": [1] * 9})
pq.write_table(lists, "lists.parquet")

# Masks: three images with two classes, and predictions with the same names.
os.makedirs("masks/images", exist_ok=True)
os.makedirs("masks/masks", exist_ok=True)
os.makedirs("predicted-masks", exist_ok=True)
os.makedirs("wide-masks", exist_ok=True)
open("masks/classes.txt", "w").write("background\nroad\nsky\n")
areas = {}
for i in range(3):
    Image.fromarray(random.integers(0, 255, (8, 10, 3), dtype=np.uint8)).save(f"masks/images/s{i}.png")
    truth = random.integers(0, 3, (8, 10), dtype=np.uint8)
    Image.fromarray(truth).save(f"masks/masks/s{i}.png")
    wrong = random.random((8, 10)) < 0.3
    predicted = np.where(wrong, random.integers(0, 3, (8, 10)), truth).astype(np.uint8)
    Image.fromarray(predicted).save(f"predicted-masks/s{i}.png")
    Image.fromarray(predicted.astype(np.uint16)).save(f"wide-masks/s{i}.png")
    areas[f"s{i}"] = [[int(((predicted == c) & (truth == c)).sum()), int(((predicted == c) | (truth == c)).sum())]
                      for c in (1, 2)]
pooled = np.array(list(areas.values())).sum(axis=0)
golden["class_iou"] = [float(a / b) for a, b in pooled]

# Detections: four images, two classes, one image without detections.
os.makedirs("boxes", exist_ok=True)
names = ["000012.png", "000345.png", "street.png", "empty.png"]
coco = {"images": [], "annotations": [], "categories": [{"id": 1, "name": "car"}, {"id": 2, "name": "bus"}]}
found = []
for i, name in enumerate(names):
    w, h = 64 + 8 * i, 48
    Image.fromarray(random.integers(0, 255, (h, w, 3), dtype=np.uint8)).save("boxes/" + name)
    coco["images"].append({"id": 100 + i, "file_name": name, "width": w, "height": h})
    for k in range(3):
        x, y, bw, bh = [float(v) for v in random.integers(1, 20, 4)]
        category = int(random.integers(1, 3))
        coco["annotations"].append({
            "id": len(coco["annotations"]) + 1, "image_id": 100 + i, "category_id": category,
            "bbox": [x, y, bw, bh], "area": bw * bh, "iscrowd": 0})
        if name != "empty.png":
            found.append((name, category, [x + 1, y, bw + 0.5, bh], round(float(random.random()), 5), w, h))
json.dump(coco, open("boxes/instances.json", "w"))
ids = {name: 100 + i for i, name in enumerate(names)}
json.dump([{"image_id": ids[n], "category_id": c, "bbox": b, "score": s} for n, c, b, s, _, _ in found],
          open("coco-results.json", "w"))
# Ultralytics: stems that are numbers become numbers.
json.dump([{"image_id": int(n[:-4]) if n[:-4].isnumeric() else n[:-4], "file_name": n, "category_id": c,
            "bbox": b, "score": s} for n, c, b, s, _, _ in found], open("ultralytics.json", "w"))
os.makedirs("ultralytics-labels", exist_ok=True)
for name in names[:3]:
    with open(f"ultralytics-labels/{name[:-4]}.txt", "w") as file:
        for n, c, (x, y, bw, bh), s, w, h in found:
            if n == name:
                line = (c - 1, (x + bw / 2) / w, (y + bh / 2) / h, bw / w, bh / h, s)
                file.write(("%g " * 6).rstrip() % line + "\n")
header = ["x_min", "y_min", "x_max", "y_max", "class_id", "confidence", "tracker_id", "class_name", "file_name"]
rows = [[b[0], b[1], b[0] + b[2], b[1] + b[3], c - 1, s, "", ["car", "bus"][c - 1], "boxes/" + n]
        for n, c, b, s, _, _ in found]
with open("supervision.csv", "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(header)
    writer.writerows(rows)
json.dump([dict(zip(header, [*(float(v) for v in r[:4]), *r[4:]])) for r in rows],
          open("supervision.json", "w"), indent=4)
# FiftyOne: boxes as shares of the image, labels as numbers of the classes.
fiftyone = {"classes": ["bus", "car"], "labels": {n[:-4]: None for n in names}}
for n, c, (x, y, bw, bh), s, w, h in found:
    fiftyone["labels"][n[:-4]] = (fiftyone["labels"][n[:-4]] or []) + [
        {"label": 2 - c, "bounding_box": [x / w, y / h, bw / w, bh / h], "confidence": s}]
json.dump(fiftyone, open("fiftyone.json", "w"))
golden["detections"] = len(found)
json.dump(golden, open("golden.json", "w"), indent=1)
