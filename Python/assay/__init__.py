"""Evaluate image models and read assay's catalogs from Python. `Docs/Python.md` documents every function.

The program `assay` matches and computes; only precision and recall for unusual parameters of COCOeval are computed
here. Modules are loaded when they are first used, so that the command `assay` starts without them.
"""
import importlib

_HOMES = {
    "AssayError": "_program", "AssayWarning": "_program", "program": "_program", "run": "_program",
    "Catalog": "_catalog", "evaluate": "_evaluate", "COCO": "_coco", "COCOeval": "_cocoeval", "Params": "_cocoeval",
}
__all__ = sorted(_HOMES)


def __getattr__(name):
    if name == "__version__":
        from importlib.metadata import PackageNotFoundError, version
        try:
            return version("assay")
        except PackageNotFoundError:
            return importlib.import_module("assay._program").run("--version").split()[1]
    if name not in _HOMES:
        raise AttributeError(f"module 'assay' has no attribute {name!r}")
    value = getattr(importlib.import_module("assay." + _HOMES[name]), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted([*globals(), *_HOMES, "__version__"])
