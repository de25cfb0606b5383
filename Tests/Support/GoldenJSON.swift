import Foundation

/// Expected values in JSON files of `Tests/Fixtures`.
package enum GoldenJSON {
  /// Decodes a file of `Tests/Fixtures`.
  ///
  /// - Throws: the error of reading the file or of `JSONDecoder`.
  package static func decode<Content: Decodable>(
    _ path: String, as type: Content.Type = Content.self
  ) throws -> Content {
    try JSONDecoder().decode(type, from: Data(contentsOf: PackageFolder.fixture(path)))
  }
}
