package import AssayCore
package import AssayMetrics
package import AssayReports
package import AssayStore

/// Two segmentation runs on their common samples, with the differences of all scores.
package struct SegmentationPairing: TaskPairing {
  /// Both runs with their common samples, in the order of the first run, and the classes evaluated
  /// in both.
  package var first: EvaluatedRun<SemanticSegmentation>
  package var second: EvaluatedRun<SemanticSegmentation>
  /// The scores of each sample in each run.
  package var firstScores: [SampleMaskScores]
  package var secondScores: [SampleMaskScores]
  package var labels: SegmentationLabels
  package var comparison: SegmentationComparison

  /// The common samples.
  package var samples: [SampleRecord] { first.samples }

  /// The names of the classes evaluated in both runs.
  package var classes: [String] { Array(labels.names[labels.evaluated]) }

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
        return labels.evaluated.filter { $0 < all.count }.map { all[$0] }
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

extension SegmentationPairing {
  /// The maximum number of images of each kind on a sheet.
  private static let pictureLimit = 48
  /// The length of an image's longer side, in pixels.
  private static let longest = 240

  package func changed(lost: Bool) -> [Int] { lost ? comparison.lost : comparison.won }

  package func changes(from first: String, to second: String) -> (worse: String, better: String) {
    SemanticSegmentation.changes(from: first, to: second)
  }

  package var sampleScores: ComparisonReport.Scores? {
    ComparisonReport.Scores(
      name: labels.isBinary ? "IoU" : "mIoU", isShare: true,
      pairs: zip(firstScores, secondScores).compactMap { first, second in
        guard let a = first.iou, let b = second.iou else { return nil }
        return .init(a, b)
      })
  }

  package func titles(first: String, second: String) -> (lost: String, won: String) {
    ("regressions: lower IoU in \(second)", "improvements: higher IoU in \(second)")
  }

  /// The ground truth, the first run's outline (dashed) and the second run's outline.
  package func tiles(
    lost: Bool, of samples: [SampleRecord], _ dataset: DatasetRecord, in catalog: Catalog
  ) throws -> [ContactSheet.Tile] {
    let shown = (lost ? self.lost : won).prefix(Self.pictureLimit)
    return try ComparisonPictures.tiles(
      of: Array(shown), SampleImages(catalog: catalog, dataset: dataset), sample: { samples[$0] },
      read: { try regions($0, in: catalog) }
    ) { index, regions, raster in
      guard let masks = masks(regions.first, regions.second) else { return nil }
      let overlay = MaskOverlay.compared(
        truth: masks.truth, first: masks.first, second: masks.second)
      let (a, b) = (firstScores[index].iou, secondScores[index].iou)
      let change = "IoU \(NumberText.fixed(a)) → \(NumberText.fixed(b))"
      return ContactSheet.Tile(
        raster: try overlay.drawn(over: raster, longest: Self.longest),
        caption: [
          labels.isBinary ? change : "\(masks.name): \(change)", samples[index].key,
        ], frame: lost ? .wrong : .right, key: samples[index].key)
    }
  }

  private func regions(
    _ indices: [Int], in catalog: Catalog
  ) throws -> [(first: SampleRegions, second: SampleRegions)] {
    Array(
      zip(try first.regions(at: indices, in: catalog), try second.regions(at: indices, in: catalog))
    )
  }

  /// The masks of the class that the two runs disagree about most.
  private func masks(
    _ first: SampleRegions, _ second: SampleRegions
  ) -> (name: String, truth: Mask, first: Mask, second: Mask)? {
    classes.compactMap { name -> (String, Mask, Mask, Mask)? in
      guard let one = self.first.content.classes.evaluated.firstIndex(of: name),
        let other = self.second.content.classes.evaluated.firstIndex(of: name)
      else { return nil }
      return (name, first.truth(of: one), first.predicted[one], second.predicted[other])
    }.max { Self.disagreement($0.2, $0.3) < Self.disagreement($1.2, $1.3) }
  }

  private static func disagreement(_ first: Mask, _ second: Mask) -> Int {
    first.symmetricDifference(second).area
  }
}
