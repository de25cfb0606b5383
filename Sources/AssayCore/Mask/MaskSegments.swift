/// The masks of maps with many values.
extension Mask {
  /// The mask of every value that occurs in a one-channel label map of 16 bits, in ascending order of
  /// the values.
  ///
  /// - Precondition: the raster has one channel and at least one pixel.
  /// - Complexity: O(pixels + values · log values).
  package static func labels(of map: Raster<UInt16>) -> [(value: UInt16, mask: Mask)] {
    precondition(map.channels == 1, "masks come from one channel")
    let size = ImageSize(width: map.width, height: map.height)
    var places = [Int32](repeating: -1, count: 1 << 16)
    var values: [UInt16] = []
    var builders: [RunLengthBuilder] = []
    map.elements.withUnsafeBufferPointer { pixels in
      var (current, start) = (pixels[0], 0)
      func close(_ end: Int) {
        if places[Int(current)] < 0 {
          places[Int(current)] = Int32(builders.count)
          values.append(current)
          builders.append(RunLengthBuilder(size: size))
        }
        builders[Int(places[Int(current)])].append(start: start, end: end)
      }
      var position = 0
      for x in 0..<size.width {
        var pixel = x
        for _ in 0..<size.height {
          if pixels[pixel] != current {
            close(position)
            (current, start) = (pixels[pixel], position)
          }
          position += 1
          pixel += size.width
        }
      }
      close(position)
    }
    return values.indices.sorted { values[$0] < values[$1] }.map {
      (values[$0], builders[$0].mask())
    }
  }

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
