package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows

/// `assay compare`: the difference between two runs on the same samples.
package struct CompareCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "compare", abstract: "Compare two runs on the samples that both have.",
    discussion: """
      Differences are B − A; their intervals use the same samples for both runs. Regressions are samples \
      that only A predicts correctly, improvements those that only B predicts correctly; McNemar's test \
      checks whether their numbers differ significantly, per class with Holm's correction. For masks, \
      regressions are samples with a lower IoU, the largest drop first, improvements those with a higher IoU. \
      For detectors, regressions are objects that only A finds at the working IoU and score (Default: 0.5 and \
      0.3), improvements those that only B finds, the most confident first, and a sign test over the images \
      replaces McNemar's test. For multi-label runs, McNemar's test compares the samples with all labels correct, \
      and the lists have the samples with more and with fewer wrong labels (more_wrong, fewer_wrong). Two \
      evaluations may have different thresholds: A and B are compared at their own.
      """)

  @Argument(help: "The first run, or RUN@EVALUATION.")
  package var a: String

  @Argument(help: "The second run, or RUN@EVALUATION.")
  package var b: String

  @Option(
    help: ArgumentHelp(
      "Write compare.json and images of the regressions and improvements here.", valueName: "dir"))
  package var out: String?

  @Option(
    help: ArgumentHelp(
      "Draw the regressions and improvements on one sheet.", valueName: "sheet.png"))
  package var show: String?

  @Flag(help: "Overwrite files that assay did not write.")
  package var force = false

  @Flag(help: "List all classes in text, not only the worst and best 10 of more than 30.")
  package var all = false

  @OptionGroup(title: "Ground truth") package var truth: TruthOptions
  @OptionGroup(title: "Samples") package var selection: EvaluateOptions
  @OptionGroup(title: "Multi-label and masks") package var thresholds: ThresholdOptions
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
      let opened = try EvaluationCatalog.open(
        options.catalogPath, .readOnly, names: [a, b], truth: truth.choice, reportingTo: progress)
      let catalog = opened.catalog
      var output = try CompareOutput(folder: out, sheet: show, force: force)
      var settings = selection.settings
      try thresholds.apply(to: &settings, in: catalog)
      masks.apply(to: &settings)
      try objects.apply(to: &settings)
      intervals.apply(to: &settings)
      let (first, second) = (
        try RunReference(a, in: catalog), try RunReference(b, in: catalog)
      )
      try SamplePairs.checkTasks((first.name, first.run), (second.name, second.run))
      try settings.check(for: first.run.task, run: first.run.name)
      let use = opened.corrections.of(first.run.dataset.name)
      let comparison = try Self.compare(
        Tasks.type(of: first.run.task), first, second, settings, catalog, progress)
      try output.write(
        comparison.json, ComparisonPictures(catalog: catalog, comparison: comparison))
      try opened.checkUnmoved()
      let result = CompareResult(
        comparison: comparison, written: output.written, hasSheet: show != nil, listsAll: all)
      return AnyResult(LinkedResult(CorrectedResult(result, use), [out]))
    }
  }

  /// Compares two runs of a task.
  static func compare<Task: ComparedTask>(
    _ task: Task.Type, _ first: RunReference, _ second: RunReference,
    _ settings: EvaluationSettings, _ catalog: Catalog, _ progress: any ProgressSink
  ) throws -> Comparison {
    try Comparer<Task>(catalog: catalog, progress: progress).compare(first, second, settings)
      .comparison
  }
}

/// The files that `assay compare` writes: a folder with all of them, a single sheet, or nothing.
struct CompareOutput {
  private static let names = ["compare.json", "regressions.png", "improvements.png"]

  private let folderPath: String
  private var folder: OutputFolder?
  private let sheetPath: String
  private var sheet: OutputFile?
  /// The files that were written.
  private(set) var written: [String] = []

  /// Checks, before any work is done, that no existing file is overwritten without `force`.
  ///
  /// - Throws: `OutputError`.
  init(folder path: String?, sheet show: String?, force: Bool) throws(OutputError) {
    folderPath = path ?? ""
    sheetPath = show ?? ""
    if let path {
      let folder = try OutputFolder(path, force: force)
      try folder.check(Self.names)
      self.folder = folder
    }
    if let show { sheet = try OutputFile(show, force: force) }
  }

  /// Writes the requested files.
  mutating func write(_ json: JSONValue, _ pictures: ComparisonPictures) throws {
    if folder != nil {
      let sheets = try pictures.sheets()
      let files = [
        ("compare.json", Array((json.text(indented: true) + "\n").utf8)),
        ("regressions.png", sheets.lost), ("improvements.png", sheets.won),
      ].compactMap { name, bytes in bytes.map { (name: name, bytes: $0) } }
      try folder?.write(files)
      written += files.map { "\(folderPath)/\($0.name)" }
    }
    if sheet != nil {
      try sheet?.write(try pictures.together())
      written.append(sheetPath)
    }
  }
}
