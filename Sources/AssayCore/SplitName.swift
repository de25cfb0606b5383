/// The common spellings of one split: `val`, `valid`, `dev` and `validation` match each other, as
/// do `train` and `training`, `test` and `testing`. The source's own spelling is kept.
package enum SplitName {
  private static let families: [[String]] = [
    ["train", "training", "trn"],
    ["validation", "val", "valid", "dev"],
    ["test", "testing", "tst"],
  ]

  /// Returns whether two spellings mean one split, ignoring case.
  package static func match(_ a: String, _ b: String) -> Bool {
    let (a, b) = (a.lowercased(), b.lowercased())
    return a == b || families.contains { $0.contains(a) && $0.contains(b) }
  }

  /// Returns whether one split is listed before another: train, validation and test in the order in
  /// which they are used, then other names by their bytes, and samples without a split last.
  package static func precedes(_ a: String?, _ b: String?) -> Bool { rank(a) < rank(b) }

  private static func rank(_ split: String?) -> (Int, String) {
    guard let split else { return (families.count + 1, "") }
    let name = split.lowercased()
    return (families.firstIndex { $0.contains(name) } ?? families.count, split)
  }

  /// Returns whether a name is one of the well-known splits.
  package static func isKnown(_ name: String) -> Bool {
    families.contains { $0.contains(name.lowercased()) }
  }
}

extension SplitName {
  /// Returns whether a split's name means that it is used to select or evaluate models: validation
  /// and test in any of their spellings, with an optional trailing year (`val2017`), and FER-2013's
  /// `PublicTest` and `PrivateTest`.
  package static func isHeldOut(_ name: String) -> Bool {
    var stem = Substring(name.lowercased())
    while let last = stem.last, last.isNumber || "-_".contains(last) { stem.removeLast() }
    let words = stem.split { "-_. /".contains($0) }.map(String.init) + [String(stem)]
    return words.contains { word in
      match(word, "validation") || match(word, "test")
        || ["publictest", "privatetest", "held", "holdout", "heldout", "eval", "minival"]
          .contains(word)
    }
  }
}
