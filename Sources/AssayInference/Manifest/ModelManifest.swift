package import AssayCore

/// The settings that assay needs to preprocess images for a model and to read its outputs; written
/// by a person as YAML.
package struct ModelManifest: Hashable, Sendable {
  /// The name the model is added under unless another is given.
  package var name: String?
  package var task: ModelTask
  package var input: ModelInput
  /// The function that turns the model's output into probabilities.
  package var activation: Activation
  /// The output that is read; `nil` where the model has only one, or ``detector`` names two.
  package var output: String?
  /// The order of a segmentation's output, for shapes that do not tell; `nil` where they do.
  package var outputLayout: ModelInput.Layout?
  /// The least probability inside a segmentation's mask, over 0 and at most 1, as the manifest gives it;
  /// see ``maskThreshold``.
  package var threshold: Double?
  /// The settings for reading a detector's boxes; `nil` for other tasks.
  package var detector: DetectorRule?
  /// The model's own names of its classes, in output order.
  package var outputs: [String]
  /// The dataset's name of a class where it differs from the model's.
  package var renamed: [String: String]
  /// The origin of the model.
  package var source: String?
  package var license: String?
  package var notes: String?

  package init(
    name: String? = nil, task: ModelTask = .classification, input: ModelInput,
    activation: Activation = .none, output: String? = nil,
    outputLayout: ModelInput.Layout? = nil, threshold: Double? = nil, detector: DetectorRule? = nil,
    outputs: [String], renamed: [String: String] = [:], source: String? = nil,
    license: String? = nil, notes: String? = nil
  ) {
    self.name = name
    self.task = task
    self.input = input
    self.activation = activation
    self.output = output
    self.outputLayout = outputLayout
    self.threshold = threshold
    self.detector = detector
    self.outputs = outputs
    self.renamed = renamed
    self.source = source
    self.license = license
    self.notes = notes
  }

  /// The dataset's names of the classes, in output order: classes are joined by these.
  package var classes: [String] { outputs.map { renamed[$0] ?? $0 } }
}

/// The function that turns a model's outputs into probabilities. The raw value is the manifest's
/// spelling.
package enum Activation: String, CaseIterable, Sendable, Codable {
  /// The model gives probabilities itself.
  case none
  /// exp(x) over the sum of all classes' exp(x): one class an image.
  case softmax
  /// 1 / (1 + exp(−x)) for each class by itself.
  case sigmoid
}

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

extension ModelManifest {
  /// The name of the class of no region.
  package static let backgroundName = "background"
  /// The least probability inside a mask where the manifest gives none.
  package static let usualThreshold = 0.5

  /// The ordinal of the class called `background`; `nil` where there is none.
  package var background: Int? { classes.firstIndex(of: Self.backgroundName) }

  /// The least probability inside a mask, for a segmentation of one class; `nil` where each pixel belongs
  /// to its likeliest class.
  ///
  /// A model of one class and the background takes the likelier, unless its manifest gives a threshold.
  package var maskThreshold: Double? {
    outputs.count == 1 ? threshold ?? Self.usualThreshold : threshold
  }

  /// The ordinals of the classes whose maps masks are made of, ascending: of all, but of the one class
  /// alone where there is a threshold.
  package var keptClasses: [Int] {
    maskThreshold == nil ? Array(outputs.indices) : foreground
  }

  /// The ordinals of all classes but the background.
  var foreground: [Int] { outputs.indices.filter { $0 != background } }

  /// Checks what only a segmentation may say, and what one must not.
  func masksFault() -> (key: String, fault: ManifestFault)? {
    guard task.output == .masks else {
      if threshold != nil {
        return ("threshold", .otherTask(key: "threshold", owner: .segmentation, task))
      }
      if outputLayout != nil {
        return ("output-layout", .otherTask(key: "output-layout", owner: .segmentation, task))
      }
      return nil
    }
    if foreground.isEmpty { return ("classes", .onlyBackground) }
    if threshold != nil, foreground.count > 1 {
      return ("threshold", .thresholdOfMany(foreground.count))
    }
    if activation == .softmax, outputs.count == 1 { return ("activation", .softmaxOfOne) }
    return nil
  }
}
