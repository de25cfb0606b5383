#!/usr/bin/env python3
"""Writes small Parquet files with the writers that people use; run in this folder.

Made with pyarrow 26.0.1, datasets 5.2.0, polars 2.1.0, duckdb 2.0.1, fastparquet 2026.9.0, pandas 3.1.1, pillow 13.0.0:

    python3 -m venv /tmp/v && /tmp/v/bin/pip install pyarrow datasets polars duckdb fastparquet pandas pillow
    /tmp/v/bin/python make.py

classes/, boxes/, masks/, texts/, fine/, sets (in parquet-labels/): written by `datasets`, as the Hugging Face Hub
serves them. corners/, relative/, configs/, lz4/: pyarrow. polars/, duckdb/, fastparquet/: the same four images and labels by
other writers, without metadata. tables/: random tables in every encoding, with their values as pyarrow reads them in
golden.json (bytes as hexadecimal, numbers that are not finite as texts).
"""
import io
import json
import math
import os
import random
import shutil

import datasets
import duckdb
import fastparquet
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
from PIL import Image

for folder in ("classes", "boxes", "masks", "texts", "fine", "corners", "relative", "configs", "lz4", "polars", "duckdb",
               "fastparquet", "tables", "../parquet-labels/sets"):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)


def png(color, size=(8, 6), mode="RGB"):
    buffer = io.BytesIO()
    Image.new(mode, size, color).save(buffer, "PNG")
    return buffer.getvalue()


def jpeg(color, size=(8, 6)):
    buffer = io.BytesIO()
    Image.new("L", size, color[0]).save(buffer, "JPEG")
    return buffer.getvalue()


COLORS = [(200, 0, 0), (0, 200, 0), (0, 0, 200), (90, 90, 90), (20, 40, 60)]
IMAGES = [png(c) if i % 2 == 0 else jpeg(c) for i, c in enumerate(COLORS)]


def cell(i, name=None):
    return {"bytes": IMAGES[i % len(IMAGES)], "path": name}


def hub(folder, name, rows, features, **options):
    """A file as `push_to_hub` writes it."""
    os.makedirs(f"{folder}/data", exist_ok=True)
    data = datasets.Dataset.from_dict({k: [r[k] for r in rows] for k in rows[0]}, features=datasets.Features(features))
    data.to_parquet(f"{folder}/data/{name}", **options)


# Two shards with names of files in the first only, a test split without labels, one null label.
label = datasets.ClassLabel(names=["cat", "dog", "owl"])
hub("classes", "train-00000-of-00002.parquet",
    [{"image": cell(0, "a/red.png"), "label": 0}, {"image": cell(1, "green.jpg"), "label": 2},
     {"image": cell(2, "../up.png"), "label": None}], {"image": datasets.Image(), "label": label}, batch_size=2)
hub("classes", "train-00001-of-00002.parquet",
    [{"image": cell(3), "label": 1}, {"image": cell(4), "label": 1}], {"image": datasets.Image(), "label": label})
hub("classes", "test-00000-of-00001.parquet",
    [{"image": cell(0), "label": -1}], {"image": datasets.Image(), "label": label})

# CPPE-5's columns.
objects = datasets.Sequence({
    "id": datasets.Value("int64"), "area": datasets.Value("int64"),
    "bbox": datasets.List(datasets.Value("float32"), length=4), "category": datasets.ClassLabel(names=["mask", "glove"])})
hub("boxes", "train-00000-of-00001.parquet", [
    {"image_id": 7, "image": cell(0), "width": 8, "height": 6,
     "objects": {"id": [11, 12], "area": [4, 6], "bbox": [[5, 1, 2, 2], [1.5, 0, 2, 3]], "category": [1, 0]}},
    {"image_id": 8, "image": cell(1), "width": 8, "height": 6,
     "objects": {"id": [], "area": [], "bbox": [], "category": []}},
    {"image_id": 9, "image": cell(2), "width": 8, "height": 6,
     "objects": {"id": [13], "area": [8], "bbox": [[4, 2, 4, 2]], "category": [1]}},
], {"image_id": datasets.Value("int64"), "image": datasets.Image(), "width": datasets.Value("int32"),
    "height": datasets.Value("int32"), "objects": objects})


def mask(values):
    image = Image.new("L", (8, 6), 0)
    for place, value in enumerate(values):
        image.putpixel((place, 0), value)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return {"bytes": buffer.getvalue(), "path": None}


hub("masks", "train-00000-of-00001.parquet", [
    {"image": cell(0), "annotation": mask([1, 1, 2]), "scene": "park"},
    {"image": cell(2), "annotation": mask([3, 0, 1]), "scene": "road"},
], {"image": datasets.Image(), "annotation": datasets.Image(), "scene": datasets.Value("string")})
hub("texts", "validation-00000-of-00001.parquet",
    [{"image": cell(0), "text": "a red image"}, {"image": cell(1), "text": None}],
    {"image": datasets.Image(), "text": datasets.Value("string")})
hub("fine", "train-00000-of-00001.parquet",
    [{"img": cell(0), "fine_label": 1, "coarse_label": 0}, {"img": cell(1), "fine_label": 0, "coarse_label": 0}],
    {"img": datasets.Image(), "fine_label": datasets.ClassLabel(names=["apple", "pear"]),
     "coarse_label": datasets.ClassLabel(names=["fruit"])})
hub("../parquet-labels/sets", "train-00000-of-00001.parquet",
    [{"image": cell(0), "labels": [0, 2]}, {"image": cell(1), "labels": []}, {"image": cell(2), "labels": [2, 2]}],
    {"image": datasets.Image(), "labels": datasets.List(datasets.ClassLabel(names=["a", "b", "c"]))})

image_type = pa.struct([("bytes", pa.binary()), ("path", pa.string())])


def arrow(path, columns, **options):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    pq.write_table(pa.table(columns), path, store_schema=False, **options)


images = lambda n: pa.array([cell(i) for i in range(n)], image_type)
arrow("corners/train.parquet", {
    "image": images(2),
    "objects": pa.array([[{"bbox": [1.0, 1, 7, 5], "label": "x"}], [{"bbox": [4.0, 2, 8, 6], "label": "y"}]])},
    compression="gzip")
arrow("relative/train.parquet", {
    "image": images(2), "bboxes": pa.array([[[0.25, 0.5, 0.5, 0.25]], []], pa.list_(pa.list_(pa.float64()))),
    "labels": pa.array([["x"], []], pa.list_(pa.string()))}, compression="zstd", data_page_version="2.0")
for name in ("a", "b"):
    arrow(f"configs/{name}/train-00000-of-00001.parquet", {"image": images(1), "label": pa.array(["x"])})

arrow("lz4/val.parquet", {"image": images(1), "label": pa.array(["x"])}, compression="lz4")

# Other writers.
names = ["red", "green", "blue", "red"]
polars.DataFrame({"image": [cell(i, f"{i}.png") for i in range(4)], "label": names}).write_parquet(
    "polars/train.parquet")
connection = duckdb.connect()
frame = pa.table({"image": pa.array(IMAGES[:4], pa.binary()), "class": pa.array([0, 1, 2, 0], pa.int16())})
connection.execute("COPY frame TO 'duckdb/val.parquet' (FORMAT parquet, COMPRESSION snappy)")
fastparquet.write("fastparquet/train.parquet", pandas.DataFrame(
    {"image": pandas.Series(IMAGES[:4], dtype=object), "label": pandas.Series(names, dtype=object)}),
    object_encoding={"image": "bytes", "label": "utf8"}, compression="GZIP")

# Random tables.
R = random.Random(20261124)


def sometimes(value, share=0.2):
    return None if R.random() < share else value()


def word():
    return "".join(R.choice("abcdefg äé漢") for _ in range(R.randint(0, 9)))


KINDS = {
    "bool": (pa.bool_(), lambda: R.random() < 0.5),
    "int8": (pa.int8(), lambda: R.randint(-128, 127)),
    "uint16": (pa.uint16(), lambda: R.randint(0, 65535)),
    "int32": (pa.int32(), lambda: R.choice([R.randint(-2**31, 2**31 - 1), R.randint(0, 9)])),
    "uint32": (pa.uint32(), lambda: R.randint(0, 2**32 - 1)),
    "int64": (pa.int64(), lambda: R.choice([R.randint(-2**63, 2**63 - 1), R.randint(0, 99)])),
    "half": (pa.float16(), lambda: R.choice([0.5, -2.0, 1024.0, 0.000061035, 6e-8, math.inf])),
    "float": (pa.float32(), lambda: R.choice([R.uniform(-9, 9), math.nan, math.inf])),
    "double": (pa.float64(), lambda: R.choice([R.uniform(-1e9, 1e9), -math.inf, 0.1])),
    "text": (pa.string(), word),
    "enum": (pa.string(), lambda: R.choice(["train", "test", "validation"])),
    "binary": (pa.binary(), lambda: bytes(R.randint(0, 255) for _ in range(R.randint(0, 7)))),
    "fixed": (pa.binary(5), lambda: bytes(R.randint(0, 255) for _ in range(5))),
}
ENCODINGS = {
    "int32": ["PLAIN", "DELTA_BINARY_PACKED", "BYTE_STREAM_SPLIT"], "int64": ["PLAIN", "DELTA_BINARY_PACKED"],
    "int8": ["DELTA_BINARY_PACKED"], "uint16": ["DELTA_BINARY_PACKED"], "uint32": ["PLAIN", "DELTA_BINARY_PACKED"],
    "bool": ["PLAIN", "RLE"], "float": ["PLAIN", "BYTE_STREAM_SPLIT"], "double": ["PLAIN", "BYTE_STREAM_SPLIT"],
    "half": ["PLAIN", "BYTE_STREAM_SPLIT"],
    "text": ["PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"], "enum": ["DELTA_BYTE_ARRAY"],
    "binary": ["PLAIN", "DELTA_LENGTH_BYTE_ARRAY", "DELTA_BYTE_ARRAY"],
    "fixed": ["PLAIN", "DELTA_BYTE_ARRAY", "BYTE_STREAM_SPLIT"],
}


def column(kind, rows, share):
    type_, make = KINDS[kind]
    return pa.array([sometimes(make, share) for _ in range(rows)], type_)


def nested(rows):
    t, make = KINDS[R.choice(["int32", "text", "double"])]
    row = lambda: [sometimes(make) for _ in range(R.randint(0, 4))]
    form = R.randint(0, 3)
    if form == 0:
        return pa.array([sometimes(row) for _ in range(rows)], pa.list_(t))
    if form == 1:
        return pa.array([sometimes(lambda: [sometimes(row) for _ in range(R.randint(0, 3))]) for _ in range(rows)],
                        pa.list_(pa.list_(t)))
    s = pa.struct([("a", t), ("b", pa.list_(t)), ("c", pa.struct([("d", pa.bool_())]))])
    one = lambda: {"a": sometimes(make), "b": sometimes(row), "c": sometimes(lambda: {"d": sometimes(lambda: True)})}
    if form == 2:
        return pa.array([sometimes(one) for _ in range(rows)], s)
    return pa.array([sometimes(lambda: [sometimes(one) for _ in range(R.randint(0, 3))]) for _ in range(rows)],
                    pa.list_(s))


def plain(value):
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, list):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return value


golden = []


def keep(name):
    table = pq.read_table(f"tables/{name}")
    golden.append({"file": name, "columns": {
        c: [plain(v) for v in table[c].to_pylist()] for c in table.column_names}})


for number in range(20):
    rows = R.choice([1, 7, 20, 36])
    columns, encodings = {}, {}
    for place, kind in enumerate(R.sample(sorted(KINDS), 4)):
        name = f"{kind}{place}"
        share = R.choice([0, 0.2, 0.2, 1])
        columns[name] = column(kind, rows, share)
        encodings[name] = R.choice(ENCODINGS[kind])
    columns["nested"] = nested(rows)
    is_dictionary = number % 3 == 0
    options = {} if is_dictionary else {"column_encoding": encodings}
    path = f"tables/{number:02}.parquet"
    pq.write_table(
        pa.table(columns), path, store_schema=False, use_dictionary=is_dictionary and [
            n for n in columns if not n.startswith("bool") and n != "nested"],
        compression=["none", "snappy", "gzip", "zstd"][number % 4], data_page_version=["1.0", "2.0"][number // 2 % 2],
        row_group_size=R.choice([9, 24, 1000]), data_page_size=R.choice([60, 200, 100000]), write_batch_size=8,
        use_compliant_nested_type=number % 5 != 0, write_page_checksum=number % 2 == 0, **options)
    keep(f"{number:02}.parquet")

# The same by other writers.
frame = polars.DataFrame({
    "i": [None if i % 7 == 0 else i * i - 50 for i in range(60)], "f": [i / 3 for i in range(60)],
    "s": ["ab" * (i % 4) for i in range(60)], "b": [i % 3 == 0 for i in range(60)],
    "l": [[j for j in range(i % 4)] or None for i in range(60)], "t": [{"x": i, "y": [str(i)]} for i in range(60)]})
frame.write_parquet("tables/polars.parquet", compression="zstd", row_group_size=25)
connection.execute("COPY frame TO 'tables/duckdb.parquet' (FORMAT parquet, PARQUET_VERSION 'V2', COMPRESSION zstd)")
fastparquet.write("tables/fastparquet.parquet", pandas.DataFrame(
    {"i": [i * 3 for i in range(60)], "f": [i / 7 for i in range(60)], "s": pandas.Series(
        [f"n{i % 5}" for i in range(60)], dtype=object)}), compression="SNAPPY", row_group_offsets=25)
for name in ("polars.parquet", "duckdb.parquet", "fastparquet.parquet"):
    keep(name)
with open("golden.json", "w") as file:
    file.write("[\n" + ",\n".join(json.dumps(t, ensure_ascii=False, separators=(",", ":")) for t in golden) + "\n]\n")
