"""Runs the program."""
import json
import os
import shutil
import subprocess

from . import _launcher


class AssayError(Exception):
    """The program refused: its message, and its exit status in `status` (None where it did not run)."""

    def __init__(self, message, status=None):
        super().__init__(message)
        self.status = status


class AssayWarning(UserWarning):
    """Something about the files that may change the numbers."""


def program():
    """The path of the program: $ASSAY_PROGRAM, that of the wheel, or ./assay of the checkout."""
    named = os.environ.get("ASSAY_PROGRAM")
    if named:
        found = shutil.which(named)
        if not found:
            raise AssayError(f"$ASSAY_PROGRAM is {named}, which is not a program; correct it, or unset it")
        return os.path.abspath(found)
    checkout = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    for path in (_launcher.PACKAGED, os.path.join(checkout, "assay")):
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    raise AssayError("the program assay was not found: install the wheel, or set ASSAY_PROGRAM to its path")


def run(*arguments, cwd=None):
    """Runs `assay` with these arguments and returns its output; AssayError where it fails."""
    path = program()
    arguments = [os.fspath(one) if isinstance(one, os.PathLike) else str(one) for one in arguments]
    done = subprocess.run([path, *arguments], env=_launcher.environment(path), cwd=cwd, stdin=subprocess.DEVNULL,
                          capture_output=True)
    output = done.stdout.decode("utf-8", "replace")
    if done.returncode:
        raise AssayError(_message(output, done), done.returncode)
    return output


def _message(output, done):
    """The error of a failed run: `error` of its JSON, or the text."""
    try:
        value = json.loads(output)
        if isinstance(value, dict) and "error" in value:
            return _in_python(str(value["error"]))
    except ValueError:
        pass
    text = done.stderr.decode("utf-8", "replace").strip() or output.strip()
    if done.returncode < 0:
        text = f"the program was ended by signal {-done.returncode}. {text}"
    text = text.removeprefix("error: ").removeprefix("Error: ")
    return _in_python(text) or f"the program failed with status {done.returncode}"


def _in_python(text):
    """An error with the arguments of Python in place of the command line's options."""
    return text.replace("give --in: ", "give dataset=, one of: ")


def run_json(*arguments, words=(), cwd=None):
    """Runs `assay` with --json and returns the value. `words` are arguments that may begin with a dash."""
    output = run(*arguments, "--json", "--quiet", *(["--", *words] if words else []), cwd=cwd)
    try:
        return json.loads(output)
    except ValueError as error:
        raise AssayError(f"{program()} answered without JSON, so it is not assay: {output[:200]!r}") from error


# Options that the command line takes several times, not as a list.
_REPEATED = {"ignore"}


def options(given):
    """Options of the command line: `max_dets=[1, 10]` is `--max-dets 1,10`, `corrected=True` is `--corrected`."""
    arguments = []
    for name, value in given.items():
        flag = "--" + name.strip("_").replace("_", "-")
        if value is None or value is False:
            if name == "intervals" and value is False:
                arguments.append("--no-intervals")
            continue
        if value is True:
            arguments.append(flag)
            continue
        if isinstance(value, (list, tuple)) or type(value).__module__ == "numpy" and hasattr(value, "tolist"):
            values = value.tolist() if hasattr(value, "tolist") else value
            values = [text(one) for one in (values if isinstance(values, (list, tuple)) else [values])]
            if name in _REPEATED:
                arguments += [f"{flag}={one}" for one in values]
                continue
            divided = next((one for one in values if "," in one and len(values) > 1), None)
            if divided is not None:
                raise ValueError(f"{name}: {divided!r} has a comma, which separates the values; give the path of a file "
                                 "with one name per line")
            value = ",".join(values)
        # One argument, so that a value may begin with a dash.
        arguments.append(f"{flag}={text(value)}")
    return arguments


def text(value):
    """A value as the command line takes it; a float with all its digits."""
    if hasattr(value, "item"):
        value = value.item()
    if isinstance(value, float):
        return repr(value)
    return os.fspath(value) if isinstance(value, os.PathLike) else str(value)


def pandas():
    """The module pandas; an error that says what to do where it is missing."""
    try:
        import pandas as module
    except ImportError as error:
        raise ImportError("this needs pandas: pip install 'assay[pandas]'") from error
    return module


def numpy():
    """The module numpy, likewise."""
    try:
        import numpy as module
    except ImportError as error:
        raise ImportError("this needs numpy: pip install numpy") from error
    return module
