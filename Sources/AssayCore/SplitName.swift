/// The spellings under which people know one split: `val`, `valid`, `dev` and `validation` find each
/// other, as do `train` and `training`, `test` and `testing`. The source's own spelling is kept.
package enum SplitName {
  private static let families: [[String]] = [
    ["train", "training", "trn"],
    ["validation", "val", "valid", "dev"],
    ["test", "testing", "tst"],
  ]

  /// Whether two spellings mean one split, whatever their case.
  package static func match(_ a: String, _ b: String) -> Bool {
    let (a, b) = (a.lowercased(), b.lowercased())
    return a == b || families.contains { $0.contains(a) && $0.contains(b) }
  }

  /// Whether a name is one of the well-known splits.
  package static func isKnown(_ name: String) -> Bool {
    families.contains { $0.contains(name.lowercased()) }
  }
}
