import AssayCore
import AssayImaging
import AssayStore
import Foundation

/// Reads every image of some samples once: its hash, its size, how it looks, and its thumbnail.
struct ImageScan: Sendable {
  let catalog: Catalog
  let dataset: DatasetRecord
  let samples: [SampleRecord]
  let workers: Int

  private static let fileChunk = 16
  private static let pixelsChunk = 512

  /// - Throws: ``Interrupted``, ``CheckError``, `StoreError`.
  func run(_ progress: any ProgressSink) throws -> ScannedImages {
    var scanned = ScannedImages(thumbnails: try ThumbnailFile())
    scanned.images.reserveCapacity(samples.count)
    scanned.fingerprints.reserveCapacity(samples.count * Fingerprint.count)
    let none = [Float](repeating: 0, count: Fingerprint.count)
    try forEach(progress) { part in
      for one in part {
        if let thumbnail = one.thumbnail {
          try scanned.thumbnails.write(thumbnail, at: scanned.images.count)
        }
        scanned.images.append(one.image)
        scanned.fingerprints += one.fingerprint?.values ?? none
      }
    }
    return scanned
  }

  /// Reads the images, several at a time, in the order of the samples.
  ///
  /// - Throws: ``Interrupted``, ``CheckError``, `StoreError`, what `deliver` throws.
  func forEach(
    _ progress: any ProgressSink, deliver: ([ScannedRecord]) throws -> Void
  ) throws {
    let hasFiles = samples.contains { $0.location != nil }
    let tree = hasFiles ? try openedTree() : nil
    let step = hasFiles ? Self.fileChunk : Self.pixelsChunk
    let what = "reading \(Counted.text(samples.count, "image", "images"))"
    var (start, done) = (0, 0)
    try OrderedWorkers(workers: workers, window: 4 * workers).run(
      next: { () -> Range<Int>? in
        try Interruption.check("nothing was stored")
        guard start < samples.count else { return nil }
        defer { start = min(start + step, samples.count) }
        return start..<min(start + step, samples.count)
      },
      transform: { [self] _, range in try scan(range, tree) },
      deliver: { part in
        try deliver(part)
        done += part.count
        progress.report(0.85 * Double(done) / Double(samples.count), what)
      })
  }

  private func openedTree() throws -> any SourceTree {
    do {
      return try DatasetRoot.tree(of: dataset)
    } catch {
      throw CheckError.noSource(dataset: dataset.name, reason: "\(error)")
    }
  }

  private func scan(_ range: Range<Int>, _ tree: (any SourceTree)?) throws -> [ScannedRecord] {
    var part = range.map { _ in
      ScannedRecord(image: ScannedImage(problem: "it has neither pixels in the catalog nor a file"))
    }
    let embedded = range.filter { samples[$0].location == nil }
    if !embedded.isEmpty {
      try catalog.forEachPixels(of: embedded.map { samples[$0].id }) { index, format, size, bytes in
        part[embedded[index] - range.lowerBound] = Self.scan(format, size, bytes)
      }
    }
    for place in range {
      guard let location = samples[place].location, let tree else { continue }
      part[place - range.lowerBound] = try Self.scan(location, in: tree)
    }
    return part
  }

  private static func scan(
    _ format: PixelFormat, _ size: ImageSize, _ bytes: UnsafeRawBufferPointer
  ) -> ScannedRecord {
    var content = ContentHash()
    content.update("\(format.rawValue) \(size.width) \(size.height)\n")
    content.update(bytes)
    let raster = Raster(
      width: size.width, height: size.height, channels: format.channels, elements: Array(bytes))
    guard let raster else {
      return ScannedRecord(image: ScannedImage(problem: "its pixels in the catalog are damaged"))
    }
    return measured(raster, size: size, storedSize: size, hash: ImageHash(content))
  }

  private static func scan(_ location: String, in tree: any SourceTree) throws -> ScannedRecord {
    do {
      let bytes = try tree.readAll(location, limit: SampleImages.fileLimit)
      return try bytes.withUnsafeBytes { buffer in
        let header = try ImageCodec.header(of: buffer)
        let (raster, hasEnd) = try decoded(buffer, header)
        var content = ContentHash()
        content.update(buffer)
        var scanned = measured(
          raster, size: header.orientedSize, storedSize: header.size, hash: ImageHash(content))
        scanned.image.isDecodedWhole = header.bitDepth <= 8 && header.channels % 2 == 1
        scanned.image.hasEnd = hasEnd
        return scanned
      }
    } catch {
      if RemoteSources.isTrouble(error) { throw error }
      return ScannedRecord(image: ScannedImage(problem: "\(error)"))
    }
  }

  /// The image, and whether its file has its end marker.
  private static func decoded(
    _ bytes: UnsafeRawBufferPointer, _ header: ImageHeader
  ) throws(ImageError) -> (raster: Raster<UInt8>, hasEnd: Bool) {
    let longest = ImageAppearance.longest
    do throws(ImageError) {
      let raster = try ImageCodec.decodeReduced(bytes, header: header, longest: longest)
      return (raster, ImageCodec.hasEnd(bytes, header: header))
    } catch .truncated(let kind) {
      let whole = ImageCodec.decodeWithoutEnd(bytes, header: header, longest: longest)
      guard let whole else { throw .truncated(kind) }
      return (whole, false)
    }
  }

  private static func measured(
    _ raster: Raster<UInt8>, size: ImageSize, storedSize: ImageSize, hash: ImageHash
  ) -> ScannedRecord {
    let gray = GrayConversion.gray(raster)
    let thumbnail = Thumbnail(of: gray, colors: ThumbnailColors(of: raster))
    var image = ScannedImage(problem: nil, size: size, storedSize: storedSize, hash: hash)
    image.thumbnailHash = thumbnail.hash
    image.appearance = ImageAppearance(gray)
    return ScannedRecord(image: image, thumbnail: thumbnail)
  }
}
