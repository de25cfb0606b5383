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
  /// True if an image that could be read before must be read now, when pixels are compared: another machine read it.
  var needsImages = false
  /// False if only exact duplicates are needed.
  var findsSimilar = true

  /// The minimum correlation of two near duplicates after alignment.
  static let similarity: Float = 0.97
  /// The same for images with a side below ``smallSide``, whose coarse shapes are often alike.
  static let smallSimilarity: Float = 0.99
  static let smallSide = 96
  /// The same for images with a side below ``tinySide``, such as handwritten digits.
  static let tinySimilarity: Float = 0.998
  static let tinySide = 32
  /// The difference of colors from which two images with the same gray values are no duplicates.
  static let colorDifference: Float = 24
  /// The minimum dot product of the fingerprints of candidates.
  private static let closeness: Float = 0.93
  /// The number of images that are searched for before the groups are joined. The result depends on
  /// it, so that it does not depend on the number of workers.
  private static let block = 1_024
  private static let chunk = 16
  /// The maximum number of unsuccessful comparisons of one image, in all and with one group.
  static let comparisonLimit = 16
  private static let groupLimit = 4

  /// An image that equals a searched one after alignment.
  private struct Match: Sendable {
    var image: Int
    var similarity: Float
    var isMirrored: Bool
  }

  /// The matches of one image.
  private struct Matches: Sendable {
    var image: Int
    var matches: [Match] = []
    /// True if candidates were left out.
    var isCrowded = false
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
    var edges: [(image: Int, match: Match)] = []
    if findsSimilar {
      try joinSimilar(&sets, progress) { found in
        if found.isCrowded { groups.crowded += 1 }
        edges += found.matches.map { (found.image, $0) }
      }
    }
    groups.all = sets.groups()
    var places: [Int: Int] = [:]
    for (place, group) in groups.all.enumerated() { places[group[0]] = place }
    groups.similarities = groups.all.map { _ in 1 }
    groups.hasMirrored = groups.all.map { _ in false }
    for edge in edges {
      guard let place = places[sets.root(of: edge.image)] else { continue }
      groups.similarities[place] = min(groups.similarities[place], edge.match.similarity)
      if edge.match.isMirrored { groups.hasMirrored[place] = true }
    }
    return groups
  }

  private func joinIdentical(_ sets: inout DisjointSets) {
    forEachGroup(by: { scanned.images[$0].hash }) { group in
      for place in group.dropFirst() { sets.join(group[0], place) }
    }
  }

  /// Passes the images that share a value, at least two and in ascending order, to `body`; images
  /// without the value are left out. Sorted places take less memory than a dictionary of all images.
  private func forEachGroup<Value: Comparable>(
    by value: (Int) -> Value?, _ body: ([Int]) -> Void
  ) {
    var sorted = samples.indices.compactMap { place in
      value(place).map { (value: $0, place: place) }
    }
    sorted.sort { ($0.value, $0.place) < ($1.value, $1.place) }
    var start = 0
    while start < sorted.count {
      var end = start + 1
      while end < sorted.count, sorted[end].value == sorted[start].value { end += 1 }
      if end - start > 1 { body(sorted[start..<end].map(\.place)) }
      start = end
    }
  }

  /// The size of an image and the hash of its thumbnail.
  private struct Look: Comparable {
    var width: Int
    var height: Int
    var thumbnail: UInt64

    init(_ size: ImageSize, _ thumbnail: UInt64) {
      (width, height, self.thumbnail) = (size.width, size.height, thumbnail)
    }

    static func < (a: Self, b: Self) -> Bool {
      (a.thumbnail, a.width, a.height) < (b.thumbnail, b.width, b.height)
    }
  }

  /// Joins images of one size with one thumbnail whose decoded pixels are the same.
  private func joinIdenticalPixels(_ sets: inout DisjointSets) throws {
    let roots = sets.roots()
    var compared: [Int] = []
    forEachGroup { place -> Look? in
      let image = scanned.images[place]
      guard roots[place] == place, image.hash != nil, image.isDecodedWhole else { return nil }
      return image.size.map { Look($0, image.thumbnailHash) }
    } _: {
      compared += $0
    }
    compared.sort()
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
      transform: { [images, samples, needsImages] _, part in
        try zip(part, images.rasters(of: part.map { samples[$0] })).map {
          place, found -> (Int, Content)? in
          let raster: Raster<UInt8>
          switch found {
          case .success(let image): raster = image
          case .failure(let error):
            if needsImages { throw CheckError.noImage("\(error)") }
            return nil
          }
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

  /// Joins images that are similar after alignment, and passes the matches of each image to `body`.
  ///
  /// An image is compared with its candidates, the closest first, but not with those of a group that
  /// it is known to belong to: the comparisons in a group of n images are about n, not n².
  private func joinSimilar(
    _ sets: inout DisjointSets, _ progress: any ProgressSink, _ body: (Matches) -> Void
  ) throws {
    // Of identical images, the first one stands for all.
    var roots = sets.roots()
    let queries = samples.indices.filter { roots[$0] == $0 && scanned.hasFingerprint($0) }
    let index = FingerprintIndex(values: scanned.fingerprints) { roots[$0] != $0 }
    for start in stride(from: 0, to: queries.count, by: Self.block) {
      let part = queries[start..<min(start + Self.block, queries.count)]
      roots = sets.roots()
      var next = part.startIndex
      try OrderedWorkers(workers: workers, window: 4 * workers).run(
        next: { () -> ArraySlice<Int>? in
          try Interruption.check("nothing was stored")
          guard next < part.endIndex else { return nil }
          defer { next = min(next + Self.chunk, part.endIndex) }
          return part[next..<min(next + Self.chunk, part.endIndex)]
        },
        transform: { [self, roots] _, places in
          let alignment = ThumbnailAlignment()
          return try places.map { try matches(of: $0, index, roots, alignment) }
        },
        deliver: { found in
          for one in found {
            for match in one.matches { sets.join(one.image, match.image) }
            body(one)
          }
        })
      progress.report(
        0.85 + 0.15 * Double(min(start + Self.block, queries.count)) / Double(queries.count),
        "comparing images")
    }
  }

  /// - Parameter roots: the group of each image, as known before the block.
  private func matches(
    of place: Int, _ index: FingerprintIndex, _ roots: [Int32], _ alignment: ThumbnailAlignment
  ) throws -> Matches {
    var found = Matches(image: place)
    let thumbnail = try scanned.thumbnails.read(place)
    let candidates = index.candidates(
      of: Fingerprint.variants(of: thumbnail), except: place, least: Self.closeness)
    var failures: [Int32: Int] = [:]
    var comparisons = 0
    var known: Set<Int32> = [roots[place]]
    for candidate in candidates where !known.contains(roots[candidate.image]) {
      let group = roots[candidate.image]
      guard comparisons < Self.comparisonLimit, failures[group, default: 0] < Self.groupLimit else {
        found.isCrowded = true
        continue
      }
      let least = Self.least(scanned.images[place].size, scanned.images[candidate.image].size)
      let other = try scanned.thumbnails.read(candidate.image)
      let similarity = alignment.similarity(
        thumbnail, other, isMirrored: candidate.isMirrored, least: least)
      let color = thumbnail.colors.difference(to: other.colors, isMirrored: candidate.isMirrored)
      if similarity >= least, color < Self.colorDifference {
        known.insert(group)
        found.matches.append(
          Match(
            image: candidate.image, similarity: similarity, isMirrored: candidate.isMirrored))
      } else {
        failures[group, default: 0] += 1
        comparisons += 1
      }
    }
    if candidates.count >= FingerprintIndex.candidateLimit, found.matches.isEmpty {
      found.isCrowded = true
    }
    return found
  }

  private static func least(_ a: ImageSize?, _ b: ImageSize?) -> Float {
    let side = [a, b].compactMap(\.self).map { min($0.width, $0.height) }.min() ?? 0
    return side < tinySide ? tinySimilarity : side < smallSide ? smallSimilarity : similarity
  }
}
