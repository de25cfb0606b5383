"""`evaluate`: the metrics of ground truth and detections, without a catalog."""
import os

from . import _documents
from ._program import options, run_json


def evaluate(gt, dt, iou_type=None, **settings):
    """The metrics of detections against ground truth, as `assay evaluate --json` prints them, in a dictionary.

    gt: a path, COCO's dictionary, or an object with `dataset` (a COCO).
    dt: a path, a list of results, an array with 7 columns, a pandas or polars frame, or what `loadRes` returns. For paths of labels and masks
        see `assay evaluate --help`; they have no iou_type.
    iou_type: "bbox", "segm" or "keypoints"; by default from the shapes of the results.
    settings: the options of `assay evaluate`, with underscores: max_dets=[1, 10, 500], compat="pycocotools".
    """
    if iou_type is not None and iou_type not in _documents.IOU_TYPES:
        raise ValueError(f"iou_type is {iou_type!r}; expected bbox, segm or keypoints")
    with _documents.Folder() as folder:
        truth, results = _truth(gt, folder), _results(dt, folder, iou_type)
        value = run_json("evaluate", "--gt", truth, "--dt", results, *options(dict(settings, iou_type=iou_type)))
    # COCO's numbers also at the top, as of a run.
    for name, number in value.get("stats", {}).items():
        value.setdefault(name, number)
    return value


def _is_path(value):
    return isinstance(value, (str, os.PathLike))


def _truth(gt, folder):
    if _is_path(gt):
        return os.path.abspath(gt)
    gt = getattr(gt, "dataset", gt)
    if not isinstance(gt, dict):
        raise TypeError(f"gt is a {type(gt).__name__}; expected a path, COCO's dictionary or a COCO")
    return _documents.write(gt, folder.file("gt.json"))


def _results(dt, folder, iou_type):
    if _is_path(dt):
        return os.path.abspath(dt)
    if hasattr(dt, "dataset"):
        dt = _documents.results(dt, iou_type)
    else:
        dt = _documents.in_memory(dt)
    if not isinstance(dt, (list, tuple)):
        raise TypeError(f"dt is a {type(dt).__name__}; expected a path, a list of results, an array, a frame "
                        "or a COCO")
    if iou_type == "bbox" and _documents.of_keypoints(dt):
        dt = [dict(one, bbox=_documents.extent(one["keypoints"])) for one in dt]
    return _documents.write(list(dt), folder.file("dt.json"))
