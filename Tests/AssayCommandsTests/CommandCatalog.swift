import AssayCore
import AssayStore
import AssayTestSupport
import Foundation

/// A catalog with one dataset, `faces`, in a folder that is removed with the value: 2 × 1 pixels,
/// with the given splits and labels.
final class CommandCatalog {
  let folder: TemporaryFolder
  var path: String { folder.path + "/assay.db" }

  init(_ faces: [(split: String?, label: String?)]) throws {
    folder = try TemporaryFolder()
    let catalog = try Catalog.open(folder.path + "/assay.db", .create)
    var batch = ImportedBatch()
    let names = Set(faces.compactMap(\.label)).sorted()
    batch.newCategories = names.map { Category(name: $0) }
    for (index, face) in faces.enumerated() {
      batch.pixels += [UInt8(index), 255]
      batch.samples.append(
        ImportedSample(
          key: "\(index)", split: face.split, size: ImageSize(width: 2, height: 1),
          category: face.label.flatMap { names.firstIndex(of: $0) },
          pixels: 2 * index..<2 * index + 2))
    }
    let draft = ImportDraft(
      name: "faces", format: .fer, root: folder.path + "/faces.csv", isSingleFile: true)
    _ = try catalog.importDataset(draft) { writer in
      try writer.write(batch)
      var outcome = ImportOutcome()
      outcome.read = faces.count
      outcome.accepted = faces.count
      outcome.ordinals = Array(names.indices)
      return (outcome, nil)
    }
  }

  /// Four faces: two for training, one for validation, one without split and label.
  static func four() throws -> CommandCatalog {
    try CommandCatalog([
      ("train", "happy"), ("train", "sad"), ("validation", "happy"), (nil, nil),
    ])
  }
}
