#!/usr/bin/env python3
"""Writes a small CelebA with Python's standard library; run in this folder.

Here: the original tables (.txt) with five attributes, and aligned images. ../celeba-faces: Kaggle's tables (.csv)
without attributes, and unaligned images. Images are copies of image-folder's JPEG (4 x 5).
"""
import os
import shutil


def image(path):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    shutil.copyfile("../image-folder/splits/val/dog/2.jpg", path)


def text(path, content):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w", newline="") as f:
        f.write(content)


for number in (1, 2, 3):
    image(f"Img/img_align_celeba/00000{number}.jpg")
text("Anno/list_attr_celeba.txt", "3\n5_o_Clock_Shadow Bald Male Smiling Young \n"
     "000001.jpg -1  1 -1  1  1\n000002.jpg -1 -1 -1 -1 -1\n000003.jpg  1 -1  1 -1 -1\n")
text("Anno/list_bbox_celeba.txt", "3\nimage_id x_1 y_1 width height\n"
     "000001.jpg    95  71 226 313\n000002.jpg    72  94 221 306\n000003.jpg   216  59  91 126\n")
text("Anno/list_landmarks_celeba.txt", "3\nlefteye_x lefteye_y righteye_x righteye_y nose_x nose_y "
     "leftmouth_x leftmouth_y rightmouth_x rightmouth_y\n"
     + "".join(f"00000{n}.jpg 165 184 244 176 196 249 194 271 266 260\n" for n in (1, 2, 3)))
text("Anno/list_landmarks_align_celeba.txt", "3\nlefteye_x lefteye_y righteye_x righteye_y nose_x nose_y "
     "leftmouth_x leftmouth_y rightmouth_x rightmouth_y \n"
     "000001.jpg 1 1 3 1 2 2 1 4 3 4\n000002.jpg 1 2 3 2 2 3 1 4 3 4\n000003.jpg 0 1 3 1 2 2 1 4 3 4\n")
text("Anno/identity_CelebA.txt", "000001.jpg 2880\n000002.jpg 2937\n000003.jpg 8692\n")
text("Eval/list_eval_partition.txt", "000001.jpg 0\n000002.jpg 1\n000003.jpg 2\n")

os.chdir("../celeba-faces")
for number in (1, 2):
    image(f"img_celeba/00000{number}.jpg")
text("list_bbox_celeba.csv", "image_id,x_1,y_1,width,height\n000001.jpg,1,0,2,3\n000002.jpg,0,1,4,4\n")
text("list_landmarks_celeba.csv", "image_id,lefteye_x,lefteye_y,righteye_x,righteye_y,nose_x,nose_y,leftmouth_x,"
     "leftmouth_y,rightmouth_x,rightmouth_y\n000001.jpg,1,1,2,1,2,2,1,3,2,3\n")
text("list_eval_partition.csv", "image_id,partition\n000001.jpg,0\n000002.jpg,2\n")
