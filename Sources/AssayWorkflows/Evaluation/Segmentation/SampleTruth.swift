package import AssayCore
package import AssayStore

/// The true regions of one sample, by the labels of an evaluation.
package struct SampleTruth: Sendable, Hashable {
  private enum Regions: Hashable {
    /// The mask of label 1 if it is the only label besides the background.
    case one(Mask)
    case several(LabelColumns)
  }

  package let size: ImageSize
  private let regions: Regions
  /// The pixels that the source ignores; `nil` if there are none. They override every class.
  package let void: Mask?

  /// Merges annotations: all instances of a class including crowds; where classes overlap, the
  /// later one in the source gets the pixel. Pixels without a class are background.
  ///
  /// - Throws: `MaskError` if a stored shape is damaged.
  package init(
    _ annotations: [AnnotationRecord], of size: ImageSize, _ classes: SegmentationClasses
  ) throws(MaskError) {
    self.size = size
    var voids: [Mask] = []
    var masks: [(label: Int, mask: Mask)] = []
    for annotation in annotations {
      if classes.voids.contains(annotation.category) {
        voids.append(try annotation.mask(in: size))
      } else {
        let label = classes.truthLabels[annotation.category]
        if label > 0 { masks.append((label, try annotation.mask(in: size))) }
      }
    }
    let left = Mask.union(of: voids, size: size)
    void = left.isEmpty ? nil : left
    if classes.labels.isBinary {
      regions = .one(Mask.union(of: masks.map(\.mask), size: size))
    } else {
      var columns = LabelColumns(size)
      for (label, mask) in masks { columns.paint(mask, UInt8(label)) }
      regions = .several(columns)
    }
  }

  /// The pixels of a label in 1..<labels; may include ignored pixels.
  package func mask(of label: Int) -> Mask {
    switch regions {
    case .one(let mask): label == 1 ? mask : Mask(emptyOf: size)
    case .several(let columns): columns.mask(of: UInt8(label))
    }
  }

  /// All labels in one map; `nil` if there is only one class.
  var columns: LabelColumns? {
    if case .several(let columns) = regions { columns } else { nil }
  }
}
