extension DraftReading {
  /// The rows of one of MediaPipe's detectors.
  static func centers(_ facts: DraftFacts) -> DraftReading? {
    let (todo, outputs) = (ModelManifest.todo, facts.outputs)
    guard let guess = CenterGuess(outputs, input: facts.input.size) else { return nil }
    let points = (guess.values - 4) / 2
    return DraftReading(
      task: [task("boxes as offsets from anchors")],
      input: input(
        facts.input, scale: "2/255", offset: "-1",
        "2/255 and -1 for faces and poses, 1/255 and 0 for hands"),
      lines: [
        "head: blazeface\(todo): blazeface if each row is an offset from the center of an anchor",
        "boxes-output: \(ModelManifest.quoted(outputs[guess.boxes].name))",
        "scores-output: \(ModelManifest.quoted(outputs[guess.scores].name))",
        "strides: [\(guess.strides.map(String.init).joined(separator: ", "))]\(todo)",
        "anchors-per-cell: [\(guess.anchorsPerCell.map(String.init).joined(separator: ", "))]\(todo)",
        "box-units: pixels\(todo): pixels of the input, or relative: fractions of it",
      ] + (points > 0 ? ["keypoints: \(points)x2  # x and y of each"] : []) + [
        "activation: sigmoid\(todo): sigmoid for logits, none if the model applies it",
        "score: 0.5\(todo): the minimum score of a box",
        "nms: 0.3\(todo): the maximum IoU with a better box",
        "nms-kind: weighted\(todo): weighted for means of overlapping boxes, as in MediaPipe, or greedy",
      ], classCount: 1, classNote: "; one, such as face")
  }

  /// The landmarks of a face or a hand as MediaPipe gives them.
  static func landmarks(_ facts: DraftFacts) -> DraftReading? {
    func count(_ output: TensorSignature) -> Int? {
      let lengths = output.shape?.dropFirst() ?? [nil]
      guard !output.isInteger, lengths.allSatisfy({ $0 != nil }) else { return nil }
      let long = lengths.compactMap(\.self).filter { $0 != 1 }
      return long.count > 1 ? nil : long.first ?? 1
    }
    let counts = facts.outputs.map(count)
    guard counts.allSatisfy({ $0 != nil }), let flag = counts.firstIndex(of: 1),
      let place = counts.firstIndex(where: { $0.map(Self.landmarkCounts.contains) ?? false }),
      let points = counts[place].map({ $0 / 3 })
    else { return nil }
    let todo = ModelManifest.todo
    return DraftReading(
      task: [task("landmarks of one face or hand")],
      input: input(
        facts.input, scale: "1/255", offset: "0",
        "a pixel of 0...255 becomes pixel * scale + offset"),
      lines: [
        "head: keypoints\(todo): one object per image, which is a crop of it",
        "keypoints-output: \(ModelManifest.quoted(facts.outputs[place].name))",
        "keypoints: \(points)x3\(todo)",
        "keypoint-depth: yes\(todo): yes if the third value is a depth, no if it is a score",
        "box-units: pixels\(todo): pixels of the input, or relative: fractions of it",
        "scores-output: \(ModelManifest.quoted(facts.outputs[flag].name))\(todo): the score of the object",
        "score-activation: sigmoid\(todo): sigmoid for a logit (face_landmark), none for a probability",
        "activation: none",
      ], classCount: 1, classNote: "; one, such as face")
  }

  /// The numbers of values of MediaPipe's landmarks: 468 and 478 of a face, 21 of a hand.
  private static let landmarkCounts = [1_404, 1_434, 63]

  private static func task(_ outputs: String) -> String {
    "task: detection\(ModelManifest.todo): its outputs have the shapes of MediaPipe's \(outputs)"
  }

  private static func input(
    _ guess: InputGuess, scale: String, offset: String, _ remark: String
  ) -> Input {
    let todo = ModelManifest.todo
    return .own([
      "input:", "  preset: mediapipe\(todo): as MediaPipe prepares images",
      "  width: \(guess.width ?? 192)\(guess.width == nil ? todo : "")",
      "  height: \(guess.height ?? 192)\(guess.height == nil ? todo : "")",
      "  layout: \(guess.layout?.rawValue ?? "NHWC\(todo)")",
      "  scale: \(scale)\(todo): \(remark)", "  offset: \(offset)\(todo)",
    ])
  }
}
