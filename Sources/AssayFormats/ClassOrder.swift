/// The order of classes if the source defines none: whole numbers by value, else names bytewise.
enum ClassOrder {
  /// The indices of the names in that order.
  ///
  /// - Complexity: O(*n* log *n*).
  static func sorted(_ names: [String]) -> [Int] {
    let numbers = names.compactMap { Int64($0) }
    guard numbers.count == names.count else {
      return names.indices.sorted { names[$0].utf8.lexicographicallyPrecedes(names[$1].utf8) }
    }
    return names.indices.sorted { numbers[$0] < numbers[$1] }
  }
}
