import AssayCore
import AssayMetrics

/// The section on the most frequent false negatives and false positives per class, and on classes
/// that are missed and added together.
struct LabelMistakesSection: ReportSection {
  let report: MultiLabelReport
  let id = "mistakes"
  let template = "tables"
  let title = "Main errors"

  /// The maximum number of rows of the class list, and of bars of the chart.
  private static let limit = 12

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard report.scores.count > 0 else { return nil }
    let counts = report.classes.indices.map { report.scores.counts(of: $0) }
    let wrong = counts.map { $0.falseNegatives + $0.falsePositives }
    let worst = counts.indices.filter { wrong[$0] > 0 }.sorted {
      (wrong[$1], $0) < (wrong[$0], $1)
    }
    let shown = Array(worst.prefix(Self.limit))
    guard !shown.isEmpty else {
      return [
        "lead": "No errors: every sample gets exactly its true classes.", "chart": "".templateValue,
        "tables": [Any](), "terms": [Any](),
      ]
    }
    let bars = GroupedBars(
      name: "counts", title: "Labels per class: \(report.model) on \(report.view)",
      summary: "The number of samples with each class in the ground truth and as predicted",
      classes: shown.map { report.classes[$0] },
      truth: shown.map { report.scores.totals.truth[$0] },
      predicted: shown.map { report.scores.totals.predicted[$0] })
    return [
      "lead": sentence(counts, shown), "chart": builder.html(of: bars),
      "tables": [classTable(counts, shown, of: worst.count)] + (confusionTable.map { [$0] } ?? []),
      "terms": [Term.missedLabels.values],
    ]
  }

  private func sentence(_ counts: [MultiLabelScores.Counts], _ worst: [Int]) -> String {
    let missed = counts.reduce(0) { $0 + $1.falseNegatives }
    let added = counts.reduce(0) { $0 + $1.falsePositives }
    func most(_ count: KeyPath<MultiLabelScores.Counts, Int>) -> String {
      let most = counts.indices.max {
        (counts[$0][keyPath: count], $1) < (counts[$1][keyPath: count], $0)
      }
      guard let most, counts[most][keyPath: count] > 0 else { return "" }
      let number = NumberText.count(counts[most][keyPath: count])
      return ", most often \(report.classes[most]) (\(number))"
    }
    var text =
      "Of \(MultiLabelReport.counted(report.labels.truth, "true label")), \(NumberText.count(missed)) "
      + "\(missed == 1 ? "is" : "are") missed\(most(\.falseNegatives)). Of "
      + "\(MultiLabelReport.counted(report.labels.predicted, "predicted label")), "
      + "\(NumberText.count(added)) \(added == 1 ? "is" : "are") added\(most(\.falsePositives))."
    if let first = report.confusions.first {
      text +=
        " When \(report.name(first.missed)) is missed, \(report.name(first.added)) is added in "
        + "\(NumberText.count(first.count)) of \(NumberText.count(first.total)) samples."
    }
    return text
  }

  private func classTable(
    _ counts: [MultiLabelScores.Counts], _ shown: [Int], of total: Int
  ) -> [String: Any] {
    let rows = shown.map { category -> [String: Any] in
      let own = counts[category]
      let positives = own.truePositives + own.falseNegatives
      let negatives = own.trueNegatives + own.falsePositives
      return [
        "term": false, "style": "", "name": report.classes[category],
        "cells": [
          TableCell.ratio(own.falseNegatives, positives),
          TableCell.ratio(own.falsePositives, negatives),
          TableCell.share(own.falseNegatives, positives),
          TableCell.share(own.falsePositives, negatives),
        ],
      ]
    }
    return [
      "title": "Missed and added per class", "style": "sortable", "hasHead": true,
      "text": total > shown.count
        ? "The \(shown.count) classes with the most wrong labels; all "
          + "\(NumberText.count(report.classes.count)) classes are in the table of classes." : "",
      "columns": ["class", "missed", "added", "share of positives", "share of negatives"],
      "rows": rows,
    ]
  }

  private var confusionTable: [String: Any]? {
    let shown = report.confusions.prefix(PictureLimits.labelConfusions)
    guard !shown.isEmpty else { return nil }
    return [
      "title": "Missed and added in the same sample", "style": "plain", "hasHead": true,
      "text":
        "When a class is missed, another class may be predicted instead. This is likely if the "
        + "share of the missed is clearly larger than the share of all samples in which the second "
        + "class is added.",
      "columns": ["missed", "added", "samples", "share of the missed", "added in all samples"],
      "rows": shown.map { pair -> [String: Any] in
        let general =
          report.classes.indices.contains(pair.added)
          ? report.scores.counts(of: pair.added).falsePositives : 0
        return [
          "term": false, "style": "t", "name": report.name(pair.missed),
          "cells": [
            TableCell.name(report.name(pair.added), style: "p"),
            TableCell.ratio(pair.count, pair.total), TableCell.share(pair.count, pair.total),
            TableCell.share(general, report.scores.count),
          ],
        ]
      },
    ]
  }
}

/// The samples with the most wrong classes, as images.
struct LabelSamplesSection: ReportSection {
  let report: MultiLabelReport
  let id = "samples"
  let template = "label-samples"
  let title = "Samples with the most wrong labels"

  /// The maximum number of classes of each kind in a caption.
  private static let listed = 8

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    guard !report.pictures.isEmpty else { return nil }
    let shown = Array(report.pictures.prefix(PictureLimits.mistakes))
    let captions = shown.map(caption)
    let pictures = try builder.pictures(
      zip(shown, captions).map { picture, caption in
        PictureRequest(
          picture.raster, key: picture.key, origin: "sample \(picture.key)",
          spoken: "sample \(picture.key): \(caption.spoken)",
          frame: caption.added.isEmpty && caption.missed.isEmpty ? .right : .wrong,
          longest: PictureLimits.labeledLongest)
      })
    let values = zip(pictures, captions).compactMap { picture, caption in
      picture?.merging([
        "truth": caption.truth, "added": caption.added.templateValue,
        "missed": caption.missed.templateValue,
      ]) { $1 }
    }
    return [
      "pictures": values, "sentence": sentence(values.count),
      "query": report.queries[id].values,
    ]
  }

  private struct Caption {
    var truth = ""
    var added = ""
    var missed = ""
    var spoken: String {
      truth + (added.isEmpty ? "" : "; added \(added)")
        + (missed.isEmpty ? "" : "; missed \(missed)")
    }
  }

  private func caption(_ picture: MultiLabelReport.Picture) -> Caption {
    let (labels, predicted) = (Set(picture.labels), Set(picture.predicted))
    func list(_ ordinals: [Int], scored: Bool) -> String {
      let names = ordinals.prefix(Self.listed).map { ordinal in
        report.name(ordinal) + (scored ? scoreText(ordinal, of: picture) : "")
      }
      let left = ordinals.count - names.count
      return names.joined(separator: ", ") + (left > 0 ? " and \(left) more" : "")
    }
    func score(_ ordinal: Int) -> Double {
      picture.scores.indices.contains(ordinal) ? picture.scores[ordinal] : 0
    }
    // The clearest mistakes are first.
    let added = picture.predicted.filter { !labels.contains($0) }.sorted {
      (score($1), $0) < (score($0), $1)
    }
    let missed = picture.labels.filter { !predicted.contains($0) }.sorted {
      (score($0), $0) < (score($1), $1)
    }
    return Caption(
      truth: picture.labels.isEmpty
        ? "no true label" : "true: " + list(picture.labels, scored: false),
      added: list(added, scored: true),
      missed: list(missed, scored: true))
  }

  /// Returns the score of a class with a leading space, with enough decimals to distinguish
  /// it from the threshold.
  private func scoreText(_ ordinal: Int, of picture: MultiLabelReport.Picture) -> String {
    guard picture.scores.indices.contains(ordinal) else { return "" }
    let score = picture.scores[ordinal]
    let thresholds = report.scores.thresholds.values
    guard thresholds.indices.contains(ordinal), score != thresholds[ordinal] else {
      return " " + NumberText.fixed(score, 2)
    }
    let decimals =
      (2...6).first { NumberText.fixed(score, $0) != NumberText.fixed(thresholds[ordinal], $0) }
    return " " + NumberText.fixed(score, decimals ?? 6)
  }

  private func sentence(_ shown: Int) -> String {
    let wrong = report.scores.count - report.exact
    let which =
      shown == wrong
      ? (wrong == 1
        ? "The only sample with a wrong label. "
        : "All \(NumberText.count(wrong)) samples with a wrong label, the most wrong labels first. ")
      : "\(MultiLabelReport.counted(shown, "sample")) of the \(NumberText.count(wrong)) with a wrong label, the "
        + "most wrong labels first, then the largest ranking loss. "
    return which
      + "Added labels (+) and missed labels (−) are shown with their scores. Some of these errors may be label "
      + "errors in the ground truth."
  }
}
