import AssayCore

extension ModelManifest {
  /// The cells and anchors whose centers the model's values are offsets from.
  static func parseCenterRule(
    _ top: ManifestSection, _ input: ModelInput
  ) throws(LocatedManifestFault) -> CenterRule {
    guard top.has("strides") else {
      throw top.complaint("strides", .missing(key: "strides", example: "strides: [8, 16]"))
    }
    let strides = try top.counts("strides", limit: 8)
    try checkCells(top, strides, input.size)
    guard top.has("anchors-per-cell") else {
      throw top.complaint(
        "anchors-per-cell", .missing(key: "anchors-per-cell", example: "anchors-per-cell: [2, 6]"))
    }
    let texts = try top.names("anchors-per-cell", limit: 8)
    let counts = texts.compactMap { Int($0) }.filter { (1...anchorLimit).contains($0) }
    guard counts.count == texts.count, counts.count == strides.count else {
      throw top.complaint(
        "anchors-per-cell",
        .expected(
          key: "anchors-per-cell",
          "a list of \(strides.count) whole numbers from 1 to \(anchorLimit), one for each stride",
          found: "[\(texts.joined(separator: ", "))]"))
    }
    return CenterRule(
      strides: strides, anchorsPerCell: counts,
      units: try top.choice("box-units", of: BoxUnits.self, or: nil))
  }

  /// The settings of a detector whose boxes are offsets from the centers of anchors.
  static func parseBlazeFace(
    _ top: ManifestSection, _ head: DetectorRule.Head
  ) throws(LocatedManifestFault) -> DetectorRule {
    if top.has("box-classes") {
      throw top.complaint(
        "box-classes",
        .otherHead(key: "box-classes", owner: "boxes", HeadSpelling.blazeface.rawValue))
    }
    for key in ["output", "threshold"] where top.has(key) {
      throw top.complaint(key, .keyOfOneOutput(key))
    }
    guard let boxes = try top.text("boxes-output"), let scores = try top.text("scores-output"),
      boxes != scores
    else {
      let key = ["boxes-output", "scores-output"].first { !top.has($0) } ?? "scores-output"
      throw top.complaint(
        top.has(key) ? key : "head", .missing(key: key, example: "\(key): NAME"))
    }
    let keypoints = try parseKeypoints(top, values: 2...2)
    guard top.has("nms") else {
      throw top.complaint("nms", .missing(key: "nms", example: "nms: 0.3"))
    }
    return DetectorRule(
      head: head, outputs: DetectorRule.Outputs(boxes: boxes, scores: scores),
      keypoints: keypoints, leastScore: try share(top, "score") ?? DetectorRule.usualLeastScore,
      overlap: try share(top, "nms") ?? DetectorRule.usualOverlap,
      limit: top.has("max") ? try top.count("max", in: DetectorRule.limitRange) : nil,
      suppression: try top.choice("nms-kind", of: DetectorRule.Suppression.self, or: nil),
      keypointNames: try parseKeypointNames(top, keypoints))
  }
}
