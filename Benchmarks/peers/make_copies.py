"""Writes the images that the search for duplicates is measured on: crops of photographs, with changed copies.

    make_copies.py PHOTOS OUT [--images N] [--longest PIXELS] [--pairs]

PHOTOS is a folder of JPEGs. Each photograph gives itself and nine overlapping crops of half its sides, enlarged to the
photograph's size; each of these is an original with six copies: JPEG quality 60, half the size, brightness 0.9 and 1.1,
mirrored, and cropped by 5 %. OUT/NUMBER-COPY.jpg, NUMBER of the original, COPY 0 for the original itself. With --images the
crops are shifted and scaled at random (seeded) until there are N originals without copies; --longest limits their size.
With --pairs each of the N is two such crops of different photographs side by side, so that nearly all are distinct: many
crops of one photograph are near duplicates of each other. They are in folders of 1,000.
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
parser.add_argument("--pairs", action="store_true")
options = parser.parse_args()
shutil.rmtree(options.out, ignore_errors=True)
os.makedirs(options.out)
photos = [Image.open(path).convert("RGB") for path in sorted(glob.glob(os.path.join(options.photos, "*.jpg")))]
if not photos:
    raise SystemExit(f"no .jpg in {options.photos}")


def crop(image, left, top, right, bottom):
    width, height = image.size
    return image.crop((round(left * width), round(top * height), round(right * width), round(bottom * height)))


def random_crop(photo, generator):
    side = generator.uniform(0.3, 0.7)
    left, top = generator.uniform(0, 1 - side), generator.uniform(0, 1 - side)
    part = crop(photo, left, top, left + side, top + side)
    if options.longest:
        part.thumbnail((options.longest, options.longest), Image.BILINEAR, reducing_gap=1.5)
    return part


def pair(number, generator):
    """Two crops of different photographs, side by side or one below the other, the first with 35 to 65 % of the side."""
    first = random_crop(photos[number % len(photos)], generator)
    other = photos[(number + 1 + generator.randrange(len(photos) - 1)) % len(photos)]
    second = random_crop(other, generator).resize(first.size, Image.BILINEAR)
    share = generator.uniform(0.35, 0.65)
    place = (round(share * first.width), 0) if generator.random() < 0.5 else (0, round(share * first.height))
    first.paste(second.crop((*place, *second.size)), place)
    return first


def originals():
    if options.images:
        generator = random.Random(1)
        for number in range(options.images):
            yield pair(number, generator) if options.pairs else random_crop(photos[number % len(photos)], generator)
        return
    for photo in photos:
        yield photo
        for left in (0, 0.25, 0.5):
            for top in (0, 0.25, 0.5):
                yield crop(photo, left, top, left + 0.5, top + 0.5).resize(photo.size, Image.BICUBIC)


for number, image in enumerate(originals()):
    folder = os.path.join(options.out, f"{number // 1000:03d}") if options.pairs else options.out
    os.makedirs(folder, exist_ok=True)

    def save(copy, changed, quality):
        changed.save(os.path.join(folder, f"{number:06d}-{copy}.jpg"), quality=quality)

    save(0, image, 90)
    if options.images:
        continue
    save(1, image, 60)
    save(2, image.resize([side // 2 for side in image.size], Image.BICUBIC), 90)
    save(3, ImageEnhance.Brightness(image).enhance(0.9), 90)
    save(4, ImageEnhance.Brightness(image).enhance(1.1), 90)
    save(5, ImageOps.mirror(image), 90)
    save(6, crop(image, 0.025, 0.025, 0.975, 0.975), 90)
