package import AssayCore

/// Augmented manifests of SageMaker Ground Truth: boxes and classes of images (`ground-truth`), or sets
/// of labels (`ground-truth-labels`). A multi-label dataset has no regions, so these are two datasets.
///
/// Key and location of a sample: its image's path. Source: Amazon SageMaker AI Developer Guide, "Labeling
/// job output data".
package struct GroundTruthImporter: DatasetImporter {
  private let withLabels: Bool

  /// - Parameter withLabels: whether sets of labels are read, or boxes and classes.
  package init(withLabels: Bool) { self.withLabels = withLabels }

  package var format: DatasetFormat { withLabels ? .groundTruthLabels : .groundTruth }

  package var summary: String {
    withLabels
      ? "SageMaker Ground Truth manifests with sets of labels"
      : "SageMaker Ground Truth manifests: boxes, or one label per image"
  }

  package var recognizedBy: String {
    withLabels
      ? "the same lines, with lists of class numbers and no boxes or single classes"
      : "output.manifest (.manifest, .jsonl): lines of JSON with source-ref, and a label attribute with "
        + "its -metadata, alone (--images DIR) or in a folder with the images"
  }

  package var readsJSON: Bool { true }

  package func someImageNames(in tree: any SourceTree) throws -> [String] {
    guard tree.isSingleFile else { return [] }
    return try GroundTruthFiles(tree).manifests.flatMap { manifest in
      let names = LabelStudioName.path(of: manifest.first.source)
      return names + names.map(JSONImageFinder.last)
    }
  }

  package func probe(_ tree: any SourceTree) throws -> Probe {
    let files = try GroundTruthFiles(tree)
    guard let first = files.manifests.first else {
      return .noMatch(
        tree.isSingleFile
          ? "it has no line with 'source-ref' and a label attribute with its metadata"
          : "it has no .manifest or .jsonl file whose lines have 'source-ref' and labels")
    }
    guard files.format == format else {
      return .noMatch("its manifest is read as \(files.format.rawValue)")
    }
    return .match("\(first.file.path) is a manifest of SageMaker Ground Truth")
  }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    guard !tree.isSingleFile else { return nil }
    let files = try GroundTruthFiles(tree)
    guard !files.manifests.isEmpty else { return nil }
    let read = Set(files.manifests.map(\.file.path))
    let unread = Companions.candidates(try tree.files()).filter { !read.contains($0.path) }
    return try Companions(
      unread.filter { Companions.kind(of: $0, in: tree) != .groundTruth }, in: tree,
      isKnownOnly: true,
      datasets: read.sorted().prefix(1).map { ($0, CompanionKind.groundTruth.name) })
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size, .classes], for: format)
    guard options.labelSeparator == nil else {
      throw FormatError.unusedOption("--label-separator", format: format)
    }
    let files = try GroundTruthFiles(tree)
    guard !files.manifests.isEmpty else {
      throw FormatError.mismatch(name: tree.name, format: format, reason: try probe(tree).reason)
    }
    let layout = try GroundTruthLayout(files, tree, as: format, images: options.images)
    guard layout.manifests.contains(where: { $0.regions != nil || $0.label != nil }),
      !layout.items.isEmpty
    else {
      let reason = layout.issues.first { $0.kind == .unsupportedField } ?? layout.issues.first
      throw FormatError.mismatch(
        name: tree.name, format: format,
        reason: "its manifest has nothing that is read"
          + (reason.map { ": \($0.location): \($0.message)" } ?? ""))
    }
    let source = GroundTruthSource(layout, in: tree, as: format)
    var pass = try RegionImport(tree, source, options)
    var finished = try pass.run(deliver)
    if withLabels { finished.lists = nil } else { finished.lists?.annotationsRead += layout.lost }
    finished.notes += layout.notes + source.tally.notes
    return finished
  }
}
