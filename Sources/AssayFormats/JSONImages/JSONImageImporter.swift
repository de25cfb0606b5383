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
    if let repeated = plan.repeated {
      throw repeated.error(tree.name, format) { plan.files[$0].path }
    }
    let declared = try declareClasses(in: &plan)
    var pass = try RegionImport(tree, JSONImageSource(plan: plan), options)
    var unlisted = UnlistedClasses()
    var finished = try pass.run { batch in
      if !declared.isEmpty { unlisted.add(batch) }
      try deliver(batch)
    }
    try images.finish()
    finished.notes += plan.notes + declared + [unlisted.note].compactMap(\.self) + images.notes
    return finished
  }
}

/// The classes of annotations that the list of classes beside the files does not have.
private struct UnlistedClasses {
  /// The number of classes of the list; `nil` before the first batch, which introduces them.
  private var listed: Int?
  private var names: [String] = []
  private var counts: [Int: Int] = [:]

  private static let shown = 8

  /// Counts the annotations of a batch.
  mutating func add(_ batch: ImportedBatch) {
    names += batch.newCategories.map(\.name)
    let listed = listed ?? names.count
    self.listed = listed
    for annotation in batch.annotations where annotation.category >= listed {
      counts[annotation.category, default: 0] += 1
    }
  }

  /// A note with the names and counts; `nil` if the list has all classes.
  var note: String? {
    guard !counts.isEmpty else { return nil }
    let found = counts.map { (name: names[$0.key], count: $0.value) }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    let shown = found.prefix(Self.shown).map { "\($0.name): \($0.count)" }.joined(separator: ", ")
    let objects = found.reduce(0) { $0 + $1.count }
    return "\(Counted.text(found.count, "class", "classes")) of "
      + "\(Counted.text(objects, "object", "objects")) \(found.count == 1 ? "is" : "are") not in the list "
      + "and \(found.count == 1 ? "comes" : "come") after its classes (\(shown)"
      + "\(found.count > Self.shown ? ", …" : ""))"
  }
}
