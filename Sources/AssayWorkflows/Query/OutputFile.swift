import Foundation

/// A file that a result is written to: whole or not at all, and not over one that assay did not write.
package struct OutputFile {
  private let name: String
  private var folder: OutputFolder

  /// Refuses before any work is done where the file is there and not assay's own.
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
