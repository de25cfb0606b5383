/// The features that the first records of a dataset hold.
struct TFFeatureCensus: Sendable {
  private struct Entry {
    var kind: TFExample.Kind
    var isImage = false
    /// True if no record has more than one value, or a text that is not UTF-8 or is long.
    var isScalar = true
  }

  private var entries: [String: Entry] = [:]
  private(set) var records = 0

  /// The number of bytes of a text that can be an attribute.
  private static let textLimit = 4_096

  /// The names of the features, sorted.
  var keys: [String] { entries.keys.sorted() }

  /// The features that hold images.
  var images: [String] { keys.filter { entries[$0]?.isImage == true } }

  func kind(_ key: String) -> TFExample.Kind? { entries[key]?.kind }

  /// Returns whether a feature has at most one value in each record, which can be kept as an attribute.
  func isScalar(_ key: String) -> Bool {
    guard let entry = entries[key] else { return false }
    return entry.isScalar && !entry.isImage
  }

  /// - Throws: ``TFRecordProblem`` if a feature has another kind of values than before.
  mutating func add(_ example: TFExample) throws {
    records += 1
    for key in example.keys {
      guard let kind = example.kind(key) else { continue }
      let texts = kind == .bytes ? try example.byteStrings(key) ?? [] : []
      let count = kind == .bytes ? texts.count : (try? example.numbers(key)?.count) ?? 2
      // An empty list says nothing: some writers choose any kind for it.
      guard count > 0 else { continue }
      var entry = entries[key] ?? Entry(kind: kind)
      guard entry.kind == kind else {
        throw TFRecordProblem("the feature “\(key)” has different kinds of values in its records")
      }
      entry.isScalar = entry.isScalar && count < 2
      if let first = texts.first {
        if EmbeddedImagePlace.suffix(first) != nil { entry.isImage = true }
        entry.isScalar =
          entry.isScalar && first.count <= Self.textLimit
          && String(validating: first, as: UTF8.self) != nil
      }
      entries[key] = entry
    }
  }
}
