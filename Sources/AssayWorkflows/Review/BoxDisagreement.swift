import AssayCore

/// The disagreement of two detectors about an image.
enum BoxDisagreement {
  /// A detection that the other detector has no counterpart of.
  struct Lone: Hashable, Sendable {
    /// True if the first of the two has it.
    var isFirst: Bool
    var category: String
    var confidence: Double
  }

  /// A detection by the name of its class.
  struct Found: Hashable, Sendable {
    var category: String
    var confidence: Double
    var box: Box
  }

  /// The detections without a counterpart, the surest first.
  ///
  /// A detection of the first takes, the surest first, of those of the second with its class that are not
  /// taken the one that it overlaps most, where that is by an IoU of ½ or more.
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

  /// Intersection over union of two boxes, in 0...1; 0 where both are empty.
  static func iou(_ a: Box, _ b: Box) -> Double {
    let width = min(a.x + a.width, b.x + b.width) - max(a.x, b.x)
    let height = min(a.y + a.height, b.y + b.height) - max(a.y, b.y)
    guard width > 0, height > 0 else { return 0 }
    let union = a.area + b.area - width * height
    return union > 0 ? width * height / union : 0
  }
}
