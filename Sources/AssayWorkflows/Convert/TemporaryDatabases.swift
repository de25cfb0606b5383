import Foundation

/// A folder for temporary catalogs, removed when this value is deallocated.
package final class TemporaryDatabases {
  package let path: String

  /// Creates the folder below `$TMPDIR`, else `/tmp`; only its user can read it.
  ///
  /// - Throws: ``OutputError/cannotWrite(path:reason:)``.
  package init() throws(OutputError) {
    let parent = ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 }
    var template = Array(((parent ?? "/tmp") + "/assay-convert-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else {
      throw .cannotWrite(
        path: parent ?? "/tmp",
        reason: "\(String(cString: strerror(errno))); set TMPDIR to another folder")
    }
    path = template.withUnsafeBufferPointer {
      String(decoding: $0.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a catalog in the folder.
  package func database(_ name: String) -> String { path + "/" + name + ".db" }
}
