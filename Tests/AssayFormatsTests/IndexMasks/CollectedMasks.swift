import AssayCore
import AssayFormats
import AssayImaging

/// A mask, or the pixels of polygons, and their class.
struct CollectedMask: Hashable {
  var label: String
  var area: Double?
  var box: Box?
  var mask: Mask
}

typealias CollectedMasks = CollectedRegions<CollectedMask>

extension CollectedRegions where Region == CollectedMask {
  init(
    _ tree: some SourceTree, as format: DatasetFormat, _ options: ImportOptions = ImportOptions()
  ) throws {
    try self.init(tree, as: format, options) { annotation, label, geometry in
      guard let geometry else { return nil }
      let shape = try Geometry(
        shape: annotation.shape, packed: geometry.bytes, size: geometry.size)
      return CollectedMask(
        label: label, area: annotation.area, box: annotation.box,
        mask: shape.mask(in: geometry.size))
    }
  }

  init(detecting tree: some SourceTree, _ options: ImportOptions = ImportOptions()) throws {
    try self.init(tree, as: FormatDetector.detect(tree).format, options)
  }

  /// The areas of a sample's regions by class.
  func areas(_ key: String) -> [String: Int] {
    let regions = samples.first { $0.key == key }?.regions ?? []
    return Dictionary(regions.map { ($0.label, $0.mask.area) }, uniquingKeysWith: +)
  }

  var isBalanced: Bool { isOutcomeBalanced }
}

extension MemoryTree {
  /// A folder of images and texts.
  ///
  /// - Parameters:
  ///   - masks: the rows of a gray PNG for each path.
  ///   - wide: the same with 16 bits per value.
  init(
    masks: [String: [[UInt8]]], photos: [String: (width: Int, height: Int)],
    texts: [String: String] = [:], wide: [String: [[UInt16]]] = [:],
    files: [String: [UInt8]] = [:]
  )
    throws
  {
    var folder = texts.mapValues { Array($0.utf8) }.merging(files) { $1 }
    for (path, rows) in masks {
      let width = rows.first?.count ?? 0
      guard let raster = Raster(width: width, height: rows.count, elements: Array(rows.joined()))
      else { throw Missing() }
      folder[path] = try ImageCodec.encodePNG(raster)
    }
    for (path, rows) in wide {
      let planes = [UInt16(8), 0].map { shift in
        Raster(
          width: rows.first?.count ?? 0, height: rows.count,
          elements: rows.joined().map { UInt8(truncatingIfNeeded: $0 >> shift) })
      }
      guard let high = planes[0], let low = planes[1] else { throw Missing() }
      folder[path] = try ImageCodec.encodeWidePNG(high: high, low: low)
    }
    for (path, size) in photos {
      let elements = (0..<3 * size.width * size.height).map { UInt8(truncatingIfNeeded: $0 * 77) }
      guard
        let raster = Raster(
          width: size.width, height: size.height, channels: 3, elements: elements)
      else { throw Missing() }
      folder[path] = try ImageCodec.encodePNG(raster)
    }
    self.init(folder: folder)
  }
}
