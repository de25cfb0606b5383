package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay gate`: whether a run is good enough.
package struct GateCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "gate",
    abstract: "Hold a run's numbers against bounds; exit status 1 where one fails.",
    discussion: """
      The keys are those of `assay evaluate --json`, with a class in parentheses where there is a number \
      for each; base is the same number of --base: \
      'accuracy >= 0.58 and recall(disgust) >= 0.3 and accuracy >= base - 0.005', of masks \
      'mean_iou >= 0.7 and class_iou(person) >= base - 0.01', of objects \
      'AP >= 0.3 and per_category_ap(person) >= base'. A number that is undefined fails. \
      Numbers within 1e-12 of each other count as equal. A base over other samples is refused.
      """)

  @Argument(help: ArgumentHelp("The run, or RUN@EVALUATION.", valueName: "run"))
  package var runName: String

  @Argument(help: "Comparisons, joined by and.")
  package var expression: String

  @Option(
    help: ArgumentHelp(
      "What base stands for: a run, or a file that `assay evaluate --json` wrote (x.json, ./x).",
      valueName: "run|file"))
  package var base: String?

  @OptionGroup(title: "Truth") package var truth: TruthOptions
  @OptionGroup(title: "Samples and thresholds") package var selection: EvaluateOptions
  @OptionGroup(title: "Masks") package var masks: MaskOptions
  @OptionGroup(title: "Objects") package var objects: ObjectOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { progress in
      let opened = try JudgingCatalog.open(
        options.catalogPath, .readOnly, names: [runName], truth: truth.choice,
        reportingTo: progress)
      let catalog = opened.catalog
      var settings = selection.settings
      masks.apply(to: &settings)
      try objects.apply(to: &settings)
      let outcome = try GateCheck(catalog: catalog, progress: progress).check(
        runName, expression, base: base, settings)
      try opened.checkUnmoved()
      let dataset = try RunReference(runName, in: catalog).run.dataset.name
      let result = CorrectedResult(
        GateResult(outcome: outcome), opened.corrections.of(dataset))
      guard outcome.isPassed else { throw CheckFailed(result) }
      return result
    }
  }
}

/// The output of `assay gate`.
struct GateResult: CommandResult {
  var outcome: GateOutcome

  var json: JSONValue { outcome.json }

  func text(in terminal: Terminal) -> String {
    let failed = outcome.terms.count { !$0.isMet }
    let count = outcome.terms.count
    let headline =
      failed == 0
      ? "passed: \(outcome.subject) meets \(count == 1 ? "the term" : "all \(count) terms")"
      : "failed: \(outcome.subject) misses \(failed) of \(count) \(count == 1 ? "term" : "terms")"
    let lines = outcome.terms.map { term in
      let mark = term.isMet ? terminal.right("pass") : terminal.wrong("FAIL")
      var line = "  \(mark)  \(Terminal.safe(term.text))\n        "
      line += term.value.map { "is \(Self.number($0))" } ?? "has no value"
      if term.value != nil, let bound = term.bound { line += ", bound \(Self.number(bound))" }
      if let reason = term.reason { line += "; \(reason)" }
      return line
    }
    let notes = outcome.notes.map { Paragraph.text("note: " + $0, in: terminal) }
    return ([Terminal.safe(headline), ""] + lines + notes).joined(separator: "\n")
  }

  /// All digits, as a bound can be missed by the last one; counts without a point.
  private static func number(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\(value)"
  }
}
