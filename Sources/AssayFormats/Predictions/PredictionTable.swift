/// A score a sample and class, as it stands in a file.
package struct PredictionTable<Score: DecimalScore>: Hashable, Sendable {
  /// The classes in the order of their columns, no two alike.
  package var classes: [String]
  /// The samples' keys, no two alike; `nil` where the file has none, and rows are joined by their
  /// order.
  package var samples: [String]?
  /// The true classes' names; `nil` where the file has none.
  package var truth: [String]?
  /// The scores, row after row: `count * classes.count` finite numbers.
  package var scores: [Score]

  package init(
    classes: [String], samples: [String]?, truth: [String]? = nil, scores: [Score]
  ) {
    self.classes = classes
    self.samples = samples
    self.truth = truth
    self.scores = scores
  }

  /// The number of rows.
  package var count: Int { classes.isEmpty ? 0 : scores.count / classes.count }

  /// The scores of one row, in the order of ``classes``.
  package func row(_ index: Int) -> ArraySlice<Score> {
    scores[(index * classes.count)..<((index + 1) * classes.count)]
  }
}

/// The true class of each sample, as it stands in a file.
package struct TruthTable: Hashable, Sendable {
  /// The samples' keys, no two alike; `nil` where the file has none, and rows are joined by their
  /// order.
  package var samples: [String]?
  /// The classes' names, one a row.
  package var labels: [String]
}
