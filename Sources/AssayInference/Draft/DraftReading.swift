/// One reading of a model's outputs, and the lines of a draft that follow from it.
struct DraftReading {
  /// The lines of `input` that suit such a model.
  enum Input {
    case plain
    /// The images get borders, as detectors are trained.
    case letterboxed
    /// As YOLOX prepares them.
    case grid
    /// These, whatever else is known.
    case own([String])
  }

  /// Comments at the top of the draft.
  var remarks: [String] = []
  /// The line of the task, and those that belong to it.
  var task: [String]
  var input = Input.plain
  /// The lines between the inputs and the classes.
  var lines: [String] = []
  /// The number of classes that the outputs have room for.
  var classCount: Int
  /// The end of the line above the classes.
  var classNote = ""
  var isClassifier = false
  /// True if the file itself states what the lines say.
  var isSettled = false
  /// False if the outputs have none of the forms that are recognized.
  var isRecognized = true
  /// False if the names that the file states are not those of classes.
  var usesStatedNames = true

  /// The readings, the more specific ones first. Each is `nil` for outputs of another form.
  private static let all: [@Sendable (DraftFacts) -> DraftReading?] = [
    centers, landmarks, anchors, boxes, heatMaps, onePose, maps, classNumber,
  ]

  /// The first reading that fits; if none does, that as scores of classes.
  static func first(of facts: DraftFacts) -> DraftReading {
    all.lazy.compactMap { $0(facts) }.first ?? scores(facts)
  }

  /// The line that names the output to read, of models with several.
  static func outputLine(_ facts: DraftFacts, _ output: TensorSignature?) -> [String] {
    facts.outputs.count > 1
      ? [
        "output: \(ModelManifest.quoted(output?.name ?? ""))\(ModelManifest.todo): the output to read"
      ]
      : []
  }

  /// The lines for an output of whole numbers that stand for values.
  static func scaleLines(_ output: TensorSignature?) -> [String] {
    guard output?.isInteger == true else { return [] }
    return [
      "output-scale: 1/256\(ModelManifest.todo): value = number * output-scale + output-offset, as the quantization states",
      "output-offset: 0\(ModelManifest.todo)",
    ]
  }

  /// The line of the activation that the architecture has, which Hugging Face's files state; `nil` if they do not.
  static func statedActivation(_ metadata: ModelMetadata, ofMaps: Bool) -> String? {
    guard let activation = metadata.statedActivation,
      (metadata.statedTask?.output == .masks) == ofMaps
    else { return nil }
    return "activation: \(activation.rawValue)  # the architecture's outputs are "
      + (activation == .none ? "probabilities" : "logits")
  }
}
