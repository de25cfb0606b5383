/// Finds fingerprints that are close to a given one without comparing it with all.
///
/// The signs of the 16 lowest frequencies are a key; fingerprints with one key are in one bucket. A
/// search looks into the buckets whose keys differ in the signs that are the least certain: 32 for
/// each variant of the image ("multi-probe" search: Lv, Josephson, Wang, Charikar, Li 2007).
///
/// A bucket with many fingerprints, as of the frames of a video, is sorted by the frequency in which
/// they differ most, and a search compares only the ``bucketLimit`` closest in it, so that the time
/// of a search has a bound.
package struct FingerprintIndex: Sendable {
  private static let keyBits = 16
  private static let uncertainBits = 8
  private static let probes = 32
  /// The maximum number of fingerprints of one bucket that a search compares.
  package static let bucketLimit = 512
  /// The maximum number of candidates of one search; the closest are kept.
  package static let candidateLimit = 256

  private let values: [Float]
  /// The first place in `members` of each key, and the end of the last.
  private let starts: [Int32]
  private let members: [Int32]
  /// The frequency by which each large bucket is sorted, by key.
  private let axes: [Int: Int]

  /// - Parameters:
  ///   - values: ``Fingerprint/count`` numbers per image; all 0 for an image without fingerprint, which
  ///     is never found.
  ///   - isLeftOut: whether an image is not to be found.
  package init(values: [Float], isLeftOut: (Int) -> Bool = { _ in false }) {
    self.values = values
    let count = values.count / Fingerprint.count
    var keys = [UInt16](repeating: 0, count: count)
    var sizes = [Int32](repeating: 0, count: 1 << Self.keyBits + 1)
    var present = [Bool](repeating: false, count: count)
    values.withUnsafeBufferPointer { values in
      for image in 0..<count {
        let start = image * Fingerprint.count
        present[image] =
          !isLeftOut(image) && (start..<start + Fingerprint.count).contains { values[$0] != 0 }
        guard present[image] else { continue }
        for bit in 0..<Self.keyBits where values[start + bit] > 0 { keys[image] |= 1 << bit }
        sizes[Int(keys[image]) + 1] += 1
      }
    }
    for key in 1..<sizes.count { sizes[key] += sizes[key - 1] }
    starts = sizes
    var members = [Int32](repeating: 0, count: Int(sizes[sizes.count - 1]))
    var next = sizes
    for image in 0..<count where present[image] {
      members[Int(next[Int(keys[image])])] = Int32(image)
      next[Int(keys[image])] += 1
    }
    var axes: [Int: Int] = [:]
    for key in 0..<(sizes.count - 1) {
      let bucket = Int(sizes[key])..<Int(sizes[key + 1])
      guard bucket.count > Self.bucketLimit else { continue }
      let axis = Self.axis(members[bucket], values)
      axes[key] = axis
      members[bucket].sort {
        let (a, b) = (
          values[Int($0) * Fingerprint.count + axis],
          values[Int($1) * Fingerprint.count + axis]
        )
        return a != b ? a < b : $0 < $1
      }
    }
    self.members = members
    self.axes = axes
  }

  /// The frequency with the largest variance.
  private static func axis(_ members: ArraySlice<Int32>, _ values: [Float]) -> Int {
    var best = (axis: 0, variance: -1.0)
    for axis in 0..<Fingerprint.count {
      var (sum, squares) = (0.0, 0.0)
      for member in members {
        let value = Double(values[Int(member) * Fingerprint.count + axis])
        sum += value
        squares += value * value
      }
      let mean = sum / Double(members.count)
      let variance = squares / Double(members.count) - mean * mean
      if variance > best.variance { best = (axis, variance) }
    }
    return best.axis
  }

  /// An image that a search found.
  package struct Candidate: Hashable, Sendable {
    package var image: Int
    /// True if the mirror image is close.
    package var isMirrored: Bool
    /// The largest dot product with one of the variants.
    package var closeness: Float
  }

  /// The images whose fingerprint has a dot product of at least `least` with one of the variants,
  /// the closest first, at most ``candidateLimit``.
  ///
  /// - Parameters:
  ///   - variants: as of ``Fingerprint/variants(of:)``, each mirrored one after its original.
  ///   - image: the image that the variants are of, which is left out.
  package func candidates(
    of variants: [(values: [Float], isMirrored: Bool)], except image: Int, least: Float
  ) -> [Candidate] {
    var found: [Candidate] = []
    var flips: [Int] = []
    for variant in variants {
      variant.values.withUnsafeBufferPointer { query in
        // A mirrored variant differs from the one before only in signs.
        if !variant.isMirrored || flips.isEmpty { flips = Self.flips(query) }
        let key = Self.key(query)
        values.withUnsafeBufferPointer { values in
          for flip in flips {
            for place in range(key ^ flip, query) {
              let other = Int(members[place])
              guard other != image else { continue }
              let closeness = Self.product(query, 0, values, other * Fingerprint.count)
              if closeness >= least {
                found.append(
                  Candidate(image: other, isMirrored: variant.isMirrored, closeness: closeness))
              }
            }
          }
        }
      }
    }
    return Self.distinct(found)
  }

  /// The places of a bucket that a search compares.
  private func range(_ key: Int, _ query: UnsafeBufferPointer<Float>) -> Range<Int> {
    let bucket = Int(starts[key])..<Int(starts[key + 1])
    guard bucket.count > Self.bucketLimit, let axis = axes[key] else { return bucket }
    var (low, high) = (bucket.lowerBound, bucket.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if values[Int(members[middle]) * Fingerprint.count + axis] < query[axis] {
        low = middle + 1
      } else {
        high = middle
      }
    }
    let start = min(
      max(bucket.lowerBound, low - Self.bucketLimit / 2), bucket.upperBound - Self.bucketLimit)
    return start..<start + Self.bucketLimit
  }

  private static func product(
    _ a: UnsafeBufferPointer<Float>, _ first: Int, _ b: UnsafeBufferPointer<Float>, _ second: Int
  ) -> Float {
    var lanes = SIMD8<Float>(repeating: 0)
    for group in 0..<Fingerprint.count / 8 {
      var x = SIMD8<Float>()
      var y = SIMD8<Float>()
      for lane in 0..<8 {
        x[lane] = a[first + group * 8 + lane]
        y[lane] = b[second + group * 8 + lane]
      }
      lanes += x * y
    }
    return lanes.sum()
  }

  /// One candidate per image and mirroring, the closest first.
  private static func distinct(_ found: [Candidate]) -> [Candidate] {
    var kept: [Candidate] = []
    let sorted = found.sorted {
      $0.image != $1.image
        ? $0.image < $1.image
        : $0.isMirrored != $1.isMirrored ? !$0.isMirrored : $0.closeness > $1.closeness
    }
    for candidate in sorted
    where kept.last?.image != candidate.image || kept.last?.isMirrored != candidate.isMirrored {
      kept.append(candidate)
    }
    kept.sort {
      $0.closeness != $1.closeness
        ? $0.closeness > $1.closeness
        : $0.isMirrored != $1.isMirrored ? !$0.isMirrored : $0.image < $1.image
    }
    return kept.count > candidateLimit ? Array(kept.prefix(candidateLimit)) : kept
  }

  /// The signs of a vector as a key.
  private static func key(_ query: UnsafeBufferPointer<Float>) -> Int {
    var key = 0
    for bit in 0..<keyBits where query[bit] > 0 { key |= 1 << bit }
    return key
  }

  /// The signs to negate in the keys to look up, the most likely first; none first.
  private static func flips(_ query: UnsafeBufferPointer<Float>) -> [Int] {
    let uncertain = (0..<keyBits).sorted { first, second in
      let (a, b) = (abs(query[first]), abs(query[second]))
      return a != b ? a < b : first < second
    }.prefix(uncertainBits)
    let costs = uncertain.map { query[$0] * query[$0] }
    let flips = uncertain.map { 1 << $0 }
    var sums = [Float](repeating: 0, count: 1 << uncertainBits)
    var masks = [Int](repeating: 0, count: 1 << uncertainBits)
    for subset in 1..<sums.count {
      let bit = subset.trailingZeroBitCount
      sums[subset] = sums[subset & (subset - 1)] + costs[bit]
      masks[subset] = masks[subset & (subset - 1)] | flips[bit]
    }
    return eligible.sorted { sums[$0] != sums[$1] ? sums[$0] < sums[$1] : $0 < $1 }
      .prefix(probes).map { masks[$0] }
  }

  /// The sets of ``uncertainBits`` bits with ascending costs that can be among the ``probes``
  /// cheapest: fewer sets are at most as expensive whatever the costs.
  private static let eligible: [Int] = {
    let sets = 0..<1 << uncertainBits
    return sets.filter { set in
      let cheaper = sets.count { other in
        other != set
          && (0..<uncertainBits).allSatisfy {
            (other >> $0).nonzeroBitCount <= (set >> $0).nonzeroBitCount
          }
      }
      return cheaper < probes
    }
  }()
}
