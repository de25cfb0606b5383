#!/usr/bin/env python3
"""Writes small CVAT datasets with Python's standard library; run in this folder.

images/: every shape of "CVAT for images 1.1" in annotations.xml beside images/, and an image that is missing.
video/: tracks of "CVAT for video 1.1" with frames as images, one of them missing. project/: three subsets with the
same image name, as a project exports them. The elements are those of CVAT's documentation and exports; the expected
boxes in CVATImporterTests are computed by hand from the numbers below.
"""
import os
import struct
import zlib


def png(path, width, height):
    """A gray PNG with a ramp of values."""
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    rows = b"".join(b"\0" + bytes((x * 7 + y * 13) % 256 for x in range(width)) for y in range(height))

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
                + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b""))


def text(path, content):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", newline="") as f:
        f.write(content)


LABELS = """<labels>
        <label><name>car</name><attributes>
          <attribute><name>parked</name><input_type>checkbox</input_type></attribute>
          <attribute><name>plate</name><input_type>text</input_type></attribute>
          <attribute><name>doors</name><input_type>number</input_type></attribute>
        </attributes></label>
        <label><name>tree</name><attributes></attributes></label>
        <label><name>person</name><type>skeleton</type></label>
        <label><name>head</name><type>points</type><parent>person</parent></label>
        <label><name>hand</name><type>points</type><parent>person</parent></label>
        <label><name>foot</name><type>points</type><parent>person</parent></label>
        <label><name>sunny</name><type>tag</type></label>
      </labels>"""


def task(labels, more=""):
    return f"""<?xml version="1.0" encoding="utf-8"?>
<annotations>
  <version>1.1</version>
  <meta>
    <task>
      <id>4</id>
      <name>first</name>
      <size>3</size>
      {labels}
      {more}
    </task>
  </meta>
"""


png("images/images/a.png", 20, 10)
png("images/images/sub/c.png", 8, 8)
text("images/annotations.xml", task(LABELS) + """  <image id="0" name="a.png" width="20" height="10">
    <box label="car" source="manual" occluded="1" xtl="1.00" ytl="2.50" xbr="5.00" ybr="4.00" z_order="1">
      <attribute name="parked">true</attribute>
      <attribute name="plate">007</attribute>
      <attribute name="doors">4</attribute>
    </box>
    <box label="car" occluded="0" xtl="2" ytl="2" xbr="6" ybr="4" rotation="90.00" z_order="0"></box>
    <polygon label="tree" occluded="0" points="1,1;5,1;5,5" group_id="3"></polygon>
    <polyline label="tree" occluded="0" points="0,0;10,0;10,5"></polyline>
    <points label="tree" occluded="0" points="1,2;3,4"></points>
    <mask label="tree" occluded="0" rle="1, 2, 1, 2" left="3" top="1" width="3" height="2" z_order="0"></mask>
    <ellipse label="car" occluded="0" cx="10" cy="5" rx="4" ry="2"></ellipse>
    <cuboid label="car" occluded="0" xtl1="1" ytl1="2" xbl1="1" ybl1="6" xtr1="5" ytr1="2" xbr1="5" ybr1="6"
      xtl2="3" ytl2="1" xbl2="3" ybl2="5" xtr2="7" ytr2="1" xbr2="7" ybr2="5"></cuboid>
    <skeleton label="person" source="manual" z_order="0">
      <points label="foot" occluded="1" outside="0" points="4,8"></points>
      <points label="head" occluded="0" outside="0" points="4,2"></points>
      <points label="hand" occluded="0" outside="1" points="0,0"></points>
    </skeleton>
    <tag label="sunny" source="manual"></tag>
  </image>
  <image id="1" name="b.png" width="30" height="20">
  </image>
  <image id="2" name="sub/c.png" width="8" height="8">
    <box label="tree" occluded="0" xtl="0" ytl="0" xbr="8" ybr="8"/>
  </image>
</annotations>
""")

for frame in [10, 16]:
    png(f"video/images/frame_0000{frame}.png", 25, 20)
text("video/annotations.xml", task(
    LABELS, "<original_size><width>25</width><height>20</height></original_size>")
    + """  <track id="7" label="car" source="manual">
    <box frame="10" outside="0" occluded="1" keyframe="1" xtl="3" ytl="4" xbr="10" ybr="5" z_order="0">
      <attribute name="plate">x</attribute>
    </box>
    <box frame="13" outside="0" occluded="0" keyframe="0" xtl="4" ytl="4" xbr="11" ybr="5" z_order="0"></box>
    <box frame="16" outside="0" occluded="0" keyframe="1" xtl="5" ytl="4" xbr="12" ybr="5" z_order="0"></box>
    <box frame="19" outside="1" occluded="0" keyframe="1" xtl="5" ytl="4" xbr="12" ybr="5" z_order="0"></box>
  </track>
  <track id="8" label="person" source="manual">
    <skeleton frame="10" outside="0" occluded="0" keyframe="1" points="" z_order="0"></skeleton>
    <skeleton frame="16" outside="1" occluded="0" keyframe="1" points="" z_order="0"></skeleton>
    <track id="0" label="head" source="manual">
      <points frame="10" outside="0" occluded="0" keyframe="1" points="4.5,2" z_order="0"></points>
      <points frame="16" outside="1" occluded="0" keyframe="1" points="4,2" z_order="0"></points>
    </track>
    <track id="1" label="foot" source="manual">
      <points frame="10" outside="0" occluded="1" keyframe="1" points="5,8" z_order="0"></points>
    </track>
  </track>
</annotations>
""")

for subset in ["Train", "Test"]:
    png(f"project/images/{subset}/a.png", 10, 10)
text("project/annotations.xml", """<?xml version="1.0" encoding="utf-8"?>
<annotations>
  <version>1.1</version>
  <meta>
    <project>
      <id>3</id>
      <tasks>
        <task><id>1</id><name>one</name><size>1</size><subset>Train</subset></task>
        <task><id>2</id><name>two</name><size>1</size><subset>Test</subset></task>
      </tasks>
      <subsets>Train
Test</subsets>
      <labels><label><name>zebra</name></label><label><name>cat</name></label></labels>
    </project>
  </meta>
  <image id="0" name="a.png" subset="Test" task_id="2" width="10" height="10">
    <box label="cat" occluded="0" xtl="0" ytl="0" xbr="4" ybr="4"></box>
  </image>
  <image id="1" name="a.png" subset="Train" task_id="1" width="10" height="10">
    <box label="zebra" occluded="0" xtl="1" ytl="0" xbr="4" ybr="4"></box>
  </image>
</annotations>
""")
