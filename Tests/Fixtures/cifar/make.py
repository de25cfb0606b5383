#!/usr/bin/env python3
"""Writes small files in the layouts of CIFAR and STL-10 with Python's standard library; run in this folder.

ten/: two batches and the test batch. hundred/: fine and coarse labels. stl/: labels from 1 in a file of their own,
planes column by column. python/: pickles of protocol 2, which assay refuses.
Channel c of pixel (x, y) is 3 x + 5 y + 80 c + n (modulo 256) in record n.
"""
import os
import pickle


def write(path, data):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as f:
        f.write(data)


def planes(n, side, by_column=False):
    def value(x, y, c):
        return (3 * x + 5 * y + 80 * c + n) % 256

    return bytes(value(a, b, c) if by_column else value(b, a, c)
                 for c in range(3) for a in range(side) for b in range(side))


def records(heads):
    return b"".join(bytes(head) + planes(n, 32) for n, head in enumerate(heads))


ten = ["airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"]
write("ten/data_batch_1.bin", records([[6], [9]]))
write("ten/data_batch_2.bin", records([[0]]))
write("ten/test_batch.bin", records([[3]]))
write("ten/batches.meta.txt", ("\n".join(ten) + "\n\n").encode())

write("hundred/train.bin", records([[1, 2], [0, 0]]))
write("hundred/test.bin", records([[1, 3]]))
write("hundred/fine_label_names.txt", b"apple\naquarium_fish\nbaby\nbear\n")
write("hundred/coarse_label_names.txt", b"fruit\npeople and bears\n")

write("stl/train_X.bin", planes(0, 96, by_column=True))
write("stl/train_y.bin", bytes([10]))
write("stl/class_names.txt", "\n".join(ten).encode())

write("python/data_batch_1", pickle.dumps({"data": [[0] * 3072], "labels": [6]}, protocol=2))
write("python/batches.meta", pickle.dumps({"label_names": ten}, protocol=2))
