import AssayCore

/// Writes CVAT's XML for images, version 1.1: `annotations.xml` and `images/`; splits are subsets.
struct CVATWriter: DatasetExporter {
  let capabilities: ExportCapabilities
  private let dataset: ExportDataset

  init(_ dataset: ExportDataset) {
    self.dataset = dataset
    var can = ExportCapabilities()
    can.shapes = [.box, .polygon, .mask, .polyline, .points]
    can.labels = .set
    can.attributes = .plain
    can.numbers = .corners
    can.classNames = .xml
    can.unusedClasses = true
    can.classOrder = true
    can.needsSizes = true
    capabilities = can
  }

  func imageFolder(split: Int, label: Int?) -> String {
    SortedFiles.join("images", dataset.splits[split].folder).trimmedSlash
  }

  var tables: [ExportTable] {
    let attributes = dataset.attributes.filter { $0 != "occluded" }.sorted().map {
      "<attribute>\(XMLText.element("name", $0))<mutable>False</mutable>"
        + "<input_type>text</input_type><default_value></default_value><values></values></attribute>"
    }.joined()
    let labels = dataset.classes.map {
      "      <label>\(XMLText.element("name", $0.name))<type>any</type><attributes>\(attributes)"
        + "</attributes></label>\n"
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
    for category in image.labels {
      text += "    <tag label=\"\(label(category))\" source=\"manual\"></tag>\n"
    }
    for object in image.objects { text += self.text(of: object) }
    return Array((text + "  </image>\n").utf8)
  }

  private func label(_ category: Int) -> String {
    XMLText.escaped(dataset.classes[category].name)
  }

  private func text(of object: ExportObject) -> String {
    let (tag, shape) = Self.shape(of: object)
    let occluded = object.attributes.first { $0.name == "occluded" }.map { Self.isTrue($0.value) }
    let attributes = object.attributes.filter { $0.name != "occluded" }.map {
      "      <attribute name=\"\(XMLText.escaped($0.name))\">\(Self.text($0.value))</attribute>\n"
    }.joined()
    return
      "    <\(tag) label=\"\(label(object.category))\" source=\"manual\" "
      + "occluded=\"\(occluded == true ? 1 : 0)\" \(shape) z_order=\"0\">\n\(attributes)"
      + "    </\(tag)>\n"
  }

  private static func isTrue(_ value: JSONValue) -> Bool {
    value == true || value == 1 || value == "1" || value == "true"
  }

  private static func text(_ value: JSONValue) -> String {
    XMLText.escaped(value.text ?? value.text())
  }

  private static func shape(of object: ExportObject) -> (tag: String, attributes: String) {
    func points(_ list: [Double]) -> String {
      stride(from: 0, to: list.count - 1, by: 2).map {
        PlainNumber.exact(list[$0]) + "," + PlainNumber.exact(list[$0 + 1])
      }.joined(separator: ";")
    }
    let box = object.box
    switch object.shape {
    case .box:
      let right = PlainNumber.exact(box.x + box.width)
      let bottom = PlainNumber.exact(box.y + box.height)
      return (
        "box",
        "xtl=\"\(PlainNumber.exact(box.x))\" ytl=\"\(PlainNumber.exact(box.y))\" xbr=\"\(right)\" "
          + "ybr=\"\(bottom)\""
      )
    case .polygons(let polygons):
      return ("polygon", "points=\"\(points(polygons.first ?? []))\"")
    case .lines(let lines): return ("polyline", "points=\"\(points(lines.first ?? []))\"")
    case .points(let list): return ("points", "points=\"\(points(list))\"")
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
