import AssayCore
import AssayImaging

/// One object or part of an image of ADE20K's full release.
struct ADE20KObject {
  private let object: JSONValue
  private let place: Int
  private let tree: any SourceTree
  private let tally: JSONTally

  /// The maximum size of a mask's file.
  private static let maskLimit = 64 << 20

  /// Members that are kept in another form, or repeat what others say.
  private static let known: Set<String> = [
    "id", "name", "name_ndx", "raw_name", "hypernym", "attributes", "depth_ordering_rank",
    "occluded", "crop", "parts", "instance_mask", "polygon", "saved_date",
  ]

  init(_ object: JSONValue, _ place: Int, _ tree: any SourceTree, _ tally: JSONTally) {
    self.object = object
    self.place = place
    self.tree = tree
    self.tally = tally
  }

  private var pointer: String { "/annotation/object/\(place)" }

  private func named(_ name: String?) -> String {
    "object \(place)" + (name.map { " (\($0.prefix(40)))" } ?? "")
  }

  func read(into image: inout JSONImageReading) {
    guard object.members != nil else {
      return image.drop(
        .badField, pointer, "\(named(nil)) is \(object.kindName), not an object")
    }
    let name = [object.member("name")?.text, object.member("raw_name")?.text]
      .compactMap(\.self).first { !$0.isEmpty }
    guard let name else {
      return image.drop(.missingLabel, pointer, "\(named(nil)) has no name")
    }
    guard let shape = shape(named(name), &image) else { return }
    var category = Category(name: name)
    if let number = object.member("name_ndx")?.whole { category.sourceID = .integer(Int64(number)) }
    var region = LabeledRegion(
      category: category, shape: shape, at: image.location(pointer), title: named(name))
    if let id = object.member("id")?.whole { region.sourceID = .integer(Int64(id)) }
    region.attributes = attributes(name, &image)
    image.result.regions.append(region)
  }

  // MARK: Attributes

  private func attributes(
    _ name: String, _ image: inout JSONImageReading
  ) -> [JSONValue.Member] {
    var kept: [JSONValue.Member] = []
    if let raw = object.member("raw_name"), !ADE20KJSON.isEmpty(raw), raw != .string(name) {
      kept.append(.init("raw_name", raw))
    }
    if let parts = object.member("parts"), parts.members != nil {
      for part in ["part_level", "ispartof", "hasparts"] {
        guard let value = parts.member(part), !ADE20KJSON.isEmpty(value) else { continue }
        // A list of one element can be written as the element.
        let isList = part == "hasparts" && value.elements == nil
        kept.append(.init(part, isList ? .array([value]) : value))
      }
    } else if object.member("parts") != nil {
      image.warn(.badField, pointer + "/parts", "\(named(name)): 'parts' is no object; ignored")
    }
    for flag in ["crop", "occluded"] {
      guard let value = object.member(flag), !ADE20KJSON.isEmpty(value) else { continue }
      kept.append(.init(flag, Self.flag(value)))
    }
    for field in ["depth_ordering_rank", "attributes", "saved_date"] {
      guard let value = object.member(field), !ADE20KJSON.isEmpty(value) else { continue }
      kept.append(.init(field, value))
    }
    for member in object.members ?? [] where !Self.known.contains(member.name) {
      kept.append(member)
    }
    if let classes = object.member("hypernym"), !ADE20KJSON.isEmpty(classes) {
      tally.add("objects whose hypernyms are not kept", image.file)
    }
    return kept
  }

  /// A truth value that is written as a number or a word.
  private static func flag(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string("0"), .string("no"), .integer(0): false
    case .string("1"), .string("yes"), .integer(1): true
    default: value
    }
  }

  // MARK: Shapes

  private func shape(
    _ title: String, _ image: inout JSONImageReading
  ) -> LabeledRegion.Shape? {
    let polygon = object.member("polygon")
    let (x, y) = (Self.numbers(polygon?.member("x")), Self.numbers(polygon?.member("y")))
    if let x, let y, x.count == y.count, x.count >= 3 {
      return .polygons([zip(x, y).flatMap { [$0, $1] }])
    }
    let isBroken = polygon != nil && (x == nil || y == nil || x?.count != y?.count)
    guard let mask = object.member("instance_mask")?.text, !mask.isEmpty else {
      image.drop(
        isBroken ? .badField : .badShape, pointer + "/polygon",
        isBroken
          ? "\(title): 'x' and 'y' of the polygon are not two lists of numbers of one length"
          : "\(title): the polygon has fewer than 3 points, and there is no 'instance_mask'")
      return nil
    }
    if isBroken {
      image.warn(
        .badField, pointer + "/polygon",
        "\(title): 'x' and 'y' of the polygon are not two lists of numbers of one length; its mask is "
          + "taken")
    }
    return read(mask, title, &image)
  }

  /// The numbers of a list, or of a number alone; `nil` for anything else.
  private static func numbers(_ value: JSONValue?) -> [Double]? {
    guard let elements = value?.elements else { return value?.double.map { [$0] } }
    let numbers = elements.compactMap(\.double)
    return numbers.count == elements.count ? numbers : nil
  }

  /// Reads the object's mask, whose pixels are above 0.
  private func read(
    _ stated: String, _ title: String, _ image: inout JSONImageReading
  ) -> LabeledRegion.Shape? {
    let place = pointer + "/instance_mask"
    guard let name = StatedPath(stated), !name.isOutside else {
      image.drop(
        .outsideRoot, place, "\(title): the mask '\(stated.prefix(200))' is outside the source")
      return nil
    }
    let path = SortedFiles.join(SortedFiles.folder(of: image.file), name.path)
    do {
      let bytes = try tree.readAll(path, limit: Self.maskLimit)
      let size = try ImageCodec.header(of: bytes).size
      guard size == image.size else {
        image.drop(
          .maskSize, place,
          "\(title): the mask is \(size), and the image is "
            + (image.size.map { "\($0)" } ?? "of unknown size"))
        return nil
      }
      let raster = try ImageCodec.decodeValues(bytes)
      var pixels = Raster<UInt8>(repeating: 0, width: raster.width, height: raster.height)
      for (place, value) in raster.elements.enumerated() where value > 0 {
        pixels.elements[place] = 1
      }
      let mask = Mask(pixels)
      guard !mask.isEmpty else {
        image.drop(.badShape, place, "\(title): no pixel of the mask is above 0")
        return nil
      }
      return .mask(mask)
    } catch {
      image.drop(.unreadableImage, place, "\(title): \(path): \(error)")
      return nil
    }
  }
}
