#!/usr/bin/env python3
"""Makes goldens.txt beside this file: one hash a case of what other tools make of seeded random masks.

Needs pycocotools 2.0.11, opencv 5.0.0, scipy 1.17.1, numpy 2.4.6. The cases are drawn by SplitMix64 with the
seed SEED + number of the case; MaskCases.swift draws the same ones. A hash is FNV-1a (64 bits) folded to 32, of
the text that `outcome` gives. Families: polygons and boxes (frPoly, frBbox, merge, area, toBbox), runs (both
codecs, merge, iou, iou of a crowd, area, toBbox), pixels (encode, decode), shapes (cv2.erode and cv2.dilate of
the zero-padded mask, scipy.ndimage.label, binary_fill_holes).

    make.py                 # goldens.txt
    make.py SEED FILE       # other cases, for the tests with ASSAY_MASK_GOLDENS=FILE
    make.py FAMILY NUMBER   # prints the text behind one hash
"""
import os
import struct
import sys
import warnings

import cv2
import numpy as np
import scipy
import scipy.ndimage
from importlib.metadata import version
from pycocotools import _mask as P

warnings.simplefilter("ignore", DeprecationWarning)  # of pycocotools with numpy 2
SEED = 20261121
FAMILIES = [("polygons", 6000), ("boxes", 500), ("runs", 4000), ("pixels", 1000), ("shapes", 1500)]
MASK = (1 << 64) - 1


class Draw:
    def __init__(self, seed):
        self.state = seed & MASK

    def __call__(self, below):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return (z ^ (z >> 31)) % below


def fold(text):
    h = 0xCBF29CE484222325
    for b in text.encode():
        h = ((h ^ b) * 0x100000001B3) & MASK
    return (h >> 32) ^ (h & 0xFFFFFFFF)


# The cases. Each line has its twin in MaskCases.swift.

def wide(r, side, d):
    return (r(2 * side * d + 1) - side * d // 2) / d


def inside(r, side, d):
    return r(side * d + 1) / d


def polygon(r, w, h, first):
    kind = r(10)
    d = [100, 100, 1, 5, 2, 1000][r(6)]
    p = []
    if kind == 0:
        for _ in range(3 + r(10)):
            p += [wide(r, w, d), wide(r, h, d)]
    elif kind == 1:
        for _ in range(3 + r(10)):
            p += [inside(r, w, d), inside(r, h, d)]
    elif kind == 2:
        x, y = inside(r, w, d), inside(r, h, d)
        for _ in range(3 + r(4)):
            p += [x + r(2 * d + 1) / d, y + r(2 * d + 1) / d]
    elif kind == 3:
        x, y = wide(r, w, d), wide(r, h, d)
        for i in range(4 + 2 * r(6)):
            if i % 2 == 0:
                x = wide(r, w, d)
            else:
                y = wide(r, h, d)
            p += [x, y]
    elif kind == 4:
        for _ in range(3 + r(6)):
            x, y = inside(r, w, d), inside(r, h, d)
            p += [x, y] * (1 + r(3))
    elif kind == 5:
        for _ in range(3 + r(60)):
            p += [inside(r, w, d), inside(r, h, d)]
    elif kind == 6:
        for _ in range(3 + r(6)):
            x = float(r(40001) - 20000)
            y = float(r(40001) - 20000)
            p += [x, y]
    elif kind == 7:
        x, y, dx, dy = wide(r, w, d), wide(r, h, d), float(r(7) - 3), float(r(7) - 3)
        for i in range(3 + r(5)):
            p += [x + i * dx, y + i * dy]
    elif kind == 8 and not first:
        for _ in range(1 + r(2)):
            p += [wide(r, w, d), wide(r, h, d)]
    else:
        xs, ys = [-1, 0, 1, w - 1, w, w + 1], [-1, 0, 1, h - 1, h, h + 1]
        for _ in range(3 + r(5)):
            x, y = xs[r(6)], ys[r(6)]
            p += [float(x), float(y)]
    if len(p) > 4 and r(8) == 0:
        p.append(1.0)
    return p


def runs(r, area):
    kind = r(6)
    if kind == 0:
        return [area]
    if kind == 1:
        return [0, area]
    longest = 2 + r(area // (1 + r(24)) + 1)
    out, rest = [], area
    while rest > 0:
        run = min(rest, r(longest))
        out.append(run)
        rest -= run
    return out


def shape(r, w, h):
    m = np.zeros((h, w), np.uint8)
    for _ in range(1 + r(7)):
        value = 0 if r(4) == 0 else 1
        x, y = r(w), r(h)
        m[y:y + 1 + r(h), x:x + 1 + r(w)] = value
    for _ in range(r(12)):
        y, x = r(h), r(w)
        m[y, x] ^= 1
    return m


# What other tools make of them.

def encode(m):
    return P.encode(np.asfortranarray(m[:, :, None]))[0]["counts"].decode()


def rle(size, counts):
    return {"size": size, "counts": counts}


def numbers(v):
    return ",".join(str(int(x)) for x in v)


def bits(x):
    return struct.pack(">d", float(x)).hex()


def described(o):
    return f'{o["counts"].decode()} {int(P.area([o])[0])} {numbers(P.toBbox([o])[0])}'


def outcome(family, r):
    if family == "polygons":
        w, h = 1 + r(96), 1 + r(96)
        polygons = [polygon(r, w, h, i == 0) for i in range([1, 1, 1, 2, 3][r(5)])]
        return described(P.merge(P.frPoly(polygons, h, w)))
    if family == "boxes":
        w, h = 1 + r(96), 1 + r(96)
        boxes = []
        for _ in range(1 + r(3)):
            d = [100, 1, 5, 2][r(4)]
            boxes.append([wide(r, w, d), wide(r, h, d), wide(r, w, d), wide(r, h, d)])
        return described(P.merge(P.frBbox(np.array(boxes), h, w)))
    if family == "runs":
        w, h = 1 + r(40), 1 + r(40)
        lists = [runs(r, w * h), runs(r, w * h)]
        raw = [P.frUncompressedRLE([rle([h, w], c)], h, w)[0] for c in lists]
        a, b = [P.encode(P.decode([o]))[0] for o in raw]
        parts = [o["counts"].decode() for o in raw] + [described(a), described(b)]
        parts += [described(P.merge([a, b])), described(P.merge([a, b], 1))]
        parts += [bits(P.iou([a], [b], [0])[0, 0]), bits(P.iou([a], [b], [1])[0, 0])]
        return " ".join(parts)
    if family == "pixels":
        w, h = 1 + r(70), 1 + r(70)
        levels = 2 + r(4)
        m = np.array([r(levels) for _ in range(w * h)], np.uint8).reshape(h, w)
        if r(2) == 0:
            m = np.sort(m, axis=r(2))
        return " ".join([encode((m != 0).astype(np.uint8))] + [
            encode((m == v).astype(np.uint8)) for v in range(levels)])
    w, h = 1 + r(60), 1 + r(60)
    m = shape(r, w, h)
    n = 1 + r(7)
    box = np.ones((3, 3), np.uint8)

    def pad(m, n):
        return np.pad(m, n)

    eroded = cv2.erode(pad(m, 1), box, iterations=n)[1:-1, 1:-1]
    dilated = cv2.dilate(m, box, iterations=n)
    opened = cv2.dilate(eroded, box, iterations=n)
    closed = cv2.erode(cv2.dilate(pad(m, n + 1), box, iterations=n), box, iterations=n)
    closed = closed[n + 1:-n - 1, n + 1:-n - 1]
    d = max(1, int(round(0.02 * np.sqrt(h ** 2 + w ** 2))))
    band = m - cv2.erode(cv2.copyMakeBorder(m, 1, 1, 1, 1, cv2.BORDER_CONSTANT, value=0), box,
                         iterations=d)[1:-1, 1:-1]
    parts = [encode(x) for x in (m, eroded, dilated, opened, closed, band)]
    for structure in (np.ones((3, 3)), None):
        labels, count = scipy.ndimage.label(m, structure)
        found = [(-int((labels == i).sum()), int(np.flatnonzero(labels.T.ravel() == i)[0]), i)
                 for i in range(1, count + 1)]
        parts += [str(count)] + [encode((labels == i).astype(np.uint8)) for _, _, i in sorted(found)]
    parts.append(encode(scipy.ndimage.binary_fill_holes(m).astype(np.uint8)))
    return " ".join(parts)


def main():
    if len(sys.argv) == 3 and sys.argv[1] in dict(FAMILIES):  # the text behind one hash
        print(outcome(sys.argv[1], Draw(SEED + int(sys.argv[2]))))
        return
    here = os.path.dirname(os.path.abspath(__file__))
    seed, path = (int(sys.argv[1]), sys.argv[2]) if sys.argv[1:] else (SEED, "goldens.txt")
    with open(os.path.join(here, path), "w") as f:
        f.write(f"# make.py, seed {seed} : pycocotools {version('pycocotools')}, opencv {cv2.__version__}, "
                f"scipy {scipy.__version__}, numpy {np.__version__}\n")
        number = 0
        for family, count in FAMILIES:
            f.write(f"{family} {number} {count}\n")
            row = []
            for _ in range(count):
                row.append(f"{fold(outcome(family, Draw(seed + number))):08x}")
                number += 1
                if len(row) == 12:
                    f.write(" ".join(row) + "\n")
                    row = []
            if row:
                f.write(" ".join(row) + "\n")


main()
