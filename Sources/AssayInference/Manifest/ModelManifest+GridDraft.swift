import AssayCore

extension ModelManifest {
  /// The first lines of a draft: its purpose, and the model's inputs and outputs.
  static func headerLines(_ signature: ModelSignature) -> [String] {
    [
      "# How assay preprocesses images for this model and reads its outputs. Fill in the lines",
      "# marked TODO: check the value, then delete the marker and the text after it.",
    ] + signature.inputs.map { "# input  \(singleLine($0))" }
      + signature.outputs.map { "# output \(singleLine($0))" }
  }

  static func anchorLines(
    _ grids: AnchorGuess, _ outputs: [TensorSignature]
  ) -> [String] {
    let names = grids.outputs.map { quoted(outputs[$0].name) }
    return [
      "head: anchors", "grid-outputs: [\(names.joined(separator: ", "))]",
      "strides: [\(grids.strides.map(String.init).joined(separator: ", "))]",
      "anchors:\(todo): widths and heights in pixels of the input for each stride; these are YOLOv5's for COCO",
    ] + grids.strides.map { "  - \(AnchorGuess.usual[$0] ?? "[]\(todo)")" } + [
      "decode: yolov5\(todo): yolov5 (YOLOv5, YOLOv7, scaled YOLOv4) or yolov3 (YOLOv3, YOLOv4; with center-scale)",
      "activation: sigmoid\(todo): sigmoid for raw values, none if the model applies it to all that need it",
      "score: \(DetectorRule.usualLeastScore)\(todo): the minimum score of a box",
      "nms: \(DetectorRule.usualOverlap)\(todo): the maximum IoU with a better box of the same class; 1 keeps all",
    ]
  }

  /// The draft for a model with the rows of one of MediaPipe's detectors; `nil` for others.
  static func centerDraft(
    _ signature: ModelSignature, _ name: String, _ metadata: ModelMetadata
  ) -> String? {
    let input = InputGuess(signature.image, metadata)
    guard let guess = CenterGuess(signature.outputs, input: input.size) else { return nil }
    let points = (guess.values - 4) / 2
    let lines =
      mediaPipeLines(
        signature, name, input, "boxes as offsets from anchors",
        scale: ("2/255", "-1", "2/255 and -1 for faces and poses, 1/255 and 0 for hands"))
      + [
        "head: blazeface\(todo): blazeface if each row is an offset from the center of an anchor",
        "boxes-output: \(quoted(signature.outputs[guess.boxes].name))",
        "scores-output: \(quoted(signature.outputs[guess.scores].name))",
        "strides: [\(guess.strides.map(String.init).joined(separator: ", "))]\(todo)",
        "anchors-per-cell: [\(guess.anchorsPerCell.map(String.init).joined(separator: ", "))]\(todo)",
        "box-units: pixels\(todo): pixels of the input, or relative: fractions of it",
      ] + (points > 0 ? ["keypoints: \(points)x2  # x and y of each"] : [])
      + [
        "activation: sigmoid\(todo): sigmoid for logits, none if the model applies it",
        "score: 0.5\(todo): the minimum score of a box",
        "nms: 0.3\(todo): the maximum IoU with a better box",
        "nms-kind: weighted\(todo): weighted for means of overlapping boxes, as in MediaPipe, or greedy",
      ] + classLines(1, metadata, "; one, such as face", isClassifier: false)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The draft for a model with the landmarks of a face or a hand as MediaPipe gives them; `nil` for others.
  static func landmarkDraft(
    _ signature: ModelSignature, _ name: String, _ metadata: ModelMetadata
  ) -> String? {
    func count(_ output: TensorSignature) -> Int? {
      let lengths = output.shape?.dropFirst() ?? [nil]
      guard !output.isInteger, lengths.allSatisfy({ $0 != nil }) else { return nil }
      let long = lengths.compactMap(\.self).filter { $0 != 1 }
      return long.count > 1 ? nil : long.first ?? 1
    }
    let counts = signature.outputs.map(count)
    guard counts.allSatisfy({ $0 != nil }), let flag = counts.firstIndex(of: 1),
      let place = counts.firstIndex(where: { $0.map(Self.landmarkCounts.contains) ?? false }),
      let points = counts[place].map({ $0 / 3 })
    else { return nil }
    let lines =
      mediaPipeLines(
        signature, name, InputGuess(signature.image, metadata), "landmarks of one face or hand",
        scale: ("1/255", "0", "a pixel of 0...255 becomes pixel * scale + offset"))
      + [
        "head: keypoints\(todo): one object per image, which is a crop of it",
        "keypoints-output: \(quoted(signature.outputs[place].name))",
        "keypoints: \(points)x3\(todo)",
        "keypoint-depth: yes\(todo): yes if the third value is a depth, no if it is a score",
        "box-units: pixels\(todo): pixels of the input, or relative: fractions of it",
        "scores-output: \(quoted(signature.outputs[flag].name))\(todo): the score of the object",
        "score-activation: sigmoid\(todo): sigmoid for a logit (face_landmark), none for a probability",
        "activation: none",
      ] + classLines(1, metadata, "; one, such as face", isClassifier: false)
    return lines.joined(separator: "\n") + "\n"
  }

  /// The numbers of values of MediaPipe's landmarks: 468 and 478 of a face, 21 of a hand.
  private static let landmarkCounts = [1_404, 1_434, 63]

  /// The lines up to the input of a model that looks like one of MediaPipe's.
  private static func mediaPipeLines(
    _ signature: ModelSignature, _ name: String, _ input: InputGuess, _ outputs: String,
    scale: (scale: String, offset: String, remark: String)
  ) -> [String] {
    headerLines(signature) + [
      "name: \(quoted(name))",
      "task: detection\(todo): its outputs have the shapes of MediaPipe's \(outputs)",
      "source: where the model is from\(todo)", "# license: its license, for people", "input:",
      "  preset: mediapipe\(todo): as MediaPipe prepares images",
      "  width: \(input.width ?? 192)\(input.width == nil ? todo : "")",
      "  height: \(input.height ?? 192)\(input.height == nil ? todo : "")",
      "  layout: \(input.layout?.rawValue ?? "NHWC\(todo)")",
      "  scale: \(scale.scale)\(todo): \(scale.remark)", "  offset: \(scale.offset)\(todo)",
    ]
  }
}
