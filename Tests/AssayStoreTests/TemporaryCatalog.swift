import AssayCore
import AssayTestSupport
import Foundation
import Testing

import AssayStore

/// A catalog in its own folder, which is removed with it.
final class TemporaryCatalog {
  private let temporary: TemporaryFolder
  let folder: URL
  let catalog: Catalog

  init() throws {
    temporary = try TemporaryFolder()
    folder = temporary.url
    catalog = try Catalog.open(folder.appending(path: "assay.db").path, .create)
  }

  /// A path in the catalog's folder.
  func path(_ name: String) -> String { folder.appending(path: name).path }
}

/// A sample as written in tests: split and label by name.
struct FaceSample {
  var key: String
  var split: String?
  var label: String?
  var size = ImageSize(width: 2, height: 1)
  /// Two bytes for the default size; `nil` for no pixels.
  var pixels: [UInt8]? = [1, 2]
}

extension Catalog {
  /// Imports samples in one batch; the classes are added in order of occurrence and ordered by
  /// name.
  @discardableResult
  func importFaces(
    _ faces: [FaceSample], as name: String = "faces", issues: [AssayCore.Issue] = [],
    replace: Bool = false,
    hash: String? = nil
  ) throws -> ImportSummary {
    let draft = ImportDraft(
      name: name, format: .fer, root: "/data/\(name).csv", isSingleFile: true, replace: replace)
    return try importDataset(draft) { writer in
      let (batch, outcome) = Self.batch(faces, issues)
      try writer.write(batch)
      return (outcome, hash)
    }
  }

  static func batch(
    _ faces: [FaceSample], _ issues: [AssayCore.Issue] = []
  ) -> (ImportedBatch, ImportOutcome) {
    var batch = ImportedBatch()
    var classes: [String] = []
    for face in faces {
      if let label = face.label, !classes.contains(label) { classes.append(label) }
      let start = batch.pixels.count
      batch.pixels += face.pixels ?? []
      batch.samples.append(
        ImportedSample(
          key: face.key, split: face.split, size: face.size,
          category: face.label.flatMap { classes.firstIndex(of: $0) },
          pixels: face.pixels.map { start..<start + $0.count }))
    }
    batch.newCategories = classes.map { Category(name: $0) }
    batch.issues = issues
    var outcome = ImportOutcome()
    outcome.read = faces.count
    outcome.accepted = faces.count
    let sorted = classes.sorted()
    outcome.ordinals = classes.compactMap { sorted.firstIndex(of: $0) }
    return (batch, outcome)
  }

  /// The keys of the samples that a VIEW and an expression select.
  func keys(_ view: String = "faces", _ expression: String? = nil) throws -> [String] {
    let selection = try resolve(view)
    let samples = try samples(in: selection, where: expression)
    #expect(try count(in: selection, where: expression) == samples.count)
    return samples.map(\.key)
  }
}

/// Six faces: three splits, three classes, one without a label.
let sixFaces = [
  FaceSample(key: "0", split: "train", label: "happy"),
  FaceSample(key: "1", split: "train", label: "sad"),
  FaceSample(key: "2", split: "validation", label: "happy"),
  FaceSample(key: "3", split: "validation", label: "angry"),
  FaceSample(key: "4", split: "test", label: nil),
  FaceSample(key: "5", split: nil, label: "sad"),
]
