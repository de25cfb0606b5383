"""`COCOeval`, as pycocotools has it; the program matches, and computes what is asked with COCO's parameters."""
import copy
import warnings

from . import _accumulate, _documents, _ious
from ._program import AssayWarning, numpy, options, run_json


class Params:
    """The settings of an evaluation, with the names and defaults of pycocotools."""

    def __init__(self, iouType="segm"):
        np = numpy()
        if iouType not in _documents.IOU_TYPES:
            raise ValueError(f"iouType is {iouType!r}; expected bbox, segm or keypoints")
        self.iouType = iouType
        self.imgIds, self.catIds = [], []
        self.iouThrs = np.linspace(.5, 0.95, 10, endpoint=True)
        self.recThrs = np.linspace(.0, 1.00, 101, endpoint=True)
        self.useSegm = None
        self.useCats = 1
        large = [int(1e5 ** 2)]
        if iouType == "keypoints":
            self.maxDets = [20]
            self.areaRng = [[0, *large], [32 ** 2, 96 ** 2], [96 ** 2, *large]]
            self.areaRngLbl = ["all", "medium", "large"]
            self.kpt_oks_sigmas = np.array([.26, .25, .25, .35, .35, .79, .79, .72, .72, .62, .62, 1.07, 1.07, .87, .87,
                                            .89, .89]) / 10.0
        else:
            self.maxDets = [1, 10, 100]
            self.areaRng = [[0, *large], [0, 32 ** 2], [32 ** 2, 96 ** 2], [96 ** 2, *large]]
            self.areaRngLbl = ["all", "small", "medium", "large"]


# The methods of pycocotools' class that evaluate() of this one does without.
_STEPS = ("_prepare", "computeIoU", "computeOks", "evaluateImg")


class COCOeval:
    """COCO's evaluation of detections: `evaluate()`, `accumulate()`, `summarize()`.

    Afterwards `evalImgs` has the matches, `ious` the similarities, `eval` precision, recall and scores, and `stats` the
    12 numbers (10 of keypoints), −1 where one is undefined.
    """

    def __init__(self, cocoGt=None, cocoDt=None, iouType="segm"):
        for name, given in (("cocoGt", cocoGt), ("cocoDt", cocoDt)):
            if given is not None and not hasattr(given, "dataset"):
                raise TypeError(f"{name} is a {type(given).__name__}; expected a COCO: COCO(path) of ground truth, its "
                                "loadRes(results) of results")
        self.cocoGt, self.cocoDt = cocoGt, cocoDt
        self.params = Params(iouType)
        self.eval, self.stats = {}, []
        # Made when they are first used: they are large, and most evaluations need neither.
        self._evalImgs, self._ious = [], {}
        self._answer = self._arrays = None
        # The parameters of evaluate(), which can be assigned; those that the arrays are of; what evaluate() read.
        self._paramsEval = {}
        self._made = self._evaluated = self._read = None
        self._corrected = False
        if cocoGt is not None:
            self.params.imgIds = sorted(cocoGt.getImgIds())
            self.params.catIds = sorted(cocoGt.getCatIds())

    @property
    def evalImgs(self):
        if self._evalImgs is None:
            self._evalImgs = self._images(self._made, *self._read[2:])
        return self._evalImgs

    @evalImgs.setter
    def evalImgs(self, entries):
        self._evalImgs = entries

    @property
    def ious(self):
        if self._ious is None:
            self._ious = _ious.matrices(*self._read[:2], self._made)
        return self._ious

    @ious.setter
    def ious(self, matrices):
        self._ious = matrices

    def evaluate(self):
        np = numpy()
        p = self.params
        replaced = [name for name in _STEPS if hasattr(self, name)]
        if replaced:
            warnings.warn(f"{', '.join(replaced)} of {type(self).__name__} is not called: the program matches. Use "
                          "pycocotools where the similarity is another one", AssayWarning, stacklevel=2)
        p.imgIds = list(np.unique(p.imgIds))
        if p.useCats:
            p.catIds = list(np.unique(p.catIds))
        p.maxDets = sorted(p.maxDets)
        _check(p)
        truth, truth_ids, results, result_ids, areas = self._documents(p)
        with _documents.Folder() as folder:
            _documents.write(truth, folder.file("gt.json"))
            _documents.write(results, folder.file("dt.json"))
            arrays = folder.file("arrays.npz")
            self._answer = run_json(
                "evaluate", "--gt", folder.file("gt.json"), "--dt", folder.file("dt.json"), "--arrays", arrays,
                *options(self._options(p)))
            with np.load(arrays) as archive:
                self._arrays = {name: archive[name] for name in archive.files}
        self._corrected = self._correct(results, areas, truth_ids)
        self._warn(p, truth_ids, result_ids)
        self._made, self._paramsEval = copy.deepcopy(p), copy.deepcopy(p)
        self._evaluated = self._paramsEval
        self._evalImgs = self._ious = None
        self._read = self.cocoGt, self.cocoDt, truth_ids, result_ids
        self.eval = {}

    def accumulate(self, p=None):
        """Makes `eval`, for `params` or those given, of what evaluate() found or what was assigned to `evalImgs`."""
        p = self.params if p is None else p
        if not self._paramsEval or self._evalImgs is not None and not len(self._evalImgs):
            raise RuntimeError("call evaluate() first")
        _check_changes(p, self._paramsEval)
        direct = (self._evalImgs is None and self._paramsEval is self._evaluated and _same(p, self._made)
                  and _same(self._paramsEval, self._made) and _as_coco(p) and not self._corrected)
        p.catIds = p.catIds if p.useCats else [-1]
        self.eval = (_accumulate.record(p, *(self._arrays[name] for name in ("precision", "recall", "scores")))
                     if direct else _accumulate.accumulate(self.evalImgs, p, self._paramsEval))

    def summarize(self):
        """Prints the numbers as pycocotools does, and sets `stats`."""
        if not self.eval:
            raise Exception("Please run accumulate() first")
        self.stats, lines = _accumulate.summarize(self.eval, self.params)
        print("\n".join(lines))

    def __str__(self):
        return "\n".join(_accumulate.summarize(self.eval, self.params)[1]) if self.eval else super().__str__()

    def _options(self, p):
        np = numpy()
        usual = Params(p.iouType)
        given = {"iou_type": p.iouType}
        if p.iouType != "keypoints":
            given["compat"] = "pycocotools"
        elif not np.array_equal(p.kpt_oks_sigmas, usual.kpt_oks_sigmas):
            given["sigmas"] = [float(one) for one in p.kpt_oks_sigmas]
        else:
            given["sigmas"] = "coco"
        if not np.array_equal(p.iouThrs, usual.iouThrs):
            given["iou_thresholds"] = _thresholds(p)
            given["iou"] = given["iou_thresholds"][0]
        if list(p.maxDets) != usual.maxDets:
            given["max_dets"] = sorted({int(one) for one in p.maxDets})
        return given

    def _documents(self, p):
        """Ground truth and results of the parameters' images and classes, each with the ids of its entries, and the
        results' areas."""
        images, classes = {_key(one) for one in p.imgIds}, {_key(one) for one in p.catIds}
        gt = self.cocoGt.dataset
        order = {_key(one): place for place, one in enumerate(p.catIds)}

        def chosen(entries):
            kept = [(place, one) for place, one in entries
                    if one["image_id"] in images and one["category_id"] in classes]
            # Without classes, pycocotools takes the objects of an image class by class.
            return kept if p.useCats else sorted(kept, key=lambda entry: order[entry[1]["category_id"]])

        truths = chosen(enumerate(gt.get("annotations", [])))
        founds = chosen(enumerate(_documents.results(self.cocoDt, p.iouType, with_areas=True)))
        categories = _listed(gt.get("categories", []), classes)
        if not p.useCats:
            truths = [(place, dict(one, category_id=1)) for place, one in truths]
            founds = [(place, dict(one, category_id=1)) for place, one in founds]
            categories = [dict(categories[0] if categories else {}, id=1, name="object")]
        truth = {
            "images": _listed(gt.get("images", []), images), "categories": categories,
            "annotations": [one for _, one in truths],
        }
        if "info" in gt:
            truth["info"] = gt["info"]
        detections = self.cocoDt.dataset.get("annotations", [])
        return (truth, [one["id"] for _, one in truths], [one for _, one in founds],
                [detections[place]["id"] for place, _ in founds],
                [detections[place].get("area") for place, _ in founds])

    def _correct(self, results, areas, truth_ids):
        """Gives the program's matches what it is not told; true if that changes the numbers.

        Scores that are not a number: the program puts these results last, as pycocotools does. Areas that are not those
        of boxes or regions: they decide which results without a match are ignored. Objects of keypoints with the id 0,
        which pycocotools takes for no match; for boxes and regions the program does this itself.
        """
        np = numpy()
        a = self._arrays
        place = a["dt_index"]
        lacking = np.array([one.get("score") != one.get("score") for one in results], dtype=bool)[place]
        a["dt_score"][lacking] = np.nan
        if not len(place) or any(one is None for one in areas):
            return bool(lacking.any())
        area = np.array(areas, dtype=np.float64)[place]
        ranges = a["area_ranges"]
        outside = ((area[:, None] < ranges[:, 0]) | (area[:, None] > ranges[:, 1]))[:, :, None]
        match = a["dt_match"]
        unmatched = match < 0
        # The last entry is for results without a match, which are -1.
        zero = np.array([one == 0 for one in truth_ids] + [False], dtype=bool)[match]
        before = a["dt_ignore"]
        a["dt_ignore"] = np.where(unmatched, outside, before | zero & outside)
        return bool(lacking.any() or zero.any() or not np.array_equal(before, a["dt_ignore"]))

    def _warn(self, p, truth_ids, result_ids):
        if 0 in result_ids:
            warnings.warn("results have the id 0: pycocotools lets another result match the same object, which is not "
                          "reproduced", AssayWarning, stacklevel=3)
        if len(set(truth_ids)) < len(truth_ids):
            warnings.warn("objects of the ground truth share an id: evalImgs names them by it, and pycocotools' gtMatches "
                          "of the others differ", AssayWarning, stacklevel=3)
        reference = self._answer["reference"]
        if reference["stops"] and self._answer["detections"]:
            warnings.warn(f"pycocotools fails on these files: {reference['stops']}", AssayWarning, stacklevel=3)
        # The id 0 of an object is corrected here.
        if reference["not_reproduced"] and not (p.iouType == "keypoints" and reference["because_of"] == ["zero_id"]):
            warnings.warn(f"pycocotools may give other numbers: {reference['not_reproduced']}", AssayWarning,
                          stacklevel=3)

    def _images(self, p, truth_ids, result_ids):
        """The entries of `evalImgs`: by class, area range, image; None for an image without objects of the class."""
        np = numpy()
        a = self._arrays
        truths, founds = {}, {}
        for row, place in enumerate(zip(a["gt_class"].tolist(), a["gt_image"].tolist())):
            truths.setdefault(place, []).append(row)
        for row, place in enumerate(zip(a["dt_class"].tolist(), a["dt_image"].tolist())):
            founds.setdefault(place, []).append(row)
        truth_ids, result_ids = np.array(truth_ids, dtype=object), np.array(result_ids, dtype=object)
        # The program's order of thresholds and area ranges.
        usual = [tuple(one) for one in Params(p.iouType).areaRng]
        ranges = [usual.index(tuple(one)) for one in p.areaRng]
        sorted_thresholds = _thresholds(p)
        rows = [sorted_thresholds.index(float(one)) for one in p.iouThrs]
        thresholds = len(rows)
        entries = []
        for k, category in enumerate(p.catIds if p.useCats else [-1]):
            for r, area in zip(ranges, p.areaRng):
                for i, image in enumerate(p.imgIds):
                    g, d = truths.get((k, i), []), founds.get((k, i), [])
                    if not g and not d:
                        entries.append(None)
                        continue
                    # Objects that must be found come first.
                    g = np.array(sorted(g, key=lambda row: a["gt_ignore"][row, r]), dtype=int)
                    d = np.array(d, dtype=int)
                    places = a["gt_index"][g]
                    column = {int(place): slot for slot, place in enumerate(places)}
                    match = a["dt_match"][d, r].T[rows].reshape(thresholds, len(d))
                    gt_matches, dt_matches = np.zeros((thresholds, len(g))), np.zeros((thresholds, len(d)))
                    ids = result_ids[a["dt_index"][d]]
                    for t, slot in zip(*np.nonzero(match >= 0)):
                        dt_matches[t, slot] = truth_ids[match[t, slot]]
                        gt_matches[t, column[int(match[t, slot])]] = ids[slot]
                    entries.append({
                        "image_id": image, "category_id": category, "aRng": area, "maxDet": p.maxDets[-1],
                        "dtIds": ids.tolist(), "gtIds": truth_ids[places].tolist(), "dtMatches": dt_matches,
                        "gtMatches": gt_matches, "dtScores": a["dt_score"][d].tolist(),
                        "gtIgnore": a["gt_ignore"][g, r].astype(np.int64),
                        "dtIgnore": a["dt_ignore"][d, r].T[rows].reshape(thresholds, len(d)),
                    })
        return entries


def _check(p):
    """Refuses what the program cannot be told."""
    usual = Params(p.iouType)
    ranges = [tuple(one) for one in usual.areaRng]
    if any(tuple(one) not in ranges for one in p.areaRng) or len(p.areaRng) != len(p.areaRngLbl):
        raise ValueError("params.areaRng must be COCO's ranges, or some of them, with a label for each")
    if p.useSegm is not None:
        raise ValueError("params.useSegm is not supported; set iouType")
    if not len(p.iouThrs) or not len(p.maxDets):
        raise ValueError("params.iouThrs and maxDets need a value")
    if not p.useCats and p.iouType == "keypoints":
        raise ValueError("params.useCats=0 is not supported for keypoints: pycocotools compares none of them then, and "
                         "all numbers are 0")
    if not p.useCats and len(set(p.catIds)) != len(p.catIds):
        raise ValueError("params.catIds must have each class once")
    if not p.useCats and list(p.catIds) == [-1]:
        warnings.warn("params.catIds is [-1], which accumulate() sets for useCats=0, as pycocotools does: no object is "
                      "of this class. Set catIds before evaluate()", AssayWarning, stacklevel=3)


def _check_changes(p, evaluated):
    """Refuses parameters that matches depend on, if they were changed; pycocotools does not look at them."""
    np = numpy()
    for name in ("iouThrs", "iouType", "kpt_oks_sigmas", "useSegm"):
        if not np.array_equal(getattr(p, name, None), getattr(evaluated, name, None)):
            raise ValueError(f"params.{name} was changed after evaluate(); call evaluate() again")


def _as_coco(p):
    """Parameters for which the arrays of the program are those of pycocotools."""
    np = numpy()
    usual = Params(p.iouType)
    return (np.array_equal(p.recThrs, usual.recThrs) and [tuple(one) for one in p.areaRng] == [
        tuple(one) for one in usual.areaRng] and [float(one) for one in p.iouThrs] == _thresholds(p)
        and len(set(p.maxDets)) == len(p.maxDets))


def _thresholds(p):
    return sorted({float(one) for one in p.iouThrs})


def _listed(entries, ids):
    """The entries with these ids, and entries for the ids that have none."""
    entries = [one for one in entries if one["id"] in ids]
    missing = ids - {one["id"] for one in entries}
    names = {one.get("name") for one in entries}
    for one in missing:
        name = f"id {one}"
        while name in names:
            name += "'"
        entries.append({"id": one, "name": name, "file_name": name})
    return entries


def _key(value):
    return value.item() if hasattr(value, "item") else value


def _same(first, second):
    np = numpy()
    names = set(vars(first)) | set(vars(second))
    return all(np.array_equal(getattr(first, name, None), getattr(second, name, None)) for name in names)
