#!/usr/bin/env python3
"""Writes small detectors with keypoints and with instance masks, and instances.json with the masks that numpy and ONNX
Runtime make of them: onnx 1.23.2, numpy 2.4.6, onnxruntime 1.32.0, pycocotools 2.0.11.

They take x [N, 3, 32, 64] (values are pixels). Three boxes, in the layouts of Ultralytics' exports:

    pose         y [N, 4 + 1 + 3 * 3, 3]: center, width and height, one score, three keypoints of x, y and a score
    pose_final   y [N, 3, 6 + 3 * 2]: corners, score, class 0, three keypoints of x and y
    seg          y [N, 4 + 2 + 4, 3] with two scores and four coefficients, p [N, 4, 8, 16] with the prototypes
    seg_final    y [N, 3, 6 + 4], p [N, 8, 16, 4]

The masks of instances.json are Ultralytics' process_mask_native (8.4): coefficients times prototypes, bilinear at the
centers of the image's pixels, cut to the box, above 0. There the border of a letterboxed input is cut off at whole
cells; here each pixel is read at its place. `ultralytics` is the IoU with masks of the former kind, 1 if the border is
whole cells wide.
"""
import json
import os

import numpy as np
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from pycocotools import mask as masks

here = os.path.dirname(os.path.abspath(__file__))
node = helper.make_node
T = TensorProto
W, H, CW, CH = 64, 32, 16, 8

# Left, top, right, bottom in pixels of the input, score, class.
BOXES = np.array([[4, 3, 30, 26, 0.9, 0], [20.3, 8.2, 61.7, 29.4, 0.8, 1], [40, 10, 50.5, 20, 0.4, 0]], np.float32)
POINTS = np.array([[[5, 4, 0.9], [12.5, 20, 0.5], [29, 25, 0.1]], [[21, 9, 1], [60, 28, 0], [-3, 40, 0.25]],
                   [[41, 11, 0.5], [42, 12, 0.5], [43, 13, 0.5]]], np.float32)
r = np.random.default_rng(7)
COEFFICIENTS = r.normal(size=(3, 4)).astype(np.float32)
y, x = np.mgrid[0:CH, 0:CW]
PROTOTYPES = np.stack([np.sin(x * a + b) * np.cos(y * c + d) + r.normal(size=(CH, CW)) * 0.2
                       for a, b, c, d in r.uniform(0.2, 1.2, (4, 4))]).astype(np.float32)


def number(name, value, kind=np.float32):
    return numpy_helper.from_array(np.array(value, kind), name)


def write(name, outputs):
    """A model whose outputs are constants, plus 0 times the mean of the input."""
    nodes = [node("ReduceMean", ["x"], ["mean"], axes=[1, 2, 3], keepdims=1), node("Mul", ["mean", "nothing"], ["z4"]),
             node("Squeeze", ["z4", "last"], ["z3"])]
    constants = [number("nothing", 0), number("last", [3], np.int64)]
    infos = []
    for key, value in outputs.items():
        nodes.append(node("Add", ["z4" if value.ndim == 3 else "z3", "c_" + key], [key]))
        constants.append(number("c_" + key, value[None]))
        infos.append(helper.make_tensor_value_info(key, T.FLOAT, ["N", *value.shape]))
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", T.FLOAT, ["N", 3, H, W])], infos, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    with open(os.path.join(here, name + ".onnx"), "wb") as f:
        f.write(model.SerializeToString(deterministic=True))


xyxy, score, label = BOXES[:, :4], BOXES[:, 4:5], BOXES[:, 5:6]
centers = np.concatenate([(xyxy[:, :2] + xyxy[:, 2:]) / 2, xyxy[:, 2:] - xyxy[:, :2]], axis=1)
each = np.where(np.arange(2)[None] == label, score, 0)
write("pose", {"y": np.concatenate([centers, score, POINTS.reshape(3, 9)], axis=1).T})
write("pose_final", {"y": np.concatenate([xyxy, score, label * 0, POINTS[:, :, :2].reshape(3, 6)], axis=1)})
write("seg", {"y": np.concatenate([centers, each, COEFFICIENTS], axis=1).T, "p": PROTOTYPES})
write("seg_final", {"y": np.concatenate([xyxy, score, label, COEFFICIENTS], axis=1), "p": PROTOTYPES.transpose(1, 2, 0)})


def bilinear(plane, us, vs, low, high):
    """plane at columns us and rows vs, which are kept within low and high (column, row)."""
    us, vs = np.clip(us, low[0], high[0]), np.clip(vs, low[1], high[1])
    a, b = np.floor(us).astype(int), np.floor(vs).astype(int)
    c, d = np.minimum(a + 1, high[0]), np.minimum(b + 1, high[1])
    u, v = (us - a)[None], (vs - b)[:, None]
    top = plane[b][:, a] * (1 - u) + plane[b][:, c] * u
    low = plane[d][:, a] * (1 - u) + plane[d][:, c] * u
    return top * (1 - v) + low * v


def made(width, height):
    """The masks of an image of a size, letterboxed as Ultralytics does."""
    session = onnxruntime.InferenceSession(os.path.join(here, "seg.onnx"))
    table, prototypes = session.run(None, {"x": np.zeros((1, 3, H, W), np.float32)})
    table, prototypes = table[0].T.astype(np.float64), prototypes[0].astype(np.float64)
    gain = min(H / height, W / width)
    w, h = round(width * gain), round(height * gain)
    left, top = (W - w) // 2, (H - h) // 2
    out = []
    for row in table:
        cx, cy, bw, bh = row[:4]
        box = [(cx - bw / 2 - left) * width / w, (cy - bh / 2 - top) * height / h,
               (cx + bw / 2 - left) * width / w, (cy + bh / 2 - top) * height / h]
        box = [min(max(value, 0), limit) for value, limit in zip(box, [width, height, width, height])]
        if box[2] <= box[0] or box[3] <= box[1]:
            continue
        plane = np.tensordot(row[6:], prototypes, 1)
        columns, rows = np.arange(width), np.arange(height)
        scale = CW / W
        low = (round(left * scale), round(top * scale))
        high = (round((left + w) * scale) - 1, round((top + h) * scale) - 1)
        exact = bilinear(plane, ((columns + 0.5) * w / width + left) * scale - 0.5,
                         ((rows + 0.5) * h / height + top) * scale - 0.5, low, high)
        # scale_masks of Ultralytics 8.4: whole cells of the border are cut off, the rest is stretched.
        g = min(CH / height, CW / width)
        px, py = (CW - width * g) / 2, (CH - height * g) / 2
        x0, y0 = round(px - 0.1), round(py - 0.1)
        x1, y1 = CW - round(px + 0.1), CH - round(py + 0.1)
        cut = bilinear(plane, (columns + 0.5) * (x1 - x0) / width - 0.5 + x0, (rows + 0.5) * (y1 - y0) / height - 0.5 + y0,
                       (x0, y0), (x1 - 1, y1 - 1))
        inside = ((columns >= box[0]) & (columns < box[2]))[None] & ((rows >= box[1]) & (rows < box[3]))[:, None]
        one, other = [masks.encode(np.asfortranarray((plane > 0) & inside, dtype=np.uint8)) for plane in (exact, cut)]
        out.append({"counts": one["counts"].decode(), "area": int(masks.area(one)),
                    "ultralytics": float(masks.iou([other], [one], [0])[0][0])})
    return {"width": width, "height": height, "masks": out}


images = [made(*size) for size in [(64, 32), (128, 32), (100, 37), (30, 60), (90, 40), (640, 427), (7, 5)]]
with open(os.path.join(here, "instances.json"), "w") as f:
    json.dump({"images": images}, f, indent=1)
    f.write("\n")
for image in images:
    print(image["width"], image["height"], [(one["area"], round(one["ultralytics"], 4)) for one in image["masks"]])
