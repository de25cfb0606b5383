"""Writes a dataset with the size and layout of FER-2013, only for measuring.

    make_faces.py FOLDER [FER2013.CSV]

FOLDER gets fer2013.csv (35,887 rows: emotion,pixels,Usage; about 296 MB), faces.u8 (the same pixels as raw bytes,
2,304 per face) and labels.u8 (a byte per face), in the same order. The faces are seeded noise that differs by
class; if a real FER2013.CSV is given, its rows are used instead. Needs numpy.
"""
import csv
import os
import sys

import numpy as np

SEED = 2013
SIDE = 48
CLASS_SIZES = [4953, 547, 5121, 8989, 6077, 4002, 6198]
USAGES = [("Training", 28709), ("PublicTest", 3589), ("PrivateTest", 3589)]


def made_rows():
    """Blocks of coarse noise, brighter for higher classes, with fine noise on top."""
    rng = np.random.default_rng(SEED)
    labels = np.repeat(np.arange(7), CLASS_SIZES)
    rng.shuffle(labels)
    usages = [usage for usage, count in USAGES for _ in range(count)]
    for start in range(0, len(labels), 1000):
        part = labels[start:start + 1000]
        coarse = rng.normal(105 + 5 * part[:, None, None], 65, (len(part), 6, 6))
        fine = rng.normal(0, 12, (len(part), SIDE, SIDE))
        faces = np.clip(np.repeat(np.repeat(coarse, 8, 1), 8, 2) + fine, 0, 255).astype(np.uint8)
        for row, (label, face) in enumerate(zip(part, faces)):
            yield int(label), face.reshape(-1), usages[start + row]


def real_rows(path):
    csv.field_size_limit(1 << 20)
    with open(path, newline="") as file:
        for row in csv.DictReader(file, skipinitialspace=True):
            yield int(row["emotion"]), np.array(row["pixels"].split(), np.uint8), row["Usage"]


def main():
    folder = sys.argv[1]
    rows = real_rows(sys.argv[2]) if len(sys.argv) > 2 else made_rows()
    words = np.array([str(value) for value in range(256)], dtype=object)
    names = ["labels.u8", "faces.u8", "fer2013.csv"]
    count = 0
    with open(f"{folder}/labels.u8.part", "wb") as labels, open(f"{folder}/faces.u8.part", "wb") as pixels, \
            open(f"{folder}/fer2013.csv.part", "w") as table:
        table.write("emotion,pixels,Usage\n")
        for label, face, usage in rows:
            table.write(f"{label},{' '.join(words[face])},{usage}\n")
            labels.write(bytes([label]))
            pixels.write(face.tobytes())
            count += 1
    for name in names:
        os.replace(f"{folder}/{name}.part", f"{folder}/{name}")
    print(f"{folder}/fer2013.csv: {count} rows, {os.path.getsize(f'{folder}/fer2013.csv')} bytes")


main()
