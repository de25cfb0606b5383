package import ArgumentParser
import AssayCore
import AssayMetrics
import AssayStore
import AssayWorkflows
import Foundation

/// `assay report`: an HTML report of a run with its charts.
package struct ReportCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "report",
    abstract: "Write the report of a run: one HTML page, and its charts as PNGs.",
    discussion: """
      RUN is evaluated against the dataset's labels; RUN@EVALUATION against the ground truth, with the \
      samples and settings stored with the evaluation. For a run of masks, its evaluation `default` is used \
      if it exists. The page needs no network and no other file. The same run gives the same bytes. Several \
      runs get one folder each. Without labels for the run's task the page shows only the \
      predictions: classes, confidences, images.
      """)

  @Argument(help: "Runs, or RUN@EVALUATION.")
  package var runs: [String]

  @Option(
    help: ArgumentHelp(
      "The folder to write; with several runs, one folder per run in it. Default: Reports/RUN.",
      valueName: "dir"))
  package var out: String?

  @Flag(help: "Overwrite files that assay did not write.")
  package var force = false

  @Flag(help: "Leave out samples of classes that the run has no scores for.")
  package var ignoreMissing = false

  @OptionGroup(title: "Ground truth") package var truth: TruthOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    guard Set(runs).count == runs.count else {
      throw ValidationError("A run is named twice.")
    }
  }

  package func run() throws {
    try options.perform { progress in
      // Runs with the same ground truth share a catalog; every run is looked up before the first
      // report is made.
      let opened = try runs.map { name in
        try EvaluationCatalog.open(
          options.catalogPath, .readOnly, names: [name], truth: truth.choice,
          reportingTo: progress)
      }
      for (name, opened) in zip(runs, opened) { _ = try RunReference(name, in: opened.catalog) }
      // Every folder is checked before the first report is made.
      var folders = try runs.map { name throws(OutputError) in
        let folder = try OutputFolder(path(of: name), force: force)
        try folder.check([ReportWorkflow.pageName])
        return folder
      }
      var reports: [ReportResult.Report] = []
      for (index, name) in runs.enumerated() {
        let workflow = ReportWorkflow(
          catalog: opened[index].catalog, corrections: opened[index].corrections,
          progress: progress)
        let outcome = try workflow.report(name, ignoresMissing: ignoreMissing)
        try opened[index].checkUnmoved()
        try folders[index].write(outcome.files)
        reports.append(
          ReportResult.Report(
            outcome: outcome, folder: folders[index].path,
            use: opened[index].corrections.of(outcome.run.dataset.name)))
      }
      return LinkedResult(ReportResult(reports: reports), folders.map(\.path))
    }
  }

  private func path(of run: String) -> String {
    let name = run.hasPrefix("run:") ? String(run.dropFirst(4)) : run
    guard let out else { return "Reports/" + name }
    return runs.count == 1 ? out : out + "/" + name
  }
}

/// The reports that `assay report` wrote.
struct ReportResult: CommandResult {
  /// One run's report.
  struct Report {
    let outcome: ReportWorkflow.Outcome
    let folder: String
    let use: CorrectionStatus

    /// The run, with the evaluation's name unless it is the default.
    var name: String {
      let name = outcome.evaluationName
      let isUsual = name == nil || name == EvaluationRecord.defaultName
      return outcome.run.name + (isUsual ? "" : "@\(name ?? "")")
    }
    /// The page's path.
    var path: String { folder + "/" + ReportWorkflow.pageName }
  }

  let reports: [Report]

  var json: JSONValue {
    [
      "reports": .array(
        reports.map { report in
          .object(
            [
              .init("run", .string(report.outcome.run.name)),
              .init("evaluation", JSONValue(report.outcome.evaluationName)),
              .init("path", .string(report.path)),
              .init("files", .array(report.outcome.files.map { .string($0.name) })),
              .init("n", JSONValue(report.outcome.count)),
            ]
              + report.outcome.headline.map { .init($0.kind.rawValue, JSONValue($0.score.value)) }
              + [.init("notes", .array(report.outcome.notes.map { .string($0) }))]
              + report.use.members)
        })
    ]
  }

  func text(in terminal: Terminal) -> String {
    reports.map { report in
      let numbers = report.outcome.headline.map { kind, score in
        let interval = score.interval.map {
          " [\(Self.fixed($0.low)), \(Self.fixed($0.high))]"
        }
        return "\(kind.facts.title) \(Self.fixed(score.value))\(interval ?? "")"
      }
      let count = report.outcome.count
      // Only a mean over samples is limited to the samples in which it is defined.
      let first = report.outcome.headline.first
      let defined = first?.kind == .meanIoU ? first?.score.defined : nil
      let evaluated = defined.flatMap { $0 < count ? "\($0) of " : nil } ?? ""
      let what = numbers.isEmpty ? "predictions" : numbers.joined(separator: ", ")
      var lines = [
        "\(Terminal.safe(report.name)): \(what) \(numbers.isEmpty ? "of" : "over") "
          + evaluated + Counted.text(count, "sample", "samples")
      ]
      if report.use.used { lines += report.use.remarks.map(Terminal.safe) }
      lines += report.outcome.notes.map { "note: " + Terminal.safe($0) }
      lines.append(Terminal.safe(report.path))
      return lines.joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  private static func fixed(_ value: Double?) -> String {
    value.map { String(format: "%.3f", $0) } ?? "–"
  }
}
