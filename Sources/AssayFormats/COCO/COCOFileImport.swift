import AssayCore
import CSimdJSON

/// An importer of one of the formats of ``COCOFileImport``.
protocol COCOFileImporter: DatasetImporter {}

extension COCOFileImporter {
  package func probe(_ tree: any SourceTree) throws -> Probe { try files.probe(tree) }

  package func companions(in tree: any SourceTree) throws -> Companions? {
    try files.companions(in: tree)
  }

  package func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try files.run(tree, options, deliver: deliver)
  }

  private var files: COCOFileImport { COCOFileImport(format: format) }
}

/// The import of JSON files of COCO's family as one of its formats: ``DatasetFormat/coco``,
/// ``DatasetFormat/cocoLabels`` or ``DatasetFormat/lvis``.
struct COCOFileImport {
  let format: DatasetFormat

  func probe(_ tree: any SourceTree) throws -> Probe {
    try Self.probes(tree)[format] ?? .noMatch("it is not read as \(format.rawValue)")
  }

  /// The results for all formats of the family. Files are looked at once: for some of them, the
  /// whole file must be read.
  static func probes(_ tree: any SourceTree) throws -> [DatasetFormat: Probe] {
    let layout = try COCOLayout(tree, imagesApart: false)
    let problem =
      layout == nil && !tree.isSingleFile
      ? JSONFileProblem.first(in: try tree.files(), of: tree) : nil
    var probes: [DatasetFormat: Probe] = [:]
    for format in DatasetFormat.allCases where format.isCOCO {
      guard let layout else {
        probes[format] = .noMatch(
          tree.isSingleFile
            ? "it is not a JSON object with 'images' and 'annotations'"
            : problem ?? "it has no JSON with 'images' and 'annotations'")
        continue
      }
      probes[format] =
        layout.format == format
        ? .match(layout.detected) : .noMatch("its JSON is read as \(layout.format.rawValue)")
    }
    return probes
  }

  func companions(in tree: any SourceTree) throws -> Companions? {
    guard let layout = try COCOLayout(tree, imagesApart: false, as: format), !layout.parts.isEmpty
    else { return nil }
    let parts = layout.parts.map(\.file.path)
    let read = Set(parts + layout.others.map(\.file.path))
    let unread = Companions.candidates(try tree.files()).filter {
      !read.contains($0.path) && !Self.listsNothing($0, in: tree)
    }
    return try Companions(
      unread, in: tree, isKnownOnly: true,
      datasets: layout.parts.map { ($0.file.path, kind(of: $0.content)) },
      kin: layout.others.map(\.file))
  }

  /// Returns whether a JSON has a list of images without any, and no annotations.
  private static func listsNothing(_ file: SourceFile, in tree: any SourceTree) -> Bool {
    guard file.path.hasSuffix(ignoringCase: ".json"),
      let outline = try? JSONOutline(tree, file.path), outline.problem == nil,
      let images = outline["images"], images.isArray
    else { return false }
    return [images, outline["annotations"]].compactMap(\.self).allSatisfy { list in
      list.isArray && list.batches.allSatisfy { $0.count == 0 }
    }
  }

  /// The kind of a file in a list of datasets.
  private func kind(of content: COCOContent) -> String {
    if format == .lvis { return CompanionKind.lvis.name }
    return switch content {
    case .captions: CompanionKind.cocoCaptions.name
    case .panoptic: CompanionKind.cocoPanoptic.name
    default: CompanionKind.coco.name
    }
  }

  func run(
    _ tree: any SourceTree, _ options: ImportOptions, deliver: (ImportedBatch) throws -> Void
  ) throws -> FinishedImport {
    try options.refuse([.size, .classes], for: format)
    guard let layout = try COCOLayout(tree, imagesApart: options.images != nil, as: format) else {
      throw FormatError.mismatch(
        name: tree.name, format: format, reason: try probe(tree).reason)
    }
    guard !layout.parts.isEmpty else {
      // For an invalid file, that error is reported first.
      if tree.isSingleFile { _ = try JSONOutline(tree, layout.others[0].file.path) }
      throw nothingToImport(layout, tree)
    }
    let hash = tree.isSingleFile ? FileHash(tree, layout.parts[0].file.path) : nil
    defer { hash?.cancel() }
    var run = try COCOImportPass(tree, layout, options)
    try run.start(deliver)
    for part in layout.parts { try run.read(part, deliver) }
    try run.finish(deliver)
    var finished = FinishedImport(
      outcome: run.outcome, contentHash: try hash?.result(), lists: run.lists)
    finished.notes = run.notes
    finished.jsonFiles = Set((layout.parts.map(\.file) + layout.others.map(\.file)).map(\.path))
    return finished
  }

  private func nothingToImport(_ layout: COCOLayout, _ tree: any SourceTree) -> FormatError {
    let list = layout.others.prefix(4).map { "\($0.file.path) \($0.reason)" }
      .joined(separator: "; ")
    let hint =
      tree.isSingleFile
      ? "" : "; PATH:image-folder --ignore-companions imports the images alone"
    return .notCOCO(tree.name, problem: "nothing that \(format.rawValue) reads: \(list)\(hint)")
  }
}
