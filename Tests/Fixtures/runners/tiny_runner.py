"""A runner without any library: 2 × 2 gray images, "probabilities" of bright and dark. For tests.

The first argument is the model's path, the second one says what goes wrong:
none, two (a second output), exit, late (dies once at the 17th call), killed (once the file now is there, as by the kernel),
ended (with it, by itself), error, noise (prints to standard output),
text (answers no JSON), list (answers a list), protocol, element, batch, shape, rows, fortran, object, cut, huge,
long (an endless line), files (reads files), images, missing (no output), twice, nan, rounding, random, open, chatter (prints without end), sign
"""
import json, os, random, struct, sys

mode = sys.argv[2] if len(sys.argv) > 2 else "none"
out = sys.stdout.buffer
batches = 0


def read_array():
    start = sys.stdin.buffer.read(10)
    header = sys.stdin.buffer.read(struct.unpack("<H", start[8:])[0]).decode()
    shape = eval(header)["shape"]  # written by assay
    count = 1
    for side in shape:
        count *= side
    return shape, struct.unpack(f"<{count}f", sys.stdin.buffer.read(4 * count))


def write_array(values, shape, descr="<f4", order="False", version=1):
    header = f"{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {tuple(shape)}, }}".encode()
    header += b" " * (-(10 + len(header) + 1) % 64) + b"\n"
    out.write(b"\x93NUMPY" + bytes([version, 0]) + struct.pack("<H", len(header)) + header)
    out.write(struct.pack(f"<{len(values)}f", *values))


for line in sys.stdin.buffer:
    request = json.loads(line)
    if request["command"] == "describe":
        if mode == "exit":
            print("no graphics processor here", file=sys.stderr)
            sys.exit(3)
        if mode == "noise":
            print("loading the model")
        if mode == "long":
            while True:
                out.write(b"x" * 65536)
        answer = {"protocol": 1, "versions": {"tiny": "1.0"}}
        if mode == "protocol":
            answer["protocol"] = 2
        if mode == "element":
            answer["element"] = "float"
        if mode == "batch":
            answer["batch"] = 0
        if mode == "open":
            answer["outputs"] = [{"name": "probabilities", "shape": [None, None]}]
        if mode == "files":
            answer["images"] = "files"
        if mode == "images":
            answer["images"] = "paths"
        if mode == "missing":
            answer["outputs"] = [{"name": "logits"}]
        if mode == "list":
            answer = [answer]
        if mode == "text":
            out.write(b"ready\n")
        else:
            out.write(json.dumps(answer).encode() + b"\n")
        out.flush()
        continue
    if mode in ("killed", "ended") and os.path.exists("now"):
        os.kill(os.getpid(), 9) if mode == "killed" else sys.exit(1)
    if mode == "files":
        values = []
        for path in request["files"]:
            with open(path, "rb") as file:
                text = file.read()
            values += [0.0 if text.startswith(b"\x89PNG") else float(text)] * 4
        count = len(request["files"])
    else:
        shape, values = read_array()
        count = shape[0]
    batches += 1
    if mode == "late" and batches > 16 and not os.path.exists("died"):
        open("died", "w").close()
        print("out of memory on the device", file=sys.stderr)
        sys.exit(1)
    if mode == "error":
        out.write(json.dumps({"error": "the image is too dark"}).encode() + b"\n")
        out.flush()
        continue
    rows = []
    for index in range(count):
        mean = sum(values[4 * index:4 * index + 4]) / 4
        if mode == "sign":
            mean = 0.9 if mean > 0 else 0.1
        if mode == "rounding":
            mean += count * 1e-6
        if mode == "random":
            mean = random.random()
        if mode == "nan":
            mean = float("nan")
        rows += [mean, 1 - mean]
    while mode == "chatter" and len(rows) < 1000 and batches < 3:
        sys.stderr.write("a line of text that nobody reads\n" * 4096)
        break
    names = ["probabilities"]
    if mode == "two":
        names = ["embedding", "probabilities"]
    if mode == "twice":
        names = ["probabilities", "probabilities"]
    out.write(json.dumps({"outputs": names}).encode() + b"\n")
    if mode == "two":
        write_array([0.0] * 3 * count, (count, 3))
    if mode == "shape":
        write_array(rows, (2 * count,))
    elif mode == "rows":
        write_array(rows + [0, 1], (count + 1, 2))
    elif mode == "fortran":
        write_array(rows, (count, 2), order="True")
    elif mode == "object":
        write_array(rows, (count, 2), descr="|O")
    elif mode == "huge":
        write_array([], (count, 1 << 40))
    elif mode == "cut":
        write_array(rows[:-1], (count, 2))
        out.flush()
        sys.exit(0)
    else:
        write_array(rows, (count, 2))
    out.flush()
