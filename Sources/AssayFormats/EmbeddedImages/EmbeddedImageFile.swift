package import AssayCore

/// A file whose rows hold encoded images: a Parquet table, or records of TensorFlow. Thread-safe.
package protocol EmbeddedImageFile: AnyObject, Sendable {
  /// Reads what is needed to find the rows of a file.
  ///
  /// - Throws: if the file cannot be read as this kind of file; any error that the tree throws.
  init(_ tree: any SourceTree, _ file: SourceFile) throws

  /// Returns whether a file is called like a file of this kind.
  static func isNamed(_ path: some StringProtocol) -> Bool

  var path: String { get }
  /// In bytes.
  var size: Int { get }
  /// The time of the last change, in nanoseconds since 1970.
  var modified: Int64 { get }
  /// The number of rows.
  var rows: Int { get }

  /// The columns with images, as paths name them: without `/`.
  var imageColumns: [String] { get }

  /// Reads bytes of the image in a row and a column.
  ///
  /// - Returns: the number of bytes; 0 at and after the end of the image.
  /// - Throws: if there is no such row, column or image, or the file is damaged.
  func readImage(
    _ column: String, row: Int, at offset: Int, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int
}
