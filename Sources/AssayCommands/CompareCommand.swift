package import ArgumentParser
import AssayCore
import AssayStore
import AssayWorkflows
import Foundation

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

      With two folders of parts (assay predict --shard) in place of runs, the parts are compared without \
      being merged.
      """)

  @Argument(help: "The first run, or RUN@EVALUATION; or a folder with all parts of a run.")
  package var a: String

  @Argument(help: "The second run, or RUN@EVALUATION; or a folder with all parts of a run.")
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
      let temporary = try TemporaryDatabases()
      let pair = try pair(temporary, progress)
      var output = try CompareOutput(folder: out, sheet: show, force: force)
      var settings = selection.settings
      try thresholds.apply(to: &settings, in: pair.opened.catalog)
      masks.apply(to: &settings)
      try objects.apply(to: &settings)
      intervals.apply(to: &settings)
      let (first, second) = (pair.first, pair.second)
      try SamplePairs.checkTasks((first.name, first.run), (second.name, second.run))
      try settings.check(for: first.run.task, run: first.run.name)
      let use = pair.opened.corrections.of(first.run.dataset.name)
      let comparison = try Self.compare(
        Tasks.type(of: first.run.task), first, second, settings, pair.opened.catalog, progress)
      try output.write(
        comparison.json, ComparisonPictures(catalog: pair.opened.catalog, comparison: comparison))
      try pair.opened.checkUnmoved()
      let result = CompareResult(
        comparison: comparison, written: output.written, hasSheet: show != nil, listsAll: all)
      return withExtendedLifetime(temporary) {
        AnyResult(LinkedResult(CorrectedResult(result, use), [out]))
      }
    }
  }

  /// Two runs, and the catalog that has them.
  private struct RunPair {
    var opened: OpenedCatalog
    var first: RunReference
    var second: RunReference
  }

  private func pair(
    _ temporary: TemporaryDatabases, _ progress: any ProgressSink
  ) throws -> RunPair {
    let areFolders = [a, b].map { EvaluateCommand.isPartFolder($0, catalog: options.catalogPath) }
    guard areFolders.contains(true) else {
      let opened = try EvaluationCatalog.open(
        options.catalogPath, .readOnly, names: [a, b], truth: truth.choice, reportingTo: progress)
      return RunPair(
        opened: opened, first: try RunReference(a, in: opened.catalog),
        second: try RunReference(b, in: opened.catalog))
    }
    guard areFolders == [true, true] else {
      let folder = areFolders[0] ? a : b
      throw ValidationError(
        "\(folder) is a folder of parts and the other a run; merge the folder first: "
          + "assay merge \(folder) --name NAME")
    }
    let parts = [try RunParts(a), try RunParts(b)]
    guard URL(fileURLWithPath: a).standardizedFileURL != URL(fileURLWithPath: b).standardizedFileURL
    else {
      throw ValidationError("both are the same folder")
    }
    var opened = try EvaluateCommand.catalog(
      of: parts[0], options, truth: truth.choice, reportingTo: progress)
    let (catalog, runs) = try RunParts.shown(
      parts, in: opened.catalog, temporary, progress: progress)
    opened.catalog = catalog
    return RunPair(
      opened: opened, first: RunReference(run: runs[0]), second: RunReference(run: runs[1]))
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
