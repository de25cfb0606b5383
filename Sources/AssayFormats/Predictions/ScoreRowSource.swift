package import AssayCore

/// A row of a predictions file.
package struct ScoreRow: Sendable {
  /// The row's number from 1, without the header.
  package var number = 0
  /// The line in a text file, from 1; the row's number in other files.
  package var line = 0
  package var key: String?
  /// The true class that the file states.
  package var truth: String?
  /// The predicted class, an index into the file's classes, in files without scores.
  package var label: Int?
  /// The scores, finite, in the order of the file's classes; empty in files without scores.
  package var scores: [Double] = []

  package init() {}
}

/// The width that the scores of a text file are rounded to when they are read.
package enum ScorePrecision: Sendable {
  /// Rounded once from decimal to 32 bits: what a run stores.
  case single
  /// 64 bits, for scores that are computed with before they are stored.
  case double
}

/// A predictions file of another program, read row by row as often as needed. A file of any size
/// takes little memory.
package protocol ScoreRowSource {
  /// The file's name, for errors.
  var file: String { get }
  /// The classes in the order of the scores, or those that predicted classes refer to.
  var classes: [String] { get }
  /// True if the rows have the samples' keys; otherwise they are matched by order.
  var hasKeys: Bool { get }
  /// True if the rows have true classes.
  var hasTruth: Bool { get }
  /// True if the rows have predicted classes and no scores.
  var isLabels: Bool { get }
  /// Facts about how the file was read that its user should know, one clause each.
  var notes: [String] { get }

  /// Passes the rows to `body`, in the file's order.
  ///
  /// - Throws: ``FormatError``; any error that `body` or the tree throws.
  func forEach(_ precision: ScorePrecision, _ body: (ScoreRow) throws -> Void) throws

  /// The error for a row, with its place.
  func fault(in row: ScoreRow, _ problem: String) -> FormatError
}

extension ScoreRowSource {
  package func fault(in row: ScoreRow, _ problem: String) -> FormatError {
    .predictions(file, problem: "row \(row.number): \(problem)")
  }
}

/// Opens predictions files of other programs: CSV, `.npy`, `.npz` and Parquet.
package enum ScoreFile {
  /// Opens a file; its content determines the kind.
  ///
  /// - Parameters:
  ///   - keys: a file with the sample keys of an array, one per line or a `.npy` of texts; `nil` for
  ///     none.
  ///   - keysName: the array of an `.npz` file that has the keys; `nil` for an array with a reserved
  ///     name.
  ///   - known: the dataset's classes.
  /// - Throws: ``FormatError``; any error that the trees throw.
  package static func open(
    _ tree: any SourceTree, _ options: PredictionFileOptions, keys: (any SourceTree)? = nil,
    keysName: String? = nil, known: [String]
  ) throws -> any ScoreRowSource {
    guard tree.isSingleFile, let file = try tree.files().first else {
      throw FormatError.predictions(tree.name, problem: "this is a folder; name a file")
    }
    var head = [UInt8](repeating: 0, count: 8)
    let count = try SourceContent.readHead(tree, file.path, into: &head)
    head = Array(head.prefix(count))
    if head.starts(with: NPYArray.magic) || head.starts(with: Array("PK\u{3}\u{4}".utf8)) {
      return try ArrayScoreRows(
        tree, file, options, keys: keys, keysName: keysName, known: known)
    }
    guard keys == nil, keysName == nil else {
      throw FormatError.predictions(
        file.path, problem: "--keys is for NumPy arrays; name the column of a table: --key-column")
    }
    if let array = options.array {
      throw FormatError.predictions(
        file.path, problem: "--array \(array) is for .npz files; omit it")
    }
    if try ParquetFile.isParquet(tree) {
      return try ParquetScoreRows(tree, file, options, known: known)
    }
    return try CSVScoreRows(tree, file, options, known: known)
  }
}
