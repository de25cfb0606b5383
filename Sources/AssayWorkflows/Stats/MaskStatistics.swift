package import AssayCore
package import AssayStore

/// The region statistics of a view: instances by class and size, coverage of the images, and if
/// requested the mean masks.
package struct MaskStatistics: Sendable {
  /// The statistics of one class.
  package struct Row: Sendable {
    package var category: Category
    package var counts: CategoryInstances
    /// The coverage of the images of known size that contain the class; `nil` if there are none.
    package var coverage: Spread?
  }

  /// The spread of some values.
  package struct Spread: Hashable, Sendable {
    package var n: Int
    package var least: Double
    /// The median; for an even count, the mean of the middle two.
    package var median: Double
    package var largest: Double
    package var mean: Double

    /// Returns `nil` if there are no values.
    package init?(_ values: [Double]) {
      let sorted = values.sorted()
      guard let least = sorted.first, let largest = sorted.last else { return nil }
      n = sorted.count
      self.least = least
      self.largest = largest
      let (below, above) = (sorted[(n - 1) / 2], sorted[n / 2])
      median = below + (above - below) / 2
      mean = min(max(sorted.reduce(0, +) / Double(n), least), largest)
    }
  }

  /// One row per class, in taxonomy order.
  package var classes: [Row]
  package var images: Int
  package var imagesWithout: Int
  /// The mean masks; `nil` if they were not requested.
  package var means: MeanMasks?

  package var instances: Int { classes.reduce(0) { $0 + $1.counts.instances } }
  package var crowds: Int { classes.reduce(0) { $0 + $1.counts.crowds } }

  /// The classes with regions, by the number of instances and crowds, most frequent first.
  package var present: [Row] {
    let rows = classes.filter { $0.counts.images > 0 }
    func size(_ row: Row) -> Int { row.counts.instances + row.counts.crowds }
    return rows.sorted { a, b in
      (size(b), a.counts.category) < (size(a), b.counts.category)
    }
  }
}

/// The mean masks of classes: for each cell of a grid over the image, the share of a class's images
/// in which the class covers the cell.
package struct MeanMasks: Sendable {
  /// One class's mean mask.
  package struct Row: Sendable {
    package var name: String
    /// The number of included images: those that contain the class.
    package var count: Int
    /// The mean mask: one channel, in 0...1.
    package var mean: Raster<Double>
  }

  /// The grid; images of all aspect ratios are stretched to it.
  package var grid: ImageSize
  /// The classes that occur in images, in taxonomy order.
  package var rows: [Row]
  /// The number of images that were not included because their size is unknown.
  package var leftOut: Int
}
