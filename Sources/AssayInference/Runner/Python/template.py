"""A runner for assay: computes a model's outputs for batches of images (Runners in Docs/Models.md).

    runner: python3 my_model.py {model}     # in the manifest; {model} is the model file's path
"""
import json, os, sys
import numpy as np

answers = os.fdopen(os.dup(1), "wb")  # answers go to standard output, and nothing else does:
os.dup2(2, 1)  # whatever prints, prints to standard error
requests = sys.stdin.buffer


# ---- your model ------------------------------------------------------------------------------------
import torch

model = torch.jit.load(sys.argv[1]).eval()  # or build the network and load its weights
VERSIONS = {"torch": torch.__version__}
BATCH = 32


def outputs(images):
    """images: float32 array in the manifest's size, layout, scale and offset, [n, 3, height, width].
    Returns each output by its name, an array of n rows."""
    with torch.inference_mode():
        return {"logits": model(torch.from_numpy(images)).cpu().numpy()}


# ---- the protocol ----------------------------------------------------------------------------------
for line in requests:
    request = json.loads(line)
    if request["command"] == "describe":
        arrays, answer = {}, {"protocol": 1, "batch": BATCH, "versions": VERSIONS}
    else:
        np.lib.format.read_magic(requests)
        shape, _, dtype = np.lib.format.read_array_header_1_0(requests)
        images = np.empty(shape, dtype)
        requests.readinto(memoryview(images).cast("B"))
        arrays = outputs(images)
        answer = {"outputs": list(arrays)}
    answers.write(json.dumps(answer).encode() + b"\n")
    for array in arrays.values():
        array = np.ascontiguousarray(array)
        np.lib.format.write_array_header_1_0(answers, np.lib.format.header_data_from_array_1_0(array))
        answers.write(array.tobytes())
    answers.flush()
