"""COCO documents as files for the program."""
import json
import os
import shutil
import tempfile

IOU_TYPES = ("bbox", "segm", "keypoints")


def plain(value):
    """Makes numpy's values and pycocotools' bytes plain, for json."""
    if isinstance(value, bytes):
        return value.decode("ascii")
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


def write(document, path):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(document, file, default=plain)
    return path


class Folder:
    """A temporary folder for the files of one evaluation."""

    def __enter__(self):
        self.path = tempfile.mkdtemp(prefix="assay-")
        return self

    def __exit__(self, *_):
        shutil.rmtree(self.path, ignore_errors=True)

    def file(self, name):
        return os.path.join(self.path, name)


def results(coco, iou_type=None, with_areas=False):
    """The results of a COCO that loadRes made, of this package or pycocotools, as loadRes read them.

    `with_areas`: the caller takes the areas from the annotations, so that they need not be those of boxes or regions.
    """
    annotations = coco.dataset.get("annotations", [])
    if iou_type == "segm" and of_keypoints(annotations, ()):
        raise ValueError("the results have keypoints and no segmentation, which iouType segm compares")
    given = getattr(coco, "_results", None)
    if given is None or not _unchanged(annotations, given):
        given = results_of(annotations, iou_type if with_areas else None)
    elif iou_type == "bbox" and of_keypoints(given):
        # The program makes no boxes of keypoints.
        return [dict(one, bbox=made["bbox"]) for one, made in zip(given, annotations)]
    return given


def _unchanged(annotations, given):
    """Annotations that still have the values of the results that loadRes made them of."""
    kept = ("image_id", "category_id", "score", "bbox", "segmentation", "keypoints")
    return len(annotations) == len(given) and all(
        annotation.get(name) is one[name] for annotation, one in zip(annotations, given) for name in kept
        if name in one)


def of_keypoints(given, others=("bbox",)):
    """Results of keypoints without regions or the other members, as loadRes of pycocotools tells: by the first."""
    return bool(given) and "keypoints" in given[0] and not any(has(given[0], name) for name in ("segmentation", *others))


def has(one, name):
    """A member that is there and not empty."""
    value = one.get(name)
    return value is not None and len(value) > 0


def extent(keypoints):
    """The box that loadRes makes of keypoints: x, y, width, height."""
    x, y = keypoints[0::3], keypoints[1::3]
    return [min(x), min(y), max(x) - min(x), max(y) - min(y)]


def results_of(annotations, compared=None):
    """The results of a pycocotools COCO made by loadRes, as loadRes read them; or with what is `compared`.

    loadRes adds members: a box from a region, a region from a box, and an area from that which was given. The area
    tells which one that was, and the program takes the area from it too.
    """
    annotations = list(annotations)
    if not annotations:
        return []

    def of_box(one):
        box = one.get("bbox")
        return box is not None and len(box) == 4 and one.get("area") == box[2] * box[3]

    if "keypoints" in annotations[0] or all(of_box(one) for one in annotations):
        dropped = ()
    elif compared == "bbox" and all("bbox" in one for one in annotations):
        dropped = ("segmentation",)
    elif all("segmentation" in one for one in annotations):
        dropped = ("bbox",)
    else:
        raise ValueError("the detections have areas that are neither those of their boxes nor of their regions; "
                         "give what COCO.loadRes returns, or the results as a list")
    kept = ("image_id", "category_id", "score", "bbox", "segmentation", "keypoints")
    return [{name: one[name] for name in kept if name in one and name not in dropped} for one in annotations]


def results_of_frame(frame):
    """Results of a pandas frame whose columns are COCO's members; a missing value is a member that is not there."""
    columns = [str(name) for name in frame.columns]
    missing = [name for name in ("image_id", "category_id", "score") if name not in columns]
    if missing or not {"bbox", "segmentation", "keypoints"} & set(columns):
        raise ValueError("expected the columns image_id, category_id, score, and bbox, segmentation or keypoints; "
                         f"found {', '.join(columns) or 'none'}")
    return [{name: value for name, value in zip(columns, row)
             if name == "score" or hasattr(value, "__len__") or value is not None and value == value}
            for row in frame.itertuples(index=False, name=None)]


def in_memory(given):
    """Results that are no path: an array or a frame as a list of dictionaries, others as they are."""
    if hasattr(given, "columns") and hasattr(given, "to_dicts"):
        # A frame of polars.
        return [{name: value for name, value in row.items() if value is not None} for row in given.to_dicts()]
    if hasattr(given, "columns") and hasattr(given, "itertuples"):
        return results_of_frame(given)
    return results_of_array(given) if hasattr(given, "ndim") else given


def results_of_array(array):
    """Results of an array with 7 columns, as COCO.loadNumpyAnnotations takes: image, x, y, width, height, score,
    category."""
    if getattr(array, "ndim", 2) != 2 or len(array) and len(array[0]) != 7:
        raise ValueError("expected an array with the shape (N, 7): image id, x, y, width, height, score, category id")
    rows = array.tolist() if hasattr(array, "tolist") else array
    return [{"image_id": int(row[0]), "bbox": list(row[1:5]), "score": row[5], "category_id": int(row[6])}
            for row in rows]
