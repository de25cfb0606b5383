package import AssayCore
package import AssayMetrics
import AssayStore

/// The numbers of one set of samples by their keys: those with one number a run, and those with one a class.
package struct ScoreTable: Sendable, Equatable {
  /// The number of samples.
  package let count: Int
  /// The keys of the table, in the order in which they are listed; a number under one may be undefined.
  package let kinds: [MetricKind]
  private var numbers: [MetricKind: Score] = [:]
  private var classNumbers: [MetricKind: [Score]] = [:]

  /// - Parameters:
  ///   - overall: the score under a key with one number a run.
  ///   - perClass: the scores under a key with one number a class, in the order of the evaluated classes; empty
  ///     where there are none.
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

  /// The score under a key with one number a run; undefined for the others.
  package subscript(kind: MetricKind) -> Score { numbers[kind] ?? .undefined }

  /// The scores under a key with one number a class, in the order of the evaluated classes; empty for the
  /// others.
  package func perClass(_ kind: MetricKind) -> [Score] { classNumbers[kind] ?? [] }

  /// The scores under a key: one, or one a class.
  func list(_ kind: MetricKind) -> [Score] {
    kind.isPerCategory ? perClass(kind) : [self[kind]]
  }

  /// Every number as the catalog keeps it.
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
  ///   - category: the class, under a key with one number a class.
  ///   - n: the number of samples.
  init(_ kind: MetricKind, _ category: String?, _ score: Score, slice: String?, n: Int) {
    self.init(
      metric: kind, category: category, slice: slice, value: score.value,
      low: score.interval?.low, high: score.interval?.high, n: n, defined: score.defined,
      total: score.total)
  }
}
