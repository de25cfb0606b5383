/// Writes FER-2013's CSV: `emotion`, `pixels` and `Usage`, a row a face, as ``FERImporter`` reads it back.
///
/// Where all classes are FER-2013's the numbers are FER-2013's; else a number is the place of a class, and
/// an import needs the names: `--classes`.
package struct FERExporter: Sendable {
  /// The first line.
  package static let header = Array("emotion,pixels,Usage\n".utf8)

  /// The classes that a row's number counts by.
  package let classes: [String]
  /// True if an import has to be told ``classes``.
  package let needsClasses: Bool
  /// The text of each class of the data set, by ordinal.
  private let emotions: [String]

  /// Each value with a blank behind it.
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
      // A class called 7 that is not in place 7: names go before places when this is read.
      while names.contains(number), number != name { number = "0" + number }
      return number
    }
  }

  /// The most pixels of an image: a longer row would not be read.
  package static let pixelLimit = (LineBlocks.lineLimit - 4096) / 4

  /// Appends a row.
  ///
  /// - Parameters:
  ///   - category: the class, an ordinal of the data set; `nil` leaves the field empty.
  ///   - pixels: gray values row by row, at least one.
  ///   - split: `train`, `validation` and `test` are written as FER-2013 calls them.
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
