/// Turns a model's outputs into the predictions of one task.
package protocol OutputReader: Sendable {
  /// The prediction for one sample.
  associatedtype SampleOutput: Sendable

  /// A reader for a model of its task.
  ///
  /// - Throws: ``InferenceError/otherTask(_:model:)`` for a model of another one.
  init(_ model: ValidatedModel) throws(InferenceError)

  /// Reads one sample's outputs.
  ///
  /// - Throws: ``InferenceError`` where they are not what the manifest promises; `sample` names it.
  func answer(of outputs: [Float], sample: String) throws(InferenceError) -> SampleOutput

  /// Returns whether outputs are probabilities already, before the manifest's activation.
  func areProbabilities(_ outputs: [Float]) -> Bool

  /// Looks at the outputs of the first samples of a run together.
  ///
  /// - Throws: ``InferenceError`` where they are probably not what the manifest says.
  func examine(_ outputs: [[Float]]) throws(InferenceError)

  var activation: Activation { get }
}

extension OutputReader {
  package func examine(_ outputs: [[Float]]) throws(InferenceError) {}
}
