"""Peer for the COCO import: pycocotools only loads and indexes the file.

    load_pycocotools.py INSTANCES.JSON
"""
import json
import sys

from pycocotools.coco import COCO

coco = COCO(sys.argv[1])
print(json.dumps({"check": [len(coco.imgs), len(coco.anns)]}))
