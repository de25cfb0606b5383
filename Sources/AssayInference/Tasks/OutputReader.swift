/// Converts a model's outputs to the predictions of one task.
package protocol OutputReader: Sendable {
  /// The prediction for one sample.
  associatedtype SampleOutput: Sendable

  /// Creates a reader for a model of its task.
  ///
  /// - Throws: ``InferenceError/otherTask(_:model:)`` for a model of another task.
  init(_ model: ValidatedModel) throws(InferenceError)

  /// Reads one sample's outputs.
  ///
  /// - Throws: ``InferenceError`` if they do not fit the manifest; `sample` is the key in the
  ///   message.
  func answer(of outputs: [Float], sample: String) throws(InferenceError) -> SampleOutput

  /// Returns whether outputs are already probabilities before the manifest's activation.
  func areProbabilities(_ outputs: [Float]) -> Bool

  /// The values among a sample's outputs that ``areProbabilities(_:)`` is about, for a message.
  func scores(among outputs: [Float]) -> [Float]

  /// Checks the outputs of the first samples of a run together.
  ///
  /// - Throws: ``InferenceError`` if they probably do not fit the manifest.
  func examine(_ outputs: [[Float]]) throws(InferenceError)

  /// A remark on the outputs of different images among the first of a run, which may fit the manifest or not; `nil`
  /// for none.
  func remark(on outputs: [[Float]]) -> String?

  var activation: Activation { get }
}

extension OutputReader {
  package func examine(_ outputs: [[Float]]) throws(InferenceError) {}
  package func remark(on outputs: [[Float]]) -> String? { nil }
  package func scores(among outputs: [Float]) -> [Float] { outputs }
}
