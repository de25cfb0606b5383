"""Masks of COCO documents: run lengths are read here, polygons by pycocotools.mask where it is installed."""
from ._program import numpy


def pycocotools_mask(purpose):
    """The module pycocotools.mask; an error that says what needs it where it is missing."""
    try:
        from pycocotools import mask
    except ImportError as error:
        raise ImportError(f"{purpose} needs pycocotools: pip install pycocotools") from error
    return mask


def runs(rle):
    """The run lengths of COCO's RLE, a list or a compressed string: pixels of background, object, background, …"""
    np = numpy()
    counts = rle["counts"]
    if not isinstance(counts, (str, bytes)):
        return np.asarray(counts, dtype=np.int64)
    # Groups of five bits, the lowest first; a sixth says that more follow, the last group has the sign.
    bits = np.frombuffer(counts.encode("ascii") if isinstance(counts, str) else counts, dtype=np.uint8).astype(np.int64)
    bits -= 48
    if not len(bits):
        return bits
    last = np.flatnonzero(bits & 32 == 0)
    if not len(last):
        raise ValueError("the run lengths end in the middle of a number")
    first = np.concatenate([[0], last[:-1] + 1])
    place = np.arange(last[-1] + 1) - np.repeat(first, last - first + 1)
    values = np.add.reduceat((bits[:last[-1] + 1] & 31) << 5 * place, first)
    values -= np.where(bits[last] & 16, 1 << 5 * (last - first + 1), 0)
    # From the fourth on they are differences to the run before the last.
    for start in (1, 2):
        values[start::2] = np.cumsum(values[start::2])
    return values


def area(lengths):
    """The number of pixels of run lengths."""
    return int(lengths[1::2].sum())


def box(lengths, height):
    """The smallest box around run lengths of columns with this height: x, y, width, height."""
    np = numpy()
    ends = np.cumsum(lengths)[1::2]
    starts, ends = ends - lengths[1::2], ends - 1
    filled = ends >= starts
    starts, ends = starts[filled], ends[filled]
    if not len(starts):
        return [0.0, 0.0, 0.0, 0.0]
    left, right = starts[0] // height, ends[-1] // height
    if (starts // height != ends // height).any():
        # A run that goes on in the next column has its bottom and its top.
        top, bottom = 0, height - 1
    else:
        top, bottom = (starts % height).min(), (ends % height).max()
    return [float(left), float(top), float(right - left + 1), float(bottom - top + 1)]


def to_rle(annotation, size):
    """The segmentation of an annotation as RLE; `size` is the image's height and width."""
    segmentation = annotation["segmentation"]
    if isinstance(segmentation, list):
        mask = pycocotools_mask("the mask of a polygon")
        return mask.merge(mask.frPyObjects(segmentation, *size))
    if isinstance(segmentation["counts"], list):
        return pycocotools_mask("compressed run lengths of a list").frPyObjects(segmentation, *size)
    return segmentation


def to_mask(annotation, size):
    """The segmentation of an annotation as an array, height x width, of 0 and 1."""
    np = numpy()
    segmentation = annotation["segmentation"]
    if isinstance(segmentation, list):
        return pycocotools_mask("the mask of a polygon").decode(to_rle(annotation, size))
    lengths = runs(segmentation)
    height, width = segmentation["size"]
    values = np.arange(len(lengths), dtype=np.uint8) & 1
    return np.repeat(values, lengths).reshape(width, height).T
