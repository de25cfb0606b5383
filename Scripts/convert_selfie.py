#!/usr/bin/env python3
"""Make MediaPipe's person segmentation a plain TensorFlow Lite file.

    convert_selfie.py IN.tflite OUT.tflite

The last but one operator of `selfie_segmentation.tflite` is MediaPipe's own `Convolution2DTransposeBias`,
which no other runtime knows. This writes the same model with TRANSPOSE_CONV (stride 2, no padding) and ADD in
its place; every weight stays as it is. Python's standard library is all that it needs.

A FlatBuffers file refers forwards only. So the tables whose lists get longer (model, subgraph) are written
anew in front of the old bytes, which stay as they are, and refer into them.
"""
import struct
import sys

TRANSPOSE_CONV, TRANSPOSE_CONV_OPTIONS, ADD, ADD_OPTIONS, CUSTOM, INT32 = 67, 49, 0, 11, 32, 2
PADDING_VALID = 1
CUSTOM_NAME = b"Convolution2DTransposeBias"


def fail(text):
    raise SystemExit(f"convert_selfie: {text}")


class Reader:
    """Looks into the old bytes; places are counted from their beginning."""

    def __init__(self, data):
        self.data = data

    def number(self, form, place):
        return struct.unpack_from("<" + form, self.data, place)[0]

    def follow(self, place):
        return place + self.number("I", place)

    def field(self, table, index):
        """The place of a table's field, None where it has its default."""
        vtable = table - self.number("i", table)
        slot = 4 + 2 * index
        offset = self.number("H", vtable + slot) if slot < self.number("H", vtable) else 0
        return table + offset if offset else None

    def vector(self, table, index):
        """The places of the elements (4 bytes each) of a table's list."""
        field = self.field(table, index)
        if field is None:
            return []
        start = self.follow(field)
        return [start + 4 + 4 * i for i in range(self.number("I", start))]

    def tables(self, table, index):
        return [self.follow(place) for place in self.vector(table, index)]

    def text(self, table, index):
        field = self.field(table, index)
        if field is None:
            return b""
        start = self.follow(field)
        return self.data[start + 4:start + 4 + self.number("I", start)]


class Writer:
    """New bytes in front of the old ones. References are filled in once all places are known."""

    def __init__(self):
        self.bytes = bytearray()
        self.references = []  # (where, "new" or "old", target)

    def align(self, size=4):
        self.bytes += bytes(-len(self.bytes) % size)

    def reference(self, target):
        self.references.append((len(self.bytes), target))
        self.bytes += bytes(4)

    def table(self, fields):
        """A table; fields are (index, struct form, value) or (index, "ref", target)."""
        self.align(8)
        vtable = len(self.bytes)
        count = max((index for index, _, _ in fields), default=-1) + 1
        self.bytes += bytes(4 + 2 * count)
        self.align(8)
        start = len(self.bytes)
        self.bytes += struct.pack("<i", start - vtable)
        # The widest first, each at a multiple of its width.
        for index, form, value in sorted(fields, key=lambda field: -4 if field[1] == "ref" else -struct.calcsize(field[1])):
            self.align(4 if form == "ref" else struct.calcsize(form))
            struct.pack_into("<H", self.bytes, vtable + 4 + 2 * index, len(self.bytes) - start)
            if form == "ref":
                self.reference(value)
            else:
                self.bytes += struct.pack("<" + form, value)
        struct.pack_into("<HH", self.bytes, vtable, 4 + 2 * count, len(self.bytes) - start)
        return start

    def references_to(self, targets):
        self.align()
        start = len(self.bytes)
        self.bytes += struct.pack("<I", len(targets))
        for target in targets:
            self.reference(target)
        return start

    def numbers(self, values):
        self.align()
        start = len(self.bytes)
        self.bytes += struct.pack(f"<I{len(values)}i", len(values), *values)
        return start

    def data(self, content, alignment=16):
        """A list of bytes whose content is aligned."""
        while (len(self.bytes) + 4) % alignment:
            self.bytes += b"\0"
        start = len(self.bytes)
        self.bytes += struct.pack("<I", len(content)) + content
        return start

    def finish(self, old):
        """The whole file: new bytes, then the old ones."""
        self.align(16)
        lead = len(self.bytes)
        for where, (kind, target) in self.references:
            place = target() if callable(target) else target
            distance = (lead + place if kind == "old" else place) - where
            if distance <= 0:
                fail("a reference would go backwards")
            struct.pack_into("<I", self.bytes, where, distance)
        return bytes(self.bytes) + old


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    with open(sys.argv[1], "rb") as file:
        old = file.read()
    if old[4:8] != b"TFL3":
        fail(f"{sys.argv[1]} is no TensorFlow Lite file")
    try:
        new = convert(old)
    except struct.error:
        fail(f"{sys.argv[1]} is damaged")
    with open(sys.argv[2], "wb") as file:
        file.write(new)


def convert(old):
    read = Reader(old)
    model = read.follow(0)
    codes, subgraphs, buffers = (read.tables(model, index) for index in (1, 2, 4))
    if len(subgraphs) != 1:
        fail("the model has not one graph")
    graph = subgraphs[0]
    tensors, operators = read.tables(graph, 0), read.tables(graph, 3)
    custom = [i for i, code in enumerate(codes) if read.text(code, 1) == CUSTOM_NAME]

    def code_of(operator):
        field = read.field(operator, 0)
        return read.number("I", field) if field else 0

    places = [i for i, operator in enumerate(operators) if code_of(operator) in custom]
    if len(places) != 1:
        fail(f"the model has {len(places)} operators {CUSTOM_NAME.decode()}, not 1")
    source, kernel, bias = (read.number("i", place) for place in read.vector(operators[places[0]], 1))
    (result,) = (read.number("i", place) for place in read.vector(operators[places[0]], 2))
    shape = [read.number("i", place) for place in read.vector(tensors[result], 0)]
    kernel_shape = [read.number("i", place) for place in read.vector(tensors[kernel], 0)]
    source_shape = [read.number("i", place) for place in read.vector(tensors[source], 0)]
    if kernel_shape[1:3] != [2, 2] or shape[1:3] != [2 * side for side in source_shape[1:3]]:
        fail("the operator is not the one that this script knows")

    # Whatever refers must come before what it refers to: lists before tables, tables before their parts.
    write, made = Writer(), {}

    def later(name):
        return ("new", lambda: made[name])

    def link(table, index):
        return (index, "ref", ("old", read.follow(read.field(table, index))))

    write.bytes += bytes(4) + b"TFL3"
    write.references.append((0, later("model")))
    made["model"] = write.table(
        [(0, "I", 3), (1, "ref", later("codes")), (2, "ref", later("graphs")), (4, "ref", later("buffers"))])
    made["graphs"] = write.references_to([later("graph")])
    made["graph"] = write.table(
        [(0, "ref", later("tensors")), link(graph, 1), link(graph, 2), (3, "ref", later("operators"))])
    made["codes"] = write.references_to([("old", code) for code in codes] + [later("conv code"), later("add code")])
    made["buffers"] = write.references_to([("old", buffer) for buffer in buffers] + [later("buffer")])
    made["tensors"] = write.references_to([("old", tensor) for tensor in tensors] + [later("shape"), later("sum")])
    order = [("old", operator) for operator in operators]
    order[places[0]:places[0] + 1] = [later("conv"), later("add")]
    made["operators"] = write.references_to(order)
    made["conv code"] = write.table([(0, "b", TRANSPOSE_CONV), (2, "i", 1), (3, "i", TRANSPOSE_CONV)])
    made["add code"] = write.table([(0, "b", ADD), (2, "i", 1), (3, "i", ADD)])
    shape_tensor, sum_tensor = len(tensors), len(tensors) + 1
    made["conv"] = write.table(
        [(0, "I", len(codes)), (1, "ref", later("conv in")), (2, "ref", later("conv out")),
         (3, "B", TRANSPOSE_CONV_OPTIONS), (4, "ref", later("conv options"))])
    made["conv options"] = write.table([(0, "b", PADDING_VALID), (1, "i", 2), (2, "i", 2)])
    made["conv in"] = write.numbers([shape_tensor, kernel, source])
    made["conv out"] = write.numbers([sum_tensor])
    made["add"] = write.table(
        [(0, "I", len(codes) + 1), (1, "ref", later("add in")), (2, "ref", later("add out")),
         (3, "B", ADD_OPTIONS), (4, "ref", later("add options"))])
    made["add options"] = write.table([])
    made["add in"] = write.numbers([sum_tensor, bias])
    made["add out"] = write.numbers([result])
    made["shape"] = write.table(
        [(0, "ref", later("four")), (1, "b", INT32), (2, "I", len(buffers)), (3, "ref", later("shape name"))])
    made["four"] = write.numbers([4])
    made["shape name"] = write.data(b"segment/shape", 4)
    write.bytes += b"\0"
    made["sum"] = write.table([(0, "ref", later("sum shape")), (3, "ref", later("sum name"))])
    made["sum shape"] = write.numbers(shape)
    made["sum name"] = write.data(b"segment/sum", 4)
    write.bytes += b"\0"
    made["buffer"] = write.table([(0, "ref", later("content"))])
    made["content"] = write.data(struct.pack("<4i", *shape))
    return write.finish(old)


if __name__ == "__main__":
    main()
