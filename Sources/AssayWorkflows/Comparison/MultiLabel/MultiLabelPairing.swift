package import AssayCore
package import AssayMetrics
package import AssayReports
package import AssayStore

/// Two multi-label runs on their common samples, with the differences of all scores.
package struct MultiLabelPairing: TaskPairing {
  /// The keys of the common samples, in the order of the first run.
  package let keys: [String]
  /// The classes that both runs and the dataset have.
  package let classes: [String]
  package let firstTally: MultiLabelTally
  package let secondTally: MultiLabelTally
  /// The thresholds of each run, one per class; the runs may differ.
  package let thresholds: (first: LabelThresholds, second: LabelThresholds)
  /// The thresholds of each run in words.
  package let thresholdWords: (first: String, second: String)
  package let comparison: MultiLabelComparison
  /// The evaluated classes that only one of the runs has.
  package let unshared: [String]

  package var wrapped: ComparisonDetails { .multiLabel(self) }

  package var differences: Differences {
    Differences(
      MultiLabelComparison.kinds, MultiLabelComparison.classKinds, names: classes,
      overall: { comparison[$0] }, perClass: { comparison.perClass($0) })
  }

  package var changes: (lost: Int, won: Int) { (comparison.lost.count, comparison.won.count) }

  // MARK: JSON

  package var leadingMembers: [JSONValue.Member] { [.init("n", JSONValue(comparison.count))] }

  package var members: [JSONValue.Member] {
    [
      .init(
        "thresholds",
        [
          "a": .array(thresholds.first.values.map { .number($0) }),
          "b": .array(thresholds.second.values.map { .number($0) }),
        ]),
      .init("mcnemar", comparison.test.json),
      .init(
        "mcnemar_by_class", McNemar.json(comparison.classTests, comparison.classPValues, classes)),
      .init("both_exact", JSONValue(comparison.bothExact)),
      .init("neither_exact", JSONValue(comparison.neitherExact)),
    ]
  }

  package var listNames: (lost: String, won: String) { ("more_wrong", "fewer_wrong") }
  package var lostJSON: [JSONValue] { comparison.lost.map(sample) }
  package var wonJSON: [JSONValue] { comparison.won.map(sample) }

  /// The outcome of a sample at the thresholds of each run.
  private func evaluated(_ index: Int) -> (MultiLabelTally.Evaluated, MultiLabelTally.Evaluated) {
    (
      firstTally.evaluated(index, thresholds.first), secondTally.evaluated(index, thresholds.second)
    )
  }

  private func sample(_ index: Int) -> JSONValue {
    let (a, b) = evaluated(index)
    func names(_ labels: [Int]) -> JSONValue { .array(labels.map { .string(classes[$0]) }) }
    return [
      "key": .string(keys[index]), "labels": names(a.labels), "a": names(a.predicted),
      "b": names(b.predicted),
    ]
  }

  // MARK: Images

  /// The maximum number of images of each kind on a sheet.
  private static let pictureLimit = 96

  package func changed(lost: Bool) -> [Int] { lost ? comparison.lost : comparison.won }

  package func changes(from first: String, to second: String) -> (worse: String, better: String) {
    MultiLabelClassification.changes(from: first, to: second)
  }

  package var sampleScores: ComparisonReport.Scores? {
    ComparisonReport.Scores(
      name: "wrong labels", isShare: false,
      pairs: keys.indices.map { index in
        let (a, b) = evaluated(index)
        return .init(Double(a.wrong), Double(b.wrong))
      })
  }

  package func titles(first: String, second: String) -> (lost: String, won: String) {
    (
      "regressions: more wrong labels in \(second)",
      "improvements: fewer wrong labels in \(second)"
    )
  }

  /// The tiles, largest change in the number of wrong labels first.
  package func tiles(
    lost: Bool, of samples: [SampleRecord], _ dataset: DatasetRecord, in catalog: Catalog
  ) throws -> [ContactSheet.Tile] {
    let indices = lost ? comparison.lost : comparison.won
    let changes = indices.map { index in
      (
        index: index,
        size: abs(
          firstTally.evaluated(index, thresholds.first).wrong
            - secondTally.evaluated(index, thresholds.second).wrong)
      )
    }
    let shown = changes.sorted { (-$0.size, $0.index) < (-$1.size, $1.index) }
      .prefix(Self.pictureLimit).map(\.index)
    return try ComparisonPictures.tiles(
      of: shown, SampleImages(catalog: catalog, dataset: dataset), sample: { samples[$0] },
      read: { $0 }
    ) { index, _, raster in
      let (a, b) = evaluated(index)
      return ContactSheet.Tile(
        raster: raster,
        caption: [
          "A: \(words(a)); B: \(words(b))",
          "ground truth \(names(a.labels)), \(keys[index])",
        ], frame: lost ? .wrong : .right, key: keys[index])
    }
  }

  /// `+dog −cat`: labels that are wrongly predicted, and labels that are missing; `right` if there
  /// are none.
  private func words(_ sample: MultiLabelTally.Evaluated) -> String {
    let words = sample.added.map { "+\(classes[$0])" } + sample.missed.map { "−\(classes[$0])" }
    return words.isEmpty ? "correct" : words.joined(separator: " ")
  }

  private func names(_ labels: [Int]) -> String {
    labels.isEmpty ? "–" : labels.map { classes[$0] }.joined(separator: ", ")
  }
}
