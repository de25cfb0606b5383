#!/usr/bin/env python3
"""The peer of `assay pipeline run faces`: MediaPipe's full-range face detector, and its mesh on a square of 1.5 times
the box of each face. Prints the number of faces.

    python3 -m venv mp && mp/bin/pip install "numpy<2" "protobuf<5" absl-py attrs flatbuffers matplotlib \
      "opencv-python-headless<4.12" && mp/bin/pip install --no-deps mediapipe==0.10.14
    time mp/bin/python Benchmarks/peers/faces_mediapipe.py FOLDER
"""
import glob
import os
import sys

import cv2
import mediapipe
import numpy as np


def main(folder):
    detector = mediapipe.solutions.face_detection.FaceDetection(model_selection=1, min_detection_confidence=0.6)
    mesh = mediapipe.solutions.face_mesh.FaceMesh(
        static_image_mode=True, max_num_faces=10, min_detection_confidence=0.5)
    count = 0
    for path in sorted(glob.glob(os.path.join(folder, "*.jpg"))):
        image = cv2.cvtColor(cv2.imread(path), cv2.COLOR_BGR2RGB)
        height, width = image.shape[:2]
        for found in detector.process(image).detections or []:
            count += 1
            box = found.location_data.relative_bounding_box
            side = 1.5 * max(box.width * width, box.height * height)
            x, y = (box.xmin + box.width / 2) * width, (box.ymin + box.height / 2) * height
            left, top = int(max(0, x - side / 2)), int(max(0, y - side / 2))
            crop = np.ascontiguousarray(image[top : int(y + side / 2) + 1, left : int(x + side / 2) + 1])
            if crop.size:
                mesh.process(crop)
    print(count, "faces")


if __name__ == "__main__":
    main(sys.argv[1])
