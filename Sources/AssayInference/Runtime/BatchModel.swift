package import AssayCore

/// A model that computes the outputs of batches of images.
package protocol BatchModel: Sendable {
  /// The maximum number of images per call.
  var batch: Int { get }

  /// Computes the outputs of images.
  ///
  /// - Parameters:
  ///   - names: the samples' keys, at least one and at most ``batch``.
  ///   - files: finds the file of the image at an index of `names`, for models that read it themselves; `nil` if
  ///     it is in none of its own.
  ///   - size: the size of their inputs; `nil` for the model's, if all inputs have the same.
  ///   - fill: writes the image at an index of `names` into memory for its input values.
  /// - Returns: the values that are read, one row per image; several outputs one after another.
  /// - Throws: ``InferenceError``, and the errors of `fill`.
  func infer(
    names: [String], files: (Int) -> String?, size: ImageSize?,
    fill: (Int, UnsafeMutableBufferPointer<Float>) throws -> Void
  ) throws -> [[Float]]
}

extension BatchModel {
  /// The same for images that are in no file.
  package func infer(
    names: [String], size: ImageSize?,
    fill: (Int, UnsafeMutableBufferPointer<Float>) throws -> Void
  ) throws -> [[Float]] {
    try infer(names: names, files: { _ in nil }, size: size, fill: fill)
  }
}
