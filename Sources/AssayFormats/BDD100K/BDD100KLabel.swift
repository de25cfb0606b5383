import AssayCore

/// One label of an image.
struct BDD100KLabel {
  private let label: JSONValue
  private let pointer: String
  private let title: String
  /// The index of the frame in its video; `nil` for an image that is not of a video.
  private let frame: JSONValue?

  init(_ label: JSONValue, _ pointer: String, _ title: String, frame: JSONValue?) {
    self.label = label
    self.pointer = pointer
    self.title = title
    self.frame = frame
  }

  func read(into image: inout JSONImageReading) {
    guard label.members != nil else {
      return image.drop(.badField, pointer, "\(title) is \(label.kindName), not an object")
    }
    guard case .string(let category)? = label.member("category"), !category.isEmpty else {
      let value = label.member("category")
      return image.drop(
        value?.text == nil && value != nil && value != .null ? .badField : .missingLabel, pointer,
        "\(title) has no category")
    }
    var attributes = attributes(&image)
    guard let shape = shape(category, &attributes, &image) else { return }
    let isCrowd = ["crowd", "ignored"].contains { name in
      label.member("attributes")?.member(name) == .bool(true)
    }
    var id: SourceID?
    if frame == nil {
      switch label.member("id") {
      case .integer(let number)?: id = .integer(number)
      case .string(let text)? where !text.isEmpty: id = .text(text)
      default: break
      }
    }
    image.add(
      category, shape.form, pointer, title, attributes: attributes, id: id, box: shape.box,
      isCrowd: isCrowd)
  }

  /// The attributes of the label, and its further members, which count more.
  private func attributes(_ image: inout JSONImageReading) -> [JSONValue.Member] {
    let read: Set<String> = ["id", "category", "attributes", "box2d", "poly2d", "rle"]
    var fields = (label.members ?? []).filter { !read.contains($0.name) && $0.value != .null }
    if let frame {
      if let id = label.member("id"), id != .null { fields.append(.init("track", id)) }
      if frame != .null { fields.append(.init("frame", frame)) }
    }
    switch label.member("attributes") {
    case nil, .null?: break
    case .object(let members)?:
      let names = Set(fields.map(\.name))
      fields += members.filter { $0.value != .null && !names.contains($0.name) }
    case let other?:
      image.warn(
        .badField, pointer + "/attributes",
        "\(title): 'attributes' is \(other.kindName), not an object; ignored")
    }
    return fields
  }

  // MARK: Shapes

  private typealias Shape = (form: LabeledRegion.Shape, box: Box?)

  /// The most exact shape: run lengths, polygons or lines, the box, the points of a graph.
  private func shape(
    _ category: String, _ attributes: inout [JSONValue.Member], _ image: inout JSONImageReading
  ) -> Shape? {
    func has(_ name: String) -> Bool {
      guard let value = label.member(name), value != .null else { return false }
      return name != "poly2d" || value != .array([])
    }
    let isAlone = !has("rle") && !has("poly2d")
    var box: Box?
    if has("box2d") {
      box = self.box(isAlone, &image)
      if isAlone { return box.map { (.box($0), nil) } }
    }
    if has("rle") {
      if has("poly2d") { attributes.append(.init("poly2d", label.member("poly2d") ?? .null)) }
      return mask(&image).map { (.mask($0), box) }
    }
    if has("poly2d") {
      return BDD100KPolygons(label.member("poly2d") ?? .null, category, pointer + "/poly2d", title)
        .shape(&attributes, &image).map { ($0, box) }
    }
    if has("graph"), let points = points { return (.points(points), nil) }
    let problem =
      ["box3d", "graph"].first(where: has).map { "only '\($0)', which has no place in the image" }
    image.drop(
      problem == nil ? .missingField : .unsupportedField, pointer,
      "\(title) (\(category.prefix(40))) has \(problem ?? "neither a box nor another shape")")
    return nil
  }

  /// The box; both corners are pixels inside, as in Scalabel's conversion to COCO.
  private func box(_ isAlone: Bool, _ image: inout JSONImageReading) -> Box? {
    let value = label.member("box2d")
    let numbers = ["x1", "y1", "x2", "y2"].compactMap { value?.member($0)?.double }
    let problem: (kind: IssueKind, text: String)
    if numbers.count < 4 {
      problem = (.badField, "'box2d' has no numbers x1, y1, x2 and y2")
    } else if !numbers.allSatisfy(\.isFinite) {
      problem = (.badShape, "a coordinate of the box is NaN or infinite")
    } else if numbers[2] < numbers[0] || numbers[3] < numbers[1] {
      problem = (.badShape, "the box ends before it begins")
    } else {
      return Box(
        x: numbers[0], y: numbers[1], width: numbers[2] - numbers[0] + 1,
        height: numbers[3] - numbers[1] + 1)
    }
    if isAlone {
      image.drop(problem.kind, pointer + "/box2d", "\(title): \(problem.text)")
    } else {
      image.warn(
        problem.kind, pointer + "/box2d", "\(title): \(problem.text); taken from the shape")
    }
    return nil
  }

  private func mask(_ image: inout JSONImageReading) -> Mask? {
    let place = pointer + "/rle"
    let value = label.member("rle")
    let sides = value?.member("size")?.elements?.compactMap(\.whole) ?? []
    guard sides.count == 2, let size = ImageSize.checked(width: sides[1], height: sides[0]),
      let counts = value?.member("counts")?.text
    else {
      image.drop(
        .badField, place,
        "\(title): the run lengths need a text 'counts' and a 'size' of height and width")
      return nil
    }
    if let known = image.size, known != size {
      image.drop(
        .maskSize, place + "/size",
        "\(title): its run lengths are for \(size), and its image is \(known)")
      return nil
    }
    do throws(MaskError) {
      let mask = try Mask(size: size, compressed: Array(counts.utf8))
      if image.size == nil { image.result.statedSize = size }
      return mask
    } catch {
      image.drop(.badShape, place + "/counts", "\(title): \(error)")
      return nil
    }
  }

  /// The points of a graph in the image; `nil` if it has none, or points in space.
  private var points: [Double]? {
    guard let nodes = label.member("graph")?.member("nodes")?.elements, !nodes.isEmpty else {
      return nil
    }
    return JSONImageReading.points(.array(nodes.map { $0.member("location") ?? .null }))
  }
}
