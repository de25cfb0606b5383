"""The command `assay`: replaces this process with the program, which finds OpenVINO's libraries in the environment."""
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
FONTS = os.path.join(_HERE, "_program", "share", "fonts", "fonts.conf")
PACKAGED = os.path.join(_HERE, "_program", "bin", "assay")


def openvino_folder():
    """The folder with the libraries of the package openvino; None where it is not installed. Does not import it."""
    beside = os.path.join(os.path.dirname(_HERE), "openvino", "libs")
    if os.path.isdir(beside):
        return beside
    for folder in sys.path:
        found = os.path.join(os.path.abspath(folder), "openvino", "libs")
        if os.path.isdir(found):
            return found
    return None


def environment(program):
    """The environment for a program: for the one in the wheel with `ASSAY_OPENVINO` and its font, unless they are set."""
    variables = dict(os.environ)
    if program == PACKAGED and not variables.get("ASSAY_OPENVINO"):
        folder = openvino_folder()
        if folder:
            variables["ASSAY_OPENVINO"] = folder
    if program == PACKAGED and not variables.get("FONTCONFIG_FILE") and not variables.get("FONTCONFIG_PATH"):
        if os.path.exists(FONTS):
            variables["FONTCONFIG_FILE"] = FONTS
    return variables


def main():
    program = os.environ.get("ASSAY_PROGRAM") or PACKAGED
    try:
        os.execve(program, ["assay", *sys.argv[1:]], environment(program))
    except OSError as error:
        print(f"error: {program}: {error.strerror}\n"
              + ("correct ASSAY_PROGRAM, or unset it" if program != PACKAGED
                 else "install the wheel again: pip install --force-reinstall assay"), file=sys.stderr)
        return 2
