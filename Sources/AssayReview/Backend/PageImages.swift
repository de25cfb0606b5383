import AssayCore
import AssayImaging
import AssayStore
import AssayWorkflows

/// The images of a dataset's samples for the pages: always re-encoded, so that nothing in a file
/// except its pixels reaches the browser.
struct PageImages: Sendable {
  /// The longest side of a thumbnail, in pixels.
  static let thumbnailSide = 192
  /// Up to this many pixels, an image is sent losslessly whatever its file format.
  static let smallArea = 1 << 18

  private let images: SampleImages
  private let cache = ImageCache(limit: 96 << 20)
  private let rasters = RasterCache(limit: 96 << 20)

  /// The dataset, as of its present import.
  let dataset: DatasetRecord

  /// The thumbnails on disk; `nil` for none.
  private let thumbnails: ThumbnailStore?

  init(catalog: Catalog, dataset: DatasetRecord, thumbnails: ThumbnailStore? = nil) {
    self.dataset = dataset
    self.thumbnails = thumbnails
    images = SampleImages(catalog: catalog, dataset: dataset)
  }

  /// An image named by its content.
  ///
  /// - Parameter hash: the current content hash of the sample's image.
  /// - Throws: ``RequestRefusal`` with the code `imageUnreadable`; `StoreError`.
  func picture(
    of sample: SampleRecord, hash: String, as use: PictureUse, unless held: [String]
  ) throws -> PictureReply {
    try picture(of: sample, named: "\(hash.prefix(32))", as: use, unless: held)
  }

  /// An image named by its file's size and time, without a hash of its content: an image that was exchanged is read
  /// again.
  ///
  /// - Throws: ``RequestRefusal`` with the code `imageUnreadable`; `StoreError`.
  func picture(
    of sample: SampleRecord, as use: PictureUse, unless held: [String]
  ) throws -> PictureReply {
    let stamp = images.stamp(of: sample)
    return try picture(
      of: sample,
      named: "\(dataset.id)-\(dataset.importVersion)-\(sample.id)\(stamp.map { "-\($0)" } ?? "")",
      onDisk: stamp.flatMap { storedName(of: sample, $0) }, as: use, unless: held)
  }

  /// The name of a thumbnail on disk: that of the file, with its size and time, for every catalog.
  private func storedName(of sample: SampleRecord, _ stamp: String) -> String? {
    sample.location.map { "\(Self.thumbnailSide) \(stamp) \(dataset.root)/\($0)" }
  }

  private func picture(
    of sample: SampleRecord, named name: String, onDisk stored: String? = nil, as use: PictureUse,
    unless held: [String]
  ) throws -> PictureReply {
    let name = "\(name)-\(use.rawValue)"
    let tag = "\"\(name)\""
    if held.contains(tag) { return .unchanged(tag: tag) }
    let thumbnails = use == .thumbnail ? thumbnails : nil
    return .picture(
      try cache.picture(name) {
        if let stored, let known = thumbnails?.picture(stored) {
          return .init(bytes: known.bytes, type: known.type, tag: tag)
        }
        let raster = try raster(of: sample)
        let (bytes, type) = try Self.encoded(raster, isPhoto: Self.isPhoto(sample), as: use)
        if let stored { thumbnails?.keep(.init(bytes: bytes, type: type), stored) }
        return .init(bytes: bytes, type: type, tag: tag)
      })
  }

  /// The pixels of an image named by its content.
  ///
  /// - Throws: ``RequestRefusal`` with the code `imageUnreadable`; `StoreError`.
  func raster(of sample: SampleRecord, hash: String) throws -> Raster<UInt8> {
    try rasters.raster("\(sample.id)-\(hash)") { try raster(of: sample) }
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

  /// Encodes lossily compressed photos lossily again; all other images keep every value.
  private static func encoded(
    _ raster: Raster<UInt8>, isPhoto: Bool, as use: PictureUse
  ) throws -> (bytes: [UInt8], type: String) {
    switch use {
    case .whole:
      guard isPhoto, raster.width * raster.height > smallArea else {
        return (try ImageCodec.encodePNG(raster, compression: .fast), "image/png")
      }
      return (try ImageCodec.encodeJPEG(raster, quality: 95), "image/jpeg")
    case .thumbnail:
      let size = ImageSize(width: raster.width, height: raster.height)
      let box = ImageSize(width: thumbnailSide, height: thumbnailSide)
      let small = Resize.fitting(size, into: box)
      guard small != size else { return (try ImageCodec.encodePNG(raster), "image/png") }
      return (try ImageCodec.encodeJPEG(Resize.area(raster, to: small)), "image/jpeg")
    }
  }

  private static func isPhoto(_ sample: SampleRecord) -> Bool {
    let kind = ImageKind(named: sample.location ?? "")
    return kind == .jpeg || kind == .webp
  }
}
