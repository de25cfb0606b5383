import AssayCore
package import AssayStore
import Foundation

/// The hash by which the ledger recognizes a sample's image. Safe to use from several threads.
///
/// For a file, the SHA-256 of its encoded bytes. For pixels stored in the catalog, the SHA-256 of a
/// line of text, `gray8 48 48` (format, width, height) with a line feed, followed by the bytes, row
/// by row.
package struct SampleContentHash: Sendable {
  private let catalog: Catalog
  private let dataset: DatasetRecord
  private let tree: (any SourceTree)?

  /// The number of bytes of a file that are read at a time.
  private static let stride = 1 << 20
  /// The number of images that a thread processes at a time, and that are stored at a time.
  private static let chunk = 32
  private static let batch = 2_048

  package init(catalog: Catalog, dataset: DatasetRecord) {
    self.catalog = catalog
    self.dataset = dataset
    tree = try? DatasetRoot.tree(of: dataset)
  }

  /// The hash of a sample's current image, 64 hexadecimal digits.
  ///
  /// - Throws: ``SampleImageError`` if there is no image or it cannot be read; the catalog's read
  ///   errors.
  package func hash(of sample: SampleRecord) throws -> String {
    if let location = sample.location { return try hash(ofFile: location, of: sample) }
    var hash: String?
    try catalog.forEachPixels(of: [sample.id]) { _, format, size, bytes in
      var content = ContentHash()
      content.update("\(format.rawValue) \(size.width) \(size.height)\n")
      content.update(bytes)
      hash = content.hexadecimal()
    }
    guard let hash else { throw SampleImageError.noPixels(key: sample.key) }
    return hash
  }

  private func hash(ofFile location: String, of sample: SampleRecord) throws -> String {
    do {
      guard let tree else { throw SourceError.missing(path: dataset.root) }
      var content = ContentHash()
      try withUnsafeTemporaryAllocation(byteCount: Self.stride, alignment: 16) { buffer in
        var offset = 0
        while true {
          let count = try tree.read(location, at: offset, into: buffer)
          content.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
          offset += count
          guard count == buffer.count else { return }
          guard offset <= SampleImages.fileLimit else {
            throw SourceError.unreadable(path: location)
          }
        }
      }
      return content.hexadecimal()
    } catch {
      let isGone = if case SourceError.missing = error { true } else { false }
      throw SampleImageError.unreadable(
        key: sample.key, file: location, cause: "\(error)",
        movedFrom: isGone ? dataset.name : nil)
    }
  }

  /// Hashes many images on all threads, and stores the hashes in the catalog if it is writable.
  ///
  /// - Returns: the hashes by row id, without those of unreadable images.
  /// - Throws: ``Interrupted``, after the hashes found so far were stored; the catalog's read
  ///   errors.
  package func hashes(
    of samples: [SampleRecord], reportingTo sink: any ProgressSink
  ) throws -> [Int64: String] {
    let workers = max(1, ProcessInfo.processInfo.activeProcessorCount)
    let what =
      "hashing \(samples.count) \(samples.count == 1 ? "image" : "images") of \(dataset.name)"
    var found: [Int64: String] = [:]
    var waiting: [Int64: String] = [:]
    var (next, done) = (0, 0)
    defer { _ = try? catalog.setContentHashes(waiting) }
    try OrderedWorkers(workers: workers, window: 4 * workers).run(
      next: { () -> ArraySlice<SampleRecord>? in
        try Interruption.check(
          "the hashes so far are kept; run the same command to continue")
        guard next < samples.count else { return nil }
        defer { next = min(samples.count, next + Self.chunk) }
        return samples[next..<min(samples.count, next + Self.chunk)]
      },
      transform: { _, chunk in
        (
          count: chunk.count,
          hashes: try chunk.compactMap { sample -> (Int64, String)? in
            do {
              return (sample.id, try hash(of: sample))
            } catch is SampleImageError {
              return nil
            }
          }
        )
      },
      deliver: { result in
        for (sample, hash) in result.hashes {
          found[sample] = hash
          waiting[sample] = hash
        }
        done += result.count
        sink.report(Double(done) / Double(samples.count), what)
        guard waiting.count >= Self.batch else { return }
        try catalog.setContentHashes(waiting)
        waiting = [:]
      })
    return found
  }
}
