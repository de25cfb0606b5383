/// The output settings of a detector's manifest, and the rules for which of its boxes are kept.
package struct DetectorRule: Hashable, Sendable {
  /// The output of the model's last layer.
  package enum Head: Hashable, Sendable {
    /// Offsets from the cells of one grid per stride, as YOLOX outputs them.
    case yolox(strides: [Int])
    /// Boxes without further decoding.
    case boxes(BoxOrder, BoxUnits)
    /// Boxes that the model chose itself, each with a score and the number of its class, which for the first
    /// class is `classBase`.
    case final(BoxOrder, BoxUnits, classBase: Int)
  }

  /// The names of two outputs.
  package struct Outputs: Hashable, Sendable {
    package var boxes: String
    package var scores: String

    package init(boxes: String, scores: String) {
      self.boxes = boxes
      self.scores = scores
    }
  }

  package var head: Head
  /// The outputs with the boxes and with the scores; `nil` if one output has both.
  package var outputs: Outputs?
  /// True if each box has an objectness before its class scores; `nil` if the manifest does not say so.
  /// It must be known for plain boxes in one output: the number of values fits both ways, with other
  /// numbers of classes.
  package var hasObjectness: Bool?
  /// The minimum score of a kept box, over 0 and at most 1.
  package var leastScore: Double
  /// The maximum overlap, as intersection over union, with a better box of the same class; 1 keeps
  /// all.
  package var overlap: Double
  /// The maximum number of boxes per image, including boxes outside of it; `nil` for
  /// ``usualClassLimit`` per class.
  package var limit: Int?
  /// True if a box counts only for its best class; false if it counts for each class whose score is
  /// high enough.
  package var bestClassOnly: Bool

  /// The strides of YOLOX's three grids.
  package static let usualStrides = [8, 16, 32]
  package static let usualLeastScore = 0.01
  package static let usualOverlap = 0.65
  /// The same for boxes that the model chose itself: all are kept.
  package static let finalOverlap = 1.0
  /// The maximum number of boxes per class and image in COCO's evaluation.
  package static let usualClassLimit = 100
  /// The valid range of the maximum number of boxes per image.
  package static let limitRange = 1...10_000

  package init(
    head: Head, outputs: Outputs? = nil, hasObjectness: Bool? = nil,
    leastScore: Double = usualLeastScore, overlap: Double = usualOverlap, limit: Int? = nil,
    bestClassOnly: Bool = false
  ) {
    self.head = head
    self.outputs = outputs
    self.hasObjectness = hasObjectness
    self.leastScore = leastScore
    self.overlap = overlap
    self.limit = limit
    self.bestClassOnly = bestClassOnly
  }
}

extension DetectorRule.Head {
  /// True if the model chooses its boxes itself.
  var isFinal: Bool {
    if case .final = self { return true }
    return false
  }

  /// The order and the units of decoded boxes; `nil` for offsets from cells.
  var boxes: (order: BoxOrder, units: BoxUnits)? {
    switch self {
    case .yolox: nil
    case .boxes(let order, let units), .final(let order, let units, _): (order, units)
    }
  }
}

/// The meaning of the four numbers of a box. The raw value is the manifest's spelling.
package enum BoxOrder: String, CaseIterable, Sendable, Codable {
  /// Left, top, right and bottom edge.
  case xyxy
  /// Top, left, bottom and right edge.
  case yxyx
  /// Left and top edge, width and height.
  case xywh
  /// The center, width and height.
  case cxcywh
}

/// The units of a box's numbers. The raw value is the manifest's spelling.
package enum BoxUnits: String, CaseIterable, Sendable, Codable {
  /// Pixels of the model's input.
  case pixels
  /// Fractions of the input's width and height.
  case relative
}

/// The number of classes that a box can have. The raw value is the manifest's spelling.
enum BoxClasses: String, CaseIterable {
  case all, best
}

/// The answers to the question if boxes have an objectness. The raw value is the spelling in a manifest.
enum ObjectnessSpelling: String, CaseIterable {
  case yes, no
}

/// The spellings of the heads in manifests.
enum HeadSpelling: String, CaseIterable {
  case yolox, boxes, final
}
