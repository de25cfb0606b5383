#!/usr/bin/env python3
"""Write digits.csv.gz: scikit-learn's 1,797 handwritten digits as a labeled pixel CSV.

    make_digits.py [OUT]          OUT is digits.csv.gz beside this script unless told

The source is `sklearn/datasets/data/digits.csv.gz` in the wheel of scikit-learn 1.9.1, fetched with
pip and checked by its SHA-256: 64 values 0...16 a row, then the label. Values become 0...255 as
round(v * 255 / 16), halves up. Rows keep their order, and the split follows it: neighboring rows appear to come from one
writer, so blocks of rows (60 %, 20 %, 20 %) keep writers apart where a shuffle would mix them.
Needs Python 3.10 with pip; nothing else. The same bytes every time.
"""
import csv
import gzip
import hashlib
import io
import os
import subprocess
import sys
import tempfile
import zipfile

WHEEL = "scikit-learn==1.9.1"
MEMBER = "sklearn/datasets/data/digits.csv.gz"
MEMBER_SHA256 = "09f66e6debdee2cd2b5ae59e0d6abbb73fc2b0e0185d2e1957e9ebb51e23aa22"
PLATFORM = ["--python-version", "3.11", "--implementation", "cp", "--platform", "manylinux_2_28_x86_64"]
ROWS = 1797
PARTS = [("train", 1078), ("validation", 360), ("test", 359)]


def source_rows():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps",
             "--only-binary=:all:", *PLATFORM, "--dest", folder, WHEEL], check=True)
        (name,) = os.listdir(folder)
        with zipfile.ZipFile(os.path.join(folder, name)) as wheel:
            packed = wheel.read(MEMBER)
    found = hashlib.sha256(packed).hexdigest()
    if found != MEMBER_SHA256:
        raise SystemExit(f"{MEMBER} in {name}: SHA-256 is {found}, expected {MEMBER_SHA256}")
    rows = list(csv.reader(io.StringIO(gzip.decompress(packed).decode("ascii"))))
    if len(rows) != ROWS or any(len(row) != 65 for row in rows):
        raise SystemExit(f"{MEMBER}: expected {ROWS} rows of 65 columns")
    return [[int(float(value)) for value in row] for row in rows]


def scaled(value):
    if not 0 <= value <= 16:
        raise SystemExit(f"a pixel of {value} is outside 0...16")
    return (value * 255 * 2 + 16) // 32


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "digits.csv.gz")
    splits = [name for name, count in PARTS for _ in range(count)]
    lines = ["label,pixels,split"]
    for row, split in zip(source_rows(), splits, strict=True):
        lines.append(f"{row[64]},{' '.join(str(scaled(v)) for v in row[:64])},{split}")
    text = ("\n".join(lines) + "\n").encode("ascii")
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", fileobj=packed, compresslevel=9, mtime=0) as stream:
        stream.write(text)
    with open(out + ".part", "wb") as file:
        file.write(packed.getvalue())
    os.replace(out + ".part", out)
    print(f"{out}: {len(lines) - 1} rows, {len(packed.getvalue())} bytes, "
          f"SHA-256 of the text {hashlib.sha256(text).hexdigest()}")


if __name__ == "__main__":
    main()
