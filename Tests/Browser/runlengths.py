"""Run lengths of masks as the editor sends them: COCO's compressed strings, column by column.

A mask is a Python integer, bit `x * height + y` is set if the pixel is in it. Written according to the
description in pycocotools `maskApi.c` (rleToString, rleFrString); used by the stand-in server and
by tests that inspect the data sent by a page.
"""

import re


def encode(runs):
    """The compressed string of `runs`, lengths that start with a run outside the mask."""
    text = []
    for index, run in enumerate(runs):
        value = run - runs[index - 2] if index > 2 else run
        while True:
            five = value & 0x1F
            value >>= 5
            more = value != -1 if five & 0x10 else value != 0
            text.append(chr((five | 0x20 if more else five) + 48))
            if not more:
                break
    return "".join(text)


def decode(text):
    """The runs of a compressed string."""
    runs, value, shift = [], 0, 0
    for character in text:
        code = ord(character) - 48
        value |= (code & 0x1F) << shift
        shift += 5
        if code & 0x20:
            continue
        if code & 0x10:
            value -= 1 << shift
        if len(runs) > 2:
            value += runs[-2]
        runs.append(value)
        value, shift = 0, 0
    return runs


def bits(text, size):
    """The mask of a compressed string; `ValueError` if its runs do not fill `size` [h, w]."""
    runs = decode(text)
    if any(run < 0 for run in runs) or sum(runs) != size[0] * size[1]:
        raise ValueError("the runs do not fill the picture")
    digits = "".join(("1" if i % 2 else "0") * run for i, run in enumerate(runs))
    return int(digits[::-1] or "0", 2)


def runs_of(mask, size):
    """The run lengths of a mask."""
    count = size[0] * size[1]
    digits = bin(mask)[2:].zfill(count)[::-1]
    runs = [0] if digits[:1] == "1" else []
    return runs + [len(found.group()) for found in re.finditer("0+|1+", digits)]


def text_of(mask, size):
    """The compressed string of a mask."""
    return encode(runs_of(mask, size))


def area(mask):
    return bin(mask).count("1")


def box(mask, size):
    """[x, y, width, height] of a mask, [0, 0, 0, 0] if it is empty."""
    height, position = size[0], 0
    left = top = None
    right = bottom = 0
    for index, run in enumerate(runs_of(mask, size)):
        if index % 2 and run:
            first, last = position, position + run - 1
            left = first // height if left is None else left
            right = last // height
            if first // height == last // height:
                low, high = first % height, last % height
            else:
                low, high = 0, height - 1
            top = low if top is None else min(top, low)
            bottom = max(bottom, high)
        position += run
    return [0, 0, 0, 0] if left is None else [left, top, right - left + 1, bottom - top + 1]


def columns(size, spans):
    """The run lengths of a mask given as `spans(x)`: sorted half-open [low, high) rows per column."""
    height, width = size
    runs, position, end = [], 0, 0
    for x in range(width):
        for low, high in spans(x):
            low, high = max(0, low), min(height, high)
            if low >= high:
                continue
            start = x * height + low
            if runs and start == end:
                runs[-1] += high - low
            else:
                runs += [start - end, high - low]
            end = x * height + high
    return runs + [size[0] * size[1] - end]


def polygon(points, size):
    """The run lengths of a polygon (even-odd, pixel centers), points as [(x, y), …]."""
    edges = list(zip(points, points[1:] + points[:1]))

    def spans(x):
        middle = x + 0.5
        cuts = []
        for (x0, y0), (x1, y1) in edges:
            if (x0 <= middle) != (x1 <= middle):
                cuts.append(y0 + (middle - x0) * (y1 - y0) / (x1 - x0))
        cuts.sort()
        return [(round(a), round(b)) for a, b in zip(cuts[::2], cuts[1::2])]

    return columns(size, spans)


def ellipse(size, middle, radii):
    """The run lengths of an ellipse, center and radii as (x, y)."""

    def spans(x):
        part = 1 - ((x + 0.5 - middle[0]) / radii[0]) ** 2
        if part <= 0:
            return []
        half = radii[1] * part ** 0.5
        return [(round(middle[1] - half), round(middle[1] + half))]

    return columns(size, spans)
