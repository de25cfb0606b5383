/// Masks from outlines.
extension Mask {
  /// The union of polygons, pixel for pixel as pycocotools fills them.
  ///
  /// Each polygon is `x0, y0, x1, y1, …` in pixels, closed implicitly, filled by the even–odd rule
  /// and clipped at the image's edges; an odd last number is ignored. If the first polygon has four
  /// numbers, those with four are boxes (x, y, width, height), as in pycocotools. A polygon with a
  /// number that is not finite has no pixels; numbers beyond ±4·10⁸, for which pycocotools'
  /// arithmetic overflows, count as ±4.29·10⁸.
  ///
  /// - Complexity: O(*n* + *c* log *c*), where *n* is the number of points and *c* the number of
  ///   crossings between edges and columns of the image, however long the edges are.
  package init(polygons: [[Double]], size: ImageSize) {
    let hasBoxes = polygons.first?.count == 4
    self.init(
      unionOf: polygons.map { polygon in
        if hasBoxes, polygon.count == 4 {
          return Mask(
            box: Box(x: polygon[0], y: polygon[1], width: polygon[2], height: polygon[3]),
            size: size)
        }
        return polygon.withUnsafeBufferPointer { Mask(polygon: $0, size: size) }
      }, size: size)
  }

  private init(unionOf masks: [Mask], size: ImageSize) {
    self = Mask.union(of: masks, size: size)
  }

  /// The region of a box, as pycocotools fills it: as a polygon of four corners.
  package init(box: Box, size: ImageSize) {
    let right = box.x + box.width
    let bottom = box.y + box.height
    let corners = [box.x, box.y, box.x, bottom, right, bottom, right, box.y]
    self = corners.withUnsafeBufferPointer { Mask(polygon: $0, size: size) }
  }

  init(polygon: UnsafeBufferPointer<Double>, size: ImageSize) {
    var crossings = PolygonCrossings(size: size)
    crossings.add(polygon)
    self.init(size: size, changes: crossings.places)
  }
}
