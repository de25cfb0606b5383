extension DraftReading {
  /// Maps of classes: the first output that has the form of one.
  static func maps(_ facts: DraftFacts) -> DraftReading? {
    let todo = ModelManifest.todo
    let found = facts.outputs.compactMap { output in
      MapGuess(output, of: facts.input, isStated: facts.metadata.statedTask?.output == .masks)
        .map { (output, $0) }
    }
    guard let (output, guess) = found.first else { return nil }
    let task = "task: segmentation\(todo): its output looks like maps of regions"
    let outputLine = outputLine(facts, output)
    if guess.classes == 1, output.isInteger {
      return DraftReading(
        task: [task, "label-map: yes\(todo): yes if it gives the number of each pixel's class"],
        lines: outputLine, classCount: 2, classNote: "; also of those that are no class: background"
      )
    }
    let alternatives =
      guess.classes == 1
      ? "none if the model already applies a sigmoid, else sigmoid"
      : "none if the model already applies softmax, else softmax or sigmoid"
    var lines = [
      statedActivation(facts.metadata, ofMaps: true) ?? "activation: none\(todo): \(alternatives)"
    ]
    lines += scaleLines(output) + outputLine
    if guess.isUnclear {
      lines.append(
        "output-layout: NCHW\(todo): NCHW or NHWC: classes before or after height and width")
    }
    if guess.classes == 1 {
      lines.append("threshold: 0.5\(todo): the minimum probability inside a mask")
    }
    return DraftReading(
      remarks: found.count > 1 && facts.outputs.allSatisfy { !$0.isInteger }
        ? gridRemark(found.map(\.1)) : [],
      task: [task], lines: lines, classCount: guess.classes ?? 0,
      classNote: "; background is none")
  }

  /// A remark on several maps of different depths, such as heat maps, sizes and offsets of objects.
  private static func gridRemark(_ guesses: [MapGuess]) -> [String] {
    guard Set(guesses.map(\.classes)).count > 1 else { return [] }
    return [
      "# Several outputs are maps. If they are a detector's heat maps, sizes and offsets (CenterNet, FCOS), no manifest",
      "# reads them: \(runnerAdvice)",
    ]
  }

  /// The way for outputs that no manifest reads.
  static let runnerAdvice =
    "let a program of yours run the file (--runner; assay model runner-template --onnxruntime)"
}
