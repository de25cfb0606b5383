import AssayCore
package import AssayStore
import Foundation

/// The hash by which the ledger knows a sample's image again. Safe to use from several threads.
///
/// Of a file the SHA-256 of its bytes, as they are encoded. Of pixels that the catalog holds the SHA-256 of
/// a line of text and the bytes, row by row: `gray8 48 48` (format, width, height) with a line feed.
package struct SampleContentHash: Sendable {
  private let catalog: Catalog
  private let dataset: DatasetRecord
  private let tree: DirectoryTree?

  /// The number of bytes of a file in memory at a time.
  private static let stride = 1 << 20
  /// Images that a thread looks at at a time, and that are kept at a time.
  private static let chunk = 32
  private static let batch = 2_048

  package init(catalog: Catalog, dataset: DatasetRecord) {
    self.catalog = catalog
    self.dataset = dataset
    tree = try? DirectoryTree(dataset.root)
  }

  /// The hash of a sample's image as it is now, 64 hexadecimal digits.
  ///
  /// - Throws: ``SampleImageError`` where there is no image, or it cannot be read; where the catalog cannot
  ///   be read.
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

  /// Looks at many images on all threads, and keeps what it finds in the catalog, where that can be written.
  ///
  /// - Returns: the hashes by row id, without those of images that cannot be read.
  /// - Throws: ``Interrupted``, after what was found so far was kept; where the catalog cannot be read.
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
