/// A model that computes the outputs of batches of images.
package protocol BatchModel: Sendable {
  /// The maximum number of images per call.
  var batch: Int { get }
  /// The number of input values per image.
  var inputCount: Int { get }

  /// Computes the outputs of images.
  ///
  /// - Parameters:
  ///   - names: the samples' keys, at least one and at most ``batch``.
  ///   - fill: writes the image at an index of `names` into memory of ``inputCount`` values.
  /// - Returns: the values that are read, one row per image; several outputs one after another.
  /// - Throws: ``InferenceError``, and the errors of `fill`.
  func infer(
    names: [String], fill: (Int, UnsafeMutableBufferPointer<Float>) throws -> Void
  ) throws -> [[Float]]
}
