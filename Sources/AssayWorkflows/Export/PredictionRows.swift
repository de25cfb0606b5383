import AssayCore
import AssayFormats
import AssayStore

/// The rows of `predictions.parquet`: one per sample of a run with scores, one per detection, and one
/// per class and mask that is not empty.
struct PredictionRows {
  let run: RunRecord
  let scope: ExportScope
  let catalog: Catalog

  private typealias Cell = ParquetTable.Cell

  /// The number of samples processed at a time.
  private static let chunk = 256

  /// Calls `body` with the number of each predicted sample of the view and its rows; with `nil` for one
  /// without detections or masks.
  ///
  /// - Throws: ``RunMasksError``, `StoreError`, ``Interrupted``; the errors of `body`.
  func forEach(_ body: (_ sample: Int, _ row: [ParquetTable.Cell]?) throws -> Void) throws {
    let numbers = Dictionary(
      zip(scope.samples.map(\.id), scope.samples.indices), uniquingKeysWith: { first, _ in first })
    switch run.task.output {
    case .label, .labels: try scores(numbers, body)
    case .objects: try detections(numbers, body)
    case .masks: try masks(numbers, body)
    }
  }

  private func start(_ number: Int) -> [Cell] {
    [.integer(Int64(number)), .text(scope.samples[number].key)]
  }

  private func check() throws {
    try Interruption.check("the folder is not complete; run the same command to start again")
  }

  private func scores(
    _ numbers: [Int64: Int], _ body: (Int, [ParquetTable.Cell]?) throws -> Void
  ) throws {
    // A set of labels has no single class.
    let hasClass = run.task.output == .label
    let hasScore = hasClass && !run.isLabelsOnly
    for prediction in try catalog.predictions(of: run.id) {
      guard let number = numbers[prediction.sample.id] else { continue }
      try check()
      try body(
        number,
        start(number) + [
          hasClass ? .text(run.classes[prediction.predicted]) : .null,
          hasScore ? .number(prediction.confidence) : .null,
          hasScore ? .number(prediction.margin) : .null,
          run.isLabelsOnly ? .null : .numbers(prediction.scores.map(Double.init)), .null, .null,
          .null, .null, .null, .null,
        ])
    }
  }

  private func detections(
    _ numbers: [Int64: Int], _ body: (Int, [ParquetTable.Cell]?) throws -> Void
  ) throws {
    let samples = try catalog.doneSamples(of: run.id).compactMap { numbers[$0.id] }
    for first in stride(from: 0, to: samples.count, by: Self.chunk) {
      try check()
      let part = samples[first..<min(samples.count, first + Self.chunk)]
      try catalog.forEachDetections(of: run.id, samples: part.map { scope.samples[$0].id }) {
        index, detections in
        let number = part[part.startIndex + index]
        if detections.isEmpty { try body(number, nil) }
        for detection in detections {
          let region = detection.counts.flatMap { counts in
            scope.samples[number].size.map { ParquetExport.segmentation(counts, $0) }
          }
          try body(
            number,
            start(number) + [
              .text(run.classes[detection.class]), .number(detection.confidence), .null, .null,
              .number(detection.box.x), .number(detection.box.y), .number(detection.box.width),
              .number(detection.box.height), .init(detection.area), .init(region),
            ])
        }
      }
    }
  }

  private func masks(
    _ numbers: [Int64: Int], _ body: (Int, [ParquetTable.Cell]?) throws -> Void
  ) throws {
    let masks = try RunMasks(catalog: catalog, run: run)
    let predictions = try catalog.maskPredictions(of: run.id).filter {
      numbers[$0.sample.id] != nil
    }
    for first in stride(from: 0, to: predictions.count, by: Self.chunk) {
      try check()
      let part = predictions[first..<min(predictions.count, first + Self.chunk)]
      try masks.masks(of: part.map(\.sample)) { index, predicted in
        let prediction = part[part.startIndex + index]
        guard let number = numbers[prediction.sample.id] else { return }
        let inside = Dictionary(
          prediction.masks.map { ($0.class, $0.meanInside) }, uniquingKeysWith: { $1 })
        var isEmpty = true
        for (place, mask) in predicted.masks where !mask.isEmpty {
          guard place != masks.recipe.background else { continue }
          isEmpty = false
          let box = mask.boundingBox
          try body(
            number,
            start(number) + [
              .text(run.classes[place]), .init(inside[place] ?? nil), .null, .null, .init(box?.x),
              .init(box?.y), .init(box?.width), .init(box?.height), .number(Double(mask.area)),
              .text(ParquetExport.segmentation(mask.compressed, mask.size)),
            ])
        }
        if isEmpty { try body(number, nil) }
      }
    }
  }
}
