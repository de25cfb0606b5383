package import AssayCore

/// An error that prevents a metric from being computed: invalid input. Undefined scores are `nil`,
/// not errors.
package enum MetricError: Error, Hashable {
  /// Fewer than 1 or more than ``ClassificationTally/classLimit`` classes.
  case classCount(Int)
  /// A ground-truth ordinal that is not one of the classes; samples are counted from 0.
  case ordinalOutOfRange(sample: Int, ordinal: Int, classes: Int)
  /// A number of scores that is not one per class and sample.
  case scoreCount(expected: Int, found: Int)
  /// A score that is negative or not finite, and therefore not a probability.
  case notAProbability(sample: Int, category: Int, value: Double)
  /// A score of multi-label classification outside of 0...1, or not a number.
  case scoreOutOfRange(sample: Int, category: Int, value: Double)
  /// A threshold outside of 0...1, or not a number.
  case threshold(Double)
  /// Two tallies that store scores in different precisions.
  case precisionMismatch
  /// Scores of a sample that sum to 0 or overflow a float64.
  case noProbabilityMass(sample: Int)
  /// Scores of a sample whose sum is not 1 up to rounding, with the largest of them.
  case notNormalized(sample: Int, sum: Double, largest: Double)
  /// Two tallies, or two runs, with different numbers of classes.
  case classMismatch(Int, Int)
  /// Two runs on different numbers of samples.
  case sampleMismatch(Int, Int)
  /// Two runs with different ground truth for a sample.
  case truthMismatch(sample: Int)
  /// More samples than the ranking metrics support.
  case tooManySamples(Int, limit: Int)
  /// No label to evaluate, or more than ``SegmentationLabels/limit``.
  case labelCount(Int)
  /// Two tallies with different labels.
  case labelMismatch
  /// Counts of a sample that are negative, or not those of this number of labels.
  case sampleCounts(labels: Int)
  /// A ground truth and a prediction of different sizes, in pixels.
  case sizeMismatch(truth: ImageSize, predicted: ImageSize)
  /// A label map without pixels or with several channels.
  case noLabelMap(width: Int, height: Int, channels: Int)
  /// Pixels whose value is not a label: one such value, and the side on which it was found.
  case valueOutOfRange(side: Side, value: Int, labels: Int)
  /// Stored counts or results, of the given kind, that cannot be read back.
  case unreadable(String)
  /// Settings with which detections cannot be matched.
  case detectionSettings(DetectionSettings.Problem)
  /// Two tallies of detections that were matched with different settings.
  case settingsMismatch

  /// One of two compared sides.
  package enum Side: String, Sendable {
    case truth, prediction
  }
}

extension MetricError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .classCount(let count):
      "\(count) classes; classification needs 1 to \(ClassificationTally.classLimit)"
    case .ordinalOutOfRange(let sample, let ordinal, let classes):
      "sample \(sample): class \(ordinal) does not exist, the classes are 0 to \(classes - 1)"
    case .scoreCount(let expected, let found):
      "found \(found) scores, expected \(expected): one for each class of each sample"
    case .notAProbability(let sample, let category, let value):
      """
      sample \(sample), class \(category): \(value) is not a probability; \
      these look like logits, apply softmax first (activation: softmax in the manifest)
      """
    case .scoreOutOfRange(let sample, let category, let value):
      """
      sample \(sample), class \(category): the score \(value) must be in 0...1; if these are logits, apply a \
      sigmoid first (activation: sigmoid in the manifest)
      """
    case .threshold(let value): "the threshold \(value) must be in 0...1"
    case .precisionMismatch:
      "float32 scores on one side and float64 scores on the other; both need the same precision"
    case .noProbabilityMass(let sample):
      "sample \(sample): its probabilities sum to 0 or infinity, so the sample has no prediction"
    case .notNormalized(let sample, let sum, let largest):
      "sample \(sample): its scores sum to \(ProbabilityRow.text(sum)), not 1; "
        + ProbabilityRow.guess(sum: sum, largest: largest)
    case .classMismatch(let first, let second):
      "\(first) classes on one side, \(second) on the other; both sides must have the same number"
    case .sampleMismatch(let first, let second):
      "\(first) samples on one side, \(second) on the other; both sides must have the same number"
    case .truthMismatch(let sample):
      "sample \(sample): the two runs have different ground truth; evaluate both runs again"
    case .tooManySamples(let count, let limit):
      "\(count) samples exceed the limit of \(limit); evaluate subsets with --where"
    case .labelCount(let count):
      count < 2
        ? "\(count) labels; masks need at least one class to evaluate"
        : """
        \(count) labels, background included: masks are evaluated with at most \
        \(SegmentationLabels.limit), one of which is for ignored pixels; leave out classes with --ignore, or \
        merge them with --map of assay convert
        """
    case .labelMismatch: "the labels of the two sides differ; both need the same, in the same order"
    case .sampleCounts(let labels):
      "negative pixel counts, or counts that do not fit \(labels) labels"
    case .sizeMismatch(let truth, let predicted):
      "the ground truth has \(truth) pixels and the prediction \(predicted); both must have the same size"
    case .noLabelMap(let width, let height, let channels):
      "an image of \(width)×\(height) pixels with \(channels) channels is not a label map"
    case .valueOutOfRange(let side, let value, let labels):
      "a pixel of the \(side.rawValue) has the value \(value), the labels are 0 to \(labels - 1)"
    case .unreadable(let what):
      "\(what) of this evaluation cannot be read: damaged, or created by a newer version of assay;"
        + " evaluate again"
    case .detectionSettings(let problem): problem.description
    case .settingsMismatch:
      "the detections were matched with different settings; both sides need the same thresholds,"
        + " area ranges and limits"
    }
  }
}
