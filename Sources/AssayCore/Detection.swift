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

  package init(
    class: Int, confidence: Double, box: Box, counts: [UInt8]? = nil, area: Double? = nil,
    scores: [ClassScore] = []
  ) {
    self.class = `class`
    self.confidence = confidence
    self.box = box
    self.counts = counts
    self.area = area
    self.scores = scores
  }
}
