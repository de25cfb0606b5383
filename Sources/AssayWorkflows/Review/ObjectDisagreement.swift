import AssayCore
import AssayStore

/// The share of each class's objects that a run finds.
struct ClassRecall: Hashable, Sendable {
  private var found: [Int: Int] = [:]
  private var all: [Int: Int] = [:]

  /// Adds a sample's matches.
  ///
  /// - Parameter score: the minimum score with which an object counts as found.
  mutating func add(_ rows: [MatchRecord], score: Double) {
    for row in rows {
      if row.prediction == nil {
        all[row.class, default: 0] += 1
      } else if row.error == nil, row.annotation != nil {
        found[row.class, default: 0] += (row.confidence ?? 0) >= score ? 1 : 0
        all[row.class, default: 0] += 1
      }
    }
  }

  /// The share of a class's objects that were found; 0 if it has no objects.
  subscript(_ category: Int) -> Double {
    guard let all = all[category], all > 0 else { return 0 }
    return Double(found[category] ?? 0) / Double(all)
  }
}

/// One disagreement between a detector and the ground truth.
struct ObjectDisagreement: Hashable, Sendable {
  var kind: DetectionErrorKind
  /// The class, an index into the evaluation's classes.
  var category: Int
  /// The detection's score.
  var confidence: Double?
  /// The ordinal of the object that the disagreement is about.
  var annotation: Int?
  /// The place of the detection in its sample; `nil` for a missed object.
  var detection: Int?
  /// The weight of the evidence against the ground truth, in 0...1.
  var weight: Double

  /// The weight from which a check reports a disagreement.
  static let reportedWeight = 0.5

  /// The assumed share of objects that are wrong in the ground truth.
  static let wrongShare = 0.05

  /// The weight of an object without a detection beside a detection that contradicts it: an object in the
  /// wrong place or of the wrong class has both.
  static let loneObject = 0.2

  /// The disagreements of a sample, largest weight first.
  ///
  /// The weight of a detection is its confidence c. One that contradicts an object, by its class or its
  /// place, leaves the object without a detection, which is evidence of its own: the weight is
  /// 1 − (1 − c · f) · (1 − ``loneObject``). f is 1 for another class, and for a detection in another place
  /// min(1, 3/2 − 2 · IoU): at an IoU near ½ the detection itself can be imprecise. A missed object is
  /// evidence against the ground truth only if the run finds nearly all objects of its class: with the
  /// share r of them that it finds, the weight is r · p / (p + 1 − r), p = ``wrongShare``. A duplicate
  /// detection of a found object is not evidence against the ground truth.
  static func all(_ rows: [MatchRecord], score: Double, recall: ClassRecall) -> [ObjectDisagreement]
  {
    let doubts = rows.compactMap { row -> ObjectDisagreement? in
      guard let kind = row.error, kind != .duplicate else { return nil }
      var doubt = ObjectDisagreement(
        kind: kind, category: row.class, confidence: row.confidence, annotation: row.annotation,
        detection: row.prediction, weight: 0)
      if kind == .missed {
        let found = recall[row.class]
        doubt.weight = found * wrongShare / (wrongShare + 1 - found)
      } else {
        guard let confidence = row.confidence, confidence >= score else { return nil }
        doubt.weight = weight(kind, confidence, iou: row.iou ?? 0)
      }
      return doubt
    }
    return doubts.enumerated().sorted {
      $0.element.weight == $1.element.weight
        ? $0.offset < $1.offset : $0.element.weight > $1.element.weight
    }.map(\.element)
  }

  private static func weight(
    _ kind: DetectionErrorKind, _ confidence: Double, iou: Double
  ) -> Double {
    switch kind {
    case .class: 1 - (1 - confidence) * (1 - loneObject)
    case .place: 1 - (1 - confidence * min(1, max(0, 1.5 - 2 * iou))) * (1 - loneObject)
    case .both, .background, .duplicate, .missed: confidence
    }
  }

  /// "person 0.93, nothing in the ground truth", "dog 0.88, cat in the ground truth",
  /// "sheep of the ground truth not found".
  ///
  /// - Parameter truth: returns the class of a ground-truth object by its ordinal.
  func text(_ classes: [String], _ truth: (Int) -> String?) -> String {
    let name = classes.indices.contains(category) ? classes[category] : "?"
    let found = name + (confidence.map { " \(Hundredths.text($0))" } ?? "")
    let other = annotation.flatMap(truth)
    switch kind {
    case .missed: return "\(name) of the ground truth not found"
    case .background, .duplicate: return "\(found), nothing in the ground truth"
    case .class: return "\(found), \(other ?? "another class") in the ground truth"
    case .place: return "\(found), elsewhere in the ground truth"
    case .both: return "\(found), nearby \(other ?? "another class") in the ground truth"
    }
  }
}
