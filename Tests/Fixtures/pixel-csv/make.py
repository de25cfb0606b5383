#!/usr/bin/env python3
"""Writes labelled CSVs of pixels in the variants that are about; run in this folder (Python 3.11).

Image i of three has the pixels 10·i + (5…8), 2×2; labels 7 1 7, or the names dog cat dog.
"""
PIXELS = [[10 * i + k for k in range(5, 9)] for i in range(3)]
NUMBERS = [7, 1, 7]
NAMES = ["dog", "cat", "dog"]
SPLITS = ["train", "val", "train"]


def comma(values):
    return ",".join(map(str, values))


rows = list(zip(PIXELS, NUMBERS, NAMES, SPLITS))
files = {
    "mnist_header.csv": "label,1x1,1x2,2x1,2x2\n" + "".join(f"{n},{comma(p)}\n" for p, n, _, _ in rows),
    "pixel_names.csv": "label,pixel0,pixel1,pixel2,pixel3\n" + "".join(f"{n},{comma(p)}\n" for p, n, _, _ in rows),
    "bare_numbers.csv": "label,0,1,2,3\n" + "".join(f"{n},{comma(p)}\n" for p, n, _, _ in rows),
    "label_last.csv": "p0,p1,p2,p3,class\n" + "".join(f"{comma(p)},{n}\n" for p, n, _, _ in rows),
    "label_among.csv": "p0,p1,target,p2,p3\n" + "".join(f"{p[0]},{p[1]},{n},{p[2]},{p[3]}\n" for p, n, _, _ in rows),
    "no_header.csv": "".join(f"{n},{comma(p)}\n" for p, n, _, _ in rows),
    "text_labels.csv": "class,pixels\n" + "".join(f"{t},{' '.join(map(str, p))}\n" for p, _, t, _ in rows),
    "text_no_header.csv": "".join(f"{t},{comma(p)}\n" for p, _, t, _ in rows),
    "with_split.csv": "split,label,pixels\n" + "".join(f"{s},{t},{' '.join(map(str, p))}\n" for p, _, t, s in rows),
    "no_label.csv": "pixel_0_0,pixel_0_1,pixel_1_0,pixel_1_1\n" + "".join(comma(p) + "\n" for p in PIXELS),
    # 2×1 RGB: six values a row.
    "rgb.csv": "label,pixels\n" + "".join(f"{n},{' '.join(str(v) for v in p + [200, 201])}\n" for p, n, _, _ in rows),
    "floats.csv": "label,p0,p1,p2,p3\n7,0.0,0.5,1.0,0.25\n1,1,2,3,4\n",
}
for name, content in files.items():
    with open(name, "w", newline="") as f:
        f.write(content)
