#!/usr/bin/env python3
"""Writes mediapipe.json: what MediaPipe 0.10.14 itself finds in the photographs of ../shared/data, and in canvases made of
them. No image is kept.

    make_faces.py DATA      DATA is ../shared/data

Packages: mediapipe==0.10.14 (installed with --no-deps), numpy<2, protobuf<5, absl-py, attrs, flatbuffers, matplotlib,
opencv-python-headless<4.12, pillow. Detections: `mp.solutions.face_detection` with the short-range model from a score of
0.5 and the full-range model from 0.6. Meshes: the graph of `mp.solutions.face_mesh` for static images without refined
landmarks, one face per image. Numbers are in pixels of the image: a box is x, y, width, height, not clipped. A canvas is
gray (128) with every `step`-th pixel of every `step`-th row of a photograph (the first one included) at `x`, `y`."""
import json
import os
import sys

import mediapipe as mp
import numpy as np
from PIL import Image, ImageOps
from mediapipe.python.solution_base import SolutionBase
from mediapipe.modules.face_detection import face_detection_pb2  # noqa: F401: registers the options
from mediapipe.python.solutions import face_mesh

here = os.path.dirname(os.path.abspath(__file__))
data = sys.argv[1]
canvases = [
    {"source": "faces/face_1.jpg", "width": 640, "height": 480, "step": 2, "x": 37, "y": 211},
    {"source": "faces/face_1.jpg", "width": 301, "height": 700, "step": 3, "x": 101, "y": 20},
    {"source": "faces/face_2.jpg", "width": 800, "height": 600, "step": 4, "x": 411, "y": 77},
    {"source": "faces/face_2.jpg", "width": 450, "height": 449, "step": 5, "x": 0, "y": 129},
    {"source": "faces/face_1.jpg", "width": 400, "height": 400, "step": 1, "x": 150, "y": 120},
]


def photograph(path):
    return np.asarray(ImageOps.exif_transpose(Image.open(os.path.join(data, path))).convert("RGB"))


def on_canvas(canvas):
    made = np.full((canvas["height"], canvas["width"], 3), 128, np.uint8)
    part = photograph(canvas["source"])[::canvas["step"], ::canvas["step"]]
    part = part[:canvas["height"] - canvas["y"], :canvas["width"] - canvas["x"]]
    made[canvas["y"]:canvas["y"] + part.shape[0], canvas["x"]:canvas["x"] + part.shape[1]] = part
    return made


def rounded(values, digits):
    return [round(float(value), digits) for value in values]


def detections(solution, image):
    height, width = image.shape[:2]
    found = []
    for one in solution.process(image).detections or []:
        box = one.location_data.relative_bounding_box
        points = one.location_data.relative_keypoints
        found.append({
            "score": round(one.score[0], 6),
            "box": rounded((box.xmin * width, box.ymin * height, box.width * width, box.height * height), 3),
            "keypoints": rounded((v for p in points for v in (p.x * width, p.y * height)), 3)})
    return found


def meshes(solution, image):
    height, width = image.shape[:2]
    result = solution.process({"image": image})
    if not result.multi_face_landmarks:
        return []
    return [{
        "region": rounded((roi.x_center * width, roi.y_center * height, roi.width * width, roi.height * height), 4)
        + [round(roi.rotation, 7)],
        "points": rounded((v for p in face.landmark for v in (p.x * width, p.y * height)), 2)}
        for roi, face in zip(result.face_rects_from_detections, result.multi_face_landmarks)]


short = mp.solutions.face_detection.FaceDetection(model_selection=0, min_detection_confidence=0.5)
full = mp.solutions.face_detection.FaceDetection(model_selection=1, min_detection_confidence=0.6)
mesh = SolutionBase(
    binary_graph_path=face_mesh._BINARYPB_FILE_PATH,
    side_inputs={"num_faces": 1, "with_attention": False, "use_prev_landmarks": False},
    calculator_params={
        "facedetectionshortrangecpu__facedetectionshortrange__facedetection__TensorsToDetectionsCalculator.min_score_thresh": 0.5,
        "facelandmarkcpu__ThresholdingCalculator.threshold": 0.5},
    outputs=["multi_face_landmarks", "face_rects_from_detections"])
names = [os.path.join("faces", name) for name in sorted(os.listdir(os.path.join(data, "faces")))]
folder = os.path.join("coco", "mini", "val2017")
names += [os.path.join(folder, name) for name in sorted(os.listdir(os.path.join(data, folder)))]
images = []
for name, canvas in [(name, None) for name in names] + [(None, canvas) for canvas in canvases]:
    image = np.ascontiguousarray(on_canvas(canvas) if canvas else photograph(name))
    one = {"canvas": canvas} if canvas else {"path": name}
    one |= {"width": image.shape[1], "height": image.shape[0], "short": detections(short, image),
            "full": detections(full, image), "meshes": meshes(mesh, image)}
    images.append(one)
with open(os.path.join(here, "mediapipe.json"), "w") as file:
    file.write('{"mediapipe": "%s", "images": [\n' % mp.__version__)
    file.write(",\n".join(json.dumps(image, separators=(",", ":")) for image in images))
    file.write("\n]}\n")
print(len(images), [sum(len(image[key]) for image in images) for key in ("short", "full", "meshes")])
