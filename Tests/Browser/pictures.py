"""Small images for the browser tests, made only with the standard library."""

import struct
import zlib


def png(width, height, rows, channels=3):
    """An 8-bit PNG of `rows` (bytes of one row each), gray (1 channel) or RGB (3)."""

    def chunk(name, body):
        return (struct.pack(">I", len(body)) + name + body
                + struct.pack(">I", zlib.crc32(name + body) & 0xFFFFFFFF))

    header = struct.pack(">IIBBBBB", width, height, 8, 2 if channels == 3 else 0, 0, 0, 0)
    packed = zlib.compress(b"".join(b"\0" + bytes(row) for row in rows), 3)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")


def scene(width, height, middle, radius, hue):
    """A disc on a gradient: a shape with an edge that a person would draw."""
    rows = []
    gradient = bytes(min(255, 40 + x * 140 // width) for x in range(width))
    for y in range(height):
        row = bytearray(3 * width)
        shade = 60 + y * 100 // height
        row[0::3] = gradient
        row[1::3] = bytes([shade]) * width
        row[2::3] = bytes([200 - shade // 2]) * width
        part = radius ** 2 - (y + 0.5 - middle[1]) ** 2
        if part > 0:
            low = max(0, round(middle[0] - part ** 0.5))
            high = min(width, round(middle[0] + part ** 0.5))
            row[3 * low:3 * high] = bytes(hue) * (high - low)
        rows.append(row)
    return png(width, height, rows)


def face(values, side=48):
    """A gray image of `side * side` values."""
    return png(side, side, [values[y * side:(y + 1) * side] for y in range(side)], channels=1)


def drawn_face(seed, side=48):
    """A face with two eyes and a mouth whose curve depends on `seed`; for tests without real faces."""
    bend = (seed % 7 - 3) / 20
    values = bytearray()
    for y in range(side):
        for x in range(side):
            u, v = (x + 0.5) / side - 0.5, (y + 0.5) / side - 0.5
            shade = 205 - int(300 * (u * u + v * v)) if u * u + v * v < 0.22 else 30
            if min((u - 0.16) ** 2, (u + 0.16) ** 2) + (v + 0.1) ** 2 < 0.003:
                shade = 20
            if abs(u) < 0.2 and abs(v - 0.2 - bend * (1 - (u / 0.2) ** 2)) < 0.025:
                shade = 60
            values.append(max(0, min(255, shade + (x * 7 + y * 13 + seed * 5) % 9)))
    return face(bytes(values), side)
