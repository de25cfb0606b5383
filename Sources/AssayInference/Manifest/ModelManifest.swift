package import AssayCore

/// The settings that assay needs to preprocess images for a model and to read its outputs; written
/// by a person in YAML.
package struct ModelManifest: Hashable, Sendable {
  /// The name under which the model is added unless another is given.
  package var name: String?
  package var task: ModelTask
  package var input: ModelInput
  /// The model's other inputs.
  package var constantInputs: [ConstantInput] = []
  /// The function that turns the model's output into probabilities.
  package var activation: Activation
  /// The class whose probability is the only value of a binary classifier; the other class has the
  /// rest to 1. `nil` for models with a value per class.
  package var positive: String?
  /// True if a segmentation gives the number of each pixel's class instead of probabilities.
  package var isLabelMap: Bool
  /// The conversion of the output's numbers to values, for quantized outputs; `nil` for none.
  package var outputScale: OutputScale?
  /// The output that is read; `nil` if the model has only one, or if ``detector`` names two.
  package var output: String?
  /// The output with a vector of each image that is kept beside the predictions; `nil` for none.
  package var embedding: String?
  /// The order of a segmentation's output, for ambiguous shapes; `nil` if the shape determines it.
  package var outputLayout: ModelInput.Layout?
  /// The outputs of a classifier that gives the number of the class; `nil` for a score per class.
  package var classNumbers: ClassNumbers?
  /// The minimum probability inside a segmentation's mask, over 0 and at most 1, as given in the
  /// manifest; see ``maskThreshold``.
  package var threshold: Double?
  /// The settings for reading a detector's boxes; `nil` for other tasks.
  package var detector: DetectorRule?
  /// The program that computes the model; `nil` for OpenVINO.
  package var runner: RunnerCommand?
  /// The absolute path of the folder that the runner starts in; `nil` for the manifest's own.
  package var runnerFolder: String?
  /// The model's names of its classes, in output order.
  package var outputs: [String]
  /// The dataset's name of a class if it differs from the model's. Several outputs can have one name: they are
  /// one class.
  package var renamed: [String: String]
  /// The origin of the model.
  package var source: String?
  package var license: String?
  package var notes: String?

  package init(
    name: String? = nil, task: ModelTask = .classification, input: ModelInput,
    activation: Activation = .none, positive: String? = nil, isLabelMap: Bool = false,
    outputScale: OutputScale? = nil, output: String? = nil,
    outputLayout: ModelInput.Layout? = nil, classNumbers: ClassNumbers? = nil,
    threshold: Double? = nil, detector: DetectorRule? = nil,
    runner: RunnerCommand? = nil, runnerFolder: String? = nil, outputs: [String],
    renamed: [String: String] = [:],
    source: String? = nil,
    license: String? = nil, notes: String? = nil
  ) {
    self.name = name
    self.task = task
    self.input = input
    self.activation = activation
    self.positive = positive
    self.isLabelMap = isLabelMap
    self.outputScale = outputScale
    self.output = output
    self.outputLayout = outputLayout
    self.classNumbers = classNumbers
    self.threshold = threshold
    self.detector = detector
    self.runner = runner
    self.runnerFolder = runnerFolder
    self.outputs = outputs
    self.renamed = renamed
    self.source = source
    self.license = license
    self.notes = notes
  }

  /// The dataset's names of the classes, each once, in output order: classes are matched by these names.
  package var classes: [String] {
    var seen: Set<String> = []
    return outputs.map { renamed[$0] ?? $0 }.filter { seen.insert($0).inserted }
  }

  /// The classes of the outputs.
  var grouping: ClassGrouping {
    let classes = classes
    let ordinals = Dictionary(uniqueKeysWithValues: classes.enumerated().map { ($1, $0) })
    return ClassGrouping(
      classOfOutput: outputs.map { ordinals[renamed[$0] ?? $0] ?? 0 }, classCount: classes.count)
  }

  /// Checks that there are as many outputs as the file itself names classes: with another number every score is of another
  /// class, or none. Only Ultralytics' metadata is relied on.
  ///
  /// - Throws: ``InferenceError/otherClassCount(manifest:file:)``.
  package func checkClasses(of metadata: ModelMetadata) throws(InferenceError) {
    let count = outputs.count
    guard metadata.isUltralytics, !metadata.names.isEmpty, count != metadata.names.count else {
      return
    }
    throw .otherClassCount(manifest: count, file: metadata.names)
  }

  /// The number of values of a classifier or a multi-label model per image, and of maps of a
  /// segmentation.
  var valueCount: Int { positive != nil || isLabelMap ? 1 : outputs.count }
}

/// The function that turns a model's outputs into probabilities. The raw value is the manifest's
/// spelling.
package enum Activation: String, CaseIterable, Sendable, Codable {
  /// The model outputs probabilities itself.
  case none
  /// exp(x) over the sum of all classes' exp(x): one class per image.
  case softmax
  /// 1 / (1 + exp(−x)) for each class independently.
  case sigmoid
  /// The model applies a sigmoid to each class itself, so that the sum of its values is not 1.
  case sigmoidInModel = "sigmoid-in-model"

  /// The function that is left to apply to the model's outputs.
  var remaining: Activation { self == .sigmoidInModel ? .none : self }
}

extension ModelManifest {
  /// Checks that a model accepts the manifest's input and has the outputs that the manifest names.
  ///
  /// - Returns: the indices of the outputs that are read: one, or a detector's boxes and scores.
  /// - Throws: ``InferenceError`` with both shapes if they do not fit.
  @discardableResult
  package func validate(against signature: ModelSignature) throws(InferenceError) -> [Int] {
    let input = signature.inputs[try InputPlan(self, signature).image]
    try checkElement(of: input)
    let given = self.input.shape(batch: nil)
    if let taken = input.shape {
      // An input without a batch dimension takes one image.
      let lengths = taken.count == given.count - 1 ? [nil] + taken : taken
      let fits =
        lengths.count == given.count
        && zip(given, lengths).dropFirst().allSatisfy { $1 == nil || $0 == $1 }
      guard fits else {
        throw .inputShape(manifest: given, layout: self.input.layout.rawValue, model: input)
      }
    }
    var places: [Int] = []
    for name in outputNames {
      let place = try Self.place(of: name, in: signature.outputs)
      let output = signature.outputs[place]
      guard TensorElement(rawValue: output.element) != nil else {
        throw .elementType(output, isInput: false)
      }
      guard
        !output.isInteger || outputScale != nil || isLabelMap || classNumbers != nil
          || detector?.head.isFinal == true
      else { throw .integerOutput(output, task) }
      places.append(place)
      switch task {
      // The numbers of classes can be counted only once the input's size is set.
      case .classification where classNumbers != nil: break
      case .classification, .multiLabel:
        guard Self.classCount(of: output).map({ $0 == valueCount }) ?? true else {
          throw .outputShape(classes: outputs.count, positive: positive, model: output)
        }
      case .segmentation: try MapLayout.candidates(of: output, self)
      // A detector's boxes can be counted only once the input's size is set.
      case .detection: break
      }
    }
    return places
  }

  /// Checks that the input's element type holds every value that preprocessing gives.
  private func checkElement(of input: TensorSignature) throws(InferenceError) {
    guard let element = TensorElement(rawValue: input.element) else {
      throw .elementType(input, isInput: true)
    }
    guard let range = element.range else { return }
    for channel in 0..<self.input.color.channels {
      for level in 0...255 {
        let value = self.input.value(of: Double(level), channel: channel)
        guard range.contains(value), value == value.rounded() else {
          throw .integerInput(input, value: value)
        }
      }
    }
  }

  /// Checks the keys that only a classifier of two classes can have.
  func binaryFault() -> (key: String, fault: ManifestFault)? {
    guard let positive else { return nil }
    guard task.output == .label else {
      return ("positive", .otherTask(key: "positive", owner: .classification, task))
    }
    guard outputs.count == 2, classes.count == 2, outputs.contains(positive) else {
      return ("positive", .positiveOfMany(positive, of: outputs))
    }
    return activation == .softmax ? ("activation", .softmaxOfOne) : nil
  }

  /// Checks a multi-label model's activation for values that are not allowed.
  func labelsFault() -> (key: String, fault: ManifestFault)? {
    task.output == .labels && activation == .softmax ? ("activation", .softmaxOfLabels) : nil
  }

  /// The names of the outputs that are read; `nil` for the only one.
  private var outputNames: [String?] {
    detector?.outputNames ?? classNumbers?.names ?? [output]
      + (detector?.masksOutput.map { [$0] } ?? [])
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

  /// The number of values per sample in the output of a classifier or a multi-label model, `[N, C]`
  /// or with further dimensions of 1; `nil` if it is not known before the model runs.
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
  /// The class name of pixels that belong to no region.
  package static let backgroundName = "background"
  /// The minimum probability inside a mask if the manifest does not specify one.
  package static let usualThreshold = 0.5

  /// The ordinal of the class named `background`; `nil` if there is none.
  package var background: Int? { classes.firstIndex(of: Self.backgroundName) }

  /// The minimum probability inside a mask, for a segmentation of one class; `nil` if each pixel
  /// belongs to its most likely class.
  ///
  /// A model of one class and the background uses the more likely of the two, unless its manifest
  /// has a threshold.
  package var maskThreshold: Double? {
    outputs.count == 1 && !isLabelMap ? threshold ?? Self.usualThreshold : threshold
  }

  /// The ordinals of the classes whose maps are needed for masks, ascending: all classes, or only
  /// the single foreground class if there is a threshold.
  package var keptClasses: [Int] {
    maskThreshold == nil ? Array(classes.indices) : foreground
  }

  /// The ordinals of all classes but the background.
  var foreground: [Int] {
    let background = background
    return classes.indices.filter { $0 != background }
  }

  /// Checks the keys that only a segmentation can have, and those that it must not have.
  func masksFault() -> (key: String, fault: ManifestFault)? {
    guard task.output == .masks else {
      if isLabelMap {
        return ("label-map", .otherTask(key: "label-map", owner: .segmentation, task))
      }
      if threshold != nil {
        return ("threshold", .otherTask(key: "threshold", owner: .segmentation, task))
      }
      if outputLayout != nil {
        return ("output-layout", .otherTask(key: "output-layout", owner: .segmentation, task))
      }
      return nil
    }
    if foreground.isEmpty { return ("classes", .onlyBackground) }
    if input.resize.cropsAfterwards { return ("input", .croppedSegmentation) }
    if !input.hasFixedSize { return ("input", .needsFixedSize("task: segmentation")) }
    if input.resize.isBetweenPixels { return ("input", .masksBetweenPixels("task: segmentation")) }
    if isLabelMap {
      if activation != .none { return ("activation", .keyOfLabelMap("activation")) }
      if threshold != nil { return ("threshold", .keyOfLabelMap("threshold")) }
      if outputScale != nil { return ("output-scale", .keyOfLabelMap("output-scale")) }
      if outputLayout != nil { return ("output-layout", .keyOfLabelMap("output-layout")) }
      if outputs.count < 2 { return ("classes", .labelMapOfOne) }
    }
    if threshold != nil, foreground.count > 1 {
      return ("threshold", .thresholdOfMany(foreground.count))
    }
    if activation == .softmax, outputs.count == 1 { return ("activation", .softmaxOfOne) }
    return nil
  }
}
