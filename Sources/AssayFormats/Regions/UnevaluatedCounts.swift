import AssayCore

/// The numbers of annotations that an import keeps and no evaluation uses.
struct UnevaluatedCounts: Hashable, Sendable {
  /// The number of lines and points.
  private var withoutArea = 0
  /// The number of labels of images that are kept beside regions, or with fields.
  private var tags = 0

  mutating func add(_ shape: ShapeKind) {
    switch shape {
    case .tag: tags += 1
    case .polyline, .points: withoutArea += 1
    case .label, .box, .polygon, .mask: break
    }
  }

  /// Notes for the output of the import.
  var notes: [String] {
    var notes: [String] = []
    if withoutArea > 0 {
      notes.append(
        withoutArea == 1
          ? "1 annotation is a line or points; it is kept and not evaluated"
          : "\(withoutArea) annotations are lines or points; they are kept and not evaluated")
    }
    if tags > 0 {
      notes.append(
        (tags == 1 ? "1 label of an image is" : "\(tags) labels of images are")
          + " kept beside regions or with fields: `label = NAME` finds these images, and they are not "
          + "evaluated; `assay convert SOURCE --to multilabel-csv DIR` makes a multi-label dataset")
    }
    return notes
  }
}
