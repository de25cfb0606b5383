import AssayCore

/// The first section: the number of findings, and the table of kinds.
struct CheckAnswerSection: ReportSection {
  let report: CheckReport
  let id = "answer"
  let template = "check-answer"
  let title = "Findings"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let total = report.groups.reduce(0) { $0 + $1.findings }
    let found = report.groups.filter { $0.findings > 0 }
    let others = report.groups.filter { $0.findings == 0 }.map { Self.words($0.kind) }
    return [
      "value": NumberText.count(total), "unit": total == 1 ? "finding" : "findings",
      "sentence": sentence, "hasRows": !found.isEmpty,
      "rows": found.map { group -> [String: Any] in
        [
          "kind": group.kind.rawValue, "title": group.kind.row.title,
          "findings": NumberText.count(group.findings),
          "images": NumberText.count(group.images), "meaning": group.kind.row.meaning,
        ]
      },
      "clean": (others.isEmpty ? "" : "No findings: \(others.joined(separator: ", ")).")
        .templateValue,
      "notes": report.notes,
    ]
  }

  /// The title of a kind within a sentence.
  private static func words(_ kind: FindingKind) -> String {
    "\(kind.row.title.prefix(1).lowercased())\(kind.row.title.dropFirst())"
  }

  private var sentence: String {
    let found = report.groups.filter { $0.findings > 0 }
    let errors = found.filter { $0.kind.row.severity == .error }
    if found.isEmpty { return "None of \(report.groups.count) checks found anything." }
    guard let worst = errors.max(by: { $0.findings < $1.findings }) else {
      return "\(found.count) of \(report.groups.count) checks found something; none is an error."
    }
    return "\(found.count) of \(report.groups.count) checks found something. Most errors: "
      + "\(Self.words(worst.kind)) ("
      + "\(NumberText.count(worst.findings)))."
  }
}

/// The findings of one kind with their images side by side.
struct CheckKindSection: ReportSection {
  let group: CheckReport.Group
  let matrix: CheckReport.Matrix?
  var id: String { group.kind.rawValue }
  let template = "check-kind"
  var title: String { group.kind.row.title }

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    var findings: [[String: Any]] = []
    for finding in group.shown {
      let drawings = try drawings(of: finding, builder)
      let readable = finding.pictures.compactMap { picture -> PictureRequest? in
        guard let raster = picture.raster, picture.cutouts.isEmpty else { return nil }
        return PictureRequest(
          raster, caption: picture.caption, origin: "sample \(picture.key)",
          spoken: "sample \(picture.key) \(picture.caption)", frame: picture.frame,
          longest: picture.longest)
      }
      let pictures = try builder.pictures(readable).compactMap(\.self)
      let isWhole = pictures.count == readable.count && drawings.allSatisfy { $0 != nil }
      if !isWhole, !findings.isEmpty { break }
      let keys = finding.samples.joined(separator: ", ")
      let more = finding.count - finding.samples.count
      findings.append([
        "message": finding.message, "pictures": pictures,
        "drawings": drawings.compactMap(\.self),
        "keys": keys + (more > 0 ? " and \(NumberText.count(more)) more" : ""),
      ])
    }
    let isLeakage = group.kind == .leakage && matrix != nil
    return [
      "sentence": sentence(shown: findings.count),
      "threshold": (group.kind.row.threshold.map { "Threshold: \($0)." } ?? "").templateValue,
      "legend": legend, "hasLegend": !findings.isEmpty && !legend.isEmpty,
      "findings": findings, "hasMatrix": isLeakage,
      "splits": isLeakage ? (matrix?.splits ?? []) : [],
      "rows": isLeakage ? rows : [[String: Any]](),
    ]
  }

  /// The images of a finding with its annotations drawn; `nil` for the first one beyond the limit and all
  /// after it.
  private func drawings(
    of finding: CheckReport.Finding, _ builder: PageBuilder
  ) throws(ReportError) -> [[String: Any]?] {
    let parts = finding.pictures.flatMap { picture in picture.cutouts.map { (picture, $0) } }
    let made = try builder.embedded(parts, step: 1, bytes: { $0.utf8.count }) { picture, cutout in
      try CutoutPicture.svg(
        of: cutout, spoken: "sample \(picture.key) \(picture.caption) \(finding.message)")
    }
    return zip(parts, made).map { part, svg in
      svg.map { ["svg": $0, "origin": "sample \(part.0.key)"] }
    }
  }

  /// The colors of the drawings with their meaning, as values of the template.
  private var legend: [[String: Any]] {
    CheckReport.Color.allCases.compactMap { color in
      group.legend[color].map { meaning in
        switch color {
        case .blue: ["style": "t", "color": "blue", "meaning": meaning]
        case .orange: ["style": "p", "color": "orange", "meaning": meaning]
        case .gray: ["style": "other", "color": "gray", "meaning": meaning]
        }
      }
    }
  }

  private var rows: [[String: Any]] {
    guard let matrix else { return [] }
    return matrix.splits.indices.map { row in
      [
        "split": matrix.splits[row], "total": NumberText.count(matrix.totals[row]),
        "cells": matrix.counts[row].map { NumberText.count($0) },
      ]
    }
  }

  private func sentence(shown: Int) -> String {
    let count = group.findings
    let images = "\(NumberText.count(group.images)) image\(group.images == 1 ? "" : "s")"
    let all =
      count == 1
      ? "One finding" : "\(NumberText.count(count)) findings"
    let first = shown < count ? " The first \(NumberText.count(shown)) are shown." : ""
    return group.kind.row.meaning + " " + all + (group.images > 0 ? " in \(images)." : ".") + first
  }
}
