package import Foundation
package import Testing

/// Real datasets and models that are not part of the repository: `../shared/data` next to the
/// checkout.
package enum OutsideFiles {
  private static let root = PackageFolder.root.deletingLastPathComponent()
    .appending(path: "shared/data")

  /// A file or folder of the data, its path relative to `../shared/data`.
  ///
  /// A test that uses it has the trait ``Testing/Trait/outsideData(_:twin:sourceLocation:)``.
  package static func url(_ path: String) -> URL { root.appending(path: path) }

  /// The same as a text.
  package static func path(_ path: String) -> String { url(path).path }

  /// The paths that are missing.
  fileprivate static func missing(_ paths: [String]) -> [String] {
    paths.filter { !FileManager.default.fileExists(atPath: path($0)) }
  }
}

extension Trait where Self == ConditionTrait {
  /// Skips a test if data outside the repository is missing.
  ///
  /// `Scripts/run_tests` counts the skipped tests by the text of the reason, and a convention test
  /// reads the calls in the sources: each test has its own call, and the twin exists and needs no
  /// outside data.
  ///
  /// - Parameters:
  ///   - paths: the files and folders that the test reads, relative to `../shared/data`.
  ///   - twin: the test that checks the same with data inside the repository, as `Suite.function`.
  package static func outsideData(
    _ paths: String..., twin: String, sourceLocation: SourceLocation = #_sourceLocation
  ) -> Self {
    let missing = OutsideFiles.missing(paths)
    return .enabled(
      if: missing.isEmpty,
      "needs outside data: ../shared/data lacks \(missing.joined(separator: ", ")); twin: \(twin)",
      sourceLocation: sourceLocation)
  }
}
