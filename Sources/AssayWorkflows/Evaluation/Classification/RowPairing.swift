import AssayCore
import AssayFormats
import AssayMetrics

/// The pairing of rows of scores with labels, and the union of their classes.
struct RowPairing {
  /// True if rows were paired by the samples' keys, false if by order.
  let isBySample: Bool
  /// The columns of the scores, then labels without a column.
  let classes: [String]
  /// Notes on the pairing and on excluded samples and rows, one sentence each.
  private(set) var notes: [String] = []
  /// The true class and the row of scores for each sample.
  private var pairs: [(truth: Int, row: Int)] = []
  private let names: [String]

  /// - Throws: ``EvaluationError`` if rows or classes cannot be paired.
  init(
    truth: TruthTable, scores: PredictionTable<Double>, ignoresMissing: Bool
  ) throws(EvaluationError) {
    isBySample = truth.samples != nil && scores.samples != nil
    var known: [String: Int] = [:]
    for (ordinal, name) in scores.classes.enumerated() { known[name] = ordinal }
    var counts: [String: Int] = [:]
    var firstSeen: [String] = []
    for label in truth.labels {
      counts[label, default: 0] += 1
      if counts[label] == 1 { firstSeen.append(label) }
    }
    let strangers = firstSeen.filter { known[$0] == nil }.sorted()
    guard strangers.count < firstSeen.count else {
      throw .nothingInCommon(truth: firstSeen.sorted(), scores: scores.classes)
    }
    guard strangers.isEmpty || ignoresMissing else {
      throw .missingClasses(
        strangers.map { MissingCategory(name: $0, samples: counts[$0] ?? 0) },
        scores: scores.classes)
    }
    classes = scores.classes + strangers
    names = truth.samples ?? truth.labels.indices.map { "in row \($0 + 1)" }
    let rows = try Self.rows(truth: truth, scores: scores)
    for (index, label) in truth.labels.enumerated() {
      if let row = rows[index], let ordinal = known[label] { pairs.append((ordinal, row)) }
    }
    let unscored = rows.indices.filter { rows[$0] == nil }
    if !unscored.isEmpty {
      guard ignoresMissing else {
        throw .samplesWithoutScores(
          unscored.prefix(5).map { names[$0] }, total: unscored.count)
      }
      notes.append(
        "left out: \(Counted.text(unscored.count, "sample", "samples")) of the ground truth without scores"
      )
    }
    let strange = strangers.reduce(0) { $0 + (counts[$1] ?? 0) }
    if strange > 0 {
      let list = strangers.joined(separator: ", ")
      notes.append(
        "left out: \(Counted.text(strange, "sample", "samples")) of classes without scores (\(list))"
      )
    }
    let unknown = scores.count - (rows.count - unscored.count)
    if unknown > 0 {
      notes.append(
        "left out: \(Counted.text(unknown, "row", "rows")) of scores without ground truth")
    }
    if !isBySample { notes.append("rows were paired by their order: a file has no column sample") }
    guard !pairs.isEmpty else { throw .nothingToEvaluate("pairing the rows", reasons: notes) }
  }

  /// The row of scores for each label; `nil` if there is none.
  private static func rows(
    truth: TruthTable, scores: PredictionTable<Double>
  ) throws(EvaluationError) -> [Int?] {
    guard let keys = truth.samples, let scored = scores.samples else {
      guard truth.labels.count == scores.count else {
        throw .rowCounts(truth: truth.labels.count, scores: scores.count)
      }
      return Array(truth.labels.indices)
    }
    var places: [String: Int] = [:]
    for (row, key) in scored.enumerated() { places[key] = row }
    return keys.map { places[$0] }
  }

  /// The tally of the paired rows.
  ///
  /// - Parameters:
  ///   - normalizes: true to divide rows by their sums.
  ///   - header: may explain a row that is not probabilities.
  /// - Throws: ``EvaluationError`` if scores are not probabilities; `MetricError`.
  func tally(
    _ scores: PredictionTable<Double>, normalizes: Bool, _ header: ScoreHeader
  ) throws -> ClassificationTally {
    var tally = try ClassificationTally(classCount: classes.count, normalizes: normalizes)
    let padding = repeatElement(0.0, count: classes.count - scores.classes.count)
    var rows: [Double] = []
    rows.reserveCapacity(pairs.count * classes.count)
    for pair in pairs {
      rows += scores.row(pair.row)
      rows += padding
    }
    do throws(MetricError) {
      try tally.add(truths: pairs.map(\.truth), scores: rows)
    } catch {
      throw explained(error, scores, header)
    }
    return tally
  }

  /// An error with the names of the sample and the class, or with the header problem that causes
  /// it.
  private func explained(
    _ error: MetricError, _ scores: PredictionTable<Double>, _ header: ScoreHeader
  ) -> any Error {
    func name(_ index: Int) -> String {
      scores.samples?[pairs[index].row] ?? "in row \(pairs[index].row + 1)"
    }
    switch error {
    case .notAProbability(let index, _, _), .notNormalized(let index, _, _):
      if let problem = header.problem(Array(scores.row(pairs[index].row))) {
        return EvaluationError.badHeader(sample: name(index), problem: problem)
      }
    default: break
    }
    return EvaluationError(error, classes: classes, sample: name) ?? error
  }
}
