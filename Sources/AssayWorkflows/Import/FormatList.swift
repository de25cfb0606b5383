package import AssayCore
import AssayFormats

/// The formats that can be imported.
package enum FormatList {
  /// A format and its description.
  package struct Entry: Hashable, Sendable {
    package var format: DatasetFormat
    /// A short description.
    package var summary: String
    /// The features by which a source of this format is recognized, one sentence.
    package var recognizedBy: String
    /// The content that an export to the format does not hold of any dataset, in words; `nil` if it is not written.
    package var notHeld: [String]?
  }

  /// All formats, in the order in which they are tried on a source.
  package static var entries: [Entry] {
    Importers.all.map { importer in
      Entry(
        format: importer.format, summary: importer.summary, recognizedBy: importer.recognizedBy,
        notHeld: ExportFormat(writing: importer.format)?.notHeld)
    }
  }
}
