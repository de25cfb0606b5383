import AssayCore

/// The annotations of the original LabelMe tool: one XML file per image with polygons, boxes and
/// masks.
///
/// Key and location of a sample: its image's path.
struct LabelMeXMLImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .labelMe }

  package var summary: String { "LabelMe XML: polygons, boxes and masks in one file per image" }

  package var recognizedBy: String {
    "XML files whose root is annotation with polygons of pt, segm, deleted or imagesize, in "
      + "Annotations/ beside Images/, or beside the images"
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    guard !tree.isSingleFile else {
      return .noMatch("it is a single file; to import a LabelMe dataset, name its folder")
    }
    let inventory = try VOCInventory(tree)
    let kinds = inventory.kinds()
    let known = kinds.filter { $0.kind == .labelMe }
    guard let first = known.first, 2 * known.count >= kinds.count else {
      return .noMatch(
        kinds.first.map { "\(inventory.files[$0.index]) is XML, but not LabelMe's" }
          ?? "it has no .xml file")
    }
    return .match("\(inventory.files[first.index]) is an annotation of the LabelMe tool")
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let layout = try LabelMeXMLLayout(tree)
    guard !layout.items.isEmpty else { return nil }
    return try Companions(
      layout.unread, in: tree, isKnownOnly: true,
      datasets: layout.examples.map { ($0, "LabelMe annotations (XML)") })
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    guard !tree.isSingleFile else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: try probe(tree).reason)
    }
    try options.refuse([.size, .classes], for: format)
    let source = LabelMeXMLSource(try LabelMeXMLLayout(tree))
    guard !source.items.isEmpty else {
      throw FormatError.mismatch(
        name: tree.name, format: format, reason: "it has no annotation of the LabelMe tool (.xml)")
    }
    var pass = try RegionImport(tree, source, options)
    var finished = try pass.run(deliver)
    let deleted = source.deleted.count
    if deleted > 0 {
      finished.notes.append(
        "\(deleted) \(deleted == 1 ? "object is" : "objects are") marked as deleted and not imported"
      )
    }
    return finished
  }
}
