"""Steps of making packages that Scripts/wheel and Scripts/deb share."""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def run(*command, **options):
    return subprocess.run(command, check=True, text=True, **options)


def output(*command):
    return run(*command, stdout=subprocess.PIPE).stdout


def version_of(program):
    """The version of a program, without the commit."""
    return re.search(r"[0-9]+(\.[0-9]+)+", output(program, "--version"))[0]


def pinned():
    """The version of OpenVINO in Scripts/setup."""
    with open(os.path.join(ROOT, "Scripts", "setup"), encoding="utf-8") as file:
        return re.search(r"^openvino_version=(\S+)$", file.read(), re.MULTILINE)[1]


def section(program, name):
    """The address and the place in the file of a section."""
    for line in output("readelf", "-SW", program).splitlines():
        words = line.replace("[", " ").replace("]", " ").split()
        if len(words) > 5 and words[1] == name:
            return int(words[3], 16), int(words[4], 16)
    sys.exit(f"{program} has no section {name}")


def blank_locale_data(program, binary):
    """Empties ICU's data in a copy of the program: 34 MB that pack to 13 MB.

    Foundation links it for texts of dates and numbers in other languages, which assay does not make. The header stays,
    and the table behind it has no entries, so that a lookup finds nothing instead of reading zeros.
    """
    found = [line.split() for line in output("nm", "-S", "--defined-only", program).splitlines()]
    places = [(int(words[0], 16), int(words[1], 16)) for words in found
              if len(words) == 4 and re.fullmatch(r"icudt\d+_dat", words[3])]
    if len(places) != 1:
        sys.exit(f"{program} has {len(places)} tables of ICU's data, expected 1; was it stripped?")
    (address, size), (start, offset) = places[0], section(program, ".rodata")
    with open(binary, "r+b") as file:
        file.seek(address - start + offset)
        header = int.from_bytes(file.read(2), "little")
        file.seek(address - start + offset + header)
        file.write(bytes(size - header))


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def static_licenses(notices):
    """The licenses of the Swift packages in the program: the names of those under the Apache License, and the texts of
    the others. Copies their notices into a folder.
    """
    folders = sorted(glob.glob(os.path.join(ROOT, ".build", "checkouts", "*")))
    if not folders:
        sys.exit(".build/checkouts is missing, which has the licenses of what is linked; run swift package resolve")
    apache, others = ["Swift's runtime and Foundation (swift.org)"], []
    for folder in folders:
        name = os.path.basename(folder)
        (file,) = glob.glob(os.path.join(folder, "LICENSE*"))
        with open(file, encoding="utf-8") as opened:
            text = opened.read().strip()
        if re.match(r"\s*Apache License\s+Version 2\.0", text):
            apache.append(name)
        else:
            others.append(f"{name}:\n\n{text}\n")
        notice = os.path.join(folder, "NOTICE.txt")
        if os.path.exists(notice):
            with open(notice, encoding="utf-8") as opened:
                write(os.path.join(notices, name + ".txt"), opened.read())
    return apache, others
