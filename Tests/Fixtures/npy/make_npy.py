"""Writes the arrays that the tests read, with NumPy 2.4.6. python3 make_npy.py"""
import numpy as np

rng = np.random.default_rng(3)
values = (rng.random((2, 3)) * 100)
for name in ["f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"]:
    np.save(f"{name}.npy", values.astype(name))
np.save("bool.npy", values > 50)
np.save("scalar.npy", np.float32(7))
np.save("empty.npy", np.zeros((0, 6), np.float32))
np.save("one.npy", np.arange(5, dtype=np.float32))
np.save("fortran.npy", np.asfortranarray(values))
np.save("big_endian.npy", values.astype(">f4"))
np.save("object.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
np.save("text.npy", np.array(["a", "bc"]))
np.save("fields.npy", np.zeros(2, dtype=[("a", "f4"), ("b", "i4")]))
with open("version2.npy", "wb") as file:
    np.lib.format.write_array(file, values.astype("f4"), version=(2, 0))
with open("version3.npy", "wb") as file:
    np.lib.format.write_array(file, values.astype("f4"), version=(3, 0))
