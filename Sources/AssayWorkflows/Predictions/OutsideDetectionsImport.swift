import AssayCore
import AssayFormats
package import AssayStore
import Foundation

/// Creates a detection run from the files of Ultralytics, supervision or FiftyOne.
package struct OutsideDetectionsImport {
  /// The result of the import.
  package struct Summary: Sendable {
    package var run: RunRecord
    /// False if the same file was already imported under that name.
    package var isNew: Bool
    package var detections: Int
    /// The number of samples of the view without detections in the file.
    package var withoutDetections: Int
    /// Classes of the file that the dataset does not have.
    package var unknownClasses: [String]
    package var hasGroundTruth: Bool
    package var notes: [String]
    package var health: FileDetectionHealth
  }

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

  private static let chunk = 256

  /// Imports the file; the run is created completely or not at all. All samples of the view are in
  /// the run: those that are not in the file have no detections.
  ///
  /// - Throws: ``PredictionsError``, `FormatError`, ``PredictError`` if no class is common,
  ///   ``SourceError``, `StoreError`, ``Interrupted``.
  package func run(
    _ request: PredictionsImport.Request, _ format: OutsideDetectionFormat
  ) throws -> Summary {
    let source = try ImportSource(request.path, view: request.view, in: catalog)
    let (tree, selection, samples) = (source.tree, source.selection, source.samples)
    let known = source.known
    let reader = OutsideDetectionReader(
      tree: tree, options: request.options,
      numbering: ClassNumbering(
        request.options.classes ?? known, first: request.options.firstNumber))
    let found = try reader.read(format)
    progress.report(0.4, "joining images")
    let joined = try join(found, samples, request, format)
    let unknown = found.classes.filter { !known.contains($0) }
    let classes = known + unknown
    let hasGroundTruth = try catalog.hasGroundTruth(for: .detection, in: selection.dataset)
    if hasGroundTruth, !found.classes.isEmpty, unknown.count == found.classes.count {
      throw PredictError.nothingInCommon(
        model: tree.name, classes: found.classes, dataset: selection.dataset.name,
        categories: known)
    }
    let settings = JSONValue.object(
      [
        .init("imported", .string(tree.name)), .init("sha256", .string(try tree.wholeHash())),
      ] + DetectionRecipe().members + request.detectionMembers)
    let versions: JSONValue = ["assay": .string(programVersion)]
    let draft = RunDraft(
      name: request.name, task: .detection, dataset: selection.dataset.id, view: request.view,
      settings: settings.text(), versions: versions.text(), classes: classes,
      samples: samples.map(\.id))
    let stored = try catalog.storeRun(draft, of: selection.dataset) { run in
      try store(found, joined.lists, samples, classes, in: run)
    }
    let health = try health(of: found, joined.lists, samples)
    return Summary(
      run: stored.run, isNew: stored.isNew, detections: found.items.count,
      withoutDetections: joined.lists.count { $0.isEmpty },
      unknownClasses: hasGroundTruth ? unknown : [], hasGroundTruth: hasGroundTruth,
      notes: (joined.note.map { [$0] } ?? []) + reader.numbering.notes, health: health)
  }

  /// The statistics that reveal boxes of another form and scores of another scale.
  private func health(
    of found: OutsideDetections, _ lists: [[Int]], _ samples: [SampleRecord]
  ) throws -> FileDetectionHealth {
    var tally = ImportedDetectionTally()
    tally.health.images = samples.count
    tally.health.results = found.items.count
    for (index, list) in lists.enumerated() {
      tally.add(
        try list.map { place in
          let item = found.items[place]
          return Detection(
            class: item.class, confidence: item.confidence,
            box: try box(item.box, isRelative: found.isRelative, of: samples[index]))
        }, in: samples[index].size)
    }
    return try tally.finished { places in
      try catalog.regionCounts(of: places.map { samples[$0].id }).map { !$0.isEmpty }
    }
  }

  /// The detections of each sample, as indices.
  private func join(
    _ found: OutsideDetections, _ samples: [SampleRecord], _ request: PredictionsImport.Request,
    _ format: OutsideDetectionFormat
  ) throws -> (lists: [[Int]], note: String?) {
    // Ultralytics writes names that consist of digits as numbers, without leading zeros.
    var numbers: [Int: [Int]] = [:]
    if format == .ultralytics {
      for (index, sample) in samples.enumerated() {
        if let number = SampleKeyJoin.number(of: sample.key) {
          numbers[number, default: []].append(index)
        }
      }
    }
    let byName =
      request.matchesNames || format == .ultralytics || format == .yoloLabels || format == .fiftyOne
    let joined = try SampleKeyJoin(samples, view: request.view).places(
      of: found.keys, byName: byName
    ) { key throws(PredictionsError) in
      guard let fitting = Int(key).flatMap({ numbers[$0] }) else { return nil }
      guard fitting.count == 1 else {
        throw .ambiguousKey(
          key, samples: fitting.prefix(3).map { samples[$0].key }, byName: true)
      }
      return fitting[0]
    }
    var lists = [[Int]](repeating: [], count: samples.count)
    for (index, item) in found.items.enumerated() {
      lists[joined.samples[item.image]].append(index)
    }
    return (lists, joined.note)
  }

  private func store(
    _ found: OutsideDetections, _ lists: [[Int]], _ samples: [SampleRecord], _ classes: [String],
    in run: RunRecord
  ) throws {
    var places: [String: Int] = [:]
    for (place, name) in classes.enumerated() { places[name] = place }
    let numbers = found.classes.map { places[$0] ?? 0 }
    for start in stride(from: 0, to: samples.count, by: Self.chunk) {
      try Interruption.check("nothing was stored")
      progress.report(0.5 + 0.5 * Double(start) / Double(samples.count), "storing detections")
      let part = start..<min(samples.count, start + Self.chunk)
      try catalog.record(
        try part.map { index in
          SampleDetections(
            sample: samples[index].id,
            detections: try lists[index].map { place in
              let item = found.items[place]
              return Detection(
                class: numbers[item.class], confidence: item.confidence,
                box: try box(item.box, isRelative: found.isRelative, of: samples[index]))
            })
        }, in: run.id)
    }
  }

  private func box(
    _ box: Box, isRelative: Bool, of sample: SampleRecord
  ) throws(PredictionsError) -> Box {
    guard isRelative else { return box }
    guard let size = sample.size else { throw .noImageSize(sample.key) }
    let (width, height) = (Double(size.width), Double(size.height))
    return Box(
      x: box.x * width, y: box.y * height, width: box.width * width, height: box.height * height)
  }
}

extension PredictionsImport.Request {
  /// The members of a detection run's settings that decide what the file means.
  var detectionMembers: [JSONValue.Member] {
    var members: [JSONValue.Member] = []
    if let key = options.key { members.append(.init("key_column", .string(key))) }
    if let first = options.firstNumber { members.append(.init("class_numbers", JSONValue(first))) }
    if let classes = options.classes {
      members.append(.init("classes", .array(classes.map { .string($0) })))
    }
    if matchesNames { members.append(.init("match_names", .bool(true))) }
    return members
  }
}

extension DirectoryTree {
  /// The SHA-256 of a file, or of the paths and contents of all files of a folder.
  func wholeHash() throws -> String {
    guard !isSingleFile else { return try contentHash() }
    var hash = ContentHash()
    for file in try files() {
      let bytes = try readAll(file.path, limit: 1 << 30)
      let head = Array("\(file.path)\u{0}\(bytes.count)\u{0}".utf8)
      head.withUnsafeBytes { hash.update($0) }
      bytes.withUnsafeBytes { hash.update($0) }
    }
    return hash.hexadecimal()
  }
}
