package import AssayCore

/// The annotations of the VGG Image Annotator, versions 1 to 3: JSON or CSV.
///
/// Key and location of a sample: its image's path.
package struct VIAImporter: DatasetImporter {
  package init() {}

  package var format: DatasetFormat { .via }

  package var summary: String {
    "VGG Image Annotator (VIA 1, 2, 3) JSON or CSV: boxes, polygons, circles, ellipses, lines, points"
  }

  package var recognizedBy: String {
    "a JSON project with '_via_img_metadata', its region data alone (members with 'filename' and "
      + "'regions'), a VIA 3 project (project, attribute, file, metadata, view), or a CSV with the "
      + "columns filename, region_shape_attributes and region_attributes; alone (--images DIR) or in "
      + "a folder with the images"
  }

  package var readsJSON: Bool { true }

  /// A source in the form that ``VIAJSON`` reads.
  private struct Source {
    var form: VIAJSON.Form
    var tree: any SourceTree
    /// The files with annotations; `nil` for all JSON files.
    var files: [SourceFile]?

    /// - Parameter isComplete: whether all files of VIA 3 are needed, or some of them.
    init(_ tree: any SourceTree, isComplete: Bool) throws {
      (form, self.tree) = (.metadata, tree)
      guard try !JSONImageFiles.probe(VIAJSON(form: .metadata), tree).isMatch else { return }
      let projects = try VIAProjects.files(in: tree, isComplete: isComplete)
      if !projects.isEmpty {
        let images = try VIAProjects.asImages(tree, projects)
        (form, self.tree) = (.project, images)
      } else if try !VIATables.tables(in: tree).isEmpty {
        let lists = try VIATables.asLists(tree)
        (form, self.tree, files) = (.table, lists, try lists.replaced)
      }
    }
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    let json = try JSONImageFiles.probe(VIAJSON(form: .metadata), tree)
    if json.isMatch { return json }
    let projects = try VIAProjects.files(in: tree, isComplete: false)
    if !projects.isEmpty {
      return try JSONImageFiles.probe(
        VIAJSON(form: .project), VIAProjects.asImages(tree, projects))
    }
    let tables = try VIATables.tables(in: tree)
    guard let first = tables.first else { return json }
    return .match(
      tree.isSingleFile ? "its columns are those of VIA" : "\(first.path) has the columns of VIA")
  }

  package func someImageNames(in tree: any SourceTree) throws -> [String] {
    guard tree.isSingleFile, let file = try tree.files().first else { return [] }
    guard try VIATables.tables(in: tree).isEmpty else {
      return try VIATables.someImageNames(tree, file)
    }
    let source = try Source(tree, isComplete: true)
    let images = VIAJSON(form: source.form)
    guard let read = try source.tree.files().first, let sample = JSONSample(source.tree, read),
      let layout = images.layout(of: sample)
    else { return [] }
    return JSONImageFiles.someNames(images, sample, layout)
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let source = try Source(tree, isComplete: true)
    guard source.form == .table else {
      return try JSONImageFiles.companions(VIAJSON(form: source.form), source.tree)
    }
    let tables = (source.files ?? []).map(\.path)
    let unread = Companions.candidates(try tree.files()).filter { !tables.contains($0.path) }
    return try Companions(
      unread, in: tree, isKnownOnly: true, datasets: tables.map { ($0, "VIA annotations (CSV)") })
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size], for: format)
    let source = try Source(tree, isComplete: true)
    let images = VIAJSON(form: source.form)
    var plan = try JSONImagePlan(images, source.tree, options, files: source.files)
    guard plan.items.contains(where: { $0.problem < 0 }) else {
      let problem = plan.problems.first.map(\.text) ?? plan.issues.first?.message
      throw FormatError.mismatch(
        name: tree.name, format: format,
        reason: "no file names an image as VIA does" + (problem.map { " (\($0))" } ?? ""))
    }
    if let repeated = plan.repeated {
      throw repeated.error(tree.name, format) { plan.files[$0].path }
    }
    let choice = try images.attributes.choose(options.classes, name: tree.name)
    let ids = images.form == .project ? images.attributes.classIDs : [:]
    plan.declare(
      choice.classes.map { name in
        Category(name: name, sourceID: ids[name].map { .text($0) })
      })
    var pass = try RegionImport(tree, JSONImageSource(plan: plan), options)
    var finished = try pass.run(deliver)
    finished.notes += plan.notes + [choice.note].compactMap(\.self)
    return finished
  }
}
