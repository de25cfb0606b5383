/// The images of a check that are the same or nearly the same. Images are places in its list.
struct DuplicateGroups: Hashable, Sendable {
  /// Groups of at least two identical images, each ascending, by their first image.
  var exact: [[Int]] = []
  /// True for the exact groups whose files differ, but not their pixels.
  var hasDifferentFiles: [Bool] = []
  /// Groups of at least two images that are connected by exact or near duplicates.
  var all: [[Int]] = []
  /// The smallest similarity of a pair that connects each of those groups; 1 if all are identical.
  var similarities: [Float] = []
  /// True for groups with a mirrored image.
  var hasMirrored: [Bool] = []
  /// The number of images whose search found more candidates than are compared.
  var crowded = 0
}

/// Disjoint sets of places, joined step by step.
struct DisjointSets {
  private var parents: [Int32]

  init(count: Int) { parents = (0..<Int32(count)).map { $0 } }

  mutating func root(of place: Int) -> Int {
    var place = Int32(place)
    while parents[Int(place)] != place {
      parents[Int(place)] = parents[Int(parents[Int(place)])]
      place = parents[Int(place)]
    }
    return Int(place)
  }

  /// Joins two sets; the smaller root stays.
  mutating func join(_ a: Int, _ b: Int) {
    let (a, b) = (root(of: a), root(of: b))
    parents[max(a, b)] = Int32(min(a, b))
  }

  /// The sets with at least two places, each ascending, by their first place.
  mutating func groups() -> [[Int]] {
    var members: [Int: [Int]] = [:]
    for place in parents.indices {
      let root = root(of: place)
      if root != place { members[root, default: [root]].append(place) }
    }
    return members.sorted { $0.key < $1.key }.map(\.value)
  }
}
