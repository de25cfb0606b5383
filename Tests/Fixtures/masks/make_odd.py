#!/usr/bin/env python3
"""Makes the masks whose values mean something else than they seem, with Pillow 12: odd/NAME/images, odd/NAME/masks.

    python3 Tests/Fixtures/masks/make_odd.py
"""
import os

from PIL import Image

HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "odd")
WIDTH, HEIGHT = 6, 4


def save(path, image):
    path = os.path.join(HERE, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    image.save(path)


def pair(name, number, mask):
    save(f"{name}/images/{number}.png", Image.new("RGB", (WIDTH, HEIGHT), (number, 20, 30)))
    save(f"{name}/masks/{number}.png", mask)


def gray(values):
    image = Image.new("L", (WIDTH, HEIGHT))
    image.putdata([values.get(place, 0) for place in range(WIDTH * HEIGHT)])
    return image


def palette(numbers, colors):
    image = Image.new("P", (WIDTH, HEIGHT))
    image.putpalette([part for color in colors for part in color])
    image.putdata([numbers.get(place, 0) for place in range(WIDTH * HEIGHT)])
    return image


square = [0, 1, 2, 6, 7, 8]
binary = {place: 255 for place in square}
for number in range(3):
    pair("stray-gray", number, gray(binary))
pair("stray-gray", 3, gray(binary | {0: 254}))
pair("void-edges", 0, gray({0: 1, 1: 1, 2: 255, 6: 1}))
pair("void-edges", 1, gray({0: 2, 1: 2, 2: 255, 6: 2}))
pair("inverted-palette", 0, palette({place: 1 for place in square}, [(255, 255, 255), (0, 0, 0)]))
pair("other-palettes", 0, palette({0: 1}, [(0, 0, 0), (255, 0, 0), (0, 0, 255)]))
pair("other-palettes", 1, palette({0: 1, 1: 2}, [(0, 0, 0), (0, 0, 255), (255, 0, 0)]))
alpha = Image.new("RGBA", (WIDTH, HEIGHT), (255, 255, 255, 0))
for place in square:
    alpha.putpixel((place % WIDTH, place // WIDTH), (255, 255, 255, 255))
pair("in-alpha", 0, alpha)
cut = Image.new("RGBA", (WIDTH, HEIGHT), (0, 0, 0, 0))
for place in square:
    cut.putpixel((place % WIDTH, place // WIDTH), (255, 255, 255, 255))
pair("transparent-background", 0, cut)
