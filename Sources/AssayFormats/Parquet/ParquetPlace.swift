/// The place of an image in a Parquet file as a path: `train.parquet/image/000017.jpg`, or
/// `train.parquet/image/000017/cat.jpg` with the name that the file states.
package struct ParquetPlace: Hashable, Sendable {
  /// The path of the Parquet file.
  package var file: String
  /// The column of the images.
  package var column: String
  /// From 0.
  package var row: Int

  /// The place that a path names; `nil` if it is not in a Parquet file.
  package init?(_ path: String) {
    var end = path.startIndex
    while let slash = path[end...].firstIndex(of: "/") {
      let file = path[..<slash]
      end = path.index(after: slash)
      guard ParquetFile.isNamed(file) else { continue }
      let parts = path[end...].split(separator: "/", omittingEmptySubsequences: false)
      guard (2...3).contains(parts.count) else { return nil }
      let digits = parts[1].prefix { $0.isASCII && $0.isNumber }
      guard let row = Int(digits), row >= 0, !parts[0].isEmpty,
        digits.endIndex == parts[1].endIndex
          || (parts.count == 2 && parts[1][digits.endIndex] == ".")
      else { return nil }
      (self.file, column, self.row) = (String(file), String(parts[0]), row)
      return
    }
    return nil
  }

  /// The path of a row without suffix and name, as a tree lists it.
  static func path(_ file: ParquetFile, _ column: String, _ row: Int) -> String {
    let number = String(row)
    let digits = max(6, String(max(0, file.footer.rows - 1)).count)
    return "\(file.path)/\(column)/" + String(repeating: "0", count: digits - number.count) + number
  }

  /// The path of an image as ``ParquetTree`` lists it; other paths are unchanged.
  package static func listed(_ path: String) -> String {
    guard let place = ParquetPlace(path) else { return path }
    let parts = path.dropFirst(place.file.count + place.column.count + 2)
    return "\(place.file)/\(place.column)/" + parts.prefix { $0.isASCII && $0.isNumber }
  }
}
