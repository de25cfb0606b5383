import AssayCore

/// A way to read the scores of a sample's boxes.
protocol BoxScoring: Sendable {
  /// Checks the values before boxes are chosen.
  ///
  /// - Parameter least: the minimum score of a box that is kept.
  /// - Throws: ``InferenceError`` for scores that are not probabilities, and for classes that the manifest
  ///   does not name.
  func check(
    _ outputs: UnsafeBufferPointer<Float>, least: Float, sample: String
  ) throws(InferenceError)

  /// The best candidates with at least the minimum score, in descending order.
  func candidates(
    _ outputs: UnsafeBufferPointer<Float>, least: Float, bestClassOnly: Bool
  ) -> [BoxCandidate]

  /// A row's scores of at least `least`, highest first, ties by class; empty if only one is known.
  func scores(
    ofRow row: Int, _ outputs: UnsafeBufferPointer<Float>, least: Float
  ) -> [Detection.ClassScore]

  /// Returns whether all values are probabilities before any activation.
  func areProbabilities(_ outputs: UnsafeBufferPointer<Float>) -> Bool
}
