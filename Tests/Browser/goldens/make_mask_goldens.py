"""Makes mask_goldens.json: the expected results of the mask editor's pure functions, computed by other tools.

Run lengths and strings: pycocotools 2.0.11. Morphology, holes, parts, flood: scipy 1.17.1 (ndimage). Polygons
(pixel centers, even-odd, half-open edges) and brush strokes (distance of the center to the line): exact rational
arithmetic of Python's fractions. numpy 2.4.6.

    python make_mask_goldens.py > mask_goldens.json
"""

import json
from fractions import Fraction

import numpy as np
from pycocotools import mask as coco
from scipy import ndimage

RANDOM = np.random.default_rng(5)
EIGHT = np.ones((3, 3), bool)
FOUR = ndimage.generate_binary_structure(2, 1)


def text(pixels):
    return coco.encode(np.asfortranarray(pixels.astype(np.uint8)))["counts"].decode()


def counts(pixels):
    flat = pixels.flatten(order="F").astype(int)
    runs, value, length = [], 0, 0
    for pixel in flat:
        if pixel != value:
            runs.append(length)
            value, length = pixel, 0
        length += 1
    return runs + [length]


def blobs(width, height, smooth, share):
    noise = ndimage.gaussian_filter(RANDOM.standard_normal((height, width)), smooth)
    return noise > np.quantile(noise, 1 - share)


def closing(pixels, steps):
    # Padded, so that the dilated mask can extend beyond the edge.
    padded = np.pad(pixels, steps)
    grown = ndimage.binary_dilation(padded, EIGHT, iterations=steps)
    return ndimage.binary_erosion(grown, EIGHT, iterations=steps)[steps:-steps, steps:-steps]


def parts(pixels):
    labels, count = ndimage.label(pixels, EIGHT)
    found = [labels == index + 1 for index in range(count)]
    return sorted(found, key=lambda part: (-int(part.sum()), int(np.argmax(part.flatten(order="F")))))


def mask_case(pixels, other):
    height, width = pixels.shape
    case = {
        "width": width, "height": height, "counts": counts(pixels), "mask": text(pixels),
        "other": text(other), "area": int(pixels.sum()), "union": text(pixels | other),
        "intersection": text(pixels & other), "difference": text(pixels & ~other),
        "either": text(pixels ^ other), "inverted": text(~pixels),
        "filled": text(ndimage.binary_fill_holes(pixels, FOUR)),
        "parts": [text(part) for part in parts(pixels)], "steps": [],
    }
    for steps in (1, 2, 5):
        eroded = ndimage.binary_erosion(pixels, EIGHT, iterations=steps)
        case["steps"].append({
            "steps": steps, "eroded": text(eroded),
            "dilated": text(ndimage.binary_dilation(pixels, EIGHT, iterations=steps)),
            "opened": text(ndimage.binary_dilation(eroded, EIGHT, iterations=steps)),
            "closed": text(closing(pixels, steps)),
        })
    return case


def is_inside(points, x, y):
    """Even-odd; an edge includes its left end but not its right one; a center on an edge is below it."""
    inside = False
    for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1]):
        if x0 == x1:
            continue
        if x0 > x1:
            x0, y0, x1, y1 = x1, y1, x0, y0
        if x0 <= x < x1 and y0 + (x - x0) / (x1 - x0) * (y1 - y0) <= y:
            inside = not inside
    return inside


def polygon_case(points, width, height):
    exact = [(Fraction(x), Fraction(y)) for x, y in points]
    half = Fraction(1, 2)
    pixels = np.array([[is_inside(exact, x + half, y + half) for x in range(width)] for y in range(height)])
    return {"width": width, "height": height, "points": points, "mask": text(pixels)}


def stroke_case(start, end, diameter, width, height):
    (x0, y0), (x1, y1) = [(Fraction(x), Fraction(y)) for x, y in (start, end)]
    dx, dy = x1 - x0, y1 - y0
    length = dx * dx + dy * dy
    half = Fraction(1, 2)
    pixels = np.zeros((height, width), bool)
    for y in range(height):
        for x in range(width):
            px, py = x + half - x0, y + half - y0
            t = max(Fraction(0), min(Fraction(1), (px * dx + py * dy) / length)) if length else Fraction(0)
            distance = (px - t * dx) ** 2 + (py - t * dy) ** 2
            pixels[y, x] = distance <= Fraction(diameter * diameter, 4)
    return {"from": start, "to": end, "diameter": diameter, "width": width, "height": height, "mask": text(pixels)}


def flood_case(width, height, tolerance):
    image = np.stack([ndimage.gaussian_filter(RANDOM.standard_normal((height, width)), 3) for _ in range(3)], -1)
    image = ((image - image.min()) / (image.max() - image.min()) * 255).astype(np.uint8)
    x, y = int(RANDOM.integers(width)), int(RANDOM.integers(height))
    like = (np.abs(image.astype(int) - image[y, x].astype(int)) <= tolerance).all(-1)
    labels, _ = ndimage.label(like, FOUR)
    return {"width": width, "height": height, "rgb": image.flatten().tolist(), "x": x, "y": y,
            "tolerance": tolerance, "mask": text(labels == labels[y, x])}


def map_case(width, height, threshold):
    values = RANDOM.integers(0, 256, (height, width), dtype=np.uint8)
    limit = -(-255 * Fraction(str(threshold)) // 1)
    return {"width": width, "height": height, "bytes": values.flatten().tolist(), "threshold": threshold,
            "mask": text(values >= int(limit))}


def edit_case(width, height, count, crowd):
    """The effect of an edit of a category's region on its objects: removed pixels are cut from all; each added part
    (eight neighbors) joins the object with the most pixels among the part's and their neighbors', the first in case of
    ties, never a crowd; a part that touches none is new, the largest first."""
    before = [blobs(width, height, 2, 0.08) for _ in range(count)]
    whole = np.any(before, axis=0)
    delta = blobs(width, height, 1.5, 0.3)
    removed, added = delta & whole, delta & ~whole
    after = [pixels & ~removed for pixels in before]
    joined, new = [pixels.copy() for pixels in after], []
    for part in parts(added):
        reach = ndimage.binary_dilation(part, EIGHT)
        contacts = [0 if index == crowd else int((pixels & reach).sum()) for index, pixels in enumerate(after)]
        best = max(range(count), key=lambda index: (contacts[index], -index))
        if contacts[best]:
            joined[best] |= part
        else:
            new.append(part)
    return {"width": width, "height": height, "crowd": crowd, "before": [text(one) for one in before],
            "delta": text(delta), "after": [text(one) if one.any() else None for one in joined],
            "new": [text(one) for one in new]}


def main():
    sizes = [(37, 29, 2, 0.5), (64, 48, 1, 0.6), (20, 50, 3, 0.35), (1, 9, 0.5, 0.5), (9, 1, 0.5, 0.5), (40, 40, 0.7, 0.7)]
    masks = [mask_case(blobs(*size), blobs(*size)) for size in sizes]
    nothing, everything = np.zeros((6, 7), bool), np.ones((6, 7), bool)
    masks += [mask_case(nothing, everything), mask_case(everything, nothing)]
    polygons = [
        polygon_case([[2, 2], [10, 2], [10, 7], [2, 7]], 16, 12),
        polygon_case([[2.5, 2.5], [10.5, 2.5], [10.5, 7.5], [2.5, 7.5]], 16, 12),
        polygon_case([[1, 1], [14, 10], [14, 1], [1, 10]], 16, 12),
        polygon_case([[-5, -3], [30, 4], [8, 40]], 24, 20),
        polygon_case([[3, 3], [3, 3], [9, 3], [9, 9]], 12, 12),
    ]
    for count in (3, 5, 9, 25):
        points = (RANDOM.integers(0, 4 * 40, (count, 2)) / 4).tolist()
        polygons.append(polygon_case(points, 40, 36))
    strokes = [stroke_case([7.5, 6.5], [7.5, 6.5], size, 15, 13) for size in (1, 3, 5, 11)]
    strokes += [stroke_case([8, 6], [8, 6], size, 15, 13) for size in (2, 4, 10)]
    strokes += [
        stroke_case([3.5, 3.5], [25.5, 17.5], 1, 32, 24), stroke_case([4, 20], [28, 3], 6, 32, 24),
        stroke_case([5.5, 5.5], [5.5, 19.5], 7, 32, 24), stroke_case([-4, 10], [40, 12], 12, 32, 24),
        stroke_case([20.5, 2.5], [4.5, 3.5], 5, 32, 24),
    ]
    floods = [flood_case(40, 30, tolerance) for tolerance in (0, 12, 30, 60, 255)]
    maps = [map_case(13, 17, threshold) for threshold in (0.01, 0.2, 0.5, 0.501, 0.6, 0.8, 1)]
    edits = [edit_case(40, 30, count, crowd) for count, crowd in ((1, None), (3, None), (5, 1), (2, 0))]
    print(json.dumps({"edits": edits, "masks": masks, "polygons": polygons, "strokes": strokes, "floods": floods, "maps": maps},
                     separators=(",", ":")))


main()
