"""Small COCO files of every sort, the seeds of COCOMutationTests.  python3 make.py  (Python 3.11, no packages)."""
import json
from pathlib import Path

here = Path(__file__).parent
images = [
    {"license": 1, "file_name": "a.jpg", "height": 5, "width": 10, "id": 5},
    {"license": 1, "file_name": "folder/b é.jpg", "height": 4, "width": 4, "id": 6},
    {"file_name": "c.jpg", "height": 3, "width": 3, "id": 0},
]
categories = [
    {"supercategory": "animal", "id": 1, "name": "cat"},
    {"supercategory": "animal", "id": 17, "name": "dog \"big\""},
]
polygons = [
    {"segmentation": [[1, 1, 4, 1, 4, 3, 1, 3]], "area": 6, "iscrowd": 0, "image_id": 5, "bbox": [1, 1, 3, 2],
     "category_id": 1, "id": 1},
    {"segmentation": [[0.5, 0.25, 3.75, 0.5, 2, 3.99], [1.125, 1, 3, 1, 3, 3.5]], "area": 5.5, "iscrowd": 0,
     "image_id": 6, "bbox": [0.5, 0.25, 3.25, 3.74], "category_id": 17, "id": 2},
]
runs = [
    {"segmentation": {"counts": [6, 3, 41], "size": [5, 10]}, "area": 3, "iscrowd": 1, "image_id": 5,
     "bbox": [1, 1, 1, 3], "category_id": 1, "id": 900100},
    {"segmentation": {"size": [5, 10], "counts": "63Y1"}, "area": 3, "iscrowd": 0, "image_id": 5,
     "bbox": [1, 1, 1, 3], "category_id": 17, "id": 2},
]
keypoints = [
    {"segmentation": [[1, 1, 4, 1, 4, 3, 1, 3]], "num_keypoints": 1, "area": 6, "iscrowd": 0,
     "keypoints": [1, 2, 2, 0, 0, 0], "image_id": 5, "bbox": [1, 1, 3, 2], "category_id": 1, "id": 1,
     "attributes": {"occluded": False, "note": None, "list": [1.5, "x\n"]}},
]
odd = [
    {"segmentation": [], "area": float("nan"), "iscrowd": True, "image_id": "5", "bbox": [1, 1, 3, 2],
     "category_id": 1.0, "id": "a1"},
    {"segmentation": [1, 1, 4, 1, 4, 3], "image_id": 99, "category_id": 1, "id": 2 ** 63},
    {"segmentation": [[1, 2, 3], [0, 0, 2, 2]], "image_id": 0, "category_id": 2, "bbox": [0, 0, float("inf"), 1]},
    {"image_id": 6, "category_id": 17, "id": -7},
]


def write(name, annotations, **style):
    whole = {"info": {"year": 2017}, "licenses": [{"id": 1, "name": "x"}], "images": images,
             "annotations": annotations, "categories": categories}
    if name == "annotations_first":
        whole = {"annotations": annotations, "categories": categories, "images": images}
    (here / f"{name}.json").write_text(json.dumps(whole, **style) + "\n")


write("polygons", polygons)
write("runs", runs, separators=(",", ":"))
write("keypoints", keypoints, indent=1)
write("odd", odd)
write("annotations_first", polygons + runs, ensure_ascii=False)
