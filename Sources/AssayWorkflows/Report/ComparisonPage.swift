import AssayCore
package import AssayReports
package import AssayStore
import Foundation

/// The comparison of two runs as a self-contained page.
package struct ComparisonPage {
  private let catalog: Catalog
  private let comparison: Comparison
  private let first: RunRecord
  private let second: RunRecord
  /// The ground truth of each run's metrics.
  private let truths: [ReportTruth]
  private let progress: any ProgressSink

  /// - Parameter corrections: the correction status of all datasets.
  package init(
    catalog: Catalog, comparison: Comparison, of first: RunReference, and second: RunReference,
    corrections: CorrectionStatus, progress: any ProgressSink = NoProgress()
  ) {
    self.catalog = catalog
    self.comparison = comparison
    self.first = first.run
    self.second = second.run
    truths = [first, second].map { ReportTruth($0.evaluation, $0.run, corrections) }
    self.progress = progress
  }

  /// A table of the page, as `assay compare` prints it.
  package struct Table: Sendable {
    package var title: String
    package var columns: [String]
    package var rows: [[String]]

    package init(title: String, columns: [String], rows: [[String]]) {
      (self.title, self.columns, self.rows) = (title, columns, rows)
    }
  }

  /// The files of the page's folder, the page first, and notes on the drawing.
  ///
  /// - Parameters:
  ///   - lines: the sentences at the top.
  ///   - classes: the differences per class; `nil` for a single class.
  ///   - tables: the scores and further tables.
  ///   - legend: the meaning of the colors in the images; empty for none.
  /// - Throws: `ReportError`, `StoreError`, ``Interrupted``, ``RunMasksError``, ``EvaluationError``.
  package func files(
    lines: [String], classes: Table?, tables: [Table], legend: String
  ) throws -> (files: [(name: String, bytes: [UInt8])], notes: [String]) {
    let own = comparison.details.own
    let titles = own.titles(first: comparison.first, second: comparison.second)
    func changes(lost: Bool) throws -> ComparisonReport.Changes {
      progress.report(lost ? 0.6 : 0.8, "drawing \(lost ? "regressions" : "improvements")")
      var changes = ComparisonReport.Changes(
        title: lost ? titles.lost : titles.won, count: lost ? own.changes.lost : own.changes.won,
        pictures: try own.tiles(
          lost: lost, of: comparison.samples, comparison.dataset, in: catalog))
      changes.query = try comparison.query(
        lost: lost, shown: changes.pictures.map(\.key), in: catalog)
      return changes
    }
    func table(_ id: String, _ table: Table) -> ComparisonReport.Table {
      ComparisonReport.Table(id: id, title: table.title, columns: table.columns, rows: table.rows)
    }
    var report = ComparisonReport(
      first: comparison.first, second: comparison.second,
      lines: lines + Self.distinct(truths.compactMap(\.line)),
      regressions: try changes(lost: true), improvements: try changes(lost: false))
    report.classes = classes.map { table("classes", $0) }
    report.tables = tables.enumerated().map { table("table-\($0.offset)", $0.element) }
    report.main = main
    report.scores = own.sampleScores
    report.legend = legend
    report.notes = Self.distinct(truths.flatMap(\.warnings)) + comparison.notes
    report.facts = facts
    let rendered = try report.render(
      workers: max(1, ProcessInfo.processInfo.activeProcessorCount))
    return (
      [(RenderedReport.pageName, rendered.html)] + rendered.charts.map { ($0.name, $0.png) },
      rendered.notes
    )
  }

  /// Texts in their order, each once.
  private static func distinct(_ texts: [String]) -> [String] {
    var seen: Set<String> = []
    return texts.filter { seen.insert($0).inserted }
  }

  /// The score by which runs of the task are compared first.
  private var main: ComparisonReport.Main? {
    let kind: MetricKind =
      switch comparison.details {
      case .classification: .accuracy
      case .segmentation(let pairing): pairing.labels.isBinary ? .meanIoU : .miou
      case .detection: .ap
      case .multiLabel: .meanAveragePrecision
      }
    return comparison.differences[kind].map { difference in
      ComparisonReport.Main(
        name: kind.facts.title, first: difference.first, second: difference.second,
        value: difference.value, interval: difference.interval, samples: comparison.samples.count)
    }
  }

  private var facts: [FactGroup] {
    func pair(_ value: (RunRecord) -> String) -> String {
      let (a, b) = (value(first), value(second))
      return a == b ? a : "A \(a), B \(b)"
    }
    let splits = Set(comparison.samples.compactMap(\.split)).sorted()
    let dataset = comparison.dataset
    var data: [FactGroup.Fact] = [
      .init("Dataset", "\(dataset.name) (\(dataset.formatText))"), .init("View", pair(\.view)),
    ]
    if !splits.isEmpty { data.append(.init("Split", splits.joined(separator: ", "))) }
    data += [
      .init("Samples evaluated", NumberText.count(comparison.samples.count)),
      .init("Import", "version \(dataset.importVersion), \(dataset.importedAt)"),
    ]
    let annotations = Self.distinct(
      truths.map { $0.fact("annotations", kept: "what is stored with the evaluation") })
    data.append(
      .init(
        "Ground truth",
        annotations.count == 1 ? annotations[0] : "A \(annotations[0]), B \(annotations[1])"))
    if let corrections = truths.compactMap(\.corrections).first {
      data.append(.init("Corrections", corrections))
    }
    return [
      FactGroup("Data", data),
      FactGroup(
        "Run",
        [
          .init("A", comparison.first), .init("B", comparison.second),
          .init("Model", pair { $0.model?.name ?? "imported predictions" }),
          .init("Date", "A \(first.createdAt), B \(second.createdAt)"),
        ]),
    ]
  }
}
