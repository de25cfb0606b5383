"""Section 4: preprocessing. The tensors that `model inputs` writes, against the program that is imitated."""
import numpy as np

from .base import F32, MEAN, PETS, STD, U8, Graph, Refused, Wrong, image_input, names, near, need, picture, reference, row, setting, softmax
from .classifiers import find  # noqa: F401
from .detectors import THINGS, ultralytics_metadata, v8  # noqa: F401

SIDE = 64


def model_of(place, key="free", channels=3, layout="NCHW", side=SIDE, kind=F32, height=None, width=None):
    """The file of a classifier of any input."""
    cache = place.__dict__.setdefault("files", {})
    if (key, channels, layout, side) not in cache:
        graph = Graph(51)
        shape = ["N", channels, height or side, width or side] if layout == "NCHW" else ["N", height or side, width or side, channels]
        value = graph.op("Transpose", "x", perm=[0, 3, 1, 2]) if layout == "NHWC" else "x"
        graph.name(graph.logits(value, channels=channels), "y")
        model = graph.model([("x", kind, shape)], [("y", F32, ["N", 5])])
        cache[key, channels, layout, side] = place.save(model), model
    return cache[key, channels, layout, side]


def tensors(place, lines, data=None, **keys):
    """What assay gives to a model with these keys of `input`."""
    name = place.add(model_of(place, **keys)[0], f"task: classification\ninput: {{{lines}}}\nactivation: softmax\n{names(PETS)}")
    return place.tensors(name, data or place.odd())


def base(more, layout="NCHW", color="rgb", scale="1", side=SIDE):
    return f"width: {side}, height: {side}, layout: {layout}, color: {color}, scale: {scale}, offset: 0, {more}"


def planes(images):
    return [np.asarray(image, np.float64).transpose(2, 0, 1) for image in images]


def compared(place, lines, function, tolerance=1e-6, data=None, **keys):
    data = data or place.odd()
    return near("inputs", np.stack(tensors(place, lines, data, **keys)), np.stack([function(i) for i in place.images(data)]), tolerance)


def pillow(image, width, height, kind):
    from PIL import Image
    return np.asarray(Image.fromarray(image).resize((width, height), getattr(Image, kind)))


@row("4", "-", "stretch, center-crop, letterbox; rgb, bgr, gray; NCHW, NHWC: OpenCV's bilinear")
def opencv(place):
    cv2 = need("cv2")
    resize = lambda image, w=SIDE, h=SIDE: cv2.resize(image, (w, h), interpolation=cv2.INTER_LINEAR)  # noqa: E731
    compared(place, base("resize: stretch"), lambda i: resize(i).transpose(2, 0, 1))
    compared(place, base("resize: stretch", color="bgr"), lambda i: resize(i)[..., ::-1].transpose(2, 0, 1))
    compared(place, base("resize: stretch", layout="NHWC"), resize, layout="NHWC")

    def crop(image):
        h, w = image.shape[:2]
        n = min(h, w)
        top, left = (h - n) // 2, (w - n) // 2
        return resize(np.ascontiguousarray(image[top:top + n, left:left + n])).transpose(2, 0, 1)
    compared(place, base("resize: center-crop"), crop)

    def letterbox(image):
        h, w = image.shape[:2]
        ratio = min(SIDE / h, SIDE / w)
        nw, nh = int(w * ratio), int(h * ratio)
        out = np.full((SIDE, SIDE, 3), 7, np.uint8)
        top, left = (SIDE - nh) // 2, (SIDE - nw) // 2
        out[top:top + nh, left:left + nw] = resize(image, nw, nh)
        return out.transpose(2, 0, 1)
    compared(place, base("resize: letterbox, fill: 7"), letterbox)
    from PIL import Image
    compared(place, base("resize: stretch", color="gray"),
             lambda i: resize(np.asarray(Image.fromarray(i).convert("L")))[None], channels=1)
    return "six settings, inputs within 1e-06"


@row("4", "-", "odd files: gray, palette, RGBA, 16 bit, CMYK, progressive, EXIF")
def odd_files(place):
    import os
    from PIL import Image, ImageOps
    random = np.random.default_rng(61)
    folder = place.path("files")
    os.makedirs(folder, exist_ok=True)
    image = Image.fromarray(picture(random, SIDE, SIDE))
    image.convert("L").save(folder + "/gray.png")
    image.convert("P").save(folder + "/palette.png")
    image.save(folder + "/progressive.jpg", progressive=True, quality=95)
    exif = Image.Exif()
    exif[0x0112] = 6
    image.save(folder + "/turned.jpg", exif=exif, quality=95)
    image.convert("L").save(folder + "/gray.jpg", quality=95)
    keys = sorted(os.listdir(folder))
    want = [np.asarray(ImageOps.exif_transpose(Image.open(os.path.join(folder, key))).convert("RGB")) for key in keys]
    deep = (np.asarray(image.convert("L")).astype(np.uint16) * 257)
    Image.fromarray(deep).save(folder + "/sixteen.png")
    image.convert("CMYK").save(folder + "/cmyk.jpg", quality=95)
    translucent = image.convert("RGBA")
    translucent.save(folder + "/rgba.png")
    place.run("import", "files:image-folder", "--name", "files")
    place.datasets["files"] = keys, want
    name = place.add(model_of(place)[0], f"task: classification\ninput: {{{base('resize: stretch')}}}\nactivation: softmax\n{names(PETS)}")
    out = place.fresh("in")
    place.run("model", "inputs", name, "files", "--out", out)
    import json
    with open(place.path(out) + "/inputs.json", encoding="utf-8") as file:
        found = {e["sample"]: np.load(place.path(out) + "/" + e["tensor"])[0] for e in json.load(file)["inputs"]}
    for key, expected in [*zip(keys, want), ("rgba.png", np.asarray(translucent.convert("RGB"))),
                          ("sixteen.png", np.repeat(np.asarray(image.convert("L"))[..., None], 3, 2)),
                          ("cmyk.jpg", np.asarray(Image.open(folder + "/cmyk.jpg").convert("RGB")))]:
        # JPEG decoders may differ by a level or two.
        near(key, found[key], expected.transpose(2, 0, 1), 3 if key.endswith("jpg") else 1e-6)
    return f"{len(found)} files as Pillow reads them (exif_transpose); JPEG within 3 levels"


@row("4", "A", "shorter side and crop (256/224, timm's crop_pct): Pillow, torchvision's positions")
def shorter(place):
    texts = []
    for word, kind, more in (("pillow-bilinear", "BILINEAR", 73), ("pillow-bicubic", "BICUBIC", 72)):
        def crop(image):
            h, w = image.shape[:2]
            nw, nh = (more, int(more * h / w)) if w <= h else (int(more * w / h), more)
            small = pillow(image, nw, nh, kind)
            top, left = round((nh - SIDE) / 2), round((nw - SIDE) / 2)
            return small[top:top + SIDE, left:left + SIDE].transpose(2, 0, 1)
        texts.append(f"{word} {more} " + compared(place, base(f"resize: shorter-crop, shorter: {more}, filter: {word}"), crop))

    def square(image):
        small = pillow(image, 72, 72, "BICUBIC")
        return small[4:68, 4:68].transpose(2, 0, 1)
    texts.append("stretch-crop " + compared(place, base("resize: stretch-crop, shorter: 72, filter: pillow-bicubic"), square))
    return "; ".join(texts)


@row("4", "A", "torchvision's transforms on Pillow images")
def transforms(place):
    tv, torch = need("torchvision", "torch")
    from PIL import Image
    made = tv.transforms.Compose([tv.transforms.Resize(72), tv.transforms.CenterCrop(64), tv.transforms.ToTensor(),
                                  tv.transforms.Normalize(MEAN.tolist(), STD.tolist())])
    return compared(place, "preset: torchvision, width: 64, height: 64, shorter: 72", lambda i: made(Image.fromarray(i)).numpy())


@row("4", "A", "filters: Pillow's bilinear, bicubic and nearest, OpenCV's area")
def filters(place):
    texts = []
    for word, kind in (("pillow-bilinear", "BILINEAR"), ("pillow-bicubic", "BICUBIC"), ("nearest", "NEAREST")):
        texts.append(word + " " + compared(place, base(f"resize: stretch, filter: {word}"),
                                           lambda i: pillow(i, SIDE, SIDE, kind).transpose(2, 0, 1)))
    cv2 = need("cv2")
    texts.append("area " + compared(place, base("resize: stretch, filter: area"), lambda i: cv2.resize(
        i, (SIDE, SIDE), interpolation=cv2.INTER_AREA).transpose(2, 0, 1)))
    return "; ".join(texts)


@row("4", "A", "Keras' float bilinear (tf.image.resize)")
def float_bilinear(place):
    tf = need("tensorflow")
    return compared(place, "preset: keras, width: 64, height: 64", lambda i: tf.image.resize(i, (SIDE, SIDE)).numpy(), 2e-4, layout="NHWC")


@row("4", "A", "the same in numpy")
def float_numpy(place):
    def axis(image, side, over):
        size = image.shape[over]
        place_ = np.clip((np.arange(side) + 0.5) * size / side - 0.5, 0, size - 1)
        low = np.minimum(np.floor(place_).astype(int), size - 1)
        high, share = np.minimum(low + 1, size - 1), place_ - low
        shape = [1] * 3
        shape[over] = side
        share = share.reshape(shape)
        return np.take(image, low, over) * (1 - share) + np.take(image, high, over) * share
    return compared(place, "preset: keras, width: 64, height: 64",
                    lambda i: axis(axis(i.astype(np.float64), SIDE, 0), SIDE, 1), 2e-4, layout="NHWC")


@row("4", "D", "shortest and longest edge (DETR 800/1333)")
def edges(place):
    def resized(image, shorter=48, longer=80):
        h, w = image.shape[:2]
        # transformers' get_size_with_aspect_ratio
        small, large = min(h, w), max(h, w)
        raw = shorter
        if large / small * shorter > longer:
            raw = longer * small / large
            shorter = int(round(raw))
        if w <= h:
            size = (shorter, int(raw * h / w))
        else:
            size = (int(raw * w / h), shorter)
        return pillow(image, *size, "BILINEAR").transpose(2, 0, 1)
    name = place.add(model_of(place, "open", height="h", width="w")[0],
                     "task: classification\ninput: {layout: NCHW, color: rgb, scale: 1, offset: 0, resize: edges, shorter: 48,"
                     f" longer: 80, filter: pillow-bilinear}}\nactivation: softmax\n{names(PETS)}")
    data = place.odd()
    for found, image in zip(place.tensors(name, data), place.images(data)):
        near(f"inputs of {image.shape}", found, resized(image), 1e-6)
    return "6 sizes, inputs within 1e-06"


@row("4", "D", "Hugging Face's DetrImageProcessorPil")
def edges_detr(place):
    hf, _ = need("transformers", "torch")
    from PIL import Image
    kind = getattr(hf, "DetrImageProcessorPil", hf.DetrImageProcessor)
    processor = kind(size={"shortest_edge": 48, "longest_edge": 80}, do_pad=False)
    name = place.add(model_of(place, "open", height="h", width="w")[0],
                     f"task: classification\ninput: {{preset: detr, shorter: 48, longer: 80}}\nactivation: softmax\n{names(PETS)}")
    data = place.odd()
    for found, image in zip(place.tensors(name, data), place.images(data)):
        near(f"inputs of {image.shape}", found, processor(Image.fromarray(image), return_tensors="np")["pixel_values"][0], 1e-6)
    return "6 sizes, inputs within 1e-06"


@row("4", "D", "rectangles of multiples of 32 (Ultralytics' rect)")
def rectangles(place):
    cv2 = need("cv2")

    def rect(image):
        h, w = image.shape[:2]
        ratio = min(96 / h, 96 / w)
        nw, nh = round(w * ratio), round(h * ratio)
        dw, dh = (96 - nw) % 32 / 2, (96 - nh) % 32 / 2
        small = cv2.resize(image, (nw, nh), interpolation=cv2.INTER_LINEAR) if (nw, nh) != (w, h) else image
        return cv2.copyMakeBorder(small, round(dh - 0.1), round(dh + 0.1), round(dw - 0.1), round(dw + 0.1), cv2.BORDER_CONSTANT,
                                  value=(114, 114, 114)).transpose(2, 0, 1)
    name = place.add(model_of(place, "open", height="h", width="w")[0],
                     "task: classification\ninput: {preset: ultralytics, width: 96, height: 96, multiple: 32, scale: 1, offset: 0}\n"
                     f"activation: softmax\n{names(PETS)}")
    data = place.odd()
    for found, image in zip(place.tensors(name, data), place.images(data)):
        near(f"inputs of {image.shape}", found, rect(image), 1e-6)
    return "6 sizes, inputs within 1e-06"


@row("4", "-", "mean and std as such; a value per channel; the equal scale and offset")
def mean_std(place):
    data = place.pets()
    want = ((np.stack(place.images(data)) / 255 - MEAN) / STD).transpose(0, 3, 1, 2)
    lines = f"width: 64, height: 64, layout: NCHW, color: rgb, resize: stretch"
    first = near("mean", np.stack(tensors(place, f"{lines}, mean: {MEAN.tolist()}, std: {STD.tolist()}", data)), want, 1e-6)
    scale, offset = (1 / 255 / STD).tolist(), (-MEAN / STD).tolist()
    return first + ", " + near("scale", np.stack(tensors(place, f"{lines}, scale: {scale}, offset: {offset}", data)), want, 1e-6)


@row("4", "D", "a fill per channel: refused")
def fills(place):
    lines = base("resize: letterbox, fill: [1, 2, 3]")
    return "refused", place.add_refused(model_of(place)[0], f"task: classification\ninput: {{{lines}}}\nactivation: softmax\n{names(PETS)}",
                                        reason="fill", step="number|0 to 255|0…255")


@row("4", "D", "standardisation of each image, sliding windows: refused")
def missing(place):
    file, texts = model_of(place)[0], []
    for more in ("standardize: per-image", "window: 64", "resize: sliding-window"):
        lines = base(more if "resize" in more else "resize: stretch, " + more)
        place.add_refused(file, f"task: classification\ninput: {{{lines}}}\nactivation: softmax\n{names(PETS)}",
                          reason="unknown|fill|resize|not", step="keys|one of|number|stretch|did you mean|known|Docs")
        texts.append(more)
    return "refused", "; ".join(texts)


@row("4", "A", "model audit finds the recipe: red and blue, scale")
def audit(place):
    data = place.pets()
    graph = Graph(52)
    # Classes by the strongest channel after a fixed contrast: the answer depends on the color order.
    features = graph.op("Flatten", graph.op("GlobalAveragePool", "x"), axis=1)
    graph.name(graph.dense(features, 3, 5, 20.0), "y")
    file = place.save(graph.model([image_input()], [("y", F32, ["N", 5])]))
    name = place.add(file, f"task: classification\n{setting()}activation: softmax\n{names(PETS)}")
    text = " ".join(place.run("model", "audit", name, data).split())
    if "bgr" not in text.lower():
        raise Wrong(f"audit does not try bgr: {text[:300]}")
    return text[:160]
