import AssayCore

extension YOLOLine.Problem {
  /// The kind of the issue.
  var kind: IssueKind {
    switch self {
    case .fieldCount: .fieldCount
    case .notANumber, .noConfidence: .badField
    case .notAClass: .unknownLabel
    case .outside: .badShape
    }
  }

  /// The problem, one clause.
  var text: String {
    switch self {
    case .fieldCount(let count, let keypoints, let hasCommas):
      "the line has \(count) \(count == 1 ? "field" : "fields"), expected "
        + (keypoints.map {
          "\($0.fieldCount) (class, box and \($0.count) keypoints of kpt_shape)"
        } ?? "5 (class and box), or an odd number from 7 on (class and points)")
        + (keypoints == nil && count >= 11 && (count - 5).isMultiple(of: 3)
          ? "; a box and \((count - 5) / 3) keypoints with their visibility need kpt_shape: "
            + "[\((count - 5) / 3), 3] in data.yaml" : "")
        + (hasCommas ? ", separated by blanks instead of commas" : "")
    case .notANumber(let field, let text): "field \(field) is '\(text)', expected a finite number"
    case .notAClass(let text):
      "the class is '\(text)', expected a whole number from 0 on"
    case .outside(let value, let mayBeVisibility):
      "the coordinate \(value) is outside 0…1; YOLO's coordinates are relative to the image's size"
        + (mayBeVisibility ? " (keypoints need kpt_shape in data.yaml)" : "")
    case .noConfidence(let value):
      "the sixth field is \(value), expected a confidence in 0…1"
    }
  }
}

extension YOLOLine.Form {
  /// The name of so many such lines.
  func name(_ count: Int) -> String {
    let box = count == 1 ? "box" : "boxes"
    switch self {
    case .box: return "\(box) (5 fields)"
    case .scored: return "\(box) with a confidence (6 fields)"
    case .polygon: return "\(count == 1 ? "polygon" : "polygons") (7 or more fields)"
    case .pose: return "\(box) with keypoints"
    }
  }
}
