#!/usr/bin/env python3
"""Writes small record files with TensorFlow, in the layouts that people have; run in this folder.

Made with tensorflow-cpu 2.21.0 and pillow (the versions are in golden.json):

    python3 -m venv /tmp/v && /tmp/v/bin/pip install tensorflow-cpu pillow
    /tmp/v/bin/python make.py

detection/: TensorFlow's Object Detection API, with label_map.pbtxt. masks/: the same with a PNG mask and points for each object.
imagenet/: shards without suffix, labels as numbers and texts, and boxes with the label's number. segmentation/: DeepLab's
index masks. datasets/: the features of TensorFlow Datasets (class lists, boxes from the top) with their files. corners/ and own/: boxes in
pixels. flowers/: labels without names. tags/: several labels. packed/: fields that are not packed, split lists, repeated keys (written by hand).
sequence/, raw/, gzip/, zlib/, broken/: what is refused, in part or whole. golden.json: checksums of random bytes, and the records as TensorFlow reads them.
"""
import io
import json
import os
import random
import shutil
import struct

import PIL
import tensorflow as tf
from PIL import Image

FOLDERS = ("detection", "masks", "imagenet", "segmentation", "datasets/1.0.0", "corners", "own", "flowers", "tags", "packed", "sequence", "raw",
           "gzip", "zlib", "broken")
for folder in FOLDERS:
    shutil.rmtree(folder.split("/")[0], ignore_errors=True)
    os.makedirs(folder)

WIDTH, HEIGHT = 20, 10


def encoded(kind, color, size=(WIDTH, HEIGHT), mode="RGB"):
    buffer = io.BytesIO()
    Image.new(mode, size, color).save(buffer, kind)
    return buffer.getvalue()


def picture(i):
    return encoded("JPEG" if i % 2 else "PNG", (40 * i % 256, 90, 200 - 30 * i % 200))


def mask(left, top, right, bottom, value=1):
    image = Image.new("L", (WIDTH, HEIGHT))
    for y in range(top, bottom):
        for x in range(left, right):
            image.putpixel((x, y), value)
    buffer = io.BytesIO()
    image.save(buffer, "PNG")
    return buffer.getvalue()


def feature(values):
    values = values if isinstance(values, list) else [values]
    if values and isinstance(values[0], float):
        return tf.train.Feature(float_list=tf.train.FloatList(value=values))
    if values and isinstance(values[0], int):
        return tf.train.Feature(int64_list=tf.train.Int64List(value=values))
    values = [v.encode() if isinstance(v, str) else v for v in values]
    return tf.train.Feature(bytes_list=tf.train.BytesList(value=values))


def example(fields):
    return tf.train.Example(features=tf.train.Features(feature={k: feature(v) for k, v in fields.items()})).SerializeToString()


def write(path, records, options=None):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with tf.io.TFRecordWriter(path, options=options) as writer:
        for record in records:
            writer.write(record if isinstance(record, bytes) else example(record))


def objects(i, boxes, texts, labels, **more):
    """The Object Detection API's fields; boxes are xmin, ymin, xmax, ymax in pixels."""
    fields = {
        "image/height": HEIGHT, "image/width": WIDTH, "image/filename": f"street/{i}.jpg", "image/source_id": str(100 + i),
        "image/key/sha256": "0" * 64, "image/encoded": picture(i), "image/format": "jpeg" if i % 2 else "png",
    }
    for place, (name, side) in enumerate((("xmin", WIDTH), ("ymin", HEIGHT), ("xmax", WIDTH), ("ymax", HEIGHT))):
        fields["image/object/bbox/" + name] = [float(b[place]) / side for b in boxes]
    if texts:
        fields["image/object/class/text"] = texts
    fields["image/object/class/label"] = labels
    fields.update(more)
    return fields


# Object Detection API.
MAP = """# Comments are allowed.
item {
  id: 2
  name: 'dog'
}
item: <
  name: "/m/01g317", id: 1
  display_name: 'per' 'son'
  keypoints { id: 7 label: "nose" }
>
"""
open("detection/label_map.pbtxt", "w").write(MAP)
write("detection/train.record-00000-of-00002", [
    objects(0, [(2, 1, 10, 6), (12, 4, 18, 10)], ["person", "dog"], [1, 2], **{
        "image/object/difficult": [0, 1], "image/object/view": ["front", "left"], "image/object/is_crowd": [0, 1]}),
    objects(1, [], [], []),
])
write("detection/train.record-00001-of-00002", [
    # The number alone, a text that the map does not have, and one with another number.
    objects(2, [(0, 0, 20, 10)], [], [2]),
    objects(3, [(1, 1, 5, 5), (5, 5, 9, 9)], ["cat", "dog"], [3, 1]),
    objects(4, [(1, 1, 5, 5), (2, 2, 6, 6)], [], [9, 1]),
    objects(5, [(1, 1, 5, 5)], ["dog"], [2], **{"image/object/bbox/xmax": [0.5, 0.6]}),
])
write("detection/test.record-00000-of-00001", [objects(6, [(3, 2, 7, 8)], ["person"], [1])])

# Masks and points of objects.
write("masks/val.tfrecord", [
    objects(0, [(2, 1, 10, 6), (12, 4, 18, 10)], ["a", "b"], [1, 2], **{
        "image/object/mask": [mask(2, 1, 10, 6), mask(12, 5, 17, 10, 255)],
        "image/object/keypoint/x": [0.25, 0.5, float("nan"), 0.75], "image/object/keypoint/y": [0.5, 0.5, float("nan"), 0.9],
        "image/object/keypoint/visibility": [2, 1, 0, 2]}),
    objects(1, [(0, 0, 4, 4)], ["a"], [1], **{"image/object/mask": [encoded("PNG", 1, (4, 4), "L")]}),
])

# Image models: shards without suffix.
for split, count in (("train", 3), ("validation", 2)):
    for shard in range(2):
        rows = []
        for i in range(count):
            number = 1 + (i + shard) % 2
            fields = {
                "image/encoded": picture(i), "image/format": "JPEG", "image/colorspace": "RGB", "image/channels": 3,
                "image/height": HEIGHT, "image/width": WIDTH, "image/class/label": number,
                "image/class/text": ["tench", "goldfish"][number - 1], "image/class/synset": f"n0144{number}",
                "image/filename": f"{split}_{shard}_{i}.JPEG",
            }
            if i == 0:
                for name, value in (("xmin", 0.1), ("ymin", 0.2), ("xmax", 0.5), ("ymax", 0.8)):
                    fields["image/object/bbox/" + name] = [value]
                fields["image/object/bbox/label"] = [number]
            rows.append(fields)
        write(f"imagenet/{split}-{shard:05d}-of-00002", rows)

# DeepLab.
write("segmentation/train-00000-of-00001.tfrecord", [{
    "image/encoded": picture(i), "image/format": "png", "image/filename": f"{i}", "image/height": HEIGHT, "image/width": WIDTH,
    "image/channels": 3, "image/segmentation/class/encoded": mask(2, 1, 10, 6, 1 + i),
    "image/segmentation/class/format": "png"} for i in range(3)])

# TensorFlow Datasets.
open("datasets/1.0.0/label.labels.txt", "w").write("cat\ndog\n")
open("datasets/1.0.0/objects-label.labels.txt", "w").write("eye\near\n")
json.dump({"name": "pets", "fileFormat": "tfrecord"}, open("datasets/1.0.0/dataset_info.json", "w"))
json.dump({"pythonClassName": "FeaturesDict"}, open("datasets/1.0.0/features.json", "w"))
write("datasets/1.0.0/pets-train.tfrecord-00000-of-00001", [
    {"image": picture(0), "image/filename": "x.png", "label": 1, "objects/bbox": [0.1, 0.2, 0.5, 0.6, 0.0, 0.0, 1.0, 1.0],
     "objects/label": [1, 0]},
    {"image": picture(1), "label": 0},
])
write("datasets/1.0.0/pets-test.tfrecord-00000-of-00001", [{"image": picture(2), "label": -1}])

# Boxes in pixels; labels without names; several labels.
write("corners/data.tfrecord", [objects(0, [(2 * WIDTH, 1 * HEIGHT, 10 * WIDTH, 6 * HEIGHT)], ["a"], [1])])
write("own/data.tfrecord", [{
    "img": picture(i), "box": [2.0, 1.0, 8.0, 5.0], "kind": ["x"]} for i in range(2)])
for split, rows in (("train", 3), ("test", 1)):
    write(f"flowers/{split}/00-64x64-{rows}.tfrec", [dict(
        [("image", picture(i)), ("id", f"f{i}")] + ([("class", i)] if split == "train" else [])) for i in range(rows)])
write("tags/tags.tfrec", [{"image/encoded": picture(0), "image/class/text": ["red", "round", "red"]}])


# Wire forms that other writers choose.
def varint(n):
    out = b""
    while True:
        out += bytes([n & 127 | (128 if n > 127 else 0)])
        n >>= 7
        if not n:
            return out


def field(number, body):
    return varint(number << 3 | 2) + varint(len(body)) + body


def entry(key, body):
    return field(1, field(1, key.encode()) + field(2, body))


ints = b"".join(varint(1 << 3) + varint(n) for n in (3,))
floats = b"".join(varint(1 << 3 | 5) + struct.pack("<f", x) for x in (0.5,))
packed = entry("label", field(3, ints)) + entry("weight", field(2, floats))
packed += entry("image", field(1, field(1, b"old"))) + entry("image", field(1, field(1, picture(0))))
packed += entry("name", field(1, field(1, b"a")))
# Two messages of features are one.
record = field(1, packed) + field(1, entry("extra", field(3, field(1, varint((1 << 64) - 5)))))
write("packed/one.tfrecords", [record])
parsed = tf.train.Example.FromString(record)
assert parsed.features.feature["label"].int64_list.value[:] == [3]
assert parsed.features.feature["extra"].int64_list.value[:] == [-5]

# What is not read.
write("sequence/a.tfrecord", [tf.train.SequenceExample(feature_lists=tf.train.FeatureLists(feature_list={
    "frames": tf.train.FeatureList(feature=[feature(picture(0))])})).SerializeToString()])
write("raw/a.tfrecord", [{"image_raw": bytes(28 * 28), "label": 3, "height": 28, "width": 28}])
write("gzip/a.tfrecord", [{"image": picture(0), "label": 3}], tf.io.TFRecordOptions(compression_type="GZIP"))
write("zlib/b.tfrecord", [{"image": picture(0), "label": 3}], tf.io.TFRecordOptions(compression_type="ZLIB"))
rows = [{"image": picture(i), "label": i % 2} for i in range(4)]
write("broken/a.tfrecord", rows)
whole = bytearray(open("broken/a.tfrecord", "rb").read())
ends, place = [], 0
while place < len(whole):
    place += 16 + struct.unpack("<Q", whole[place:place + 8])[0]
    ends.append(place)
whole[ends[0] + 40] ^= 1  # in the second record
open("broken/a.tfrecord", "wb").write(whole[:ends[2] + 30])

random.seed(5)
sums = []
for count in (0, 1, 7, 8, 9, 63, 64, 1000):
    data = random.randbytes(count)
    write("/tmp/crc/one", [data])
    framed = open("/tmp/crc/one", "rb").read()
    sums.append({"bytes": data.hex(), "masked": struct.unpack("<I", framed[-4:])[0]})
golden = {"tensorflow": tf.__version__, "pillow": PIL.__version__, "checksums": sums, "records": {}}
for folder, _, names in sorted(os.walk(".")):
    for name in sorted(names):
        path = os.path.join(folder, name)[2:]
        if path.startswith(("gzip", "zlib", "broken", "sequence")) or not any(s in name for s in (".tfrec", ".record", "-of-")):
            continue
        golden["records"][path] = [
            {k: list(getattr(v, v.WhichOneof("kind")).value) if v.WhichOneof("kind") == "int64_list" else
             len(getattr(v, v.WhichOneof("kind")).value) if v.WhichOneof("kind") else 0
             for k, v in sorted(tf.train.Example.FromString(r.numpy()).features.feature.items())}
            for r in tf.data.TFRecordDataset(path)]
json.dump(golden, open("golden.json", "w"), indent=1, sort_keys=True)
