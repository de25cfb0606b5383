import AssayCore
import Foundation

/// The attributes that a classifier of a pipeline writes.
enum LabelAttribute {
  /// The name of what belongs to a label: `score` of the attribute `label`, `mood_score` of `mood`.
  static func name(_ what: String, of attribute: String) -> String {
    attribute == "label" ? what : "\(attribute)_\(what)"
  }
}

extension Detection {
  /// The attributes; `nil` if there are none.
  var attributeValues: JSONValue? { attributes.flatMap { try? JSONValue(parsing: $0) } }

  /// The label that a classifier of a pipeline gave the object, and its score, if it is known; `nil` for none.
  var pipelineLabel: (name: String, score: Double?)? {
    guard let json = attributeValues,
      let name = json["label"]?.text
    else { return nil }
    return (name, json["score"]?.double)
  }
}

/// An object on its way through a pipeline.
struct PipelineObject {
  /// The object as it is stored: its box is clipped to the image, its keypoints are moved into it.
  var detection: Detection
  /// The box and the keypoints that crops are made of, also where they lie outside of the image.
  let box: Box
  let keypoints: [Double]
  /// The attributes that steps have written, in their order.
  var attributes: [JSONValue.Member] = []
  /// The reason why it does not qualify for further steps; `nil` as long as it does.
  var reason: String?

  init(_ detection: Detection, box: Box, keypoints: [Double]) {
    (self.detection, self.box, self.keypoints) = (detection, box, keypoints)
  }

  /// The angle of the line from the first keypoint to the second in radians, clockwise from level; `nil` if there are
  /// no two, or they are one point.
  var lineAngle: Double? {
    guard keypoints.count >= 6 else { return nil }
    let (dx, dy) = (keypoints[3] - keypoints[0], keypoints[4] - keypoints[1])
    return dx == 0 && dy == 0 ? nil : atan2(dy, dx)
  }

  /// The midpoint of the first two keypoints; `nil` if there are no two.
  var lineMidpoint: (x: Double, y: Double)? {
    guard keypoints.count >= 6 else { return nil }
    return ((keypoints[0] + keypoints[3]) / 2, (keypoints[1] + keypoints[4]) / 2)
  }

  /// The detection with the attributes as JSON.
  var stored: Detection {
    var members: [JSONValue.Member] = [.init("qualifies", .bool(reason == nil))]
    if let reason { members.append(.init("reason", .string(reason))) }
    var stored = detection
    stored.attributes = JSONValue.object(members + attributes).text()
    return stored
  }
}
