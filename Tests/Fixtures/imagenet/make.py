#!/usr/bin/env python3
"""Writes small trees of ImageNet's layouts with Python's standard library; run in this folder.

kaggle/: Data/CLS-LOC with synset folders, flat validation and test images, LOC_synset_mapping.txt with two classes
called crane. caffe/: train.txt and val.txt with numbers, synset_words.txt. tiny/: Tiny ImageNet. lists/: plain lists
with classes.txt. folders/: lists whose numbers are named by folders. Images are copies of image-folder's JPEG (4 x 5)
and PNG (3 x 2).
"""
import os
import shutil

JPEG = "../image-folder/splits/val/dog/2.jpg"
PNG = "../image-folder/classes/cat/1.png"


def image(path):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    shutil.copyfile(PNG if path.endswith(".png") else JPEG, path)


def text(path, content):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", newline="") as f:
        f.write(content)


data = "kaggle/ILSVRC/Data/CLS-LOC"
image(f"{data}/train/n01440764/n01440764_10026.JPEG")
image(f"{data}/train/n02012849/n02012849_7.JPEG")
image(f"{data}/train/n03126707/n03126707_1.JPEG")
image(f"{data}/val/ILSVRC2012_val_00000001.JPEG")
image(f"{data}/val/ILSVRC2012_val_00000002.JPEG")
image(f"{data}/test/ILSVRC2012_test_00000001.JPEG")
text("kaggle/LOC_synset_mapping.txt",
     "n01440764 tench, Tinca tinca\nn02012849 crane\nn03126707 crane\nn15075141 toilet tissue, toilet paper\n")
text("kaggle/LOC_val_solution.csv", "ImageId,PredictionString\n"
     "ILSVRC2012_val_00000002,n03126707 1 1 3 4 \nILSVRC2012_val_00000001,n01440764 0 0 2 2 n01440764 1 1 3 3 \n")
text("kaggle/LOC_sample_submission.csv", "ImageId,PredictionString\nILSVRC2012_test_00000001,n03995372 85 1 499 272\n")
text("kaggle/ILSVRC/ImageSets/CLS-LOC/val.txt", "ILSVRC2012_val_00000001 1\nILSVRC2012_val_00000002 2\n")

image("caffe/train/n01443537/n01443537_2.JPEG")
image("caffe/train/n01440764/n01440764_1.JPEG")
image("caffe/val/ILSVRC2012_val_00000001.JPEG")
text("caffe/train.txt", "n01440764/n01440764_1.JPEG 0\nn01443537/n01443537_2.JPEG 1\n")
text("caffe/val.txt", "ILSVRC2012_val_00000001.JPEG 1\n")
text("caffe/synset_words.txt", "n01440764 tench, Tinca tinca\nn01443537 goldfish, Carassius auratus\n")

image("tiny/train/n01443537/images/n01443537_0.JPEG")
image("tiny/val/images/val_0.JPEG")
image("tiny/test/images/test_0.JPEG")
text("tiny/train/n01443537/n01443537_boxes.txt", "n01443537_0.JPEG\t0\t10\t63\t58\n")
text("tiny/val/val_annotations.txt", "val_0.JPEG\tn03444034\t0\t32\t44\t62\n")
text("tiny/wnids.txt", "n03444034\nn01443537\n")
text("tiny/words.txt", "n00001740\tentity\nn01443537\tgoldfish, Carassius auratus\nn03444034\tgo-kart\n")

image("lists/images/a b.jpg")
image("lists/images/c.png")
text("lists/train.txt", "images/a b.jpg 1\nimages/gone.jpg 0\n")
text("lists/test.txt", "images/c.png 0\n")
text("lists/classes.txt", "cat\ndog\nowl\n")

image("folders/train/cat/1.png")
image("folders/train/dog/1.png")
text("folders/train.txt", "cat/1.png 1\ndog/1.png 0\n")
