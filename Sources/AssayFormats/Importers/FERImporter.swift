package import AssayCore

/// FER-2013's CSV: `emotion`, `pixels` and `Usage` in any order, with or without the first and the
/// last.
///
/// Accepts blanks in the header, a byte order mark, CRLF, quotes and gzip. Key of a sample: its
/// row, from 0. Source: I. Goodfellow et al., "Challenges in Representation Learning" (2013),
/// arXiv:1307.0414.
package struct FERImporter: DatasetImporter {
  /// The classes in the order of their numbers.
  package static let classes = ["angry", "disgust", "fear", "happy", "sad", "surprise", "neutral"]

  private static let size = ImageSize(width: 48, height: 48)

  package init() {}

  package var format: DatasetFormat { .fer }

  package var summary: String { "FER-2013's CSV of faces (.csv, .csv.gz)" }

  package var recognizedBy: String {
    "a header with the columns pixels and emotion or Usage, in any order (test.csv: pixels alone)"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard tree.isSingleFile, let file = try tree.files().first else {
      return .noMatch("it is a folder; FER-2013 is one CSV file")
    }
    let head = try TableHead.read(tree, file)
    let names = Self.names(of: head)
    guard let pixels = names.firstIndex(of: "pixels") else {
      return .noMatch("its first line has no column pixels")
    }
    if let name = Self.repeated(names) {
      return .noMatch("it has two columns \(name)")
    }
    if names.contains("emotion") {
      return .match("its header has the columns pixels and emotion")
    }
    if names.contains("usage"), !names.contains(where: PixelCSVColumns.labelNames.contains) {
      return .match("its header has the columns pixels and Usage, and no other label")
    }
    let counts = PixelSize.counts(in: head, column: pixels, skipping: true)
    if names.count == 1, PixelSize.mostFrequent(counts) == Self.size.area {
      return .match("its only column is pixels, with 48×48 values")
    }
    return .noMatch("its header has a column pixels, but neither emotion nor Usage")
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    guard tree.isSingleFile, let file = try tree.files().first else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: "it is a folder")
    }
    let table = try table(of: TableHead.read(tree, file), name: tree.name, options)
    let reader = PixelTableReader(tree: tree, file: file, table: table, options: options)
    guard let votes = options.votes else { return try reader.run(deliver: deliver) }
    try options.refuse([.classes], for: format)
    var join = try VoteJoin(votes, table)
    var finished = try reader.run { try deliver(join.apply($0)) }
    finished.outcome = try join.finish(finished.outcome)
    finished.votes = join.counts
    finished.notes = join.counts.notes
    return finished
  }

  private func table(
    of head: TableHead, name: String, _ options: ImportOptions
  ) throws(FormatError) -> PixelTable {
    let names = Self.names(of: head)
    guard let column = names.firstIndex(of: "pixels") else {
      throw .mismatch(
        name: name, format: format, reason: "its first line has no column pixels")
    }
    if let repeated = Self.repeated(names) {
      throw .mismatch(
        name: name, format: format, reason: "it has two columns \(repeated)")
    }
    guard head.lines.count > 1 else { throw .noRows(head.file) }
    let counts = PixelSize.counts(in: head, column: column, skipping: true)
    let side = PixelSize.mostFrequent(counts.filter { PixelSize.squareSide($0) != nil })
      .flatMap(PixelSize.squareSide)
    let found = side.map { ImageSize(width: $0, height: $0) }
    return PixelTable(
      file: head.file, hasHeader: true, columnCount: names.count,
      labelColumn: names.firstIndex(of: "emotion"), splitColumn: names.firstIndex(of: "usage"),
      pixels: .text(column: column), size: options.size ?? found ?? Self.size, format: .gray8,
      labels: .named(options.classes ?? Self.classes),
      splits: SplitRule(translatesUsage: true, reportsUnknown: true, fallback: options.split))
  }

  /// A column that is read and occurs twice in the header.
  private static func repeated(_ names: [String]) -> String? {
    let places = ["pixels", "emotion", "usage"].compactMap { names.firstIndex(of: $0) }
    return PixelCSVColumns.repeated(names, among: places)
  }

  private static func names(of head: TableHead) -> [String] {
    head.firstFields.map { $0.lowercased() }
  }
}
