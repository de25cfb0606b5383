"""Writes the fixtures of frames: a folder of three frames, and Y4M streams with the pixels that ffmpeg makes of them.

    python3 make.py            (needs Pillow and ffmpeg with zimg; made with Pillow 13.0, ffmpeg 5.1.9)
"""
import json
import math
import os
import subprocess

from PIL import Image

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTH, HEIGHT = 34, 22


def smooth(shift):
    image = Image.new("RGB", (WIDTH, HEIGHT))
    for y in range(HEIGHT):
        for x in range(WIDTH):
            angle = (x + shift) / 9
            image.putpixel((x, y), (int(127 + 90 * math.sin(angle)), int(40 + 8 * y), int(127 + 90 * math.cos(angle))))
    return image


def folder():
    place = os.path.join(HERE, "film")
    os.makedirs(place, exist_ok=True)
    lines = [{"assay_frames": 1, "source": "film.mov", "notes": ["decoded by hand"]}]
    for frame in (0, 5, 10):
        name = "%08d.png" % frame
        smooth(frame).save(os.path.join(place, name))
        lines.append({"file": name, "frame": frame, "time": frame / 10, "track": "film"})
    lines.append({"fault": "no marker follows byte 40 of the image", "frame": 7, "end": False})
    with open(os.path.join(place, "frames.jsonl"), "w") as file:
        file.write("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))


STREAMS = {
    # Name: pixel format, range, location of chroma.
    "420jpeg-full": ("yuv420p", "pc", "center"),
    "420jpeg-limited": ("yuv420p", "tv", "center"),
    "420mpeg2": ("yuv420p", "tv", "left"),
    "422": ("yuv422p", "tv", "left"),
    "444-full": ("yuv444p", "pc", "left"),
    "mono-full": ("gray", "pc", "left"),
}


def streams():
    raw = b"".join(smooth(frame).tobytes() for frame in (0, 3))
    for name, (pixels, levels, place) in STREAMS.items():
        stream = os.path.join(HERE, name + ".y4m")
        flags = "flags=bilinear+accurate_rnd+full_chroma_int+full_chroma_inp"
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "%dx%d" % (WIDTH, HEIGHT),
                        "-r", "30000/1001", "-i", "-", "-vf", "scale=out_range=%s:%s" % (levels, flags), "-pix_fmt", pixels,
                        "-chroma_sample_location", place, "-color_range", levels, stream], input=raw, check=True)
        with open(os.path.join(HERE, name + ".rgb"), "wb") as file:
            # zimg interpolates chroma linearly from where the format says that it is; ffmpeg's own scaler does not.
            colors = ("zscale=matrixin=470bg:rangein=%s:chromalin=%s:matrix=gbr:range=full:filter=bilinear:dither=none,format=gbrp"
                      % ("full" if levels == "pc" else "limited", place))
            file.write(subprocess.run(
                ["ffmpeg", "-v", "error", "-i", stream] + ([] if pixels == "gray" else ["-vf", colors])
                + ["-pix_fmt", "rgb24", "-f", "rawvideo", "-"], stdout=subprocess.PIPE, check=True).stdout)
        with open(stream, "rb") as file:
            print(name, file.readline())


if __name__ == "__main__":
    folder()
    streams()
