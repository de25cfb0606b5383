package import AssayCore

/// Supervisely's projects of images: `meta.json`, `DATASET/ann/x.jpg.json`, `DATASET/img/x.jpg`.
///
/// Key and location of a sample: its image's path.
package struct SuperviselyImporter: JSONImageImporter {
  package init() {}

  package var format: DatasetFormat { .supervisely }

  package var summary: String {
    "Supervisely: boxes, polygons with holes, bitmaps, lines, points and tags"
  }

  package var recognizedBy: String {
    "one JSON per image with 'size', 'objects' and 'tags', such as ds/ann/x.jpg.json beside "
      + "ds/img/x.jpg; meta.json has the classes"
  }

  func images() -> SuperviselyJSON { SuperviselyJSON() }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size, .classes], for: format)
    let classes = tree.isSingleFile ? [] : try SuperviselyJSON.classes(in: tree)
    var plan = try JSONImagePlan(
      SuperviselyJSON(declared: Set(classes.map(\.name))), tree, options,
      files: SuperviselyJSON.files(in: tree))
    guard plan.items.contains(where: { $0.problem < 0 }) else {
      let problem = plan.problems.first.map(\.text) ?? plan.issues.first?.message
      throw FormatError.mismatch(
        name: tree.name, format: format,
        reason: "no JSON file describes an image as Supervisely does"
          + (problem.map { " (\($0))" } ?? ""))
    }
    plan.declare(classes)
    var pass = try RegionImport(tree, JSONImageSource(plan: plan), options)
    var finished = try pass.run(deliver)
    finished.notes += plan.notes
    return finished
  }
}
