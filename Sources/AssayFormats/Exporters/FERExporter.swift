/// Writes FER-2013's CSV: `emotion`, `pixels` and `Usage`, one row per face, in the form that
/// ``FERImporter`` reads.
///
/// If all classes are FER-2013's, the numbers are FER-2013's; otherwise a number is the index of a
/// class, and an import needs the names: `--classes`.
package struct FERExporter: Sendable {
  /// The first line.
  package static let header = Array("emotion,pixels,Usage\n".utf8)

  /// The classes that a row's number indexes.
  package let classes: [String]
  /// True if an import needs ``classes``.
  package let needsClasses: Bool
  /// The text of each class of the data set, by ordinal.
  private let emotions: [String]

  /// Each value followed by a blank.
  private static let values: [[UInt8]] = (0...255).map { Array("\($0) ".utf8) }
  private static let usages = [
    "train": "Training", "validation": "PublicTest", "test": "PrivateTest",
  ]

  /// - Parameter classes: the data set's, in their order.
  package init(classes: [String]) {
    needsClasses = !Set(classes).isSubset(of: FERImporter.classes)
    let numbered = needsClasses ? classes : FERImporter.classes
    self.classes = numbered
    let names = Set(numbered)
    emotions = classes.map { name in
      guard let place = numbered.firstIndex(of: name) else { return "" }
      var number = "\(place)"
      // A class named 7 that does not have index 7: names take precedence over indices on import.
      while names.contains(number), number != name { number = "0" + number }
      return number
    }
  }

  /// The maximum number of pixels of an image: a longer row could not be read.
  package static let pixelLimit = (LineBlocks.lineLimit - 4096) / 4

  /// Appends a row.
  ///
  /// - Parameters:
  ///   - category: the class, an ordinal of the data set; `nil` leaves the field empty.
  ///   - pixels: gray values row by row, at least one.
  ///   - split: `train`, `validation` and `test` are written with FER-2013's names.
  package func append(
    category: Int?, pixels: [UInt8], split: String?, to bytes: inout [UInt8]
  ) {
    if let category, emotions.indices.contains(category) { bytes += emotions[category].utf8 }
    bytes.append(UInt8(ascii: ","))
    for value in pixels { bytes += Self.values[Int(value)] }
    if !pixels.isEmpty { bytes.removeLast() }
    bytes.append(UInt8(ascii: ","))
    if let split { bytes += (Self.usages[split] ?? CSVText.harmless(split)).utf8 }
    bytes.append(UInt8(ascii: "\n"))
  }
}
