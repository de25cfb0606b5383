import AssayCore
import AssayMetrics

/// The σ of the keypoints of each class, by which their similarity is computed. None is guessed: it
/// is stated by the user or by the class, or the class has COCO's keypoints.
struct KeypointClasses: Sendable {
  private enum Rule {
    case known(KeypointSigmas)
    /// The same σ for each of any number of keypoints.
    case each(Double)
    case refused(KeypointProblem)
  }

  private let rules: [Rule]

  /// - Parameters:
  ///   - names: the names of the classes.
  ///   - attributes: the additional fields of each as a JSON object: `keypoints`, a list of names, and
  ///     `sigmas`, a list of numbers.
  ///   - stated: `--sigmas`; it takes precedence for classes with that number of keypoints.
  init(names: [String], attributes: [String?], stated: StatedSigmas?) {
    var fits = stated == nil
    var unfit: (name: String, count: Int)?
    let rules: [Rule] = zip(names, attributes).map { name, attributes in
      let fields = attributes.flatMap { try? JSONValue(parsing: $0) }
      let points = fields?["keypoints"]?.elements?.map(\.text)
      let count = points.flatMap { $0.isEmpty ? nil : $0.count }
      if let stated {
        if count == nil, case .values(let values) = stated, values.count == 1 {
          fits = true
          return .each(values[0])
        }
        if let sigmas = stated.sigmas(count: count) {
          fits = true
          return .known(sigmas)
        }
        if let count, unfit == nil { unfit = (name, count) }
      }
      if let own = fields?["sigmas"], own != .null {
        let values = own.elements?.map(\.double)
        guard let values, let sigmas = KeypointSigmas(values.map { $0 ?? 0 }),
          count == nil || count == sigmas.count
        else { return .refused(.badSigmas(class: name, count: count)) }
        return .known(sigmas)
      }
      if points == KeypointSigmas.cocoNames { return .known(.coco) }
      return .refused(.noSigmas(class: name, count: count, stated: stated?.text))
    }
    // A list that fits no class was meant for one: the classes' own values would hide the mistake.
    if !fits, let unfit, let stated {
      let problem = KeypointProblem.unfit(
        class: unfit.name, count: unfit.count, stated: stated.text)
      self.rules = names.map { _ in .refused(problem) }
    } else {
      self.rules = rules
    }
  }

  /// The σ of a class for an object with a number of values, three per keypoint; `nil` if the class
  /// has another number of keypoints.
  ///
  /// - Throws: the reason why σ is unknown.
  func sigmas(of class: Int, values: Int) throws(KeypointProblem) -> KeypointSigmas? {
    switch rules[`class`] {
    case .known(let sigmas): return values == 3 * sigmas.count ? sigmas : nil
    case .each(let value):
      guard values.isMultiple(of: 3), values / 3 <= KeypointSigmas.limit else { return nil }
      return KeypointSigmas(Array(repeating: value, count: values / 3))
    case .refused(let problem): throw problem
    }
  }

  /// The σ of a class if its number of keypoints is known.
  func sigmas(of class: Int) -> KeypointSigmas? {
    if case .known(let sigmas) = rules[`class`] { sigmas } else { nil }
  }

  /// An object's keypoints, and whether it is ignored.
  struct Truth {
    var keypoints: ObjectKeypoints?
    var isIgnored: Bool
    /// True if the object has keypoints that are not three finite numbers for each of its class.
    var isBad = false
  }

  /// The keypoints of an object of a class.
  ///
  /// An object without keypoints, or with unusable ones, is ignored like one whose points are all
  /// unlabeled: a detection within its doubled box counts neither as right nor as wrong.
  ///
  /// - Parameters:
  ///   - values: x, y and visibility of each; `nil` if it has none, no values if they are unusable.
  ///   - labeled: the stated number of labeled points; `nil` to count them.
  /// - Throws: the reason why σ is unknown.
  func truth(
    _ values: [Double]?, labeled: Double?, of class: Int
  ) throws(KeypointProblem) -> Truth {
    if let values, !values.isEmpty {
      if let sigmas = try sigmas(of: `class`, values: values.count) {
        let isLabeled = stride(from: 2, to: values.count, by: 3).contains { values[$0] > 0 }
        return Truth(
          keypoints: ObjectKeypoints(values, sigmas),
          isIgnored: labeled.map { $0 == 0 } ?? !isLabeled)
      }
    }
    let empty = sigmas(of: `class`).flatMap {
      ObjectKeypoints(Array(repeating: 0, count: 3 * $0.count), $0)
    }
    return Truth(keypoints: empty, isIgnored: true, isBad: values != nil)
  }

  /// Returns whether a detection of a class has usable keypoints.
  func isUsable(_ keypoints: [Double], of class: Int) -> Bool {
    guard !keypoints.isEmpty else { return false }
    return sigmas(of: `class`).map { keypoints.count == 3 * $0.count } ?? true
  }
}

/// The reason why the σ of a class's keypoints are unknown.
package enum KeypointProblem: Error, Hashable {
  /// Neither the user nor the class states them, and the keypoints are not COCO's.
  case noSigmas(class: String, count: Int?, stated: String?)
  /// The user's list fits no class; with the first class that has keypoints.
  case unfit(class: String, count: Int, stated: String)
  /// The class's own are not numbers, or not one per keypoint.
  case badSigmas(class: String, count: Int?)
}

extension KeypointProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noSigmas(let name, let count, let stated):
      let points =
        count.map { "\($0) keypoints that are not COCO's 17" } ?? "keypoints without names"
      let given = stated.map { "; --sigmas \($0) is not for this number of keypoints" } ?? ""
      return """
        class “\(name)” has \(points), and OKS needs the standard deviation σ of each\(given)
        give --sigmas with one number per keypoint, one number for all, or coco; or add a list 'sigmas' to the category
        """
    case .unfit(let name, let count, let stated):
      return """
        --sigmas \(stated) fits no class: “\(name)” has \(count) keypoints
        give one number per keypoint, one number for all, or coco
        """
    case .badSigmas(let name, let count):
      return """
        the 'sigmas' of class “\(name)” must be \(count.map { "\($0) numbers" } ?? "numbers") from \
        \(KeypointSigmas.range.lowerBound) to \(KeypointSigmas.range.upperBound)
        correct them, or give --sigmas
        """
    }
  }
}

/// The keypoints in the additional fields of an annotation: COCO's `keypoints` and `num_keypoints`.
struct AnnotationKeypoints {
  /// x, y and visibility of each; `nil` if there are none, no values if they are unusable.
  var values: [Double]?
  /// The stated number of labeled points.
  var labeled: Double?

  /// - Parameter attributes: a JSON object.
  init(_ attributes: String?) {
    guard let attributes,
      attributes.contains("\"keypoints\":") || attributes.contains("\"num_keypoints\":"),
      let fields = try? JSONValue(parsing: attributes)
    else { return }
    labeled = fields["num_keypoints"]?.double
    switch fields["keypoints"] {
    case nil, .null: break
    case .array(let elements):
      guard !elements.isEmpty else { return }
      let numbers = elements.compactMap(\.double)
      let isUsable =
        numbers.count == elements.count && numbers.count.isMultiple(of: 3)
        && numbers.count <= 3 * KeypointSigmas.limit && numbers.allSatisfy(\.isFinite)
      values = isUsable ? numbers : []
    default: values = []
    }
  }
}
