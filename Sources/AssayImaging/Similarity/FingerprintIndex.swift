/// Finds fingerprints that are close to a given one without comparing it with all.
///
/// The signs of the 16 lowest frequencies are a key; fingerprints with one key are in one bucket. A
/// search looks into the buckets whose keys differ in the signs that are the least certain: 32 for
/// each variant of the image ("multi-probe" search: Lv, Josephson, Wang, Charikar, Li 2007).
package struct FingerprintIndex: Sendable {
  private static let keyBits = 16
  private static let uncertainBits = 8
  private static let probes = 32
  /// The maximum number of candidates of one search; the closest are kept.
  package static let candidateLimit = 256

  private let values: [Float]
  /// The first place in `members` of each key, and the end of the last.
  private let starts: [Int32]
  private let members: [Int32]

  /// - Parameter values: ``Fingerprint/count`` numbers per image; all 0 for an image without
  ///   fingerprint, which is never found.
  package init(values: [Float]) {
    self.values = values
    let count = values.count / Fingerprint.count
    var keys = [UInt16](repeating: 0, count: count)
    var sizes = [Int32](repeating: 0, count: 1 << Self.keyBits + 1)
    var present = [Bool](repeating: false, count: count)
    values.withUnsafeBufferPointer { values in
      for image in 0..<count {
        let start = image * Fingerprint.count
        present[image] = (start..<start + Fingerprint.count).contains { values[$0] != 0 }
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
    self.members = members
  }

  /// An image that a search found.
  package struct Candidate: Hashable, Sendable {
    package var image: Int
    /// True if the mirror image is close.
    package var isMirrored: Bool
    /// The largest dot product with one of the variants.
    package var closeness: Float
  }

  /// The images whose fingerprint has a dot product of at least `least` with one of the variants, in
  /// ascending order, at most ``candidateLimit``.
  ///
  /// - Parameter image: the image that the variants are of, which is left out.
  package func candidates(
    of variants: [(values: [Float], isMirrored: Bool)], except image: Int, least: Float
  ) -> [Candidate] {
    var found: [Candidate] = []
    for variant in variants {
      variant.values.withUnsafeBufferPointer { query in
        values.withUnsafeBufferPointer { values in
          for key in Self.keys(query) {
            for place in Int(starts[key])..<Int(starts[key + 1]) {
              let other = Int(members[place])
              guard other != image else { continue }
              let start = other * Fingerprint.count
              var lanes = SIMD8<Float>(repeating: 0)
              for group in 0..<Fingerprint.count / 8 {
                var a = SIMD8<Float>()
                var b = SIMD8<Float>()
                for lane in 0..<8 {
                  a[lane] = query[group * 8 + lane]
                  b[lane] = values[start + group * 8 + lane]
                }
                lanes += a * b
              }
              let closeness = lanes.sum()
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

  /// One candidate per image and mirroring, the closest ones.
  private static func distinct(_ found: [Candidate]) -> [Candidate] {
    func order(_ a: Candidate, _ b: Candidate) -> Bool {
      a.image != b.image
        ? a.image < b.image
        : a.isMirrored != b.isMirrored ? !a.isMirrored : a.closeness > b.closeness
    }
    var kept: [Candidate] = []
    for candidate in found.sorted(by: order)
    where kept.last?.image != candidate.image || kept.last?.isMirrored != candidate.isMirrored {
      kept.append(candidate)
    }
    guard kept.count > candidateLimit else { return kept }
    let closest = kept.sorted {
      $0.closeness != $1.closeness ? $0.closeness > $1.closeness : order($0, $1)
    }
    return closest.prefix(candidateLimit).sorted(by: order)
  }

  /// The keys to look up: the vector's own, then those with uncertain signs negated, the most
  /// likely first.
  private static func keys(_ query: UnsafeBufferPointer<Float>) -> [Int] {
    var key = 0
    for bit in 0..<keyBits where query[bit] > 0 { key |= 1 << bit }
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
    return sums.indices.sorted { sums[$0] != sums[$1] ? sums[$0] < sums[$1] : $0 < $1 }
      .prefix(probes).map { key ^ masks[$0] }
  }
}
