package import AssayCore
package import AssayStore

/// The region statistics of a view: instances by class and size, coverage of the images, and if
/// requested the mean masks.
package struct MaskStatistics: Sendable {
  /// One class.
  package struct Row: Sendable {
    package var category: Category
    package var counts: CategoryInstances
    /// The shares of the images that show the class and whose size is known; `nil` where there are none.
    package var coverage: Spread?
  }

  /// The spread of some values.
  package struct Spread: Hashable, Sendable {
    package var n: Int
    package var least: Double
    /// The middle one, or the mean of the two in the middle.
    package var median: Double
    package var largest: Double
    package var mean: Double

    /// `nil` for no values.
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

  /// A row a class, in taxonomy order.
  package var classes: [Row]
  package var images: Int
  package var imagesWithout: Int
  /// `nil` where they were not asked for.
  package var means: MeanMasks?

  package var instances: Int { classes.reduce(0) { $0 + $1.counts.instances } }
  package var crowds: Int { classes.reduce(0) { $0 + $1.counts.crowds } }

  /// The classes that have regions, by instances and crowds, the commonest first.
  package var present: [Row] {
    let rows = classes.filter { $0.counts.images > 0 }
    func size(_ row: Row) -> Int { row.counts.instances + row.counts.crowds }
    return rows.sorted { a, b in
      (size(b), a.counts.category) < (size(a), b.counts.category)
    }
  }
}

/// The mean masks of classes: at every place of a grid over the image the share of a class's images in
/// which it covers that place.
package struct MeanMasks: Sendable {
  /// One class's mean mask.
  package struct Row: Sendable {
    package var name: String
    /// The images that went in: those that show the class.
    package var count: Int
    /// One channel, in 0...1.
    package var mean: Raster<Double>
  }

  /// The grid; images of all proportions are stretched to it.
  package var grid: ImageSize
  /// The classes that are shown at all, in taxonomy order.
  package var rows: [Row]
  /// Images whose size is not known and which did not go in.
  package var leftOut: Int
}
