package import AssayCore
package import AssayMetrics

/// The content of the page that compares two runs, as plain values. The numbers are texts, as `assay compare` prints
/// them.
package struct ComparisonReport: Sendable {
  /// A table whose first column names the rows.
  package struct Table: Sendable {
    /// The anchor on the page.
    package var id: String
    package var title: String
    package var columns: [String]
    package var rows: [[String]]

    package init(id: String, title: String, columns: [String], rows: [[String]]) {
      (self.id, self.title, self.columns, self.rows) = (id, title, columns, rows)
    }
  }

  /// The regressions or the improvements.
  package struct Changes: Sendable {
    /// `regressions: only r1 is correct`.
    package var title: String
    /// The number of all changes, of which ``pictures`` shows the first.
    package var count: Int
    package var pictures: [ContactSheet.Tile]
    /// The query for the samples of all changes; `nil` for none.
    package var query: SectionQuery?

    package init(title: String, count: Int, pictures: [ContactSheet.Tile]) {
      (self.title, self.count, self.pictures) = (title, count, pictures)
    }
  }

  /// The main score of both runs.
  package struct Main: Sendable {
    package var name: String
    package var first: Double?
    package var second: Double?
    /// The difference, second − first.
    package var value: Double?
    package var interval: Interval?
    /// The number of common samples.
    package var samples: Int

    package init(
      name: String, first: Double?, second: Double?, value: Double?, interval: Interval?,
      samples: Int
    ) {
      (self.name, self.first, self.second, self.value) = (name, first, second, value)
      (self.interval, self.samples) = (interval, samples)
    }
  }

  /// The names of the runs: `r1`, or `r1@strict`.
  package var first: String
  package var second: String
  /// The main score and its difference; `nil` for none.
  package var main: Main?
  /// The lines below it.
  package var lines: [String]
  /// The differences per class, if the task has several classes; the second section.
  package var classes: Table?
  package var regressions: Changes
  package var improvements: Changes
  /// The score of each sample in both runs; `nil` if the task has none.
  package var scores: Scores?
  /// The scores and further tables, in reading order.
  package var tables: [Table] = []
  /// The meaning of the colors in the images; empty for none.
  package var legend = ""
  package var facts: [FactGroup] = []
  package var notes: [String] = []

  package init(
    first: String, second: String, lines: [String], regressions: Changes, improvements: Changes
  ) {
    (self.first, self.second, self.lines) = (first, second, lines)
    (self.regressions, self.improvements) = (regressions, improvements)
  }

  /// Renders the page; the same value gives the same bytes.
  ///
  /// - Throws: ``ReportError``.
  package func render(workers: Int = 2) throws(ReportError) -> RenderedReport {
    let result: [any ReportSection] = [ComparedResultSection(report: self)]
    let classTable: [any ReportSection] = (classes.map { [$0] } ?? []).map(
      ComparedTableSection.init)
    let chart: [any ReportSection] =
      scores.map { [ComparedScoresSection(report: self, scores: $0)] } ?? []
    let changes: [any ReportSection] = [
      ComparedImagesSection(
        id: "regressions", title: "Regressions", changes: regressions, legend: legend),
      ComparedImagesSection(
        id: "improvements", title: "Improvements", changes: improvements, legend: legend),
    ]
    let others: [any ReportSection] = tables.map(ComparedTableSection.init)
    let end: [any ReportSection] = [ProvenanceSection(facts: facts, terms: [Term.interval])]
    return try ReportPage(
      title: "\(first) → \(second)",
      subtitle:
        "Comparison of two runs on their common samples; differences are B − A, A is \(first), B is \(second)",
      sections: result + classTable + chart + changes + others + end, facts: facts
    ).render(workers: workers)
  }
}

extension ComparisonReport {
  /// The score of each sample in both runs.
  package struct Scores: Sendable {
    /// The scores of one sample.
    package struct Pair: Sendable, Hashable {
      package var first: Double
      package var second: Double

      package init(_ first: Double, _ second: Double) {
        (self.first, self.second) = (first, second)
      }
    }

    /// The direction in which a sample's score changed.
    enum Change: CaseIterable, Sendable { case worse, same, better }

    /// The name of the score on the axes: `IoU`.
    package var name: String
    /// True for scores in `0...1` of which larger ones are better; false for numbers of errors.
    package var isShare: Bool
    package var pairs: [Pair]

    package init(name: String, isShare: Bool, pairs: [Pair]) {
      (self.name, self.isShare, self.pairs) = (name, isShare, pairs)
    }

    /// The direction of a sample's change.
    func change(_ pair: Pair) -> Change {
      guard pair.first != pair.second else { return .same }
      return (pair.second > pair.first) == isShare ? .better : .worse
    }
  }
}

/// The section with the scores of each sample in both runs as a chart.
struct ComparedScoresSection: ReportSection {
  let report: ComparisonReport
  let scores: ComparisonReport.Scores
  let id = "scatter"
  let template = "chart"
  let title = "Scores per sample"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard !scores.pairs.isEmpty else { return nil }
    var counts: [ComparisonReport.Scores.Change: Int] = [:]
    for pair in scores.pairs { counts[scores.change(pair), default: 0] += 1 }
    func count(_ change: ComparisonReport.Scores.Change) -> String {
      NumberText.count(counts[change, default: 0])
    }
    // `mIoU` stays as it is.
    let name = scores.name
    let isWord = name.dropFirst().first?.isLowercase ?? true
    let title = isWord ? name.capitalizedFirst : name
    let samples = scores.pairs.count == 1 ? "sample" : "samples"
    let sentence =
      "\(title) of \(NumberText.count(scores.pairs.count)) \(samples): better in B for "
      + "\(count(.better)), worse for \(count(.worse)), equal for \(count(.same))."
    let isCounted = scores.pairs.count > PairedScatterChart.dotLimit || !scores.isShare
    return [
      "sentence": sentence,
      "chart": builder.html(
        of: PairedScatterChart(
          name: "scores", title: "\(title): \(report.first) → \(report.second)",
          summary: sentence,
          axes: ("\(title) in A: \(report.first)", "\(title) in B: \(report.second)"),
          scores: scores)),
      "note":
        (isCounted
        ? "The area of a dot is the number of samples, its color the most frequent change: "
        : "Each dot is a sample: ")
        + "blue is better in B, orange is worse, gray is equal. The dashed line is equality.",
    ]
  }
}

/// The section with the main difference and the notes.
struct ComparedResultSection: ReportSection {
  let report: ComparisonReport
  let id = "answer"
  let template = "comparison-result"
  let title = "Result"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    [
      "main": report.main.map { main -> Any in
        [
          "name": main.name, "first": NumberText.fixed(main.first),
          "second": NumberText.fixed(main.second), "difference": Self.signed(main.value),
          "interval":
            (main.interval.map { "[\(Self.signed($0.low)), \(Self.signed($0.high))]" } ?? "")
            .templateValue,
          "samples": main.samples == 1 ? "1 sample" : "\(NumberText.count(main.samples)) samples",
        ] as [String: Any]
      } ?? false,
      "sentences": sentences, "notes": report.notes,
    ]
  }

  /// The conclusion from the main score, and the lines as sentences.
  private var sentences: String {
    [report.main.flatMap(conclusion), lines.isEmpty ? nil : lines].compactMap(\.self)
      .joined(separator: " ")
  }

  /// The direction of the difference of the main score, and whether it is significant. Larger main scores are better.
  private func conclusion(of main: ComparisonReport.Main) -> String? {
    guard let value = main.value else { return nil }
    let name = main.name
    guard value != 0 else {
      return "A (\(report.first)) and B (\(report.second)) have the same \(name)."
    }
    let (word, less) = value > 0 ? ("better", "higher") : ("worse", "lower")
    guard let interval = main.interval else {
      return
        "B (\(report.second)) has the \(less) \(name), but there is no reliable CI of the difference: the scores "
        + "alone do not say whether it is significant."
    }
    return interval.low > 0 || interval.high < 0
      ? "B (\(report.second)) is \(word) than A (\(report.first)) in \(name): the difference is significant (the "
        + "95\u{A0}% CI excludes 0)."
      : "The difference in \(name) between A (\(report.first)) and B (\(report.second)) is not significant (the "
        + "95\u{A0}% CI includes 0)."
  }

  /// The lines as sentences; one in parentheses belongs to the line before.
  private var lines: String {
    report.lines.reduce(into: "") { text, line in
      if text.isEmpty {
        text = line.capitalizedFirst
      } else {
        text += line.hasPrefix("(") ? " " + line : ". " + line.capitalizedFirst
      }
    } + (report.lines.isEmpty ? "" : ".")
  }

  /// A difference with its sign: `+0.016`, `−0.004`.
  private static func signed(_ value: Double?) -> String {
    guard let value else { return NumberText.undefined }
    return (value < 0 ? "−" : "+") + NumberText.fixed(abs(value))
  }
}

/// A section with one table.
struct ComparedTableSection: ReportSection {
  let table: ComparisonReport.Table
  var id: String { table.id }
  let template = "tables"
  var title: String { table.title }

  /// The number of rows above which a table scrolls in its own box.
  private static let tallRows = 24

  init(_ table: ComparisonReport.Table) { self.table = table }

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard !table.rows.isEmpty else { return nil }
    let rows = table.rows.map { row -> [String: Any] in
      [
        "term": false, "style": "", "name": row.first ?? "",
        "cells": row.dropFirst().map(TableCell.text),
      ]
    }
    return [
      "lead": "".templateValue, "chart": "".templateValue, "terms": [Any](),
      "tables": [
        [
          "title": "".templateValue, "text": "", "style": "sortable", "hasHead": true,
          "isTall": rows.count > Self.tallRows,
          "columns": table.columns, "rows": rows,
        ] as [String: Any]
      ],
    ]
  }
}

/// A section with the images of regressions or improvements.
struct ComparedImagesSection: ReportSection {
  let id: String
  let template = "mistakes"
  let title: String
  let changes: ComparisonReport.Changes
  let legend: String

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let pictures = try builder.pictures(
      changes.pictures.map { tile in
        let key = tile.key
        var caption = tile.caption.joined(separator: ", ")
        // The key has a line of its own.
        if !key.isEmpty, caption.hasSuffix(", " + key) { caption.removeLast(key.count + 2) }
        return PictureRequest(
          tile.raster, caption: caption, key: key, origin: "sample \(key)",
          spoken: "sample \(key): \(caption)", frame: tile.frame, longest: 256)
      }
    ).compactMap(\.self)
    let shown =
      changes.count == 0
      ? "None."
      : pictures.count == changes.count
        ? "All \(NumberText.count(changes.count)) are shown."
        : "\(NumberText.count(pictures.count)) of \(NumberText.count(changes.count)) are shown."
    let legend =
      pictures.isEmpty
      ? ""
      : " Below each image: A → B." + (legend.isEmpty ? "" : " " + legend.capitalizedFirst + ".")
    return [
      "pictures": pictures, "query": changes.query.values,
      "sentence": changes.title.capitalizedFirst + ". " + shown + legend,
    ]
  }
}
