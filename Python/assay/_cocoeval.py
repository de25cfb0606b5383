"""`COCOeval`, as pycocotools has it; the program computes everything."""
import copy
import datetime
import warnings

from . import _documents
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


class COCOeval:
    """COCO's evaluation of detections: `evaluate()`, `accumulate()`, `summarize()`.

    Afterwards `evalImgs` has the matches, `eval` precision, recall and scores, and `stats` the 12 numbers (10 of
    keypoints), −1 where one is undefined.
    """

    def __init__(self, cocoGt=None, cocoDt=None, iouType="segm"):
        self.cocoGt, self.cocoDt = cocoGt, cocoDt
        self.params = Params(iouType)
        self.eval, self.stats = {}, []
        # Made of the arrays when it is first used: it is large, and most evaluations need no match.
        self._evalImgs, self._ids = [], None
        self._answer = self._arrays = self._paramsEval = None
        if cocoGt is not None:
            self.params.imgIds = sorted(cocoGt.getImgIds())
            self.params.catIds = sorted(cocoGt.getCatIds())

    @property
    def evalImgs(self):
        if self._evalImgs is None:
            self._evalImgs = self._images(self._paramsEval, *self._ids)
        return self._evalImgs

    def evaluate(self):
        np = numpy()
        p = self.params
        p.imgIds = list(np.unique(p.imgIds))
        if p.useCats:
            p.catIds = list(np.unique(p.catIds))
        p.maxDets = sorted(p.maxDets)
        self._check(p)
        truth, truth_ids, results, result_ids = self._documents(p)
        with _documents.Folder() as folder:
            _documents.write(truth, folder.file("gt.json"))
            _documents.write(results, folder.file("dt.json"))
            arrays = folder.file("arrays.npz")
            self._answer = run_json(
                "evaluate", "--gt", folder.file("gt.json"), "--dt", folder.file("dt.json"), "--arrays", arrays,
                *options(self._options(p)))
            with np.load(arrays) as archive:
                self._arrays = {name: archive[name] for name in archive.files}
        self._warn()
        self._paramsEval = copy.deepcopy(p)
        self._evalImgs, self._ids = None, (truth_ids, result_ids)

    def accumulate(self, p=None):
        if self._arrays is None:
            raise RuntimeError("call evaluate() first")
        if p is not None and not _same(p, self._paramsEval):
            raise ValueError("other parameters than those of evaluate(): set them in params, and call evaluate() again")
        arrays = self._arrays
        self.eval = {
            "params": self._paramsEval, "counts": list(arrays["precision"].shape),
            "date": datetime.datetime.now().strftime("%Y-%m-%d %H:%M:%S"), "precision": arrays["precision"],
            "recall": arrays["recall"], "scores": arrays["scores"],
        }

    def summarize(self):
        """Prints the numbers as pycocotools does, and sets `stats`."""
        if not self.eval:
            raise Exception("Please run accumulate() first")
        np = numpy()
        self.stats = np.array([-1.0 if one is None else float(one) for one in self._answer["stats"].values()])
        print("\n".join(self._lines()))

    def __str__(self):
        return "\n".join(self._lines()) if self.eval else super().__str__()

    def _lines(self):
        """The lines of `summarize` of pycocotools."""
        p = self._paramsEval
        every = f"{p.iouThrs[0]:0.2f}:{p.iouThrs[-1]:0.2f}"
        most = p.maxDets[-1] if p.iouType == "keypoints" else p.maxDets[2]
        rows = []
        for name, value in self._answer["stats"].items():
            area = {"s": "small", "m": "medium", "l": "large"}.get(name[2:], "all")
            limit = p.maxDets[{"AR1": 0, "AR10": 1}[name]] if name in ("AR1", "AR10") else most
            if name == "AP" and p.iouType != "keypoints":
                limit = 100
            iou = {"50": "0.50", "75": "0.75"}.get(name[2:], every)
            title, kind = ("Average Precision", "(AP)") if name.startswith("AP") else ("Average Recall", "(AR)")
            number = -1.0 if value is None else float(value)
            rows.append(f" {title:<18} {kind} @[ IoU={iou:<9} | area={area:>6s} | maxDets={limit:>3d} ]"
                        f" = {number:0.3f}")
        return rows

    def _check(self, p):
        """Refuses what the program cannot be told."""
        np = numpy()
        usual = Params(p.iouType)
        if not np.array_equal(p.recThrs, usual.recThrs):
            raise ValueError("params.recThrs must be COCO's 101 recalls")
        if [list(one) for one in p.areaRng] != usual.areaRng or list(p.areaRngLbl) != usual.areaRngLbl:
            raise ValueError("params.areaRng and areaRngLbl must be COCO's")
        if p.useSegm is not None:
            raise ValueError("params.useSegm is not supported; set iouType")
        thresholds = list(p.iouThrs)
        if not thresholds or thresholds != sorted(set(thresholds)):
            raise ValueError("params.iouThrs must be in ascending order, each once")
        if len(set(p.maxDets)) != len(p.maxDets) or p.iouType != "keypoints" and len(p.maxDets) < 3:
            raise ValueError("params.maxDets must be three different limits or more, as for pycocotools' summarize")
        if p.iouType == "keypoints" and len(p.maxDets) != 1:
            raise ValueError("params.maxDets must be one limit for keypoints, as for pycocotools' summarize")

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
            given["iou_thresholds"] = [float(one) for one in p.iouThrs]
            given["iou"] = float(p.iouThrs[0])
        if list(p.maxDets) != usual.maxDets:
            given["max_dets"] = [int(one) for one in p.maxDets]
        return given

    def _documents(self, p):
        """Ground truth and results of the parameters' images and classes, each with the ids of its entries."""
        images, classes = {_key(one) for one in p.imgIds}, {_key(one) for one in p.catIds}
        gt = self.cocoGt.dataset
        order = {_key(one): place for place, one in enumerate(p.catIds)}

        def chosen(entries):
            kept = [(place, one) for place, one in entries
                    if one["image_id"] in images and one["category_id"] in classes]
            # Without classes, pycocotools takes the objects of an image class by class.
            return kept if p.useCats else sorted(kept, key=lambda entry: order[entry[1]["category_id"]])

        truths = chosen(enumerate(gt.get("annotations", [])))
        given = getattr(self.cocoDt, "_results", None)
        if given is None:
            given = _documents.results_of(self.cocoDt.dataset.get("annotations", []))
        founds = chosen(enumerate(given))
        categories = [one for one in gt.get("categories", []) if one["id"] in classes]
        if not p.useCats:
            truths = [(place, dict(one, category_id=1)) for place, one in truths]
            founds = [(place, dict(one, category_id=1)) for place, one in founds]
            categories = [dict(categories[0] if categories else {}, id=1, name="object")]
        truth = {
            "images": [one for one in gt.get("images", []) if one["id"] in images], "categories": categories,
            "annotations": [one for _, one in truths],
        }
        if "info" in gt:
            truth["info"] = gt["info"]
        detections = self.cocoDt.dataset.get("annotations", [])
        return (truth, [one["id"] for _, one in truths], [one for _, one in founds],
                [detections[place]["id"] for place, _ in founds])

    def _warn(self):
        reference = self._answer["reference"]
        if reference["stops"] and self._answer["detections"]:
            warnings.warn(f"pycocotools fails on these files: {reference['stops']}", AssayWarning, stacklevel=3)
        if reference["not_reproduced"]:
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
        thresholds = len(p.iouThrs)
        entries = []
        for k, category in enumerate(p.catIds if p.useCats else [-1]):
            for r, area in enumerate(p.areaRng):
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
                    match = a["dt_match"][d, r].T.reshape(thresholds, len(d))
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
                        "dtIgnore": a["dt_ignore"][d, r].T.reshape(thresholds, len(d)),
                    })
        return entries


def _key(value):
    return value.item() if hasattr(value, "item") else value


def _same(first, second):
    np = numpy()
    names = set(vars(first)) | set(vars(second))
    return all(np.array_equal(getattr(first, name, None), getattr(second, name, None)) for name in names)
