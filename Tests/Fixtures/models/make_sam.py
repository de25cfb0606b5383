"""Exports SAM with random weights, and writes what segment_anything itself answers.

    python3 make_sam.py FOLDER [tiny|vit_b]

Needs torch, onnx, onnxruntime and segment_anything 1.0. `tiny` has an image encoder of depth 2 and width 64; the sizes of
the images, the features and the decoder are SAM's. The decoder is exported by segment_anything.utils.onnx.SamOnnxModel with
the names of its export script, the encoder as samexporter 0.5.0 does, with and without its preprocessing.
answers.json has the masks (run lengths along columns) of SamPredictor, which is SAM in PyTorch, and those of ONNX Runtime
with the exported files and segment_anything's own resize and postprocessing.
"""

import json
import sys
from functools import partial

import numpy as np
import onnxruntime
import torch
from PIL import Image
from segment_anything import SamPredictor, sam_model_registry
from segment_anything.modeling import ImageEncoderViT, MaskDecoder, PromptEncoder, Sam, TwoWayTransformer
from segment_anything.utils.onnx import SamOnnxModel
from segment_anything.utils.transforms import ResizeLongestSide


def tiny():
    encoder = ImageEncoderViT(depth=2, embed_dim=64, img_size=1024, mlp_ratio=2,
                              norm_layer=partial(torch.nn.LayerNorm, eps=1e-6), num_heads=2, patch_size=16, qkv_bias=True,
                              use_rel_pos=True, global_attn_indexes=[1], window_size=14, out_chans=256)
    prompts = PromptEncoder(embed_dim=256, image_embedding_size=(64, 64), input_image_size=(1024, 1024), mask_in_chans=16)
    decoder = MaskDecoder(num_multimask_outputs=3, transformer_dim=256, iou_head_depth=3, iou_head_hidden_dim=256,
                          transformer=TwoWayTransformer(depth=2, embedding_dim=256, mlp_dim=512, num_heads=8))
    return Sam(encoder, prompts, decoder, pixel_mean=[123.675, 116.28, 103.53], pixel_std=[58.395, 57.12, 57.375])


class Encoder(torch.nn.Module):
    def __init__(self, sam, prepares):
        super().__init__()
        self.sam, self.prepares = sam, prepares

    def forward(self, input_image):
        if self.prepares:
            x = (input_image - self.sam.pixel_mean.reshape(3)) / self.sam.pixel_std.reshape(3)
            x = torch.permute(x, (2, 0, 1))
            h, w = x.shape[-2:]
            x = torch.nn.functional.pad(x, (0, 1024 - w, 0, 1024 - h))
            input_image = torch.unsqueeze(x, 0)
        return self.sam.image_encoder(input_image)


def export(sam, folder):
    for prepares in (False, True):
        example = torch.randn(1024, 1024, 3) if prepares else torch.randn(1, 3, 1024, 1024)
        axes = {"input_image": {0: "image_height", 1: "image_width"}} if prepares else None
        torch.onnx.export(Encoder(sam, prepares), (example,), f"{folder}/encoder{'_any' if prepares else ''}.onnx",
                          input_names=["input_image"], output_names=["image_embeddings"], dynamic_axes=axes,
                          opset_version=17, dynamo=False)
    for single in (False, True):
        example = {
            "image_embeddings": torch.randn(1, 256, 64, 64), "point_coords": torch.randint(0, 1024, (1, 5, 2)).float(),
            "point_labels": torch.randint(0, 4, (1, 5)).float(), "mask_input": torch.randn(1, 1, 256, 256),
            "has_mask_input": torch.tensor([1.0]), "orig_im_size": torch.tensor([1500.0, 2250.0])}
        torch.onnx.export(SamOnnxModel(sam, return_single_mask=single), tuple(example.values()),
                          f"{folder}/decoder{'_single' if single else ''}.onnx", input_names=list(example),
                          output_names=["masks", "iou_predictions", "low_res_masks"],
                          dynamic_axes={"point_coords": {1: "num_points"}, "point_labels": {1: "num_points"}},
                          opset_version=17, dynamo=False)


def runs(mask):
    flat = np.concatenate([[False], mask.T.ravel(), [False]])
    flat = flat[1:-1]
    edges = np.flatnonzero(np.diff(flat.astype(np.int8))) + 1
    found = np.diff(np.concatenate([[0], edges, [flat.size]])).tolist()
    return ([0] if flat[0] else []) + found


def photo(width, height):
    y, x = np.mgrid[:height, :width]
    image = np.stack([40 + 150 * x // width, 200 - 150 * y // height, np.full_like(x, 60)], -1).astype(np.uint8)
    image[np.hypot(x - width * 0.32, y - height * 0.45) < height * 0.28] = (230, 40, 30)
    image[int(height * .66):int(height * .94), int(width * .64):int(width * .93)] = (20, 60, 220)
    return image


def main(folder, kind="tiny"):
    torch.manual_seed(7)
    sam = (tiny() if kind == "tiny" else sam_model_registry[kind]()).eval()
    with torch.no_grad():
        # Random weights give masks without a border at 0; the last layer is stretched so that they have one.
        for one in sam.parameters():
            if one.ndim > 1 and kind == "tiny":
                one.mul_(1.5)
        export(sam, folder)
    told = []
    for name, (width, height) in (("wide.png", (640, 480)), ("high.png", (375, 500))):
        image = photo(width, height)
        Image.fromarray(image).save(f"{folder}/{name}")
        predictor = SamPredictor(sam)
        predictor.set_image(image)
        encoder = onnxruntime.InferenceSession(folder + "/encoder.onnx")
        decoder = onnxruntime.InferenceSession(folder + "/decoder.onnx")
        resize = ResizeLongestSide(1024)
        small = torch.as_tensor(resize.apply_image(image)).permute(2, 0, 1)[None]
        features = encoder.run(None, {"input_image": sam.preprocess(small.float()).numpy()})[0]
        print(name, "features differ by", np.abs(features - predictor.features.numpy()).max())
        for points, box in (([[width * .3, height * .4, True]], None),
                            ([[width * .3, height * .4, True], [width * .8, height * .8, False]], None),
                            ([[width * .75, height * .8, True]], [width * .6, height * .6, width * .36, height * .36]),
                            ([], [width * .6, height * .6, width * .36, height * .36])):
            corners = None if box is None else [box[0], box[1], box[0] + box[2], box[1] + box[3]]
            coords = np.array([[x, y] for x, y, _ in points], np.float64).reshape(-1, 2)
            labels = np.array([1 if one else 0 for _, _, one in points])
            whole = np.concatenate([coords, np.array(corners).reshape(2, 2) if box else np.zeros((1, 2))])
            marks = np.concatenate([labels, [2, 3] if box else [-1]]).astype(np.float32)
            scores, low = decoder.run(["iou_predictions", "low_res_masks"], {
                "image_embeddings": features, "point_labels": marks[None],
                "point_coords": resize.apply_coords(whole, (height, width))[None].astype(np.float32),
                "mask_input": np.zeros((1, 1, 256, 256), np.float32), "has_mask_input": np.zeros(1, np.float32),
                "orig_im_size": np.array([height, width], np.float32)})
            best = int(np.argmax(scores[0]))
            logits = sam.postprocess_masks(torch.as_tensor(low), tuple(small.shape[-2:]), (height, width))[0, best].numpy()
            masks, estimates, _ = predictor.predict(
                coords if len(points) else None, labels if len(points) else None,
                None if box is None else np.array(corners), multimask_output=best > 0)
            same = masks[best - 1 if best > 0 else 0]
            print(name, points, box, "best", best, "area", int((logits > 0).sum()), "other pixels of SamPredictor",
                  int((same != (logits > 0)).sum()), "estimates", scores[0].tolist())
            told.append({"image": name, "prompt": {"points": points, "box": box}, "score": float(scores[0, best]),
                         "runs": runs(logits > 0), "torch": runs(same),
                         "close": int((np.abs(logits) < 1e-3 * np.abs(logits).max()).sum())})
    with open(folder + "/answers.json", "w", encoding="utf-8") as file:
        json.dump(told, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
