"""Goldens of the mask refinements: guided filter, minimum cut, GrabCut, distances.

    python3 Tests/Fixtures/refinement/make_goldens.py

Made with numpy 2.x, scipy 1.17 (edt, maximum_flow) and OpenCV (contrib, headless) 4.x; the versions
used are written into goldens.json. The image and the mask are drawn here, from a seed, and stored with
the results, so that the tests need none of the tools.
"""

import json
import pathlib

import cv2
import numpy as np
import scipy
from scipy import ndimage
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

HERE = pathlib.Path(__file__).parent


def scene(rng, width=72, height=60):
    """A soft ellipse of one texture on another one, and a mask that is too small and shifted."""
    y, x = np.mgrid[:height, :width]
    inside = ((x - 38) / 20) ** 2 + ((y - 31) / 17) ** 2 <= 1
    background = np.stack([70 + 30 * np.sin(x / 9), 90 + 20 * np.cos(y / 7), 60 + 0 * x], -1)
    subject = np.stack([180 + 0 * x, 120 + 25 * np.sin((x + y) / 6), 90 + 0 * x], -1)
    image = np.where(inside[..., None], subject, background) + rng.normal(0, 7, (height, width, 3))
    image = np.clip(np.rint(image), 0, 255).astype(np.uint8)
    rough = ((x - 36) / 18) ** 2 + ((y - 33) / 16) ** 2 <= 1
    return image, inside, rough


def window_mean(values, radius):
    """The mean over windows cut off at the edges, by sums over slices."""
    height, width = values.shape
    result = np.empty_like(values)
    for i in range(height):
        for j in range(width):
            result[i, j] = values[
                max(0, i - radius) : i + radius + 1, max(0, j - radius) : j + radius + 1
            ].mean()
    return result


def guided(values, guide, radius, epsilon):
    """He, Sun and Tang 2013, equations 14 to 16 (19 to 21 of the color version)."""
    guide = guide.reshape(*values.shape, -1).astype(np.float64) / 255
    channels = guide.shape[-1]
    mean = [window_mean(guide[..., c], radius) for c in range(channels)]
    mean_p = window_mean(values, radius)
    covariance = np.stack(
        [window_mean(guide[..., c] * values, radius) - mean[c] * mean_p for c in range(channels)], -1
    )
    sigma = np.empty((*values.shape, channels, channels))
    for a in range(channels):
        for b in range(channels):
            sigma[..., a, b] = window_mean(guide[..., a] * guide[..., b], radius) - mean[a] * mean[b]
    slope = np.linalg.solve(sigma + epsilon * np.eye(channels), covariance[..., None])[..., 0]
    offset = mean_p - sum(slope[..., c] * mean[c] for c in range(channels))
    result = window_mean(offset, radius)
    for c in range(channels):
        result += window_mean(slope[..., c], radius) * guide[..., c]
    return result


def cuts(rng):
    """Random graphs with their maximum flows."""
    graphs = []
    for nodes, edges in [(2, 1), (6, 9), (25, 60), (60, 200), (200, 700)]:
        source = rng.integers(0, 20, nodes)
        sink = rng.integers(0, 20, nodes)
        pairs = {}
        while len(pairs) < edges:
            a, b = sorted(rng.choice(nodes, 2, replace=False).tolist())
            pairs[(a, b)] = int(rng.integers(0, 12))
        capacity = np.zeros((nodes + 2, nodes + 2), np.int32)
        for (a, b), value in pairs.items():
            capacity[a, b] = capacity[b, a] = value
        capacity[nodes, :nodes] = source
        capacity[:nodes, nodes + 1] = sink
        flow = maximum_flow(csr_array(capacity), nodes, nodes + 1).flow_value
        graphs.append(
            {
                "source": source.tolist(),
                "sink": sink.tolist(),
                "edges": [[a, b, value] for (a, b), value in pairs.items()],
                "flow": int(flow),
            }
        )
    return graphs


def grabcut(image, rough, band):
    """OpenCV's GrabCut with all but a band around the border certain."""
    kernel = np.ones((2 * band + 1, 2 * band + 1), np.uint8)
    mask = rough.astype(np.uint8)
    # Beyond the picture the mask goes on, as it does for assay.
    inside = cv2.erode(mask, kernel, borderType=cv2.BORDER_CONSTANT, borderValue=0)
    outside = 1 - cv2.dilate(mask, kernel)
    trimap = np.where(mask == 1, cv2.GC_PR_FGD, cv2.GC_PR_BGD).astype(np.uint8)
    trimap[inside == 1] = cv2.GC_FGD
    trimap[outside == 1] = cv2.GC_BGD
    cv2.setRNGSeed(0)
    # OpenCV takes BGR.
    result, _, _ = cv2.grabCut(
        np.ascontiguousarray(image[..., ::-1]), trimap, None, np.zeros((1, 65)), np.zeros((1, 65)),
        5, cv2.GC_INIT_WITH_MASK,
    )
    return (result == cv2.GC_FGD) | (result == cv2.GC_PR_FGD)


def cutout(image, box):
    """OpenCV's GrabCut with a box: all outside of it is background."""
    left, top, width, height = box
    mask = np.zeros(image.shape[:2], np.uint8)
    cv2.setRNGSeed(0)
    result, _, _ = cv2.grabCut(
        np.ascontiguousarray(image[..., ::-1]), mask, (left, top, width, height), np.zeros((1, 65)), np.zeros((1, 65)),
        5, cv2.GC_INIT_WITH_RECT,
    )
    return (result == cv2.GC_FGD) | (result == cv2.GC_PR_FGD)


def around(inside, margin):
    """The box around an object with a margin."""
    rows, columns = np.flatnonzero(inside.any(1)), np.flatnonzero(inside.any(0))
    left, top = max(int(columns[0]) - margin, 0), max(int(rows[0]) - margin, 0)
    right, bottom = min(int(columns[-1]) + 1 + margin, inside.shape[1]), min(int(rows[-1]) + 1 + margin, inside.shape[0])
    return [left, top, right - left, bottom - top]


def main():
    rng = np.random.default_rng(20261128)
    image, inside, rough = scene(rng)
    gray = image[..., 1]
    values = rough.astype(np.float64)
    blobs = rng.random((23, 31)) < 0.8
    height, width = rough.shape
    golden = {
        "versions": {"numpy": np.__version__, "scipy": scipy.__version__, "opencv": cv2.__version__},
        "width": width,
        "height": height,
        "image": image.reshape(-1).tolist(),
        "inside": inside.reshape(-1).astype(int).tolist(),
        "rough": rough.reshape(-1).astype(int).tolist(),
        "guided_color": np.round(guided(values, image, 5, 1e-3), 6).reshape(-1).tolist(),
        "guided_gray": np.round(guided(values, gray, 7, 1e-4), 6).reshape(-1).tolist(),
        "grabcut": grabcut(image, rough, 6).reshape(-1).astype(int).tolist(),
        "box": around(inside, 4),
        "cutout": cutout(image, around(inside, 4)).reshape(-1).astype(int).tolist(),
        "blobs": {
            "width": 31,
            "height": 23,
            "pixels": blobs.reshape(-1).astype(int).tolist(),
            "squared": np.rint(ndimage.distance_transform_edt(blobs) ** 2).astype(int).reshape(-1).tolist(),
        },
        "cuts": cuts(rng),
    }
    (HERE / "goldens.json").write_text(json.dumps(golden, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
