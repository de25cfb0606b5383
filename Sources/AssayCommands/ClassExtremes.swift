import AssayCore

/// The classes that a table in text lists: all, or of many the worst and the best.
struct ClassExtremes {
  /// The number of classes up to which all are listed.
  static let limit = 30
  /// The number of worst and of best classes that are listed otherwise.
  static let each = 10

  /// The classes in the table's order, by ordinal.
  let listed: [Int]
  /// The sentence below the table; `nil` if it lists all classes.
  let sentence: String?

  /// - Parameters:
  ///   - values: the value of each class by which they are ranked, higher is better; `nil` if
  ///     undefined, or if the class is not listed.
  ///   - name: the name of the value: `F1`.
  ///   - listsAll: true to list all classes in their order.
  init(_ values: [Double?], by name: String, listsAll: Bool) {
    guard values.count > Self.limit, !listsAll else {
      listed = Array(values.indices)
      sentence = nil
      return
    }
    let ranked = values.indices.filter { values[$0] != nil }.sorted { first, second in
      (values[first] ?? 0, first) < (values[second] ?? 0, second)
    }
    let worst = ranked.prefix(Self.each)
    let best = ranked.dropFirst(worst.count).suffix(Self.each).reversed()
    listed = Array(worst) + best
    let undefined = values.count - ranked.count
    sentence =
      "the \(worst.count) worst and \(best.count) best of \(values.count) classes by \(name)"
      + (undefined > 0 ? "; undefined for \(undefined)" : "") + "; all classes: --all, --json"
  }

  /// A note without most of the names in it, if it lists very many.
  static func shortened(_ note: String) -> String {
    let parts = note.split(separator: ", ", omittingEmptySubsequences: false)
    guard parts.count > limit else { return note }
    return parts.prefix(each).joined(separator: ", ")
      + ", … (\(parts.count - each) more; --all lists them)"
  }
}
