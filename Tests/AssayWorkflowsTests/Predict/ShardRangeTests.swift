import AssayWorkflows
import Testing

@Suite("Shards of a view")
struct ShardRangeTests {
  @Test("Ranges of the keys' bytes, each sample in one of them, lengths that differ by at most one")
  func ranges() throws {
    let keys = ["b", "a/10", "a/9", "Z", "é", "a", "", "z", "a/1", "~"]
    for count in 1...13 {
      let places = try (1...count).map { number in
        try #require(Shard(number: number, of: count)).places(of: keys)
      }
      #expect(places.joined().sorted() == Array(keys.indices))
      let lengths = places.map(\.count)
      #expect((lengths.max() ?? 0) - (lengths.min() ?? 0) <= 1)
      #expect(places.allSatisfy { $0 == $0.sorted() })
      let last = places.map { $0.map { Array(keys[$0].utf8) } }.filter { !$0.isEmpty }
      for (lower, upper) in zip(last, last.dropFirst()) {
        for key in lower {
          #expect(upper.allSatisfy { key.lexicographicallyPrecedes($0) })
        }
      }
    }
  }

  @Test("Texts and file names of shards are read back, others refused")
  func texts() {
    #expect(Shard("3/16")?.fileName == "part-3-of-16.db")
    #expect(Shard(fileName: "part-3-of-16.db")?.text == "3/16")
    for text in ["", "3", "0/4", "5/4", "03/16", "3/16/2", "-1/4", "1/0", "1/100001", "a/b"] {
      #expect(Shard(text) == nil, "\(text)")
    }
    for name in ["part-0-of-4.db", "part-5-of-4.db", "part-03-of-16.db", "part-1-of-2.db.tmp"] {
      #expect(Shard(fileName: name) == nil, "\(name)")
    }
  }
}
