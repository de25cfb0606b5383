import AssayCore

/// Writes Pascal VOC: `JPEGImages/x.jpg`, `Annotations/x.xml`, `ImageSets/Main/SPLIT.txt`, and
/// `labelmap.txt` with the names of the classes.
///
/// Boxes have whole numbers counted from 1, both corners inside: xmin = round(x) + 1,
/// xmax = round(x + width), as in the devkit of the challenge.
struct VOCWriter: DatasetExporter {
  /// The source that the files state: readers must not take the label map for a sign of Datumaro, whose
  /// boxes end a pixel later.
  static let database = "assay"

  let capabilities: ExportCapabilities
  private let dataset: ExportDataset

  init(_ dataset: ExportDataset) {
    self.dataset = dataset
    var can = ExportCapabilities()
    can.shapes = [.box]
    can.attributes = .plain
    can.reservedAttributes = [
      "name", "bndbox", "polygon", "robndbox", "part", "attributes", "point", "actions", "part_of",
      "group",
    ]
    // Readers parse them as truth values; KITTI's truncation is a share.
    can.flagAttributes = ["difficult", "truncated"]
    can.trimsTexts = true
    can.numbers = .whole
    can.clips = true
    can.emptyBoxes = false
    can.classNames = .xml
    can.splits = .files
    can.needsSizes = true
    can.unusedClasses = Self.canList(dataset.classes)
    can.classOrder = can.unusedClasses
    capabilities = can
  }

  /// Returns whether a label map can name the classes: a line per class, in which `:` ends the name, and
  /// which readers skip if it is called `background`.
  private static func canList(_ classes: [Category]) -> Bool {
    classes.allSatisfy { category in
      let name = category.name.utf8
      return !name.contains { [0x0A, 0x0D, UInt8(ascii: ":")].contains($0) }
        && name.first.map { $0 > 0x20 && $0 != UInt8(ascii: "#") } ?? false
        && name.last.map { $0 > 0x20 } ?? false && !ClassNames.isBackground(category.name)
    }
  }

  /// The label map that Datumaro and CVAT read, without colors: it keeps the order of the classes.
  var fixedFiles: [(path: String, bytes: [UInt8])] {
    guard capabilities.classOrder, !dataset.classes.isEmpty else { return [] }
    let names = dataset.classes.map { $0.name + ":::\n" }
    return [("labelmap.txt", Array(("# label:color_rgb:parts:actions\n" + names.joined()).utf8))]
  }

  var hasFlatNames: Bool { true }

  func imageFolder(split: Int, label: Int?) -> String { "JPEGImages" }

  func path(ofImage image: ExportImage) -> String? { "Annotations/\(image.stem).xml" }

  func bytes(ofImage image: ExportImage) -> [UInt8] {
    guard let size = image.size else { return [] }
    var text = """
      <annotation>
        <folder>JPEGImages</folder>
        \(XMLText.element("filename", String(image.name)))
        <source>\(XMLText.element("database", Self.database))</source>
        <size><width>\(size.width)</width><height>\(size.height)</height><depth>3</depth></size>
        <segmented>0</segmented>

      """
    for object in image.objects {
      let box = object.box
      text += """
          <object>
            \(XMLText.element("name", dataset.classes[object.category].name))
            \(XMLText.element("pose", Self.text(object, "pose") ?? "Unspecified"))
            <truncated>\(Self.text(object, "truncated") ?? "0")</truncated>
        \(Self.text(object, "occluded").map { "    <occluded>\($0)</occluded>\n" } ?? "")\
        \(Self.further(object))\
            <difficult>\(Self.text(object, "difficult") ?? "0")</difficult>
            <bndbox><xmin>\(Int(box.x) + 1)</xmin><ymin>\(Int(box.y) + 1)</ymin>\
        <xmax>\(Int(box.x + box.width))</xmax><ymax>\(Int(box.y + box.height))</ymax></bndbox>
          </object>

        """
    }
    return Array((text + "</annotation>\n").utf8)
  }

  /// The marks that have an element of their own.
  private static let marks: Set<String> = ["difficult", "occluded", "pose", "truncated"]

  /// Other attributes, in the form of CVAT and Datumaro.
  private static func further(_ object: ExportObject) -> String {
    let others = object.attributes.filter { !marks.contains($0.name) }
    guard !others.isEmpty else { return "" }
    let texts = others.map { attribute in
      "<attribute>\(XMLText.element("name", attribute.name))"
        + "<value>\(text(attribute.value))</value></attribute>"
    }
    return "    <attributes>\(texts.joined())</attributes>\n"
  }

  private static func text(_ object: ExportObject, _ name: String) -> String? {
    object.attributes.first { $0.name == name }.map { text($0.value) }
  }

  private static func text(_ value: JSONValue) -> String {
    switch value {
    case .bool(let value): value ? "1" : "0"
    case .string(let value): XMLText.escaped(value)
    default: value.text()
    }
  }

  var tables: [ExportTable] {
    dataset.splits.enumerated().compactMap { place, split in
      guard split.name != nil else { return nil }
      return ExportTable(
        path: "ImageSets/Main/\(split.folder).txt", split: place,
        sections: [.init("", separator: "", needsObjects: false)])
    }
  }

  func rows(_ image: ExportImage, table: Int, section: Int) -> [UInt8] {
    Array("\(image.stem)\n".utf8)
  }
}
