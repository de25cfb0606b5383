"""Makes the WebP, TIFF, BMP and PNM fixtures and goldens.json here, from nothing but the seed below.

    python -m venv v && v/bin/pip install pillow==13.0.0 numpy==2.4.6 tifffile==2026.3.3 imagecodecs==2026.3.6
    v/bin/python make.py

WebP is written by PIL, TIFF by PIL and tifffile, BMP and PNM mostly byte by byte, for PIL writes few of their
kinds. What they decode to is PIL's word, and tifffile's for TIFFs that PIL does not read; never assay's.
"""
import base64
import io
import json
import pathlib
import struct

import numpy as np
import PIL
import tifffile
from PIL import Image, ImageOps

HERE = pathlib.Path(__file__).parent
random = np.random.default_rng(11)
WIDTH, HEIGHT = 13, 9


def noise(most, *channels):
    return random.integers(0, most + 1, (HEIGHT, WIDTH, *channels))


def saved(values, mode, form, **options):
    out = io.BytesIO()
    image = Image.fromarray(values.astype(np.uint8), mode) if isinstance(values, np.ndarray) else values
    image.save(out, form, **options)
    return out.getvalue()


def exif(orientation):
    tags = Image.Exif()
    tags[0x0112] = orientation
    return tags


palette = random.integers(0, 256, (256, 3), np.uint8)
files, stored = {}, {}


def indexed(values, colors):
    image = Image.fromarray(values.astype(np.uint8), "P")
    image.putpalette(palette[:colors].reshape(-1).tolist())
    return image


# ---- WebP ----
files["lossy.webp"] = saved(noise(255, 3), "RGB", "WEBP", quality=70)
files["lossy-alpha.webp"] = saved(noise(255, 4), "RGBA", "WEBP", quality=70, exact=True)
files["lossless.webp"] = saved(noise(255, 3), "RGB", "WEBP", lossless=True)
files["lossless-alpha.webp"] = saved(noise(255, 4), "RGBA", "WEBP", lossless=True, exact=True)
files["exif6.webp"] = saved(noise(255, 3), "RGB", "WEBP", quality=70, exif=exif(6))

# ---- TIFF ----
gray, color = noise(255), noise(255, 3)
files["gray8.tif"] = saved(gray, "L", "TIFF")
files["rgb8.tif"] = saved(color, "RGB", "TIFF")
for name, compression in [
    ("lzw", "tiff_lzw"), ("deflate", "tiff_adobe_deflate"), ("packbits", "packbits"), ("zstd", "zstd"),
    ("lzma", "lzma"),
]:
    files[f"rgb8-{name}.tif"] = saved(color, "RGB", "TIFF", compression=compression)
files["rgb8-jpeg.tif"] = saved(color, "RGB", "TIFF", compression="jpeg")
files["rgba8.tif"] = saved(noise(255, 4), "RGBA", "TIFF")
files["graya8.tif"] = saved(noise(255, 2), "LA", "TIFF")
files["cmyk8.tif"] = saved(noise(255, 4), "CMYK", "TIFF")
files["palette8.tif"] = saved(indexed(noise(255), 256), "P", "TIFF")
black_and_white = Image.fromarray((noise(1) * 255).astype(np.uint8), "L").convert("1")
files["gray1.tif"] = saved(black_and_white, "1", "TIFF")
files["gray1-group4.tif"] = saved(black_and_white, "1", "TIFF", compression="group4")
files["exif6.tif"] = saved(color, "RGB", "TIFF", tiffinfo={274: 6})


def tiff(values, **options):
    out = io.BytesIO()
    tifffile.imwrite(out, values, metadata=None, **options)
    return out.getvalue()


large = random.integers(0, 256, (40, 37, 3), np.uint8)
files["rgb8-tiles.tif"] = tiff(large, photometric="rgb", tile=(16, 16), compression="zlib", predictor=True)
files["rgb8-planes.tif"] = tiff(np.moveaxis(large, 2, 0), photometric="rgb", planarconfig="separate", rowsperstrip=7)
files["rgb8-tiled-planes.tif"] = tiff(
    np.moveaxis(large, 2, 0), photometric="rgb", planarconfig="separate", tile=(16, 32))
wide = noise(65535).astype(np.uint16)
files["gray16.tif"] = tiff(wide, photometric="minisblack")
files["gray16-big-endian.tif"] = tiff(wide, photometric="minisblack", byteorder=">")
files["gray16-white-is-zero.tif"] = tiff(wide, photometric="miniswhite")
files["rgb16.tif"] = tiff(noise(65535, 3).astype(np.uint16), photometric="rgb", compression="lzw")
files["rgb8-bigtiff.tif"] = tiff(color.astype(np.uint8), photometric="rgb", bigtiff=True)
out = io.BytesIO()
with tifffile.TiffWriter(out) as writer:
    writer.write(color.astype(np.uint8), photometric="rgb", metadata=None)
    writer.write(color[:4, :4].astype(np.uint8), photometric="rgb", metadata=None, subfiletype=1)
files["rgb8-thumbnail.tif"] = out.getvalue()


# ---- BMP ----
def bmp(width, height, bits, pixels, *, colors=b"", compression=0, masks=b"", count=0, core=False):
    """A file of rows or runs; a negative height is from the top down."""
    if core:
        head = struct.pack("<IHHHH", 12, width, height, 1, bits)
    else:
        head = struct.pack(
            "<IiiHHIIiiII", 40, width, height, 1, bits, compression, len(pixels), 2835, 2835, count, 0)
    start = 14 + len(head) + len(masks) + len(colors)
    return b"BM" + struct.pack("<IHHI", start + len(pixels), 0, 0, start) + head + masks + colors + pixels


def rows(values, bits):
    """Packed rows from the lowest one up, padded to 4 bytes."""
    packed = b""
    for row in values[::-1]:
        if bits < 8:
            digits = ((row[:, None].astype(int) >> np.arange(bits)[::-1]) & 1).reshape(-1)
            body = np.packbits(digits.astype(np.uint8)).tobytes()
        else:
            body = row.astype(f"<u{bits // 8}").tobytes()
        packed += body + bytes(-len(body) % 4)
    return packed


def table(count, width=4):
    return b"".join(bytes([*palette[i][::-1]]) + bytes(width - 3) for i in range(count))


for bits in (1, 4, 8):
    values = noise((1 << bits) - 1)
    files[f"palette{bits}.bmp"] = bmp(WIDTH, HEIGHT, bits, rows(values, bits), colors=table(1 << bits))
    stored[f"palette{bits}.bmp"] = values
values = noise(99)
files["palette8-few.bmp"] = bmp(WIDTH, HEIGHT, 8, rows(values, 8), colors=table(100), count=100)
stored["palette8-few.bmp"] = values
values = noise(255)
files["palette8-core.bmp"] = bmp(WIDTH, HEIGHT, 8, rows(values, 8), colors=table(256, 3), core=True)
stored["palette8-core.bmp"] = values
files["gray8.bmp"] = saved(gray, "L", "BMP")
files["gray1.bmp"] = saved(black_and_white, "1", "BMP")
files["rgb8.bmp"] = saved(color, "RGB", "BMP")
files["rgb8-top-down.bmp"] = bmp(
    WIDTH, -HEIGHT, 24, b"".join(row[:, ::-1].astype(np.uint8).tobytes() + b"\0" for row in color))
pixels = noise(0xFFFFFFFF)
files["rgb32.bmp"] = bmp(WIDTH, HEIGHT, 32, rows(pixels, 32))
files["rgb32-masks.bmp"] = bmp(
    WIDTH, HEIGHT, 32, rows(pixels, 32), compression=3, masks=struct.pack("<III", 0xFF000000, 0xFF0000, 0xFF00))
pixels = noise(0xFFFF)
files["rgb555.bmp"] = bmp(WIDTH, HEIGHT, 16, rows(pixels, 16))
files["rgb565.bmp"] = bmp(
    WIDTH, HEIGHT, 16, rows(pixels, 16), compression=3, masks=struct.pack("<III", 0xF800, 0x7E0, 0x1F))


def runs(values, bits):
    """Rows from the lowest one up: a run, literal pixels, and a row that ends early."""
    out = b""
    for number, row in enumerate(values[::-1]):
        def literal(part):
            if bits == 8:
                body = bytes(part)
            else:
                padded = [*part, 0][: len(part) + len(part) % 2]
                body = bytes(a << 4 | b for a, b in zip(padded[::2], padded[1::2]))
            return bytes([0, len(part)]) + body + bytes(len(body) % 2)
        first = int(row[0])
        row[:5] = [first, row[1], first, row[1], first] if bits == 4 else first
        pair = first << 4 | int(row[1]) if bits == 4 else first
        out += bytes([5, pair]) + literal([int(v) for v in row[5:]])
        out += b"\0\0"
    return out + b"\0\1"


for bits, compression in ((8, 1), (4, 2)):
    values = noise((1 << bits) - 1)
    body = runs(values, bits)
    files[f"runs{bits}.bmp"] = bmp(
        WIDTH, HEIGHT, bits, body, colors=table(1 << bits), compression=compression)
    stored[f"runs{bits}.bmp"] = values

# ---- PNM ----
text = lambda values: b" ".join(b"%d" % v for v in values.reshape(-1))
bitmap = noise(1)
files["text1.pbm"] = b"P1\n# bits need no spaces\n%d %d\n" % (WIDTH, HEIGHT) + b"\n".join(
    b"".join(b"%d" % v for v in row) for row in bitmap) + b"\n"
files["bytes1.pbm"] = b"P4\n%d %d\n" % (WIDTH, HEIGHT) + b"".join(
    np.packbits(row.astype(np.uint8)).tobytes() for row in bitmap)
for name in ("text1.pbm", "bytes1.pbm"):
    stored[name] = 1 - bitmap
files["text8.pgm"] = b"P2\n%d %d 255\n" % (WIDTH, HEIGHT) + text(gray) + b"\n"
files["bytes8.pgm"] = b"P5 # a comment\n%d\n%d\n255\n" % (WIDTH, HEIGHT) + gray.astype(np.uint8).tobytes()
files["bytes16.pgm"] = b"P5\n%d %d\n65535\n" % (WIDTH, HEIGHT) + wide.astype(">u2").tobytes()
few = noise(100)
files["bytes-of-100.pgm"] = b"P5\n%d %d\n100\n" % (WIDTH, HEIGHT) + few.astype(np.uint8).tobytes()
stored["bytes-of-100.pgm"] = few
files["text8.ppm"] = b"P3\n%d %d\n255\n" % (WIDTH, HEIGHT) + text(color)
files["bytes8.ppm"] = b"P6\n%d %d\n255\n" % (WIDTH, HEIGHT) + color.astype(np.uint8).tobytes()

goldens, values16 = {}, {}
for name, content in sorted(files.items()):
    (HERE / name).write_bytes(content)
    image = Image.open(io.BytesIO(content))
    size = image.size
    by_tifffile = "planes" in name or "16" in name and name.endswith("tif")
    if by_tifffile:
        array = tifffile.imread(io.BytesIO(content))
        if "planes" in name:
            array = np.moveaxis(array, 0, 2)
        if "white-is-zero" in name:
            array = 65535 - array
        if array.ndim == 2:
            values16[name] = base64.b64encode(np.ascontiguousarray(array.astype("<u2"))).decode()
        if array.dtype.itemsize == 2:
            array = (array >> 8).astype(np.uint8)
        image = Image.fromarray(array)
        size = image.size
    elif name == "bytes16.pgm":
        array = np.asarray(image).astype(np.int64)
        values16[name] = base64.b64encode(np.ascontiguousarray(array.astype("<u2"))).decode()
        image = Image.fromarray((array >> 8).astype(np.uint8))
    else:
        image.load()
    if name == "exif6.tif":
        size = (WIDTH, HEIGHT)  # PIL turns TIFFs on its own
    # Underlying colors, whatever the alpha is.
    if image.mode in ("RGBA", "LA"):
        image = Image.merge(image.mode[:-1], image.split()[:-1]) if image.mode == "RGBA" else image.split()[0]
    turned = ImageOps.exif_transpose(Image.open(io.BytesIO(content))) if name == "exif6.webp" else image
    rgb = np.asarray(turned.convert("RGB"))
    is_gray = image.mode in ("L", "1")
    shades = rgb[:, :, 0] if is_gray else np.asarray(turned.convert("RGB").convert("L"))
    raw = stored.get(name)
    if raw is None and name in ("gray1.tif", "gray1-group4.tif", "gray1.bmp"):
        raw = np.asarray(image).astype(np.uint8)
    if raw is None and name == "palette8.tif":
        raw = np.asarray(image)
    raw = (shades if is_gray else rgb) if raw is None else raw
    goldens[name] = {
        "storedWidth": size[0], "storedHeight": size[1], "width": rgb.shape[1], "height": rgb.shape[0],
        "storedChannels": 3 if raw.size == rgb.size else 1,
        "gray8": base64.b64encode(np.ascontiguousarray(shades)).decode(),
        "rgb8": base64.b64encode(np.ascontiguousarray(rgb)).decode(),
        "stored": base64.b64encode(np.ascontiguousarray(raw.astype(np.uint8))).decode(),
    }

out = io.BytesIO()
frames = [Image.fromarray(noise(255, 3).astype(np.uint8)) for _ in range(3)]
frames[0].save(out, "WEBP", save_all=True, append_images=frames[1:])
pages = io.BytesIO()
with tifffile.TiffWriter(pages) as writer:
    for _ in range(3):
        writer.write(color.astype(np.uint8), photometric="rgb", metadata=None)
stack = io.BytesIO()
tifffile.imwrite(stack, random.integers(0, 256, (5, HEIGHT, WIDTH), np.uint8), imagej=True)
premultiplied = tiff(noise(254, 4).astype(np.uint8), photometric="rgb", extrasamples=["assocalpha"])


def plain_tiff(entries, pixels):
    """A little-endian TIFF of 8-bit gray written entry by entry: tags with one number each."""
    body = b"II*\0" + struct.pack("<I", 8 + len(pixels)) + pixels + struct.pack("<H", len(entries))
    for tag, value in sorted(entries.items()):
        body += struct.pack("<HHII", tag, 4, 1, value)
    return body + bytes(4)


def gray_tags(width, height, **more):
    return {256: width, 257: height, 258: 8, 259: 1, 262: 1, 273: 8, 277: 1, 278: height, 279: width * height, **more}


dots = bytes(range(16))
tiles = {tag: value for tag, value in gray_tags(16, 4000).items() if tag not in (273, 278, 279)}
# After the first one, directories of 300 entries, each of which begins four bytes after the one before.
plain = plain_tiff(gray_tags(4, 4), dots)
start = len(plain)
chain = bytearray(plain[:-4] + struct.pack("<I", start) + struct.pack("<HH", 300, 0) * 20 + bytes(300 * 12 + 40))
for step in range(19):
    struct.pack_into("<I", chain, start + 4 * step + 2 + 300 * 12, start + 4 * (step + 1))
thumbnail_first = io.BytesIO()
with tifffile.TiffWriter(thumbnail_first) as writer:
    writer.write(color[:4, :4].astype(np.uint8), photometric="rgb", metadata=None, subfiletype=1)
    writer.write(color.astype(np.uint8), photometric="rgb", metadata=None)
palette_end = struct.unpack_from("<I", files["palette8.tif"], 4)[0]
lzma = bytearray(files["rgb8-lzma.tif"])
lzma[lzma.index(b"\xfd7zXZ") + 390] ^= 0x10  # in the checksum: libtiff reports it, and success all the same
bad = {
    "animation.webp": out.getvalue(),
    "truncated.webp": files["lossy.webp"][:-40],
    "truncated-lossless.webp": files["lossless.webp"][:-40],
    "damaged.webp": files["lossless.webp"][:40] + b"\xff" * 60 + files["lossless.webp"][100:],
    "pages.tif": pages.getvalue(),
    "stack.tif": stack.getvalue(),
    "float.tif": tiff(random.random((HEIGHT, WIDTH), np.float32), photometric="minisblack"),
    "five.tif": tiff(
        random.integers(0, 256, (HEIGHT, WIDTH, 5), np.uint8), photometric="rgb", planarconfig="contig",
        extrasamples=["unspecified", "unspecified"]),
    "premultiplied.tif": premultiplied,
    "truncated.tif": tiff(large, photometric="rgb")[:-1000],
    "truncated-lzw.tif": tiff(large, photometric="rgb", compression="lzw")[:-1000],
    "truncated.bmp": files["rgb8.bmp"][:-100],
    "truncated-runs.bmp": files["runs8.bmp"][:-20],
    "palette-index.bmp": bmp(WIDTH, HEIGHT, 8, rows(noise(255), 8), colors=table(16), count=16),
    "runs-outside.bmp": bmp(
        WIDTH, HEIGHT, 8, bytes([200, 1, 0, 1]), colors=table(256), compression=1),
    "huge.bmp": bmp(60000, 60000, 24, b""),
    "truncated.ppm": files["bytes8.ppm"][:-10],
    "two.ppm": files["bytes8.ppm"] * 2,
    "above.pgm": b"P5\n2 1\n100\n\x05\xc8",
    "huge.pgm": b"P5\n60000 60000\n255\n\0",
    "short.ppm": b"P6\n9000 9000\n255\n\0\0",
    "two-texts.pgm": (b"P2\n2 1\n255\n1 2\n") * 2,
    "two-apart.pgm": (b"P5\n2 1\n255\n\1\2\n") * 2,
    "windows.pgm": b"P5\r\n2 1\r\n255\r\n\1\2",
    "negative.bmp": files["rgb8.bmp"][:18] + struct.pack("<i", -WIDTH) + files["rgb8.bmp"][22:],
    "within-header.bmp": files["rgb8.bmp"][:10] + struct.pack("<I", 30) + files["rgb8.bmp"][14:],
    "within-palette.bmp": files["palette8-few.bmp"][:10] + struct.pack("<I", 60) + files["palette8-few.bmp"][14:],
    "no-mask.bmp": files["rgb565.bmp"][:54] + bytes(4) + files["rgb565.bmp"][58:],
    "wide-mask.bmp": files["rgb565.bmp"][:54] + struct.pack("<I", 0xF80000) + files["rgb565.bmp"][58:],
    "thumbnail-first.tif": thumbnail_first.getvalue(),
    "volume.tif": plain_tiff({**gray_tags(4, 4), 32997: 4}, dots * 4),
    "inks.tif": plain_tiff({**gray_tags(2, 2), 262: 5, 277: 4, 332: 2}, dots),
    "planes.tif": plain_tiff({**gray_tags(4, 4), 259: 7, 262: 6, 277: 3, 284: 2}, dots),
    "no-map.tif": plain_tiff({**gray_tags(4, 4), 262: 3}, dots),
    "shared-strips.tif": None,
    "padded-tiles.tif": plain_tiff({**tiles, 322: 1 << 22, 323: 16, 324: 8, 325: 16}, dots),
    "chain.tif": bytes(chain),
    "damaged-lzma.tif": bytes(lzma),
}
strips = 2000
count = struct.pack("<HHII", 279, 4, strips, 8 + 4 * strips)
shared = b"II*\0" + struct.pack("<I", 8 + 8 * strips) + struct.pack("<I", 8) * strips + struct.pack(
    "<I", 16000) * strips
entries = [(256, 1), (257, strips), (258, 8), (259, 1), (262, 1)]
shared += struct.pack("<H", len(entries) + 4) + b"".join(struct.pack("<HHII", t, 4, 1, v) for t, v in entries)
shared += struct.pack("<HHII", 273, 4, strips, 8) + struct.pack("<HHII", 277, 4, 1, 1)
shared += struct.pack("<HHII", 278, 4, 1, 1) + count + bytes(4)
bad["shared-strips.tif"] = shared
for name, content in bad.items():
    (HERE / name).write_bytes(content)

(HERE / "goldens.json").write_text(json.dumps({
    "tools": f"PIL {PIL.__version__}, tifffile {tifffile.__version__}, numpy {np.__version__}",
    "decoded": goldens, "wide": values16,
}, indent=1) + "\n")
