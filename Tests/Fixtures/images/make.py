"""Makes the image fixtures and goldens.json here, from nothing but the seed below.

    python -m venv v && v/bin/pip install pillow==13.0.0 numpy==2.2.6 opencv-python-headless==4.12.0.88
    v/bin/python make.py

PNGs are written chunk by chunk (PIL writes neither Adam7 nor 2 bits), JPEGs by PIL. What they decode to is
PIL's word, what resizing gives is OpenCV's, means and deviations are numpy's; never assay's.
"""
import base64
import io
import json
import pathlib
import struct
import zlib

import cv2
import numpy as np
import PIL
from PIL import Image, ImageOps

HERE = pathlib.Path(__file__).parent
random = np.random.default_rng(7)
WIDTH, HEIGHT = 13, 9


def chunk(name, body):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def packed_rows(values, depth):
    """Rows of PNG samples, filter 0: values is height x width x channels."""
    out = b""
    for row in values.reshape(len(values), -1):
        if depth == 16:
            body = row.astype(">u2").tobytes()
        elif depth == 8:
            body = row.astype(np.uint8).tobytes()
        else:
            bits = ((row[:, None].astype(int) >> np.arange(depth)[::-1]) & 1).reshape(-1)
            body = np.packbits(bits.astype(np.uint8)).tobytes()
        out += b"\0" + body
    return out


ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def png(values, colour, depth, extra=b"", interlaced=False, parts=1):
    height, width = values.shape[:2]
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, int(interlaced))
    if interlaced:
        raw = b""
        for x, y, dx, dy in ADAM7:
            part = values[y::dy, x::dx]
            if part.size:
                raw += packed_rows(part, depth)
    else:
        raw = packed_rows(values, depth)
    data = zlib.compress(raw, 9)
    cut = -(-len(data) // parts)
    body = b"".join(chunk(b"IDAT", data[i : i + cut]) for i in range(0, len(data), cut))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + extra + body + chunk(b"IEND", b"")


def noise(depth, channels):
    return random.integers(0, 1 << depth, (HEIGHT, WIDTH, channels))


def exif(orientation, order="<"):
    """A TIFF structure with a leading other tag, so that the search has to step."""
    mark = b"II" if order == "<" else b"MM"
    entries = struct.pack(order + "HHIHH", 0x0100, 3, 1, WIDTH, 0)
    entries += struct.pack(order + "HHIHH", 0x0112, 3, 1, orientation, 0)
    return mark + struct.pack(order + "HI", 42, 8) + struct.pack(order + "H", 2) + entries + b"\0\0\0\0"


def smooth(width, height, channels):
    """A picture with edges and gradients: noise alone would hide an upsampling error behind its size."""
    small = random.integers(0, 256, (5, 6, channels), np.uint8)
    big = cv2.resize(small, (width, height), interpolation=cv2.INTER_CUBIC).reshape(height, width, channels)
    big[: height // 2, : width // 3] = random.integers(0, 256, channels)
    return big


def jpeg(values, mode, **options):
    out = io.BytesIO()
    Image.fromarray(values.squeeze(), mode).save(out, "JPEG", **options)
    return out.getvalue()


files, raw_values = {}, {}

for depth in (1, 2, 4, 8, 16):
    values = noise(depth, 1)
    files[f"gray{depth}.png"] = png(values, 0, depth)
    raw_values[f"gray{depth}.png"] = values >> 8 if depth == 16 else values
for depth in (8, 16):
    files[f"rgb{depth}.png"] = png(noise(depth, 3), 2, depth, parts=3)
    files[f"rgba{depth}.png"] = png(noise(depth, 4), 6, depth)
    files[f"graya{depth}.png"] = png(noise(depth, 2), 4, depth)
palette = random.integers(0, 256, (256, 3), np.uint8)
for depth in (1, 2, 4, 8):
    values = noise(depth, 1)
    plte = chunk(b"PLTE", palette[: 1 << depth].tobytes())
    files[f"palette{depth}.png"] = png(values, 3, depth, plte)
    raw_values[f"palette{depth}.png"] = values
values = noise(4, 1)
trns = chunk(b"PLTE", palette[:16].tobytes()) + chunk(b"tRNS", bytes(range(0, 160, 10)))
files["palette4-transparent.png"] = png(values, 3, 4, trns)
raw_values["palette4-transparent.png"] = values
files["rgb8-transparent.png"] = png(noise(8, 3), 2, 8, chunk(b"tRNS", struct.pack(">HHH", 1, 2, 3)))
values = noise(2, 1)
files["gray2-interlaced.png"] = png(values, 0, 2, interlaced=True)
raw_values["gray2-interlaced.png"] = values
files["rgb8-interlaced.png"] = png(noise(8, 3), 2, 8, interlaced=True)
ancillary = chunk(b"gAMA", struct.pack(">I", 20000)) + chunk(b"sBIT", b"\5\5\5") + chunk(b"bKGD", b"\0\1\0\2\0\3")
ancillary += chunk(b"iCCP", b"x\0\0" + zlib.compress(b"no profile")) + chunk(b"tEXt", b"Comment\0caf\xe9")
files["rgb8-ancillary.png"] = png(noise(8, 3), 2, 8, ancillary)
files["rgb8-exif6.png"] = png(noise(8, 3), 2, 8, chunk(b"eXIf", exif(6, ">")))

files["gray.jpg"] = jpeg(smooth(37, 29, 1), "L", quality=80)
for name, subsampling in (("444", 0), ("422", 1), ("420", 2)):
    files[f"ycc{name}.jpg"] = jpeg(smooth(37, 29, 3), "RGB", quality=80, subsampling=subsampling)
files["progressive.jpg"] = jpeg(smooth(37, 29, 3), "RGB", quality=80, progressive=True)
files["restarts.jpg"] = jpeg(smooth(37, 29, 3), "RGB", quality=80, restart_marker_rows=1)
files["rgb.jpg"] = jpeg(smooth(21, 17, 3), "RGB", quality=80, keep_rgb=True)
files["cmyk.jpg"] = jpeg(smooth(21, 17, 4), "CMYK", quality=80)
adobe = files["cmyk.jpg"].index(b"Adobe")
ycck = bytearray(files["cmyk.jpg"])
ycck[adobe + 11] = 2  # the transform flag: the same data read as YCCK
files["ycck.jpg"] = bytes(ycck)
for orientation in range(1, 9):
    order = "<" if orientation % 2 else ">"
    files[f"exif{orientation}.jpg"] = jpeg(
        smooth(21, 17, 3), "RGB", quality=80, exif=b"Exif\0\0" + exif(orientation, order))
whole = files["ycc420.jpg"]
end = whole.index(b"\xff\xdb")
files["stray-bytes.jpg"] = whole[:end] + b"\1\2\3" + whole[end:]

goldens = {}
for name, content in files.items():
    (HERE / name).write_bytes(content)
    image = Image.open(io.BytesIO(content))
    stored_size = image.size
    image.load()
    sixteen = image.mode.startswith("I")
    # PIL turns by EXIF only where asked; its own reading of the tag, its own transpose.
    image = ImageOps.exif_transpose(image)
    if sixteen:
        image = Image.fromarray((np.asarray(image) >> 8).astype(np.uint8), "L")
    rgb = np.asarray(image.convert("RGB"))
    is_gray = name.startswith("gray")  # PIL opens 16-bit gray with alpha as RGBA
    gray = rgb[:, :, 0] if is_gray else np.asarray(image.convert("RGB").convert("L"))
    stored = raw_values.get(name, gray if is_gray else rgb)
    goldens[name] = {
        "storedWidth": stored_size[0], "storedHeight": stored_size[1],
        "width": rgb.shape[1], "height": rgb.shape[0],
        "storedChannels": 3 if stored.size == rgb.size else 1,
        "gray8": base64.b64encode(np.ascontiguousarray(gray)).decode(),
        "rgb8": base64.b64encode(np.ascontiguousarray(rgb)).decode(),
        "stored": base64.b64encode(np.ascontiguousarray(stored.astype(np.uint8))).decode(),
    }

bad = {
    "empty.png": b"",
    "garbage.png": random.integers(0, 256, 300, np.uint8).tobytes(),
    "gif.png": b"GIF89a" + bytes(20),
    "huge.png": b"\x89PNG\r\n\x1a\n"
    + chunk(b"IHDR", struct.pack(">IIBBBBB", 60000, 60000, 8, 0, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b""),
    # Within the limit, but no 60 bytes of deflate hold 90 megapixels.
    "bomb.png": b"\x89PNG\r\n\x1a\n"
    + chunk(b"IHDR", struct.pack(">IIBBBBB", 10000, 9000, 8, 0, 0, 0, 0))
    + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b""),
    "truncated.png": files["rgb8.png"][:-120],
    "checksum.png": files["rgb8.png"].replace(b"IHDR\0\0\0\x0d", b"IHDR\0\0\0\x0c"),
    "truncated.jpg": files["ycc420.jpg"][: len(files["ycc420.jpg"]) * 3 // 4],
    "truncated-progressive.jpg": files["progressive.jpg"][: len(files["progressive.jpg"]) * 3 // 4],
    "header-only.jpg": files["gray.jpg"][: files["gray.jpg"].index(b"\xff\xda")],
    "huge.jpg": files["gray.jpg"].replace(struct.pack(">HH", 29, 37), struct.pack(">HH", 65500, 65500), 1),
    "bomb.jpg": files["gray.jpg"].replace(struct.pack(">HH", 29, 37), struct.pack(">HH", 9000, 10000), 1),
    "no-height.jpg": files["gray.jpg"].replace(struct.pack(">HH", 29, 37), struct.pack(">HH", 0, 37), 1),
}
for name, content in bad.items():
    (HERE / name).write_bytes(content)

resizes = []
for (width, height, channels), (to_width, to_height) in [
    ((7, 5, 1), (11, 9)), ((48, 48, 1), (64, 64)), ((13, 10, 3), (6, 7)), ((31, 17, 3), (40, 9)),
    ((1, 1, 1), (3, 2)), ((9, 1, 3), (4, 4)), ((2, 2, 1), (5, 5)), ((50, 40, 3), (13, 13)),
]:
    source = random.integers(0, 256, (height, width, channels), np.uint8)
    def resized(array, how):
        return cv2.resize(array, (to_width, to_height), interpolation=how)
    bilinear = resized(source, cv2.INTER_LINEAR)
    unrounded = resized(source.astype(np.float32), cv2.INTER_LINEAR)
    shrinks = to_width <= width and to_height <= height
    area = resized(source.astype(np.float32), cv2.INTER_AREA) if shrinks else None
    resizes.append({
        "width": width, "height": height, "channels": channels, "toWidth": to_width, "toHeight": to_height,
        "source": base64.b64encode(source).decode(),
        "bilinear": base64.b64encode(np.ascontiguousarray(bilinear)).decode(),
        "unrounded": base64.b64encode(np.ascontiguousarray(unrounded.astype("<f4"))).decode(),
        "area": None if area is None else base64.b64encode(np.ascontiguousarray(area.astype("<f4"))).decode(),
    })

images = random.integers(0, 256, (600, 4, 5, 3), np.uint8)
images[:, 0, 0, 0] = 255  # the sums' worst case
labels = random.integers(0, 3, 600).astype(np.uint8)
moments = {
    "width": 5, "height": 4, "channels": 3, "classes": 3,
    "images": base64.b64encode(images).decode(), "labels": base64.b64encode(labels).decode(),
    "count": [int((labels == c).sum()) for c in range(3)],
    "mean": [images[labels == c].mean(axis=0, dtype=np.float64).reshape(-1).tolist() for c in range(3)],
    "deviation": [images[labels == c].std(axis=0, dtype=np.float64).reshape(-1).tolist() for c in range(3)],
    "meanOfAll": images.mean(axis=0, dtype=np.float64).reshape(-1).tolist(),
    "deviationOfAll": images.std(axis=0, dtype=np.float64).reshape(-1).tolist(),
}

(HERE / "goldens.json").write_text(json.dumps({
    "tools": f"PIL {PIL.__version__}, OpenCV {cv2.__version__}, numpy {np.__version__}",
    "decoded": goldens, "resized": resizes, "moments": moments,
}, indent=1) + "\n")
