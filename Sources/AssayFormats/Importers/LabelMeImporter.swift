package import AssayCore

/// The annotations of LabelMe: the JSON of labelme, one file per image, or the XML of the original
/// LabelMe tool.
///
/// Key and location of a sample: its image's path.
package struct LabelMeImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .labelMe }

  package var summary: String { "LabelMe JSON or XML: polygons, boxes, lines, points and masks" }

  package var recognizedBy: String {
    "one JSON per image with 'shapes' and 'imagePath', beside the image or in another folder; or XML "
      + "files whose root is annotation with polygons of pt, segm, deleted or imagesize"
  }

  package var readsJSON: Bool { LabelMeJSONImporter().readsJSON }

  package func someImageNames(in tree: any SourceTree) throws -> [String] {
    try LabelMeJSONImporter().someImageNames(in: tree)
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    let json = try LabelMeJSONImporter().probe(tree)
    if json.isMatch || tree.isSingleFile { return json }
    let xml = try LabelMeXMLImporter().probe(tree)
    return xml.isMatch ? xml : .noMatch("\(json.reason), and \(xml.reason)")
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    try reader(of: tree).companions(in: tree)
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try reader(of: tree).run(tree, options, deliver: deliver)
  }

  /// The importer of the kind of files that a tree has.
  private func reader(of tree: any SourceTree) throws -> any DatasetImporter {
    if !tree.isSingleFile, try !LabelMeJSONImporter().probe(tree).isMatch,
      try LabelMeXMLImporter().probe(tree).isMatch
    {
      return LabelMeXMLImporter()
    }
    return LabelMeJSONImporter()
  }
}

/// The JSON of labelme.
struct LabelMeJSONImporter: JSONImageImporter {
  package var format: DatasetFormat { .labelMe }

  package var summary: String { "LabelMe JSON: polygons, boxes, circles, lines, points and masks" }

  package var recognizedBy: String {
    "one JSON per image with 'shapes' and 'imagePath', beside the image or in another folder; "
      + "splits from the folders"
  }

  func images() -> LabelMeJSON { LabelMeJSON() }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    return try JSONImageFiles.companions(
      images(), tree, known: LabelMeNames.files(in: tree).isEmpty ? [] : [LabelMeNames.name])
  }

  func declareClasses(in plan: inout JSONImagePlan<LabelMeJSON>) throws -> [String] {
    let lists = try LabelMeNames.files(in: plan.tree)
    guard !lists.isEmpty else { return [] }
    var names: [String] = []
    var seen: Set<String> = []
    for list in lists {
      names += try LabelMeNames.read(plan.tree, list).filter { seen.insert($0).inserted }
    }
    plan.declare(names.map { Category(name: $0) })
    return [
      "the classes are in the order of \(lists[0])"
        + (lists.count == 1 ? "" : " and \(lists.count - 1) more files of this name")
    ]
  }
}
