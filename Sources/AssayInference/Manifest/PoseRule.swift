/// The keypoints of the one object that a model finds in each image.
package struct PoseRule: Hashable, Sendable {
  /// The way from a heat map to a keypoint. The raw value is the manifest's spelling.
  package enum Decode: String, CaseIterable, Sendable, Codable {
    /// The cell with the highest value.
    case argmax
    /// That cell, moved by a quarter of a cell towards the higher of its two neighbors on each axis.
    case quarter
  }

  /// The order of a keypoint's coordinates. The raw value is the manifest's spelling.
  package enum Axes: String, CaseIterable, Sendable, Codable {
    case xy
    /// The vertical one first, as MoveNet gives them.
    case yx
  }

  /// The values that a model gives for its keypoints.
  package enum Source: Hashable, Sendable {
    /// A map for each keypoint.
    case heatMaps(Decode)
    /// The values of each keypoint, one after another.
    case points(BoxUnits)
  }

  /// The function that turns the value of the object's score into a probability. The raw value is the manifest's
  /// spelling.
  package enum ScoreActivation: String, CaseIterable, Sendable, Codable {
    /// The model gives a probability.
    case none
    /// 1 / (1 + exp(−x)).
    case sigmoid
  }

  package var source: Source
  /// The output with the heat maps or the keypoints.
  package var output: String
  /// The output with the object's score; `nil` for the mean of its keypoints' scores.
  package var scoreOutput: String?
  /// The function that turns the value of ``scoreOutput`` into a score from 0 to 1.
  package var scoreActivation: ScoreActivation
  /// True if the third of three values is the depth of a keypoint, which is not read, instead of its score.
  package var hasDepth: Bool
  /// The order of a keypoint's coordinates.
  package var axes: Axes
  /// The keypoints that the model gives.
  package var form: KeypointForm
  /// The model's keypoints that are kept, in the order of the dataset's.
  package var order: [Int]

  package init(
    source: Source, output: String, scoreOutput: String?, scoreActivation: ScoreActivation = .none,
    hasDepth: Bool = false, axes: Axes = .xy, form: KeypointForm, order: [Int]
  ) {
    self.source = source
    self.output = output
    self.scoreOutput = scoreOutput
    self.scoreActivation = scoreActivation
    self.hasDepth = hasDepth
    self.axes = axes
    self.form = form
    self.order = order
  }

  /// The names of the outputs that are read.
  var names: [String] { [output, scoreOutput].compactMap(\.self) }

  /// The keypoints that are kept: x, y and a score.
  var kept: KeypointForm { KeypointForm(points: order.count, values: 3) }
}
