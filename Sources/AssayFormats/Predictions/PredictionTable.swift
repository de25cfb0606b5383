/// The scores in a file, one per sample and class.
package struct PredictionTable<Score: DecimalScore>: Hashable, Sendable {
  /// The classes in the order of their columns, without duplicates.
  package var classes: [String]
  /// The samples' keys, without duplicates; `nil` if the file has none, and rows are matched by
  /// order.
  package var samples: [String]?
  /// The names of the true classes; `nil` if the file has none.
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

/// The true class of each sample in a file.
package struct TruthTable: Hashable, Sendable {
  /// The samples' keys, without duplicates; `nil` if the file has none, and rows are matched by
  /// order.
  package var samples: [String]?
  /// The class names, one per row.
  package var labels: [String]
}
