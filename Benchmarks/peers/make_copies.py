"""Writes the images that the search for duplicates is measured on: crops of photographs, with changed copies.

    make_copies.py PHOTOS OUT [--images N] [--longest PIXELS]

PHOTOS is a folder of JPEGs. Each photograph gives itself and nine overlapping crops of half its sides, enlarged to the
photograph's size; each of these is an original with six copies: JPEG quality 60, half the size, brightness 0.9 and 1.1,
mirrored, and cropped by 5 %. OUT/NUMBER-COPY.jpg, NUMBER of the original, COPY 0 for the original itself. With --images the
crops are shifted and scaled at random (seeded) until there are N originals without copies; --longest limits their size.
"""
import argparse
import glob
import os
import random
import shutil

from PIL import Image, ImageEnhance, ImageOps

parser = argparse.ArgumentParser()
parser.add_argument("photos")
parser.add_argument("out")
parser.add_argument("--images", type=int)
parser.add_argument("--longest", type=int)
options = parser.parse_args()
shutil.rmtree(options.out, ignore_errors=True)
os.makedirs(options.out)
photos = [Image.open(path).convert("RGB") for path in sorted(glob.glob(os.path.join(options.photos, "*.jpg")))]
if not photos:
    raise SystemExit(f"no .jpg in {options.photos}")


def crop(image, left, top, right, bottom):
    width, height = image.size
    return image.crop((round(left * width), round(top * height), round(right * width), round(bottom * height)))


def originals():
    if options.images:
        generator = random.Random(1)
        for number in range(options.images):
            photo = photos[number % len(photos)]
            side = generator.uniform(0.3, 0.7)
            left, top = generator.uniform(0, 1 - side), generator.uniform(0, 1 - side)
            part = crop(photo, left, top, left + side, top + side)
            part.thumbnail((options.longest, options.longest), Image.BILINEAR, reducing_gap=1.5)
            yield part
        return
    for photo in photos:
        yield photo
        for left in (0, 0.25, 0.5):
            for top in (0, 0.25, 0.5):
                yield crop(photo, left, top, left + 0.5, top + 0.5).resize(photo.size, Image.BICUBIC)


for number, image in enumerate(originals()):
    def save(copy, changed, quality):
        changed.save(os.path.join(options.out, f"{number:06d}-{copy}.jpg"), quality=quality)

    save(0, image, 90)
    if options.images:
        continue
    save(1, image, 60)
    save(2, image.resize([side // 2 for side in image.size], Image.BICUBIC), 90)
    save(3, ImageEnhance.Brightness(image).enhance(0.9), 90)
    save(4, ImageEnhance.Brightness(image).enhance(1.1), 90)
    save(5, ImageOps.mirror(image), 90)
    save(6, crop(image, 0.025, 0.025, 0.975, 0.975), 90)
