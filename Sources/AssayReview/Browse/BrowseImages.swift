import AssayCore
import AssayImaging
import AssayStore
import AssayWorkflows

/// The images of a dataset's samples for the browse page: always re-encoded, so that nothing in a file except its
/// pixels reaches the browser.
final class BrowseImages: Sendable {
  let importVersion: Int
  private let images: SampleImages
  private let dataset: DatasetRecord
  private let cache = ImageCache(limit: 96 << 20)

  init(catalog: Catalog, dataset: DatasetRecord) {
    self.dataset = dataset
    importVersion = dataset.importVersion
    images = SampleImages(catalog: catalog, dataset: dataset)
  }

  /// - Throws: ``RequestRefusal`` with the code `imageUnreadable`; `StoreError`.
  func picture(
    of sample: SampleRecord, as use: PictureUse, unless held: [String]
  ) throws -> PictureReply {
    // The time and size of the file are part of the name: an image that was exchanged is read again.
    let stamp = images.stamp(of: sample).map { "-\($0)" } ?? ""
    let name = "\(dataset.id)-\(importVersion)-\(sample.id)\(stamp)-\(use.rawValue)"
    let tag = "\"\(name)\""
    if held.contains(tag) { return .unchanged(tag: tag) }
    return .picture(
      try cache.picture(name) {
        let raster = try raster(of: sample)
        let (bytes, type) = try ReviewImages.encoded(
          raster, isPhoto: ReviewImages.isPhoto(sample), as: use)
        return .init(bytes: bytes, type: type, tag: tag)
      })
  }

  private func raster(of sample: SampleRecord) throws -> Raster<UInt8> {
    guard let result = try images.rasters(of: [sample]).first else {
      throw RequestRefusal.notFound("unknown sample")
    }
    do {
      return try result.get()
    } catch {
      throw RequestRefusal.badRequest(code: "imageUnreadable", "\(error)")
    }
  }
}
