#!/usr/bin/env python3
"""Writes the archives of this folder, and contents.json: the SHA-256 of each file that must be read from them.

Made with CPython 3.11's zipfile and tarfile; the same version writes the same bytes.
"""
import gzip
import hashlib
import io
import json
import os
import stat
import struct
import tarfile
import zipfile

HERE = os.path.dirname(os.path.abspath(__file__))
FIXTURES = os.path.dirname(HERE)
TIME = (2024, 2, 29, 12, 34, 56)


def tree(name, top=""):
    root = os.path.join(FIXTURES, name)
    files = {}
    for folder, _, names in os.walk(root):
        for file in names:
            path = os.path.join(folder, file)
            files[top + os.path.relpath(path, root).replace(os.sep, "/")] = open(path, "rb").read()
    return dict(sorted(files.items()))


def coco():
    images = tree("image-folder/classes")
    png = images["cat/1.png"]
    width, height = struct.unpack(">II", png[16:24])
    names = ["0001.png", "0002.png", "a name of more than a hundred characters, in which ü and 猫 stand, " + "x" * 60 + ".png"]
    instances = {
        "images": [{"id": i + 1, "file_name": name, "width": width, "height": height} for i, name in enumerate(names)],
        "annotations": [
            {"id": 1, "image_id": 1, "category_id": 7, "bbox": [0, 0, 2, 2], "area": 4, "iscrowd": 0,
             "segmentation": [[0, 0, 2, 0, 2, 2, 0, 2]]},
            {"id": 2, "image_id": 3, "category_id": 9, "bbox": [1, 1, 1, 1], "area": 1, "iscrowd": 0,
             "segmentation": [[1, 1, 2, 1, 2, 2, 1, 2]]},
        ],
        "categories": [{"id": 7, "name": "cat"}, {"id": 9, "name": "dog"}],
    }
    files = {"tiny/annotations/instances_val2017.json": json.dumps(instances).encode()}
    files |= {"tiny/val2017/" + name: png for name in names}
    return files


def write_zip(name, files, method=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(os.path.join(HERE, name), "w", method) as archive:
        for path, data in files.items():
            entry = zipfile.ZipInfo(path, TIME)
            entry.compress_type = method
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)


def write_tar(name, files, format):
    with tarfile.open(os.path.join(HERE, name), "w", format=format) as archive:
        for path, data in files.items():
            entry = tarfile.TarInfo(path)
            entry.size = len(data)
            entry.mtime = 1709210096.5 if format == tarfile.PAX_FORMAT else 1709210096
            archive.addfile(entry, io.BytesIO(data))


def write_gzip(name, source, sizes=()):
    """The bytes of an archive as gzip members of the given sizes, the last one with the rest."""
    data = open(os.path.join(HERE, source), "rb").read()
    with open(os.path.join(HERE, name), "wb") as file:
        for size in [*sizes, len(data)]:
            file.write(gzip.compress(data[:size], 9, mtime=0))
            data = data[size:]


def large(name, files):
    """A zip archive whose sizes, offsets and counts are all in the fields of zip64."""
    body, directory = b"", b""
    import zlib
    for path, data in files.items():
        packer = zlib.compressobj(9, zlib.DEFLATED, -15)
        packed = packer.compress(data) + packer.flush()
        raw = path.encode()
        facts = struct.pack("<HHHHHI", 45, 0x800, 8, 0x6000, 0x5841, zlib.crc32(data))
        big = struct.pack("<II", 0xFFFFFFFF, 0xFFFFFFFF)
        directory += (b"PK\1\2" + struct.pack("<H", 45 | 3 << 8) + facts + big
                      + struct.pack("<HHHHHII", len(raw), 28, 0, 0, 0, 0o644 << 16, 0xFFFFFFFF) + raw
                      + struct.pack("<HHQQQ", 1, 24, len(data), len(packed), len(body)))
        body += (b"PK\3\4" + facts + big + struct.pack("<HH", len(raw), 20) + raw
                 + struct.pack("<HHQQ", 1, 16, len(data), len(packed)) + packed)
    end = struct.pack("<4sQHHIIQQQQ", b"PK\6\6", 44, 45, 45, 0, 0, len(files), len(files), len(directory), len(body))
    locator = struct.pack("<4sIQI", b"PK\6\7", 0, len(body) + len(directory), 1)
    last = struct.pack("<4sHHHHIIH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0)
    path = os.path.join(HERE, name)
    open(path, "wb").write(body + directory + end + locator + last)
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None and {n: archive.read(n) for n in archive.namelist()} == files


def odd_zip():
    path = os.path.join(HERE, "odd.zip")
    with zipfile.ZipFile(path, "w") as archive:
        def add(name, data, method=zipfile.ZIP_DEFLATED, mode=stat.S_IFREG | 0o644, system=3):
            entry = zipfile.ZipInfo("x", TIME)
            entry.filename = name
            entry.compress_type = method
            entry.external_attr = mode << 16
            entry.create_system = system
            archive.writestr(entry, data)
        add("a.txt", b"first")
        add("../outside.txt", b"x")
        add("in/../../outside.txt", b"x")
        add("/etc/absolute.txt", b"x")
        add("C:/drive.txt", b"x")
        add("link.txt", b"a.txt", mode=stat.S_IFLNK | 0o777)
        add(".hidden/x.txt", b"x")
        add("in/.DS_Store", b"x")
        add("__MACOSX/._a.txt", b"x")
        add("bzip2.txt", b"x" * 100, zipfile.ZIP_BZIP2)
        add("lzma.txt", b"x" * 100, zipfile.ZIP_LZMA)
        add("secret.txt", b"encrypted")
        add("./in//b.txt", b"b")
        add("in\\windows.txt", b"w", system=0)
        add("p437-Q.txt", b"code page")
        add("empty.txt", b"")
        add("folder/", b"", mode=stat.S_IFDIR | 0o755)
    data = open(path, "rb").read()
    # The flag of encryption, in both headers of secret.txt.
    for sign, flags, name in ((b"PK\3\4", 6, 30), (b"PK\1\2", 8, 46)):
        place = data.index(b"secret.txt") if sign == b"PK\3\4" else data.rindex(b"secret.txt")
        place += flags - name
        data = data[:place] + bytes([data[place] | 1]) + data[place + 1:]
    # A second a.txt, as programs append it: zipfile would warn.
    open(path, "wb").write(data)
    with zipfile.ZipFile(path, "a") as archive:
        import warnings
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            archive.writestr(zipfile.ZipInfo("a.txt", TIME), b"second")
    comment = b"PK\5\6 is also in the comment, which confuses zipfile"
    data = open(path, "rb").read()
    data = data.replace(b"p437-Q.txt", b"p437-\x81.txt")
    open(path, "wb").write(data[:-2] + struct.pack("<H", len(comment)) + comment)
    return {"a.txt": b"second", "in/b.txt": b"b", "in/windows.txt": b"w", "p437-ü.txt": b"code page", "empty.txt": b""}


def odd_tar():
    with tarfile.open(os.path.join(HERE, "odd.tar"), "w", format=tarfile.GNU_FORMAT) as archive:
        def add(name, data=b"", kind=tarfile.REGTYPE, target=""):
            entry = tarfile.TarInfo(name)
            entry.size = len(data)
            entry.type = kind
            entry.linkname = target
            archive.addfile(entry, io.BytesIO(data))
        add("folder", kind=tarfile.DIRTYPE)
        add("./folder/a.txt", b"first")
        add("../outside.txt", b"x")
        add("/etc/absolute.txt", b"x")
        add("symbolic.txt", kind=tarfile.SYMTYPE, target="folder/a.txt")
        add("hard.txt", kind=tarfile.LNKTYPE, target="folder/a.txt")
        add("pipe", kind=tarfile.FIFOTYPE)
        add(".hidden/x.txt", b"x")
        add("folder/a.txt", b"second")
        add("empty.txt")
    return {"folder/a.txt": b"second", "empty.txt": b""}


def main():
    contents = {}
    splits = tree("image-folder/splits")
    yolo = tree("yolo/ultralytics", "ultralytics/")
    write_zip("splits.zip", splits)
    write_zip("splits-stored.zip", splits, zipfile.ZIP_STORED)
    write_tar("splits.tar", splits, tarfile.USTAR_FORMAT)
    write_zip("yolo.zip", yolo)
    write_tar("coco.tar", coco(), tarfile.PAX_FORMAT)
    write_tar("coco-gnu.tar", coco(), tarfile.GNU_FORMAT)
    write_gzip("splits.tar.gz", "splits.tar")
    write_gzip("coco-members.tgz", "coco.tar", [700, 1, 1536, 2000])
    large("large.zip", splits)
    fer = {"fer2013.csv": b"emotion,pixels,Usage\n3,1 2 3 4,Training\n4,5 6 7 8,PrivateTest\n"}
    write_zip("fer.zip", fer)
    contents = {"splits.zip": splits, "splits-stored.zip": splits, "splits.tar": splits, "splits.tar.gz": splits,
                "coco-members.tgz": coco(), "yolo.zip": yolo,
                "coco.tar": coco(), "coco-gnu.tar": coco(), "large.zip": splits, "fer.zip": fer,
                "odd.zip": odd_zip(), "odd.tar": odd_tar()}
    hashes = {name: {path: hashlib.sha256(data).hexdigest() for path, data in files.items()}
              for name, files in contents.items()}
    with open(os.path.join(HERE, "contents.json"), "w") as file:
        json.dump(hashes, file, indent=1, sort_keys=True, ensure_ascii=False)
        file.write("\n")


main()
