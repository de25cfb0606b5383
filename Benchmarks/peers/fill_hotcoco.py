"""Peer for the first coverage query: hotcoco converts a class's polygons and runs to masks.

    fill_hotcoco.py INSTANCES.JSON CLASS

Loading the file is not part of the time; the masks of an image are not merged, unlike in assay.
"""
import json
import sys
import time

from hotcoco import COCO

coco = COCO(sys.argv[1])
number = coco.getCatIds(catNms=[sys.argv[2]])
annotations = coco.loadAnns(coco.getAnnIds(catIds=number))
start = time.perf_counter()
masks = [coco.annToRLE(annotation) for annotation in annotations]
seconds = time.perf_counter() - start
print(json.dumps({"seconds": seconds, "items": len(masks)}))
