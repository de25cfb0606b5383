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
  /// - Parameter forced: a format that was asked for; it is taken without a look.
  /// - Throws: ``FormatError/unrecognised(name:found:reasons:)`` where none fits,
  ///   ``FormatError/emptyFile(_:)`` and ``FormatError/binaryFile(_:found:)`` for files that cannot
  ///   be in any; what the tree throws.
  package static func detect(
    _ tree: any SourceTree, forced: DatasetFormat? = nil
  ) throws -> Detection {
    if let forced {
      var others: [DatasetFormat: String] = [:]
      for format in DatasetFormat.allCases where format != forced {
        others[format] = "\(forced.rawValue) was asked for"
      }
      return Detection(format: forced, reason: "it was asked for", others: others)
    }
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
        name: tree.name, found: try SourceContent.describe(tree), reasons: others)
    }
    return Detection(format: taken.format, reason: taken.reason, others: others)
  }
}
