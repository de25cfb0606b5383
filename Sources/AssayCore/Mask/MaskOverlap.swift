/// The overlap of two masks of one size.
extension Mask {
  /// The number of pixels set in both.
  ///
  /// - Complexity: O(*r*), where *r* is the number of runs in both masks.
  package func intersectionArea(with other: Mask) -> Int {
    precondition(size == other.size, "masks of two sizes")
    let area = UInt32(size.area)
    return runs.withUnsafeBufferPointer { first in
      other.runs.withUnsafeBufferPointer { second in
        var nextFirst = first[0]
        var nextSecond = second[0]
        var indexFirst = 1
        var indexSecond = 1
        var shared = 0
        var place: UInt32 = 0
        while true {
          let next = min(nextFirst, nextSecond)
          // An even index: the run that ends at `next` contains set pixels.
          if (indexFirst | indexSecond) & 1 == 0 {
            shared &+= Int(next &- place)
          }
          if next == area { return shared }
          place = next
          if nextFirst == next {
            nextFirst &+= first[indexFirst]
            indexFirst += 1
          }
          if nextSecond == next {
            nextSecond &+= second[indexSecond]
            indexSecond += 1
          }
        }
      }
    }
  }

  /// The number of pixels set in either.
  package func unionArea(with other: Mask) -> Int {
    area + other.area - intersectionArea(with: other)
  }

  /// Intersection over union, in `0...1`; `nil` if both are empty.
  ///
  /// Source: P. Jaccard (1912). pycocotools gives 0 for two empty masks.
  package func iou(with other: Mask) -> Double? {
    let shared = intersectionArea(with: other)
    let union = area + other.area - shared
    return union == 0 ? nil : Double(shared) / Double(union)
  }

  /// The fraction of this mask that is in a crowd, which many results can match; `nil` if both are
  /// empty, 0 if only this one is.
  ///
  /// Source: `rleIou` of pycocotools' maskApi.c with `iscrowd`.
  package func iou(ofCrowd crowd: Mask) -> Double? {
    let area = area
    if area == 0 { return crowd.isEmpty ? nil : 0 }
    return Double(intersectionArea(with: crowd)) / Double(area)
  }

  /// The Dice coefficient, twice the intersection over the sum of both areas; `nil` if both are
  /// empty.
  ///
  /// Source: L. Dice (1945), doi:10.2307/1932409.
  package func dice(with other: Mask) -> Double? {
    let sum = area + other.area
    return sum == 0 ? nil : Double(2 * intersectionArea(with: other)) / Double(sum)
  }
}
