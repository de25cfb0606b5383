import AssayCore

/// The class of each number in the labels.
struct YOLOClasses: Sendable {
  /// The classes by number; `nil` for a number without a name.
  private let named: [Category?]
  /// True if every number below ``bound`` is a class and is its own name.
  let isNumbered: Bool
  /// The number of classes; numbers from here on are unknown.
  let bound: Int
  /// The problems with the names.
  private(set) var issues: [Issue] = []
  /// The names of keypoints; `nil` for none.
  private let keypoints: YOLOKeypointNames?

  /// The maximum number of classes.
  static let limit = YOLOLine.classLimit

  /// Classes with names. A repeated name stays a class of its own, `cup (id 4)`, as in COCO files.
  ///
  /// - Parameters:
  ///   - names: by number, below ``limit``; empty names count as missing.
  ///   - location: where the names are.
  ///   - keypoints: the names of their keypoints; `nil` for none.
  init(
    _ names: [Int: String], at location: IssueLocation, keypoints: YOLOKeypointNames? = nil
  ) {
    self.keypoints = keypoints
    let names = names.filter { $0.key >= 0 && $0.key < Self.limit && !$0.value.isEmpty }
    let count = (names.keys.max() ?? -1) + 1
    var found: [Category?] = Array(repeating: nil, count: count)
    var taken = Set(names.values)
    var seen: Set<String> = []
    var gaps: [Int] = []
    var issues: [Issue] = []
    for index in 0..<count {
      guard let name = names[index] else {
        gaps.append(index)
        continue
      }
      var unique = name
      if !seen.insert(name).inserted {
        unique = "\(name) (id \(index))"
        while !taken.insert(unique).inserted { unique += "'" }
        issues.append(
          Issue(
            .duplicateID, .warning, at: location,
            "class \(index) has the same name '\(name)' as another class; imported as a separate "
              + "class, '\(unique)'"))
      }
      found[index] = Category(
        name: unique, sourceID: .integer(Int64(index)),
        attributes: keypoints?.fields(ofClass: index))
    }
    if let first = gaps.first {
      issues.append(
        Issue(
          .missingField, .warning, at: location,
          "\(gaps.count == 1 ? "class \(first) has" : "\(gaps.count) classes (\(first), …) have") "
            + "no name; objects of \(gaps.count == 1 ? "it" : "them") are left out"))
    }
    named = found
    bound = count
    isNumbered = false
    self.issues = issues
  }

  /// Classes whose names are their numbers: "0", "1", ….
  ///
  /// - Parameters:
  ///   - count: the number of classes; `nil` if it is unknown.
  ///   - keypoints: the names of their keypoints; `nil` for none.
  init(count: Int?, keypoints: YOLOKeypointNames? = nil) {
    self.keypoints = keypoints
    named = []
    isNumbered = true
    bound = min(Self.limit, max(0, count ?? Self.limit))
  }

  /// The classes that are known before the labels are read, in order.
  var declared: [Category] { named.compactMap(\.self) }

  /// The class of a number; `nil` if it is unknown.
  func category(_ index: Int) -> Category? {
    guard index >= 0, index < bound else { return nil }
    guard isNumbered else { return named[index] }
    return Category(
      name: String(index), sourceID: .integer(Int64(index)),
      attributes: keypoints?.fields(ofClass: index))
  }

  /// The reason why a number is unknown, one clause.
  func complaint(_ index: Int) -> String {
    index < bound
      ? "class \(index) has no name"
      : "class \(index) is unknown: "
        + (bound == 0 ? "there are no classes" : "the classes are 0 to \(bound - 1)")
  }
}
