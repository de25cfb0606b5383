/// An accumulator for samples with a set of classes and an independent score per class.
///
/// A score is in 0...1; the scores of a sample do not have to sum to 1. A class is predicted if its
/// score is at least a threshold, which is rounded to the tally's precision first.
package struct MultiLabelTally: Sendable, Equatable {
  /// The number format in which a tally stores scores and compares them with thresholds.
  package enum Precision: Sendable, Hashable {
    /// Float32, as the catalog stores scores. A float64 score is rounded once.
    case single
    /// Float64, for scores from files that are evaluated directly.
    case double
  }

  /// The maximum number of classes.
  package static let classLimit = ClassificationTally.classLimit

  /// The number of classes *k*.
  package let classCount: Int
  package let precision: Precision
  /// The ground truth: the classes of each sample; a set can be empty.
  package private(set) var labels: LabelSets
  /// *n* · *k* scores in sample order, in one of the two arrays depending on `precision`; the other
  /// is empty.
  private var singles: [Float] = []
  private var doubles: [Double] = []

  /// An empty tally.
  ///
  /// - Throws: ``MetricError/classCount(_:)``.
  package init(classCount: Int, precision: Precision = .single) throws(MetricError) {
    guard (1...Self.classLimit).contains(classCount) else { throw .classCount(classCount) }
    self.classCount = classCount
    self.precision = precision
    labels = LabelSets(classCount: classCount)
  }

  /// The number of samples *n*.
  package var count: Int { labels.count }

  /// The sample at an index in `0..<count`.
  package subscript(index: Int) -> MultiLabelSample {
    MultiLabelSample(labels: labels[index], scores: row(index))
  }

  /// The scores of sample `index`, in `0..<count`, one per class.
  package func row(_ index: Int) -> [Double] {
    withScores { scores in (0..<classCount).map { scores[index * classCount + $0] } }
  }

  /// Adds samples with float32 scores.
  ///
  /// - Parameters:
  ///   - added: the ordinals of each sample's classes, in any order; duplicates count once.
  ///   - scores: *k* scores for each sample, each in 0...1.
  /// - Throws: ``MetricError``; then nothing was added.
  /// - Complexity: O(*n* · *k*).
  package mutating func add(labelSets added: [[Int]], scores: [Float]) throws(MetricError) {
    try check(added, scores)
    append(added)
    switch precision {
    // Adding 0 turns −0 into 0, whose bit pattern sorts correctly.
    case .single: for score in scores { singles.append(score + 0) }
    case .double: for score in scores { doubles.append(Double(score) + 0) }
    }
  }

  /// Adds samples with float64 scores, like the method for float32 scores; a tally with single
  /// precision rounds them.
  ///
  /// - Throws: ``MetricError``; then nothing was added.
  package mutating func add(labelSets added: [[Int]], scores: [Double]) throws(MetricError) {
    try check(added, scores)
    append(added)
    switch precision {
    case .single: for score in scores { singles.append(Float(score) + 0) }
    case .double: for score in scores { doubles.append(score + 0) }
    }
  }

  /// Adds one sample.
  ///
  /// - Throws: ``MetricError``; then nothing was added.
  package mutating func add(labels: [Int], scores: [Float]) throws(MetricError) {
    try add(labelSets: [labels], scores: scores)
  }

  /// Appends all samples of another tally.
  ///
  /// - Throws: ``MetricError/classMismatch(_:_:)``, ``MetricError/precisionMismatch``,
  ///   ``MetricError/tooManySamples(_:limit:)``; then nothing was added.
  package mutating func merge(_ other: MultiLabelTally) throws(MetricError) {
    try checkKind(of: other)
    try checkRoom(for: other.count)
    labels.append(contentsOf: other.labels)
    singles += other.singles
    doubles += other.doubles
  }

  /// The tally of some of the samples, given by their indices in `0..<count`.
  package func selecting(_ indices: [Int]) -> MultiLabelTally {
    var part = self
    part.labels = LabelSets(classCount: classCount)
    part.labels.reserve(indices.count)
    part.singles = []
    part.doubles = []
    switch precision {
    case .single: part.singles.reserveCapacity(indices.count * classCount)
    case .double: part.doubles.reserveCapacity(indices.count * classCount)
    }
    for index in indices {
      part.labels.append(index, of: labels)
      let range = index * classCount..<(index + 1) * classCount
      switch precision {
      case .single: part.singles += singles[range]
      case .double: part.doubles += doubles[range]
      }
    }
    return part
  }

  /// Rejects another tally with other classes or another precision.
  ///
  /// - Throws: ``MetricError/classMismatch(_:_:)``, ``MetricError/precisionMismatch``.
  func checkKind(of other: MultiLabelTally) throws(MetricError) {
    guard other.classCount == classCount else {
      throw .classMismatch(classCount, other.classCount)
    }
    guard other.precision == precision else { throw .precisionMismatch }
  }

  /// The scores of a tally in sample order, read as float64.
  struct Scores {
    fileprivate let singles: UnsafeBufferPointer<Float>
    fileprivate let doubles: UnsafeBufferPointer<Double>
    fileprivate let isSingle: Bool

    subscript(index: Int) -> Double { isSingle ? Double(singles[index]) : doubles[index] }
  }

  /// Calls `body` with all scores: that of class *c* of sample *i* at *i* · *k* + *c*.
  func withScores<Output>(_ body: (Scores) throws -> Output) rethrows -> Output {
    try singles.withUnsafeBufferPointer { singles in
      try doubles.withUnsafeBufferPointer { doubles in
        try body(Scores(singles: singles, doubles: doubles, isSingle: precision == .single))
      }
    }
  }

  private func check(
    _ added: [[Int]], _ scores: [some BinaryFloatingPoint]
  ) throws(MetricError) {
    let (expected, overflow) = added.count.multipliedReportingOverflow(by: classCount)
    guard !overflow, scores.count == expected else {
      throw .scoreCount(expected: expected, found: scores.count)
    }
    try checkRoom(for: added.count)
    for (sample, ordinals) in added.enumerated() {
      for ordinal in ordinals where !(0..<classCount).contains(ordinal) {
        throw .ordinalOutOfRange(sample: count + sample, ordinal: ordinal, classes: classCount)
      }
    }
    for (place, score) in scores.enumerated() where !(score >= 0 && score <= 1) {
      throw .scoreOutOfRange(
        sample: count + place / classCount, category: place % classCount, value: Double(score))
    }
  }

  private func checkRoom(for more: Int) throws(MetricError) {
    let limit = ClassRanking.sampleLimit - 1
    guard count + more <= limit else { throw .tooManySamples(count + more, limit: limit) }
  }

  private mutating func append(_ added: [[Int]]) {
    // Only for larger numbers: reserving room for one more each time would copy everything each
    // time.
    if added.count > 64 {
      labels.reserve(added.count)
      switch precision {
      case .single: singles.reserveCapacity(singles.count + added.count * classCount)
      case .double: doubles.reserveCapacity(doubles.count + added.count * classCount)
      }
    }
    for ordinals in added {
      labels.appendEmpty()
      for ordinal in ordinals { labels.insertIntoLast(ordinal) }
    }
  }
}

/// A sample with its classes and its scores.
package struct MultiLabelSample: Sendable, Equatable {
  /// The ordinals of its classes in ascending order; can be empty.
  package var labels: [Int]
  /// One score per class, each in 0...1.
  package var scores: [Double]

  package init(labels: [Int], scores: [Double]) {
    self.labels = labels
    self.scores = scores
  }
}
