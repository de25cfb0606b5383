import AssayCore
import AssayImaging
import Glibc

/// One shape of a LabelMe file.
struct LabelMeShape {
  private let shape: JSONValue
  private let pointer: String
  private let title: String
  /// The flags of the image that are true.
  private let imageFlags: [String]

  init(_ shape: JSONValue, _ place: Int, _ imageFlags: [String]) {
    self.shape = shape
    self.imageFlags = imageFlags
    pointer = "/shapes/\(place)"
    title = "shape \(place)"
  }

  func read(into image: inout JSONImageReading) {
    guard shape.members != nil else {
      return image.drop(.badField, pointer, "\(title) is \(shape.kindName), not an object")
    }
    guard let label = label(&image), let type = type(&image) else { return }
    guard let points = JSONImageReading.points(shape.member("points")) else {
      let value = shape.member("points")
      return image.drop(
        value == nil ? .missingField : .badField, pointer + "/points",
        "\(title): 'points' is \(value.map { _ in "not a list of [x, y]" } ?? "missing")")
    }
    guard points.allSatisfy(\.isFinite) else {
      return image.drop(
        .badShape, pointer + "/points", "\(title): a coordinate is NaN or infinite")
    }
    add(label, type, points, &image)
  }

  private func label(_ image: inout JSONImageReading) -> String? {
    switch shape.member("label") {
    case .string(let text)? where !text.isEmpty: return text
    case .integer(let number)?:
      image.warn(.badField, pointer + "/label", "\(title): the label is a number; read as text")
      return String(number)
    case nil, .null?, .string?:
      image.drop(.missingLabel, pointer, "\(title) has no label")
    case let other?:
      image.drop(.badField, pointer + "/label", "\(title): the label is \(other.kindName)")
    }
    return nil
  }

  /// The kind of shape; files of version 3 have none for polygons.
  private func type(_ image: inout JSONImageReading) -> String? {
    switch shape.member("shape_type") {
    case nil, .null?: return "polygon"
    case .string(let text)?: return text
    case let other?:
      image.drop(.badField, pointer + "/shape_type", "\(title): 'shape_type' is \(other.kindName)")
      return nil
    }
  }

  private func add(
    _ label: String, _ type: String, _ points: [Double], _ image: inout JSONImageReading
  ) {
    let count = points.count / 2
    func expect(_ wanted: Int) -> Bool {
      if count == wanted { return true }
      image.drop(
        .badShape, pointer + "/points",
        "\(title): a \(type) has \(wanted) \(wanted == 1 ? "point" : "points"), found \(count)")
      return false
    }
    var attributes = attributes
    let form: LabeledRegion.Shape
    switch type {
    case "polygon": form = .polygons([points])
    case "rectangle":
      guard count == 4 || expect(2) else { return }
      let (x, y) = (columns(points, 0), columns(points, 1))
      guard let left = x.min(), let top = y.min(), let right = x.max(), let bottom = y.max() else {
        return
      }
      // Programs beside LabelMe write all four corners.
      form =
        count == 2 || Self.isUpright(x, y)
        ? .box(Box(x: left, y: top, width: right - left, height: bottom - top))
        : .polygons([points])
    case "oriented_rectangle", "rotation":
      guard expect(4) else { return }
      let turn = atan2(points[3] - points[1], points[2] - points[0]) * 180 / .pi
      attributes.removeAll { $0.name == "rotation" }
      attributes.append(.init("rotation", .number(turn)))
      form = .polygons([points])
    case "circle":
      guard expect(2) else { return }
      let radius = hypot(points[2] - points[0], points[3] - points[1])
      attributes.append(
        .init("circle", .array([.number(points[0]), .number(points[1]), .number(radius)])))
      form = .polygons([
        JSONImageReading.ellipse(x: points[0], y: points[1], radiusX: radius, radiusY: radius)
      ])
    case "line":
      guard expect(2) else { return }
      form = .polylines([points])
    case "linestrip": form = .polylines([points])
    case "point":
      guard expect(1) else { return }
      form = .points(points)
    case "points": form = .points(points)
    case "mask":
      guard count == 2 || expect(2), let mask = mask(points, &image) else { return }
      form = .mask(mask)
    default:
      return image.drop(
        .badShape, pointer + "/shape_type", "\(title): unknown shape_type '\(type.prefix(40))'")
    }
    image.add(label, form, pointer, title, attributes: attributes)
  }

  /// Returns whether four corners are those of an upright box.
  private static func isUpright(_ x: [Double], _ y: [Double]) -> Bool {
    guard Set(x).count == 2, Set(y).count == 2 else { return false }
    for corner in 0..<4 {
      let next = (corner + 1) % 4
      if x[corner] != x[next], y[corner] != y[next] { return false }
    }
    return true
  }

  private func columns(_ points: [Double], _ first: Int) -> [Double] {
    stride(from: first, to: points.count, by: 2).map { points[$0] }
  }

  /// The further members of the shape, and the flags of the image.
  private var attributes: [JSONValue.Member] {
    let read: Set<String> = ["label", "points", "mask"]
    var kept = (shape.members ?? []).filter { member in
      if read.contains(member.name) || member.value == .null { return false }
      if member.name == "flags" || member.name == "description" {
        return member.value != .object([]) && member.value != .string("")
      }
      if member.name == "shape_type" { return member.value != .string("polygon") }
      return true
    }
    if !imageFlags.isEmpty {
      kept.append(.init("image_flags", .array(imageFlags.map { .string($0) })))
    }
    return kept
  }

  // MARK: Masks

  /// The maximum coordinate of a mask's corner.
  private static let reach = 1e6

  /// The mask of a box, at its place in the image; nothing is set beyond the image.
  private func mask(_ points: [Double], _ image: inout JSONImageReading) -> Mask? {
    let place = pointer + "/mask"
    guard case .string(let text)? = shape.member("mask") else {
      image.drop(.missingField, place, "\(title): the PNG of the mask is missing")
      return nil
    }
    guard let size = image.size else {
      image.drop(.badShape, place, "\(title): the size of the image is not known")
      return nil
    }
    guard let bytes = Base64.bytes(of: Array(text.utf8)) else {
      image.drop(.badShape, place, "\(title): the mask is not base64")
      return nil
    }
    let raster: Raster<UInt8>
    do {
      raster = try ImageCodec.decode(bytes, as: .stored)
    } catch {
      image.drop(.badShape, place, "\(title): the mask is no readable PNG (\(error))")
      return nil
    }
    guard raster.channels == 1 else {
      image.drop(.badShape, place, "\(title): the mask has colors; expected one channel")
      return nil
    }
    guard points.allSatisfy({ abs($0) <= Self.reach }) else {
      image.drop(.badShape, pointer + "/points", "\(title): the box of the mask is too far away")
      return nil
    }
    let left = Int(points[0].rounded(.toNearestOrEven))
    let top = Int(points[1].rounded(.toNearestOrEven))
    let isWhole = points.allSatisfy { $0.rounded() == $0 }
    let (width, height) = (points[2] - points[0] + 1, points[3] - points[1] + 1)
    if isWhole, width != Double(raster.width) || height != Double(raster.height) {
      image.warn(
        .maskSize, place,
        "\(title): the mask is \(raster.width)×\(raster.height), and its box is "
          + "\(Int(width))×\(Int(height)) pixels; placed at the box's top-left corner")
    }
    if left < 0 || top < 0 || left + raster.width > size.width || top + raster.height > size.height
    {
      image.warn(
        .badShape, place, "\(title): the mask extends beyond its image of \(size); cut there")
    }
    return Mask(raster).cropped(x: -left, y: -top, width: size.width, height: size.height)
  }
}
