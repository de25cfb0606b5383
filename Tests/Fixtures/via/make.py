#!/usr/bin/env python3
"""Writes small VIA datasets with Python's standard library; run in this folder.

project/: a project of VIA 2 with two region attributes in use, of which --classes chooses one. regions.json: region data
alone. one/: a project with one attribute and all shapes. table/: the CSV of VIA 2. first/: region data of VIA 1.
"""
import csv
import json
import os
import struct
import zlib


def png(path, width, height):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    rows = b"".join(b"\0" + bytes((x * 7 + y * 13) % 256 for x in range(width)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def write(path, content):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as f:
        f.write(json.dumps(content) + "\n")


def region(shape, **attributes):
    return {"shape_attributes": shape, "region_attributes": attributes}


def image(name, regions, **attributes):
    return {f"{name}120": {"filename": name, "size": 120, "regions": regions, "file_attributes": attributes}}


def rect(x, y, width, height):
    return {"name": "rect", "x": x, "y": y, "width": width, "height": height}


shapes = [
    region(rect(2, 1, 8, 6), kind="dog"),
    region({"name": "polygon", "all_points_x": [0, 4, 4, 0], "all_points_y": [0, 0, 4, 4]}, kind="cat"),
    region({"name": "circle", "cx": 10, "cy": 5, "r": 4}, kind="ball"),
    region({"name": "ellipse", "cx": 10, "cy": 5, "rx": 4, "ry": 2, "theta": 1.5707963267948966}, kind="ball"),
    region({"name": "polyline", "all_points_x": [0, 5, 9], "all_points_y": [0, 5, 0]}, kind="line"),
    region({"name": "point", "cx": 3, "cy": 4}, kind="eye"),
]
attributes = {"region": {"kind": {"type": "dropdown", "description": "", "options": {
    name: "" for name in ["eye", "line", "ball", "cat", "dog", "bird"]}, "default_options": {}}}, "file": {}}


def project(metadata, attributes):
    return {"_via_settings": {"ui": {}, "core": {"default_filepath": ""}, "project": {"name": "x"}},
            "_via_img_metadata": metadata, "_via_attributes": attributes, "_via_data_format_version": "2.0.10",
            "_via_image_id_list": list(metadata)}


write("one/via_project.json", project({**image("a.png", shapes, caption="two animals"), **image("b.png", [])}, attributes))
two = {**image("a.png", [region(rect(2, 1, 8, 6), kind="dog", quality={"good": True, "frontal": True})]),
       **image("b.png", [region(rect(0, 0, 2, 2), kind="cat", quality={"good": True})])}
write("project/via_project.json", project(two, {"region": {}, "file": {}}))
write("regions.json", image("a.png", shapes[:2]))
write("first/via_region_data.json", {"a.png120": {
    "fileref": "", "size": 120, "filename": "a.png", "base64_img_data": "", "file_attributes": {},
    "regions": {"0": shapes[0], "1": shapes[1]}}})
os.makedirs("table", exist_ok=True)
with open("table/via_export_csv.csv", "w", newline="") as f:
    rows = csv.writer(f, lineterminator="\n")
    rows.writerow("filename,file_size,file_attributes,region_count,region_id,region_shape_attributes,region_attributes".split(","))
    for number, shape in enumerate(shapes):
        rows.writerow(["a.png", 120, '{"caption":"two animals"}', len(shapes), number, json.dumps(shape["shape_attributes"]),
                       json.dumps(shape["region_attributes"])])
    rows.writerow(["b.png", 120, "{}", 0, 0, "{}", "{}"])


def entry(vid, xy, z=(), **av):
    return {"vid": vid, "flg": 0, "z": list(z), "xy": xy, "av": {name[1:]: value for name, value in av.items()}}


write("three/via_project.json", {
    "project": {"pid": "__VIA_PROJECT_ID__", "rev": "__VIA_PROJECT_REV_ID__", "rev_timestamp": "__VIA_PROJECT_REV_TIMESTAMP__",
                "pname": "x", "creator": "VGG Image Annotator (http://www.robots.ox.ac.uk/~vgg/software/via)",
                "created": 1649082838493, "data_format_version": "3.1.1", "vid_list": ["1", "2", "3"]},
    "config": {"file": {"loc_prefix": {"1": "", "2": "", "3": "", "4": ""}},
               "ui": {"file_content_align": "center", "file_metadata_editor_visible": True,
                      "spatial_metadata_editor_visible": True, "spatial_region_label_attribute_id": "1"}},
    "attribute": {
        "1": {"aname": "kind", "anchor_id": "FILE1_Z0_XY1", "type": 3, "desc": "",
              "options": {"0": "eye", "1": "line", "2": "ball", "3": "cat", "4": "dog"}, "default_option_id": ""},
        "2": {"aname": "state", "anchor_id": "FILE1_Z0_XY1", "type": 2, "desc": "",
              "options": {"w": "wet", "d": "dirty"}, "default_option_id": ""},
        "3": {"aname": "caption", "anchor_id": "FILE1_Z0_XY0", "type": 1, "desc": "", "options": {}, "default_option_id": ""},
        "4": {"aname": "activity", "anchor_id": "FILE1_Z2_XY0", "type": 4, "desc": "",
              "options": {"0": "walks"}, "default_option_id": ""}},
    "file": {"1": {"fid": "1", "fname": "a.png", "type": 2, "loc": 1, "src": ""},
             "2": {"fid": "2", "fname": "b.png", "type": 2, "loc": 2, "src": "http://example.org/photos/b.png"},
             "3": {"fid": "3", "fname": "film.mp4", "type": 4, "loc": 1, "src": ""}},
    "metadata": {
        "1_aaaaaaa0": entry("1", [2, 2, 1, 8, 6], _1="4", _2="w,d"),
        "1_aaaaaaa1": entry("1", [7, 0, 0, 4, 0, 4, 4, 0, 4], _1="3"),
        "1_aaaaaaa2": entry("1", [3, 10, 5, 4], _1="2"),
        "1_aaaaaaa3": entry("1", [4, 10, 5, 4, 2], _1="2"),
        "1_aaaaaaa4": entry("1", [6, 0, 0, 5, 5, 9, 0], _1="1"),
        "1_aaaaaaa5": entry("1", [5, 0, 0, 5, 5], _1="1"),
        "1_aaaaaaa6": entry("1", [1, 3, 4], _1="0"),
        "1_aaaaaaa7": entry("1", [8, 2, 5, 6, 1, 9, 4, 5, 8], _1="4"),
        "1_aaaaaaa8": entry("1", [9, 6, 5, 10, 1, 14, 5], _1="2"),
        "1_aaaaaaa9": entry("1", [], _3="two animals"),
        "3_aaaaaaa0": entry("3", [], z=[1.5, 2.25], _4="0"),
        "3_aaaaaaa1": entry("3", [2, 0, 0, 2, 2], z=[1.5], _1="4")},
    "view": {"1": {"fid_list": ["1"]}, "2": {"fid_list": ["2"]}, "3": {"fid_list": ["3"]}}})
for folder in ["one", "project", "first", "table", "three"]:
    png(f"{folder}/a.png", 20, 10)
    if folder != "first":
        png(f"{folder}/b.png", 8, 8)
