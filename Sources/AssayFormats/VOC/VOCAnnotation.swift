import AssayCore

/// Reads the XML files of Pascal VOC.
enum VOCAnnotation {
  /// The maximum size of a file in bytes: 16 MiB.
  static let byteLimit = 1 << 24
  /// The maximum number of elements of a file.
  static let elementLimit = 500_000

  /// The root element of a file.
  ///
  /// - Throws: ``XMLProblem`` if it is not well-formed or exceeds a limit; any error that the tree
  ///   throws.
  static func root(_ file: SourceFile, in tree: any SourceTree) throws -> XMLElement {
    guard file.size <= byteLimit else {
      throw SourceReadError.tooLarge(path: file.path, limit: byteLimit)
    }
    return try XMLTree.read(try tree.readAll(file.path, limit: byteLimit), limit: elementLimit)
  }

  /// Returns whether a document is Pascal VOC's, and not one of the LabelMe tool, which has the same
  /// root.
  static func isVOC(_ root: XMLElement) -> Bool {
    guard root.name == "annotation", root.first("imagesize") == nil else { return false }
    return !root.children.contains { child in
      child.name == "object"
        && child.children.contains { ["segm", "deleted"].contains($0.name) }
    }
  }

  /// The number of objects and parts of a document.
  static func count(in root: XMLElement) -> Int {
    root.children.reduce(0) { count, child in
      child.name == "object" ? count + 1 + child.all("part").count : count
    }
  }

  /// The number of boxes and outlines in elements other than `object`, such as those of FAIR1M's `objects`, and the
  /// first of these elements; `nil` if there are none.
  static func foreignObjects(in root: XMLElement) -> (count: Int, holder: XMLElement)? {
    let holders = root.children.filter { $0.name != "object" && $0.name != "size" }
    let counts = holders.map { (count: boxes(in: $0), holder: $0) }.filter { $0.count > 0 }
    return counts.first.map { (counts.reduce(0) { $0 + $1.count }, $0.holder) }
  }

  private static func boxes(in element: XMLElement) -> Int {
    if ["bndbox", "robndbox", "points", "polygon"].contains(element.name.lowercased()) { return 1 }
    return element.children.reduce(0) { $0 + boxes(in: $1) }
  }

  /// The coordinates of a document's boxes.
  static func coordinates(of root: XMLElement, _ labelMap: VOCLabelMap?) -> VOCCoordinates {
    let database = root.first("source")?.text(of: "database")?.lowercased() ?? ""
    if database.hasPrefix("roboflow") { return .roboflow }
    if root.first("owner")?.text(of: "name") == "Label Studio" { return .labelStudio }
    // assay writes a label map, and the devkit's boxes.
    if database == VOCWriter.database { return .voc }
    return labelMap?.hasFields == true ? .datumaro : .voc
  }
}
