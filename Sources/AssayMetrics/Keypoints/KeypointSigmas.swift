/// The standard deviations σ of the keypoints of a class, relative to an object's size: a point that
/// people mark less precisely has a larger one.
package struct KeypointSigmas: Hashable, Sendable {
  package let values: [Double]
  /// (2σ)² of each.
  let variances: [Double]

  /// The accepted values of σ.
  package static let range = 1e-6...1e3
  /// The maximum number of keypoints of a class.
  package static let limit = 1_000

  /// Returns `nil` if there is no value, there are more than ``limit``, or one is outside of
  /// ``range``.
  package init?(_ values: [Double]) {
    guard (1...Self.limit).contains(values.count), values.allSatisfy({ Self.range.contains($0) })
    else { return nil }
    self.init(checked: values)
  }

  private init(checked values: [Double]) {
    self.values = values
    variances = values.map { ($0 * 2) * ($0 * 2) }
  }

  package var count: Int { values.count }

  /// COCO's 17 values for people, in the order of ``cocoNames``.
  ///
  /// Source: `kpt_oks_sigmas` of pycocotools' cocoeval.py, with its division by 10.
  package static let coco = KeypointSigmas(
    checked: [
      0.26, 0.25, 0.25, 0.35, 0.35, 0.79, 0.79, 0.72, 0.72, 0.62, 0.62, 1.07, 1.07, 0.87, 0.87,
      0.89, 0.89,
    ].map { $0 / 10 })

  /// The names of COCO's 17 keypoints.
  package static let cocoNames = [
    "nose", "left_eye", "right_eye", "left_ear", "right_ear", "left_shoulder", "right_shoulder",
    "left_elbow", "right_elbow", "left_wrist", "right_wrist", "left_hip", "right_hip", "left_knee",
    "right_knee", "left_ankle", "right_ankle",
  ]
}

/// The σ that a user states for the keypoints of all classes.
package enum StatedSigmas: Hashable, Sendable {
  /// COCO's 17.
  case coco
  /// One value per keypoint, or one for all of them.
  case values([Double])

  /// Reads `coco`, a number, or numbers with commas; `nil` for another text or numbers outside of
  /// ``KeypointSigmas/range``.
  package init?(_ text: String) {
    if text == "coco" {
      self = .coco
      return
    }
    let values = text.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard let sigmas = KeypointSigmas(values.map { $0 ?? 0 }) else { return nil }
    self = .values(sigmas.values)
  }

  /// The text that is read back.
  package var text: String {
    switch self {
    case .coco: "coco"
    case .values(let values): values.map { "\($0)" }.joined(separator: ",")
    }
  }

  /// The σ for a class with a number of keypoints; `nil` if they are of another number.
  ///
  /// - Parameter count: `nil` if the class does not state it.
  package func sigmas(count: Int?) -> KeypointSigmas? {
    switch self {
    case .coco:
      return count == nil || count == KeypointSigmas.coco.count ? .coco : nil
    case .values(let values):
      if values.count == 1, let count, count > 0, count <= KeypointSigmas.limit {
        return KeypointSigmas(Array(repeating: values[0], count: count))
      }
      return count == nil || count == values.count ? KeypointSigmas(values) : nil
    }
  }
}
