/// The rule for the parts of a class's new region that touch none of its instances.
///
/// A part is a connected component (8-neighborhood). A part that shares a pixel with an instance
/// belongs to that instance, however small it is; crowds do not count as instances.
package enum RegionParts: Hashable, Sendable {
  /// Each part becomes an instance, as for a region drawn by a person.
  case each
  /// Parts with fewer pixels are combined into one instance.
  case from(area: Int)
  /// Few instances, for a region from a model or a file: parts with less than a share of the
  /// region's pixels, in 0...1, are dropped, but never the largest part; of the others, those with
  /// less than a tenth of the largest part's pixels are combined into one instance.
  case few(smallestShare: Double)

  /// The default share for a model's region.
  package static let usualShare = 0.001

  /// The reciprocal of the minimum share of the largest part's area for a separate instance.
  private static let instanceDivisor = 10

  /// A region without the parts that are dropped.
  package struct Region: Hashable, Sendable {
    package var mask: Mask
    /// The number of dropped parts, and their total number of pixels.
    package var droppedParts = 0
    package var droppedArea = 0
    /// See ``RegionParts/from(area:)``; 0 if each part can be an instance.
    package var instanceArea = 0

    /// A region that is used unchanged.
    package init(mask: Mask) { self.mask = mask }
  }

  /// - Parameters:
  ///   - mask: the new region of the class.
  ///   - instances: the current pixels of the class's instances, without crowds.
  /// - Complexity: O(*s* log *s* + *p* · log *r*), for *s* runs of the mask in *p* small parts and
  ///   *r* runs of the instances.
  package func region(_ mask: Mask, beside instances: Mask) -> Region {
    switch self {
    case .each: return Region(mask: mask)
    case .from(let area):
      var region = Region(mask: mask)
      region.instanceArea = max(area, 0)
      return region
    case .few(let share):
      let largest = mask.largestComponent().area
      var region = Region(mask: mask)
      let least = (min(max(share, 0), 1) * Double(mask.area)).rounded(.up)
      let kept = mask.removingComponents(below: min(Int(least), largest))
      let small = mask.subtracting(kept)
      if !small.isEmpty {
        let spans = SpanIndex(instances)
        let dropped = small.components().filter { spans.area(sharedWith: $0) == 0 }
        region.mask = mask.subtracting(Mask.union(of: dropped, size: mask.size))
        region.droppedParts = dropped.count
        region.droppedArea = mask.area - region.mask.area
      }
      if region.mask.area > largest {
        region.instanceArea = (largest + Self.instanceDivisor - 1) / Self.instanceDivisor
      }
      return region
    }
  }
}
