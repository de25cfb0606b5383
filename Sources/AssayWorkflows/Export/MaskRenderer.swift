import AssayCore
import AssayFormats
import AssayImaging
import AssayStore

/// Renders the mask of one sample from its regions.
struct MaskRenderer: Sendable {
  /// The value of each class of the dataset, by ordinal; `nil` for classes that are not painted.
  let values: [UInt8?]
  /// True for a single class: its union has the value 255.
  let isBinary: Bool

  /// The painted classes.
  var categories: Set<Int> { Set(values.indices.filter { values[$0] != nil }) }

  /// The mask in the image's size, one channel.
  ///
  /// A binary mask is the union of the regions, including crowds. In an index mask, regions are
  /// painted from the largest to the smallest, so that none hides another, and void ones last.
  ///
  /// - Throws: `MaskError` if stored geometry is damaged.
  func paint(_ annotations: [AnnotationRecord], size: ImageSize) throws -> Raster<UInt8> {
    var raster = Raster<UInt8>(repeating: 0, width: size.width, height: size.height)
    var regions: [(value: UInt8, mask: Mask, area: Int)] = []
    for annotation in annotations {
      guard values.indices.contains(annotation.category), let value = values[annotation.category]
      else { continue }
      let mask = try annotation.region(in: size)
      if isBinary {
        mask.paint(255, into: &raster)
      } else {
        regions.append((value, mask, value == MaskPairsExporter.void ? 0 : mask.area))
      }
    }
    for place in PaintOrder.of(areas: regions.map(\.area)) {
      regions[place].mask.paint(regions[place].value, into: &raster)
    }
    return raster
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
