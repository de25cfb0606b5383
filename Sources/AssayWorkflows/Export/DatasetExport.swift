import AssayCore
package import AssayFormats
package import AssayStore
import Foundation

/// The options of an export through a ``DatasetExporter``.
package struct DatasetExportRequest: Hashable, Sendable {
  package var format: ExportFormat
  package var variant: ExportVariant?
  package var images = ImageTransfer.copy
  /// The maximum number of images of an archive, at least 1, for formats with archives.
  package var shardSamples = Self.usualShardSamples

  /// The value of ``shardSamples`` without an option.
  package static let usualShardSamples = 10_000

  /// True if images can only be copied, because they are members of archives.
  package var isSharded: Bool { format.isSharded }
  package var changes = ClassChanges()
  /// The stuff classes of ``ExportFormat/cocoPanoptic``: texts that are a class's name, or several with
  /// commas between.
  package private(set) var stuff: [String] = []
  /// The change of the shapes of objects; `nil` for none.
  package var shapes: ShapeChoice?
  /// The run whose results are written beside the annotations; `nil` for none.
  package private(set) var run: String?
  /// The minimum score of these results; `nil` for all, and for labels of multi-label runs 0.5.
  package private(set) var minScore: Double?

  package init(_ format: ExportFormat) { self.format = format }

  /// - Returns: `nil` if there is no such format.
  package init?(formatNamed name: String) {
    guard let format = ExportFormat(rawValue: name) else { return nil }
    self.format = format
  }

  /// Chooses a variant of the format.
  ///
  /// - Returns: false if the format has no such variant.
  package mutating func setVariant(_ name: String) -> Bool {
    variant = format.variants.first { $0.rawValue == name }
    return variant != nil
  }

  /// Chooses the stuff classes.
  ///
  /// - Returns: false if the format does not tell things from stuff.
  package mutating func setStuff(_ names: [String]) -> Bool {
    stuff = names
    return names.isEmpty || format == .cocoPanoptic
  }

  /// Chooses the run whose results are written, for ``ExportFormat/labelStudio``.
  package mutating func setRun(_ name: String, minScore: Double?) {
    (run, self.minScore) = (name, minScore)
  }

  /// The spellings of all formats.
  package static var formatNames: [String] { ExportFormat.allCases.map(\.rawValue) }
}

/// The result of an export through a ``DatasetExporter``.
package struct DatasetExportSummary: Sendable {
  package let request: DatasetExportRequest
  package let scope: ExportScope
  package let folder: String
  package let survey: ExportSurvey
  /// The classes as written.
  package let classes: [String]
  /// The number of files, images and manifests included.
  package let files: Int
  /// The images whose file could not be written; their annotations were.
  package let leftOut: [LeftOutSample]
  /// The results of the run; `nil` without a run.
  package let predicted: WrittenPredictions?
  /// The result of reading it back; `nil` if that was not requested.
  package var verification: ExportVerification?
  let plan: ExportPlan

  /// The spelling of the format.
  package var formatName: String { request.format.rawValue }

  /// The file or folder to import, with its format; `nil` if this version cannot read it.
  package var source: String? {
    request.format.importFormat(request.variant).map { format in
      readPath + ":" + format.rawValue
        + (format == .csv ? " --columns \(ExportCheck.columns) --coordinates pixels" : "")
    }
  }

  /// The file or folder to import.
  var readPath: String {
    switch request.format {
    case .multiLabelCSV: folder + "/labels.csv"
    case .csv: folder + "/annotations.csv"
    default: folder
    }
  }
}

/// Exports samples in any format that has a ``DatasetExporter``: counts first what the format cannot
/// hold, then writes in chunks, and the manifest last.
package struct DatasetExport: Sendable {
  private let scope: ExportScope
  private let catalog: Catalog
  private let request: DatasetExportRequest
  private let workers: Int
  /// Further files that will be written after the export.
  private let laterFiles: [String]

  /// - Parameter laterFiles: further files that the caller will write into the folder.
  package init(
    _ scope: ExportScope, catalog: Catalog, _ request: DatasetExportRequest, workers: Int? = nil,
    laterFiles: [String] = []
  ) {
    self.laterFiles = laterFiles
    self.scope = scope
    self.catalog = catalog
    self.request = request
    self.workers = workers ?? max(1, ProcessInfo.processInfo.activeProcessorCount)
  }

  /// - Parameter announce: receives what the format cannot hold, before anything is written.
  /// - Throws: ``ExportError``, ``OutputError``, `StoreError`, `MaskError`, ``Interrupted``; any error
  ///   that `announce` throws.
  package func run(
    into folder: ExportFolder, announce: (ExportSurvey) throws -> Void = { _ in },
    progress: any ProgressSink = NoProgress()
  ) throws -> DatasetExportSummary {
    let dataset = scope.dataset
    if request.images != .copy, scope.samples.contains(where: { $0.location == nil }) {
      throw ExportError.noFilesToLink(dataset: dataset.name)
    }
    try folder.keepOff(sourceOf: dataset)
    let predictions = try request.run.map {
      try ExportPredictions($0, minScore: request.minScore, of: scope, catalog)
    }
    var mapping = try request.changes.applied(
      to: catalog.taxonomy(of: dataset.id).categories, of: dataset.name, canDropCrowds: true)
    let can = DatasetExporters.capabilities(of: request.format, request.variant)
    if can.joinsVoids { mapping.joinVoids() }
    try mapping.setStuff(request.stuff, of: dataset.name)
    let count = mapping.classes.count { !$0.isVoid }
    if let limit = can.classLimit, count > limit {
      throw ExportError.tooManyCategories(count, limit: limit)
    }
    if request.format == .multiLabelCSV {
      guard !mapping.classes.isEmpty else { throw ExportError.noClasses(dataset: dataset.name) }
      if let (name, reason) = MultiLabelCSVExporter.unreadable(mapping.classes.map(\.name)) {
        throw ExportError.unreadableClass(name, reason: reason)
      }
    }
    var facts = try ExportFacts(
      scope, catalog, gathersTracks: request.format == .cvat && request.shapes?.transform != .masks,
      progress)
    facts.hasPredictions = predictions != nil
    var plan = ExportPlan(
      scope, mapping, facts, format: request.format, variant: request.variant,
      transform: request.shapes?.transform)
    let survey = try ExportSurvey(
      &plan, catalog, checksFiles: request.images != .none, workers: workers, progress)
    guard survey.expected.images > 0 else {
      throw ExportError.nothingWritten(
        view: scope.view, format: request.format.rawValue,
        reasons: survey.losses.list.map { $0.kind.text($0.count) })
    }
    if plan.exporter.isSharded {
      let files = try? SortedFiles(DatasetRoot.tree(of: dataset).files())
      plan.makeShards(limit: max(1, request.shardSamples)) { sample in
        guard let location = sample.location else { return sample.size?.area ?? 0 }
        return files?.index(of: location).flatMap { files?.files[$0].size } ?? 0
      }
    }
    try announce(survey)
    return try write(plan, survey, predictions, folder, progress)
  }

  private func write(
    _ plan: ExportPlan, _ survey: ExportSurvey, _ predictions: ExportPredictions?,
    _ folder: ExportFolder, _ progress: any ProgressSink
  ) throws -> DatasetExportSummary {
    let exporter = plan.exporter
    let tables = exporter.tables
    let fixed = exporter.fixedFiles
    let kept = plan.samples.indices.filter { plan.firstObjects[$0] >= 0 }
    var names = tables.map(\.path) + fixed.map(\.path) + [ExportManifest.json]
    if scope.corrections != nil { names.append(ExportManifest.csv) }
    let images = try ownFiles(plan, kept)
    names += images
    if exporter.isSharded {
      names += plan.shards.map(\.path)
    } else if request.images != .none {
      names += kept.filter { plan.hasFiles[$0] }.map { plan.paths[$0] }
    }
    try folder.begin(names + laterFiles)
    // The manifest is written last: a folder without one is incomplete.
    for name in [ExportManifest.json] + laterFiles { try folder.remove(name) }
    for file in fixed { try folder.write(file.path, file.bytes) }
    var predicted = predictions.map { _ in WrittenPredictions() }
    for (number, table) in tables.enumerated() {
      let found = try write(table, number, plan, predictions, folder, progress)
      predicted?.add(found)
    }
    var leftOut: [LeftOutSample] = []
    if exporter.isSharded {
      leftOut = try writeShards(plan, folder, progress)
    } else if request.images != .none || !images.isEmpty {
      leftOut = try writeFiles(plan, kept, folder, hasOwn: !images.isEmpty, progress)
    }
    try writeManifest(plan, kept, leftOut, folder)
    return DatasetExportSummary(
      request: request, scope: scope, folder: folder.path, survey: survey,
      classes: plan.dataset.classes.map(\.name),
      files: names.count - (exporter.isSharded ? 0 : leftOut.count),
      leftOut: leftOut, predicted: predicted, plan: plan)
  }

  /// The files that belong to one image each.
  private func ownFiles(_ plan: ExportPlan, _ kept: [Int]) throws -> [String] {
    guard let first = kept.first,
      plan.exporter.path(
        ofImage: ExportImage(number: 0, path: plan.paths[first], split: 0, size: nil)) != nil
    else { return [] }
    return kept.compactMap { index in
      plan.exporter.path(
        ofImage: ExportImage(
          number: index, path: plan.paths[index], split: plan.split(of: index), size: nil))
    }
  }

  private static let interrupted =
    "the folder is not complete; run the same command to start again"

  /// Writes a file that contains several images.
  ///
  /// - Returns: the results of the run.
  private func write(
    _ table: ExportTable, _ number: Int, _ plan: ExportPlan, _ predictions: ExportPredictions?,
    _ folder: ExportFolder, _ progress: any ProgressSink
  ) throws -> WrittenPredictions {
    var predicted = WrittenPredictions()
    let whole = table.split.map { plan.ranges[$0] } ?? 0..<plan.samples.count
    let catalog = catalog
    try folder.stream(table.path) { append in
      for (place, section) in table.sections.enumerated() {
        try append(section.opening)
        let range = section.images.map { $0.clamped(to: whole) } ?? whole
        var start = range.lowerBound
        var isFirst = true
        try OrderedWorkers(workers: workers).run(
          next: { () -> Range<Int>? in
            try Interruption.check(Self.interrupted)
            guard start < range.upperBound else { return nil }
            defer { start += ExportPlan.chunk }
            return start..<min(start + ExportPlan.chunk, range.upperBound)
          },
          transform: { _, range -> (bytes: [UInt8], end: Int, found: WrittenPredictions) in
            var bytes: [UInt8] = []
            var losses = ExportLosses()
            var found = WrittenPredictions()
            var images = try plan.images(range, catalog, objects: section.needsObjects)
            try predictions?.fill(&images, range.map { plan.samples[$0] })
            for image in images where plan.firstObjects[image.number] >= 0 {
              guard let fitted = plan.fitting.fit(image, &losses) else { continue }
              let row = try plan.exporter.rows(fitted, table: number, section: place)
              guard !row.isEmpty else { continue }
              if predictions != nil { found.add(fitted.prediction) }
              if !bytes.isEmpty { bytes += section.separator }
              bytes += row
            }
            return (bytes, range.upperBound, found)
          },
          deliver: { part in
            predicted.add(part.found)
            if !part.bytes.isEmpty {
              try append((isFirst ? [] : section.separator) + part.bytes)
              isFirst = false
            }
            progress.report(
              Double(part.end - range.lowerBound) / Double(max(1, range.count)),
              "writing \(table.path)")
          })
      }
      try append(table.closing)
    }
    return predicted
  }

  /// Writes the images, and the files that belong to one image each.
  private func writeFiles(
    _ plan: ExportPlan, _ kept: [Int], _ folder: ExportFolder, hasOwn: Bool,
    _ progress: any ProgressSink
  ) throws -> [LeftOutSample] {
    let writer = ImageWriter(
      catalog: catalog, dataset: scope.dataset, transfer: request.images, folder: folder)
    let (catalog, transfer) = (catalog, request.images)
    var leftOut: [LeftOutSample] = []
    var start = 0
    let size = 16
    try OrderedWorkers(workers: workers).run(
      next: { () -> Range<Int>? in
        try Interruption.check(Self.interrupted)
        guard start < plan.samples.count else { return nil }
        defer { start += size }
        return start..<min(start + size, plan.samples.count)
      },
      transform: { _, range -> (failures: [LeftOutSample], end: Int) in
        let indices = range.filter { plan.firstObjects[$0] >= 0 }
        if hasOwn {
          var losses = ExportLosses()
          for image in try plan.images(range, catalog)
          where plan.firstObjects[image.number] >= 0 {
            guard let fitted = plan.fitting.fit(image, &losses),
              let path = plan.exporter.path(ofImage: fitted)
            else { continue }
            try folder.write(path, try plan.exporter.bytes(ofImage: fitted))
          }
        }
        guard transfer != .none else { return ([], range.upperBound) }
        let there = indices.filter { plan.hasFiles[$0] }
        let failures = try writer.write(
          there.map { plan.samples[$0] }, as: there.map { plan.paths[$0] })
        return (failures.compactMap { $0 }, range.upperBound)
      },
      deliver: { part in
        leftOut += part.failures
        progress.report(
          Double(part.end) / Double(plan.samples.count), "writing the images of \(scope.view)")
      })
    return leftOut
  }

  /// Writes the archives: for each image its file, as it is, and its other members, by name.
  private func writeShards(
    _ plan: ExportPlan, _ folder: ExportFolder, _ progress: any ProgressSink
  ) throws -> [LeftOutSample] {
    let writer = ImageWriter(
      catalog: catalog, dataset: scope.dataset, transfer: .copy, folder: folder)
    let catalog = catalog
    let size = 8
    var leftOut: [LeftOutSample] = []
    for shard in plan.shards {
      try folder.stream(shard.path) { append in
        var start = shard.samples.lowerBound
        try OrderedWorkers(workers: workers).run(
          next: { () -> Range<Int>? in
            try Interruption.check(Self.interrupted)
            guard start < shard.samples.upperBound else { return nil }
            defer { start += size }
            return start..<min(start + size, shard.samples.upperBound)
          },
          transform: { _, range -> (bytes: [UInt8], failures: [LeftOutSample], end: Int) in
            let images = try plan.images(range, catalog).filter {
              plan.firstObjects[$0.number] >= 0
            }
            let contents = try writer.contents(of: images.map { plan.samples[$0.number] })
            var bytes: [UInt8] = []
            var failures: [LeftOutSample] = []
            var losses = ExportLosses()
            for (image, content) in zip(images, contents) {
              guard let fitted = plan.fitting.fit(image, &losses) else { continue }
              switch content {
              case .failure(let problem): failures.append(problem)
              case .success(let file):
                let suffix = String(fitted.name.dropFirst(fitted.stem.count + 1))
                let members = try plan.exporter.members(ofImage: fitted) + [(suffix, file ?? [])]
                for member in members.sorted(by: { $0.suffix < $1.suffix }) {
                  TarMember.append(
                    "\(fitted.stem).\(member.suffix)", member.bytes, to: &bytes)
                }
              }
            }
            return (bytes, failures, range.upperBound)
          },
          deliver: { part in
            try append(part.bytes)
            leftOut += part.failures
            progress.report(
              Double(part.end) / Double(plan.samples.count), "writing \(shard.path)")
          })
        try append(TarMember.end)
      }
    }
    return leftOut
  }

  /// Writes the manifest in pieces: a line per sample.
  private func writeManifest(
    _ plan: ExportPlan, _ kept: [Int], _ leftOut: [LeftOutSample], _ folder: ExportFolder
  ) throws {
    if scope.corrections != nil {
      let names = plan.mapping.classes.map(\.name)
      let rows = try kept.map { index in
        let sample = plan.samples[index]
        return ExportManifest.Row(
          sample: sample, file: plan.paths[index],
          label: sample.category.flatMap { plan.mapping.ordinals[$0] }.map { names[$0] },
          labels: scope.dataset.isMultiLabel
            ? sample.categories.compactMap { plan.mapping.ordinals[$0] }.map { names[$0] } : nil,
          imageHash: try catalog.contentHash(of: sample.id))
      }
      let manifest = ExportManifest(
        scope: scope, kind: request.format.rawValue, rows: rows, leftOut: leftOut)
      try folder.write(ExportManifest.csv, manifest.csvBytes)
    }
    var head: [JSONValue.Member] = [
      .init("made_by", "assay"), .init("kind", .string(request.format.rawValue)),
      .init("view", .string(scope.view)), .init("dataset", .string(scope.dataset.name)),
      .init("classes", .array(plan.dataset.classes.map { .string($0.name) })),
    ]
    head += ExportManifest.members(of: scope, written: kept.map { plan.samples[$0] })
    head.append(.init("left_out", .array(leftOut.map(\.json))))
    let opening = JSONValue.object(head).text().dropLast() + ",\"samples\":[\n"
    try folder.stream(ExportManifest.json) { append in
      var bytes = Array(opening.utf8)
      for (place, index) in kept.enumerated() {
        if place > 0 { bytes += ",\n".utf8 }
        let sample = plan.samples[index]
        let row = JSONValue.object(
          [
            .init("key", .string(sample.key)), .init("file", .string(plan.paths[index])),
            .init("split", JSONValue(sample.split)),
          ] + ExportManifest.members(of: sample, in: scope))
        bytes += row.text().utf8
        if bytes.count > 1 << 20 {
          try append(bytes)
          bytes.removeAll(keepingCapacity: true)
        }
      }
      try append(bytes + "\n]}\n".utf8)
    }
  }
}

/// The results of a run that an export wrote.
package struct WrittenPredictions: Hashable, Sendable {
  /// The number of images with results, empty ones included.
  package private(set) var images = 0
  /// The number of images that the run did not predict.
  package private(set) var notPredicted = 0
  /// The number of labels and objects.
  package private(set) var results = 0
  /// The number of objects whose keypoints were not written.
  package private(set) var withoutKeypoints = 0

  mutating func add(_ prediction: ExportPrediction?) {
    guard let prediction else {
      notPredicted += 1
      return
    }
    images += 1
    results += prediction.labels.count + prediction.objects.count
    withoutKeypoints += prediction.objectsWithKeypoints
  }

  mutating func add(_ other: Self) {
    images += other.images
    notPredicted += other.notPredicted
    results += other.results
    withoutKeypoints += other.withoutKeypoints
  }
}
