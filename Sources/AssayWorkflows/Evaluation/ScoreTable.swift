package import AssayCore
package import AssayMetrics
import AssayStore

/// The metrics of one set of samples by key: those with one value per run, and those with one per
/// class.
package struct ScoreTable: Sendable, Equatable {
  /// The number of samples.
  package let count: Int
  /// The keys of the table, in display order; the value under a key may be undefined.
  package let kinds: [MetricKind]
  private var numbers: [MetricKind: Score] = [:]
  private var classNumbers: [MetricKind: [Score]] = [:]

  /// - Parameters:
  ///   - overall: the score under a key with one value per run.
  ///   - perClass: the scores under a key with one value per class, in the order of the evaluated
  ///     classes; empty if there are none.
  init(
    count: Int, _ kinds: [MetricKind], overall: (MetricKind) -> Score,
    perClass: (MetricKind) -> [Score]
  ) {
    self.count = count
    self.kinds = kinds
    for kind in kinds {
      if kind.isPerCategory {
        classNumbers[kind] = perClass(kind)
      } else {
        numbers[kind] = overall(kind)
      }
    }
  }

  /// The score under a key with one value per run; undefined for other keys.
  package subscript(kind: MetricKind) -> Score { numbers[kind] ?? .undefined }

  /// The scores under a key with one value per class, in the order of the evaluated classes; empty
  /// for other keys.
  package func perClass(_ kind: MetricKind) -> [Score] { classNumbers[kind] ?? [] }

  /// The scores under a key: one, or one per class.
  func list(_ kind: MetricKind) -> [Score] {
    kind.isPerCategory ? perClass(kind) : [self[kind]]
  }

  /// Every metric as stored in the catalog.
  ///
  /// - Parameter slice: `split=validation`; `nil` for all samples.
  func records(classes: [String], slice: String?) -> [ScoreRecord] {
    kinds.flatMap { kind in
      list(kind).enumerated().map { place, score in
        ScoreRecord(
          kind, kind.isPerCategory ? classes[place] : nil, score, slice: slice, n: count)
      }
    }
  }
}

extension ScoreRecord {
  /// - Parameters:
  ///   - category: the class, for a key with one value per class.
  ///   - n: the number of samples.
  init(_ kind: MetricKind, _ category: String?, _ score: Score, slice: String?, n: Int) {
    self.init(
      metric: kind, category: category, slice: slice, value: score.value,
      low: score.interval?.low, high: score.interval?.high, n: n, defined: score.defined,
      total: score.total)
  }
}
