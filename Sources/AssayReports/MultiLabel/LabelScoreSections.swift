import AssayCore
import AssayMetrics

/// The section with mAP and micro F1, their intervals, the numbers of samples and
/// classes, and an explanation.
struct LabelAnswerSection: ReportSection {
  let report: MultiLabelReport
  let id = "answer"
  let template = "mask-answer"
  let title = "Result"

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let scores = report.scores
    let map = scores[.meanAveragePrecision]
    let others = MetricKind.shown(.headline, in: .multiLabel).filter {
      $0 != .meanAveragePrecision && scores[$0].value != nil
    }
    let kinds = [MetricKind.meanAveragePrecision] + others
    var strip = ""
    if map.value != nil {
      strip = builder.html(
        of: AnswerStrip(
          name: "answer",
          title: "\(report.model) on \(report.view): mAP "
            + "\(NumberText.fixed(map.value)) \(map.intervalText)",
          summary: "mAP \(NumberText.fixed(map.value)) \(map.intervalText); baseline "
            + NumberText.fixed(baseline),
          score: map, label: "mAP",
          baseline: baseline.map { ($0, "same score for all: \(NumberText.fixed($0))") }))
    }
    let tiles = MetricKind.shown(.tile, in: .multiLabel).filter { scores[$0].value != nil }
    return [
      "answers": kinds.map { kind -> [String: Any] in
        [
          "score": scores[kind].values, "interval": scores[kind].intervalText.templateValue,
          "term": Term(kind, in: .multiLabel).values,
          "of": kind == .meanAveragePrecision ? of : "at \(report.thresholdText)",
        ]
      },
      "sentence": sentence, "difference": difference, "certainty": certainty(map),
      "strip": strip,
      "tiles": tiles.map {
        ["term": Term($0, in: .multiLabel).values, "score": scores[$0].values]
      },
      "terms":
        (kinds.map { Term($0, in: .multiLabel) } + [.labelInterval, .sameScore, .threshold]
        + tiles.map { Term($0, in: .multiLabel) }).map(\.values),
      "notes": report.notes, "truth": (report.truth ?? "").templateValue,
    ]
  }

  /// The mAP of a model that gives all samples the same score; `nil` without any label.
  private var baseline: Double? {
    let counts = report.scores.totals.truth.filter { $0 > 0 }
    guard !counts.isEmpty, report.scores.count > 0 else { return nil }
    return counts.reduce(0) { $0 + Double($1) / Double(report.scores.count) }
      / Double(counts.count)
  }

  /// `over 5,000 samples, 80 classes`.
  private var of: String {
    "over \(MultiLabelReport.counted(report.scores.count, "sample")), "
      + MultiLabelReport.counted(report.classes.count, "class", "classes")
  }

  private var sentence: String {
    let scores = report.scores
    guard scores.count > 0 else { return "There is no sample to evaluate." }
    let labels = report.labels
    let perSample = { (count: Int) in
      NumberText.fixed(Double(count) / Double(scores.count), 2)
    }
    var text = "At \(report.thresholdText), \(NumberText.count(report.exact)) of "
    text +=
      "\(MultiLabelReport.counted(scores.count, "sample")) "
      + (report.exact == 1 ? "gets exactly its true classes. " : "get exactly their true classes. ")
    text +=
      "A sample has \(perSample(labels.truth)) labels on average; \(perSample(labels.predicted)) are "
      + "predicted."
    return labels.truth == 0
      ? text + " No sample has a class in the ground truth, so mAP and recall are undefined." : text
  }

  /// The sentences on the difference between the two numbers at the top.
  private var difference: String {
    let map = report.scores[.meanAveragePrecision]
    guard map.value != nil else { return "" }
    let classes =
      if let defined = map.defined, let total = map.total, defined < total {
        "the \(NumberText.count(defined)) of \(NumberText.count(total)) classes that occur"
      } else {
        "the classes"
      }
    return
      "mAP needs no threshold: it is the mean of the average precision of \(classes), each with the same weight. "
      + "Micro F1 adds up the labels of all classes, so frequent classes decide it."
  }

  private func certainty(_ map: Score) -> String {
    guard map.value != nil else { return "" }
    guard let interval = map.interval else {
      return map.missing.map {
        "mAP has no 95\u{A0}% CI: \($0.reason(classes: report.classes))."
      } ?? "No CI was computed for mAP."
    }
    return "The 95\u{A0}% CI of mAP is "
      + "[\(NumberText.fixed(interval.low)), \(NumberText.fixed(interval.high))]."
  }
}

/// Every class with its numbers, as a table that can be sorted, most positives first.
struct LabelClassesSection: ReportSection {
  let report: MultiLabelReport
  let id = "classes"
  let template = "object-classes"
  let title = "Per class"

  /// The maximum number of classes in the chart; of more classes, those with the lowest
  /// average precision are shown.
  static let chartLimit = 30

  /// The best threshold comes first, because readers look for it; the remaining metrics come last.
  private static let columns: [MetricKind] = {
    let first: [MetricKind] = [
      .bestThreshold, .bestF1, .averagePrecision, .precision, .recall, .f1,
    ]
    let shown = MetricKind.shown(.classTable, in: .multiLabel)
    return first.filter(shown.contains) + shown.filter { !first.contains($0) }
  }()

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let scores = report.scores
    let columns = Self.columns.filter { scores.perClass($0).count == report.classes.count }
    let truth = scores.totals.truth
    let sorted = report.classes.indices.sorted { (truth[$1], $0) < (truth[$0], $1) }
    let counts: [(term: Term, count: KeyPath<MultiLabelScores.Counts, Int>)] = [
      (.labelTP, \.truePositives), (.labelFP, \.falsePositives), (.labelFN, \.falseNegatives),
    ]
    let hasThresholds = report.threshold == nil && !report.classes.isEmpty
    let terms =
      counts.map(\.term) + (hasThresholds ? [.threshold] : [])
      + columns.map { Term($0, in: .multiLabel) }
    return [
      "sentence": sentence, "hasChart": true, "chart": dots(sorted, builder),
      "columns": terms.map(\.values),
      "rows": sorted.map { category -> [String: Any] in
        let own = scores.counts(of: category)
        var cells = counts.map { TableCell.text(NumberText.count(own[keyPath: $0.count])) }
        if hasThresholds {
          cells.append(TableCell.text(NumberText.short(scores.thresholds.values[category])))
        }
        return [
          "name": report.classes[category], "truths": NumberText.count(truth[category]),
          "scores": cells + columns.map { scores.perClass($0)[category].values },
        ]
      },
      "terms": ([Term.labelInterval] + terms).map(\.values),
    ]
  }

  private func dots(_ sorted: [Int], _ builder: PageBuilder) -> String {
    let scores = report.scores
    let precision = scores.perClass(.averagePrecision)
    var shown = sorted
    if shown.count > Self.chartLimit {
      let rated = sorted.filter { precision[$0].value != nil }.enumerated().sorted {
        (precision[$0.element].value ?? 0, $0.offset)
          < (precision[$1.element].value ?? 0, $1.offset)
      }
      shown = rated.prefix(Self.chartLimit).map(\.element)
    }
    let panels: [(String, MetricKind)] = [
      ("AP", .averagePrecision), ("precision", .precision), ("recall", .recall),
    ]
    return builder.html(
      of: IntervalDots(
        name: "per-class", title: "Per class: \(report.model) on \(report.view)",
        summary: "AP, precision and recall of each class with their intervals",
        classes: shown.map { report.classes[$0] },
        panels: panels.map { title, kind in
          let values = scores.perClass(kind)
          return .init(title: title, values: shown.map { values[$0] })
        }))
  }

  private var sentence: String {
    let precision = report.scores.perClass(.averagePrecision)
    let rated = report.classes.indices.compactMap { index in
      precision[index].value.map { (name: report.classes[index], value: $0) }
    }
    let absent = report.classes.count - rated.count
    var parts: [String] = []
    if let ranked = RankedNames(rated) { parts.append(ranked.sentence(of: rated.count)) }
    if absent > 0 {
      parts.append(
        "\(MultiLabelReport.counted(absent, "class does", "classes do")) not occur in the ground truth, so "
          + "\(absent == 1 ? "it has" : "they have") no AP.")
    }
    if report.classes.count > Self.chartLimit, rated.count > 0 {
      parts.append(
        "The chart shows the \(min(rated.count, Self.chartLimit)) classes with the lowest AP; "
          + "the table shows all classes."
      )
    }
    parts.append(
      "Precision, recall and F1 are at \(report.thresholdText). The best thresholds were chosen on these same "
        + "samples, so the best F1 is optimistic for other samples.")
    return parts.joined(separator: " ")
  }
}

/// Every metric of the run with its interval, or the reason why there is none.
struct LabelNumbersSection: ReportSection {
  let report: MultiLabelReport
  let id = "numbers"
  let template = "tables"
  let title = "All numbers"

  /// The metrics that depend only on the order of the scores.
  private static let ranking: [MetricKind] = [
    .meanAveragePrecision, .microAveragePrecision, .macroAUROC, .labelRankingAveragePrecision,
    .rankingLoss,
  ]

  func values(_ builder: PageBuilder) throws(ReportError) -> [String: Any]? {
    let kinds = MetricKind.kinds(of: .multiLabel).filter { $0.facts.scope == .overall }
    let ranking = Self.ranking.filter(kinds.contains)
    let rest = kinds.filter { !ranking.contains($0) }
    // Metrics that are only there for comparison with other programs come last.
    let listed = rest.filter(isShown) + rest.filter { !isShown($0) }
    let unranked = report.scores.unranked
    return [
      "lead": "".templateValue, "chart": "".templateValue,
      "tables": [
        table(
          "Without a threshold", ranking,
          text: unranked == 0
            ? ""
            : "\(MultiLabelReport.counted(unranked, "sample has", "samples have")) no class or all classes: "
              + "such a sample counts as 0 in ranking loss and as 1 in label ranking average precision."
        ),
        table("At \(report.thresholdText)", listed, text: ""),
      ],
      "terms": (ranking + listed).map { Term($0, in: .multiLabel).values },
    ]
  }

  private func isShown(_ kind: MetricKind) -> Bool {
    [MetricFacts.Place.headline, .list].contains {
      MetricKind.shown($0, in: .multiLabel).contains(kind)
    }
  }

  private func table(_ title: String, _ kinds: [MetricKind], text: String) -> [String: Any] {
    [
      "title": title, "style": "overall", "hasHead": false, "columns": [String](), "text": text,
      "rows": kinds.map { kind -> [String: Any] in
        [
          "term": Term(kind, in: .multiLabel).values, "style": "", "name": "",
          "cells": [TableCell.score(report.scores[kind]), TableCell.note(note(kind))],
        ]
      },
    ]
  }

  /// The reason why a number or its interval is missing; empty if there is none.
  private func note(_ kind: MetricKind) -> String {
    let score = report.scores[kind]
    guard score.value != nil else {
      return kind.facts.use(in: .multiLabel)?.undefined.map { "undefined: \($0)" } ?? ""
    }
    guard score.interval == nil, let missing = score.missing else { return "" }
    return "no interval: " + missing.reason(classes: report.classes)
  }
}

/// The values of a cell of the `tables` template, which are also valid for the `number` template.
enum TableCell {
  /// A number with its interval.
  static func score(_ score: Score) -> [String: Any] {
    score.values.merging(["isName": false, "style": ""]) { $1 }
  }

  /// Returns the values of a cell with a text.
  static func text(_ text: String) -> [String: Any] {
    [
      "value": text, "interval": "".templateValue, "note": "".templateValue, "isName": false,
      "style": "",
    ]
  }

  /// Returns the values of a cell with a note; the cell is blank if the note is empty.
  static func note(_ note: String) -> [String: Any] {
    text("").merging(["note": note.templateValue]) { $1 }
  }

  /// Returns the values of a cell with a name in the style of the ground truth (`t`) or
  /// of the prediction (`p`).
  static func name(_ name: String, style: String) -> [String: Any] {
    text(name).merging(["isName": true, "style": style]) { $1 }
  }

  /// `12 of 40`.
  static func ratio(_ count: Int, _ total: Int) -> [String: Any] {
    text("\(NumberText.count(count)) of \(NumberText.count(total))")
  }

  /// Returns the values of a cell with a share: `0.300` for 12 of 40; a dash if the total is 0.
  static func share(_ count: Int, _ total: Int) -> [String: Any] {
    text(NumberText.fixed(total == 0 ? nil : Double(count) / Double(total)))
  }
}
