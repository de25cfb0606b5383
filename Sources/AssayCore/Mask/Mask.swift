/// A binary mask as run lengths in COCO's order: column by column, starting with background.
///
/// Canonical: the runs sum to the area of the image, and no run except the first is 0, so that
/// equal masks are equal values. A mask without set pixels has a single run of the whole area.
/// Images have at most ``ImageSize/pixelLimit`` pixels.
package struct Mask: Hashable, Sendable {
  /// The image's size.
  package let size: ImageSize
  /// Background, set, background, …; column-major.
  package let runs: [UInt32]

  /// Uses runs that are known to be canonical.
  init(size: ImageSize, canonical runs: [UInt32]) {
    self.size = size
    self.runs = runs
  }

  /// Run lengths from an external source, which can contain zeros anywhere.
  ///
  /// - Throws: ``MaskError/runSum(_:expected:)`` if they do not sum to the image's area.
  package init(size: ImageSize, runs: [UInt32]) throws(MaskError) {
    var sum = 0
    var canonical: [UInt32] = []
    canonical.reserveCapacity(runs.count)
    var isSet = false
    for run in runs {
      let (total, overflow) = sum.addingReportingOverflow(Int(run))
      guard !overflow, total <= size.area else {
        throw .runSum(runs.reduce(0) { $0 &+ Int($1) }, expected: size.area)
      }
      sum = total
      let continues = canonical.count % 2 == (isSet ? 0 : 1) && !canonical.isEmpty
      if run > 0 || canonical.isEmpty {
        if continues {
          canonical[canonical.count - 1] += run
        } else if isSet, canonical.isEmpty {
          canonical = [0, run]
        } else {
          canonical.append(run)
        }
      }
      isSet.toggle()
    }
    guard sum == size.area else { throw .runSum(sum, expected: size.area) }
    self.init(size: size, canonical: canonical)
  }

  /// A mask without set pixels.
  package init(emptyOf size: ImageSize) {
    self.init(size: size, canonical: [UInt32(size.area)])
  }

  /// A mask of all pixels.
  package init(fullOf size: ImageSize) {
    self.init(size: size, canonical: [0, UInt32(size.area)])
  }

  /// The number of set pixels.
  package var area: Int {
    var area = 0
    var index = 1
    while index < runs.count {
      area += Int(runs[index])
      index += 2
    }
    return area
  }

  /// True if no pixel is set.
  package var isEmpty: Bool { runs.count == 1 }
}
