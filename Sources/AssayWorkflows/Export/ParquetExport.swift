package import AssayCore
import AssayFormats
package import AssayStore
import Foundation

/// Exports a view as Parquet tables: samples, annotations and classes, and the predictions of a run.
///
/// Rows are joined by `sample`, the number of the sample in `samples.parquet`.
package struct ParquetExport {
  private let scope: ExportScope
  private let catalog: Catalog
  private let run: RunRecord?

  /// The names of the files.
  package static let samples = "samples.parquet"
  package static let annotations = "annotations.parquet"
  package static let classes = "classes.parquet"
  package static let predictions = "predictions.parquet"
  package static let runClasses = "run_classes.parquet"
  /// The number of samples processed at a time.
  private static let chunk = 1024

  /// - Parameter run: the run whose predictions are written; `nil` for none.
  /// - Throws: ``ExportError/otherDataset(run:dataset:expected:)``, `StoreError`.
  package init(_ scope: ExportScope, catalog: Catalog, run name: String?) throws {
    self.scope = scope
    self.catalog = catalog
    run = try name.map(catalog.run(named:))
    if let run, run.dataset.id != scope.dataset.id {
      throw ExportError.otherDataset(
        run: run.name, dataset: run.dataset.name, expected: scope.dataset.name)
    }
  }

  /// - Throws: ``ExportError``, ``OutputError``, ``RunMasksError``, `StoreError`, `MaskError`, ``Interrupted``.
  package func run(
    into folder: ExportFolder, progress: any ProgressSink = NoProgress()
  ) throws -> ParquetExportSummary {
    try folder.keepOff(sourceOf: scope.dataset)
    var files = [Self.samples, Self.annotations, Self.classes]
    if run != nil { files += [Self.predictions, Self.runClasses] }
    try folder.begin(files)
    // A folder without samples.parquet, which is written last, is incomplete.
    try folder.remove(Self.samples)
    var summary = ParquetExportSummary(scope: scope, folder: folder.path, files: files)
    let names = try catalog.taxonomy(of: scope.dataset.id)
    summary.classes = try write(Self.classes, Self.classColumns, to: folder) { add in
      for (place, category) in names.categories.enumerated() {
        try add([
          .integer(Int64(place)), .text(category.name), Self.text(category.sourceID),
          .flag(category.isVoid),
        ])
      }
    }
    summary.annotations = try write(Self.annotations, Self.annotationColumns, to: folder) { add in
      try forEachChunk(progress, in: run == nil ? 0...0.9 : 0...0.5) { range in
        try annotations(range, names.names, add)
      }
    }
    if let run { try writePredictions(of: run, to: folder, &summary) }
    summary.samples = try write(Self.samples, Self.sampleColumns, to: folder) { add in
      let ids = scope.samples.map(\.id)
      let tags = try catalog.tags(of: ids)
      let hasFields = try catalog.hasSampleFields(in: scope.dataset.id)
      for start in stride(from: 0, to: ids.count, by: Self.fieldBatch) {
        let range = start..<min(start + Self.fieldBatch, ids.count)
        var fields: [String?] = Array(repeating: nil, count: range.count)
        if hasFields {
          try catalog.forEachFields(of: Array(ids[range])) {
            fields[$0] = JSONValue.object($1).text()
          }
        }
        for number in range {
          let own = tags.isEmpty ? [] : tags[number]
          let stated = fields[number - start].map { ParquetTable.Cell.text($0) } ?? .null
          try add(row(scope.samples[number], number, names.names) + [.texts(own), stated])
        }
      }
    }
    return summary
  }

  private func writePredictions(
    of run: RunRecord, to folder: ExportFolder, _ summary: inout ParquetExportSummary
  ) throws {
    summary.run = run.name
    summary.task = run.task
    summary.runClasses = try write(Self.runClasses, Self.runClassColumns, to: folder) { add in
      for (place, name) in run.classes.enumerated() {
        try add([.integer(Int64(place)), .text(name)])
      }
    }
    var predicted: Set<Int> = []
    summary.predictions = try write(Self.predictions, Self.predictionColumns, to: folder) { add in
      try PredictionRows(run: run, scope: scope, catalog: catalog).forEach { sample, row in
        predicted.insert(sample)
        guard let row else { return }
        try add(row)
      }
    }
    summary.notPredicted = scope.samples.count - predicted.count
  }

  /// Writes a file, and returns the number of its rows.
  private func write(
    _ name: String, _ columns: [ParquetTable.Column], to folder: ExportFolder,
    _ rows: (_ add: ([ParquetTable.Cell]) throws -> Void) throws -> Void
  ) throws -> Int {
    let facts: [JSONValue.Member] = [
      .init("table", .string(String(name.dropLast(".parquet".count)))),
      .init("dataset", .string(scope.dataset.name)), .init("view", .string(scope.view)),
      .init("corrected", .bool(scope.corrections != nil)), .init("run", JSONValue(run?.name)),
    ]
    var table = ParquetTable(columns, metadata: [("assay", JSONValue.object(facts).text())])
    try folder.stream(name) { append in
      try append(ParquetTable.header)
      try withoutActuallyEscaping(append) { append in
        try rows { row in
          table.add(row)
          if table.isFull { try append(try table.group()) }
        }
      }
      try append(try table.group())
      try append(table.end())
    }
    return table.rows
  }

  private func forEachChunk(
    _ progress: any ProgressSink, in part: ClosedRange<Double>, _ body: (Range<Int>) throws -> Void
  ) throws {
    let count = scope.samples.count
    for start in stride(from: 0, to: count, by: Self.chunk) {
      try Interruption.check("the folder is not complete; run the same command to start again")
      let end = min(count, start + Self.chunk)
      try body(start..<end)
      progress.report(
        part.lowerBound + (part.upperBound - part.lowerBound) * Double(end) / Double(count),
        "writing \(scope.view)")
    }
  }

  // MARK: Rows

  static func text(_ id: SourceID?) -> ParquetTable.Cell {
    switch id {
    case .integer(let number)?: .text(String(number))
    case .text(let text)?: .text(text)
    case nil: .null
    }
  }

  private static let classColumns: [ParquetTable.Column] = [
    .init("class", .integer, isRequired: true), .init("name", .text, isRequired: true),
    .init("source_id", .text), .init("is_void", .flag, isRequired: true),
  ]
  private static let runClassColumns: [ParquetTable.Column] = [
    .init("class", .integer, isRequired: true), .init("name", .text, isRequired: true),
  ]
  /// The number of samples whose fields are read at a time.
  private static let fieldBatch = 4_096
  private static let sampleColumns: [ParquetTable.Column] = [
    .init("sample", .integer, isRequired: true), .init("key", .text, isRequired: true),
    .init("file", .text), .init("split", .text), .init("width", .integer),
    .init("height", .integer), .init("label", .text), .init("labels", .texts),
    .init("source_id", .text), .init("corrected", .flag, isRequired: true),
    .init("corrected_by", .texts), .init("weight", .number, isRequired: true),
    .init("tags", .texts), .init("fields", .text),
  ]
  private static let annotationColumns: [ParquetTable.Column] = [
    .init("sample", .integer, isRequired: true), .init("key", .text, isRequired: true),
    .init("category", .text, isRequired: true), .init("shape", .text, isRequired: true),
    .init("x", .number), .init("y", .number), .init("width", .number), .init("height", .number),
    .init("area", .number), .init("is_crowd", .flag, isRequired: true), .init("source_id", .text),
    .init("segmentation", .text), .init("attributes", .text),
  ]
  private static let predictionColumns: [ParquetTable.Column] = [
    .init("sample", .integer, isRequired: true), .init("key", .text, isRequired: true),
    .init("category", .text), .init("score", .number), .init("margin", .number),
    .init("scores", .numbers), .init("x", .number), .init("y", .number), .init("width", .number),
    .init("height", .number), .init("area", .number), .init("segmentation", .text),
  ]

  private func row(
    _ sample: SampleRecord, _ number: Int, _ names: [String]
  ) -> [ParquetTable.Cell] {
    let correction = scope.correction(of: sample)
    let hasSet = scope.dataset.isMultiLabel || !sample.categories.isEmpty
    return [
      .integer(Int64(number)), .text(sample.key), .init(sample.location), .init(sample.split),
      .init(sample.size?.width), .init(sample.size?.height),
      .init(sample.category.map { names[$0] }),
      hasSet ? .texts(sample.categories.map { names[$0] }) : .null, Self.text(sample.sourceID),
      .flag(correction != nil), correction.map { .texts($0.authors) } ?? .null,
      .number(scope.weight(of: sample)),
    ]
  }

  /// The rows of some samples: their labels, then their regions in source order.
  private func annotations(
    _ range: Range<Int>, _ names: [String], _ add: ([ParquetTable.Cell]) throws -> Void
  ) throws {
    let samples = scope.samples[range]
    var found: [[AnnotationRecord]] = samples.map { _ in [] }
    if !scope.dataset.isMultiLabel {
      try catalog.forEachAnnotations(of: samples.map(\.id), regionsOnly: false) { place, records in
        found[place] = records
      }
    }
    for (place, sample) in samples.enumerated() {
      let start: [ParquetTable.Cell] = [
        .integer(Int64(range.lowerBound + place)), .text(sample.key),
      ]
      let labels =
        scope.dataset.isMultiLabel ? sample.categories : sample.category.map { [$0] } ?? []
      for label in labels {
        try add(
          start + [
            .text(names[label]), .text(ShapeKind.label.rawValue), .null, .null, .null, .null, .null,
            .flag(false), .null, .null, .null,
          ])
      }
      for record in found[place] {
        let box = record.box
        try add(
          start + [
            .text(names[record.category]), .text(record.shape.rawValue), .init(box?.x),
            .init(box?.y),
            .init(box?.width), .init(box?.height), .init(record.area), .flag(record.isCrowd),
            Self.text(record.sourceID), .init(try Self.segmentation(record, sample.size)),
            .init(record.attributes),
          ])
      }
    }
  }

  /// A region as COCO writes it: polygons, compressed run lengths, or lists of coordinates; `nil` for
  /// a box alone.
  private static func segmentation(
    _ record: AnnotationRecord, _ size: ImageSize?
  ) throws -> String? {
    guard let packed = record.geometry else { return nil }
    let size = size ?? ImageSize(width: 1, height: 1)
    func list(_ numbers: [Double]) -> JSONValue { .array(numbers.map { .number($0) }) }
    switch try Geometry(shape: record.shape, packed: packed, size: size) {
    case .polygons(let lists), .polylines(let lists): return JSONValue.array(lists.map(list)).text()
    case .points(let numbers): return list(numbers).text()
    case .mask(let mask): return segmentation(mask.compressed, mask.size)
    }
  }

  /// Compressed run lengths as COCO writes them.
  static func segmentation(_ counts: [UInt8], _ size: ImageSize) -> String {
    let value: JSONValue = [
      "size": [.integer(Int64(size.height)), .integer(Int64(size.width))],
      "counts": .string(String(decoding: counts, as: UTF8.self)),
    ]
    return value.text()
  }
}

/// The result of an export of Parquet tables.
package struct ParquetExportSummary: Sendable {
  package let scope: ExportScope
  package let folder: String
  /// The files, relative to the folder.
  package let files: [String]
  /// The numbers of rows.
  package var samples = 0
  package var annotations = 0
  package var classes = 0
  /// The run whose predictions were written, and its task; `nil` for none.
  package var run: String?
  package var task: ModelTask?
  package var predictions = 0
  package var runClasses = 0
  /// The number of samples that the run has no result for.
  package var notPredicted = 0
  /// Notes about the result, one sentence each.
  package var notes: [String] = []

  init(scope: ExportScope, folder: String, files: [String]) {
    self.scope = scope
    self.folder = folder
    self.files = files
  }
}
