/// Precision over recall of one class at one IoU threshold, area range and detection limit.
package struct PrecisionRecallCurve: Sendable, Equatable {
  /// The 101 recalls 0, 0.01, … 1.
  package static let recalls: [Double] = (0...100).map { $0 == 100 ? 1 : Double($0) * 0.01 }

  /// The best precision at each of ``recalls`` or a higher recall; 0 if it is not reached.
  package var precision: [Double]
  /// The minimum score of the detections needed to reach each of ``recalls``; 0 if it is not
  /// reached.
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
