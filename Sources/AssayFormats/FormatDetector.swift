package import AssayCore
import Foundation

/// Detects the format of a source.
package enum FormatDetector {
  /// The detected format, and the reasons for and against each format.
  package struct Detection: Hashable, Sendable {
    package var format: DatasetFormat
    /// The reason for this format, one clause.
    package var reason: String
    /// The reason against each other format, one clause.
    package var others: [DatasetFormat: String]
  }

  /// The format of a source, from its content: the first matching case of ``DatasetFormat``.
  ///
  /// - Parameters:
  ///   - forced: a requested format; it is used without checking the others.
  ///   - ignoresCompanions: whether label files that the importer does not read can be dropped.
  /// - Throws: ``FormatError/unrecognized(name:found:hints:reasons:)`` if none matches,
  ///   ``FormatError/companions(name:format:_:)`` if labels would be dropped,
  ///   ``FormatError/emptyFile(_:)`` and ``FormatError/binaryFile(_:found:)`` for files that cannot
  ///   have any format; any error that the tree throws.
  package static func detect(
    _ tree: any SourceTree, forced: DatasetFormat? = nil, ignoresCompanions: Bool = false
  ) throws -> Detection {
    let detection = try detectAny(tree, forced: forced)
    if !ignoresCompanions, !tree.isSingleFile,
      var named = try companions(of: detection.format, in: tree)
    {
      named.table = FolderTable(in: tree)
      if forced == nil { named.hints = FormatHints.lines(for: tree, detection.others) }
      throw FormatError.companions(name: tree.name, format: detection.format, named)
    }
    return detection
  }

  /// The files that an import as a format would drop; `nil` if there are none.
  private static func companions(
    of format: DatasetFormat, in tree: any SourceTree
  ) throws -> Companions? {
    var found = try Importers.importer(for: format).companions(in: tree) ?? Companions()
    if let masks = MaskCompanions.finding(beside: format, try tree.files(), in: tree) {
      let areRead = (try? MasksImporter().probe(tree).isMatch) ?? false
      found.add(masks, of: areRead ? .masks : nil)
    }
    return found.isEmpty ? nil : found
  }

  /// The end of the reason against a format that fits, too.
  static let isMoreSpecific = " fits and is more specific"

  private static func detectAny(
    _ tree: any SourceTree, forced: DatasetFormat?
  ) throws -> Detection {
    if let forced {
      var others: [DatasetFormat: String] = [:]
      for format in DatasetFormat.allCases where format != forced {
        others[format] = "\(forced.rawValue) was requested"
      }
      return Detection(format: forced, reason: "it was requested", others: others)
    }
    if let json = try detectJSON(tree) { return json }
    if let binary = try detectBinary(tree) { return binary }
    var taken: (format: DatasetFormat, reason: String)?
    var others: [DatasetFormat: String] = [:]
    let importers = Importers.all
    for (importer, result) in zip(importers, try probes(of: importers, tree)) {
      let probe = try result.get()
      if probe.isMatch, taken == nil {
        taken = (importer.format, probe.reason)
      } else if probe.isMatch, let taken {
        others[importer.format] = taken.format.rawValue + isMoreSpecific
      } else {
        others[importer.format] = probe.reason
      }
    }
    guard let taken else {
      throw FormatError.unrecognized(
        name: tree.name, found: try describe(tree), hints: FormatHints.lines(for: tree, others),
        reasons: others)
    }
    return Detection(format: taken.format, reason: taken.reason, others: others)
  }

  /// The maximum number of files of which several importers make lists at once; the lists of millions take
  /// much memory.
  private static let concurrentLimit = 500_000

  /// The formats that a folder with images alone can have. All others need a text, a table or
  /// another file, and are not asked for such a folder.
  static let ofImagesAlone: Set<DatasetFormat> = [
    .cityscapes, .imageNet, .bdd100k, .camVid, .masks, .imageFolder,
  ]

  /// The result of each importer's check of a source, in their order.
  private static func probes(
    of importers: [any DatasetImporter], _ tree: any SourceTree
  ) throws -> [Result<Probe, any Error>] {
    let files = try tree.files()
    let isImagesAlone =
      !tree.isSingleFile && !files.isEmpty && files.allSatisfy { PairPath.isImageName($0.path) }
    // Large files are scanned once for all of COCO's formats.
    let coco = isImagesAlone ? [:] : try COCOFileImport.probes(tree)
    let isLarge = files.count > concurrentLimit
    let workers = isLarge ? 1 : min(4, ProcessInfo.processInfo.activeProcessorCount)
    var next = importers.startIndex
    var results: [Result<Probe, any Error>] = []
    try OrderedWorkers(workers: workers).run(
      next: { () -> (any DatasetImporter)? in
        guard next < importers.endIndex else { return nil }
        defer { next += 1 }
        return importers[next]
      },
      transform: { _, importer in
        guard !isImagesAlone || ofImagesAlone.contains(importer.format) else {
          return .success(.noMatch("it has no file besides images"))
        }
        return Result { try coco[importer.format] ?? importer.probe(tree) }
      },
      deliver: { results.append($0) })
    return results
  }

  /// A description of a source's contents, including known annotation formats.
  private static func describe(_ tree: any SourceTree) throws -> String {
    let found = try SourceContent.describe(tree)
    guard !tree.isSingleFile else { return found }
    let known = try Companions(
      Companions.candidates(tree.files()), in: tree, isKnownOnly: true)
    let table = FolderTable(in: tree).map {
      "\($0.path) \($0.content): import it with assay import \($0.commands)"
    }
    return ([found] + known.findings + [table].compactMap(\.self)).joined(separator: "; ")
  }

  /// The format of a single file of embedded pixels; `nil` for all other sources. Importers of text
  /// refuse such a file.
  private static func detectBinary(_ tree: any SourceTree) throws -> Detection? {
    guard tree.isSingleFile else { return nil }
    let importers: [any DatasetImporter] = [
      MNISTImporter(), CIFARImporter(), ParquetImporter(withLabels: false),
      ParquetImporter(withLabels: true), TFRecordImporter(),
    ]
    for importer in importers {
      let probe = try importer.probe(tree)
      guard probe.isMatch else { continue }
      var others: [DatasetFormat: String] = [:]
      for format in DatasetFormat.allCases where format != importer.format {
        others[format] = "it is a binary file of \(importer.format.rawValue)"
      }
      return Detection(format: importer.format, reason: probe.reason, others: others)
    }
    if try ParquetFile.isParquet(tree) {
      throw ParquetError(
        file: tree.name,
        problem: ParquetProblem(try ParquetImporter(withLabels: false).probe(tree).reason))
    }
    if let file = try tree.files().first, try TFRecordFile.isRecordFile(tree, file.path) {
      throw TFRecordError(
        file: tree.name, problem: TFRecordProblem(try TFRecordImporter().probe(tree).reason))
    }
    return nil
  }

  /// Rejects a JSON file that is broken inside of an element; large files are not checked.
  ///
  /// - Throws: ``FormatError/badJSON(_:offset:problem:)``; any error that the tree throws.
  private static func checkSyntax(of file: SourceFile, in tree: any SourceTree) throws {
    guard file.size <= 64 << 20 else { return }
    var reading = JSONReading()
    reading.takesNotFinite = true
    do {
      _ = try JSONValue(parsing: try tree.readAll(file.path, limit: 64 << 20), reading)
    } catch let error as JSONError {
      throw FormatError.badJSON(file.path, offset: error.offset, problem: error.message)
    }
  }

  /// Returns whether a gzip file unpacks to text that begins as JSON does.
  private static func holdsJSON(_ file: SourceFile, in tree: any SourceTree) throws -> Bool {
    var stream = try ByteStream(tree, file, limits: GzipInflater.Limits())
    guard let text = try? stream.read(upTo: 256) else { return false }
    return [UInt8(ascii: "{"), UInt8(ascii: "[")].contains(
      text.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) })
  }

  /// The format of a single JSON file; `nil` for all other sources. No other importer checks the
  /// file: one line of text can be half a gigabyte long.
  private static func detectJSON(_ tree: any SourceTree) throws -> Detection? {
    guard tree.isSingleFile, let file = try tree.files().first else { return nil }
    var head = [UInt8](repeating: 0, count: 256)
    let count = try SourceContent.readHead(tree, file.path, into: &head)
    if head[..<count].starts(with: GzipInflater.magic), try holdsJSON(file, in: tree) {
      throw FormatError.packedJSON(tree.name)
    }
    let text = head[..<count].drop { [0xEF, 0xBB, 0xBF].contains($0) }
    let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let isNamed = tree.name.hasSuffix(ignoringCase: ".json")
    guard first == UInt8(ascii: "{") || (isNamed && first == UInt8(ascii: "[")) else { return nil }
    let importers = Importers.all.filter(\.readsJSON)
    // Large files are scanned once for all of COCO's formats.
    let shared = try COCOFileImport.probes(tree)
    var others: [DatasetFormat: String] = [:]
    for format in DatasetFormat.allCases { others[format] = "it is a JSON file" }
    var taken: (format: DatasetFormat, reason: String)?
    for importer in importers {
      let probe = try shared[importer.format] ?? importer.probe(tree)
      others[importer.format] = probe.reason
      guard probe.isMatch else { continue }
      if let taken {
        others[importer.format] = taken.format.rawValue + isMoreSpecific
      } else {
        taken = (importer.format, probe.reason)
        others[importer.format] = nil
      }
    }
    guard let taken else {
      if try DatumaroFile.isDatumaro(file, in: tree) {
        throw FormatError.mismatch(
          name: tree.name, format: .datumaro, reason: DatumaroImporter.advice)
      }
      if String(decoding: text, as: UTF8.self).contains("\"gtboxes\"") {
        throw FormatError.notCOCO(
          tree.name,
          problem: "it holds CrowdHuman annotations (.odgt), which are not supported; convert them "
            + "to COCO JSON")
      }
      // What is broken is in no format.
      _ = try JSONOutline(tree, file.path, takesList: true)
      try checkSyntax(of: file, in: tree)
      let reasons = importers.map { "\($0.format.rawValue): \(others[$0.format] ?? "")" }
      throw FormatError.unknownJSON(tree.name, isList: first == UInt8(ascii: "["), reasons)
    }
    return Detection(format: taken.format, reason: taken.reason, others: others)
  }
}
