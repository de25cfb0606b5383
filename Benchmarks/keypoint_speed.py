"""Keypoints (OKS) beside pycocotools, whole processes in turn: Benchmarks/keypoint_speed.py PROGRAM [IMAGES].

Makes a ground truth of people with COCO's 17 keypoints and 20 results per image, checks that the 10 numbers of COCO are
equal to the bit, and prints the medians of 5 runs. Needs pycocotools in the Python that runs it.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

PEER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "peers", "eval_pycocotools.py")
NUMBERS = ["AP", "AP50", "AP75", "APm", "APl", "AR", "AR50", "AR75", "ARm", "ARl"]
ROUNDS = 5
RESULTS = 20


def person(draw):
    """A person as (keypoints, side): a part of the keypoints is not labeled."""
    side = draw.choice([25, 50, 100, 200, 300])
    x, y = draw.uniform(0, 640 - side), draw.uniform(0, 480 - side)
    keypoints = []
    for _ in range(17):
        visibility = draw.choice([0, 1, 2, 2])
        keypoints += [0, 0, 0] if visibility == 0 else [
            round(x + draw.uniform(0, side)), round(y + draw.uniform(0, side)), visibility]
    return keypoints, x, y, side


def near(draw, keypoints, side):
    """A result near a person's keypoints, by a few or many pixels."""
    error = side * draw.choice([.02, .05, .1, .3])
    found = []
    for place in range(0, 51, 3):
        found += [round(keypoints[place] + draw.gauss(0, error), 3), round(keypoints[place + 1] + draw.gauss(0, error), 3),
                  round(draw.random(), 3)]
    return found


def anywhere(draw):
    x, y = draw.uniform(0, 500), draw.uniform(0, 380)
    found = []
    for _ in range(17):
        found += [round(x + draw.uniform(0, 100), 3), round(y + draw.uniform(0, 100), 3), round(draw.random(), 3)]
    return found


def generate(count):
    draw = random.Random(1)
    images, annotations, results = [], [], []
    for image in range(1, count + 1):
        images.append({"id": image, "file_name": "%d.jpg" % image, "width": 640, "height": 480})
        people = [person(draw) for _ in range(draw.choice([0, 1, 1, 2, 3, 6]))]
        for keypoints, x, y, side in people:
            annotations.append({
                "id": len(annotations) + 1, "image_id": image, "category_id": 1, "iscrowd": int(draw.random() < .01),
                "area": round(side * side * .55, 4), "bbox": [round(x, 2), round(y, 2), side, side],
                "keypoints": keypoints, "num_keypoints": sum(v > 0 for v in keypoints[2::3])})
        for place in range(RESULTS):
            keypoints = (near(draw, *people[place % len(people)][::3]) if people and place < 3 * len(people)
                         else anywhere(draw))
            results.append({"image_id": image, "category_id": 1, "keypoints": keypoints, "score": round(draw.random(), 6)})
    names = ["k%d" % place for place in range(17)]
    return {"images": images, "annotations": annotations,
            "categories": [{"id": 1, "name": "person", "keypoints": names}]}, results


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, name) for name in ("truth.json", "results.json")]
        for path, content in zip(paths, generate(int(sys.argv[2]) if len(sys.argv) > 2 else 5_000)):
            with open(path, "w", encoding="utf-8") as file:
                json.dump(content, file)
        commands = {
            "assay": [program, "evaluate", "--gt", paths[0], "--dt", paths[1], "--iou-type", "keypoints", "--json",
                      "--sigmas", "coco"],
            "pycocotools": [sys.executable, PEER, *paths, "keypoints"]}
        times, said = {name: [] for name in commands}, {}
        for _ in range(ROUNDS):
            for name, command in commands.items():
                started = time.perf_counter()
                said[name] = subprocess.run(command, check=True, capture_output=True, text=True).stdout
                times[name].append(time.perf_counter() - started)
        own = [-1 if value is None else value for value in map(json.loads(said["assay"])["stats"].get, NUMBERS)]
        is_equal = own == json.loads(said["pycocotools"])["check"]
        print("%.0f MB; the 10 numbers are %s" % (
            sum(map(os.path.getsize, paths)) / 1e6, "equal to the bit" if is_equal else "DIFFERENT: %s" % own))
        for name, seconds in times.items():
            print("%-12s median %.2f s of %s" % (name, statistics.median(seconds), " ".join("%.2f" % s for s in seconds)))
        print("%.1f times as fast" % (statistics.median(times["pycocotools"]) / statistics.median(times["assay"])))
        sys.exit(0 if is_equal else 1)


if __name__ == "__main__":
    main()
