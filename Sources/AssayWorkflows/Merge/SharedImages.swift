import AssayCore
import AssayStore
import Foundation

/// The images that several sources of a merge have: files with the same bytes, or the same embedded
/// pixels.
///
/// Only files whose size occurs in two sources are read. Uses 24 bytes of memory per sample, and the
/// list of the files for a source in an archive.
struct SharedImages {
  /// The samples whose image a source before theirs has, too.
  private(set) var later: Set<Int64> = []
  /// For each of these, the sample of the first source that has the image.
  private(set) var firsts: [Int64: Int64] = [:]
  /// The keys of one pair, each with its dataset.
  private(set) var example: [String] = []
  /// The number of images that could not be read.
  private(set) var unread = 0

  private struct Entry {
    /// The size of the file; of embedded pixels the negative number of pixels.
    var size: Int64
    var source: Int32
    var sample: Int64
  }

  private struct Hashed {
    var hash: (UInt64, UInt64)
    var source: Int32
    var sample: Int64
  }

  private static let chunk = 4096

  /// - Throws: ``Interrupted``; `StoreError`.
  init(
    _ sources: [MergeSource], in catalog: Catalog, reportingTo progress: any ProgressSink
  ) throws {
    let candidates = try candidates(sources, catalog)
    var hashed: [Hashed] = []
    hashed.reserveCapacity(candidates.count)
    for (number, source) in sources.enumerated() {
      let ids = candidates.filter { $0.source == number }.map(\.sample).sorted()
      let hashes = SampleContentHash(catalog: catalog, dataset: source.dataset)
      for start in stride(from: 0, to: ids.count, by: Self.chunk) {
        let chunk = Array(ids[start..<min(start + Self.chunk, ids.count)])
        let found = try hashes.hashes(
          of: catalog.samples(ids: chunk), reportingTo: NoProgress())
        for id in chunk {
          guard let text = found[id], let hash = Self.words(text) else {
            unread += 1
            continue
          }
          hashed.append(Hashed(hash: hash, source: Int32(number), sample: id))
        }
        progress.report(
          Double(hashed.count) / Double(max(1, candidates.count)),
          "comparing images of the datasets")
      }
    }
    try find(&hashed, sources, catalog)
  }

  private mutating func candidates(
    _ sources: [MergeSource], _ catalog: Catalog
  ) throws -> [Entry] {
    var entries: [Entry] = []
    entries.reserveCapacity(sources.reduce(0) { $0 + $1.samples.count })
    for (number, source) in sources.enumerated() {
      let tree = try? DatasetRoot.tree(of: source.dataset)
      var listed: [String: Int] = [:]
      if let tree, !(tree is DirectoryTree) {
        let files = try? tree.files()
        listed = Dictionary(
          (files ?? []).map { ($0.path, $0.size) }, uniquingKeysWith: { first, _ in first })
      }
      for start in stride(from: 0, to: source.samples.count, by: Self.chunk) {
        try Interruption.check("nothing was merged; run the same command to start again")
        let ids = source.samples[start..<min(start + Self.chunk, source.samples.count)]
        for sample in try catalog.samples(ids: Array(ids)) {
          let size: Int? =
            if let location = sample.location {
              (tree as? DirectoryTree).map { Self.size(of: location, in: $0) } ?? listed[location]
            } else {
              sample.size.map { -$0.area }
            }
          guard let size else {
            unread += 1
            continue
          }
          entries.append(Entry(size: Int64(size), source: Int32(number), sample: sample.id))
        }
      }
    }
    entries.sort { ($0.size, $0.source, $0.sample) < ($1.size, $1.source, $1.sample) }
    var kept: [Entry] = []
    var start = 0
    while start < entries.count {
      var end = start
      while end < entries.count, entries[end].size == entries[start].size { end += 1 }
      if entries[start].source != entries[end - 1].source { kept += entries[start..<end] }
      start = end
    }
    return kept
  }

  /// The size of a file; `nil` if it is not there. Only its size is used, which tells nothing of a
  /// file outside the root.
  private static func size(of location: String, in tree: DirectoryTree) -> Int? {
    var status = stat()
    let path = tree.spelling(of: location) ?? location
    guard stat(tree.root + "/" + path, &status) == 0 else { return nil }
    return Int(status.st_size)
  }

  /// The first 16 bytes of a hash of 64 hexadecimal digits.
  private static func words(_ hash: String) -> (UInt64, UInt64)? {
    guard let first = UInt64(hash.prefix(16), radix: 16),
      let second = UInt64(hash.dropFirst(16).prefix(16), radix: 16)
    else { return nil }
    return (first, second)
  }

  private mutating func find(
    _ hashed: inout [Hashed], _ sources: [MergeSource], _ catalog: Catalog
  ) throws {
    hashed.sort {
      ($0.hash.0, $0.hash.1, $0.source, $0.sample) < ($1.hash.0, $1.hash.1, $1.source, $1.sample)
    }
    var pair: (Hashed, Hashed)?
    var start = 0
    while start < hashed.count {
      var end = start
      while end < hashed.count, hashed[end].hash == hashed[start].hash { end += 1 }
      for other in hashed[start..<end] where other.source != hashed[start].source {
        later.insert(other.sample)
        firsts[other.sample] = hashed[start].sample
        if pair.map({ other.sample < $0.1.sample }) ?? true { pair = (hashed[start], other) }
      }
      start = end
    }
    guard let pair else { return }
    example = try [pair.0, pair.1].map { item in
      let key = try catalog.samples(ids: [item.sample]).first?.key ?? ""
      return "\(sources[Int(item.source)].dataset.name) \(key)"
    }
  }
}
