"""Plants duplicates of real photographs and measures how many pairs `assay check` finds.

    python3 Benchmarks/planted.py ASSAY OUT FOLDER...

Needs Pillow. Each photo of the folders is written to OUT/images with variants: JPEG quality 60,
half the size, brightness 0.9 and 1.1, mirrored, and cropped by 5 % in four ways. Prints recall by
variant, and false pairs: pairs of different photos in one finding, per pair of different photos.
"""
import glob, json, os, subprocess, sys
from PIL import Image, ImageEnhance, ImageOps

assay, out, folders = sys.argv[1], sys.argv[2], sys.argv[3:]
images = os.path.join(out, "images")
os.makedirs(images, exist_ok=True)


def variants(im):
    w, h = im.size
    yield "q60", im, 60
    yield "half", im.resize((max(1, w // 2), max(1, h // 2)), Image.BICUBIC), 90
    yield "darker", ImageEnhance.Brightness(im).enhance(0.9), 90
    yield "brighter", ImageEnhance.Brightness(im).enhance(1.1), 90
    yield "mirror", ImageOps.mirror(im), 90
    yield "center", im.crop((int(0.025 * w), int(0.025 * h), int(0.975 * w), int(0.975 * h))), 90
    yield "corner", im.crop((int(0.05 * w), int(0.05 * h), w, h)), 90
    yield "side", im.crop((int(0.05 * w), 0, w, h)), 90
    yield "each", im.crop((int(0.05 * w), int(0.05 * h), int(0.95 * w), int(0.95 * h))), 90


files = sorted(f for d in folders for e in ("jpg", "png", "jpeg")
               for f in glob.glob(f"{d}/**/*.{e}", recursive=True))
names = []
for number, file in enumerate(files):
    im = Image.open(file).convert("RGB")
    im.save(os.path.join(images, f"{number:05d}-original.jpg"), quality=95)
    for name, variant, quality in variants(im):
        variant.save(os.path.join(images, f"{number:05d}-{name}.jpg"), quality=quality)
        if number == 0:
            names.append(name)
db = os.path.join(out, "a.db")
if os.path.exists(db):
    os.remove(db)
run = lambda *a: subprocess.run([assay, *a, "--db", db, "--json"], capture_output=True, text=True)
r = run("import", images + ":image-folder", "--name", "planted")
assert r.returncode == 0, r.stderr + r.stdout
r = run("check", "planted", "--only", "nearDuplicate,exactDuplicate")
assert r.returncode == 0, r.stderr + r.stdout
group = {}
false = 0
for number, finding in enumerate(json.loads(r.stdout)["findings"]):
    if finding["kind"] != "nearDuplicate":
        continue
    photos = {}
    for key in finding["samples"]:
        photo, name = os.path.basename(key).rsplit(".", 1)[0].split("-")
        group[photo, name] = number
        photos[photo] = photos.get(photo, 0) + 1
    total = sum(photos.values())
    false += (total * total - sum(c * c for c in photos.values())) // 2
    if len(photos) > 1:
        print("different photos in one finding:", sorted(photos), finding["message"])
count = len(files)
for name in names:
    hits = sum(group.get((f"{n:05d}", "original"), -1) == group.get((f"{n:05d}", name), -2) for n in range(count))
    print(f"{name:10s} {hits}/{count}")
hits = sum(group.get((f"{n:05d}", "original"), -1) == group.get((f"{n:05d}", v), -2) for n in range(count) for v in names)
different = count * (count - 1) // 2 * (len(names) + 1) ** 2
print(f"recall {hits}/{count * len(names)} = {hits / (count * len(names)):.4f}; "
      f"false pairs {false}/{different} = {false / different:.6f}")
