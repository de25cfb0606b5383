extension DraftReading {
  /// Heat maps of one object's keypoints: an output that is named so, `[N, points, height, width]`.
  static func heatMaps(_ facts: DraftFacts) -> DraftReading? {
    let todo = ModelManifest.todo
    for output in facts.outputs
    where output.name.lowercased().filter({ $0 != "_" }).contains("heatmap") {
      guard let shape = output.shape, shape.count == 4, let points = shape[1], points > 0 else {
        continue
      }
      // Hugging Face's files name the keypoints where others have classes.
      let areNamed = facts.metadata.names.count == points && points > 1
      let names = facts.metadata.names.map(ModelManifest.quoted).joined(separator: ", ")
      return DraftReading(
        task: ["task: detection\(todo): its output is named as heat maps of keypoints"],
        lines: [
          "head: keypoints\(todo): one object per image",
          "activation: none\(todo): sigmoid if the maps are logits",
          "heat-maps-output: \(ModelManifest.quoted(output.name))", "keypoints: \(points)x3",
        ] + (areNamed ? ["keypoint-names: [\(names)]"] : []) + [
          "decode: quarter\(todo): quarter or argmax"
        ], classCount: 1, classNote: "; one, such as person", usesStatedNames: !areNamed)
    }
    return nil
  }

  /// The values of COCO's 17 keypoints of one object, each with a score, `[N, 1, 17, 3]`.
  static func onePose(_ facts: DraftFacts) -> DraftReading? {
    let todo = ModelManifest.todo
    let found = facts.outputs.first { output in
      !output.isInteger && output.shape?.dropFirst().filter { $0 != 1 } == [17, 3]
    }
    guard let output = found else { return nil }
    return DraftReading(
      task: ["task: detection\(todo): its output looks like the keypoints of one object"],
      lines: [
        "head: keypoints\(todo): one object per image",
        "keypoints-output: \(ModelManifest.quoted(output.name))", "keypoints: 17x3",
        "keypoint-axes: yx\(todo): yx if the vertical coordinate comes first (MoveNet), else xy",
        "box-units: relative\(todo): pixels of the model's input, or relative: fractions of it",
        "activation: none\(todo): sigmoid if the keypoints' scores are logits",
      ], classCount: 1, classNote: "; one, such as person")
  }
}
