"""A small file in the form of LVIS v1: annotations first, images named by their URL only.

    python3 make.py     (Python 3.11, no packages)
"""
import json
import struct
import zlib
from pathlib import Path

here = Path(__file__).parent


def png(path, width, height, value):
    rows = b"".join(b"\0" + bytes([value + x for x in range(width)]) for _ in range(height))
    chunks = [(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)), (b"IDAT", zlib.compress(rows, 9)),
              (b"IEND", b"")]
    data = b"\x89PNG\r\n\x1a\n"
    for kind, body in chunks:
        data += struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def image(number, folder, width, height, negative, incomplete):
    png(here / "small" / folder / f"{number:012}.png", width, height, number % 100)
    return {"date_captured": "2013-11-14 17:02:52", "neg_category_ids": negative, "id": number, "license": 4,
            "height": height, "width": width, "flickr_url": "http://x/y.png",
            "coco_url": f"http://images.cocodataset.org/{folder}/{number:012}.png",
            "not_exhaustive_category_ids": incomplete}


def category(number, name, frequency, synonyms):
    return {"frequency": frequency, "synset": f"{name}.n.01", "image_count": 3, "id": number, "name": name,
            "synonyms": synonyms, "def": f"the definition of {name}", "instance_count": 4}


annotations = [
    {"area": 6.0, "id": 1, "segmentation": [[1, 1, 4, 1, 4, 3, 1, 3]], "image_id": 391895, "bbox": [1, 1, 3, 2],
     "category_id": 3},
    {"area": 8.0, "id": 2, "segmentation": [[0.0, 0.0, 4.0, 0.0, 4.0, 2.0, 0.0, 2.0]], "image_id": 391895,
     "bbox": [0, 0, 4, 2], "category_id": 1},
    {"area": 4.0, "id": 3, "segmentation": [[2, 2, 4, 2, 4, 4, 2, 4]], "image_id": 522418, "bbox": [2, 2, 2, 2],
     "category_id": 3},
]
whole = {
    "info": {"version": "v1_2020"}, "annotations": annotations,
    "images": [image(391895, "train2017", 12, 8, [2], [3]), image(522418, "val2017", 9, 7, [], [])],
    "licenses": [{"id": 4, "name": "x", "url": ""}],
    "categories": [category(1, "aerosol_can", "c", ["aerosol_can", "spray_can"]),
                   category(2, "air_conditioner", "f", ["air_conditioner"]),
                   category(3, "zebra", "r", ["zebra"])],
}
(here / "small" / "annotations").mkdir(parents=True, exist_ok=True)
(here / "small" / "annotations" / "lvis_v1_val.json").write_text(json.dumps(whole, indent=1) + "\n")
