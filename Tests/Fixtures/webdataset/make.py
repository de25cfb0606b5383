#!/usr/bin/env python3
"""Writes the shards of this folder with CPython's tarfile, as webdataset 1.0's TarWriter names the members."""
import io
import json
import os
import tarfile

HERE = os.path.dirname(os.path.abspath(__file__))
SPLITS = os.path.join(os.path.dirname(HERE), "image-folder", "splits")
PNG = open(os.path.join(SPLITS, "train", "cat", "1.png"), "rb").read()
JPEG = open(os.path.join(SPLITS, "val", "dog", "2.jpg"), "rb").read()


def shard(path, members):
    path = os.path.join(HERE, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as archive:
        for name, data in members:
            data = data.encode() if isinstance(data, str) else data
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            entry.mtime = 1700000000
            archive.addfile(entry, io.BytesIO(data))


# Integers with the names of their classes beside.
shard("numbers/train-000000.tar", [("000000.png", PNG), ("000000.cls", "1"), ("000001.jpg", JPEG), ("000001.cls", "0\n")])
shard("numbers/train-000001.tar", [("000002.PNG", PNG), ("000002.cls", "1"), ("a/b.c/000003.v1.png", PNG), ("a/b.c/000003.cls", "7")])
shard("numbers/val-000000.tar", [("000000.png", PNG), ("000000.cls", "0"), ("000004.cls", "0"), ("000005.png", b"no image"), ("000005.cls", "0")])
open(os.path.join(HERE, "numbers", "classes.txt"), "w").write("cat\ndog\n")
# Names, in JSON and as text; captions; a mask.
shard("names/shard-train-0.tar", [
    ("x.jpg", JPEG), ("x.json", json.dumps({"label": "owl", "url": "http://e/x", "score": 0.5})), ("x.txt", "an owl"),
    ("y.jpg", JPEG), ("y.json", json.dumps({"label": "cat"})), ("y.seg.png", PNG),
    ("z.jpg", JPEG), ("z.json", "{broken"), ("z.txt", "what is it")])
# One archive that is the source itself.
shard("one.tar", [("1.png", PNG), ("1.cls", "b"), ("2.png", PNG), ("2.cls", "a"), ("3.input.png", PNG), ("3.cls", "a")])
