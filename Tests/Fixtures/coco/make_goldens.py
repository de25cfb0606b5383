"""What pycocotools 2.0.11 reads in the fixtures beside this script, and in 79 real images: goldens.json.

python3 make_goldens.py [instances_val2017.json of coco/mini]   (needs pycocotools 2.0.11)

A line an annotation: image, class, crowd, id, area, box, and COCO's compressed run lengths of its pixels.
Of the real file only the number of lines and the SHA-256 of them all are kept.
"""
import contextlib
import hashlib
import io
import json
import sys
from pathlib import Path

from pycocotools.coco import COCO

here = Path(__file__).parent


def lines(path):
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO(str(path))
    out = []
    for a in coco.dataset["annotations"]:
        image = coco.imgs[a["image_id"]]
        numbers = " ".join(repr(float(x)) for x in [a["area"], *a["bbox"]])
        rle = coco.annToRLE(a)["counts"]
        rle = rle if isinstance(rle, str) else rle.decode()
        name = Path(image["file_name"]).name
        out.append(f"{name}|{coco.cats[a['category_id']]['name']}|{a['iscrowd']}|{a['id']}|{numbers}|{rle}")
    return out


goldens = {name: lines(here / f"{name}.json") for name in ("polygons", "runs", "keypoints", "annotations_first")}
old = here / "goldens.json"
if len(sys.argv) > 1:
    real = lines(sys.argv[1])
    goldens["mini"] = [str(len(real)), hashlib.sha256("\n".join(sorted(real)).encode()).hexdigest()]
elif old.exists():
    goldens["mini"] = json.loads(old.read_text())["mini"]
old.write_text(json.dumps(goldens, indent=1, ensure_ascii=False) + "\n")
