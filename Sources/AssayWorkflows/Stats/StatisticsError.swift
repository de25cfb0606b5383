package import AssayCore

/// The reasons why a view has no statistics.
package enum StatisticsError: Error, Hashable {
  case noSamples(view: String)
  /// Mean images per class for samples that can have several classes.
  case setsOfLabels(view: String)
  case sizesDiffer(view: String, sizes: [SizeCount])
  case noImage(view: String, firstReason: String)
  case tooLarge(size: ImageSize, classes: Int, bytes: Int, limit: Int)
}

extension StatisticsError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noSamples(let view):
      return "“\(view)” has no samples"
    case .setsOfLabels(let view):
      return """
        mean images per class need one label per image, but the samples of “\(view)” have sets of \
        labels; omit --out
        """
    case .sizesDiffer(let view, let sizes):
      let listed = sizes.prefix(8).map { "\($0.size) (\($0.count))" }.joined(separator: ", ")
      let more = sizes.count > 8 ? " and \(sizes.count - 8) more" : ""
      return """
        the images of “\(view)” differ in size: \(listed)\(more); mean images need one size: \
        choose one with --resize WxH
        """
    case .noImage(let view, let firstReason):
      return "no image of “\(view)” can be read: \(firstReason)"
    case .tooLarge(let size, let classes, let bytes, let limit):
      return """
        mean images of \(size) for \(classes) classes would need \(bytes >> 20) MiB, over the limit of \
        \(limit >> 20); make them smaller with --resize WxH
        """
    }
  }
}
