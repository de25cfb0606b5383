package import Foundation

/// The package's folder, located relative to this file.
package enum PackageFolder {
  package static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file or folder of the package, its path relative to the root.
  package static func url(_ path: String) -> URL { root.appending(path: path) }

  /// A file or folder below `Tests/Fixtures`.
  package static func fixture(_ path: String) -> URL { url("Tests/Fixtures/" + path) }
}
