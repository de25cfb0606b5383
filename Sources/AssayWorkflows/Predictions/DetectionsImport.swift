import AssayCore
import AssayFormats
package import AssayStore
import Foundation

/// Creates a run from the detections in a COCO results file.
package struct DetectionsImport {
  private let catalog: Catalog
  private let programVersion: String
  private let progress: any ProgressSink

  package init(
    catalog: Catalog, programVersion: String, progress: any ProgressSink = NoProgress()
  ) {
    self.catalog = catalog
    self.programVersion = programVersion
    self.progress = progress
  }

  /// The number of samples that are processed and stored at a time.
  private static let chunk = 256

  /// Returns whether a file looks like COCO results: its first character opens a list or an object.
  ///
  /// - Throws: ``SourceError`` if the file cannot be read.
  package static func isResults(_ path: String) throws -> Bool {
    let tree = try DirectoryTree(path)
    guard tree.isSingleFile else { return false }
    let lower = tree.name.lowercased()
    if lower.hasSuffix(".json") || lower.hasSuffix(".json.gz") { return true }
    var head = [UInt8](repeating: 0, count: 256)
    let count = try head.withUnsafeMutableBytes { try tree.read(tree.name, at: 0, into: $0) }
    // Skips a byte order mark and whitespace.
    let first = head[..<count].first { ![0xEF, 0xBB, 0xBF, 0x20, 0x09, 0x0A, 0x0D].contains($0) }
    return first == UInt8(ascii: "[") || first == UInt8(ascii: "{")
  }

  /// Imports a results file for the samples of a view; the run is created completely or not at all.
  ///
  /// All samples of the view are in the run: those that are not in the file have no detection, and
  /// their objects count as missed, as in COCO's evaluation.
  ///
  /// If the dataset has no classes, the classes are those named in the results (`category_name`).
  ///
  /// - Throws: ``PredictionsError``, `FormatError`, ``SourceError``, `StoreError`, ``Interrupted``.
  package func run(_ path: String, name: String, view: String) throws -> DetectionsImportSummary {
    let source = try ImportSource(path, view: view, in: catalog)
    let (tree, selection, samples) = (source.tree, source.selection, source.samples)
    var taxonomy = source.taxonomy
    let results = try COCOResultsReader(
      tree, workers: ProcessInfo.processInfo.activeProcessorCount
    ).read(progress: { fraction in
      try Interruption.check("nothing was stored")
      progress.report(fraction / 2, "reading \(tree.name)")
    })
    if taxonomy.categories.isEmpty {
      taxonomy = try Self.namedClasses(results, tree, dataset: selection.dataset.name)
    }
    let join = try ResultsJoin(results, samples, taxonomy, view: view)
    try Self.checkNames(tree, samples, taxonomy)
    let draft = try draft(
      name, selection, samples, taxonomy, results.recipe, tree)
    var collected = ImportedHealth(results, join, samples: samples.count)
    let earlier = try catalog.findRun(matching: draft, selection.dataset)
    let isNew = earlier.map { $0.done < $0.total } ?? true
    let run = try earlier ?? catalog.createRun(draft)
    let health: FileDetectionHealth
    do {
      try read(results, join, samples, into: isNew ? run : nil, &collected)
      health = try collected.finished { places in
        try catalog.regionCounts(of: places.map { samples[$0].id }).map { !$0.isEmpty }
      }
      if results.count > 0, health.usable == 0, collected.boxesLeftOut == 0 {
        throw PredictionsError.nothingUsable(
          tree.name, results: results.count,
          reason: collected.findings.findings(isWrapped: results.isWrapped).first?.text)
      }
    } catch {
      if isNew { _ = try? catalog.remove(.run, named: run.name) }
      throw error
    }
    return DetectionsImportSummary(
      run: try catalog.run(named: run.name), isNew: isNew, health: health,
      findings: collected.findings.findings(isWrapped: results.isWrapped),
      unknownImages: join.unknownImages.map { results.images[$0] },
      unknownCategories: join.unknownCategories.map { results.categories[$0] },
      hasRegions: results.first.hasRegion, hasKeypoints: results.first.hasKeypoints,
      boxesLeftOut: collected.boxesLeftOut,
      hasGroundTruth: try catalog.hasGroundTruth(for: .detection, in: selection.dataset))
  }

  /// Checks that the first results do not name other images and classes than their ids mean.
  ///
  /// - Throws: ``PredictionsError/otherImage(id:stated:known:)``, ``PredictionsError/otherCategory(id:stated:known:)``;
  ///   the errors of reading the file.
  private static func checkNames(
    _ tree: DirectoryTree, _ samples: [SampleRecord], _ taxonomy: Taxonomy
  ) throws {
    let stated = try COCOStatedNames(tree)
    if !stated.images.isEmpty {
      let names = Dictionary(
        samples.compactMap { sample in sample.sourceID.map { ($0, sample.key) } },
        uniquingKeysWith: { first, _ in first })
      if let odd = COCOStatedNames.contradiction(
        stated.images, names, form: { SampleKeyJoin.stem(of: $0).lowercased() })
      {
        throw PredictionsError.otherImage(id: odd.id, stated: odd.stated, known: odd.known)
      }
    }
    guard !stated.categories.isEmpty else { return }
    let names = Dictionary(
      taxonomy.categories.compactMap { category in category.sourceID.map { ($0, category.name) } },
      uniquingKeysWith: { first, _ in first })
    if let odd = COCOStatedNames.contradiction(
      stated.categories, names, form: { $0.lowercased() })
    {
      throw PredictionsError.otherCategory(id: odd.id, stated: odd.stated, known: odd.known)
    }
  }

  /// The classes named in the results, for a dataset without classes.
  ///
  /// - Throws: ``PredictionsError/noClassNames(_:dataset:)``,
  ///   ``PredictionsError/twoClassNames(_:_:_:)``; the errors of reading the file.
  private static func namedClasses(
    _ results: COCOResults, _ tree: DirectoryTree, dataset: String
  ) throws -> Taxonomy {
    guard !results.categories.isEmpty else { return Taxonomy([]) }
    let names = try COCOResultNames(tree, isWrapped: results.isWrapped)
    if let conflict = names.conflict {
      throw PredictionsError.twoClassNames(conflict.id, conflict.first, conflict.second)
    }
    let (categories, unnamed) = names.categories(
      results.categories.sorted { $0.precedes($1) })
    guard unnamed.isEmpty else {
      throw PredictionsError.noClassNames(Array(unnamed.prefix(5)), dataset: dataset)
    }
    return Taxonomy(categories)
  }

  private func draft(
    _ name: String, _ selection: Selection, _ samples: [SampleRecord], _ taxonomy: Taxonomy,
    _ recipe: DetectionRecipe, _ tree: DirectoryTree
  ) throws -> RunDraft {
    let settings = JSONValue.object(
      [
        .init("imported", .string(tree.name)), .init("sha256", .string(try tree.contentHash())),
      ] + recipe.members)
    let versions: JSONValue = ["assay": .string(programVersion)]
    return RunDraft(
      name: name, task: .detection, dataset: selection.dataset.id, view: selection.name,
      settings: settings.text(), versions: versions.text(), classes: taxonomy.names,
      samples: samples.map(\.id))
  }

  /// Adds the results of all samples to a run and checks them; `nil` to only check them.
  private func read(
    _ results: COCOResults, _ join: ResultsJoin, _ samples: [SampleRecord], into run: RunRecord?,
    _ health: inout ImportedHealth
  ) throws {
    var next = 0
    var done = 0
    try OrderedWorkers(workers: ProcessInfo.processInfo.activeProcessorCount).run(
      next: { () -> Range<Int>? in
        try Interruption.check("nothing was stored")
        guard next < samples.count else { return nil }
        defer { next = min(samples.count, next + Self.chunk) }
        return next..<min(samples.count, next + Self.chunk)
      },
      transform: { _, range in
        range.map { join.detections(of: samples[$0], at: $0, in: results) }
      },
      deliver: { (chunk: [ResultsJoin.SampleResults]) in
        if let run {
          try catalog.record(
            chunk.map { SampleDetections(sample: $0.sample, detections: $0.detections) },
            in: run.id)
        }
        for sample in chunk { health.add(sample) }
        done += chunk.count
        progress.report(0.5 + Double(done) / Double(2 * samples.count), "storing detections")
      })
  }
}

extension COCOResults {
  /// The evaluation settings of a run of these results.
  ///
  /// pycocotools decides by the file's first result whether the area of a region is that of its
  /// box.
  fileprivate var recipe: DetectionRecipe {
    DetectionRecipe(
      hasRegions: first.hasRegion,
      takesBoxArea: first.hasBox || first.hasKeypoints && !first.hasRegion,
      hasKeypoints: first.hasKeypoints)
  }
}
