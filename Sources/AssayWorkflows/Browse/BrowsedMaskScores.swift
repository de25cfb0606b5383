import AssayCore
package import AssayStore

/// The scores of a segmentation run's masks of one sample, from its evaluation.
package struct BrowsedMaskScores: Hashable, Sendable {
  /// The scores of one class over the sample's pixels.
  package struct OfClass: Hashable, Sendable {
    package var `class`: String
    package var iou: Double
    package var dice: Double
    /// True if the class has pixels in the ground truth, and none in the prediction.
    package var isMissed: Bool
  }

  /// In 0...1; `nil` if undefined.
  package var iou: Double?
  package var dice: Double?
  package var uncertainty: Double?
  /// The classes that have pixels in the ground truth or the prediction.
  package var classes: [OfClass]
}

extension BrowsedMaskScores {
  /// - Parameter names: the evaluation's classes, which the tally counts by.
  init(_ tally: PixelTallyRecord, classes names: [String]) {
    iou = tally.iou
    dice = tally.dice
    uncertainty = tally.uncertainty
    let count = names.count
    classes = names.indices.compactMap { index in
      let shared = tally.confusion[index * count + index]
      let truth = tally.confusion[(index * count)..<((index + 1) * count)].reduce(0, +)
      let predicted = names.indices.reduce(0) { $0 + tally.confusion[$1 * count + index] }
      guard truth + predicted > 0 else { return nil }
      return OfClass(
        class: names[index], iou: Double(shared) / Double(truth + predicted - shared),
        dice: 2 * Double(shared) / Double(truth + predicted), isMissed: predicted == 0)
    }
  }
}

extension MarksReader {
  /// The scores of a segmentation run for a sample, in its evaluation with the ground truth that is read; `nil` for other
  /// runs and without such an evaluation.
  ///
  /// - Throws: `StoreError`, `EvaluationError`.
  package func maskScores(
    of run: RunRecord, for sample: SampleRecord
  ) throws -> BrowsedMaskScores? {
    switch run.task.output {
    case .label, .labels, .objects: return nil
    case .masks: break
    }
    guard let evaluation = try matchedEvaluation(of: run),
      let tally = try catalog.pixelTallies(of: evaluation.id, sample: sample.id).first
    else { return nil }
    return BrowsedMaskScores(tally, classes: evaluation.classes)
  }
}
