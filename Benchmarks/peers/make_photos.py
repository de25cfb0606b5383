"""Writes the data that the detector is measured on: repeated photos, and a COCO file that lists them.

    make_photos.py PHOTOS OUT COPIES

PHOTOS is a folder of JPEGs. OUT/images gets COPIES of each, OUT/instances.json their sizes and no annotations.
"""
import glob
import json
import os
import shutil
import sys

import cv2

photos, out, copies = sys.argv[1], sys.argv[2], int(sys.argv[3])
folder = os.path.join(out, "images")
shutil.rmtree(out, ignore_errors=True)
os.makedirs(folder)
images = []
for path in sorted(glob.glob(os.path.join(photos, "*.jpg"))):
    height, width = cv2.imread(path, cv2.IMREAD_COLOR | cv2.IMREAD_IGNORE_ORIENTATION).shape[:2]
    for copy in range(copies):
        name = f"{copy}_{os.path.basename(path)}"
        shutil.copyfile(path, os.path.join(folder, name))
        images.append({"id": len(images) + 1, "file_name": name, "width": width, "height": height})
if not images:
    raise SystemExit(f"no .jpg in {photos}")
with open(os.path.join(out, "instances.json"), "w") as file:
    json.dump({"images": images, "annotations": [], "categories": [{"id": 1, "name": "person"}]}, file)
