/// The masks of a map of segments.
extension Mask {
  /// The mask of every segment of a panoptic map, in ascending order of the ids. A pixel's id is
  /// R + 256 · G + 65,536 · B, as in COCO's panoptic format. `nil` if there are more ids than the
  /// limit, as in a photograph.
  ///
  /// - Precondition: the raster has three channels and at least one pixel.
  /// - Complexity: O(pixels + segments · log segments).
  package static func segments(
    of map: Raster<UInt8>, limit: Int
  ) -> [(id: Int, mask: Mask)]? {
    precondition(map.channels == 3, "the ids are in three channels")
    let size = ImageSize(width: map.width, height: map.height)
    var places: [UInt32: Int] = [:]
    var ids: [UInt32] = []
    var builders: [RunLengthBuilder] = []
    let isWhole = map.elements.withUnsafeBufferPointer { pixels in
      var (current, place, start) = (UInt32.max, -1, 0)
      var position = 0
      for x in 0..<size.width {
        var pixel = 3 * x
        for _ in 0..<size.height {
          let id =
            UInt32(pixels[pixel]) | UInt32(pixels[pixel + 1]) << 8 | UInt32(pixels[pixel + 2]) << 16
          if id != current {
            if place >= 0 { builders[place].append(start: start, end: position) }
            if let known = places[id] {
              place = known
            } else {
              guard builders.count < limit else { return false }
              place = builders.count
              places[id] = place
              ids.append(id)
              builders.append(RunLengthBuilder(size: size))
            }
            (current, start) = (id, position)
          }
          position += 1
          pixel += 3 * size.width
        }
      }
      if place >= 0 { builders[place].append(start: start, end: position) }
      return true
    }
    guard isWhole else { return nil }
    return ids.indices.sorted { ids[$0] < ids[$1] }.map { (Int(ids[$0]), builders[$0].mask()) }
  }
}
