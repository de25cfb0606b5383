"""Peer for detection: OpenVINO from Python with its AsyncInferQueue, cv2 and numpy; float32.

    detect_openvino.py MODEL IMAGES RESULTS.JSON [STREAMS]

Reads each JPEG of a folder, letterboxes it to 416 x 416, runs YOLOX, and writes the detections as COCO results: boxes
by numpy, all classes of a cell with a score of at least 0.01, cv2's NMS at 0.65 per class, at most 100 per class. The
queue is OpenVINO's own with the throughput hint; it chooses the number of streams, unless STREAMS is given. Two streams
have been seen to compile other models wrong, but not this one, and every run's boxes are compared with assay's. Images
are read and prepared in the main thread while the streams infer; boxes are computed in the queue's callback.
"""
import glob
import json
import os
import sys
import time

import cv2
import numpy as np
import openvino as ov

SIDE, LEAST, OVERLAP, MOST = 416, 0.01, 0.65, 100
cv2.setNumThreads(1)
model, folder, target = sys.argv[1:4]
names = sorted(glob.glob(os.path.join(folder, "*.jpg")))
cells = np.array([(x, y, s) for s in (8, 16, 32) for y in range(SIDE // s) for x in range(SIDE // s)], np.float32)

setup = {"PERFORMANCE_HINT": "THROUGHPUT", "INFERENCE_PRECISION_HINT": "f32"}
if len(sys.argv) > 4:
    setup["NUM_STREAMS"] = int(sys.argv[4])
compiled = ov.Core().compile_model(model, "CPU", setup)
queue = ov.AsyncInferQueue(compiled)
found = {}


def fed(image):
    scale = min(SIDE / image.shape[1], SIDE / image.shape[0])
    small = cv2.resize(image, (int(image.shape[1] * scale), int(image.shape[0] * scale)), interpolation=cv2.INTER_LINEAR)
    full = np.full((SIDE, SIDE, 3), 114, np.uint8)
    full[:small.shape[0], :small.shape[1]] = small
    size = (image.shape[1], image.shape[0], small.shape[1], small.shape[0])
    return np.ascontiguousarray(full.transpose(2, 0, 1)[None].astype(np.float32)), size


def decoded(rows, size):
    """Boxes (x, y, width, height) in the image's pixels, scores and classes."""
    width, height, w, h = size
    scores = rows[:, 4:5] * rows[:, 5:]
    row, number = np.nonzero(scores >= LEAST)
    score = scores[row, number]
    center = (rows[row, :2] + cells[row, :2]) * cells[row, 2:]
    half = np.exp(rows[row, 2:4]) * cells[row, 2:] / 2
    first, last = center - half, center + half
    boxes = np.concatenate([first, last - first], 1)
    kept = []
    for each in np.unique(number):
        own = np.nonzero(number == each)[0]
        kept.extend(own[i] for i in list(cv2.dnn.NMSBoxes(boxes[own].tolist(), score[own].tolist(), LEAST, OVERLAP))[:MOST])
    kept = np.array(kept, int)
    factor = np.array([width / w, height / h])
    low = np.maximum(first[kept] * factor, 0)
    high = np.minimum(last[kept] * factor, (width, height))
    fine = (high > low).all(1)
    return np.concatenate([low, high - low], 1)[fine], score[kept][fine], number[kept][fine]


def done(request, work):
    index, size = work
    found[index] = decoded(request.get_output_tensor(0).data[0], size)


queue.set_callback(done)
for index, name in enumerate(names):
    tensor, size = fed(cv2.imdecode(np.fromfile(name, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION))
    queue.start_async({0: tensor}, (index, size))
queue.wait_all()
while len(found) < len(names):
    time.sleep(0.0005)
results = []
for index, name in enumerate(names):
    key = os.path.basename(name)
    for box, score, number in zip(*(part.tolist() for part in found[index])):
        results.append({"image": key, "class": number, "score": score, "bbox": box})
with open(target, "w") as file:
    json.dump(results, file)
print(json.dumps({"images": len(names), "detections": len(results),
                  "streams": int(compiled.get_property("NUM_STREAMS"))}))
# Destroying the queue while a callback waits for the interpreter sometimes hangs.
sys.stdout.flush()
os._exit(0)
