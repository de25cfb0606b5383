"""The synthetic dataset that the stand-in serves: discs to mask, drawn faces to label."""

import pictures
import runlengths
from mock_review import Review, Sample

FACES = ["angry", "disgust", "fear", "happy", "sad", "surprise", "neutral"]


def thing(sample_size, category, number, runs):
    """An imported object: the target as the program spells it, set + source id."""
    text = runlengths.encode(runs)
    return {"target": "instances/%d" % number, "category": category, "crowd": False,
            "bits": runlengths.bits(text, sample_size), "source_id": number}


def moved(mask, size, right, down):
    """A mask moved by whole pixels: a nearly correct prediction."""
    height, width = size
    keep = 0
    column = (1 << height) - 1
    for x in range(width):
        to = x + right
        if 0 <= to < width:
            part = mask >> x * height & column
            part = (part << down if down >= 0 else part >> -down) & column
            keep |= part << to * height
    return keep


def disc(number, width=160, height=120):
    """A disc with a ground truth that is too small, and a prediction next to it."""
    size = [height, width]
    middle = (50 + 9 * number % 60, 45 + 7 * number % 40)
    runs = runlengths.ellipse(size, middle, (24, 24))
    hue = [(220, 70, 50), (240, 200, 40), (90, 160, 230), (200, 90, 200)][number % 4]
    predicted = moved(runlengths.bits(runlengths.encode(runs), size), size, 4, 3)
    if number == 7:
        # Two more parts that touch no object.
        for place in ((146, 12), (146, 108)):
            predicted |= runlengths.bits(runlengths.encode(runlengths.ellipse(size, place, (10, 10))), size)
    model = runlengths.text_of(predicted, size)
    run = {"name": "segmenter-1", "label": None, "confidence": None, "scores": [],
           "masks": [{"category": "disc", "counts": model}], "maps": ["disc"], "boxes": []}
    return Sample("discs/%04d.png" % number, width, height,
                  pictures.scene(width, height, middle, 30, hue), "image/png",
                  objects=[thing(size, "disc", 7000 + number, runs)], run=run,
                  reason="map unsure along %d pixels of edge" % (90 - number),
                  score=round(0.9 - number / 50, 3))


def scene(number):
    """Two discs and a detector's results: both, one of them with low confidence, and a ring that is not annotated. The
    ground truth of every second image has boxes and no masks."""
    sample = disc(number)
    size = sample.size
    other = runlengths.ellipse(size, (30, 95), (14, 14))
    sample.objects.append(thing(size, "disc", 8000 + number, other))
    boxes = [runlengths.box(o["bits"], size) for o in sample.objects]
    if number % 2:
        sample.objects = [{**o, "bits": 0, "box": box} for o, box in zip(sample.objects, boxes)]
    found = [("disc", 0.91, [boxes[0][0] + 4, boxes[0][1] + 3] + boxes[0][2:]),
             ("disc", 0.83, boxes[1]), ("ring", 0.74, [110, 8, 40, 30]), ("disc", 0.31, [60, 2, 20, 20]),
             ("disc", 0.05, [1, 1, 9, 9])]
    sample.run = {"name": "detector-1", "label": None, "confidence": None, "scores": [], "masks": [],
                  "maps": [], "score": 0.5,
                  "boxes": [{"category": c, "confidence": p, "box": b, "counts": None}
                            for c, p, b in found],
                  "taken": [{"category": "disc", "masks": 0, "boxes": 2},
                            {"category": "ring", "masks": 0, "boxes": 1}]}
    if number == 3:
        # A class of the model that the dataset does not have, and nothing else.
        sample.run["boxes"] = [{"category": "laptop", "confidence": 0.9, "box": [20, 20, 30, 20], "counts": None}]
        sample.run["taken"] = [{"category": "laptop", "masks": 0, "boxes": 1}, {"category": "disc", "masks": 0, "boxes": 0}]
    sample.reason = "2 detections near 0.5"
    return sample


def portrait(number):
    """A drawn face with a label and a model's prediction."""
    truth, said = FACES[number % 7], FACES[(number * 3 + 1) % 7]
    scores = sorted(((0.62 if f == said else 0.21 if f == truth else 0.03, f) for f in FACES),
                    reverse=True)
    run = {"name": "fer-1", "label": said, "confidence": scores[0][0], "masks": [], "maps": [],
           "boxes": [], "scores": [{"category": f, "score": p} for p, f in scores]}
    return Sample(str(number), 48, 48, pictures.drawn_face(number), "image/png", label=truth,
                  run=run, score=round(0.41 - number / 100, 3),
                  reason="margin 0.%02d between %s and %s" % (number, said, truth))


def review(task, name=None, journal=None, count=12):
    """The review of a task on the synthetic dataset."""
    if task == "label":
        return Review(name or "faces", "classification", FACES,
                      [portrait(n) for n in range(count * 2)], journal=journal)
    if task == "detect":
        return Review(name or "scenes", "detection", ["disc", "ring"],
                      [scene(n) for n in range(count)], journal=journal)
    return Review(name or "discs", "segmentation", ["disc", "ring"],
                  [disc(n) for n in range(count)], journal=journal)


def probability_map(sample, category):
    """The map of a category, one byte per pixel in rows: the model's mask with a soft edge."""
    masks = {m["category"]: m["counts"] for m in (sample.run or {}).get("masks", [])}
    if category not in masks or category not in sample.run["maps"]:
        return None
    height, width = sample.size
    digits = "".join(("1" if i % 2 else "0") * run
                     for i, run in enumerate(runlengths.decode(masks[category])))
    columns = [[230 if c == "1" else 12 for c in digits[x * height:(x + 1) * height]]
               for x in range(width)]
    for _ in range(2):
        columns = [blurred(column) for column in columns]
        rows = [blurred([columns[x][y] for x in range(width)]) for y in range(height)]
        columns = [[rows[y][x] for y in range(height)] for x in range(width)]
    return b"".join(bytes(columns[x][y] for x in range(width)) for y in range(height))


def blurred(values, reach=3):
    """A box blur of one line."""
    total, sums = 0, [0]
    for value in values:
        total += value
        sums.append(total)
    count = len(values)
    return [(sums[min(count, i + reach + 1)] - sums[max(0, i - reach)])
            // (min(count, i + reach + 1) - max(0, i - reach)) for i in range(count)]
