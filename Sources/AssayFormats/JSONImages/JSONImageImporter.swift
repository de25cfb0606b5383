import AssayCore

/// An importer of a ``JSONImageFormat``.
protocol JSONImageImporter: DatasetImporter {
  associatedtype Images: JSONImageFormat

  /// The format for one import.
  func images() -> Images

  /// The format for one import with options.
  func images(_ options: ImportOptions) -> Images

  /// Declares the classes that a file beside the JSON files lists.
  ///
  /// - Returns: notes about them, one sentence each without a period.
  /// - Throws: ``FormatError``; any error that the plan's tree throws.
  func declareClasses(in plan: inout JSONImagePlan<Images>) throws -> [String]
}

extension JSONImageImporter {
  package var readsJSON: Bool { true }

  func images(_ options: ImportOptions) -> Images { images() }

  func declareClasses(in plan: inout JSONImagePlan<Images>) throws -> [String] { [] }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    try JSONImageFiles.probe(images(), tree)
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    return try JSONImageFiles.companions(images(), tree)
  }

  package func someImageNames(in tree: any SourceTree) throws -> [String] {
    guard tree.isSingleFile, let file = try tree.files().first, let sample = JSONSample(tree, file),
      let layout = images().layout(of: sample)
    else { return [] }
    return JSONImageFiles.someNames(images(), sample, layout)
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try runJSON(tree, options, deliver: deliver)
  }

  /// Reads the JSON files of a source.
  ///
  /// - Throws: the errors of ``DatasetImporter/run(_:_:deliver:)``.
  func runJSON(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size, .classes], for: format)
    let images = images(options)
    var plan = try JSONImagePlan(images, tree, options)
    guard plan.items.contains(where: { $0.problem < 0 }) else {
      let problem = plan.problems.first.map(\.text) ?? plan.issues.first?.message
      throw FormatError.mismatch(
        name: tree.name, format: format,
        reason: "no JSON file names an image as a \(images.title) does"
          + (problem.map { " (\($0))" } ?? ""))
    }
    let declared = try declareClasses(in: &plan)
    var pass = try RegionImport(tree, JSONImageSource(plan: plan), options)
    var finished = try pass.run(deliver)
    try images.finish()
    finished.notes += plan.notes + declared + images.notes
    return finished
  }
}
