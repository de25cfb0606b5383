package import AssayCore
package import AssayMetrics
package import AssayStore

/// Two runs that find regions on the samples that both have, with the differences of all their scores.
package struct SegmentationPairing: TaskPairing {
  /// Both with the samples that both have, in the order of the first, and the classes that both judge.
  package var first: EvaluatedRun<SemanticSegmentation>
  package var second: EvaluatedRun<SemanticSegmentation>
  /// The scores of each sample in either.
  package var firstScores: [SampleMaskScores]
  package var secondScores: [SampleMaskScores]
  package var labels: SegmentationLabels
  package var comparison: SegmentationComparison

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

  package var wrapped: ComparisonDetails { .segmentation(self) }

  package var differences: Differences {
    Differences(
      SegmentationScores.kinds(for: labels), SegmentationComparison.classKinds,
      names: labels.names, overall: { comparison[$0] },
      perClass: { kind in
        let all = comparison.perClass(kind)
        return labels.judged.filter { $0 < all.count }.map { all[$0] }
      })
  }

  package var changes: (lost: Int, won: Int) { (comparison.lost.count, comparison.won.count) }

  package var leadingMembers: [JSONValue.Member] {
    [
      .init("task", .string(ModelTask.segmentation.rawValue)),
      .init("n", JSONValue(comparison.count)),
    ]
  }

  package var members: [JSONValue.Member] { [] }

  package var lostJSON: [JSONValue] { lost.map(sample) }
  package var wonJSON: [JSONValue] { won.map(sample) }

  private func sample(_ index: Int) -> JSONValue {
    [
      "key": .string(samples[index].key), "a_iou": JSONValue(firstScores[index].iou),
      "b_iou": JSONValue(secondScores[index].iou),
      "difference": JSONValue(comparison.sampleDifferences[index]),
    ]
  }
}
