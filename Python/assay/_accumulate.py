"""accumulate() and summarize() of pycocotools, of matches per image.

The program gives precision, recall and scores for the parameters of COCO. This is for the others: recalls of one's own,
parameters that are changed after evaluate(), and matches that are assigned to `evalImgs`.
"""
import datetime
import warnings

from ._program import AssayWarning, numpy


def record(p, precision, recall, scores):
    """The value of `COCOeval.eval`."""
    return {"params": p, "counts": list(precision.shape), "date": datetime.datetime.now().strftime("%Y-%m-%d %H:%M:%S"),
            "precision": precision, "recall": recall, "scores": scores}


def accumulate(entries, p, evaluated):
    """`eval` of the parameters `p`; `entries` are the matches of evaluate(), made with the parameters `evaluated`."""
    np = numpy()
    asked, had = _axes(p), _axes(evaluated)
    # Places in p of what was evaluated.
    places = {name: [place for place, one in enumerate(asked[name]) if one in set(had[name])] for name in asked}
    _warn_of_places(asked, had, places)
    counts = len(p.iouThrs), len(p.recThrs), len(asked["catIds"]), len(asked["areaRng"]), len(asked["maxDets"])
    precision, scores = -np.ones(counts), -np.ones(counts)
    recall = -np.ones((counts[0], *counts[2:]))
    images, areas = len(had["imgIds"]), len(had["areaRng"])
    for k, category in enumerate(places["catIds"]):
        for a, area in enumerate(places["areaRng"]):
            first = (category * areas + area) * images
            chosen = [entries[first + image] for image in places["imgIds"]]
            chosen = [one for one in chosen if one is not None]
            if not chosen:
                continue
            for m, limit in enumerate(places["maxDets"]):
                curves = _curves(chosen, asked["maxDets"][limit], p.recThrs)
                if curves is not None:
                    recall[:, k, a, m], precision[:, :, k, a, m], scores[:, :, k, a, m] = curves
    return record(p, precision, recall, scores)


def _axes(p):
    return {"catIds": [_key(one) for one in p.catIds] if p.useCats else [-1],
            "areaRng": [tuple(map(float, one)) for one in p.areaRng],
            "maxDets": [_key(one) for one in p.maxDets], "imgIds": [_key(one) for one in p.imgIds]}


def _key(value):
    return value.item() if hasattr(value, "item") else value


def _warn_of_places(asked, had, places):
    """pycocotools takes a class, area range or image by its place in the changed list."""
    for name in ("catIds", "areaRng", "imgIds"):
        if any(place >= len(had[name]) for place in places[name]):
            raise ValueError(f"params.{name} was changed after evaluate(), and is longer now; call evaluate() again")
        taken = [had[name][place] for place in places[name]]
        if taken != asked[name][:len(taken)]:
            wanted = [asked[name][place] for place in places[name]]
            warnings.warn(f"params.{name} was changed after evaluate(), and accumulate() takes the first ones of its "
                          f"list, as pycocotools does ({_short(taken)} for {_short(wanted)}); call evaluate() again",
                          AssayWarning, stacklevel=4)
    if places["maxDets"] != list(range(len(places["maxDets"]))):
        warnings.warn("params.maxDets has limits that evaluate() did not have before others; the others are in the "
                      "wrong column, as of pycocotools. Call evaluate() again", AssayWarning, stacklevel=4)


def _short(values):
    return ", ".join(str(one) for one in values[:3]) + (", …" if len(values) > 3 else "")


def _curves(entries, limit, recalls):
    """Recall, and precision and score at each recall, by threshold; None without an object to find."""
    np = numpy()
    score = np.concatenate([one["dtScores"][:limit] for one in entries])
    # Ties keep the order of the images.
    order = np.argsort(-score, kind="mergesort")
    score = score[order]
    match = np.concatenate([one["dtMatches"][:, :limit] for one in entries], axis=1)[:, order]
    ignored = np.concatenate([one["dtIgnore"][:, :limit] for one in entries], axis=1)[:, order].astype(bool)
    objects = np.count_nonzero(np.concatenate([one["gtIgnore"] for one in entries]) == 0)
    if not objects:
        return None
    right = np.cumsum(match.astype(bool) & ~ignored, axis=1).astype(float)
    wrong = np.cumsum(~match.astype(bool) & ~ignored, axis=1).astype(float)
    thresholds, found = right.shape
    recall = np.zeros(thresholds)
    precision, scores = np.zeros((thresholds, len(recalls))), np.zeros((thresholds, len(recalls)))
    if not found:
        return recall, precision, scores
    for t in range(thresholds):
        reached = right[t] / objects
        envelope = np.maximum.accumulate((right[t] / (wrong[t] + right[t] + np.spacing(1)))[::-1])[::-1]
        recall[t] = reached[-1]
        places = np.searchsorted(reached, recalls, side="left")
        # From the first recall on that is not reached all are 0.
        places = places[:int(np.argmax(places >= found))] if (places >= found).any() else places
        precision[t, :len(places)] = envelope[places]
        scores[t, :len(places)] = score[places]
    return recall, precision, scores


def summarize(made, p):
    """The numbers of summarize() and their lines: 12, or 10 of keypoints; −1 where one is undefined."""
    np = numpy()
    rows = []

    def mean(kind, limit, threshold=None, area="all"):
        values = made["precision" if kind == "AP" else "recall"]
        if threshold is not None:
            values = values[np.where(threshold == np.asarray(p.iouThrs))[0]]
        areas = [place for place, one in enumerate(p.areaRngLbl) if one == area]
        limits = [place for place, one in enumerate(p.maxDets) if one == limit]
        values = values[..., areas, limits]
        values = values[values > -1]
        number = np.mean(values) if len(values) else -1
        title = "Average Precision" if kind == "AP" else "Average Recall"
        iou = f"{p.iouThrs[0]:0.2f}:{p.iouThrs[-1]:0.2f}" if threshold is None else f"{threshold:0.2f}"
        rows.append((number, f" {title:<18} ({kind}) @[ IoU={iou:<9} | area={area:>6s} | maxDets={limit:>3d} ]"
                             f" = {number:0.3f}"))

    if p.iouType == "keypoints":
        for kind in ("AP", "AR"):
            mean(kind, 20)
            mean(kind, 20, 0.5)
            mean(kind, 20, 0.75)
            for area in ("medium", "large"):
                mean(kind, 20, area=area)
    else:
        if len(p.maxDets) < 3:
            raise IndexError("params.maxDets has fewer than three limits, which summarize() needs")
        most = p.maxDets[2]
        mean("AP", 100)
        mean("AP", most, 0.5)
        mean("AP", most, 0.75)
        for area in ("small", "medium", "large"):
            mean("AP", most, area=area)
        for limit in p.maxDets[:3]:
            mean("AR", limit)
        for area in ("small", "medium", "large"):
            mean("AR", most, area=area)
    return np.array([number for number, _ in rows], dtype=np.float64), [line for _, line in rows]
