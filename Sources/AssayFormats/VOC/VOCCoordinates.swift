import AssayCore

/// The meaning of the corners of a box, by the program that wrote the file.
///
/// Pascal VOC counts pixels from 1, and `xmax` is the last pixel of the box (development kit of
/// VOC2007, "top-left pixel in the image has coordinates (1,1)"). Other programs write the same
/// elements with another meaning.
enum VOCCoordinates: Hashable, Sendable {
  /// Pixels from 1, both corners inclusive: x = xmin - 1, width = xmax - xmin + 1.
  case voc
  /// Edges, moved by 1: x = xmin - 1, width = xmax - xmin.
  case roboflow
  /// Edges from 0: x = xmin, width = xmax - xmin. Datumaro and CVAT.
  case datumaro
  /// The same, cut to whole pixels. Label Studio (label-studio-converter, `convert_to_voc`).
  case labelStudio

  /// The number that is subtracted from the coordinate of a point.
  var origin: Double { self == .voc || self == .roboflow ? 1 : 0 }

  /// The box of two corners, the first one at the top left.
  func box(xmin: Double, ymin: Double, xmax: Double, ymax: Double) -> Box {
    let last: Double = self == .voc ? 1 : 0
    return Box(
      x: xmin - origin, y: ymin - origin, width: xmax - xmin + last, height: ymax - ymin + last)
  }
}
