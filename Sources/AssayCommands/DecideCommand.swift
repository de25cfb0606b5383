package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay decide`: thresholds that promise a risk, and their application.
package struct DecideCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "decide",
    abstract: "Choose thresholds that promise a risk, and apply them.",
    subcommands: [DecideMakeCommand.self, DecideApplyCommand.self],
    defaultSubcommand: DecideMakeCommand.self)

  package init() {}
}

/// `assay decide RUN`: chooses thresholds on labeled samples.
package struct DecideMakeCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "make", abstract: "Choose thresholds on a run's labeled samples.",
    discussion: """
      A prediction is accepted if its score is at least the threshold, of its class with --per class. The risk is the \
      share of errors among accepted predictions. The threshold is the lowest one for which the exact binomial test \
      (Clopper–Pearson) shows a risk of at most --risk; the test covers that it was chosen among many, and with \
      --per class that there are many classes: with the stated confidence all promises hold at once. A class for \
      which nothing can be promised is never accepted, and the reason is stated.

      --method conformal gives prediction sets for classification: the set of a sample contains its true class \
      with a probability of at least 1 − risk, on average (marginal coverage).

      assay decide RUN is the same as assay decide make RUN. The file is read by predict --decision, \
      gate --decision and decide apply; other models are refused.
      """)

  /// The scope of a threshold.
  package enum Scope: String, CaseIterable, ExpressibleByArgument {
    case category = "class"
    case all
  }

  /// The methods.
  package enum Method: String, CaseIterable, ExpressibleByArgument {
    case clopperPearson = "clopper-pearson"
    case conformal
  }

  @Argument(help: ArgumentHelp("The run, over labeled samples.", valueName: "run"))
  package var runName: String

  @Option(help: ArgumentHelp("The maximum risk.", valueName: "share"))
  package var risk = 0.1

  @Option(
    help: ArgumentHelp(
      "The confidence of the promise. Default: 0.95; not with conformal.", valueName: "share"))
  package var confidence: Double?

  @Option(help: "One threshold per class, or one for all.")
  package var per: Scope = .all

  @Option(
    help: ArgumentHelp(
      "The split whose samples are used, one that the model was not trained on. Default: val.",
      valueName: "name"))
  package var split: String?

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp(
      "Use the samples that match this expression, instead of a split.", valueName: "expr"))
  package var filter: String?

  @Option(help: "The method.")
  package var method: Method = .clopperPearson

  @Option(help: ArgumentHelp("Write the decision file here.", valueName: "file.yaml"))
  package var out: String?

  @Flag(help: "Overwrite a file that assay did not write.")
  package var force = false

  @OptionGroup(title: "Ground truth") package var truth: TruthOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    for (option, value) in [("risk", risk), ("confidence", confidence ?? 0.95)]
    where !(value > 0 && value < 1) {
      throw ValidationError("--\(option) is \(value); it must be above 0 and below 1")
    }
    guard split == nil || filter == nil else {
      throw ValidationError("give --split or --where, not both")
    }
    guard method == .clopperPearson || confidence == nil else {
      throw ValidationError(
        "--confidence does not apply to --method conformal: its promise is an average (marginal coverage)"
      )
    }
  }

  package func run() throws {
    try options.perform { progress in
      var file = try out.map { try OutputFile($0, force: force) }
      let opened = try EvaluationCatalog.open(
        options.catalogPath, .readOnly, names: [runName], truth: truth.choice,
        reportingTo: progress)
      let dataset = try RunReference(runName, in: opened.catalog).run.dataset.name
      let use = opened.corrections.of(dataset)
      var request = DecisionRequest(
        run: runName, filter: filter ?? "split = \(QueryWords.spelled(split ?? "val"))")
      request.risk = risk
      request.confidence = confidence ?? 0.95
      request.isPerClass = per == .category
      request.isConformal = method == .conformal
      if use.used { request.groundTruth = "corrected-\(use.sequence ?? 0)" }
      let made = try DecisionMaking(catalog: opened.catalog).make(request)
      try opened.checkUnmoved()
      try file?.write(Array(made.yaml.utf8))
      return CorrectedResult(DecisionResult(made: made, path: out), use)
    }
  }
}

/// The output of `assay decide`.
struct DecisionResult: CommandResult {
  let made: MadeDecision
  /// The file that was written, if any.
  let path: String?

  var json: JSONValue {
    guard let members = made.json.members else { return made.json }
    return .object(members + [.init("file", JSONValue(path))])
  }

  func text(in terminal: Terminal) -> String {
    let title = made.isConformal ? "true class" : "predicted class"
    var table = TextTable(
      [(title, .left), ("n", .right), ("threshold", .right)]
        + (made.isConformal
          ? []
          : [("accepted", .right), ("coverage", .right), ("errors", .right), ("bound", .right)]))
    for line in made.lines {
      let coverage = line.accepted == nil && !made.isConformal ? 0 : line.coverage
      table.add(
        [
          line.category ?? "all", "\(line.samples)", line.threshold.map { "\($0)" } ?? "never",
        ]
          + (made.isConformal
            ? []
            : [
              "\(line.accepted ?? 0)", Fixed.text(coverage), line.errors.map(String.init) ?? "–",
              Fixed.text(line.upper, places: 4),
            ]))
    }
    let reasons = made.lines.compactMap { line in
      line.reason.map {
        Paragraph.text(
          "\(line.category ?? "all")\(line.threshold == nil ? " is never accepted" : ""): \($0)",
          in: terminal)
      }
    }
    let head = [
      Terminal.safe("\(made.run), \(made.filter), n = \(made.samples)"),
      Paragraph.text(made.promise, in: terminal),
    ]
    let notes = made.notes.map { Paragraph.text("note: " + $0, in: terminal) }
    let next =
      path.map {
        [
          "written to \(Terminal.safe($0))",
          "check it on other samples: assay decide apply RUN --decision \(Terminal.safe($0))",
        ]
      } ?? ["to keep it: --out decision.yaml"]
    return [
      head.joined(separator: "\n"), table.text(in: terminal),
      (reasons + notes + next).joined(separator: "\n"),
    ].joined(separator: "\n\n")
  }
}

/// `assay decide apply`: the coverage and the risk of a decision on a run.
package struct DecideApplyCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "apply", abstract: "Apply a decision to a run: coverage and risk.",
    discussion: """
      Prints the share of accepted predictions and, for labeled samples, the share of errors among them with its \
      95 % interval (Clopper–Pearson), per class. Use samples that the decision was not made on to check its promise: \
      an interval above the promised risk contradicts it. With prediction sets, the share of sets that contain \
      the true class and their mean size.
      """)

  @Argument(help: ArgumentHelp("The run, labeled or not.", valueName: "run"))
  package var runName: String

  @Option(
    help: ArgumentHelp(
      "The decision file. Default: the one that the run was predicted with.", valueName: "file"))
  package var decision: String?

  @Option(
    name: .customLong("where"),
    help: ArgumentHelp("Only samples that match this expression.", valueName: "expr"))
  package var filter: String?

  @OptionGroup(title: "Ground truth") package var truth: TruthOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { progress in
      let opened = try EvaluationCatalog.open(
        options.catalogPath, .readOnly, names: [runName], truth: truth.choice,
        reportingTo: progress)
      let applied = try DecisionApplication(catalog: opened.catalog).apply(
        decision, to: runName, where: filter)
      try opened.checkUnmoved()
      let dataset = try RunReference(runName, in: opened.catalog).run.dataset.name
      return CorrectedResult(AppliedResult(applied: applied), opened.corrections.of(dataset))
    }
  }
}

/// The output of `assay decide apply`.
struct AppliedResult: CommandResult {
  let applied: AppliedDecision

  var json: JSONValue { applied.json }

  func text(in terminal: Terminal) -> String {
    let isConformal = applied.isConformal
    var table = TextTable(
      isConformal
        ? [
          ("true class", .left), ("n", .right), ("classes per set", .right), ("one class", .right),
          ("coverage", .right), ("95 %", .right), ("", .left),
        ]
        : [
          ("predicted class", .left), ("n", .right), ("accepted", .right), ("coverage", .right),
          ("errors", .right), ("risk", .right), ("95 %", .right), ("", .left),
        ])
    let promised = Set(applied.promised)
    for part in applied.parts + [applied.whole] {
      let name = part.category ?? "all"
      let mark = promised.contains(part) ? mark(part) : ""
      if isConformal {
        let interval = part.interval.map {
          "[\(Fixed.text(1 - $0.upperBound)), \(Fixed.text(1 - $0.lowerBound))]"
        }
        table.add([
          name, "\(part.count)", Fixed.text(part.meanSize, places: 2), "\(part.accepted)",
          Fixed.text(part.risk.map { 1 - $0 }), interval ?? "", mark,
        ])
      } else {
        let interval = part.interval.map {
          "[\(Fixed.text($0.lowerBound)), \(Fixed.text($0.upperBound))]"
        }
        table.add([
          name, "\(part.count)", "\(part.accepted)", Fixed.text(part.coverage),
          part.checked == 0 ? "–" : "\(part.errors) of \(part.checked)", Fixed.text(part.risk),
          interval ?? "", mark,
        ])
      }
    }
    let head = [
      Terminal.safe(
        "\(applied.run)\(applied.filter.map { ", \($0)" } ?? ""), n = \(applied.samples)"),
      Paragraph.text("\(applied.file): \(applied.promise)", in: terminal),
    ]
    let notes = applied.notes.map { Paragraph.text("note: " + $0, in: terminal) }
    return
      ([head.joined(separator: "\n"), table.text(in: terminal)]
      + (notes.isEmpty ? [] : [notes.joined(separator: "\n")]))
      .joined(separator: "\n\n")
  }

  /// The comparison of a part's risk with the promised one.
  private func mark(_ part: AppliedDecision.Part) -> String {
    guard let risk = part.risk, let interval = part.interval else { return "" }
    // The coverage of sets is promised on average over validation sets, and this is one of them.
    if applied.isConformal { return risk > applied.risk ? "below the promised average" : "" }
    if interval.lowerBound > applied.risk { return "contradicts the promise" }
    return risk > applied.risk ? "above the promised risk, within its error" : ""
  }
}
