package import AssayCore
package import AssayMetrics
package import AssayReports
package import AssayStore

/// Two classification runs on their common samples, with the differences of all scores.
package struct ClassificationPairing: TaskPairing {
  /// The keys of the common samples, in the order of the first run.
  package var keys: [String]
  /// The classes of both runs: the first run's in their order, then those that only the second has.
  package var classes: [String]
  /// The predictions of both runs for these samples.
  package var firstTally: ClassificationTally
  package var secondTally: ClassificationTally
  package var comparison: ClassificationComparison

  package var wrapped: ComparisonDetails { .classification(self) }

  package var differences: Differences {
    Differences(
      ClassificationComparison.kinds, ClassificationComparison.classKinds, names: classes,
      overall: { comparison[$0] }, perClass: { comparison.perClass($0) })
  }

  package var changes: (lost: Int, won: Int) { (comparison.lost.count, comparison.won.count) }
}

extension ClassificationPairing {
  package var leadingMembers: [JSONValue.Member] { [.init("n", JSONValue(comparison.count))] }

  package var members: [JSONValue.Member] {
    [
      .init("mcnemar", comparison.test.json),
      .init(
        "mcnemar_by_class", McNemar.json(comparison.classTests, comparison.classPValues, classes)),
      .init("both_correct", JSONValue(comparison.bothRight)),
      .init("neither_correct", JSONValue(comparison.neitherRight)),
    ]
  }

  package var lostJSON: [JSONValue] { comparison.lost.map(sample) }
  package var wonJSON: [JSONValue] { comparison.won.map(sample) }

  private func sample(_ index: Int) -> JSONValue {
    let (a, b) = (firstTally[index], secondTally[index])
    return [
      "key": .string(keys[index]), "ground_truth": .string(classes[a.truth]),
      "a": .string(classes[a.predicted]), "b": .string(classes[b.predicted]),
      "a_confidence": .number(a.confidence), "b_confidence": .number(b.confidence),
    ]
  }
}

extension McNemar {
  var json: JSONValue {
    [
      "regressions": JSONValue(onlyFirst), "improvements": JSONValue(onlySecond),
      "p": .number(pValue),
      "statistic": JSONValue(statistic), "exact": .bool(isExact),
    ]
  }

  /// The tests per class, each with its Holm-corrected p-value; for a class without samples, `null`
  /// and the reason.
  static func json(
    _ tests: [McNemar?], _ pValues: [Double?], _ classes: [String]
  ) -> JSONValue {
    .array(
      classes.indices.map { category in
        var members: [JSONValue.Member] = [.init("class", .string(classes[category]))]
        if let test = tests[category], case .object(let tested) = test.json {
          members += tested
        } else {
          members += ["regressions", "improvements", "p", "statistic", "exact"].map {
            .init($0, .null)
          }
        }
        members.append(.init("p_holm", JSONValue(pValues[category])))
        members.append(
          .init("reason", tests[category] == nil ? "no sample has the class" : .null))
        return .object(members)
      })
  }
}

extension ClassificationPairing {
  /// The maximum number of images of each kind on a sheet.
  private static let pictureLimit = 96

  package func changed(lost: Bool) -> [Int] { lost ? comparison.lost : comparison.won }

  package func changes(from first: String, to second: String) -> (worse: String, better: String) {
    ImageClassification.changes(from: first, to: second)
  }

  /// The probability of the ground-truth class; `nil` if a run has predicted classes only.
  package var sampleScores: ComparisonReport.Scores? {
    guard firstTally.hasProbabilities, secondTally.hasProbabilities else { return nil }
    func probability(_ tally: ClassificationTally, _ index: Int) -> Double {
      let row = tally.row(index)
      return row[row.startIndex + tally[index].truth]
    }
    return ComparisonReport.Scores(
      name: "probability of the ground-truth class", isShare: true,
      pairs: keys.indices.map {
        .init(probability(firstTally, $0), probability(secondTally, $0))
      })
  }

  package func titles(first: String, second: String) -> (lost: String, won: String) {
    ("regressions: only \(first) is correct", "improvements: only \(second) is correct")
  }

  /// The tiles, most confident wrong answer first.
  package func tiles(
    lost: Bool, of samples: [SampleRecord], _ dataset: DatasetRecord, in catalog: Catalog
  ) throws -> [ContactSheet.Tile] {
    let (wrong, indices) =
      lost ? (secondTally, comparison.lost) : (firstTally, comparison.won)
    let shown = indices.sorted {
      (-wrong.confidences[$0], $0) < (-wrong.confidences[$1], $1)
    }.prefix(Self.pictureLimit)
    return try ComparisonPictures.tiles(
      of: Array(shown), SampleImages(catalog: catalog, dataset: dataset), sample: { samples[$0] },
      read: { $0 }
    ) { index, _, raster in
      let (a, b) = (firstTally[index], secondTally[index])
      return ContactSheet.Tile(
        raster: raster,
        caption: [
          "\(classes[a.predicted]) → \(classes[b.predicted])",
          "ground truth \(classes[a.truth]), \(keys[index])",
        ], frame: lost ? .wrong : .right, key: keys[index])
    }
  }
}
