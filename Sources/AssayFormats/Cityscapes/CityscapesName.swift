import AssayCore

/// The meaning of a file's path in Cityscapes' layout.
struct CityscapesName: Hashable {
  /// The files that annotate an image; the first one that is there is read.
  enum Kind: Int, CaseIterable, Sendable {
    case polygons, instanceIDs, labelIDs, trainIDs
    /// An image of colors, or of training ids of instances; never read.
    case other
  }

  enum Role: Hashable {
    case image
    case fine(Kind)
    case coarse(Kind)
  }

  var role: Role
  /// The path below the folder `leftImg8bit`, `gtFine` or `gtCoarse` without the endings:
  /// `train/ulm/ulm_000000_000019`.
  var key: String
  /// The path of the folder that holds those folders.
  var root: String

  static let imageEnding = "_leftImg8bit"
  private static let endings: [(text: String, kind: Kind)] = [
    ("_polygons.json", .polygons), ("_instanceIds.png", .instanceIDs), ("_labelIds.png", .labelIDs),
    ("_labelTrainIds.png", .trainIDs), ("_instanceTrainIds.png", .other), ("_color.png", .other),
  ]
  private static let folders = ["leftimg8bit", "gtfine", "gtcoarse", "imgsfine"]

  /// `nil` for a file that is not part of the layout.
  init?(_ path: String) {
    let parts = path.split(separator: "/")
    guard let name = parts.last.map(String.init), name.utf8.count > 9 else { return nil }
    let base: Substring
    if let range = name.ranges(of: Self.imageEnding).last, PairPath.isImageName(name) {
      base = name[..<range.lowerBound]
      role = .image
    } else if let ending = Self.endings.first(where: { name.hasSuffix($0.text) }) {
      let stem = name.dropLast(ending.text.count)
      if stem.hasSuffix("_gtFine") {
        base = stem.dropLast(7)
        role = .fine(ending.kind)
      } else if stem.hasSuffix("_gtCoarse") {
        base = stem.dropLast(9)
        role = .coarse(ending.kind)
      } else {
        return nil
      }
    } else {
      return nil
    }
    guard !base.isEmpty else { return nil }
    let above = parts.dropLast()
    func isLayout(_ part: Substring) -> Bool {
      let lower = part.lowercased()
      return Self.folders.contains { lower.hasPrefix($0) }
    }
    let first = above.firstIndex(where: isLayout) ?? above.startIndex
    let last = above.lastIndex(where: isLayout).map { above.index(after: $0) } ?? above.startIndex
    key = (above[last...] + [base]).joined(separator: "/")
    root = above[..<first].joined(separator: "/")
    if above.lastIndex(where: isLayout) == nil { root = "" }
  }

  /// Returns whether a path can be part of the layout, without taking it apart.
  static func mayFit(_ path: String) -> Bool {
    path.hasSuffix(".json")
      ? path.hasSuffix("_polygons.json")
      : path.containsBytes(of: "_leftImg8bit") || path.containsBytes(of: "_gtFine_")
        || path.containsBytes(of: "_gtCoarse_")
  }

  /// The first folder of the key, if it has one: the split.
  static func split(ofKey key: String) -> String? {
    guard let slash = key.utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    return String(key[..<slash])
  }
}
