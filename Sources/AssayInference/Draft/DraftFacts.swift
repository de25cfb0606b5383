/// The facts of a model that the draft of its manifest is made of.
struct DraftFacts {
  let signature: ModelSignature
  let metadata: ModelMetadata
  let input: InputGuess
  /// The lines of `input` that the file, or one beside it, states; `nil` if they do not.
  let statedInput: [String]?

  var outputs: [TensorSignature] { signature.outputs }

  init(_ signature: ModelSignature, _ metadata: ModelMetadata) {
    self.signature = signature
    self.metadata = metadata
    input = InputGuess(signature.image, metadata)
    statedInput = input.stated(by: metadata)
  }
}
