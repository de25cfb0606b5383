/// One of several contiguous ranges of a view's samples, sorted by key.
package struct Shard: Hashable, Sendable {
  /// The number of the shard, from 1.
  package let number: Int
  /// The number of shards.
  package let count: Int

  /// The largest number of shards of a run.
  package static let limit = 100_000

  /// `nil` unless 1 ≤ number ≤ count ≤ ``limit``.
  package init?(number: Int, of count: Int) {
    guard (1...Self.limit).contains(count), (1...count).contains(number) else { return nil }
    self.number = number
    self.count = count
  }

  /// Reads `3/16`; `nil` for other text.
  package init?(_ text: String) {
    let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
    guard numbers.count == 2, let number = numbers[0], let count = numbers[1],
      text == "\(number)/\(count)"
    else { return nil }
    self.init(number: number, of: count)
  }

  /// `3/16`.
  package var text: String { "\(number)/\(count)" }

  /// The name of the shard's part.
  package var fileName: String { "part-\(number)-of-\(count).db" }

  /// Reads ``fileName``; `nil` for other names.
  package init?(fileName: String) {
    guard let match = fileName.wholeMatch(of: /part-([0-9]+)-of-([0-9]+)\.db/),
      let number = Int(match.1), let count = Int(match.2)
    else { return nil }
    self.init(number: number, of: count)
    guard self.fileName == fileName else { return nil }
  }

  /// The places of the shard's samples in a list of keys, ascending: the keys sorted by their bytes
  /// are cut into ranges whose lengths differ by at most one.
  package func places(of keys: [String]) -> [Int] {
    Self.order(of: keys)[ranks(of: keys.count)].sorted()
  }

  /// The places of keys in the order of their bytes.
  static func order(of keys: [String]) -> [Int] {
    keys.indices.sorted { lhs, rhs in keys[lhs].utf8.lexicographicallyPrecedes(keys[rhs].utf8) }
  }

  /// The shard's range in a sorted list.
  func ranks(of total: Int) -> Range<Int> {
    (number - 1) * total / count..<number * total / count
  }
}
