import AssayCore
import AssayFormats
import AssayMetrics
import AssayReports
package import AssayStore

/// Per-class thresholds for the evaluation of a multi-label run.
package struct ClassThresholds: Sendable, Hashable {
  /// The thresholds by class name, each in 0...1. Other classes have the common threshold.
  package var values: [String: Double]
  /// The file or the evaluation (`m1@val`) that the thresholds are from.
  package var source: String
  /// True if the thresholds are from a user's file: each class must then be one of the run or the
  /// dataset.
  package var isFile = false

  /// Reads thresholds from a CSV file with the columns `class` and `threshold`.
  ///
  /// - Throws: `FormatError`, and the errors of reading a file.
  package init(file path: String) throws {
    let tree = try DirectoryTree(path)
    values = try ThresholdTable(tree.readAll(tree.name, limit: 64 << 20), file: path).values
    source = tree.name
    isFile = true
  }

  /// The thresholds with the best F1 per class in a stored evaluation of a multi-label run. A class
  /// without positives has none.
  ///
  /// - Parameter name: `m1@val`; a run without an evaluation name means its evaluation `default`.
  /// - Throws: `StoreError` for an unknown run or evaluation or a damaged value; ``EvaluationError/noThresholds(_:_:)``
  ///   for a run of another task.
  package init(bestOf name: String, in catalog: Catalog) throws {
    let reference = try RunReference(name, in: catalog)
    guard reference.run.task.output == .labels else {
      throw EvaluationError.noThresholds(reference.name, reference.run.task)
    }
    let evaluation =
      try reference.evaluation
      ?? catalog.evaluation(named: EvaluationRecord.defaultName, of: reference.run)
    source = RunReference(run: reference.run, evaluation: evaluation).name
    values = [:]
    for score in try catalog.scores(of: evaluation.id)
    where score.metric == .bestThreshold && score.slice == nil {
      guard let category = score.category, let value = score.value else { continue }
      guard (0...1).contains(value) else {
        throw StoreError.damaged(
          table: "score",
          "the best threshold of “\(category)” in \(source) is \(value), outside of 0…1")
      }
      values[category] = value
    }
    guard !values.isEmpty else { throw EvaluationError.noThresholds(source, nil) }
  }

  /// Thresholds as stored in settings.
  init(values: [String: Double], source: String) {
    self.values = values
    self.source = source
  }

  /// The option that the thresholds are from.
  var option: String { isFile ? "thresholds" : "thresholds-from" }

  /// The members of the stored settings.
  var members: [JSONValue.Member] {
    [
      .init(
        Self.key,
        .object(values.sorted { $0.key < $1.key }.map { .init($0.key, .number($0.value)) })),
      .init(Self.sourceKey, .string(source)),
    ]
  }

  private static let key = "thresholds"
  private static let sourceKey = "thresholds_from"

  /// Reads ``members`` back; `nil` if they are missing or invalid.
  init?(json: JSONValue) {
    guard case .object(let members)? = json[Self.key], let source = json[Self.sourceKey]?.text
    else { return nil }
    var values: [String: Double] = [:]
    for member in members {
      guard let value = member.value.double, (0...1).contains(value) else { return nil }
      values[member.name] = value
    }
    self.init(values: values, source: source)
  }

  /// True if settings have one of the members, in which case ``init(json:)`` must be able to read
  /// them.
  static func stand(in json: JSONValue) -> Bool { json[key] != nil || json[sourceKey] != nil }
}

extension EvaluationSettings {
  /// The score at or above which a class is predicted.
  func threshold(of category: String) -> Double {
    classThresholds?.values[category] ?? masks.threshold ?? LabelThresholds.usual
  }

  /// The thresholds of some classes.
  ///
  /// - Throws: `MetricError` for a threshold outside of 0...1.
  func labelThresholds(of classes: [String]) throws(MetricError) -> LabelThresholds {
    try LabelThresholds(perClass: classes.map(threshold))
  }

  /// The thresholds in words: `0.5`, or `one per class (m1@val)`.
  var thresholdWords: String {
    classThresholds.map { "one per class (\($0.source))" }
      ?? NumberText.short(masks.threshold ?? LabelThresholds.usual)
  }
}
