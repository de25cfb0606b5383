import AssayCore

extension ModelManifest {
  /// The settings of a detector that gives the keypoints of one object per image.
  static func parsePose(
    _ top: ManifestSection, _ rule: PoseRule
  ) throws(LocatedManifestFault) -> DetectorRule {
    for key in ["output", "nms", "max", "box-classes", "threshold"] where top.has(key) {
      throw top.complaint(
        key, .otherHead(key: key, owner: "boxes", HeadSpelling.keypoints.rawValue))
    }
    return DetectorRule(
      head: .keypoints(rule), keypoints: rule.kept,
      leastScore: try share(top, "score") ?? DetectorRule.usualLeastScore,
      overlap: DetectorRule.finalOverlap, keypointNames: try parseKeypointNames(top, rule.kept))
  }

  /// The names of the keypoints that are kept, in their order; empty without the key.
  static func parseKeypointNames(
    _ top: ManifestSection, _ form: KeypointForm?
  ) throws(LocatedManifestFault) -> [String] {
    guard top.has("keypoint-names") else { return [] }
    guard let form else {
      throw top.complaint(
        "keypoint-names", .missing(key: "keypoints", example: "keypoints: 17x3"))
    }
    let names = try top.names("keypoint-names", limit: 1_000)
    guard names.count == form.points, Set(names).count == names.count else {
      throw top.complaint(
        "keypoint-names",
        .expected(
          key: "keypoint-names", "a list of \(form.points) different names, one for each keypoint",
          found: "[\(names.prefix(8).joined(separator: ", "))\(names.count > 8 ? ", …" : "")]"))
    }
    return names
  }

  /// The outputs with the keypoints of one object, and how they are read.
  static func parsePoseRule(_ top: ManifestSection) throws(LocatedManifestFault) -> PoseRule {
    let maps = try top.text("heat-maps-output")
    let points = try top.text("keypoints-output")
    guard let output = maps ?? points else {
      throw top.complaint(
        "head",
        .missing(
          key: "heat-maps-output” or “keypoints-output", example: "heat-maps-output: NAME"))
    }
    let source: PoseRule.Source
    if maps != nil {
      for key in ["keypoints-output", "box-units", "keypoint-axes"] where top.has(key) {
        throw top.complaint(key, .besideHeatMaps(key))
      }
      source = .heatMaps(try top.choice("decode", of: PoseRule.Decode.self, or: nil))
    } else {
      if top.has("decode") { throw top.complaint("decode", .decodeOfPoints) }
      source = .points(try top.choice("box-units", of: BoxUnits.self, or: nil))
    }
    guard let form = try parseKeypoints(top, values: maps == nil ? 2...5 : 3...3) else {
      throw top.complaint("keypoints", .missing(key: "keypoints", example: "keypoints: 17x3"))
    }
    let hasDepth = try top.choice("keypoint-depth", of: YesNo.self, or: .no) == .yes
    if hasDepth, form.values != 3 || maps != nil {
      throw top.complaint("keypoint-depth", .depthOfOthers)
    }
    if top.has("score-activation"), !top.has("scores-output") {
      throw top.complaint(
        "score-activation", .missing(key: "scores-output", example: "scores-output: NAME"))
    }
    return PoseRule(
      source: source, output: output, scoreOutput: try top.text("scores-output"),
      scoreActivation: try top.choice(
        "score-activation", of: PoseRule.ScoreActivation.self, or: PoseRule.ScoreActivation.none),
      hasDepth: hasDepth,
      axes: try top.choice("keypoint-axes", of: PoseRule.Axes.self, or: .xy), form: form,
      order: try parseOrder(top, form))
  }

  /// The keypoints that are kept, by their index in the model; all without the key.
  private static func parseOrder(
    _ top: ManifestSection, _ form: KeypointForm
  ) throws(LocatedManifestFault) -> [Int] {
    guard top.has("keypoint-order") else { return Array(0..<form.points) }
    let texts = try top.names("keypoint-order", limit: 1_000)
    let order = texts.compactMap { Int($0) }.filter { (0..<form.points).contains($0) }
    guard order.count == texts.count, !order.isEmpty, Set(order).count == order.count else {
      throw top.complaint(
        "keypoint-order",
        .expected(
          key: "keypoint-order",
          "a list of different indices from 0 to \(form.points - 1) of the model's keypoints",
          found: "[\(texts.joined(separator: ", "))]"))
    }
    return order
  }
}
