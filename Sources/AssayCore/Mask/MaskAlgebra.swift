/// Masks as sets of pixels. Both masks of an operation must have the same size.
extension Mask {
  /// The pixels in either mask.
  ///
  /// - Complexity: O(*r*), where *r* is the number of runs in both masks; likewise for all
  ///   operations on two masks.
  package func union(_ other: Mask) -> Mask { combined(with: other, by: .union) }

  /// The pixels in both masks.
  package func intersection(_ other: Mask) -> Mask { combined(with: other, by: .intersection) }

  /// The pixels of this mask that are not in `other`.
  package func subtracting(_ other: Mask) -> Mask { combined(with: other, by: .difference) }

  /// The pixels in exactly one mask.
  package func symmetricDifference(_ other: Mask) -> Mask {
    combined(with: other, by: .symmetricDifference)
  }

  /// The pixels that are not set.
  package var inverted: Mask {
    if runs.count == 1 { return Mask(fullOf: size) }
    if runs[0] == 0 { return Mask(size: size, canonical: Array(runs.dropFirst())) }
    return Mask(size: size, canonical: [0] + runs)
  }

  /// The pixels in any of the masks; an empty mask if there are none.
  ///
  /// - Complexity: O(*r* · log *n*), where *r* is the number of runs in all *n* masks.
  package static func union(of masks: [Mask], size: ImageSize) -> Mask {
    guard var first = masks.first else { return Mask(emptyOf: size) }
    precondition(first.size == size)
    if masks.count == 2 { first = first.union(masks[1]) }
    if masks.count <= 2 { return first }
    // Pairs, pairs of pairs, …: each run is merged a logarithmic number of times.
    let half = masks.count / 2
    return union(of: Array(masks[..<half]), size: size)
      .union(union(of: Array(masks[half...]), size: size))
  }

  /// A set operation as a table: bit *a* + 2·*b* is the result for a pixel with *a* in the first
  /// mask and *b* in the second.
  enum Combination: UInt8 {
    case union = 0b1110
    case intersection = 0b1000
    case difference = 0b0010
    case symmetricDifference = 0b0110
  }

  func combined(with other: Mask, by combination: Combination) -> Mask {
    precondition(size == other.size, "masks of two sizes")
    let table = combination.rawValue
    let area = UInt32(size.area)
    let merged = runs.withUnsafeBufferPointer { first in
      other.runs.withUnsafeBufferPointer { second in
        [UInt32](unsafeUninitializedCapacity: first.count + second.count) { out, count in
          // The positions where each mask changes; the last one of each is the area.
          var nextFirst = first[0]
          var nextSecond = second[0]
          var indexFirst = 1
          var indexSecond = 1
          var states: UInt8 = 0
          var isSet: UInt8 = 0
          var start: UInt32 = 0
          while true {
            let place = min(nextFirst, nextSecond)
            if place == area { break }
            if nextFirst == place {
              states ^= 1
              nextFirst &+= first[indexFirst]
              indexFirst += 1
            }
            if nextSecond == place {
              states ^= 2
              nextSecond &+= second[indexSecond]
              indexSecond += 1
            }
            if (table &>> states) & 1 != isSet {
              isSet ^= 1
              out[count] = place &- start
              count += 1
              start = place
            }
          }
          out[count] = area &- start
          count += 1
        }
      }
    }
    return Mask(size: size, canonical: merged)
  }
}
