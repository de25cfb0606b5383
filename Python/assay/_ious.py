"""`COCOeval.ious`: the similarity of every result to every object of an image and class, made when it is read.

The program compares them for itself and does not write these matrices; the same arithmetic is done here.
"""
from ._masks import pycocotools_mask, to_rle
from ._program import numpy


def matrices(gt, dt, p):
    """By (image, class), results by descending score: pycocotools' `ious` for the parameters of evaluate()."""
    np = numpy()
    truths, founds = _by_image_and_class(gt, p), _by_image_and_class(dt, p)
    made = {}
    for image in p.imgIds:
        for category in p.catIds if p.useCats else [-1]:
            categories = [category] if p.useCats else p.catIds
            g = [one for each in categories for one in truths.get((image, each), [])]
            d = [one for each in categories for one in founds.get((image, each), [])]
            order = np.argsort([-one["score"] for one in d], kind="mergesort")
            d = [d[place] for place in order[:p.maxDets[-1]]]
            made[image, category] = _matrix(g, d, gt, dt, p) if g and d else []
    return made


def _by_image_and_class(coco, p):
    found = {}
    for image in p.imgIds:
        # As pycocotools: of several annotations with one id, the last counts for all.
        for one in coco.loadAnns([each["id"] for each in coco.imgToAnns.get(image, [])]):
            found.setdefault((one["image_id"], one["category_id"]), []).append(one)
    return found


def _matrix(g, d, gt, dt, p):
    np = numpy()
    if p.iouType == "keypoints":
        return oks(g, d, np.asarray(p.kpt_oks_sigmas))
    crowds = [int(one.get("iscrowd", 0)) for one in g]
    if p.iouType == "bbox":
        return boxes([one["bbox"] for one in d], [one["bbox"] for one in g], crowds)
    mask = pycocotools_mask("ious of regions")
    return mask.iou([_rle(one, dt, gt) for one in d], [_rle(one, gt, gt) for one in g], crowds)


def _rle(annotation, coco, gt):
    image = coco.imgs.get(annotation["image_id"]) or gt.imgs[annotation["image_id"]]
    segmentation = annotation["segmentation"]
    size = (segmentation["size"] if isinstance(segmentation, dict) and "size" in segmentation
            else (image["height"], image["width"]))
    return to_rle(annotation, size)


def boxes(dt, gt, crowds):
    """IoU of boxes, results x objects; of a crowd, the share of the result that is inside of it."""
    np = numpy()
    d, g = (np.array(one, dtype=np.float64).reshape(-1, 4) for one in (dt, gt))
    d = d[:, None]
    width = np.minimum(d[..., 2] + d[..., 0], g[:, 2] + g[:, 0]) - np.maximum(d[..., 0], g[:, 0])
    height = np.minimum(d[..., 3] + d[..., 1], g[:, 3] + g[:, 1]) - np.maximum(d[..., 1], g[:, 1])
    inside = width * height
    area = d[..., 2] * d[..., 3]
    union = np.where(np.array(crowds, dtype=bool), area, area + g[:, 2] * g[:, 3] - inside)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((width > 0) & (height > 0), inside / union, 0.0)


def oks(gt, dt, sigmas):
    """Object keypoint similarity, results x objects."""
    np = numpy()
    found = np.array([one["keypoints"] for one in dt], dtype=np.float64)
    x, y = found[:, 0::3], found[:, 1::3]
    variances = (sigmas * 2) ** 2
    similarity = np.zeros((len(dt), len(gt)))
    for place, one in enumerate(gt):
        keypoints = np.array(one["keypoints"])
        visible = keypoints[2::3] > 0
        if visible.any():
            dx, dy = x - keypoints[0::3], y - keypoints[1::3]
        else:
            # An object without visible keypoints: the distance to its box, enlarged by its size on all sides.
            left, top, width, height = one["bbox"]
            dx = np.maximum(0, left - width - x) + np.maximum(0, x - (left + width * 2))
            dy = np.maximum(0, top - height - y) + np.maximum(0, y - (top + height * 2))
        with np.errstate(over="ignore"):
            e = (dx ** 2 + dy ** 2) / variances / (one["area"] + np.spacing(1)) / 2
        for row in range(len(dt)):
            each = e[row][visible] if visible.any() else e[row]
            similarity[row, place] = np.sum(np.exp(-each)) / each.shape[0]
    return similarity
