/// The reason why Parquet data cannot be read, one clause.
struct ParquetProblem: Error, Hashable, CustomStringConvertible {
  var description: String

  init(_ text: String) { description = text }

  static func damaged(_ text: String) -> ParquetProblem {
    ParquetProblem("the file is damaged: \(text)")
  }
}

/// A problem with a Parquet file.
struct ParquetError: Error, Hashable, CustomStringConvertible {
  var file: String
  var problem: ParquetProblem

  var description: String { "\(file): \(problem)" }
}

/// The limits on Parquet files.
enum ParquetLimits {
  /// The size of the footer: 256 MiB.
  static let footer = 256 << 20
  /// The size of a page's header: 4 MiB.
  static let header = 4 << 20
  /// The size of a page after decompression: 1 GiB.
  static let page = 1 << 30
  /// The size above which a page may be at most ``ratio`` times as large as its compressed bytes.
  static let freePage = 64 << 20
  static let ratio = 1000
  /// The number of values of a page.
  static let values = 16 << 20
  /// The number of columns, and the depth of nested ones.
  static let columns = 10_000
  static let depth = 32
  /// The number of images of a dataset.
  static let rows = PixelTableMerge.rowLimit
  /// The number of row groups.
  static let groups = 1 << 20
  /// The number of values in one row of a nested column.
  static let rowValues = 1 << 20
}
