package import ArgumentParser
import AssayCore
import AssayStore
package import AssayWorkflows
import Foundation

/// `assay evaluate`: the metrics of a run, with confidence intervals.
package struct EvaluateCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "evaluate",
    abstract: "Evaluate a run or prediction files against labels, masks or objects.",
    discussion: """
      The result is stored with the run as an evaluation: RUN@default, or RUN@NAME with --as; with other \
      mask settings or samples the name states them (RUN@threshold-0.4_open-2). With --gt and --dt, files \
      are evaluated without a catalog. Labels: two CSV files, --gt with a column truth, --dt with one \
      column per class, paired by a column sample if both have it, else by order. Masks: two folders of \
      PNGs with the same names. Objects: COCO instances and results (.json, .json.gz), evaluated \
      bit-identically to pycocotools after checks of the files; with --task segmentation their regions are \
      merged and evaluated as masks.

      With --corrected a run is evaluated against the corrected ground truth and stored as RUN@corrected \
      (RUN@corrected-112 with --at 112); the output also shows how the corrections changed the numbers.

      With the folder of the parts of a run (assay predict --shard) in place of a run, the parts are evaluated \
      as the merged run would be; the catalog is only read, and nothing is stored.
      """)

  @Argument(
    help: ArgumentHelp(
      "The run, or RUN@EVALUATION to show a stored evaluation; or a folder with all parts of a run.",
      valueName: "run"))
  package var runName: String?

  @Option(
    name: .customLong("as"),
    help: ArgumentHelp("The evaluation's name. Default: default.", valueName: "name"))
  package var name: String?

  @Option(
    help: ArgumentHelp(
      "Also evaluate parts separately: split, category, a partition, or a field of samples (assay fields; field(NAME) for one that has the name of a partition).",
      valueName: "attribute"))
  package var by: String?

  @Option(
    help: ArgumentHelp(
      "Objects: evaluate a label that each has, as the classifier of a pipeline gives it, against a field of the true object that it matches (--iou, default 0.5): label=emotion; without =FIELD against its class. Nothing is stored.",
      valueName: "name=field"))
  package var attribute: String?

  @Option(
    help: ArgumentHelp(
      "Masks: also evaluate at every threshold of a range: threshold=0.1..0.9:0.05.",
      valueName: "range"))
  package var sweep: String?

  @Option(
    help: ArgumentHelp(
      "Multi-label and masks: write one row per sample here.", valueName: "file.csv"))
  package var samples: String?

  @Flag(help: "Overwrite a file that assay did not write.")
  package var force = false

  @OptionGroup(title: "Files instead of a run") package var files: EvaluateFilesOptions

  @Option(
    help: ArgumentHelp(
      "The JSON value of an undefined precision, recall or F1 of a class: 0 as in scikit-learn, or "
        + "null.", valueName: "0|undefined"))
  package var zeroDivision: Evaluation.ZeroDivision = .undefined

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
    if files.areGiven {
      guard runName == nil else { throw ValidationError("Give a run, or --gt and --dt; not both.") }
      for (option, isGiven) in [
        ("as", name != nil), ("by", by != nil), ("where", selection.filter != nil),
        ("sweep", sweep != nil), ("corrected", truth.corrected),
        ("thresholds-from", thresholds.thresholdsFrom != nil), ("attribute", attribute != nil),
      ] where isGiven {
        throw ValidationError("--\(option) needs a run in a catalog and cannot be used with files.")
      }
    } else if runName == nil {
      throw ValidationError("Give a run (assay ls runs lists them), or --gt FILE and --dt FILE.")
    }
    if let attribute {
      guard ObjectLabels(parsing: attribute) != nil else {
        throw ValidationError("--attribute is NAME=FIELD, such as label=emotion, or NAME alone.")
      }
      for (option, isGiven) in [
        ("as", name != nil), ("by", by != nil), ("sweep", sweep != nil),
        ("samples", samples != nil),
      ] where isGiven {
        throw ValidationError("--\(option) does not apply to --attribute.")
      }
    }
    if let sweep {
      do { _ = try ThresholdRange(sweep) } catch { throw ValidationError("\(error)") }
    }
  }

  package func run() throws {
    try options.perform { progress in
      var settings = selection.settings
      masks.apply(to: &settings)
      try objects.apply(to: &settings)
      intervals.apply(to: &settings)
      settings.slicedBy = by
      guard files.areGiven else {
        let isFolder =
          runName.map { Self.isPartFolder($0, catalog: options.catalogPath) } ?? false
        if let labels = attribute.flatMap(ObjectLabels.init(parsing:)) {
          return try evaluateLabels(labels, settings, progress)
        }
        return try isFolder ? evaluateParts(settings, progress) : evaluateRun(settings, progress)
      }
      try thresholds.apply(to: &settings, in: nil)
      return try evaluateFiles(settings, progress)
    }
  }

  private func evaluateLabels(
    _ labels: ObjectLabels, _ settings: EvaluationSettings, _ progress: any ProgressSink
  ) throws -> AnyResult {
    let run = runName ?? ""
    let opened = try EvaluationCatalog.open(
      options.catalogPath, .readOnly, names: [run], truth: truth.choice, reportingTo: progress)
    let reference = try RunReference(run, in: opened.catalog)
    let evaluation = try labels.evaluate(
      reference.run, settings, in: opened.catalog, progress: progress)
    return AnyResult(
      CorrectedResult(
        EvaluateResult(evaluation: evaluation, zeroDivision: zeroDivision, listsAll: all),
        opened.corrections.of(reference.run.dataset.name)))
  }

  private func evaluateFiles(
    _ settings: EvaluationSettings, _ progress: any ProgressSink
  ) throws -> AnyResult {
    let (truth, predictions) = (files.gt ?? "", files.dt ?? "")
    let isOfObjects = files.task == nil && settings.objects.firstOption != nil
    let kind = isOfObjects ? .detection : files.kind
    if files.arrays != nil, kind != .detection {
      throw EvaluationError.otherTask(option: "arrays", run: predictions, task: kind)
    }
    switch kind {
    // There are no files for sets of labels: the options reject them.
    case .classification, .multiLabel:
      try settings.check(for: .classification, run: predictions)
      try refuse(samples: samples, run: predictions, task: .classification)
      return AnyResult(
        EvaluateResult(
          evaluation: try FileEvaluation(truth: truth, scores: predictions).evaluate(settings),
          zeroDivision: zeroDivision, listsAll: all))
    case .segmentation:
      // Images without a partner can be left out; labels without scores do not concern masks.
      var asked = settings
      asked.ignoresMissing = false
      try asked.check(for: .segmentation, run: predictions)
      var table = try samples.map { try OutputFile($0, force: force) }
      let evaluated = try FileSegmentation(truth: truth, dt: predictions, classes: files.classes)
        .evaluate(settings, progress: progress)
      let evaluation = Evaluation(evaluated)
      try table?.write(Array((evaluation.samplesCSV ?? "").utf8))
      return AnyResult(
        EvaluateResult(evaluation: evaluation, samplesFile: samples, listsAll: all))
    case .detection:
      try settings.check(for: .detection, run: predictions)
      try refuse(samples: samples, run: predictions, task: .detection)
      var file = try files.arrays.map { try OutputFile($0, force: force) }
      var result = try FileDetection(truth: truth, dt: predictions)
        .evaluate(settings, makesArrays: file != nil, progress: progress)
      try file?.write(result.arrays?.npz() ?? [])
      result.arraysPath = files.arrays
      return AnyResult(FileDetectionText(result))
    }
  }

  /// Returns whether a name is that of a folder with parts, and no run of the catalog has it.
  static func isPartFolder(_ path: String, catalog: String) -> Bool {
    guard PartFolder.isFolder(path) else { return false }
    guard !path.contains("/"), let catalog = try? Catalog.open(catalog, .readOnly) else {
      return true
    }
    return (try? catalog.findRun(named: path)) == nil
  }

  /// Opens the catalog that parts were made with, unless another one is given.
  static func catalog(
    of parts: RunParts, _ options: GlobalOptions, truth: TruthChoice,
    reportingTo progress: any ProgressSink
  ) throws -> OpenedCatalog {
    try CorrectedCatalog.open(
      parts.catalogPath(options), .readOnly, truth: truth, reportingTo: progress)
  }

  private func evaluateParts(
    _ settings: EvaluationSettings, _ progress: any ProgressSink
  ) throws -> AnyResult {
    guard name == nil else {
      throw ValidationError("--as names a stored evaluation; nothing is stored for parts")
    }
    let parts = try RunParts(runName ?? "")
    let opened = try Self.catalog(
      of: parts, options, truth: truth.choice, reportingTo: progress)
    var settings = settings
    try thresholds.apply(to: &settings, in: opened.catalog)
    if !truth.corrected, sweep == nil, samples == nil,
      let evaluation = try parts.evaluateColumns(
        in: opened.catalog, settings, progress: progress)
    {
      let result = EvaluateResult(
        evaluation: evaluation, zeroDivision: zeroDivision, listsAll: all)
      return AnyResult(CorrectedResult(result, opened.corrections.of(parts.dataset)))
    }
    let temporary = try TemporaryDatabases()
    let (catalog, run) = try parts.shown(in: opened.catalog, temporary, progress: progress)
    let use = opened.corrections.of(run.dataset.name)
    let effect = truth.corrected ? try EffectMeasurement(catalog: catalog, progress: progress) : nil
    let result = try withExtendedLifetime(temporary) {
      try evaluate(
        Tasks.type(of: run.task), RunReference(run: run), settings, isStored: true, catalog, effect,
        progress
      ) { nil }
    }
    return AnyResult(CorrectedResult(result, use))
  }

  private func evaluateRun(
    _ settings: EvaluationSettings, _ progress: any ProgressSink
  ) throws -> AnyResult {
    let run = runName ?? ""
    let isStored = run.contains("@") && name == nil
    let opened = try EvaluationCatalog.open(
      options.catalogPath, isStored ? .readOnly : .readWrite, names: [run], truth: truth.choice,
      reportingTo: progress)
    let catalog = opened.catalog
    let reference = try RunReference(run, in: catalog)
    if truth.corrected, let kept = reference.evaluation {
      throw EvaluationError.keptTruth(reference.name, kept.ledgerSequence)
    }
    var settings = settings
    try thresholds.apply(to: &settings, in: catalog)
    let use = opened.corrections.of(reference.run.dataset.name)
    let effect = truth.corrected ? try EffectMeasurement(catalog: catalog, progress: progress) : nil
    let result = try evaluate(
      Tasks.type(of: reference.run.task), reference, settings, isStored: isStored, catalog, effect,
      progress
    ) {
      try opened.checkUnmoved()
      return KeptTruth(truth.choice, use)
    }
    return AnyResult(CorrectedResult(result, use))
  }

  /// - Parameter truth: checked before anything is stored.
  private func evaluate<Task: EvaluatedTask>(
    _ task: Task.Type, _ reference: RunReference, _ settings: EvaluationSettings, isStored: Bool,
    _ catalog: Catalog, _ effect: EffectMeasurement?, _ progress: any ProgressSink,
    truth: () throws -> KeptTruth?
  ) throws -> EvaluateResult {
    var settings = settings
    try settings.check(for: Task.task, run: reference.run.name)
    try refuse(
      samples: Task.hasSampleTable ? nil : samples, sweep: Task.hasSweep ? nil : sweep,
      run: reference.run.name, task: Task.task)
    var table = try samples.map { try OutputFile($0, force: force) }
    settings.masks.sweep = try sweep.map { try ThresholdRange($0) }
    let evaluator = Evaluator<Task>(catalog: catalog, progress: progress)
    var (evaluation, run) = try evaluator.evaluate(reference, settings)
    let moved = try effect?.effect(on: run, settings)
    if !isStored { evaluation = try evaluator.save(evaluation, of: run, as: name, by: truth()) }
    try table?.write(Array((evaluation.samplesCSV ?? "").utf8))
    return EvaluateResult(
      evaluation: evaluation, zeroDivision: zeroDivision, samplesFile: samples, effect: moved,
      listsAll: all)
  }

  /// Rejects options that do not apply to a task.
  private func refuse(
    samples: String?, sweep: String? = nil, run: String, task: ModelTask
  ) throws(EvaluationError) {
    for (option, isGiven) in [("samples", samples != nil), ("sweep", sweep != nil)] where isGiven {
      throw .otherTask(option: option, run: run, task: task)
    }
  }
}

extension Evaluation.ZeroDivision: ExpressibleByArgument {}
