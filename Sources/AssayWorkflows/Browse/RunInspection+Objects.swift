import AssayCore
import AssayMetrics
package import AssayStore
import Synchronization

extension ObjectDetection: InspectedTask {
  package static let scatterField: String? = "recall"

  package static func changes(
    from first: String, to second: String
  ) -> (worse: String, better: String) {
    (
      "\(second).true_positives < \(first).true_positives",
      "\(second).true_positives > \(first).true_positives"
    )
  }

  package static func inspection(
    of run: EvaluatedRun<Self>, _ details: DetectionDetails, in catalog: Catalog
  ) throws -> RunInspection {
    guard let matching = run.evaluation?.matching else {
      throw InspectionError.notEvaluated(run: run.run.name)
    }
    let table = try ObjectTable(run, matching, details, in: catalog)
    var inspection = RunInspection { try table.choice($0) }
    inspection.point = { try table.point(iou: $0, score: $1) }
    inspection.members = [
      .init("iou_thresholds", .array(matching.thresholds.map { .number($0) })),
      .init("recalls", .array(PrecisionRecallCurve.recalls.map { .number($0) })),
    ]
    return inspection
  }
}

/// The matches of a detector in columns, from which counts at any IoU and score are made.
private struct ObjectTable: Sendable {
  private let name: String
  /// The name of the evaluation in expressions.
  private let queriedName: String
  private let task: ModelTask
  private let matching: MatchSettings
  private let details: DetectionDetails
  private let errors: ErrorTally
  private var samples: [Int32] = []
  private var classes: [Int32] = []
  private var confidences: [Double] = []
  private var matched: [UInt64] = []
  private var ignored: [UInt64] = []
  private var kinds: [DetectionErrorKind?] = []
  private let curves = CurveCache()

  /// The number of samples that are read at a time.
  private static let step = 4_096

  init(
    _ run: EvaluatedRun<ObjectDetection>, _ matching: MatchSettings, _ details: DetectionDetails,
    in catalog: Catalog
  ) throws {
    name = run.run.name
    queriedName = run.queriedName
    task = run.run.task
    self.matching = matching
    self.details = details
    errors = run.content.errors
    for start in stride(from: 0, to: run.samples.count, by: Self.step) {
      let indices = Array(start..<min(start + Self.step, run.samples.count))
      for (index, rows) in zip(indices, try run.matches(at: indices, in: catalog)) {
        for row in rows {
          samples.append(Int32(index))
          classes.append(Int32(row.class))
          // Objects that were not found have no score.
          confidences.append(row.prediction == nil ? .nan : row.confidence ?? 0)
          matched.append(row.matched)
          ignored.append(row.ignored)
          kinds.append(row.error)
        }
      }
    }
  }

  /// The bit of an IoU; of the evaluation's own if `nil`.
  private func bit(_ iou: Double?) throws(InspectionError) -> UInt64 {
    guard
      let place = matching.thresholds.firstIndex(where: { abs($0 - (iou ?? matching.iou)) < 1e-9 })
    else { throw .noThreshold(iou ?? matching.iou, run: name, known: matching.thresholds) }
    return 1 << UInt64(place)
  }

  /// The counts at an IoU and a minimum score, per class and in all.
  func point(iou: Double?, score: Double?) throws -> JSONValue {
    let (bit, score) = (try bit(iou), score ?? matching.score)
    let count = details.classes.count
    var right = [Int](repeating: 0, count: count)
    var wrong = right
    for row in classes.indices where confidences[row] >= score && ignored[row] & bit == 0 {
      if matched[row] & bit != 0 {
        right[Int(classes[row])] += 1
      } else {
        wrong[Int(classes[row])] += 1
      }
    }
    let truths = details.errors.workingPoints.map(\.truths)
    let points = (0..<count).map {
      WorkingPoint(score: score, right: right[$0], wrong: wrong[$0], truths: truths[$0])
    }
    let whole = WorkingPoint(
      score: score, right: right.reduce(0, +), wrong: wrong.reduce(0, +),
      truths: truths.reduce(0, +))
    var members: [JSONValue.Member] = [
      .init("iou", .number(iou ?? matching.iou)), .init("score", .number(score)),
      .init("overall", Self.json(whole)), .init("classes", .array(points.map(Self.json))),
      .init("curves", curves.curves(of: details.scores, at: bit.trailingZeroBitCount)),
    ]
    // Error types and the confusion matrix belong to the IoU of the evaluation.
    let isWorking = bit == matching.workingBit
    members.append(
      .init(
        "errors",
        isWorking
          ? {
            let (counts, all) = (ErrorCounts(errors, from: score), ErrorCounts(errors))
            return .object(
              DetectionErrorKind.allCases.map {
                // As in the evaluation: objects that no detection of any score belongs to.
                .init($0.rawValue, JSONValue(($0 == .missed ? all : counts).count($0)))
              })
          }() : .null))
    members.append(.init("confused", isWorking ? confused(from: score) : .null))
    return .object(members)
  }

  private static func json(_ point: WorkingPoint) -> JSONValue {
    [
      "true_positives": JSONValue(point.right), "false_positives": JSONValue(point.wrong),
      "false_negatives": JSONValue(point.notFound), "precision": JSONValue(point.precision),
      "recall": JSONValue(point.recall), "f1": JSONValue(point.f1),
    ]
  }

  /// The maximum number of cells of the confusion matrix that are sent.
  private static let cellLimit = 5_000

  /// The cells of the confusion matrix that are not 0, the largest first: `[ground truth, detection, count]`, where
  /// the number of classes is the background.
  private func confused(from score: Double) -> JSONValue {
    var counts: [Int: Int] = [:]
    let width = details.classes.count + 1
    for image in 0..<errors.count {
      errors.forEachPair(of: image, from: score) { counts[$0 * width + $1, default: 0] += 1 }
    }
    let cells = counts.sorted { (-$0.value, $0.key) < (-$1.value, $1.key) }.prefix(Self.cellLimit)
    return .array(
      cells.map { [JSONValue($0.key / width), JSONValue($0.key % width), JSONValue($0.value)] })
  }

  /// The samples of a filter.
  func choice(_ filter: RunFilter) throws -> RunInspection.Choice {
    let (bit, score) = (try bit(filter.iou), filter.score ?? matching.score)
    if filter.truth != nil || filter.predicted != nil { return try cell(filter, score) }
    let category = try filter.category.map { Int32(try place(of: $0)) }
    guard let outcome = filter.outcome else {
      return RunInspection.Choice(
        indices: nil, expressions: ["\(spelled(filter, nil)).detections >= 0"])
    }
    var found: Set<Int> = []
    func collect(_ holds: (Int) -> Bool) {
      for row in classes.indices where category.map({ $0 == classes[row] }) ?? true {
        if holds(row) { found.insert(Int(samples[row])) }
      }
    }
    func counts(_ row: Int) -> Bool { confidences[row] >= score && ignored[row] & bit == 0 }
    var isWhole = false
    let field: String
    switch outcome {
    case .truePositive:
      collect { counts($0) && matched[$0] & bit != 0 }
      field = "true_positives"
    case .falsePositive:
      collect { counts($0) && matched[$0] & bit == 0 }
      field = "false_positives"
    case .falseNegative:
      var rest = [Int](repeating: 0, count: errors.count)
      for image in 0..<errors.count {
        rest[image] = errors.objectClasses(of: image).count { object in
          category.map { Int($0) == object } ?? true
        }
      }
      for row in classes.indices
      where category.map({ $0 == classes[row] }) ?? true && counts(row) && matched[row] & bit != 0 {
        rest[Int(samples[row])] -= 1
      }
      found = Set(rest.indices.filter { rest[$0] > 0 })
      field = "false_negatives"
    case .missed:
      // Whatever the minimum score, as in the evaluation and in queries.
      found = Set(
        (0..<errors.count).filter { image in
          errors.missedClasses(of: image, from: -.infinity).contains { object in
            category.map { Int($0) == object } ?? true
          }
        })
      field = "missed"
      isWhole = true
    case .classification, .localization, .both, .duplicate, .background:
      let kind: DetectionErrorKind =
        switch outcome {
        case .classification: .class
        case .localization: .place
        case .both: .both
        case .duplicate: .duplicate
        default: .background
        }
      collect { confidences[$0] >= score && kinds[$0] == kind }
      field = outcome.rawValue
    case .right, .wrong: throw InspectionError.otherOutcome(outcome.rawValue, run: name, task)
    }
    return RunInspection.Choice(
      indices: found.sorted(),
      expressions: ["\(spelled(filter, filter.category, isWhole: isWhole)).\(field) > 0"])
  }

  private func place(of category: String) throws(InspectionError) -> Int {
    try EvaluatedRun<ObjectDetection>.place(of: category, in: details.classes, run: name)
  }

  /// `run(det, class: person, iou: 0.75, score: 0.5)`.
  ///
  /// - Parameter isWhole: true for a field that does not depend on the score.
  private func spelled(_ filter: RunFilter, _ category: String?, isWhole: Bool = false) -> String {
    var text = "run(\(QueryWords.spelled(queriedName))"
    if let category { text += ", class: \(QueryWords.spelled(category))" }
    if let iou = filter.iou, abs(iou - matching.iou) >= 1e-9 { text += ", iou: \(iou)" }
    if let score = filter.score, score != matching.score, !isWhole { text += ", score: \(score)" }
    return text + ")"
  }

  /// The samples of a cell of the confusion matrix.
  private func cell(_ filter: RunFilter, _ score: Double) throws -> RunInspection.Choice {
    func ordinal(_ name: String?) throws -> Int? {
      guard let name else { return nil }
      return name == RunFilter.background && !details.classes.contains(name)
        ? details.classes.count : try place(of: name)
    }
    let (truth, predicted) = (try ordinal(filter.truth), try ordinal(filter.predicted))
    var indices: [Int] = []
    for image in 0..<errors.count {
      var isIn = false
      errors.forEachPair(of: image, from: score) {
        if truth ?? $0 == $0, predicted ?? $1 == $1 { isIn = true }
      }
      if isIn { indices.append(image) }
    }
    // Each of these selects the same only if no other errors of the classes are in the images: this is checked.
    var expressions: [String] = []
    let background = details.classes.count
    if let truth, truth == predicted, truth != background {
      expressions.append("\(spelled(filter, filter.truth)).true_positives > 0")
    } else if let predicted, predicted != background {
      let own = spelled(filter, filter.predicted)
      if truth == background {
        expressions.append("\(own).false_positives > 0")
        expressions.append("\(own).background_errors > 0")
      } else if let truth {
        let label = "count(\(QueryWords.spelled(details.classes[truth]))) > 0"
        expressions.append("\(own).classification_errors > 0 and \(label)")
        expressions.append("\(own).false_positives > 0 and \(label)")
      }
    } else if truth != nil, predicted == background {
      expressions.append("\(spelled(filter, filter.truth)).false_negatives > 0")
      expressions.append("\(spelled(filter, filter.truth, isWhole: true)).missed > 0")
    }
    return RunInspection.Choice(indices: indices, expressions: expressions)
  }
}

/// The curves of each IoU, made on first use: they do not depend on the minimum score.
private final class CurveCache: Sendable {
  private let known = Mutex<[Int: JSONValue]>([:])

  /// The precision at the recalls of COCO, by class; `null` for classes without objects.
  ///
  /// - Parameter threshold: the place of the IoU among the evaluated ones.
  func curves(of scores: DetectionScores, at threshold: Int) -> JSONValue {
    known.withLock { known in
      if let curves = known[threshold] { return curves }
      let curves = JSONValue.array(
        scores.precisionRecall(threshold: threshold).map { curve in
          curve.map { .array($0.precision.map { .number(($0 * 1_000).rounded() / 1_000) }) }
            ?? .null
        })
      known[threshold] = curves
      return curves
    }
  }
}
