import AssayCore
import AssayTestSupport
import Foundation

/// A dataset of the fixtures: a folder, or a file.
struct FixtureTree {
  /// Below the folder of fixtures.
  var path: String
  var format: DatasetFormat
  var content: FileTree

  /// Files that describe fixtures, and images of other fixtures: no datasets.
  private static let others: Set<String> = [
    "goldens.json", "golden.json", "shapes.json", "brush.json", "multilabel-csv/images",
    "csv/images",
  ]
  /// Formats whose folder of fixtures is one tree.
  private static let wholes: Set<DatasetFormat> = [.celebA, .celebAFaces]

  /// The datasets of all formats.
  static var all: [FixtureTree] { DatasetFormat.allCases.flatMap(all) }

  /// The datasets of a format.
  static func all(of format: DatasetFormat) -> [FixtureTree] {
    let folder = PackageFolder.fixture(format.rawValue).path
    if wholes.contains(format) {
      let content = FileTree(fixture: format.rawValue)
      return [FixtureTree(path: format.rawValue, format: format, content: content)]
    }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().compactMap { name -> FixtureTree? in
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder)
      let isData = [".csv", ".gz", ".json"].contains { name.hasSuffix($0) }
      let path = "\(format.rawValue)/\(name)"
      guard isFolder.boolValue || isData, !others.contains(name), !others.contains(path),
        !name.hasPrefix("__")
      else { return nil }
      return FixtureTree(path: path, format: format, content: FileTree(fixture: path))
    }
  }
}
