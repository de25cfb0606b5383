import AssayCore

/// Keypoints that become objects of their own, and the groups that join them with their objects.
struct KeypointGroups {
  /// The usual name of the attribute with the number of a group.
  static let name = "group"

  private let name: String
  private var last: Int64

  /// - Parameters:
  ///   - objects: the objects of an image, with the groups that they have.
  ///   - name: the name of the attribute with the number of a group.
  init(_ objects: [ExportObject], name: String) {
    self.name = name
    last = objects.compactMap { $0.group(name) }.max() ?? 0
  }

  /// Returns whether an object has no attribute that a group would replace.
  func canSplit(_ object: ExportObject) -> Bool {
    object.group(name) != nil || !object.attributes.contains { $0.name == name }
      || object.attributes.contains { $0.name == name && $0.value == .integer(0) }
  }

  /// The object without its keypoints, and an object of its labeled keypoints in the same group.
  ///
  /// - Parameter category: the class of the keypoints.
  mutating func split(
    _ object: ExportObject, _ points: [Double], _ category: Int
  ) -> [ExportObject] {
    var rest = object
    if rest.group(name) == nil {
      last += 1
      rest.set(name, .integer(last))
    }
    var keypoints = ExportObject(
      category: category, shape: .points(points), box: object.box)
    keypoints.box = ExportOutlines.bounds(of: keypoints.shape) ?? object.box
    keypoints.attributes = object.attributes.filter { $0.name == ExportObject.keypointsName }
    keypoints.countKeypoints()
    if let group = rest.group(name) { keypoints.set(name, .integer(group)) }
    rest.removeKeypoints()
    return [rest, keypoints]
  }
}

extension ExportObject {
  /// The number of its group; `nil` if it has none, or one that is no positive number.
  func group(_ name: String = KeypointGroups.name) -> Int64? {
    guard
      case .integer(let group)? = attributes.first(where: { $0.name == name })?
        .value, (1...Int64(Int32.max)).contains(group)
    else { return nil }
    return group
  }

  /// The positions of its labeled keypoints: x0, y0, x1, y1, …
  ///
  /// - Parameters:
  ///   - count: the number of keypoints that it must have.
  ///   - isFree: true if it can have any number.
  /// - Returns: `nil` if it has none, another number, none that is labeled, another visibility than
  ///   0, 1 or 2, or a position of one that is not labeled.
  func labeledKeypoints(_ count: Int?, isFree: Bool) -> [Double]? {
    guard let values = keypoints, isFree || values.count == 3 * (count ?? 0) else { return nil }
    var points: [Double] = []
    for place in stride(from: 0, to: values.count, by: 3) {
      let (x, y) = (values[place], values[place + 1])
      switch values[place + 2] {
      case 1, 2: points += [x, y]
      case 0 where x == 0 && y == 0: break
      default: return nil
      }
    }
    return points.isEmpty ? nil : points
  }

  /// Sets the number of labeled keypoints.
  mutating func countKeypoints() {
    let values = keypoints ?? []
    let labeled = stride(from: 2, to: values.count, by: 3).count { values[$0] > 0 }
    set(Self.keypointCountName, .integer(Int64(labeled)))
  }

  /// Cuts or fills the keypoints to a number; those that are added are not labeled.
  mutating func setKeypoints(_ count: Int) {
    var values = Array((keypoints ?? []).prefix(3 * count))
    values += [Double](repeating: 0, count: 3 * count - values.count)
    set(
      Self.keypointsName,
      .array(
        values.enumerated().map { place, value in
          place % 3 == 2 && value.rounded() == value && abs(value) < 1e9
            ? .integer(Int64(value)) : .number(value)
        }))
    countKeypoints()
  }

  mutating func removeKeypoints() {
    attributes.removeAll { [Self.keypointsName, Self.keypointCountName].contains($0.name) }
  }

  /// Sets an attribute, keeping the order of names.
  fileprivate mutating func set(_ name: String, _ value: JSONValue) {
    attributes.removeAll { $0.name == name }
    let place = attributes.firstIndex { $0.name > name } ?? attributes.count
    attributes.insert(JSONValue.Member(name, value), at: place)
  }
}

extension ExportCapabilities {
  /// True if no object has keypoints.
  var dropsKeypoints: Bool {
    if case .none = keypoints { true } else { false }
  }
}

extension ExportCapabilities.ClassFields {
  /// Returns whether all further fields of a class are kept.
  func holds(_ category: Category) -> Bool {
    guard let text = category.attributes else { return true }
    switch self {
    case .none: return false
    case .any: return true
    case .named(let names):
      guard case .object(let members) = try? JSONValue(parsing: text) else { return false }
      return members.allSatisfy { names.contains($0.name) }
    case .keypointNames(let count, let flips):
      guard case .object(let members) = try? JSONValue(parsing: text) else { return false }
      return members.allSatisfy { member in
        switch member.name {
        case ExportObject.keypointsName: category.keypointNames?.count == count
        case YOLOKeypointNames.flipsName: flips != nil && category.keypointFlips == flips
        default: false
        }
      }
    }
  }
}

extension Category {
  /// A further field; `nil` if it has none of this name.
  func field(_ name: String) -> JSONValue? {
    attributes.flatMap { try? JSONValue(parsing: $0) }?[name]
  }

  /// The names of its keypoints if these are texts, at least one, and all different.
  var keypointNames: [String]? {
    guard let list = field("keypoints")?.elements, !list.isEmpty else { return nil }
    let names = list.compactMap(\.text)
    return names.count == list.count && Set(names).count == names.count ? names : nil
  }

  /// The edges of its skeleton as pairs of 0-based places in the list of its keypoints.
  ///
  /// - Returns: `nil` if an edge is no pair of different places.
  func skeletonEdges(of points: Int) -> [(Int, Int)]? {
    guard let list = field("skeleton") else { return [] }
    guard let edges = list.elements else { return nil }
    var pairs: [(Int, Int)] = []
    for edge in edges {
      guard let ends = edge.elements, ends.count == 2, case .integer(let a) = ends[0],
        case .integer(let b) = ends[1], a != b, (1...Int64(points)).contains(a),
        (1...Int64(points)).contains(b)
      else { return nil }
      pairs.append((Int(a) - 1, Int(b) - 1))
    }
    return pairs
  }
}
