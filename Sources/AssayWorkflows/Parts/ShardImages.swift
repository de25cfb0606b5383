import AssayCore
import AssayStore

/// The images of a shard, before they are read.
enum ShardImages {
  /// The number of images of which one must be there.
  private static let tries = 64

  /// The number of images that were tried if none of them is there, and the path of one; `nil` if one is there, or the
  /// catalog has some itself.
  ///
  /// - Throws: `StoreError`.
  static func missing(
    _ samples: [SampleRecord], of dataset: DatasetRecord, in catalog: Catalog
  ) throws -> (tried: Int, example: String)? {
    let files = samples.filter { $0.location != nil }
    guard let first = files.first, let location = first.location, files.count == samples.count
    else { return nil }
    let images = SampleImages(catalog: catalog, dataset: dataset)
    let step = max(1, files.count / tries)
    let tried = stride(from: 0, to: files.count, by: step).map { files[$0] }
    for sample in tried {
      guard case .failure(.unreadable(_, _, _, .some)) = try images.rasters(of: [sample]).first
      else { return nil }
    }
    return (tried.count, DatasetRoot.file(location, of: dataset))
  }

  /// Refuses a shard none of whose images is there: a part of failures would be complete.
  ///
  /// - Throws: ``PartError/noImages(dataset:example:tried:)``, `StoreError`.
  static func check(
    _ samples: [SampleRecord], of dataset: DatasetRecord, in catalog: Catalog
  ) throws {
    guard let found = try missing(samples, of: dataset, in: catalog) else { return }
    throw PartError.noImages(dataset: dataset.name, example: found.example, tried: found.tried)
  }
}
