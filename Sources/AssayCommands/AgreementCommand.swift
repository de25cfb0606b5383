package import ArgumentParser
import AssayCore
import AssayMetrics
import AssayStore
import AssayWorkflows

/// `assay agreement`: how far several people agree.
package struct AgreementCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "agreement",
    abstract: "Measure how far several annotators agree on the same samples.",
    discussion: """
      assay agreement r1                            the shared samples of a review (assay review … --overlap)
      assay agreement project --sets labels,ben     the annotators of an imported dataset or view

      Labels: observed agreement, Cohen's kappa for two people, Krippendorff's alpha and Fleiss' kappa for more. \
      Sets of labels: kappa or alpha of each class, and their mean. Regions: the mean IoU of the classes' \
      pixels, and F1 and mean IoU of objects, matched greedily by descending IoU within a class from 0.5 on. \
      Samples that a person has not finished are not compared. Chance-corrected scores have a jackknife interval \
      from 50 samples on. “labels” is the imported ground truth.
      """)

  @Argument(help: "A review with shared samples, or a dataset or view with several annotators.")
  package var subject: String

  @Option(
    help: ArgumentHelp(
      "Of a dataset: the annotators to compare. Default: all.", valueName: "names"))
  package var sets: String?

  @Option(
    help: ArgumentHelp(
      "The number of samples with the lowest agreement to list, 0 for all. Default: 10.",
      valueName: "n"))
  package var rows: Int?

  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    if let rows, rows < 0 { throw ValidationError("--rows must be 0 or more") }
    if let sets, sets.split(separator: ",").count < 2 {
      throw ValidationError("--sets needs two names or more: labels,ben")
    }
  }

  package func run() throws {
    try options.perform { progress in
      let path = options.catalogPath
      let catalog = try CorrectedCatalog.open(path, .readOnly, reportingTo: progress).catalog
      let isReview = try sets == nil && catalog.findReview(named: subject) != nil
      let source: AgreementSource
      if isReview {
        let opened = try OpenedReview(subject, in: path, .readWrite, reportingTo: progress)
        source = try AgreementSource(of: opened.queue, opened.desk, progress: progress)
      } else {
        let names = sets?.split(separator: ",").map(String.init) ?? []
        source = try AgreementSource(
          of: try catalog.resolve(subject), sets: names, in: catalog)
      }
      return AgreementResult(
        subject: subject, report: try AgreementReport(source), isReview: isReview, rows: rows ?? 10)
    }
  }
}

/// The result of `assay agreement`.
struct AgreementResult: CommandResult {
  var subject: String
  var report: AgreementReport
  var isReview: Bool
  /// The maximum number of samples to list, 0 for all.
  var rows: Int

  var json: JSONValue {
    .object(
      [
        .init("subject", .string(subject)), .init("dataset", .string(report.dataset)),
        .init("kind", .string(report.kind.rawValue)),
        .init("people", .array(report.people.map { .string($0) })),
        .init("samples", JSONValue(report.samples)), .init("waiting", JSONValue(report.waiting)),
        .init("excluded", JSONValue(report.excluded)), .init("empty", JSONValue(report.empty)),
        .init("scores", Self.json(report.scores)),
        .init(
          "pairs",
          .array(
            report.pairs.map { row in
              [
                "people": .array(row.names.map { .string($0) }),
                "samples": JSONValue(row.samples), "scores": Self.json(row.scores),
              ]
            })),
        .init(
          "classes",
          .array(
            report.classes.map { row in
              [
                "class": .string(row.names.first ?? ""), "samples": JSONValue(row.samples),
                "scores": Self.json(row.scores),
              ]
            })),
        .init(
          "lowest",
          .array(
            listed.map { row in
              [
                "key": .string(row.key), "agreement": .number(row.agreement),
                "versions": .object(
                  row.versions.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) }),
              ]
            })),
      ])
  }

  private static func json(_ scores: [AgreementReport.Key: Score]) -> JSONValue {
    .object(
      AgreementReport.Key.allCases.compactMap { key in
        scores[key].map { score in
          .init(
            key.rawValue,
            [
              "value": JSONValue(score.value), "low": JSONValue(score.interval?.low),
              "high": JSONValue(score.interval?.high),
            ])
        }
      })
  }

  /// The samples to list: without those on which all agree, unless all are asked for.
  private var listed: [AgreementReport.SampleRow] {
    guard rows > 0 else { return report.ranked }
    return report.ranked.prefix(rows).filter { $0.agreement < 1 }
  }

  func text(in terminal: Terminal) -> String {
    var head = [
      "agreement of \(report.people.map(Terminal.safe).joined(separator: ", ")) on "
        + "\(Terminal.safe(subject)): \(Counted.text(report.samples, "sample", "samples"))"
    ]
    if report.waiting > 0 {
      head.append(
        "\(Counted.text(report.waiting, "shared sample", "shared samples")) not finished by two people yet"
      )
    }
    if report.excluded > 0, report.kind != .labels {
      head.append(
        "\(Counted.text(report.excluded, "sample", "samples")) excluded by somebody, not compared")
    }
    if report.empty > 0 {
      head.append(
        "\(Counted.text(report.empty, "sample", "samples")) without any object, not in the means")
    }
    guard report.samples > 0 else {
      return (head + [next]).compactMap(\.self).joined(separator: "\n")
    }
    var blocks = [head.joined(separator: "\n"), scores.text(in: terminal)]
    if !report.pairs.isEmpty { blocks.append(table("pair", report.pairs).text(in: terminal)) }
    if report.classes.count > 1 || report.kind != .regions {
      blocks.append(table("class", report.classes).text(in: terminal))
    }
    if !listed.isEmpty { blocks.append("lowest agreement:\n" + samples.text(in: terminal)) }
    if let next { blocks.append(next) }
    return blocks.joined(separator: "\n\n")
  }

  private var next: String? {
    guard isReview else { return nil }
    return report.samples > 0
      ? "next: assay review consensus \(Terminal.safe(subject))"
      : "next: assay review status \(Terminal.safe(subject))"
  }

  private var scores: TextTable {
    var table = TextTable([("score", .left), ("value", .left)])
    for key in AgreementReport.Key.allCases {
      guard let score = report.scores[key] else { continue }
      let mean = report.kind == .labelSets ? ", mean of classes" : ""
      table.add([key.words + mean, Fixed.text(score)])
    }
    return table
  }

  private func table(_ title: String, _ rows: [AgreementReport.Row]) -> TextTable {
    let keys = AgreementReport.Key.allCases.filter { key in rows.contains { $0.scores[key] != nil }
    }
    var table = TextTable(
      [(title, .left), ("samples", .right)] + keys.map { ($0.words, .right) })
    for row in rows {
      table.add(
        [row.names.joined(separator: " – "), "\(row.samples)"]
          + keys.map { Fixed.text(row.scores[$0]?.value) })
    }
    return table
  }

  private var samples: TextTable {
    var table = TextTable([("key", .path), ("agreement", .right), ("versions", .left)])
    for row in listed {
      let versions = row.versions.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
      table.add([row.key, Fixed.text(row.agreement), versions.joined(separator: " · ")])
    }
    return table
  }
}
