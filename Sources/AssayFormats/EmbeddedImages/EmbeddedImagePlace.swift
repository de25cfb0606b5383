import AssayImaging

/// The place of an image in a file as a path: `train.parquet/image/000017.jpg`, or
/// `train.parquet/image/000017/cat.jpg` with the name that the file states.
package struct EmbeddedImagePlace: Hashable, Sendable {
  /// The path of the file.
  package var file: String
  /// The column of the images.
  package var column: String
  /// From 0.
  package var row: Int

  /// The place that a path names; `nil` if it is not in a file with embedded images.
  ///
  /// - Parameter isContainer: returns whether a path is called like such a file.
  package init?(
    _ path: String,
    isContainer: (Substring) -> Bool = { ParquetFile.isNamed($0) || TFRecordFile.isNamed($0) }
  ) {
    var end = path.startIndex
    while let slash = path[end...].firstIndex(of: "/") {
      let file = path[..<slash]
      end = path.index(after: slash)
      guard isContainer(file) else { continue }
      let parts = path[end...].split(separator: "/", omittingEmptySubsequences: false)
      guard (2...3).contains(parts.count) else { continue }
      let digits = parts[1].prefix { $0.isASCII && $0.isNumber }
      guard let row = Int(digits), row >= 0, !parts[0].isEmpty,
        digits.endIndex == parts[1].endIndex
          || (parts.count == 2 && parts[1][digits.endIndex] == ".")
      else { continue }
      (self.file, column, self.row) = (String(file), String(parts[0]), row)
      return
    }
    return nil
  }

  /// The path of a row without suffix and name, as a tree lists it.
  static func path(_ file: some EmbeddedImageFile, _ column: String, _ row: Int) -> String {
    let number = String(row)
    let digits = max(6, String(max(0, file.rows - 1)).count)
    return "\(file.path)/\(column)/" + String(repeating: "0", count: digits - number.count) + number
  }

  /// The path of an image as ``EmbeddedImageTree`` lists it; other paths are unchanged.
  package static func listed(_ path: String) -> String {
    guard let place = EmbeddedImagePlace(path) else { return path }
    let parts = path.dropFirst(place.file.count + place.column.count + 2)
    return "\(place.file)/\(place.column)/" + parts.prefix { $0.isASCII && $0.isNumber }
  }

  /// The text after the path of a row: the name that the file states for the image, or the suffix of its
  /// kind; empty if it is of none of ``ImageKind``.
  ///
  /// - Parameters:
  ///   - name: the stated name or path.
  ///   - start: the first bytes of the image.
  static func ending(_ name: String?, _ start: some Collection<UInt8>) -> String {
    if let name = fileName(name) { return "/" + name }
    return suffix(start) ?? ""
  }

  /// The suffix that fits the beginning of an image; `nil` if it is of none of ``ImageKind``.
  ///
  /// - Parameter bytes: at least the first ``ImageKind/detectedLength`` bytes of the image, if it has them.
  static func suffix(_ bytes: some Collection<UInt8>) -> String? {
    let head = Array(bytes.prefix(ImageKind.detectedLength))
    return head.withUnsafeBytes { ImageKind.detect($0) }.map { "." + $0.suffix }
  }

  /// The last component of a stated path if it can be the name of an image file.
  private static func fileName(_ path: String?) -> String? {
    guard let last = path?.split(whereSeparator: { $0 == "/" || $0 == "\\" }).last,
      last.utf8.count <= 200, PairPath.isImageName(String(last)), !last.hasPrefix("."),
      last.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else { return nil }
    return String(last)
  }
}
