extension SplitName {
  /// Whether models are chosen or judged by a split, as its name says: validation and test in any of their
  /// spellings, with a year behind them (`val2017`), and FER-2013's `PublicTest` and `PrivateTest`.
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
