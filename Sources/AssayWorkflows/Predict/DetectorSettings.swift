import AssayCore
import AssayInference

/// The settings of a detector's run for the model's boxes, without the model.
///
/// As JSON it is the run's `settings`.
package struct DetectorSettings: Hashable, Sendable {
  /// The arithmetic inside the model: `f32`, `bf16` or `f16`.
  package var precision: String
  /// The least score that a box is kept for.
  package var leastScore: Double
  /// The largest overlap with a better box of the same class; 1 where all are kept.
  package var overlap: Double
  /// The most boxes an image; `nil` where there is no limit but one a class.
  package var limit: Int?
  /// True if a box stands for its best class alone.
  package var bestClassOnly: Bool

  init(precision: String, _ rule: DetectorRule) {
    self.precision = precision
    leastScore = rule.leastScore
    overlap = rule.overlap
    limit = rule.limit
    bestClassOnly = rule.bestClassOnly
  }

  /// The settings as JSON text, members in a fixed order; the names are those of manifests.
  package var text: String {
    JSONValue.object([
      .init("task", .string(ModelTask.detection.rawValue)),
      .init("precision", .string(precision)), .init("score", .number(leastScore)),
      .init("nms", .number(overlap)), .init("max", JSONValue(limit)),
      .init("box-classes", .string(bestClassOnly ? "best" : "all")),
    ]).text()
  }

  /// Reads back ``text``; `nil` for other text, such as that of imported predictions.
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
  }
}
