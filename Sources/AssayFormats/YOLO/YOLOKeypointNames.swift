import AssayCore
import Yams

/// The names and the mirrored order of keypoints in a pose dataset: `kpt_names` and `flip_idx` of
/// `data.yaml`.
struct YOLOKeypointNames: Hashable, Sendable {
  /// The names that hold for every class without its own; `nil` for none.
  private(set) var common: [String]?
  /// The names by the number of the class.
  private(set) var own: [Int: [String]] = [:]
  /// For each keypoint the place of the one that it is in the mirrored image; `nil` if that is not
  /// stated.
  private(set) var flips: [Int]?

  /// The fields of a class as COCO spells them; `nil` for none.
  func fields(ofClass number: Int) -> String? {
    var members: [JSONValue.Member] = []
    if let names = own[number] ?? common {
      members.append(.init("keypoints", .array(names.map { .string($0) })))
    }
    if let flips { members.append(.init(Self.flipsName, .array(flips.map { JSONValue($0) }))) }
    return members.isEmpty ? nil : JSONValue.object(members).text()
  }

  /// The field of a class with the mirrored order.
  static let flipsName = "flip_idx"

  /// Returns whether a list has every place below its length once.
  static func isOrder(_ places: [Int]) -> Bool { places.sorted() == Array(places.indices) }

  // MARK: Reading

  /// A value that is ignored, and the reason.
  struct Problem: Hashable, Sendable {
    var line: Int?
    var text: String
  }

  /// Reads the two values; `nil` if neither is usable.
  ///
  /// - Parameters:
  ///   - names: the value of `kpt_names`: names, a list of names per class, or a map from numbers of
  ///     classes to names.
  ///   - flips: the value of `flip_idx`.
  ///   - count: the number of keypoints; `nil` if the file has no `kpt_shape`.
  ///   - classes: the numbers of the classes; `nil` if they are not known.
  init?(
    names: Node?, flips: Node?, count: Int?, classes: Set<Int>?, _ problems: inout [Problem]
  ) {
    readNames(names, count, classes, &problems)
    readFlips(flips, count, &problems)
    if common == nil, own.isEmpty, self.flips == nil { return nil }
  }

  private mutating func readNames(
    _ node: Node?, _ count: Int?, _ classes: Set<Int>?, _ problems: inout [Problem]
  ) {
    guard let node, !Self.isNull(node) else { return }
    func ignore(_ node: Node, _ reason: String) {
      problems.append(Problem(line: node.mark?.line, text: reason + "; these names are ignored"))
    }
    guard let count else {
      return ignore(node, "'kpt_names' is stated without 'kpt_shape'")
    }
    let expected =
      "'kpt_names' must be a list of names, or a map of class numbers to lists of names"
    /// The names of a list, if they can be those of the keypoints.
    func usable(_ list: Node, _ title: String) -> [String]? {
      guard let names = Self.texts(list) else {
        ignore(list, expected)
        return nil
      }
      guard names.count == count else {
        ignore(
          list,
          "'kpt_names' has \(Counted.text(names.count, "name", "names"))\(title), and 'kpt_shape' "
            + "states \(Counted.text(count, "keypoint", "keypoints"))")
        return nil
      }
      if names.contains(where: \.isEmpty) || Set(names).count < names.count {
        ignore(list, "'kpt_names' has an empty or a repeated name\(title)")
        return nil
      }
      return names
    }
    func add(_ list: Node, _ number: Int) {
      guard classes?.contains(number) ?? (0..<YOLOClasses.limit).contains(number) else {
        return ignore(list, "'kpt_names' has names of class \(number), which 'names' does not have")
      }
      if let names = usable(list, " for class \(number)") { own[number] = names }
    }
    switch node {
    case .sequence(let sequence):
      if sequence.allSatisfy({ if case .scalar = $0 { true } else { false } }) {
        common = usable(node, "")
      } else {
        for (number, list) in sequence.enumerated() { add(list, number) }
      }
    case .mapping(let mapping):
      for (key, list) in mapping {
        guard case .scalar(let text) = key, let number = Int(text.string) else {
          ignore(key, expected)
          continue
        }
        add(list, number)
      }
    default: ignore(node, expected)
    }
  }

  private mutating func readFlips(_ node: Node?, _ count: Int?, _ problems: inout [Problem]) {
    // Ultralytics writes [] where mirroring is off.
    guard let node, !Self.isNull(node), node.sequence?.isEmpty != true else { return }
    func ignore(_ reason: String) {
      problems.append(Problem(line: node.mark?.line, text: reason + "; ignored"))
    }
    guard let count else { return ignore("'flip_idx' is stated without 'kpt_shape'") }
    let places = (Self.texts(node) ?? []).map { Int($0) ?? -1 }
    guard places.count == count, Self.isOrder(places) else {
      return ignore(
        "'flip_idx' must have each of the places 0 to \(count - 1) of the "
          + "\(Counted.text(count, "keypoint", "keypoints")) of 'kpt_shape' once")
    }
    flips = places
  }

  private static func texts(_ node: Node) -> [String]? {
    guard case .sequence(let sequence) = node else { return nil }
    let texts = sequence.compactMap(\.scalar?.string)
    return texts.count == sequence.count ? texts : nil
  }

  private static func isNull(_ node: Node) -> Bool {
    guard case .scalar(let scalar) = node else { return false }
    return ["", "~", "null", "Null", "NULL", "None"].contains(scalar.string)
  }
}

extension Category {
  /// The mirrored order of its keypoints; `nil` if it has none, or one that is no order.
  var keypointFlips: [Int]? {
    guard let list = field(YOLOKeypointNames.flipsName)?.elements, !list.isEmpty else { return nil }
    var places: [Int] = []
    for element in list {
      guard case .integer(let place) = element else { return nil }
      places.append(Int(clamping: place))
    }
    return YOLOKeypointNames.isOrder(places) ? places : nil
  }
}
