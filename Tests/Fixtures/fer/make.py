#!/usr/bin/env python3
"""Writes FER-2013's CSV in the variants that are about, each with the same five faces of 3×3 pixels.

Python 3.11's csv-free string formatting and its gzip module (zlib 1.2.13); run in this folder. Face i has the
pixels 10·i + (0…8), the last face 247…255; emotions 0 1 3 6 0, the usages of USAGES.
"""
import gzip

EMOTIONS = [0, 1, 3, 6, 0]
NAMES = ["angry", "disgust", "fear", "happy", "sad", "surprise", "neutral"]
USAGES = ["Training", "Training", "PublicTest", "PrivateTest", "Training"]
PIXELS = [" ".join(str(v) for v in range(s, s + 9)) for s in (0, 10, 20, 30, 247)]
ROWS = list(zip(EMOTIONS, PIXELS, USAGES))


def table(header, row, end="\n", start=""):
    return (start + end.join([header] + [row(*r) for r in ROWS]) + end).encode()


plain = table("emotion,pixels,Usage", lambda e, p, u: f"{e},{p},{u}")
files = {
    "fer2013.csv": plain,
    "icml_face_data.csv": table("emotion, Usage, pixels", lambda e, p, u: f"{e},{u},{p}"),
    "other_order.csv": table("Usage,pixels,emotion", lambda e, p, u: f"{u},{p},{e}"),
    "train.csv": table("emotion,pixels", lambda e, p, u: f"{e},{p}"),
    "bom_crlf.csv": table("emotion,pixels,Usage", lambda e, p, u: f"{e},{p},{u}", "\r\n", "\ufeff"),
    "quoted.csv": table('"emotion","pixels","Usage"', lambda e, p, u: f'"{e}","{p}","{u}"'),
    "quoted_pixels.csv": table("emotion,pixels,Usage", lambda e, p, u: f'{e},"{p}",{u}'),
    "no_last_line_end.csv": plain[:-1],
    "names.csv": table("emotion,pixels,Usage", lambda e, p, u: f"{NAMES[e].title()},{p},{u}"),
    "no_emotion.csv": table("pixels,Usage", lambda e, p, u: f"{p},{u}"),
    "extra_column.csv": table("id,emotion,note,pixels,Usage", lambda e, p, u: f'7,{e},"a, b",{p},{u}'),
    "fer2013.csv.gz": gzip.compress(plain, 9, mtime=0),
    "members.csv.gz": b"".join(gzip.compress(plain[i : i + 50], 9, mtime=0) for i in range(0, len(plain), 50)),
    "test.csv": ("pixels\n" + "".join(" ".join(str((x * y + k) % 256) for y in range(48) for x in range(48)) + "\n"
                                      for k in (0, 100))).encode(),
}
for name, content in files.items():
    with open(name, "wb") as f:
        f.write(content)
