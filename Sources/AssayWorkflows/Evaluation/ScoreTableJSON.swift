import AssayCore
import AssayMetrics

/// A table of scores as members of `assay evaluate --json`, under the keys of `MetricKind`.
package struct ScoreTableJSON {
  let table: ScoreTable
  let classes: [String]
  let zeroDivision: Evaluation.ZeroDivision

  /// - Parameter classes: the names of the evaluated classes.
  init(_ table: ScoreTable, classes: [String], zeroDivision: Evaluation.ZeroDivision) {
    self.table = table
    self.classes = classes
    self.zeroDivision = zeroDivision
  }

  /// The names of the evaluated classes.
  var classNames: JSONValue { .array(classes.map { .string($0) }) }

  /// The values under one key: for classes a list, or an object by class name if COCO's tools use
  /// one.
  func value(of kind: MetricKind) -> JSONValue {
    guard kind.isPerCategory else { return JSONValue(table[kind].value) }
    let undefined: JSONValue =
      zeroDivision == .zero && ClassRatio.allCases.contains { $0.kind == kind } ? .number(0) : .null
    return list(kind) { score in
      guard let value = score.value else { return undefined }
      return kind == .support ? .integer(Int64(value)) : .number(value)
    }
  }

  /// All values under their keys.
  var values: [JSONValue.Member] { table.kinds.map { .init($0.rawValue, value(of: $0)) } }

  private func list(_ kind: MetricKind, _ value: (Score) -> JSONValue) -> JSONValue {
    let values = table.perClass(kind).map(value)
    guard DetectionScores.classKinds.contains(kind) else { return .array(values) }
    return .object(zip(classes, values).map { .init($0, $1) })
  }

  /// For each mean, the number of defined samples or classes, and their total number.
  var definedCounts: JSONValue {
    .object(
      table.kinds.compactMap { kind in
        guard let defined = table[kind].defined, let total = table[kind].total else { return nil }
        return .init(kind.rawValue, ["defined": JSONValue(defined), "total": JSONValue(total)])
      })
  }

  /// `[low, high]` or `null` under each key; for per-class keys in the same form as the values; no
  /// keys without intervals.
  var intervals: JSONValue {
    guard table.kinds.contains(where: { table.list($0).contains { $0.interval != nil } }) else {
      return .object([])
    }
    return .object(
      table.kinds.map { kind in
        .init(
          kind.rawValue,
          kind.isPerCategory
            ? list(kind) { Self.pair($0.interval) } : Self.pair(table[kind].interval))
      })
  }

  /// The method used for the intervals under each key.
  var intervalMethods: JSONValue {
    .object(
      table.kinds.compactMap { kind in
        table.list(kind).first { $0.interval != nil }?.interval
          .map { .init(kind.rawValue, .string($0.method.rawValue)) }
      })
  }

  private static func pair(_ interval: Interval?) -> JSONValue {
    interval.map { [.number($0.low), .number($0.high)] } ?? .null
  }
}
