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


def results_of(annotations):
    """The results of a pycocotools COCO made by loadRes, as loadRes read them.

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
    elif all("segmentation" in one for one in annotations):
        dropped = ("bbox",)
    else:
        raise ValueError("the detections have areas that are neither those of their boxes nor of their regions; "
                         "give what COCO.loadRes returns, or the results as a list")
    kept = ("image_id", "category_id", "score", "bbox", "segmentation", "keypoints")
    return [{name: one[name] for name in kept if name in one and name not in dropped} for one in annotations]


def results_of_array(array):
    """Results of an array with 7 columns, as COCO.loadNumpyAnnotations takes: image, x, y, width, height, score,
    category."""
    if getattr(array, "ndim", 2) != 2 or len(array) and len(array[0]) != 7:
        raise ValueError("expected an array with the shape (N, 7): image id, x, y, width, height, score, category id")
    rows = array.tolist() if hasattr(array, "tolist") else array
    return [{"image_id": int(row[0]), "bbox": list(row[1:5]), "score": row[5], "category_id": int(row[6])}
            for row in rows]
