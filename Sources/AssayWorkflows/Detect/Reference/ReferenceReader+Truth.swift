import AssayCore
import AssayFormats
import AssayMetrics

extension ReferenceReader {
  /// The evaluated fields of an annotation.
  private struct Annotation {
    /// The image's index; −1 if there is no image with that id.
    var image: Int32
    var category: Int32
    var box = Box(x: 0, y: 0, width: 0, height: 0)
    var area = 0.0
    var isCrowd = false
    /// True if the id is 0 as a number, or cannot be converted to a number.
    var isZero = false
    var hasUnusableID = false
    /// The shape of a box that consists of four lists.
    var nestedShape: [Int]?
    var region: ReferenceRegion?
    /// The error with which pycocotools fails if the annotation is evaluated.
    var stop: ReferenceStop?
    var place: Int
  }

  /// Reads the evaluated annotations into columns, image by image.
  mutating func readTruth() throws {
    var all: [Annotation] = []
    var last: [PythonKey: Int] = [:]
    var keys: [PythonKey] = []
    var reader = self
    try truth.forEach(of: "annotations") { place, element in
      if place & 0xFFFF == 0 { try Interruption.check("nothing was stored") }
      let pointer = "/annotations/\(place)"
      let image = try reader.key("image_id", of: element, .truth, pointer)
      let id = try reader.key("id", of: element, .truth, pointer)
      let category = try reader.key("category_id", of: element, .truth, pointer)
      let annotation = reader.annotation(
        element, at: place, image: image, category: category)
      if reader.hasUniqueIDs, annotation.image >= 0, annotation.category >= 0,
        let stop = annotation.stop
      {
        throw stop
      }
      last[id] = all.count
      keys.append(id)
      all.append(annotation)
      return true
    }
    self = reader
    let order = all.indices.filter { all[$0].image >= 0 && all[$0].category >= 0 }
      .sorted { (all[$0].image, $0) < (all[$1].image, $1) }
    for slot in order {
      // The last of the annotations with the same id replaces the others.
      let annotation = all[last[keys[slot]] ?? slot]
      let pointer = "/annotations/\(annotation.place)"
      guard annotation.image >= 0, annotation.category >= 0 else {
        if isMask, annotation.image < 0 {
          throw ReferenceStop(error: "KeyError: the image_id", side: .truth, pointer: pointer)
        }
        continue
      }
      if let stop = annotation.stop { throw stop }
      let mask = try annotation.region.flatMap { try self.mask($0, .truth, pointer) }
      let row = columns.truth.images.count
      if annotation.isZero { columns.truth.unmatched.insert(row) }
      if annotation.hasUnusableID { columns.unusableIDs.insert(row) }
      nestedBoxes[row] = annotation.nestedShape.map { ($0, pointer + "/bbox") }
      columns.truth.images.append(annotation.image)
      columns.truth.classes.append(annotation.category)
      columns.truth.boxes.append(annotation.box)
      columns.truth.areas.append(annotation.area)
      columns.truth.isCrowd.append(annotation.isCrowd)
      columns.truthMasks.append(mask)
      columns.truthPlaces.append(Int32(annotation.place))
    }
  }

  private func annotation(
    _ element: PythonValue, at place: Int, image imageKey: PythonKey, category: PythonKey
  ) -> Annotation {
    let image = images[imageKey]
    var annotation = Annotation(
      image: image?.rank ?? -1, category: categories[category] ?? -1, place: place)
    let stop = { (error: String, member: String) in
      ReferenceStop(error: error, side: .truth, pointer: "/annotations/\(place)/\(member)")
    }
    if let id = element["id"] {
      annotation.isZero = id.float == 0
      annotation.hasUnusableID = id.float == nil
    }
    let crowd = element["iscrowd"]
    switch crowd?.integer {
    case nil:
      annotation.stop = stop(
        crowd == nil ? "KeyError: 'iscrowd'" : "an 'iscrowd' that int() does not accept", "iscrowd")
    case let number? where !(0...255).contains(number):
      annotation.stop = stop("OverflowError: an 'iscrowd' that does not fit into 8 bits", "iscrowd")
    case let number?: annotation.isCrowd = number != 0
    }
    if crowd?.isTrue ?? false {
      // An annotation that is ignored but not a crowd is outside all area ranges.
      annotation.area = -1
    } else if let area = element["area"]?.number {
      annotation.area = area
    } else {
      let isMissing = element["area"] == nil
      annotation.stop =
        annotation.stop
        ?? stop(
          isMissing ? "KeyError: 'area'" : "TypeError: an 'area' that is not a number", "area")
    }
    if isMask {
      annotation.region = ReferenceRegion(
        element["segmentation"], height: image?.height, width: image?.width)
      if case .stops(let error)? = annotation.region {
        annotation.stop = annotation.stop ?? stop(error, "segmentation")
      }
    } else if let box = Self.box(element["bbox"]) {
      annotation.box = box
    } else if let shape = element["bbox"].flatMap(Self.shape), shape.count > 1, shape[0] == 4 {
      annotation.nestedShape = shape
    } else {
      annotation.stop =
        annotation.stop
        ?? stop(
          element["bbox"] == nil ? "KeyError: 'bbox'" : "a 'bbox' that is not a list of 4 numbers",
          "bbox")
    }
    return annotation
  }
  /// The shape of the numpy array of doubles made from a value, empty for a number; `nil` if the
  /// conversion fails.
  private static func shape(_ value: PythonValue) -> [Int]? {
    guard case .list(let elements) = value else { return value.float.map { _ in [] } }
    let shapes = elements.map(shape)
    guard shapes.allSatisfy({ $0 != nil && $0 == shapes[0] }) else { return nil }
    return [elements.count] + ((shapes.first ?? []) ?? [])
  }

  /// Checks boxes that consist of four lists. They make a three-dimensional array, which fails if a
  /// result is compared with it, or if other boxes of its image and category have another shape.
  func checkNestedBoxes() throws {
    var shapes: [SIMD2<Int32>: Set<[Int]>] = [:]
    for (row, image) in columns.truth.images.enumerated() {
      shapes[SIMD2(image, columns.truth.classes[row]), default: []]
        .insert(nestedBoxes[row]?.shape ?? [4])
    }
    let found = Set(zip(columns.found.images, columns.found.classes).map { SIMD2($0, $1) })
    for (row, box) in nestedBoxes.sorted(by: { $0.key < $1.key }) {
      let group = SIMD2(columns.truth.images[row], columns.truth.classes[row])
      if found.contains(group) || shapes[group, default: []].count > 1 {
        throw ReferenceStop(
          error: "ValueError: a 'bbox' that is not a list of 4 numbers", side: .truth,
          pointer: box.pointer)
      }
    }
  }
}
