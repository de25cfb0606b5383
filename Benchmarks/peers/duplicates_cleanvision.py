"""Peer for the checks: cleanvision looks for all its issues in a folder of images, as OUT of make_copies.py.

    duplicates_cleanvision.py FOLDER WORKERS OUT.json

Writes the sets of near and exact duplicates as lists of file names.
"""
import contextlib
import io
import json
import os
import sys

from cleanvision import Imagelab

if __name__ == "__main__":
    with contextlib.redirect_stdout(io.StringIO()):
        lab = Imagelab(data_path=sys.argv[1])
        lab.find_issues(n_jobs=int(sys.argv[2]), verbose=False)
    sets = [group for kind in ("near_duplicates", "exact_duplicates") for group in lab.info[kind]["sets"]]
    with open(sys.argv[3], "w") as file:
        json.dump([[os.path.basename(path) for path in group] for group in sets], file)
    print(json.dumps({"check": len(sets)}))
