import AssayCore
import AssayImaging
import AssayStore

/// Finds exact duplicates by hash, then near duplicates: candidates by fingerprint, confirmed by
/// aligned thumbnails.
struct DuplicateSearch {
  let images: SampleImages
  let samples: [SampleRecord]
  let scanned: ScannedImages
  let workers: Int

  /// The minimum correlation of two near duplicates after alignment.
  static let similarity: Float = 0.97
  /// The same for images with a side below ``smallSide``, whose coarse shapes are often alike.
  static let smallSimilarity: Float = 0.99
  static let smallSide = 96
  /// The minimum dot product of the fingerprints of candidates.
  private static let closeness: Float = 0.93
  private static let chunk = 64
  private static let pairChunk = 512

  /// A candidate pair, the smaller place first.
  private struct Pair: Hashable, Comparable {
    var first: Int32
    var second: Int32
    var isMirrored: Bool

    static func < (a: Self, b: Self) -> Bool {
      (a.first, a.second, a.isMirrored ? 1 : 0) < (b.first, b.second, b.isMirrored ? 1 : 0)
    }
  }

  /// - Throws: ``Interrupted``, ``CheckError``, `StoreError`.
  func run(_ progress: any ProgressSink) throws -> DuplicateGroups {
    var groups = DuplicateGroups()
    var sets = DisjointSets(count: samples.count)
    joinIdentical(&sets)
    try joinIdenticalPixels(&sets)
    groups.exact = sets.groups()
    groups.hasDifferentFiles = groups.exact.map { group in
      group.contains { scanned.images[$0].hash != scanned.images[group[0]].hash }
    }
    let pairs = try candidates(&sets, &groups, progress)
    var edges: [(pair: Pair, similarity: Float)] = []
    try confirm(pairs, progress) { pair, similarity in
      edges.append((pair, similarity))
      sets.join(Int(pair.first), Int(pair.second))
    }
    groups.all = sets.groups()
    var places: [Int: Int] = [:]
    for (place, group) in groups.all.enumerated() { places[group[0]] = place }
    groups.similarities = groups.all.map { _ in 1 }
    groups.hasMirrored = groups.all.map { _ in false }
    for edge in edges {
      guard let place = places[sets.root(of: Int(edge.pair.first))] else { continue }
      groups.similarities[place] = min(groups.similarities[place], edge.similarity)
      if edge.pair.isMirrored { groups.hasMirrored[place] = true }
    }
    return groups
  }

  private func joinIdentical(_ sets: inout DisjointSets) {
    var first: [ImageHash: Int] = [:]
    first.reserveCapacity(samples.count)
    for (place, image) in scanned.images.enumerated() {
      guard let hash = image.hash else { continue }
      if let other = first[hash] { sets.join(other, place) } else { first[hash] = place }
    }
  }

  /// Joins images of one size with one thumbnail whose decoded pixels are the same.
  private func joinIdenticalPixels(_ sets: inout DisjointSets) throws {
    struct Look: Hashable {
      var size: ImageSize
      var thumbnail: UInt64
    }
    var alike: [Look: [Int]] = [:]
    for (place, image) in scanned.images.enumerated() where sets.root(of: place) == place {
      guard let size = image.size, image.hash != nil else { continue }
      alike[Look(size: size, thumbnail: image.thumbnailHash), default: []].append(place)
    }
    let compared = alike.values.filter { $0.count > 1 }.flatMap(\.self).sorted()
    guard !compared.isEmpty else { return }
    struct Content: Hashable {
      var channels: Int
      var hash: ImageHash
      var size: ImageSize
    }
    var first: [Content: Int] = [:]
    var start = 0
    try OrderedWorkers(workers: workers).run(
      next: { () -> [Int]? in
        try Interruption.check("nothing was stored")
        guard start < compared.count else { return nil }
        defer { start = min(start + 8, compared.count) }
        return Array(compared[start..<min(start + 8, compared.count)])
      },
      transform: { [images, samples] _, part in
        zip(part, try images.rasters(of: part.map { samples[$0] })).map {
          place, raster -> (Int, Content)? in
          guard let raster = try? raster.get() else { return nil }
          var content = ContentHash()
          raster.elements.withUnsafeBytes { content.update($0) }
          return (
            place,
            Content(
              channels: raster.channels, hash: ImageHash(content),
              size: ImageSize(width: raster.width, height: raster.height))
          )
        }
      },
      deliver: { part in
        for case let (place, content)? in part {
          if let other = first[content] { sets.join(other, place) } else { first[content] = place }
        }
      })
  }

  /// The pairs of different images whose fingerprints are close, ascending.
  private func candidates(
    _ sets: inout DisjointSets, _ groups: inout DuplicateGroups, _ progress: any ProgressSink
  ) throws -> [Pair] {
    var values = scanned.fingerprints
    var queries: [Int] = []
    for place in samples.indices {
      if sets.root(of: place) == place {
        if scanned.hasFingerprint(place) { queries.append(place) }
      } else {
        // Of identical images, the first one stands for all.
        for index in place * Fingerprint.count..<(place + 1) * Fingerprint.count {
          values[index] = 0
        }
      }
    }
    let index = FingerprintIndex(values: values)
    var pairs: [Pair] = []
    var crowded = 0
    var start = 0
    let thumbnails = scanned.thumbnails
    try OrderedWorkers(workers: workers, window: 4 * workers).run(
      next: { () -> [Int]? in
        try Interruption.check("nothing was stored")
        guard start < queries.count else { return nil }
        defer { start = min(start + Self.chunk, queries.count) }
        return Array(queries[start..<min(start + Self.chunk, queries.count)])
      },
      transform: { _, part in
        try part.map { place in
          let found = index.candidates(
            of: Fingerprint.variants(of: try thumbnails.read(place)), except: place,
            least: Self.closeness)
          return found.map { candidate in
            Pair(
              first: Int32(min(place, candidate.image)), second: Int32(max(place, candidate.image)),
              isMirrored: candidate.isMirrored)
          }
        }
      },
      deliver: { part in
        for found in part {
          if found.count >= FingerprintIndex.candidateLimit { crowded += 1 }
          pairs += found
        }
        progress.report(
          0.85 + 0.1 * Double(start) / Double(max(1, queries.count)), "comparing images")
      })
    groups.crowded = crowded
    pairs.sort()
    var distinct: [Pair] = []
    for pair in pairs where distinct.last != pair { distinct.append(pair) }
    return distinct
  }

  /// Passes the pairs that are similar after alignment to `body`, in order.
  private func confirm(
    _ pairs: [Pair], _ progress: any ProgressSink, _ body: (Pair, Float) -> Void
  ) throws {
    var start = 0
    try OrderedWorkers(workers: workers, window: 4 * workers).run(
      next: { () -> ArraySlice<Pair>? in
        try Interruption.check("nothing was stored")
        guard start < pairs.count else { return nil }
        defer { start = min(start + Self.pairChunk, pairs.count) }
        return pairs[start..<min(start + Self.pairChunk, pairs.count)]
      },
      transform: { [scanned] _, part in
        let alignment = ThumbnailAlignment()
        var confirmed: [(Pair, Float)] = []
        for pair in part {
          let least = Self.least(
            scanned.images[Int(pair.first)].size, scanned.images[Int(pair.second)].size)
          let similarity = alignment.similarity(
            try scanned.thumbnails.read(Int(pair.first)),
            try scanned.thumbnails.read(Int(pair.second)), isMirrored: pair.isMirrored, least: least
          )
          if similarity >= least { confirmed.append((pair, similarity)) }
        }
        return confirmed
      },
      deliver: { part in
        for (pair, similarity) in part { body(pair, similarity) }
        progress.report(
          0.95 + 0.05 * Double(start) / Double(max(1, pairs.count)), "comparing images")
      })
  }

  private static func least(_ a: ImageSize?, _ b: ImageSize?) -> Float {
    let sides = [a, b].compactMap(\.self).map { min($0.width, $0.height) }
    return (sides.min() ?? 0) < smallSide ? smallSimilarity : similarity
  }
}
