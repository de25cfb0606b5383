/// The output settings of a detector's manifest, and the rules for which of its boxes are kept.
package struct DetectorRule: Hashable, Sendable {
  /// The output of the model's last layer.
  package enum Head: Hashable, Sendable {
    /// Offsets from the cells of one grid per stride, as YOLOX outputs them.
    case yolox(strides: [Int])
    /// Offsets from the cells and anchors of one grid per stride, each in an output of its own.
    case anchors(AnchorRule)
    /// Offsets from the centers of anchors of a fixed size, as BlazeFace and the other detectors of MediaPipe output
    /// them, with scores in an output of their own.
    case blazeface(CenterRule)
    /// Boxes without further decoding.
    case boxes(BoxOrder, BoxUnits)
    /// Boxes that the model chose itself, each with a score and the number of its class, which for the first
    /// class is `classBase`; `nil` if they are of the only class and have no number.
    case final(BoxOrder, BoxUnits, classBase: Int?)
    /// One object for each image, given by its keypoints.
    case keypoints(PoseRule)
  }

  /// The names of the outputs of a detector with several.
  package struct Outputs: Hashable, Sendable {
    package var boxes: String
    /// `nil` if each box is followed by its score, which only final boxes can be.
    package var scores: String?
    /// The numbers of the classes of final boxes; `nil` if they are of the only class.
    package var labels: String?
    /// The number of final boxes; the rows beyond are ignored.
    package var count: String?
    /// The keypoints of final boxes.
    package var keypoints: String?
    /// The masks of final boxes, a grid of probabilities each.
    package var masks: String?

    package init(
      boxes: String, scores: String?, labels: String? = nil, count: String? = nil,
      keypoints: String? = nil, masks: String? = nil
    ) {
      self.boxes = boxes
      self.scores = scores
      self.labels = labels
      self.count = count
      self.keypoints = keypoints
      self.masks = masks
    }

    /// The names in the order in which the outputs are read: the masks, whose number of values can differ, last.
    var names: [String] { [boxes, scores, labels, count, keypoints, masks].compactMap(\.self) }
  }

  /// The order of a final box's values in one output. The raw value is the manifest's spelling.
  package enum Row: String, CaseIterable, Sendable, Codable {
    /// The box and its score, of a model with one class.
    case boxScore = "box-score"
    /// The box, its score, the number of its class.
    case boxScoreClass = "box-score-class"
    /// The box, the number of its class, the score.
    case boxClassScore = "box-class-score"
    /// The number of the class, the score, the box, as PaddleDetection gives them.
    case classScoreBox = "class-score-box"
    /// The index of the image in the batch, the number of the class, the score, the box, as
    /// OpenVINO's DetectionOutput and Caffe's SSD give them.
    case imageClassScoreBox = "image-class-score-box"
    /// The index of the image, the box, the number of the class, the score, as YOLOv7's `--end2end` gives them for ONNX
    /// Runtime.
    case imageBoxClassScore = "image-box-class-score"
    /// The index of the image, the box, the score, the number of the class, as YOLO-NAS and EfficientDet give them.
    case imageBoxScoreClass = "image-box-score-class"

    /// The number of values, and the places of the box, its score and its class; `nil` if it has no number.
    var places: (width: Int, box: Int, score: Int, label: Int?) {
      switch self {
      case .boxScore: (5, 0, 4, nil)
      case .boxScoreClass: (6, 0, 4, 5)
      case .boxClassScore: (6, 0, 5, 4)
      case .classScoreBox: (6, 2, 1, 0)
      case .imageClassScoreBox: (7, 3, 2, 1)
      case .imageBoxClassScore: (7, 1, 6, 5)
      case .imageBoxScoreClass: (7, 1, 5, 6)
      }
    }

    /// The order in words, as of a list.
    var words: String {
      rawValue.split(separator: "-").map {
        switch $0 {
        case "image": "the image"
        case "class": "the number of the class"
        case "score": "the score"
        default: "4 numbers of a box"
        }
      }.joined(separator: ", ")
    }

    /// The spellings of the other orders with as many values.
    var others: [String] {
      Self.allCases.filter { $0 != self && $0.places.width == places.width }.map(\.rawValue)
    }
  }

  package var head: Head
  /// The outputs with the boxes, the scores and so on; `nil` if one output has all.
  package var outputs: Outputs?
  /// The outputs with raw grids, in the order of their strides; `nil` for other heads.
  package var grids: [String]?
  /// The order of the values of final boxes in one output.
  package var row: Row
  /// The number of coefficients of each box's mask, after the box's scores.
  package var maskCoefficients: Int
  /// The output with the prototypes of the masks; `nil` if the coefficients are not used.
  package var masksOutput: String?
  /// The part of the input that each of ``Outputs/masks`` fills.
  package var maskFrame: MaskFrame
  /// The minimum probability inside a mask of ``Outputs/masks``, over 0 and at most 1.
  package var maskThreshold: Double
  /// The keypoints of each box, after the coefficients or in ``Outputs/keypoints``; `nil` if it has none.
  package var keypoints: KeypointForm?
  /// The unit of each box's angle, which is the last of its values; `nil` for boxes that are not rotated.
  package var angle: AngleUnit?
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
  /// The treatment of boxes that overlap a better one by more than ``overlap``.
  package var suppression: Suppression
  /// The names of the keypoints in their order; empty if the manifest does not name them.
  package var keypointNames: [String]

  /// The treatment of boxes that overlap a better one. The raw value is the manifest's spelling.
  package enum Suppression: String, CaseIterable, Sendable, Codable {
    /// They are left out.
    case greedy
    /// Box and keypoints are the means of the better one and of them, weighted by the scores.
    case weighted
  }

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

  /// True if the model gives boxes as fractions of its input.
  package var givesRelativeBoxes: Bool { head.boxes?.units == .relative }

  package init(
    head: Head, outputs: Outputs? = nil, grids: [String]? = nil, row: Row = .boxScoreClass,
    maskCoefficients: Int = 0, masksOutput: String? = nil, maskFrame: MaskFrame = .box,
    maskThreshold: Double = ModelManifest.usualThreshold, keypoints: KeypointForm? = nil,
    angle: AngleUnit? = nil, hasObjectness: Bool? = nil,
    leastScore: Double = usualLeastScore, overlap: Double = usualOverlap, limit: Int? = nil,
    bestClassOnly: Bool = false, suppression: Suppression = .greedy, keypointNames: [String] = []
  ) {
    self.head = head
    self.outputs = outputs
    self.grids = grids
    self.row = row
    self.maskCoefficients = maskCoefficients
    self.masksOutput = masksOutput
    self.maskFrame = maskFrame
    self.maskThreshold = maskThreshold
    self.keypoints = keypoints
    self.angle = angle
    self.hasObjectness = hasObjectness
    self.leastScore = leastScore
    self.overlap = overlap
    self.limit = limit
    self.bestClassOnly = bestClassOnly
    self.suppression = suppression
    self.keypointNames = keypointNames
  }
}

extension DetectorRule {
  /// The outputs that are read, if the manifest names each; `nil` for the one of ``ModelManifest/output``.
  var outputNames: [String]? { outputs?.names ?? grids ?? head.pose?.names }

  /// True if each box has a mask.
  package var hasMasks: Bool { masksOutput != nil || outputs?.masks != nil }

  /// The number of values of each box after its scores.
  var extraValues: Int { maskCoefficients + (keypoints?.count ?? 0) + (angle == nil ? 0 : 1) }
}

/// The values of a box's keypoints.
package struct KeypointForm: Hashable, Sendable {
  /// The number of keypoints.
  package var points: Int
  /// The number of values of each: x, y and, if there are three, a score; of ``PoseRule/Source/points(_:)`` also
  /// x, y, depth, a score, and possibly one that is not read.
  package var values: Int

  package init(points: Int, values: Int) {
    self.points = points
    self.values = values
  }

  var count: Int { points * values }
}

extension DetectorRule.Head {
  /// True if the model chooses its boxes itself.
  var isFinal: Bool {
    if case .final = self { return true }
    return false
  }

  /// The keypoints of the one object of each image; `nil` for other heads.
  var pose: PoseRule? {
    if case .keypoints(let rule) = self { return rule }
    return nil
  }

  /// The number of the first class of boxes that have one class each; `nil` for boxes with a score for each class.
  var classBase: Int? {
    switch self {
    case .yolox, .anchors, .blazeface, .boxes: nil
    case .final(_, _, let base): base
    case .keypoints: 0
    }
  }

  /// The order and the units of decoded boxes; `nil` for offsets from cells.
  var boxes: (order: BoxOrder, units: BoxUnits)? {
    switch self {
    case .yolox, .anchors, .blazeface: nil
    case .boxes(let order, let units), .final(let order, let units, _): (order, units)
    case .keypoints: (.xyxy, .pixels)
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

/// The spellings of the heads in manifests.
enum HeadSpelling: String, CaseIterable {
  case yolox, anchors, boxes, final, keypoints, blazeface
}
