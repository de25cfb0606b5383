import Foundation

/// A result file, written completely or not at all, which does not replace files that assay did not
/// write.
package struct OutputFile {
  private let name: String
  private var folder: OutputFolder

  /// Checks, before any work is done, that an existing file is assay's own.
  ///
  /// - Throws: ``OutputError``.
  package init(_ path: String, force: Bool) throws(OutputError) {
    let file = URL(fileURLWithPath: path)
    name = file.lastPathComponent
    folder = try OutputFolder(file.deletingLastPathComponent().path, force: force)
    try folder.check([name])
  }

  /// - Throws: ``OutputError``.
  package mutating func write(_ bytes: [UInt8]) throws(OutputError) {
    try folder.write([(name, bytes)])
  }
}
