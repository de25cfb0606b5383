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
  package var licence: String?
  package var notes: String?

  package init(
    name: String? = nil, task: ModelTask = .classification, input: ModelInput,
    activation: Activation = .none, output: String? = nil,
    outputLayout: ModelInput.Layout? = nil, threshold: Double? = nil, detector: DetectorRule? = nil,
    outputs: [String], renamed: [String: String] = [:], source: String? = nil,
    licence: String? = nil, notes: String? = nil
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
    self.licence = licence
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
