import AssayCore

/// Writes CVAT's XML for images, version 1.1: `annotations.xml` and `images/`; splits are subsets.
struct CVATWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let dataset: ExportDataset
  /// The skeletons of classes whose objects are all such.
  private let skeletons: [Int: CVATSkeleton]

  init(_ dataset: ExportDataset) {
    self.dataset = dataset
    var can = ExportCapabilities()
    can.shapes = [.box, .polygon, .mask, .polyline, .points, .tag]
    can.labels = .set
    can.attributes = .plain
    can.reservedAttributes = [
      "label", "points", "xtl", "ytl", "xbr", "ybr", "cx", "cy", "rx", "ry", "rle", "left", "top",
      "width", "height", "rotation", "annotation_type",
    ]
    can.rotatedBoxes = true
    can.trimsTexts = true
    can.numbers = .corners
    can.classNames = .xml
    can.unusedClasses = true
    can.classOrder = true
    can.needsSizes = true
    var skeletons: [Int: CVATSkeleton] = [:]
    for (ordinal, category) in dataset.classes.enumerated()
    where !dataset.otherThanKeypoints.contains(ordinal) {
      skeletons[ordinal] = CVATSkeleton(of: category)
    }
    self.skeletons = skeletons
    can.keypoints = .ofPoints(
      counts: skeletons.mapValues(\.points.count), isApart: !dataset.keypointClasses.isEmpty)
    can.keypointClasses = dataset.keypointClasses
    can.groupAttribute = "group_id"
    can.classFields = .named(skeletons.isEmpty ? [] : ["keypoints", "skeleton"])
    capabilities = can
  }

  func imageFolder(split: Int, label: Int?) -> String {
    SortedFiles.join("images", dataset.splits[split].folder).trimmedSlash
  }

  var tables: [ExportTable] {
    let attributes = dataset.attributes.filter {
      !Self.own.contains($0) && !capabilities.reservedAttributes.contains($0)
    }.sorted().map {
      "<attribute>\(XMLText.element("name", $0))<mutable>False</mutable>"
        + "<input_type>text</input_type><default_value></default_value><values></values></attribute>"
    }.joined()
    let labels = dataset.classes.enumerated().map { ordinal, category in
      let skeleton = skeletons[ordinal]
      return "      <label>\(XMLText.element("name", category.name))"
        + "<type>\(skeleton == nil ? "any" : "skeleton")</type><attributes>\(attributes)"
        + "</attributes>\(skeleton?.drawing ?? "")</label>\n"
        + (skeleton?.labels(of: category.name) ?? "")
    }.joined()
    let count = dataset.splits.reduce(0) { $0 + $1.images }
    let opening = """
      <?xml version="1.0" encoding="utf-8"?>
      <annotations>
        <version>1.1</version>
        <meta><task>
          \(XMLText.element("name", dataset.name))<size>\(count)</size><mode>annotation</mode>
          <labels>
      \(labels)    </labels>
        </task></meta>

      """
    return [
      ExportTable(
        path: "annotations.xml", split: nil, sections: [.init(opening, separator: "")],
        closing: "</annotations>\n")
    ]
  }

  func rows(_ image: ExportImage, table: Int, section: Int) -> [UInt8] {
    guard let size = image.size else { return [] }
    let name = image.path.hasPrefix("images/") ? String(image.path.dropFirst(7)) : image.path
    let subset = dataset.splits[image.split].name.map { " subset=\"\(XMLText.escaped($0))\"" }
    var text =
      "  <image id=\"\(image.number)\" name=\"\(XMLText.escaped(name))\"\(subset ?? "")"
      + " width=\"\(size.width)\" height=\"\(size.height)\">\n"
    for label in image.labels {
      text += "    <tag label=\"\(self.label(label))\" source=\"manual\">\n    </tag>\n"
    }
    for object in image.objects { text += self.text(of: object) }
    return Array((text + "  </image>\n").utf8)
  }

  private func label(_ category: Int) -> String {
    XMLText.escaped(dataset.classes[category].name)
  }

  private func text(of object: ExportObject) -> String {
    var (tag, shape) = Self.shape(of: object)
    var points = ""
    if let skeleton = skeletons[object.category], let keypoints = object.keypoints {
      (tag, shape) = ("skeleton", "")
      points = skeleton.elements(keypoints)
    }
    var own: [String: String] = ["source": "manual"]
    if object.shape != .tag {
      // A skeleton's points are occluded, each for itself.
      if points.isEmpty { own["occluded"] = "0" }
      own["z_order"] = "0"
    }
    for attribute in object.attributes where Self.own.contains(attribute.name) {
      let isTrue = attribute.value == true
      own[attribute.name] =
        attribute.value == false ? "0" : isTrue ? "1" : Self.text(attribute.value)
    }
    let unwritten: Set<String> = [
      ExportObject.keypointsName, ExportObject.keypointCountName, RotatedBox.attribute,
    ]
    let attributes = object.attributes.filter {
      !Self.own.contains($0.name) && !unwritten.contains($0.name)
    }.map {
      "      <attribute name=\"\(XMLText.escaped($0.name))\">\(Self.text($0.value))</attribute>\n"
    }.joined()
    return
      "    <\(tag) label=\"\(label(object.category))\" "
      + own.sorted { $0.key < $1.key }.map { "\($0.key)=\"\($0.value)\" " }.joined()
      + "\(shape)>\n\(points)\(attributes)"
      + "    </\(tag)>\n"
  }

  /// The attributes that CVAT has for every shape.
  private static let own: Set<String> = ["group_id", "occluded", "source", "z_order"]

  private static func text(_ value: JSONValue) -> String {
    XMLText.escaped(value.text ?? value.text())
  }

  private static func shape(of object: ExportObject) -> (tag: String, attributes: String) {
    func points(_ list: [Double]) -> String {
      stride(from: 0, to: list.count - 1, by: 2).map {
        ExportNumber.exact(list[$0]) + "," + ExportNumber.exact(list[$0 + 1])
      }.joined(separator: ";")
    }
    func corners(_ box: Box) -> String {
      let right = ExportNumber.exact(box.x + box.width)
      let bottom = ExportNumber.exact(box.y + box.height)
      return
        "xtl=\"\(ExportNumber.exact(box.x))\" ytl=\"\(ExportNumber.exact(box.y))\" xbr=\"\(right)\" "
        + "ybr=\"\(bottom)\""
    }
    if let rotated = RotatedBox(object) {
      return (
        "box", corners(rotated.box) + " rotation=\"\(ExportNumber.exact(rotated.degrees))\""
      )
    }
    let box = object.box
    switch object.shape {
    case .box: return ("box", corners(box))
    case .polygons(let polygons):
      return ("polygon", "points=\"\(points(polygons.first ?? []))\"")
    case .lines(let lines): return ("polyline", "points=\"\(points(lines.first ?? []))\"")
    case .points(let list): return ("points", "points=\"\(points(list))\"")
    case .tag: return ("tag", "")
    case .mask(let mask):
      let bounds = mask.boundingBox ?? box
      return (
        "mask",
        "rle=\"\(runs(of: mask, in: bounds).map(String.init).joined(separator: ", "))\" "
          + "left=\"\(Int(bounds.x))\" top=\"\(Int(bounds.y))\" width=\"\(Int(bounds.width))\" "
          + "height=\"\(Int(bounds.height))\""
      )
    }
  }

  /// The lengths of runs in a box, row by row, beginning with unset pixels.
  private static func runs(of mask: Mask, in box: Box) -> [Int] {
    let raster = mask.raster(inside: 1)
    var runs: [Int] = []
    var (value, length): (UInt8, Int) = (0, 0)
    for y in Int(box.y)..<Int(box.y + box.height) {
      for x in Int(box.x)..<Int(box.x + box.width) {
        let next = raster.elements[y * raster.width + x]
        if next == value {
          length += 1
        } else {
          runs.append(length)
          (value, length) = (next, 1)
        }
      }
    }
    return runs + [length]
  }
}
