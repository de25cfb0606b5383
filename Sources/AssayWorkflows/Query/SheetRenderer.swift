import AssayCore
import AssayReports
import AssayStore

/// Draws the tiles of a sheet. Safe to use from several threads.
struct SheetRenderer: Sendable {
  let catalog: Catalog
  let found: FoundSamples
  let samples: [SampleRecord]
  let regions: SheetRegions
  let detections: SheetDetections
  /// The drawing of a run other than those in ``detections``; `nil` if there is none.
  var drawing: RunDrawing?

  /// The number of samples that one worker has in memory at a time.
  static let step = 8
  /// The length of the longer side of an image with regions, in pixels.
  private static let longest = 256

  /// The tiles of some samples; a failure for a sample without an image.
  ///
  /// - Throws: `ReportError`, `StoreError`.
  func tiles(of range: Range<Int>) throws -> [Result<ContactSheet.Tile, SampleImageError>] {
    let part = Array(samples[range])
    let images = SampleImages(catalog: catalog, dataset: found.selection.dataset)
    var tiles: [Result<ContactSheet.Tile, SampleImageError>] = []
    for (offset, raster) in try images.rasters(of: part).enumerated() {
      tiles.append(
        raster.map { raster in
          ContactSheet.Tile(
            raster: isPlain && !drawsOver ? ContactSheet.reduced(raster) : raster,
            caption: [caption(of: range.lowerBound + offset), part[offset].key])
        })
    }
    if let drawing {
      for (index, drawn) in try drawing.drawn(part).enumerated() {
        guard case .success(var tile) = tiles[index] else { continue }
        tile.raster = try RunDrawing.image(
          tile.raster, of: part[index], with: drawn, longest: Self.longest)
        tile.caption[0] = drawn.caption
        tile.frame = drawn.frame
        tiles[index] = .success(tile)
      }
      return tiles
    }
    guard !isPlain else { return tiles }
    guard detections.isEmpty else {
      for (index, drawn) in try detections.drawn(part, in: catalog).enumerated() {
        guard case .success(var tile) = tiles[index] else { continue }
        tile.raster = try boxes(drawn.objects, of: part[index], in: tile.raster)
          .drawn(over: tile.raster, longest: Self.longest)
        tile.caption[0] = drawn.caption
        tiles[index] = .success(tile)
      }
      return tiles
    }
    try catalog.forEachAnnotations(of: part.map(\.id), regionsOnly: false) { index, annotations in
      guard case .success(var tile) = tiles[index] else { return }
      let annotations = annotations.filter { $0.shape != .tag }
      if annotations.allSatisfy({ $0.shape == .box }) {
        tile.raster = try boxes(objects(annotations), of: part[index], in: tile.raster)
          .drawn(over: tile.raster, longest: Self.longest)
      } else {
        let overlay = try overlay(annotations, of: part[index], in: tile.raster)
        tile.raster = try overlay.drawn(over: tile.raster, longest: Self.longest)
      }
      tiles[index] = .success(tile)
    }
    return tiles
  }

  /// True if there is nothing to draw over the images.
  private var isPlain: Bool { regions.isEmpty && detections.isEmpty }

  /// True if the run's prediction is drawn over the image.
  private var drawsOver: Bool { drawing.map { $0.run.task.output != .label } ?? false }

  private func boxes(
    _ objects: [BoxOverlay.Object], of sample: SampleRecord, in raster: Raster<UInt8>
  ) -> BoxOverlay {
    let shown = ImageSize.checked(width: raster.width, height: raster.height)
    return BoxOverlay(
      size: sample.size ?? shown ?? ImageSize(width: 1, height: 1), objects: objects)
  }

  /// Boxes in their classes' colors, the largest at the bottom. With few classes, the legend
  /// distinguishes them by color; with many classes, each box is named.
  private func objects(_ annotations: [AnnotationRecord]) -> [BoxOverlay.Object] {
    let isNamed = regions.classes.count > MaskOverlay.distinctColors
    return annotations.compactMap { annotation -> BoxOverlay.Object? in
      guard let box = annotation.box else { return nil }
      if regions.voids.contains(annotation.category) {
        return BoxOverlay.Object(.annotation(place: nil), box: box, isFaint: true)
      }
      guard let place = regions.place(of: annotation.category) else { return nil }
      return BoxOverlay.Object(
        .annotation(place: place), box: box, name: isNamed ? regions.legend[place] : "")
    }.enumerated().sorted {
      (-$0.element.box.area, $0.offset) < (-$1.element.box.area, $1.offset)
    }.map(\.element)
  }

  /// Every region, line and point in its class's color, except those with a damaged shape.
  private func overlay(
    _ annotations: [AnnotationRecord], of sample: SampleRecord, in raster: Raster<UInt8>
  ) throws -> MaskOverlay {
    guard let shown = ImageSize.checked(width: raster.width, height: raster.height) else {
      return .regions([])
    }
    let size = sample.size ?? shown
    // With few classes, the legend distinguishes them by color; with many classes, hues repeat, so
    // large regions are also named.
    let isNamed = regions.classes.count > MaskOverlay.distinctColors
    return .regions(
      annotations.compactMap { annotation in
        guard let mask = try? annotation.shownMask(in: size), !mask.isEmpty else { return nil }
        if regions.voids.contains(annotation.category) {
          return MaskOverlay.Region(place: nil, mask: mask)
        }
        guard let place = regions.place(of: annotation.category) else { return nil }
        let isLarge = mask.area * 25 >= size.area
        return MaskOverlay.Region(
          place: place, name: isNamed && isLarge ? regions.legend[place] : "", mask: mask)
      })
  }

  private func caption(of index: Int) -> String {
    if let label = found.label(of: samples[index]) {
      let others = regions.captions[index]
      return others.isEmpty || others == label ? label : "\(label), \(others)"
    }
    let labels = found.labels(of: samples[index])
    if found.selection.dataset.isMultiLabel, !labels.isEmpty {
      return labels.joined(separator: ", ")
    }
    if !regions.captions[index].isEmpty { return regions.captions[index] }
    return regions.isEmpty ? "no label" : "no region"
  }
}

extension AnnotationRecord {
  /// The pixels that show an annotation: those of a region; lines as strokes, points as dots, of a
  /// width that is visible when the image is reduced to ``SheetRenderer/longest`` pixels.
  fileprivate func shownMask(in size: ImageSize) throws -> Mask {
    guard shape == .polyline || shape == .points, let packed = geometry else {
      return try mask(in: size)
    }
    let radius = max(0.75, Double(max(size.width, size.height)) / 170)
    switch try Geometry(shape: shape, packed: packed, size: size) {
    case .polylines(let lines):
      let strokes = lines.flatMap { Self.strokes(along: $0, radius: radius) }
      return Mask(polygons: strokes, size: size)
    case .points(let points):
      let dots = stride(from: 0, to: points.count - 1, by: 2).map { place in
        Self.dot(points[place], points[place + 1], radius: 2 * radius)
      }
      return Mask(polygons: dots, size: size)
    default: return try mask(in: size)
    }
  }

  /// A quadrilateral along each segment of a line.
  private static func strokes(along line: [Double], radius: Double) -> [[Double]] {
    stride(from: 0, to: line.count - 3, by: 2).map { place in
      let (x, y) = (line[place], line[place + 1])
      let (dx, dy) = (line[place + 2] - x, line[place + 3] - y)
      let length = (dx * dx + dy * dy).squareRoot()
      guard length > 0 else { return dot(x, y, radius: radius) }
      let (across, along) = (radius * -dy / length, radius * dx / length)
      return [
        x + across, y + along, x + dx + across, y + dy + along, x + dx - across, y + dy - along,
        x - across, y - along,
      ]
    }
  }

  private static func dot(_ x: Double, _ y: Double, radius: Double) -> [Double] {
    let cut = radius * 0.41
    return [
      x - cut, y - radius, x + cut, y - radius, x + radius, y - cut, x + radius, y + cut,
      x + cut, y + radius, x - cut, y + radius, x - radius, y + cut, x - radius, y - cut,
    ]
  }
}
