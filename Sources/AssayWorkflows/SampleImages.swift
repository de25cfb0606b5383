package import AssayCore
import AssayImaging
import AssayInference
package import AssayStore
import Foundation

/// The images of a dataset's samples: embedded pixels from the catalog, files decoded from the
/// dataset's root. Safe to use from several threads.
package struct SampleImages: Sendable {
  private let catalog: Catalog
  private let dataset: DatasetRecord
  /// True if the images are flipped horizontally, as a test-time variant.
  private let isFlipped: Bool

  /// The maximum size of an image file, in bytes.
  package static let fileLimit = 512 << 20

  package init(catalog: Catalog, dataset: DatasetRecord, isFlipped: Bool = false) {
    self.catalog = catalog
    self.dataset = dataset
    self.isFlipped = isFlipped
  }

  /// The images of some samples, in their order, in the coordinate frame of the sample's size (with
  /// EXIF orientation applied, unless only the stored pixels have that size); gray or RGB as
  /// stored. An image that cannot be read is a failure.
  ///
  /// - Throws: the catalog's read errors; `RemoteError` if the server of a source that is not local cannot be read.
  package func rasters(
    of samples: [SampleRecord]
  ) throws -> [Result<Raster<UInt8>, SampleImageError>] {
    var rasters: [Result<Raster<UInt8>, SampleImageError>] = samples.map { sample in
      .failure(.noPixels(key: sample.key))
    }
    let embedded = samples.indices.filter { samples[$0].location == nil }
    if !embedded.isEmpty {
      try catalog.forEachPixels(of: embedded.map { samples[$0].id }) { index, format, size, bytes in
        if let raster = Raster(
          width: size.width, height: size.height, channels: format.channels, elements: Array(bytes))
        {
          rasters[embedded[index]] = .success(raster)
        }
      }
    }
    try DatasetRoot.prefetch(samples.compactMap(\.location), of: dataset)
    for (index, sample) in samples.enumerated() {
      guard let location = sample.location else { continue }
      rasters[index] = try decode(location, of: sample)
    }
    guard !isFlipped else { return rasters.map { $0.map(Orientation.upMirrored.apply) } }
    return rasters
  }

  /// An image with its sample's key and, if it is a file in a folder, its place on disk.
  func named(_ sample: SampleRecord, _ raster: Raster<UInt8>) -> NamedRaster {
    NamedRaster(sample.key, raster) { file(of: sample) }
  }

  /// The absolute path of a sample's image; `nil` if the image is in no file of its own, is flipped, or its
  /// annotations are in the frame of the pixels as they are stored, which who reads the file does not know.
  func file(of sample: SampleRecord) -> String? {
    guard !isFlipped, let location = sample.location,
      let folder = try? DatasetRoot.tree(of: dataset) as? DirectoryTree,
      let bytes = try? folder.readAll(location, limit: Self.fileLimit),
      let header = try? ImageCodec.header(of: bytes), !Self.isStored(header, in: sample.size)
    else { return nil }
    return folder.path(of: location)
  }

  /// The size and the time of a sample's image file as text, which change with the file; `nil` if the image is in no
  /// file of its own in a folder.
  package func stamp(of sample: SampleRecord) -> String? {
    guard let location = sample.location,
      let folder = try? DatasetRoot.tree(of: dataset) as? DirectoryTree,
      let path = folder.path(of: location)
    else { return nil }
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    return "\(status.st_size).\(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }

  private func decode(
    _ location: String, of sample: SampleRecord
  ) throws -> Result<Raster<UInt8>, SampleImageError> {
    do {
      let tree = try DatasetRoot.tree(of: dataset)
      let bytes = try tree.readAll(location, limit: Self.fileLimit)
      return .success(try Self.decode(bytes, in: sample.size))
    } catch {
      // Without its server no image is there, and none is damaged.
      if RemoteSources.isTrouble(error) { throw error }
      // A file that exists but is damaged was not moved.
      let isGone = if case SourceError.missing = error { true } else { false }
      return .failure(
        .unreadable(
          key: sample.key, file: location, cause: "\(error)",
          movedFrom: isGone ? dataset.name : nil))
    }
  }

  /// Decodes an image with its orientation applied, or without it if its annotations use the stored
  /// frame.
  ///
  /// Annotations use the frame whose size the source states; if both sizes match, the oriented one.
  static func decode(_ bytes: [UInt8], in frame: ImageSize?) throws -> Raster<UInt8> {
    let header = try ImageCodec.header(of: bytes)
    return try ImageCodec.decode(bytes, as: .native, oriented: !isStored(header, in: frame))
  }

  /// True if a frame is that of the stored pixels, without the orientation that the file states.
  private static func isStored(_ header: ImageHeader, in frame: ImageSize?) -> Bool {
    frame != nil && frame != header.orientedSize && frame == header.size
  }
}

/// The reasons why a sample has no image.
package enum SampleImageError: Error, Hashable {
  case noPixels(key: String)
  /// A file that cannot be read, and the reason; for a missing file, the dataset whose files may
  /// have moved.
  case unreadable(key: String, file: String, cause: String, movedFrom: String?)
}

extension SampleImageError: CustomStringConvertible {
  package var description: String { "sample \(key): \(reason)" }

  /// The sample's key.
  package var key: String {
    switch self {
    case .noPixels(let key), .unreadable(let key, _, _, _): key
    }
  }

  /// The problem, without the sample's key.
  package var reason: String {
    switch self {
    case .noPixels: "it has neither pixels in the catalog nor a file"
    case .unreadable(let key, let file, let cause, let dataset):
      (file == key ? "" : "\(file): ") + cause
        + (dataset.map { " (moved? assay relink \($0) DIR)" } ?? "")
    }
  }
}
