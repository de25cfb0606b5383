package import AssayCore

/// Finds out what format a source is in.
package enum FormatDetector {
  /// A format, why it was taken, and why each other was not.
  package struct Detection: Hashable, Sendable {
    package var format: DatasetFormat
    /// One clause: why this format.
    package var reason: String
    /// Every other format with one clause: why not.
    package var others: [DatasetFormat: String]
  }

  /// The format of a source, from its content: the first of ``DatasetFormat``'s cases that fits.
  ///
  /// - Parameters:
  ///   - forced: a format that was asked for; it is taken without a look at the others.
  ///   - ignoresCompanions: whether files with labels that the importer does not read may be dropped.
  /// - Throws: ``FormatError/unrecognized(name:found:reasons:)`` where none fits,
  ///   ``FormatError/companions(name:format:_:)`` where labels would be dropped,
  ///   ``FormatError/emptyFile(_:)`` and ``FormatError/binaryFile(_:found:)`` for files that cannot
  ///   be in any; what the tree throws.
  package static func detect(
    _ tree: any SourceTree, forced: DatasetFormat? = nil, ignoresCompanions: Bool = false
  ) throws -> Detection {
    let detection = try detectAny(tree, forced: forced)
    if !ignoresCompanions, !tree.isSingleFile,
      let found = try Importers.importer(for: detection.format).companions(in: tree),
      !found.isEmpty
    {
      throw FormatError.companions(name: tree.name, format: detection.format, found)
    }
    return detection
  }

  private static func detectAny(
    _ tree: any SourceTree, forced: DatasetFormat?
  ) throws -> Detection {
    if let forced {
      var others: [DatasetFormat: String] = [:]
      for format in DatasetFormat.allCases where format != forced {
        others[format] = "\(forced.rawValue) was asked for"
      }
      return Detection(format: forced, reason: "it was asked for", others: others)
    }
    if let json = try detectJSON(tree) { return json }
    var taken: (format: DatasetFormat, reason: String)?
    var others: [DatasetFormat: String] = [:]
    for importer in Importers.all {
      let probe = try importer.probe(tree)
      if probe.isMatch, taken == nil {
        taken = (importer.format, probe.reason)
      } else if probe.isMatch, let taken {
        others[importer.format] = "\(taken.format.rawValue) fits and is more specific"
      } else {
        others[importer.format] = probe.reason
      }
    }
    guard let taken else {
      throw FormatError.unrecognised(
        name: tree.name, found: try describe(tree), reasons: others)
    }
    return Detection(format: taken.format, reason: taken.reason, others: others)
  }

  /// A description of a source's contents, including known annotation formats.
  private static func describe(_ tree: any SourceTree) throws -> String {
    let found = try SourceContent.describe(tree)
    guard !tree.isSingleFile else { return found }
    let known = try Companions(
      Companions.candidates(tree.files()), in: tree, isKnownOnly: true)
    return ([found] + known.findings).joined(separator: "; ")
  }

  /// The format of a single JSON file; `nil` for all other sources. No other importer is asked about it:
  /// one line of text may be half a gigabyte long.
  private static func detectJSON(_ tree: any SourceTree) throws -> Detection? {
    guard tree.isSingleFile, let file = try tree.files().first else { return nil }
    var head = [UInt8](repeating: 0, count: 256)
    let count = try SourceContent.readHead(tree, file.path, into: &head)
    let text = head[..<count].drop { [0xEF, 0xBB, 0xBF].contains($0) }
    let first = text.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
    let isNamed = tree.name.lowercased().hasSuffix(".json")
    guard first == UInt8(ascii: "{") || (isNamed && first == UInt8(ascii: "[")) else { return nil }
    let importer = COCOImporter()
    let probe = try importer.probe(tree)
    guard probe.isMatch else {
      throw FormatError.notCOCO(
        tree.name,
        problem: first == UInt8(ascii: "[")
          ? "it is a JSON list; a dataset of COCO's is an object with 'images' and 'annotations' "
            + "(a list may be a model's results)"
          : "it is JSON, but \(probe.reason), and COCO's is the only JSON that assay imports")
    }
    var others: [DatasetFormat: String] = [:]
    for format in DatasetFormat.allCases where format != importer.format {
      others[format] = "it is a JSON file"
    }
    return Detection(format: importer.format, reason: probe.reason, others: others)
  }
}
