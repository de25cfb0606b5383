extension DraftReading {
  /// Raw grids with anchors.
  static func anchors(_ facts: DraftFacts) -> DraftReading? {
    let (todo, outputs) = (ModelManifest.todo, facts.outputs)
    guard let grids = AnchorGuess(outputs, input: facts.input.size) else { return nil }
    let names = grids.outputs.map { ModelManifest.quoted(outputs[$0].name) }
    return DraftReading(
      task: ["task: detection\(todo): its outputs look like grids with anchors"],
      input: facts.metadata.isRTDETR ? .plain : .letterboxed,
      lines: [
        "head: anchors", "grid-outputs: [\(names.joined(separator: ", "))]",
        "strides: [\(grids.strides.map(String.init).joined(separator: ", "))]",
        "anchors:\(todo): widths and heights in pixels of the input for each stride; these are YOLOv5's for COCO",
      ] + grids.strides.map { "  - \(AnchorGuess.usual[$0] ?? "[]\(todo)")" } + [
        "decode: yolov5\(todo): yolov5 (YOLOv5, YOLOv7, scaled YOLOv4) or yolov3 (YOLOv3, YOLOv4; with center-scale)",
        "activation: sigmoid\(todo): sigmoid for raw values, none if the model applies it to all that need it",
        "score: \(DetectorRule.usualLeastScore)\(todo): the minimum score of a box",
        "nms: \(DetectorRule.usualOverlap)\(todo): the maximum IoU with a better box of the same class; 1 keeps all",
      ], classCount: grids.classes, classNote: "; background is none")
  }
}
