/// An object that a model found in an image.
package struct Detection: Hashable, Sendable {
  /// A class with its score.
  package struct ClassScore: Hashable, Sendable {
    /// An index into the model's or the run's classes.
    package var `class`: Int
    /// In 0...1 if it is a probability.
    package var score: Float

    package init(class: Int, score: Float) {
      self.class = `class`
      self.score = score
    }
  }

  /// An index into the model's or the run's classes.
  package var `class`: Int
  /// The score that detections are ranked by, as given; finite.
  package var confidence: Double
  /// In the image's pixels.
  package var box: Box
  /// The object's region as COCO's compressed run lengths at the image's size; `nil` for a box alone.
  package var counts: [UInt8]?
  /// The region's area in pixels, if there is a region.
  package var area: Double?
  /// The scores of all classes that the model gave for this box, highest first; empty if only the
  /// class's own score is known.
  package var scores: [ClassScore]
  /// Three finite numbers per keypoint: x and y in the image's pixels, and the point's own score;
  /// empty if there are none.
  package var keypoints: [Double]
  /// A JSON object with what the steps of a pipeline found; `nil` for none.
  package var attributes: String?

  package init(
    class: Int, confidence: Double, box: Box, counts: [UInt8]? = nil, area: Double? = nil,
    scores: [ClassScore] = [], keypoints: [Double] = [], attributes: String? = nil
  ) {
    self.class = `class`
    self.confidence = confidence
    self.box = box
    self.counts = counts
    self.area = area
    self.scores = scores
    self.keypoints = keypoints
    self.attributes = attributes
  }
}

extension Detection {
  /// The maximum number of keypoints.
  package static let keypointLimit = 1_000
  /// The maximum length of ``attributes`` in bytes.
  package static let attributeLimit = 1 << 20
}

extension Box {
  /// The smallest box around all keypoints, whatever their third number; `nil` if there are none.
  ///
  /// - Parameter keypoints: three numbers each.
  package init?(aroundKeypoints keypoints: [Double]) {
    guard keypoints.count >= 3 else { return nil }
    var (left, right) = (keypoints[0], keypoints[0])
    var (top, bottom) = (keypoints[1], keypoints[1])
    for place in stride(from: 3, to: keypoints.count - 2, by: 3) {
      left = min(left, keypoints[place])
      right = max(right, keypoints[place])
      top = min(top, keypoints[place + 1])
      bottom = max(bottom, keypoints[place + 1])
    }
    self.init(x: left, y: top, width: right - left, height: bottom - top)
  }
}
