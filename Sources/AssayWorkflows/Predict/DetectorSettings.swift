import AssayCore
import AssayInference

/// The settings for the boxes of a detector's run, without the model.
///
/// Their JSON is the run's `settings`.
package struct DetectorSettings: Hashable, Sendable {
  /// The floating-point precision inside the model: `f32`, `bf16` or `f16`.
  package var precision: String
  /// The minimum score of stored boxes.
  package var leastScore: Double
  /// The maximum IoU with a higher-scoring box of the same class; 1 to keep all boxes.
  package var overlap: Double
  /// The maximum number of boxes per image; `nil` if there is only a limit per class.
  package var limit: Int?
  /// True if each box is assigned only its best class.
  package var bestClassOnly: Bool
  /// True if boxes that overlap a better one by more are averaged with it instead of left out.
  package var isWeighted: Bool
  /// True if each box has keypoints.
  package var hasKeypoints: Bool
  /// The names of the keypoints in their order; empty if the manifest does not name them.
  package var keypointNames: [String]
  /// True if each box has a mask.
  package var hasRegions: Bool
  /// True if the region of each box is the outline of a rotated box.
  package var isOriented: Bool

  init(precision: String, _ rule: DetectorRule) {
    self.precision = precision
    leastScore = rule.leastScore
    overlap = rule.overlap
    limit = rule.limit
    bestClassOnly = rule.bestClassOnly
    isWeighted = rule.suppression == .weighted
    hasKeypoints = rule.keypoints != nil
    keypointNames = rule.keypointNames
    hasRegions = rule.hasMasks || rule.angle != nil
    isOriented = rule.angle != nil
  }

  /// The settings as JSON text, members in a fixed order; the names are those of manifests.
  package var text: String {
    var members: [JSONValue.Member] = [
      .init("task", .string(ModelTask.detection.rawValue)),
      .init("precision", .string(precision)), .init("score", .number(leastScore)),
      .init("nms", .number(overlap)), .init("max", JSONValue(limit)),
      .init("box-classes", .string(bestClassOnly ? "best" : "all")),
    ]
    // As in imported runs.
    if hasRegions {
      members += [.init("regions", .bool(true)), .init("box_area", .bool(true))]
    }
    if isOriented { members.append(.init("oriented", .bool(true))) }
    if hasKeypoints { members.append(.init("keypoints", .bool(true))) }
    if isWeighted {
      members.append(.init("nms-kind", .string(DetectorRule.Suppression.weighted.rawValue)))
    }
    if !keypointNames.isEmpty {
      members.append(.init("keypoint-names", .array(keypointNames.map { .string($0) })))
    }
    return JSONValue.object(members).text()
  }

  /// Reads ``text`` back; `nil` for other text, such as that of imported predictions.
  package init?(_ text: String) {
    guard let json = try? JSONValue(parsing: text),
      json["task"]?.text == ModelTask.detection.rawValue,
      let precision = json["precision"]?.text, let score = json["score"]?.double,
      let overlap = json["nms"]?.double, let classes = json["box-classes"]?.text
    else { return nil }
    self.precision = precision
    leastScore = score
    self.overlap = overlap
    limit = json["max"]?.double.flatMap { Int(exactly: $0) }
    bestClassOnly = classes == "best"
    isWeighted = json["nms-kind"]?.text == DetectorRule.Suppression.weighted.rawValue
    hasKeypoints = json["keypoints"] == .bool(true)
    keypointNames = json["keypoint-names"]?.elements?.compactMap(\.text) ?? []
    hasRegions = json["regions"] == .bool(true)
    isOriented = json["oriented"] == .bool(true)
  }
}
