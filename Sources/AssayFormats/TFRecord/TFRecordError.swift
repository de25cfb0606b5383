/// The reason why a record file cannot be read, one clause.
struct TFRecordProblem: Error, Hashable, CustomStringConvertible {
  var description: String

  init(_ text: String) { description = text }
}

/// A problem with a record file of TensorFlow.
struct TFRecordError: Error, Hashable, CustomStringConvertible {
  var file: String
  var problem: TFRecordProblem

  var description: String { "\(file): \(problem)" }
}

/// The limits on record files.
enum TFRecordLimits {
  /// The size of a record: 512 MiB.
  static let record = 512 << 20
  /// The number of features of a record.
  static let features = 10_000
  /// The number of values of a feature that are read.
  static let values = 1 << 20
  /// The number of images of a dataset.
  static let rows = PixelTableMerge.rowLimit
  /// The size of a file with class names: 16 MiB.
  static let names = 16 << 20
}
