/// Precision over recall of one class at one IoU threshold, area range and limit of detections.
package struct PrecisionRecallCurve: Sendable, Equatable {
  /// 101: 0, 0.01, … 1.
  package static let recalls: [Double] = (0...100).map { $0 == 100 ? 1 : Double($0) * 0.01 }

  /// At each of ``recalls`` the best precision at this recall or more; 0 where it is not reached.
  package var precision: [Double]
  /// At each of ``recalls`` the score down to which detections are taken; 0 where it is not reached.
  package var scores: [Double]
  /// The recall of all detections.
  package var recall: Double
  /// The number of objects that must be found, at least 1.
  package var truths: Int

  /// The mean precision, which is COCO's average precision.
  package var averagePrecision: Double {
    precision.withUnsafeBufferPointer { RowSum.of($0) } / Double(precision.count)
  }
}
