package import AssayCore

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

    package init(title: String, count: Int, pictures: [ContactSheet.Tile]) {
      (self.title, self.count, self.pictures) = (title, count, pictures)
    }
  }

  /// The names of the runs: `r1`, or `r1@strict`.
  package var first: String
  package var second: String
  /// The sentences at the top.
  package var lines: [String]
  /// The differences per class, if the task has several classes; the second section.
  package var classes: Table?
  package var regressions: Changes
  package var improvements: Changes
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
      sections: result + classTable + changes + others + end, facts: facts
    ).render(workers: workers)
  }
}

/// The section with the main difference and the notes.
struct ComparedResultSection: ReportSection {
  let report: ComparisonReport
  let id = "answer"
  let template = "comparison-result"
  let title = "Result"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    ["lines": report.lines, "notes": report.notes]
  }
}

/// A section with one table.
struct ComparedTableSection: ReportSection {
  let table: ComparisonReport.Table
  var id: String { table.id }
  let template = "tables"
  var title: String { table.title }

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
        let key = tile.caption.last ?? ""
        let caption = tile.caption.dropLast().joined(separator: ", ")
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
    let legend = legend.isEmpty || pictures.isEmpty ? "" : " " + legend.capitalizedFirst + "."
    return [
      "pictures": pictures,
      "sentence": changes.title.capitalizedFirst + ". " + shown + legend,
    ]
  }
}
