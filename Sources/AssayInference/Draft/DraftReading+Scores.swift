extension DraftReading {
  /// The number of the class, with or without a score of its own.
  static func classNumber(_ facts: DraftFacts) -> DraftReading? {
    guard
      let guess = ClassNumberGuess(facts.outputs, isBatched: facts.signature.isBatched),
      let labels = guess.labels
    else { return nil }
    let todo = ModelManifest.todo
    func name(_ place: Int) -> String { ModelManifest.quoted(facts.outputs[place].name) }
    return DraftReading(
      task: ["task: classification\(todo): its output looks like the number of the class"],
      lines: ["labels-output: \(name(labels))\(todo): the number of the class"]
        + (guess.scores.map { ["scores-output: \(name($0))\(todo): a score for each number"] } ?? [])
        + ["class-base: 0\(todo): the number of the first class, 0 or 1"],
      classCount: 1, classNote: "; the model does not state their number")
  }

  /// A score for each class: what outputs are taken for that have no other form.
  static func scores(_ facts: DraftFacts) -> DraftReading {
    let (todo, metadata) = (ModelManifest.todo, facts.metadata)
    let numbers = ClassNumberGuess(facts.outputs, isBatched: facts.signature.isBatched)
    let output = facts.outputs.dropFirst(numbers?.allScores ?? 0).first
    let count = output.flatMap(ModelManifest.classCount(of:))
    let isBinary = numbers == nil && count == 1
    let isRecognized = facts.outputs.contains { isList($0, facts.signature) }
    var lines = [
      statedActivation(metadata, ofMaps: false)
        ?? "activation: none\(todo): none if the model already applies softmax or sigmoid; softmax or sigmoid for"
        + " logits (multilabel: sigmoid)"
    ]
    lines += scaleLines(output) + outputLine(facts, output)
    if isBinary {
      lines.append(
        "positive: class 1\(todo): for one value per image and two classes, the class whose probability it is"
      )
    }
    return DraftReading(
      remarks: isRecognized
        ? []
        : [
          "# No output is recognized by its form; the lines below are those of a classifier. Docs/Models.md has what else a",
          "# manifest reads. For other outputs \(runnerAdvice).",
        ],
      task: [taskLine(metadata)], lines: lines, classCount: isBinary ? 2 : count ?? 0,
      isClassifier: true, isRecognized: isRecognized)
  }

  /// The task of labels that the file states, or the choice of one.
  private static func taskLine(_ metadata: ModelMetadata) -> String {
    if let task = metadata.statedTask, [.label, .labels].contains(task.output) {
      return
        "task: \(task.rawValue)  # as \(metadata.isUltralytics ? "the file" : "config.json") states it"
    }
    return
      "task: classification\(ModelManifest.todo): classification for one class per image, multilabel if an"
      + " image can have several"
  }

  /// True if an output has one list of values for each image.
  private static func isList(_ output: TensorSignature, _ signature: ModelSignature) -> Bool {
    guard let shape = output.shape else { return true }
    guard signature.isBatched else { return shape.filter { $0 != 1 }.count <= 1 }
    // Rows of a number of their own are not those of the images.
    let images = signature.image?.shape?.first ?? nil
    if let rows = shape.first ?? nil, rows > 1, rows != images { return false }
    return shape.dropFirst().filter { $0 != 1 }.count <= 1
  }
}
