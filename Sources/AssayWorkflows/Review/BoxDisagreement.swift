import AssayCore

/// The disagreement of two detectors on an image.
enum BoxDisagreement {
  /// A detection without a counterpart in the other detector.
  struct Lone: Hashable, Sendable {
    /// True if the first detector has it.
    var isFirst: Bool
    var category: String
    var confidence: Double
  }

  /// A detection with its class name.
  struct Found: Hashable, Sendable {
    var category: String
    var confidence: Double
    var box: Box
  }

  /// The detections without a counterpart, highest score first.
  ///
  /// Detections of the first detector are matched in descending order of score. Each takes the
  /// unmatched detection of the same class of the second detector with the highest IoU, if that is
  /// at least ½.
  static func lone(_ first: [Found], _ second: [Found]) -> [Lone] {
    var isTaken = [Bool](repeating: false, count: second.count)
    var lone: [Lone] = []
    for found in first.sorted(by: { $0.confidence > $1.confidence }) {
      var best: (place: Int, overlap: Double)?
      for (place, other) in second.enumerated()
      where !isTaken[place] && other.category == found.category {
        let overlap = iou(found.box, other.box)
        if overlap >= 0.5, overlap > best?.overlap ?? 0 { best = (place, overlap) }
      }
      if let best {
        isTaken[best.place] = true
      } else {
        lone.append(Lone(isFirst: true, category: found.category, confidence: found.confidence))
      }
    }
    for (place, other) in second.enumerated() where !isTaken[place] {
      lone.append(Lone(isFirst: false, category: other.category, confidence: other.confidence))
    }
    return lone.sorted {
      $0.confidence == $1.confidence
        ? ($0.isFirst && !$1.isFirst) : $0.confidence > $1.confidence
    }
  }

  /// The intersection over union of two boxes, in 0...1; 0 if both are empty.
  static func iou(_ a: Box, _ b: Box) -> Double {
    let width = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    let height = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    guard width > 0, height > 0 else { return 0 }
    let union = a.area + b.area - width * height
    return union > 0 ? width * height / union : 0
  }
}
