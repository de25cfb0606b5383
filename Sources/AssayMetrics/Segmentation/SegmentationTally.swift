package import AssayCore

/// An accumulator for the pixel counts of segmented samples, in the order in which they were added.
///
/// Most pairs of labels do not occur together in a sample, so only nonzero cells are stored.
package struct SegmentationTally: Sendable, Equatable {
  package let labels: SegmentationLabels
  /// The start of each sample's cells, and the end of the last one's.
  private var starts = [0]
  /// Cells with a count: truth · *k* + predicted, ascending within a sample.
  private var cells: [UInt16] = []
  private var counts: [Int] = []
  private var boundaries: [[Int]] = []
  private var voids: [Int] = []
  private var measures: [[MaskMeasure: Double]] = []
  /// The sum of all samples' confusion matrices, in pixels.
  package private(set) var confusion: ConfusionMatrix

  /// An empty tally.
  package init(labels: SegmentationLabels) {
    self.labels = labels
    confusion = ConfusionMatrix(classCount: labels.count)
  }

  /// The number of samples *n*.
  package var count: Int { voids.count }

  /// True if the boundary bands of every sample were counted, or if there are no samples.
  package var hasBoundaries: Bool { !boundaries.contains { $0.isEmpty } }

  /// The number of pixels left out.
  package var void: Int { voids.reduce(0, +) }

  /// Sample `index`, in `0..<count`.
  package subscript(index: Int) -> SegmentedSample {
    var confusion = Array(repeating: 0, count: labels.count * labels.count)
    for place in starts[index]..<starts[index + 1] { confusion[Int(cells[place])] = counts[place] }
    return SegmentedSample(
      confusion: confusion, boundary: boundaries[index], void: voids[index],
      measures: measures[index])
  }

  /// Adds one sample.
  ///
  /// - Throws: ``MetricError/sampleCounts(labels:)`` if its counts do not fit the tally's labels.
  package mutating func add(_ sample: SegmentedSample) throws(MetricError) {
    guard sample.fits(labels.count) else { throw .sampleCounts(labels: labels.count) }
    for (cell, count) in sample.confusion.enumerated() where count > 0 {
      cells.append(UInt16(truncatingIfNeeded: cell))
      counts.append(count)
      confusion.add(
        truth: cell / labels.count, predicted: cell % labels.count, count: count)
    }
    starts.append(cells.count)
    boundaries.append(sample.boundary)
    voids.append(sample.void)
    measures.append(sample.measures)
  }

  /// Appends all samples of another tally.
  ///
  /// - Throws: ``MetricError/labelMismatch``.
  package mutating func merge(_ other: SegmentationTally) throws(MetricError) {
    guard other.labels == labels else { throw .labelMismatch }
    try confusion.merge(other.confusion)
    starts += other.starts.dropFirst().map { $0 + cells.count }
    cells += other.cells
    counts += other.counts
    boundaries += other.boundaries
    voids += other.voids
    measures += other.measures
  }

  /// The tally of some of the samples, given by their indices in `0..<count`.
  package func selecting(_ indices: [Int]) -> SegmentationTally {
    var part = SegmentationTally(labels: labels)
    for index in indices {
      for place in starts[index]..<starts[index + 1] {
        let cell = Int(cells[place])
        part.confusion.add(
          truth: cell / labels.count, predicted: cell % labels.count, count: counts[place])
      }
      part.cells += cells[starts[index]..<starts[index + 1]]
      part.counts += counts[starts[index]..<starts[index + 1]]
      part.starts.append(part.cells.count)
      part.boundaries.append(boundaries[index])
      part.voids.append(voids[index])
      part.measures.append(measures[index])
    }
    return part
  }

  /// The measures of sample `index` that are defined.
  func measures(_ index: Int) -> [MaskMeasure: Double] { measures[index] }

  /// Returns whether a measure is missing in a sample that must have it: one without void pixels in
  /// which both ground truth and prediction contain the class. Evaluations of earlier versions lack
  /// measures that were added later.
  package func lacks(_ measure: MaskMeasure) -> Bool {
    guard labels.isBinary else { return true }
    let label = labels.evaluated.lowerBound
    return measures.indices.contains { index in
      guard measures[index][measure] == nil, voids[index] == 0 else { return false }
      let region = regions(index).labels[label]
      return region.truth > 0 && region.predicted > 0
    }
  }

  /// The data of sample `index`: the counts of every label, the pixels labeled correctly, and all
  /// that were evaluated.
  func regions(_ index: Int) -> (labels: [RegionCounts], right: Double, evaluated: Double) {
    var regions = Array(repeating: RegionCounts(), count: labels.count)
    var (right, evaluated) = (0.0, 0.0)
    for place in starts[index]..<starts[index + 1] {
      let (truth, predicted) = Int(cells[place]).quotientAndRemainder(dividingBy: labels.count)
      let pixels = Double(counts[place])
      regions[truth].truth += pixels
      regions[predicted].predicted += pixels
      evaluated += pixels
      if truth == predicted {
        regions[truth].hits = pixels
        right += pixels
      }
    }
    if !boundaries[index].isEmpty {
      for label in regions.indices {
        regions[label].bandHits = Double(boundaries[index][2 * label])
        regions[label].bandUnion = Double(boundaries[index][2 * label + 1])
      }
    }
    return (regions, right, evaluated)
  }
}
