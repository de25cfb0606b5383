package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay compare`: what lies between two runs over the same samples.
package struct CompareCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compare two runs on the samples that both have.",
    discussion: """
      Differences are B − A, their intervals drawn over the same samples for both. Lost are the \
      samples that only A has right, won those that only B has right; McNemar's test says whether their \
      numbers differ significantly, for the classes with Holm's correction. For masks, lost are the samples \
      with a lower IoU, the largest drop first, and won those with a higher IoU. For detectors, lost are the \
      objects that only A finds at the working IoU and score (0.5 and 0.3 unless specified), and won those \
      that only B finds, the most confident first; a sign test over the images replaces McNemar's test.
      """)

  @Argument(help: "The first run, or RUN@EVALUATION.")
  package var a: String

  @Argument(help: "The second run, or RUN@EVALUATION.")
  package var b: String

  @Option(
    help: ArgumentHelp(
      "Write compare.json and pictures of the samples lost and won here.", valueName: "dir"))
  package var out: String?

  @Option(
    help: ArgumentHelp("Write one sheet of the samples lost and won.", valueName: "sheet.png"))
  package var show: String?

  @Flag(help: "Overwrite files that assay did not write.")
  package var force = false

  @OptionGroup(title: "Truth") package var truth: TruthOptions
  @OptionGroup(title: "Samples and thresholds") package var selection: EvaluateOptions
  @OptionGroup(title: "Masks") package var masks: MaskOptions
  @OptionGroup(title: "Objects") package var objects: ObjectOptions
  @OptionGroup(title: "Intervals") package var intervals: IntervalOptions
  @OptionGroup package var options: GlobalOptions

  package init() {}

  package func validate() throws {
    if let show { try PictureName.check(show, option: "show") }
  }

  package func run() throws {
    try options.perform { progress in
      let opened = try JudgingCatalog.open(
        options.catalogPath, .readOnly, names: [a, b], truth: truth.choice, reportingTo: progress)
      let catalog = opened.catalog
      var output = try CompareOutput(folder: out, sheet: show, force: force)
      var settings = selection.settings
      masks.apply(to: &settings)
      try objects.apply(to: &settings)
      intervals.apply(to: &settings)
      let (first, second) = (
        try RunReference(a, in: catalog), try RunReference(b, in: catalog)
      )
      try SamplePairs.checkTasks((first.name, first.run), (second.name, second.run))
      try settings.check(for: first.run.task, run: first.run.name)
      let use = opened.corrections.of(first.run.dataset.name)
      let comparison = try compare(
        Tasks.type(of: first.run.task), first, second, settings, catalog, progress)
      try output.write(
        comparison.json, ComparisonPictures(catalog: catalog, comparison: comparison))
      try opened.checkUnmoved()
      let result = CompareResult(
        comparison: comparison, written: output.written, hasSheet: show != nil)
      return AnyResult(LinkedResult(CorrectedResult(result, use), [out]))
    }
  }

  private func compare<Task: ComparedTask>(
    _ task: Task.Type, _ first: RunReference, _ second: RunReference,
    _ settings: EvaluationSettings, _ catalog: Catalog, _ progress: any ProgressSink
  ) throws -> Comparison {
    try Comparer<Task>(catalog: catalog, progress: progress).compare(first, second, settings)
      .comparison
  }
}
