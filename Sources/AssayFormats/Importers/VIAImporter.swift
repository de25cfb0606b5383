package import AssayCore

/// The annotations of the VGG Image Annotator, versions 1 and 2: JSON or CSV.
///
/// Key and location of a sample: its image's path.
package struct VIAImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .via }

  package var summary: String {
    "VGG Image Annotator (VIA 1, 2) JSON or CSV: boxes, polygons, circles, ellipses, lines, points"
  }

  package var recognizedBy: String {
    "a JSON project with '_via_img_metadata', its region data alone (members with 'filename' and "
      + "'regions'), or a CSV with the columns filename, region_shape_attributes and "
      + "region_attributes; alone (--images DIR) or in a folder with the images"
  }

  package var readsJSON: Bool { true }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    let json = try JSONImageFiles.probe(VIAJSON(isTable: false), tree)
    if json.isMatch { return json }
    let tables = try VIATableTree.tables(in: tree)
    guard let first = tables.first else { return json }
    return .match(
      tree.isSingleFile ? "its columns are those of VIA" : "\(first.path) has the columns of VIA")
  }

  package func someImageNames(in tree: any SourceTree) throws -> [String] {
    guard tree.isSingleFile, let file = try tree.files().first else { return [] }
    let images = VIAJSON(isTable: false)
    if let sample = JSONSample(tree, file), let layout = images.layout(of: sample) {
      return JSONImageFiles.someNames(images, sample, layout)
    }
    return try VIATableTree.tables(in: tree).isEmpty
      ? [] : VIATableTree.someImageNames(tree, file)
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    if try JSONImageFiles.probe(VIAJSON(isTable: false), tree).isMatch {
      return try JSONImageFiles.companions(VIAJSON(isTable: false), tree)
    }
    let tables = try VIATableTree.tables(in: tree).map(\.path)
    let unread = Companions.candidates(try tree.files()).filter { !tables.contains($0.path) }
    return try Companions(
      unread, in: tree, isKnownOnly: true, datasets: tables.map { ($0, "VIA annotations (CSV)") })
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size], for: format)
    let isTable =
      try !JSONImageFiles.probe(VIAJSON(isTable: false), tree).isMatch
      && !VIATableTree.tables(in: tree).isEmpty
    let images = VIAJSON(isTable: isTable)
    var plan: JSONImagePlan<VIAJSON>
    if isTable {
      let tables = try VIATableTree(tree)
      plan = try JSONImagePlan(images, tables, options, files: tables.lists)
    } else {
      plan = try JSONImagePlan(images, tree, options)
    }
    guard plan.items.contains(where: { $0.problem < 0 }) else {
      let problem = plan.problems.first.map(\.text) ?? plan.issues.first?.message
      throw FormatError.mismatch(
        name: tree.name, format: format,
        reason: "no file names an image as VIA does" + (problem.map { " (\($0))" } ?? ""))
    }
    let choice = try images.attributes.choose(options.classes, name: tree.name)
    plan.declare(choice.classes.map { Category(name: $0) })
    var pass = try RegionImport(tree, JSONImageSource(plan: plan), options)
    var finished = try pass.run(deliver)
    finished.notes += plan.notes + [choice.note].compactMap(\.self)
    return finished
  }
}
