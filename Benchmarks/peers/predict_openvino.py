"""Peer for prediction: OpenVINO from Python, batches of 64, all faces in memory.

    predict_openvino.py MODEL FACES.U8 FIRST OUT.NPY

Uses the faces from row FIRST on; float32 arithmetic, one stream (two have been seen to compute wrong results).
"""
import sys

import cv2
import numpy as np
import openvino as ov

BATCH = 64
faces = np.fromfile(sys.argv[2], np.uint8).reshape(-1, 48, 48)[int(sys.argv[3]):]
inputs = np.empty((len(faces), 64, 64, 1), np.float32)
for row, face in enumerate(faces):
    resized = cv2.resize(face, (64, 64), interpolation=cv2.INTER_LINEAR)
    inputs[row, :, :, 0] = resized.astype(np.float32) * np.float32(1 / 127.5) - 1

core = ov.Core()
model = core.read_model(sys.argv[1])
model.reshape([BATCH, 64, 64, 1])
compiled = core.compile_model(
    model, "CPU",
    {"PERFORMANCE_HINT": "LATENCY", "INFERENCE_PRECISION_HINT": "f32", "NUM_STREAMS": 1})
out = np.empty((len(inputs), 7), np.float32)
for start in range(0, len(inputs), BATCH):
    part = inputs[start:start + BATCH]
    full = part if len(part) == BATCH else np.concatenate(
        [part, np.zeros((BATCH - len(part), 64, 64, 1), np.float32)])
    out[start:start + BATCH] = compiled([full])[0][:len(part)]
np.save(sys.argv[4], out)
