"""Random COCO evaluations that go for the odd cases: equal scores and overlaps, crowds, areas on the edges of
the size ranges and beyond them, images and classes without anything, boxes without size, more than 100 results
of a class in an image, annotation id 0, ids against the order of the file, empty masks.

`Tests/AssayMetricsTests/Detection/RandomCOCO.swift` makes the same sets, draw by draw: change both or none.
"""

MASK = (1 << 64) - 1


class SplitMix64:
    def __init__(self, seed):
        self.state = seed & MASK

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def below(self, bound):
        return (self.next() * bound) >> 64

    def chance(self, of):
        return self.below(of) == 0


class Maker:
    def __init__(self, seed, kind):
        self.random = SplitMix64(seed * 2 + (kind == "segm"))
        self.kind = kind
        r = self.random
        self.fineness = r.below(3)
        self.score_kind = r.below(4)
        self.class_count = 1 + r.below(4)
        self.spare_class = r.chance(3)
        self.image_count = 1 + r.below(5)
        self.is_crowded = r.chance(8)
        self.first_id = 0 if r.chance(4) else 1
        self.reverses_ids = r.chance(2)
        self.has_boxes = kind == "bbox" or r.chance(2)

    # Boxes

    def coordinate(self):
        if self.fineness == 0:
            return float(self.random.below(25) * 4)
        if self.fineness == 1:
            return self.random.below(200) / 2
        return self.random.below(100_000) / 1000

    def shift(self):
        if self.fineness == 0:
            return float((self.random.below(3) - 1) * 4)
        if self.fineness == 1:
            return (self.random.below(5) - 2) / 2
        return (self.random.below(2001) - 1000) / 1000

    def box(self):
        return [self.coordinate(), self.coordinate(), self.coordinate(), self.coordinate()]

    def near(self, box):
        """A box that has to do with one of the truth."""
        origin = self.random.below(4)
        x, y, w, h = box
        if origin == 0:
            return self.box()
        if origin == 1:
            return [x, y, w, h]
        if origin == 2:
            return [x + self.shift(), y + self.shift(), max(0.0, w + self.shift()), h]
        return [x, y, w / 2, h]

    # Masks: column by column, a byte a pixel

    def mask(self, width, height):
        r = self.random
        pixels = bytearray(width * height)
        shape = r.below(8)
        if shape == 0:
            return pixels
        if shape == 1:
            return bytearray(b"\1" * (width * height))
        if shape <= 3:
            place, value = 0, 0
            while place < len(pixels):
                run = 1 + r.below(3 * height)
                end = min(len(pixels), place + run)
                if value:
                    pixels[place:end] = b"\1" * (end - place)
                place, value = end, 1 - value
            return pixels
        return self.toggle(pixels, width, height)

    def toggle(self, pixels, width, height):
        """Turns over the pixels of a rectangle."""
        r = self.random
        left, top = r.below(width), r.below(height)
        right, bottom = left + 1 + r.below(width - left), top + 1 + r.below(height - top)
        for x in range(left, right):
            for y in range(top, bottom):
                pixels[x * height + y] ^= 1
        return pixels

    def near_mask(self, pixels, width, height):
        origin = self.random.below(4)
        if origin == 0:
            return self.mask(width, height)
        if origin == 1:
            return bytearray(pixels)
        return self.toggle(bytearray(pixels), width, height)

    # Objects

    def score(self):
        r = self.random
        if self.score_kind == 0:
            return r.below(5) / 4
        if self.score_kind == 1:
            return r.below(1000) / 1000
        if self.score_kind == 2:
            return (r.below(41) - 20) / 10
        return r.below(1 << 30) / (1 << 30)

    def truth(self, image, size):
        r = self.random
        classes = self.class_count - (1 if self.spare_class and self.class_count > 1 else 0)
        category = r.below(classes)
        box = self.box()
        is_crowd = r.chance(6)
        mask = self.mask(*size) if self.kind == "segm" else None
        area = box[2] * box[3]
        which = r.below(8)
        if which < 5:
            area = [1024.0, 9216.0, 0.0, 2e10, area / 2][which]
        return dict(image=image, category=category, box=box, crowd=is_crowd, area=area, mask=mask)

    def result(self, image, size, truths):
        r = self.random
        category = r.below(self.class_count)
        box, mask = None, None
        if truths:
            truth = truths[r.below(len(truths))]
            if not r.chance(4):
                category = truth["category"]
            box = self.near(truth["box"])
            if self.kind == "segm":
                mask = self.near_mask(truth["mask"], *size)
        else:
            box = self.box()
            if self.kind == "segm":
                mask = self.mask(*size)
        return dict(image=image, category=category, score=self.score(), box=box, mask=mask)


def make(seed, kind):
    """A set: sizes of images, and truths and results as dictionaries with indices of images and classes."""
    maker = Maker(seed, kind)
    r = maker.random
    sizes, truths, results = [], [], []
    for image in range(maker.image_count):
        size = (8 + r.below(57), 8 + r.below(41))
        sizes.append(size)
        own = [maker.truth(image, size) for _ in range(r.below(7))]
        count = 0 if r.chance(4) else r.below(14)
        if maker.is_crowded and image == 0:
            count += 90 + r.below(60)
        truths += own
        results += [maker.result(image, size, own) for _ in range(count)]
    if not results:
        results.append(maker.result(0, sizes[0], []))
    for index, truth in enumerate(truths):
        place = len(truths) - 1 - index if maker.reverses_ids else index
        truth["id"] = maker.first_id + place
    return dict(sizes=sizes, classes=maker.class_count, truths=truths, results=results,
                has_boxes=maker.has_boxes)


def runs(pixels):
    """COCO's run lengths, uncompressed."""
    lengths, value, length = [], 0, 0
    for pixel in pixels:
        if pixel != value:
            lengths.append(length)
            value, length = pixel, 0
        length += 1
    return lengths + [length]


def documents(data, kind, segmentation=None):
    """The set as the two files of an evaluation, (truth, results). `segmentation` makes an annotation's
    from the run lengths and the size (height, width)."""
    segmentation = segmentation or (lambda counts, size, is_truth: dict(size=size, counts=counts))
    images = [dict(id=10 + 3 * i, width=w, height=h, file_name=f"{i}.jpg")
              for i, (w, h) in enumerate(data["sizes"])]
    categories = [dict(id=2 + 5 * c, name=f"class {c}") for c in range(data["classes"])]
    annotations, results = [], []
    for truth in data["truths"]:
        image = images[truth["image"]]
        row = dict(id=truth["id"], image_id=image["id"],
                   category_id=categories[truth["category"]]["id"], bbox=truth["box"],
                   area=truth["area"], iscrowd=int(truth["crowd"]))
        if kind == "segm":
            row["segmentation"] = segmentation(
                runs(truth["mask"]), [image["height"], image["width"]], True)
        annotations.append(row)
    for result in data["results"]:
        image = images[result["image"]]
        row = dict(image_id=image["id"], category_id=categories[result["category"]]["id"],
                   score=result["score"])
        if data["has_boxes"]:
            row["bbox"] = result["box"]
        if kind == "segm":
            row["segmentation"] = segmentation(
                runs(result["mask"]), [image["height"], image["width"]], False)
        results.append(row)
    # Neither order decides anything.
    return dict(images=images[::-1], categories=categories[::-1], annotations=annotations), results
