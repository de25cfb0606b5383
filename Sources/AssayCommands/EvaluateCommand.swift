package import ArgumentParser
package import AssayCore
import AssayStore
package import AssayWorkflows

/// `assay evaluate`: how good a run is, and how sure that number is.
package struct EvaluateCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "evaluate", abstract: "Judge a run by its samples' labels, or scores in a file.",
    discussion: """
      What comes of a run is kept beside it as an evaluation: RUN@default, or RUN@NAME with --as. With \
      --gt and --dt two CSV files are judged without a catalog: --gt has a column truth, --dt a column a \
      class; where both have a column sample rows are paired by it, else by their order.
      """)

  @Argument(
    help: ArgumentHelp("The run, or RUN@EVALUATION to look at what is kept.", valueName: "run"))
  package var runName: String?

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("The evaluation's name. Default: default.", valueName: "name"))
  package var name: String?

  @Option(
    help: ArgumentHelp(
      "Judge parts on their own, too: split, category, or a partition.", valueName: "attribute"))
  package var by: String?

  @Option(help: ArgumentHelp("The true labels, a CSV file.", valueName: "file"))
  package var gt: String?

  @Option(help: ArgumentHelp("The probabilities, a CSV file.", valueName: "file"))
  package var dt: String?

  @Option(help: "What the files are about.")
  package var task: ModelTask = .classification

  @Option(
    help: ArgumentHelp(
      "What JSON holds where a class's precision, recall or F1 is undefined: 0 as scikit-learn, or "
        + "null.", valueName: "0|undefined"))
  package var zeroDivision: Evaluation.ZeroDivision = .undefined

  @OptionGroup(title: "Samples and thresholds") package var selection: EvaluateOptions
  @OptionGroup(title: "Intervals") package var intervals: IntervalOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    if gt != nil || dt != nil {
      guard gt != nil, dt != nil else { throw ValidationError("--gt and --dt go together.") }
      guard runName == nil else { throw ValidationError("Give a run, or --gt and --dt; not both.") }
      for (option, isGiven) in [
        ("as", name != nil), ("by", by != nil), ("where", selection.filter != nil),
      ] where isGiven {
        throw ValidationError("--\(option) needs a run in a catalog; files have no such thing.")
      }
    } else if runName == nil {
      throw ValidationError("Give a run (assay ls runs lists them), or --gt FILE and --dt FILE.")
    }
  }

  package func run() throws {
    try options.perform { _ in
      var settings = selection.settings
      intervals.apply(to: &settings)
      settings.slicedBy = by
      if let gt, let dt {
        let evaluation = try FileEvaluation(truth: gt, scores: dt).evaluate(settings)
        return EvaluateResult(evaluation: evaluation, zeroDivision: zeroDivision)
      }
      let run = runName ?? ""
      let isStored = run.contains("@") && name == nil
      let catalog = try Catalog.open(options.catalogPath, isStored ? .readOnly : .readWrite)
      let workflow = RunEvaluation(catalog: catalog)
      var (evaluation, judged, tally) = try workflow.evaluate(run, settings)
      if !isStored { evaluation = try workflow.save(evaluation, of: judged, tally, as: name) }
      return EvaluateResult(evaluation: evaluation, zeroDivision: zeroDivision)
    }
  }
}

extension ModelTask: ExpressibleByArgument {}
extension Evaluation.ZeroDivision: ExpressibleByArgument {}
