import AssayCore
import AssayFormats
import AssayImaging
import AssayStore

/// Renders the mask of one sample from its regions.
struct MaskRenderer: Sendable {
  /// The value of each class of the dataset, by ordinal; `nil` for classes that are not painted.
  let values: [UInt16?]
  let depth: IndexMap.Depth
  /// True for a single class: its union has the value 255.
  let isBinary: Bool

  /// The painted classes.
  var categories: Set<Int> { Set(values.indices.filter { values[$0] != nil }) }

  /// The mask in the image's size.
  ///
  /// A binary mask is the union of the regions, including crowds. In an index mask, regions are
  /// painted from the largest to the smallest, so that none hides another, and void ones last.
  ///
  /// - Returns: the map, and the number of pixels of classes that regions of other classes cover.
  /// - Throws: `MaskError` if stored geometry is damaged.
  func paint(
    _ annotations: [AnnotationRecord], size: ImageSize
  ) throws -> (map: IndexMap, covered: Int) {
    var map = IndexMap(depth, size: size)
    var regions: [(value: UInt16, mask: Mask, area: Int)] = []
    for annotation in annotations {
      guard values.indices.contains(annotation.category), let value = values[annotation.category]
      else { continue }
      let mask = try annotation.region(in: size)
      if isBinary {
        map.paint(depth.void, mask)
      } else {
        regions.append((value, mask, value == depth.void ? 0 : mask.area))
      }
    }
    for place in PaintOrder.of(areas: regions.map(\.area)) {
      map.paint(regions[place].value, regions[place].mask)
    }
    let classes = Dictionary(grouping: regions, by: \.value).values.map { members in
      Mask.union(of: members.map(\.mask), size: size)
    }
    // Each painted pixel has one class.
    let whole = classes.count > 1 ? Mask.union(of: classes, size: size).area : nil
    return (map, whole.map { classes.map(\.area).reduce(0, +) - $0 } ?? 0)
  }
}

extension AnnotationRecord {
  /// The pixels of the region in an image; a box without a finer shape is its rectangle.
  ///
  /// - Throws: `MaskError`.
  func region(in size: ImageSize) throws(MaskError) -> Mask {
    if let geometry {
      return try Geometry(shape: shape, packed: geometry, size: size).mask(in: size)
    }
    return box.map { Mask(box: $0, size: size) } ?? Mask(emptyOf: size)
  }
}
