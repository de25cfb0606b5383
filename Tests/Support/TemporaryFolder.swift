package import Foundation

/// A folder that is removed with the value.
package final class TemporaryFolder: Sendable {
  /// An absolute path without a trailing slash.
  package let path: String

  /// Creates an empty folder in the system's folder for temporary files.
  package init() throws {
    path = NSTemporaryDirectory() + "assay-test-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package var url: URL { URL(fileURLWithPath: path) }

  /// The path of a file or folder in it.
  package func path(_ name: String) -> String { path + "/" + name }

  /// Writes a file, creating its parent folders.
  package func write(_ name: String, _ bytes: some Sequence<UInt8>) throws {
    let full = path(name)
    try FileManager.default.createDirectory(
      atPath: (full as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
    try Data(bytes).write(to: URL(fileURLWithPath: full))
  }

  /// Writes a text file, creating its parent folders.
  package func write(_ name: String, _ text: String) throws { try write(name, text.utf8) }

  /// The text of a file.
  package func read(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  /// Returns whether a file or folder exists.
  package func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }
}
