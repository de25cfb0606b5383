import AssayCore
import CSimdJSON

/// One annotation while it is converted from a flat record to a shape.
struct COCOAnnotation {
  let record: UnsafePointer<assay_coco_annotation>
  let batch: assay_coco_batch
  /// Its index in the file's list.
  let place: Int
  /// The size and the key of its image.
  var size: ImageSize?
  var key = ""
  /// True if 'iscrowd' is a field of the format; LVIS has none.
  var hasCrowds = true

  /// Its region or box, and its area.
  struct Shape {
    var kind: ShapeKind
    var area: Double?
    var box: Box?
    var geometry: Range<Int>?
  }

  init(record: UnsafePointer<assay_coco_annotation>, batch: assay_coco_batch, place: Int) {
    self.record = record
    self.batch = batch
    self.place = place
  }

  var pointer: String { "/annotations/\(place)" }

  /// Its name in messages.
  var title: String {
    batch.id(record.pointee.id).map { "annotation \($0)" } ?? "the annotation without id"
  }

  func isCrowd(_ findings: inout OddityIssues) -> Bool {
    switch FieldState(record.pointee.crowd_state) {
    case .fine: return record.pointee.is_crowd
    case .odd:
      findings.note(
        .badCrowd, pointer + "/iscrowd", key: key,
        "\(title): 'iscrowd' is neither 0 nor 1; taken as \(record.pointee.is_crowd ? 1 : 0)")
      return record.pointee.is_crowd
    case .missing where !hasCrowds: break
    case .missing:
      findings.note(
        .noCrowd, pointer + "/iscrowd", key: key, "\(title): 'iscrowd' is missing; taken as 0")
    case .bad, .notFinite:
      findings.note(
        .badCrowd, pointer + "/iscrowd", key: key,
        "\(title): 'iscrowd' \(FieldState(record.pointee.crowd_state).complaint); taken as 0")
    }
    return false
  }

  /// Returns its shape and appends the region to `geometry`; `nil` if the annotation is omitted.
  ///
  /// - Parameter counts: scratch memory, kept between calls.
  func shape(
    counts: inout [Int], into geometry: inout [UInt8], _ findings: inout OddityIssues
  ) -> Shape? {
    let box = statedBox(&findings)
    switch assay_shape(UInt32(record.pointee.shape)) {
    case assay_shape_hundredths where !record.pointee.has_odd_polygon && !record.pointee.is_flat:
      return plainPolygons(box, counts: &counts, into: &geometry, &findings)
    case assay_shape_hundredths, assay_shape_doubles:
      return polygons(box, into: &geometry, &findings)
    case assay_shape_runs, assay_shape_compressed: return mask(box, into: &geometry, &findings)
    case assay_shape_none:
      // Files of detectors have boxes alone.
      if box == nil {
        findings.note(
          .truthWithoutRegion, pointer + "/segmentation", key: key,
          "\(title): there is neither a segmentation nor a box: left out")
      }
      return boxAlone(box, &findings)
    default:
      findings.note(
        .unusableSegmentation, pointer + "/segmentation", key: key,
        "\(title): 'segmentation' has an unsupported type; "
          + (box == nil ? "left out" : "its box is used as its shape"))
      return boxAlone(box, &findings)
    }
  }

  /// The most common case: no polygon is odd, and coordinates are copied only into the packed form.
  private func plainPolygons(
    _ box: Box?, counts: inout [Int], into geometry: inout [UInt8],
    _ findings: inout OddityIssues
  ) -> Shape? {
    let fields = record.pointee
    counts.removeAll(keepingCapacity: true)
    for polygon in 0..<Int(fields.polygon_count) {
      counts.append(Int(batch.polygons[Int(fields.polygons) + polygon].count))
    }
    let start = geometry.count
    Geometry.pack(
      hundredths: UnsafeBufferPointer(
        start: batch.hundredths + Int(fields.values), count: Int(fields.value_count)),
      counts: counts, into: &geometry)
    noteBeyond(
      fields.bounds.0, fields.bounds.1, fields.bounds.2, fields.bounds.3, "a polygon", &findings)
    return finish(.polygon, box, start..<geometry.count, &findings) {
      measured(
        coordinates,
        Box(
          x: fields.bounds.0, y: fields.bounds.1, width: fields.bounds.2 - fields.bounds.0,
          height: fields.bounds.3 - fields.bounds.1))
    }
  }

  /// The maximum width of an image in which polygons are drawn for their area.
  private static let widthLimit = 1 << 17

  /// The number of pixels that polygons cover in the image, and their bounding box, as in an
  /// evaluation from files.
  ///
  /// If the size of the image is unknown, there is no area, and the box is that of the points.
  private func measured(_ polygons: [[Double]], _ bounds: Box) -> (area: Double?, box: Box) {
    guard let size, size.width <= Self.widthLimit else { return (nil, bounds) }
    let mask = Geometry.polygons(polygons).mask(in: size)
    return (Double(mask.area), mask.boundingBox ?? Box(x: 0, y: 0, width: 0, height: 0))
  }

  /// The polygons as numbers.
  private var coordinates: [[Double]] {
    let fields = record.pointee
    var next = Int(fields.values)
    return (0..<Int(fields.polygon_count)).map { polygon in
      let count = Int(batch.polygons[Int(fields.polygons) + polygon].count)
      defer { next += count }
      return fields.shape == UInt8(assay_shape_doubles.rawValue)
        ? Array(UnsafeBufferPointer(start: batch.doubles + next, count: count))
        : (next..<(next + count)).map { Double(batch.hundredths[$0]) / 100 }
    }
  }

  private func polygons(
    _ box: Box?, into geometry: inout [UInt8], _ findings: inout OddityIssues
  ) -> Shape? {
    if record.pointee.is_flat {
      findings.note(
        .flatPolygon, pointer + "/segmentation", key: key,
        "\(title): the polygon is not in a list of polygons; kept")
    }
    let polygons = COCOPolygons(self, coordinates, &findings).kept
    guard !polygons.isEmpty else {
      guard box != nil else {
        findings.note(
          .truthWithoutShape, pointer + "/segmentation", key: key,
          "\(title): none of its polygons has three points, and there is no box; left out")
        return nil
      }
      findings.note(
        .unusableSegmentation, pointer + "/segmentation", key: key,
        "\(title): none of its polygons has three points; its box is used as its shape")
      return boxAlone(box, &findings)
    }
    let bounds = COCOPolygons.bounds(of: polygons)
    noteBeyond(
      bounds.x, bounds.y, bounds.x + bounds.width, bounds.y + bounds.height, "a polygon", &findings)
    let start = geometry.count
    Geometry.pack(polygons: polygons, into: &geometry)
    return finish(.polygon, box, start..<geometry.count, &findings) {
      measured(polygons, bounds)
    }
  }

  private func boxAlone(_ box: Box?, _ findings: inout OddityIssues) -> Shape? {
    guard let box else {
      if record.pointee.shape != UInt8(assay_shape_none.rawValue) { return nil }
      findings.note(
        .truthWithoutShape, pointer, key: key,
        "\(title): it has neither a segmentation nor a box; left out")
      return nil
    }
    noteBeyond(box.x, box.y, box.x + box.width, box.y + box.height, "its box", &findings)
    return finish(.box, box, nil, &findings) { (box.area, box) }
  }

  private func mask(
    _ box: Box?, into geometry: inout [UInt8], _ findings: inout OddityIssues
  ) -> Shape? {
    guard let mask = COCORunLengths(self, hasBox: box != nil).mask(&findings) else { return nil }
    let start = geometry.count
    mask.appendCompressed(to: &geometry)
    return finish(.mask, box, start..<geometry.count, &findings) {
      (Double(mask.area), mask.boundingBox ?? Box(x: 0, y: 0, width: 0, height: 0))
    }
  }

  /// Takes area and box from the source, and computes missing ones from the shape.
  private func finish(
    _ kind: ShapeKind, _ box: Box?, _ geometry: Range<Int>?, _ findings: inout OddityIssues,
    measured: () -> (area: Double?, box: Box)
  ) -> Shape {
    let state = FieldState(record.pointee.area_state)
    let isUsable = state == .fine && record.pointee.area >= 0
    if isUsable, let box {
      return Shape(kind: kind, area: record.pointee.area, box: box, geometry: geometry)
    }
    let found = measured()
    var area = found.area
    if state.isUsable, record.pointee.area >= 0 { area = record.pointee.area }
    if !isUsable {
      let what = state.isUsable && record.pointee.area < 0 ? "is negative" : state.complaint
      let instead = area.map { "taken as \($0)" } ?? "unknown, because its image's size is unknown"
      findings.note(
        state == .missing ? .noArea : .badArea, pointer + "/area", key: key,
        "\(title): 'area' \(what); \(instead)")
    }
    return Shape(kind: kind, area: area, box: box ?? found.box, geometry: geometry)
  }

  private func statedBox(_ findings: inout OddityIssues) -> Box? {
    let fields = record.pointee
    let state = FieldState(fields.box_state)
    if state == .fine, fields.box.2 >= 0, fields.box.3 >= 0 {
      return Box(x: fields.box.0, y: fields.box.1, width: fields.box.2, height: fields.box.3)
    }
    let isNegative = state == .fine
    findings.note(
      state == .missing ? .truthWithoutBox : .badBox, pointer + "/bbox", key: key,
      "\(title): 'bbox' \(isNegative ? "has a negative size" : state.complaint); taken from the shape"
        + (isNegative
          ? " (evaluate --gt --dt keeps it as it is, and no detection matches it)" : ""))
    return nil
  }

  /// Reports shapes that extend more than a pixel beyond the image; less is rounding.
  private func noteBeyond(
    _ left: Double, _ top: Double, _ right: Double, _ bottom: Double, _ what: String,
    _ findings: inout OddityIssues
  ) {
    guard let size else { return }
    guard
      left < -1 || top < -1 || right > Double(size.width) + 1 || bottom > Double(size.height) + 1
    else { return }
    findings.note(
      .beyondImage, pointer, key: key,
      "\(title): \(what) extends beyond its image of \(size); kept, and clipped at the edge in "
        + "masks")
  }
}
