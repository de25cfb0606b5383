package import AssayCore
package import AssayMetrics
package import AssayStore

/// Two runs that find regions on the samples that both have, with the differences of all their scores.
package struct SegmentationPairing: Sendable {
  /// Both with the samples that both have, in the order of the first, and the classes that both judge.
  package var first: EvaluatedRun<SemanticSegmentation>
  package var second: EvaluatedRun<SemanticSegmentation>
  /// The scores of each sample in either.
  package var firstScores: [SampleMaskScores]
  package var secondScores: [SampleMaskScores]
  package var labels: SegmentationLabels
  package var comparison: SegmentationComparison
  /// What a reader has to know beside the numbers, one sentence each.
  package var notes: [String]

  /// The samples that both have.
  package var samples: [SampleRecord] { first.samples }

  /// The names of the classes that both judge.
  package var classes: [String] { Array(labels.names[labels.judged]) }

  /// Samples whose IoU is lower in the second run, by index, the largest drop first.
  package var lost: [Int] { ordered(comparison.lost) }

  /// Samples whose IoU is higher in the second run, by index, the largest gain first.
  package var won: [Int] { ordered(comparison.won) }

  private func ordered(_ indices: [Int]) -> [Int] {
    let differences = comparison.sampleDifferences
    return indices.sorted { (-abs(differences[$0] ?? 0), $0) < (-abs(differences[$1] ?? 0), $1) }
  }

  /// The comparison as `assay compare --json` prints it: `a`, `b` and `difference` (b − a) under the keys
  /// of `MetricKind`.
  package var json: JSONValue {
    let kinds = SegmentationScores.kinds(for: labels)
    return [
      "a": .string(first.name), "b": .string(second.name),
      "task": .string(ModelTask.segmentation.rawValue), "n": JSONValue(comparison.count),
      "classes": .array(classes.map { .string($0) }),
      "differences": .object(
        kinds.map { .init($0.rawValue, comparison[$0]?.json(classes: labels.names) ?? .null) }
          + SegmentationComparison.classKinds.map { kind in
            let all = comparison.perClass(kind)
            return .init(
              kind.rawValue,
              .array(
                labels.judged.filter { $0 < all.count }
                  .map { all[$0].json(classes: labels.names) }))
          }),
      "lost": .array(lost.map(sample)), "won": .array(won.map(sample)),
      "notes": .array(notes.map { .string($0) }),
    ]
  }

  private func sample(_ index: Int) -> JSONValue {
    [
      "key": .string(samples[index].key), "a_iou": JSONValue(firstScores[index].iou),
      "b_iou": JSONValue(secondScores[index].iou),
      "difference": JSONValue(comparison.sampleDifferences[index]),
    ]
  }
}
