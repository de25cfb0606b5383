import AssayCore
import AssayImaging

/// Reads the label and the objects of one record.
struct TFRecordReader {
  private let layout: TFRecordLayout
  private let example: TFExample
  private let key: String
  /// The size of the image; `nil` if it cannot be read.
  private let size: ImageSize?
  private var result = LabeledImage()

  private var location: IssueLocation { IssueLocation(file: key) }

  /// - Parameters:
  ///   - key: the path of the image.
  ///   - size: the size of the image; `nil` if it cannot be read.
  init(_ layout: TFRecordLayout, _ example: TFExample, key: String, size: ImageSize?) {
    (self.layout, self.example, self.key, self.size) = (layout, example, key, size)
  }

  /// - Throws: ``TFRecordProblem`` for damaged features.
  consuming func read() throws -> LabeledImage {
    var reader = self
    try reader.readImage()
    return reader.result
  }

  private mutating func readImage() throws {
    let features = layout.features
    if let (height, width) = features.size, let height = try example.integers(height)?.first,
      let width = try example.integers(width)?.first
    {
      result.statedSize = Int(exactly: width).flatMap { width in
        Int(exactly: height).flatMap { ImageSize.checked(width: width, height: $0) }
      }
    }
    for (key, name) in features.attributes {
      guard example.kind(key) != nil else { continue }
      guard let values = try example.values(key) else {
        report(.unsupportedField, .warning, "“\(key)” is not UTF-8 or not finite; not kept")
        continue
      }
      guard let first = values.first else { continue }
      result.attributes.append(.init(name, values.count == 1 ? first : .array(values)))
    }
    if let label = features.label { try readLabels(label, isOnly: features.objects == nil) }
    if let objects = features.objects { try readObjects(objects) }
  }

  private mutating func report(_ kind: IssueKind, _ severity: Issue.Severity, _ text: String) {
    result.issues.append(
      Issue(kind, severity, at: location, sampleKey: key, "\(key): \(text)"))
  }

  /// The names and numbers of a class's feature, one for each image or object.
  private func classes(_ category: TFFeatures.Class) throws -> [(text: String?, id: Int64?)]? {
    let texts = try category.text.flatMap { try example.texts($0) } ?? []
    let numbers = try category.number.flatMap { try example.integers($0) } ?? []
    guard texts.count == numbers.count || texts.isEmpty || numbers.isEmpty else { return nil }
    return (0..<max(texts.count, numbers.count)).map { place in
      (
        place < texts.count ? texts[place] : nil, place < numbers.count ? numbers[place] : nil
      )
    }
  }

  // MARK: - Labels of the image

  /// - Parameter isOnly: whether an image without a label is worth an issue.
  private mutating func readLabels(_ label: TFFeatures.Class, isOnly: Bool) throws {
    guard let stated = try classes(label) else {
      report(
        .badField, .error,
        "“\(label.text ?? "")” and “\(label.number ?? "")” have different numbers of values; kept "
          + "without a label")
      return
    }
    if stated.allSatisfy({ $0.text == nil }),
      let issue = HFRecordReader.flagsIssue(
        stated.map { $0.id.map { .integer($0) } ?? .null }, location, key)
    {
      result.isRejected = true
      return result.issues.append(issue)
    }
    // TensorFlow Datasets writes -1 for a label that is not known, and others write an empty text.
    let labels = stated.filter { text, id in
      text.map { !LabelSeparator.trimmed($0).isEmpty } ?? (id != -1)
    }
    guard !labels.isEmpty else {
      if isOnly { report(.missingLabel, .warning, "it has no label; kept without") }
      return
    }
    var found: [Category] = []
    for (text, id) in labels {
      switch layout.labels.category(text, id) {
      case .success(let one):
        if let problem = one.problem { report(.unknownLabel, .warning, "its label: \(problem)") }
        if !found.contains(where: { $0.name == one.category.name }) { found.append(one.category) }
      case .failure(let problem):
        report(problem.kind, .error, "its label: \(problem.text); left out")
      }
    }
    guard found.count > 1 else {
      result.label = found.first
      return
    }
    for category in found {
      result.regions.append(
        LabeledRegion(
          category: category, shape: .tag, at: location,
          title: "label \(category.name) of \(key)"))
    }
    result.annotationsRead += found.count
  }

  // MARK: - Objects

  private mutating func readObjects(_ objects: TFFeatures.Objects) throws {
    guard let boxes = try boxes(objects) else { return }
    let categories = try objects.category.map { try classes($0) } ?? []
    guard let categories, categories.count == boxes.count || objects.category == nil else {
      return reject(
        "its objects have \(Counted.text(boxes.count, "box", "boxes")) and another number of classes"
      )
    }
    let masks = try objects.masks.flatMap { try example.byteStrings($0) } ?? []
    guard masks.isEmpty || masks.count == boxes.count else {
      return reject(
        "its objects have \(Counted.text(boxes.count, "box", "boxes")) and \(Counted.text(masks.count, "mask", "masks"))"
      )
    }
    var fields: [(name: String, values: [JSONValue])] = []
    for (key, name) in objects.others {
      guard let values = try example.values(key), !values.isEmpty else { continue }
      guard values.count == boxes.count else {
        report(
          .unsupportedField, .warning,
          "“\(key)” has \(Counted.text(values.count, "value", "values")) for \(Counted.text(boxes.count, "object", "objects")); not kept"
        )
        continue
      }
      fields.append((name, values))
    }
    let points = try keypoints(objects.keypoints, count: boxes.count)
    result.annotationsRead += boxes.count
    for (number, box) in boxes.enumerated() {
      let title = "object \(number + 1)"
      guard let box else {
        report(.badShape, .error, "\(title): a coordinate is not finite; left out")
        continue
      }
      guard let category = category(number, categories, title) else { continue }
      var region = LabeledRegion(
        category: category, shape: .box(box), at: location, title: "\(title) of \(key)")
      if number < masks.count, let mask = mask(masks[number], title) {
        region.shape = .mask(mask)
        region.box = box
      }
      for (name, values) in fields { Self.add(name, values[number], to: &region) }
      if let points { region.attributes += points[number] }
      result.regions.append(region)
    }
  }

  private mutating func reject(_ text: String) {
    report(.badField, .error, "\(text); the image is left out")
    result.isRejected = true
  }

  private static func add(
    _ name: String, _ value: JSONValue, to region: inout LabeledRegion
  ) {
    switch (name, value) {
    case ("is_crowd", .integer(let flag)): region.isCrowd = flag != 0
    case ("id", .integer(let id)): region.sourceID = .integer(id)
    case ("id", .string(let id)): region.sourceID = .text(id)
    default: region.attributes.append(.init(name, value))
    }
  }

  /// The class of an object; `nil` with an issue if there is none.
  private mutating func category(
    _ number: Int, _ stated: [(text: String?, id: Int64?)], _ title: String
  ) -> Category? {
    guard number < stated.count else {
      if number == 0 { report(.missingField, .warning, "objects have no class; “object” is used") }
      return Category(name: "object")
    }
    let (text, id) = stated[number]
    // ImageNet's boxes have the number of the image's label, and the label has the name.
    if text == nil, layout.objects.categories.isEmpty, let id, let label = result.label,
      label.sourceID == .integer(id)
    {
      return label
    }
    switch layout.objects.category(text, id) {
    case .success(let found):
      if let problem = found.problem { report(.unknownLabel, .warning, "\(title): \(problem)") }
      return found.category
    case .failure(let problem):
      report(problem.kind, .error, "\(title): \(problem.text); left out")
      return nil
    }
  }

  /// The boxes in pixels; `nil` for one that is not finite. `nil` if the image is left out.
  private mutating func boxes(_ objects: TFFeatures.Objects) throws -> [Box?]? {
    var columns: [[Double]]
    switch objects.boxes {
    case .four(let keys, let isSized):
      columns = try keys.map { try example.numbers($0) ?? [] }
      guard columns.allSatisfy({ $0.count == columns[0].count }) else {
        let counts = columns.map { String($0.count) }.joined(separator: ", ")
        reject("its boxes have \(counts) coordinates")
        return nil
      }
      if isSized { Self.makeCorners(&columns) }
    case .flat(let key, let order):
      let values = try example.numbers(key) ?? []
      guard values.count % 4 == 0 else {
        reject(
          "“\(key)” has \(Counted.text(values.count, "value", "values")), which is no multiple of 4"
        )
        return nil
      }
      columns = (0..<4).map { first in
        stride(from: first, to: values.count, by: 4).map { values[$0] }
      }
      switch order {
      case .leftTopRightBottom: break
      case .topLeftBottomRight:
        columns = [columns[1], columns[0], columns[3], columns[2]]
      case .leftTopWidthHeight: Self.makeCorners(&columns)
      }
    }
    guard !columns[0].isEmpty else { return [] }
    var scale = (x: 1.0, y: 1.0)
    if objects.isRelative {
      // Without its size, the image is left out anyway.
      guard let size else { return nil }
      scale = (Double(size.width), Double(size.height))
    }
    return columns[0].indices.map { place in
      let (left, top) = (columns[0][place] * scale.x, columns[1][place] * scale.y)
      let (right, bottom) = (columns[2][place] * scale.x, columns[3][place] * scale.y)
      guard left.isFinite, top.isFinite, right.isFinite, bottom.isFinite else { return nil }
      return Box(x: left, y: top, width: right - left, height: bottom - top)
    }
  }

  /// Replaces widths and heights by right and bottom.
  private static func makeCorners(_ columns: inout [[Double]]) {
    for place in columns[0].indices {
      columns[2][place] += columns[0][place]
      columns[3][place] += columns[1][place]
    }
  }

  private mutating func mask(_ bytes: ArraySlice<UInt8>, _ title: String) -> Mask? {
    do {
      let raster = try ImageCodec.decodeValues(Array(bytes))
      guard let size, raster.width == size.width, raster.height == size.height else {
        report(
          .maskSize, .error,
          "\(title): its mask is \(raster.width)x\(raster.height), not of the image's size; the box "
            + "is kept")
        return nil
      }
      var binary = Raster<UInt8>(repeating: 0, width: raster.width, height: raster.height)
      for place in raster.elements.indices where raster.elements[place] > 0 {
        binary.elements[place] = 1
      }
      return Mask(binary)
    } catch {
      report(.unreadableImage, .error, "\(title): its mask: \(error); the box is kept")
      return nil
    }
  }

  // MARK: - Keypoints

  /// The attributes of the points of each object, as COCO writes them; `nil` if there are none.
  private mutating func keypoints(
    _ stated: TFFeatures.Keypoints?, count: Int
  ) throws -> [[JSONValue.Member]]? {
    guard let stated, count > 0, let x = try example.numbers(stated.x),
      let y = try example.numbers(stated.y), !x.isEmpty
    else { return nil }
    let flags = try stated.visibility.flatMap { try example.integers($0) } ?? []
    guard x.count == y.count, x.count % count == 0, flags.isEmpty || flags.count == x.count,
      let size
    else {
      report(
        .badShape, .error,
        "\(x.count) and \(y.count) coordinates of points for \(count) objects; the points are left out"
      )
      return nil
    }
    let each = x.count / count
    return (0..<count).map { object in
      var values: [JSONValue] = []
      var marked: Int64 = 0
      for place in object * each..<(object + 1) * each {
        let isThere = x[place].isFinite && y[place].isFinite
        let flag = flags.isEmpty ? (isThere ? 2 : 0) : flags[place]
        guard isThere, flag > 0 else {
          values += [.integer(0), .integer(0), .integer(0)]
          continue
        }
        marked += 1
        values += [
          .number(x[place] * Double(size.width)), .number(y[place] * Double(size.height)),
          .integer(flag),
        ]
      }
      return [
        .init("keypoints", .array(values)), .init("num_keypoints", .integer(marked)),
      ]
    }
  }
}
