package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay gate`: checks a run's metrics against thresholds.
package struct GateCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "gate",
    abstract: "Check a run's metrics against thresholds; exit status 1 if a check fails.",
    discussion: """
      The keys are those of `assay evaluate --json`, with a class in parentheses for metrics with one \
      value per class; base is the value of the same metric in --base: \
      'accuracy >= 0.58 and recall(disgust) >= 0.3 and accuracy >= base - 0.005', for masks \
      'mean_iou >= 0.7 and class_iou(person) >= base - 0.01', for objects \
      'AP >= 0.3 and per_category_ap(person) >= base'. An undefined value fails. \
      Values within 1e-12 of each other count as equal. A base over other samples is refused.

      A decision file (assay decide) gives the keys coverage and selective_risk: \
      'coverage >= 0.7 and selective_risk <= 0.1'.
      """)

  @Argument(help: ArgumentHelp("The run, or RUN@EVALUATION.", valueName: "run"))
  package var runName: String

  @Argument(help: "Checks joined by “and”.")
  package var expression: String

  @Option(
    help: ArgumentHelp(
      "The base: a run, or a file that `assay evaluate --json` wrote (x.json, ./x).",
      valueName: "run|file"))
  package var base: String?

  @Option(
    help: ArgumentHelp(
      "The decision file behind coverage and selective_risk. Default: the run's own, of predict --decision.",
      valueName: "file"))
  package var decision: String?

  @OptionGroup(title: "Ground truth") package var truth: TruthOptions
  @OptionGroup(title: "Samples") package var selection: EvaluateOptions
  @OptionGroup(title: "Multi-label and masks") package var thresholds: ThresholdOptions
  @OptionGroup(title: "Masks") package var masks: MaskOptions
  @OptionGroup(title: "Objects") package var objects: ObjectOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func run() throws {
    try options.perform { progress in
      let opened = try EvaluationCatalog.open(
        options.catalogPath, .readOnly, names: [runName], truth: truth.choice,
        reportingTo: progress)
      let catalog = opened.catalog
      var settings = selection.settings
      try thresholds.apply(to: &settings, in: catalog)
      masks.apply(to: &settings)
      try objects.apply(to: &settings)
      let outcome = try GateCheck(catalog: catalog, progress: progress).check(
        runName, expression, base: base, settings, decision: decision)
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
      ? "passed: \(outcome.subject): \(count == 1 ? "1 check" : "all \(count) checks") passed"
      : "failed: \(outcome.subject): \(failed) of \(count) \(count == 1 ? "check" : "checks") failed"
    let lines = outcome.terms.map { term in
      let mark = term.isMet ? terminal.right("pass") : terminal.wrong("FAIL")
      var line = "  \(mark)  \(Terminal.safe(term.text))\n        "
      line += term.value.map { "value \(Self.number($0))" } ?? "no value"
      if term.value != nil, let bound = term.bound { line += ", threshold \(Self.number(bound))" }
      if let reason = term.reason { line += "; \(reason)" }
      return line
    }
    let notes = outcome.notes.map { Paragraph.text("note: " + $0, in: terminal) }
    return ([Terminal.safe(headline), ""] + lines + notes).joined(separator: "\n")
  }

  /// All digits, because the last one can decide a check; counts have no decimal point.
  private static func number(_ value: Double) -> String {
    Int(exactly: value).map(String.init) ?? "\(value)"
  }
}
