package import AssayCore
package import AssayMetrics

/// The counts of objects found and missed in one sample, at the evaluation's IoU and minimum score.
/// Queries use these counts.
package struct ObjectCounts: Sendable, Hashable {
  /// The number of objects to be found, without crowds.
  package var truths = 0
  /// The number of detections with at least the minimum score, including those that are neither
  /// right nor wrong.
  package var detections = 0
  package var truePositives = 0
  package var falsePositives = 0
  /// The number of objects without a match of at least the minimum score.
  package var falseNegatives = 0
  /// The number of wrong detections with at least the minimum score, by error type, and of objects
  /// missed at any score.
  package var errors: [DetectionErrorKind: Int] = [:]

  package init() {}

  /// Counts the verdicts on one sample.
  ///
  /// - Parameter score: the minimum score of detections that count.
  package init(_ sample: ImageErrors, from score: Double) {
    for verdict in sample.truthVerdicts {
      if verdict.outcome != .ignored { truths += 1 }
      if let error = verdict.error { errors[error, default: 0] += 1 }
    }
    for (verdict, found) in zip(sample.foundVerdicts, sample.foundScores) where found >= score {
      detections += 1
      switch verdict.outcome {
      case .right: truePositives += 1
      case .wrong: falsePositives += 1
      case .ignored: break
      }
      if let error = verdict.error { errors[error, default: 0] += 1 }
    }
    falseNegatives = truths - truePositives
  }

  /// tp / (tp + fp), in 0...1; `nil` without detections.
  package var precision: Double? { Self.share(truePositives, of: truePositives + falsePositives) }

  /// tp / (tp + fn), in 0...1; `nil` without objects.
  package var recall: Double? { Self.share(truePositives, of: truePositives + falseNegatives) }

  private static func share(_ part: Int, of whole: Int) -> Double? {
    whole == 0 ? nil : Double(part) / Double(whole)
  }
}
