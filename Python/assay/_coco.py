"""`COCO`, as pycocotools has it, without its drawings and downloads."""
import gzip
import json
import os
from collections import defaultdict

from . import _documents, _masks


def _listed(value):
    return list(value) if hasattr(value, "__iter__") and not isinstance(value, str) else [value]


def _opened(path):
    """The text of a file, also of one that gzip compressed."""
    with open(path, "rb") as file:
        is_packed = file.read(2) == b"\x1f\x8b"
    return (gzip.open if is_packed else open)(path, "rt", encoding="utf-8")


class COCO:
    """Ground truth in COCO's format, from a path or a dictionary; `loadRes` makes one of results.

    Attributes: `dataset`, `anns`, `imgs`, `cats`, `imgToAnns`, `catToImgs`.
    """

    def __init__(self, annotation_file=None):
        self.dataset, self.anns, self.cats, self.imgs = {}, {}, {}, {}
        self.imgToAnns, self.catToImgs = defaultdict(list), defaultdict(list)
        # The results as they were given, for what loadRes returns.
        self._results = None
        if annotation_file is None:
            return
        if isinstance(annotation_file, (str, os.PathLike)):
            with _opened(annotation_file) as file:
                annotation_file = json.load(file)
        if not isinstance(annotation_file, dict):
            raise TypeError("expected COCO's dictionary of images and annotations, found "
                            + type(annotation_file).__name__)
        self.dataset = annotation_file
        self.createIndex()

    def createIndex(self):
        self.anns, self.cats, self.imgs = {}, {}, {}
        self.imgToAnns, self.catToImgs = defaultdict(list), defaultdict(list)
        for one in self.dataset.get("annotations", []):
            self.imgToAnns[one["image_id"]].append(one)
            self.anns[one["id"]] = one
        for one in self.dataset.get("images", []):
            self.imgs[one["id"]] = one
        for one in self.dataset.get("categories", []):
            self.cats[one["id"]] = one
        if "categories" in self.dataset:
            for one in self.dataset.get("annotations", []):
                self.catToImgs[one["category_id"]].append(one["image_id"])

    def info(self):
        for name, value in self.dataset.get("info", {}).items():
            print(f"{name}: {value}")

    def getAnnIds(self, imgIds=[], catIds=[], areaRng=[], iscrowd=None):
        imgs, cats = _listed(imgIds), set(_listed(catIds))
        found = ([one for img in imgs for one in self.imgToAnns.get(img, [])] if imgs
                 else self.dataset.get("annotations", []))
        found = [one for one in found
                 if (not cats or one["category_id"] in cats)
                 and (not len(areaRng) or areaRng[0] < one["area"] < areaRng[1])]
        return [one["id"] for one in found if iscrowd is None or one["iscrowd"] == iscrowd]

    def getCatIds(self, catNms=[], supNms=[], catIds=[]):
        names, supers, ids = _listed(catNms), _listed(supNms), _listed(catIds)
        return [one["id"] for one in self.dataset.get("categories", [])
                if (not names or one["name"] in names) and (not supers or one["supercategory"] in supers)
                and (not ids or one["id"] in ids)]

    def getImgIds(self, imgIds=[], catIds=[]):
        imgs, cats = _listed(imgIds), _listed(catIds)
        if not imgs and not cats:
            return list(self.imgs)
        ids = set(imgs)
        for place, cat in enumerate(cats):
            ids = set(self.catToImgs[cat]) if place == 0 and not ids else ids & set(self.catToImgs[cat])
        return list(ids)

    def loadAnns(self, ids=[]):
        return [self.anns[one] for one in _listed(ids)]

    def loadCats(self, ids=[]):
        return [self.cats[one] for one in _listed(ids)]

    def loadImgs(self, ids=[]):
        return [self.imgs[one] for one in _listed(ids)]

    def loadRes(self, resFile):
        """Results, from a path, a list of dictionaries, an array with 7 columns or a pandas frame.

        Their ids are 1, 2, …; as of pycocotools, the first one tells what all are made of, and each gets `area`,
        `iscrowd` 0, a box's rectangle as `segmentation`, and the box of a region or of keypoints as `bbox`.
        """
        if isinstance(resFile, (str, os.PathLike)):
            with open(resFile, encoding="utf-8") as file:
                resFile = json.load(file)
        resFile = _documents.in_memory(resFile)
        if not isinstance(resFile, list):
            raise TypeError(f"expected a list of results, found {type(resFile).__name__}")
        results = COCO()
        results._results = resFile
        results.dataset = {
            "images": list(self.dataset.get("images", [])), "categories": self.dataset.get("categories", []),
            "annotations": [dict(one, id=place + 1) for place, one in enumerate(resFile)],
        }
        if any(one.get("image_id") not in self.imgs for one in resFile):
            raise ValueError("results of images that the ground truth does not have")
        _complete(results.dataset["annotations"])
        results.createIndex()
        return results

    def loadNumpyAnnotations(self, data):
        return _documents.results_of_array(data)

    def annToRLE(self, ann):
        """The segmentation of an annotation as RLE. Polygons need pycocotools."""
        return _masks.to_rle(ann, self._size(ann))

    def annToMask(self, ann):
        """The segmentation of an annotation as an array of 0 and 1. Polygons need pycocotools."""
        return _masks.to_mask(ann, self._size(ann))

    def _size(self, ann):
        image = self.imgs[ann["image_id"]]
        return image["height"], image["width"]


def _complete(annotations):
    """Adds the members that loadRes of pycocotools adds. Malformed results get none: the program names their place."""
    first = annotations[0] if annotations else {}
    if _documents.has(first, "bbox"):
        complete = _complete_box
    elif "segmentation" in first:
        complete = _complete_region
    elif "keypoints" in first:
        complete = _complete_keypoints
    else:
        return
    for one in annotations:
        try:
            complete(one)
        except (IndexError, KeyError, TypeError, ValueError):
            pass


def _complete_box(one):
    x, y, width, height = one["bbox"]
    one["area"] = width * height
    one["iscrowd"] = 0
    if "segmentation" not in one:
        right, bottom = x + width, y + height
        one["segmentation"] = [[x, y, x, bottom, right, bottom, right, y]]


def _complete_region(one):
    one["iscrowd"] = 0
    rle = one["segmentation"]
    lengths = _masks.runs(rle)
    one["area"] = _masks.area(lengths)
    if "bbox" not in one:
        one["bbox"] = _masks.box(lengths, rle["size"][0])


def _complete_keypoints(one):
    box = _documents.extent(one["keypoints"])
    one.update(area=box[2] * box[3], bbox=box, iscrowd=0)
