#!/usr/bin/env python3
"""Writes warp.json: drawn images as MediaPipe 0.10.14 puts them into a tensor, without the scale.

The steps are those of image_to_tensor_converter_opencv.cc: getPerspectiveTransform and warpPerspective of OpenCV before 4.11
(opencv-python-headless==4.10.0.84). With --mediapipe (mediapipe==0.10.14, numpy<2) each result is compared with the
tensor of MediaPipe's own ImageToTensorCalculator. Pixel (x, y, c) is (7 x + 13 y + 50 c + x y) mod 256."""
import json
import os
import sys

import cv2
import numpy as np

here = os.path.dirname(os.path.abspath(__file__))


def drawn(width, height, channels):
    x, y, c = np.arange(width)[None, :, None], np.arange(height)[:, None, None], np.arange(channels)[None, None]
    return ((7 * x + 13 * y + 50 * c + x * y) % 256).astype(np.uint8)


def warped(image, width, height, letterbox, fill):
    f = np.float32
    roi_height, roi_width = f(image.shape[0]), f(image.shape[1])
    center = (float(roi_width * f(0.5)), float(roi_height * f(0.5)))
    if letterbox:
        aspect = f(height) / f(width)
        if aspect > roi_height / roi_width:
            roi_height = f(roi_width * aspect)
        else:
            roi_width = f(roi_height / aspect)
    corners = cv2.boxPoints((center, (float(roi_width), float(roi_height)), 0.0)).astype(np.float32)
    target = np.array([[0, height], [0, 0], [width, 0], [width, height]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, target)
    return cv2.warpPerspective(image, matrix, (width, height), flags=cv2.INTER_LINEAR,
                               borderMode=cv2.BORDER_CONSTANT, borderValue=(fill,) * 4)


def turned(image, region, width, height, nearest):
    """A rotated part: x and y of its center, its sides, and its rotation in radians."""
    x, y, across, down, angle = map(np.float32, region)
    degrees = np.float32(float(angle * np.float32(180)) / np.pi)
    corners = cv2.boxPoints(((float(x), float(y)), (float(across), float(down)), float(degrees))).astype(np.float32)
    target = np.array([[0, height], [0, 0], [width, 0], [width, height]], np.float32)
    return cv2.warpPerspective(image, cv2.getPerspectiveTransform(corners, target), (width, height), flags=cv2.INTER_LINEAR,
                               borderMode=cv2.BORDER_REPLICATE if nearest else cv2.BORDER_CONSTANT)


def of_mediapipe(image, width, height, letterbox):
    import mediapipe as mp
    from mediapipe.python import CalculatorGraph
    graph = CalculatorGraph(graph_config="""
        input_stream: "image" output_stream: "values"
        node { calculator: "ImageToTensorCalculator" input_stream: "IMAGE:image" output_stream: "TENSORS:tensors"
          options { [mediapipe.ImageToTensorCalculatorOptions.ext] {
            output_tensor_width: %d output_tensor_height: %d keep_aspect_ratio: %s
            output_tensor_float_range { min: 0.0 max: 255.0 } border_mode: BORDER_ZERO } } }
        node { calculator: "TensorsToFloatsCalculator" input_stream: "TENSORS:tensors" output_stream: "FLOATS:values" }
        """ % (width, height, str(letterbox).lower()))
    values = []
    graph.observe_output_stream("values", lambda name, packet: values.append(mp.packet_getter.get_float_list(packet)))
    graph.start_run()
    frame = mp.packet_creator.create_image_frame(image_format=mp.ImageFormat.SRGB, data=np.ascontiguousarray(image))
    graph.add_packet_to_input_stream("image", frame.at(0))
    graph.close_all_packet_sources()
    graph.wait_until_done()
    return np.array(values[0]).reshape(height, width, 3)


assert tuple(map(int, cv2.__version__.split(".")[:2])) < (4, 11), "OpenCV 4.11 and later compute another way"
cases = []
for channels in (1, 3):
    for source, target, letterbox in [((40, 30), (20, 20), True), ((30, 40), (20, 20), True), ((64, 48), (13, 9), True),
                                      ((27, 29), (16, 16), True), ((27, 29), (16, 16), False), ((9, 7), (20, 16), True),
                                      ((9, 7), (20, 16), False), ((1, 1), (5, 4), True), ((31, 1), (10, 8), True),
                                      ((100, 80), (72, 36), False), ((26, 47), (16, 16), True), ((20, 20), (20, 20), True),
                                      ((53, 46), (70, 6), True), ((45, 46), (16, 16), False)]:
        for fill in ((0, 114) if letterbox and channels == 3 else (0,)):
            image = drawn(*source, channels)
            made = warped(image, *target, letterbox, fill).reshape(target[1], target[0], channels)
            if "--mediapipe" in sys.argv and channels == 3 and fill == 0:
                assert np.abs(of_mediapipe(image, *target, letterbox) - made).max() < 1e-4, (source, target)
            cases.append({"source": source, "target": target, "channels": channels, "letterbox": letterbox, "fill": fill,
                          "pixels": made.reshape(-1).tolist()})
turns = []
for source, region, target in [((40, 30), (20, 15, 24, 24, 0.4), (12, 12)), ((40, 30), (5.25, 25.5, 30, 30, -2.1), (16, 16)),
                               ((9, 7), (4, 3, 20, 20, 3.0), (70, 9)), ((64, 48), (30.3, 20.7, 18.5, 9.25, 0.05), (20, 10)),
                               ((27, 29), (13.5, 14.5, 27, 29, 0), (27, 29)), ((1, 1), (0.5, 0.5, 4, 4, 1), (5, 5))]:
    for nearest in (False, True):
        made = turned(drawn(*source, 3), region, *target, nearest)
        turns.append({"source": source, "region": region, "target": target, "nearest": nearest,
                      "pixels": made.reshape(-1).tolist()})
with open(os.path.join(here, "warp.json"), "w") as file:
    json.dump({"opencv": cv2.__version__, "cases": cases, "turns": turns}, file, separators=(",", ":"))
    file.write("\n")
print(len(cases))
