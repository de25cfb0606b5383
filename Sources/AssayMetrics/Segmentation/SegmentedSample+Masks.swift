package import AssayCore

extension SegmentedSample {
  /// Compares two binary masks: label 0 is what they leave unset, label 1 what they set.
  ///
  /// - Parameters:
  ///   - predicted: the same size.
  ///   - void: pixels that are left out; the same size.
  ///   - boundary: whether boundary bands are counted, too.
  /// - Throws: ``MetricError/sizeMismatch(truth:predicted:)``.
  /// - Complexity: O(runs), with boundary bands O(pixels).
  package init(
    truth: Mask, predicted: Mask, void: Mask? = nil, boundary: Bool = true
  ) throws(MetricError) {
    guard truth.size == predicted.size else {
      throw .sizeMismatch(truth: truth.size, predicted: predicted.size)
    }
    if let void, void.size != truth.size {
      throw .sizeMismatch(truth: truth.size, predicted: void.size)
    }
    self.init(counting: truth, predicted, void: void)
    if boundary { self.boundary = Self.boundary(truth, predicted, void: void, left: self.void) }
  }

  /// Walks along the runs of all masks at once.
  private init(counting truth: Mask, _ predicted: Mask, void: Mask?) {
    var (a, b) = (RunWalk(truth.runs), RunWalk(predicted.runs))
    var c = RunWalk(void?.runs ?? [UInt32(truth.size.area)])
    self.init(confusion: [0, 0, 0, 0])
    var place = 0
    while place < truth.size.area {
      let end = min(a.end, b.end, c.end)
      if c.isSet {
        self.void += end - place
      } else {
        confusion[(a.isSet ? 2 : 0) + (b.isSet ? 1 : 0)] += end - place
      }
      place = end
      a.advance(to: place)
      b.advance(to: place)
      c.advance(to: place)
    }
  }

  /// A square is the same one with rows and columns exchanged, so the masks stay column-major.
  private static func boundary(
    _ truth: Mask, _ predicted: Mask, void: Mask?, left: Int
  ) -> [Int] {
    var (a, b) = (truth.columnMajorBytes, predicted.columnMajorBytes)
    if let void, left > 0 {
      for (index, byte) in void.columnMajorBytes.enumerated() where byte == 1 {
        (a[index], b[index]) = (2, 2)
      }
    }
    let sample = a.withUnsafeBufferPointer { a in
      b.withUnsafeBufferPointer { b in
        try? LabelPair(
          truth: a, predicted: b, width: truth.size.height, height: truth.size.width
        ).sample(
          labels: 2, isVoid: (0..<256).map { $0 == 2 }, band: BoundaryBands.width(truth.size))
      }
    }
    return sample?.boundary ?? []
  }
}

/// A place in a mask's runs.
private struct RunWalk {
  private let runs: [UInt32]
  private var next = 0
  /// Where the run ends, in pixels from the mask's first.
  private(set) var end = 0

  init(_ runs: [UInt32]) {
    self.runs = runs
    advance(to: 0)
  }

  /// Whether the run's pixels are set.
  var isSet: Bool { next % 2 == 0 }

  /// Goes on to the run that holds pixel `place`; to the last one where none does.
  mutating func advance(to place: Int) {
    while end <= place, next < runs.count {
      end += Int(runs[next])
      next += 1
    }
  }
}

extension Mask {
  /// 1 where set, column by column.
  fileprivate var columnMajorBytes: [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size.area) { bytes, used in
      for (index, run) in runs.enumerated() {
        bytes[used..<used + Int(run)].initialize(repeating: UInt8(index % 2))
        used += Int(run)
      }
    }
  }
}
