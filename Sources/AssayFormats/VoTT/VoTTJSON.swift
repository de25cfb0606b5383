import AssayCore

/// VoTT's JSON: an export of all assets, or a file for each asset.
struct VoTTJSON: JSONImageFormat {
  var title: String { "VoTT file" }
  var kind: String { "VoTT annotations" }
  var projects: Set<String> { [".vott"] }
  var naming: Set<String>? { ["asset"] }

  func layout(of sample: JSONSample) -> JSONFileLayout? {
    guard !sample.isList else { return nil }
    let names = Set(sample.names)
    if names.contains("asset"),
      sample.value("asset")?.member("name") != nil
        || sample.value("asset")?.member("path") != nil
    {
      return .image
    }
    guard names.contains("assets") else { return nil }
    guard let (_, asset) = sample.firstMember(below: ["assets"]) else {
      return sample.value("tags")?.elements != nil && sample.value("assets")?.members != nil
        ? .members(["assets"]) : nil
    }
    return asset.member("asset")?.members != nil ? .members(["assets"]) : nil
  }

  func classes(of sample: JSONSample) -> [Category] {
    guard sample.names.contains("assets") || sample.isCut,
      let tags = sample.distantValue("tags")?.elements
    else { return [] }
    return tags.compactMap { $0.member("name")?.text }.filter { !$0.isEmpty }
      .map { Category(name: $0) }
  }

  func name(of element: JSONValue, file: String, member: String?) -> JSONImageName {
    guard let asset = element.member("asset"), asset.members != nil else {
      return .problem(.missingField, "'asset' is missing, so the image is not known; left out")
    }
    var names: [String] = []
    if let name = asset.member("name")?.text, !name.isEmpty {
      names.append(name)
      // VoTT writes `a%201.jpg` of `a 1.jpg`.
      let decoded = LabelStudioName.decoded(name)
      if decoded != name { names.append(decoded) }
    }
    if let path = asset.member("path")?.text, !path.isEmpty {
      names += LabelStudioName.path(
        of: path.hasPrefix("file:") ? String(path.dropFirst("file:".count)) : path)
    }
    guard !names.isEmpty else {
      return .problem(.missingField, "the asset has neither 'name' nor 'path'; left out")
    }
    return .names(names)
  }

  func count(_ element: JSONValue) -> Int { element.member("regions")?.elements?.count ?? 0 }

  func read(_ element: JSONValue, into image: inout JSONImageReading) {
    let asset = element.member("asset") ?? .null
    image.state(
      width: asset.member("size")?.member("width"), height: asset.member("size")?.member("height"),
      "/asset/size", "'width' and 'height'")
    guard let regions = image.list(element.member("regions"), "regions") else { return }
    image.result.annotationsRead = regions.count
    for (place, region) in regions.enumerated() {
      read(region, "/regions/\(place)", "region \(place)", &image)
    }
  }

  private func read(
    _ region: JSONValue, _ pointer: String, _ title: String, _ image: inout JSONImageReading
  ) {
    guard let members = region.members else {
      return image.drop(.badField, pointer, "\(title) is \(region.kindName), not an object")
    }
    let tags = region.member("tags")?.elements?.compactMap(\.text).filter { !$0.isEmpty } ?? []
    let label = tags.first ?? DatumaroClasses.unlabeled.name
    if tags.isEmpty {
      image.warn(.missingLabel, pointer, "\(title) has no tag; its class is \(label)")
    }
    let type = region.member("type")?.text ?? ""
    let points = Self.points(region.member("points"))
    let form: LabeledRegion.Shape
    switch type.uppercased() {
    case "POLYGON":
      guard let points else {
        return image.drop(
          .badField, pointer + "/points", "\(title): 'points' is not a list of x and y")
      }
      form = .polygons([points])
    case "RECTANGLE", "SQUARE", "":
      guard let box = Self.box(region.member("boundingBox")) ?? points.flatMap(Self.box(around:))
      else {
        return image.drop(
          .badShape, pointer + "/boundingBox",
          "\(title): 'boundingBox' has no usable left, top, width and height")
      }
      form = .box(box)
    case "POLYLINE":
      guard let points else {
        return image.drop(
          .badField, pointer + "/points", "\(title): 'points' is not a list of x and y")
      }
      form = .polylines([points])
    case "POINT":
      guard let points else {
        return image.drop(
          .badField, pointer + "/points", "\(title): 'points' is not a list of x and y")
      }
      form = .points(points)
    default:
      return image.drop(
        .badShape, pointer + "/type", "\(title): unknown type '\(type.prefix(40))'")
    }
    if tags.count > 1 {
      image.warn(
        .badField, pointer + "/tags",
        "\(title) has \(tags.count) tags; the first one is its class, and all are an attribute")
    }
    let read: Set<String> = ["id", "type", "tags", "boundingBox", "points"]
    var attributes = members.filter { !read.contains($0.name) && $0.value != .null }
    if tags.count > 1 { attributes.append(.init("tags", .array(tags.map { .string($0) }))) }
    image.add(
      label, form, pointer, title, attributes: attributes,
      id: region.member("id")?.text.map { .text($0) })
  }

  private static func points(_ value: JSONValue?) -> [Double]? {
    guard let elements = value?.elements, !elements.isEmpty else { return nil }
    var points: [Double] = []
    for element in elements {
      guard let x = element.member("x")?.double, let y = element.member("y")?.double else {
        return nil
      }
      points += [x, y]
    }
    return points
  }

  private static func box(_ value: JSONValue?) -> Box? {
    guard let x = value?.member("left")?.double, let y = value?.member("top")?.double,
      let width = value?.member("width")?.double, let height = value?.member("height")?.double
    else { return nil }
    return Box(x: x, y: y, width: width, height: height)
  }

  private static func box(around points: [Double]) -> Box? {
    let x = stride(from: 0, to: points.count, by: 2).map { points[$0] }
    let y = stride(from: 1, to: points.count, by: 2).map { points[$0] }
    guard let left = x.min(), let right = x.max(), let top = y.min(), let bottom = y.max() else {
      return nil
    }
    return Box(x: left, y: top, width: right - left, height: bottom - top)
  }
}
