extension ModelManifest {
  /// Makes sure that a model takes what this manifest gives, and gives what it names.
  ///
  /// - Returns: the places of the outputs that are read: one, or a detector's boxes and scores.
  /// - Throws: ``InferenceError``, naming both shapes where they do not fit.
  @discardableResult
  package func validate(against signature: ModelSignature) throws(InferenceError) -> [Int] {
    guard signature.inputs.count == 1, let input = signature.inputs.first else {
      throw .inputCount(model: signature.inputs)
    }
    guard input.element == "f32" else { throw .elementType(input, isInput: true) }
    let given = self.input.shape(batch: nil)
    if let taken = input.shape {
      let fits =
        taken.count == given.count
        && zip(given, taken).dropFirst().allSatisfy { $1 == nil || $0 == $1 }
      guard fits else {
        throw .inputShape(manifest: given, layout: self.input.layout.rawValue, model: input)
      }
    }
    var places: [Int] = []
    for name in outputNames {
      let place = try Self.place(of: name, in: signature.outputs)
      let output = signature.outputs[place]
      guard output.element == "f32" else { throw .elementType(output, isInput: false) }
      places.append(place)
      switch task {
      case .classification, .multiLabel:
        guard Self.classCount(of: output).map({ $0 == outputs.count }) ?? true else {
          throw .outputShape(classes: outputs.count, model: output)
        }
      case .segmentation: try MapLayout.candidates(of: output, self)
      // A detector's boxes can be counted only once the input's size is set.
      case .detection: break
      }
    }
    return places
  }

  /// Checks what the activation of a multi-label model must not be.
  func labelsFault() -> (key: String, fault: ManifestFault)? {
    task.output == .labels && activation == .softmax ? ("activation", .softmaxOfLabels) : nil
  }

  /// The outputs that are read; `nil` for the only one.
  private var outputNames: [String?] {
    detector?.outputs.map { [$0.boxes, $0.scores] } ?? [output]
  }

  private static func place(
    of wanted: String?, in outputs: [TensorSignature]
  ) throws(InferenceError) -> Int {
    guard let wanted else {
      guard outputs.count == 1 else { throw .outputUnclear(wanted: nil, model: outputs) }
      return 0
    }
    guard let place = outputs.firstIndex(where: { $0.name == wanted }) else {
      throw .outputUnclear(wanted: wanted, model: outputs)
    }
    return place
  }

  /// The values a sample in the output of a classifier or a multi-label model, `[N, C]` or with further
  /// dimensions of 1; `nil` where it is not known before the model runs.
  static func classCount(of output: TensorSignature) -> Int? {
    guard let shape = output.shape else { return nil }
    var count = 1
    for length in shape.dropFirst() {
      guard let length else { return nil }
      let (product, overflow) = count.multipliedReportingOverflow(by: length)
      guard !overflow else { return nil }
      count = product
    }
    return shape.isEmpty ? 0 : count
  }
}
