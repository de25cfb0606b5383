/// Disjoint sets of the numbers from 0, joined by pairs (with path halving). The representative of a
/// set is its smallest member.
struct DisjointSets {
  private var parents: [Int32]

  /// - Parameter count: the number of members, each alone at first; at most `Int32.max`.
  init(count: Int) { parents = (0..<Int32(count)).map { $0 } }

  /// The smallest member of a member's set.
  mutating func root(of member: Int) -> Int {
    var place = Int32(member)
    while parents[Int(place)] != place {
      parents[Int(place)] = parents[Int(parents[Int(place)])]
      place = parents[Int(place)]
    }
    return Int(place)
  }

  /// The smallest member of each member's set.
  mutating func roots() -> [Int32] { parents.indices.map { Int32(root(of: $0)) } }

  /// Joins the sets of two members.
  mutating func join(_ a: Int, _ b: Int) {
    let (a, b) = (root(of: a), root(of: b))
    parents[max(a, b)] = Int32(min(a, b))
  }

  /// The sets with at least two members, each ascending, by their first member.
  mutating func groups() -> [[Int]] {
    var members: [Int: [Int]] = [:]
    for place in parents.indices {
      let root = root(of: place)
      if root != place { members[root, default: [root]].append(place) }
    }
    return members.sorted { $0.key < $1.key }.map(\.value)
  }
}
