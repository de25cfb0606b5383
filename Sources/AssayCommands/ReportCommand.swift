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
      if it exists. The page needs no network and no other file. The same run gives the same bytes. Two \
      runs give the comparison that `assay compare` prints, as a page with the images of regressions and \
      improvements; with --each, and for more than two runs, each run gets a report in a folder of its own. \
      Without labels for the run's task the page shows only the predictions: classes, confidences, images.
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

  @Option(
    help: ArgumentHelp(
      "Show the verdict of these checks in the head of the page, as in `assay gate`; the exit status does not "
        + "depend on it.", valueName: "expression"))
  package var gate: String?

  @Option(
    help: ArgumentHelp("The base of --gate: a run, or a file.", valueName: "run|file"))
  package var base: String?

  @Flag(help: "Write a report of each of two runs instead of their comparison.")
  package var each = false

  @OptionGroup(title: "Ground truth") package var truth: TruthOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    guard Set(runs).count == runs.count else {
      throw ValidationError("A run is named twice.")
    }
    guard runs.count != 2 || each || gate == nil else {
      throw ValidationError("A comparison has no --gate; add --each for a report of each run.")
    }
    guard base == nil || gate != nil else { throw ValidationError("--base needs --gate") }
  }

  package func run() throws {
    try options.perform { progress -> AnyResult in
      if runs.count == 2, !each, let a = runs.first, let b = runs.last {
        return try comparison(of: a, and: b, progress)
      }
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
        var workflow = ReportWorkflow(
          catalog: opened[index].catalog, corrections: opened[index].corrections,
          progress: progress)
        if let gate {
          var settings = EvaluationSettings()
          settings.ignoresMissing = ignoreMissing
          workflow.gate = try GateCheck(catalog: opened[index].catalog, progress: progress).check(
            name, gate, base: base, settings)
        }
        let outcome = try workflow.report(name, ignoresMissing: ignoreMissing)
        try opened[index].checkUnmoved()
        try folders[index].write(outcome.files)
        reports.append(
          ReportResult.Report(
            outcome: outcome, folder: folders[index].path,
            use: opened[index].corrections.of(outcome.run.dataset.name), gate: workflow.gate))
      }
      return AnyResult(LinkedResult(ReportResult(reports: reports), folders.map(\.path)))
    }
  }

  /// Writes the comparison of two runs as a page with what `assay compare` prints.
  private func comparison(
    of a: String, and b: String, _ progress: any ProgressSink
  ) throws -> AnyResult {
    let opened = try EvaluationCatalog.open(
      options.catalogPath, .readOnly, names: [a, b], truth: truth.choice, reportingTo: progress)
    let catalog = opened.catalog
    let (first, second) = (try RunReference(a, in: catalog), try RunReference(b, in: catalog))
    try SamplePairs.checkTasks((first.name, first.run), (second.name, second.run))
    var folder = try OutputFolder(
      out ?? "Reports/\(first.name)-vs-\(second.name)", force: force)
    try folder.check([ReportWorkflow.pageName])
    var settings = EvaluationSettings()
    settings.ignoresMissing = ignoreMissing
    try settings.check(for: first.run.task, run: first.run.name)
    let comparison = try CompareCommand.compare(
      Tasks.type(of: first.run.task), first, second, settings, catalog, progress)
    let text = CompareResult(comparison: comparison, listsAll: true).body
    // Lines of a page are broken by the browser.
    let terminal = Terminal(width: 10_000)
    let page = ComparisonPage(
      catalog: catalog, comparison: comparison, of: first, and: second,
      corrections: opened.corrections, progress: progress)
    let lines = text.headline(in: terminal).split(separator: "\n").map(String.init)
    let made = try page.files(
      // The second line has the main score, which the page shows above.
      lines: Array(lines.prefix(1) + lines.dropFirst(2)),
      classes: text.classes.map { Self.table("Per class", $0) },
      tables: ([("Scores", text.scores)] + text.further).map { Self.table($0.0, $0.1) },
      legend: text.legend(in: terminal).joined(separator: " "))
    try opened.checkUnmoved()
    try folder.write(made.files)
    let use = opened.corrections.of(first.run.dataset.name)
    let result = ComparisonPageResult(
      comparison: comparison, notes: made.notes, files: made.files.map(\.name), folder: folder.path)
    return AnyResult(LinkedResult(CorrectedResult(result, use), [folder.path]))
  }

  private static func table(_ title: String, _ table: TextTable) -> ComparisonPage.Table {
    ComparisonPage.Table(title: title, columns: table.header, rows: table.rows)
  }

  private func path(of run: String) -> String {
    let name = run.hasPrefix("run:") ? String(run.dropFirst(4)) : run
    guard let out else { return "Reports/" + name }
    return runs.count == 1 ? out : out + "/" + name
  }
}

/// The comparison that `assay report A B` wrote.
struct ComparisonPageResult: CommandResult {
  let comparison: Comparison
  let notes: [String]
  let files: [String]
  let folder: String

  private var path: String { folder + "/" + ReportWorkflow.pageName }

  var json: JSONValue {
    let changes = comparison.details.own.changes
    return [
      "a": .string(comparison.first), "b": .string(comparison.second), "path": .string(path),
      "files": .array(files.map { .string($0) }), "n": JSONValue(comparison.samples.count),
      "regressions": JSONValue(changes.lost), "improvements": JSONValue(changes.won),
      "notes": .array((comparison.notes + notes).map { .string($0) }),
    ]
  }

  func text(in terminal: Terminal) -> String {
    let changes = comparison.details.own.changes
    return
      ([
        Terminal.safe("\(comparison.first) → \(comparison.second)")
          + " on \(Counted.text(comparison.samples.count, "sample", "samples")): regressions "
          + "\(changes.lost), improvements \(changes.won)"
      ] + notes.map { "note: " + Terminal.safe($0) } + [Terminal.safe(path)])
      .joined(separator: "\n")
  }
}

/// The reports that `assay report` wrote.
struct ReportResult: CommandResult {
  /// One run's report.
  struct Report {
    let outcome: ReportWorkflow.Outcome
    let folder: String
    let use: CorrectionStatus
    /// The verdict of the gate; `nil` for none.
    let gate: GateOutcome?

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
              + (report.gate.map { [.init("gate", $0.json)] } ?? []) + report.use.members)
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
      if let gate = report.gate {
        let failed = gate.terms.filter { !$0.isMet }.map(\.text)
        lines.append(
          failed.isEmpty
            ? "gate: passed" : "gate: failed: " + Terminal.safe(failed.joined(separator: "; ")))
      }
      lines.append(Terminal.safe(report.path))
      return lines.joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  private static func fixed(_ value: Double?) -> String {
    value.map { String(format: "%.3f", $0) } ?? "–"
  }
}
