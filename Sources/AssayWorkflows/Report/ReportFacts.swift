import AssayCore
import AssayMetrics
import AssayReports
import AssayStore

/// The facts about an evaluation and its settings, as a report prints them.
struct ReportFacts {
  private let record: RunRecord
  private let stored: EvaluationRecord?
  private let count: Int
  /// The splits of the source that the samples are from, sorted.
  private var splits: [String] = []
  private let leftOut: [String]
  private let settings: EvaluationSettings
  private let truth: String
  private let corrections: String?
  /// Facts that affect the metrics of the task besides the settings.
  private var particulars: [FactGroup.Fact] = []
  private var isEvaluated = true
  /// True if some of the metrics are shares of samples, whose intervals need no bootstrap draws.
  private var hasPlainRates = false
  /// The methods used for the intervals, each with its metrics; `nil` if the common rule of all
  /// tasks describes them.
  private var intervalMethods: String?

  /// The facts of a classification evaluation.
  init(_ evaluated: EvaluatedRun<ImageClassification>, _ truth: ReportTruth) {
    self.init(
      evaluated, truth: truth.fact("labels", kept: "the labels stored with the evaluation"),
      corrections: truth.corrections)
    var facts: [FactGroup.Fact] = []
    if let rule = settings.abstention {
      facts.append(
        .init(
          "Answered with at least",
          "confidence \(NumberText.short(rule.accept)), margin \(NumberText.short(rule.margin))"))
    }
    particulars = facts + [.init("Calibration", Calibration.rule)]
    hasPlainRates = true
  }

  /// The facts of a multi-label evaluation.
  init(
    _ evaluated: EvaluatedRun<MultiLabelClassification>, _ details: MultiLabelDetails,
    _ truth: ReportTruth
  ) {
    self.init(
      evaluated, truth: truth.fact("labels", kept: "the labels stored with the evaluation"),
      corrections: truth.corrections)
    let thresholds = Set(details.scores.thresholds.values)
    let source = evaluated.settings.classThresholds.map { ", from \($0.source)" } ?? ""
    particulars = [
      .init(
        "A class is predicted if its score is at least",
        thresholds.count == 1
          ? thresholds.map { NumberText.short($0) }.joined()
          : "its threshold (see the table of classes\(source))")
    ]
    intervalMethods = Self.methods(of: details.scores)
    hasPlainRates = true
  }

  /// The facts of a segmentation evaluation.
  init(_ evaluated: EvaluatedRun<SemanticSegmentation>, _ truth: ReportTruth) {
    self.init(
      evaluated, truth: truth.fact("regions", kept: "the counts stored with the evaluation"),
      corrections: truth.corrections)
    let masks = settings.masks
    let cleanup = masks.cleanup
    var steps: [String] = []
    if cleanup.opening > 0 { steps.append("opened \(cleanup.opening)×") }
    if cleanup.closing > 0 { steps.append("closed \(cleanup.closing)×") }
    if cleanup.fillsHoles { steps.append("holes filled") }
    if cleanup.keepsLargest { steps.append("only the largest component") }
    if cleanup.minimumArea > 0 { steps.append("at least \(cleanup.minimumArea) pixels") }
    var facts = [
      FactGroup.Fact(
        "A pixel belongs to",
        (masks.threshold ?? evaluated.recipe.threshold).map {
          "the mask with a probability of at least \(NumberText.short($0))"
        } ?? "its most probable class"),
      .init("Masks", steps.isEmpty ? "as predicted" : steps.joined(separator: ", ")),
    ]
    if !evaluated.classes.left.isEmpty {
      facts.append(.init("Regions left out", evaluated.classes.left.joined(separator: ", ")))
    }
    facts.append(
      .init(
        "Ground truth and prediction both empty",
        masks.empty.score.map { "counts as \(NumberText.short($0))" } ?? "no score"))
    if masks.hasBoundary {
      facts.append(
        .init("Boundary band", "2 % of the image’s diagonal, at least 1 pixel, inside the edge"))
    }
    particulars = facts
  }

  /// The facts of a detection evaluation.
  init(_ evaluated: EvaluatedRun<ObjectDetection>, _ truth: ReportTruth) {
    self.init(
      evaluated, truth: truth.fact("objects", kept: "the matches stored with the evaluation"),
      corrections: truth.corrections)
    let matching = evaluated.matching
    func list(_ values: [Double]) -> String {
      guard values.count > 3, let first = values.first, let last = values.last else {
        return values.map { NumberText.short($0) }.joined(separator: ", ")
      }
      return "\(values.count) from \(NumberText.short(first)) to \(NumberText.short(last))"
    }
    var facts = [
      FactGroup.Fact(
        matching.overlap == .keypoints ? "similarity of" : "IoU of",
        matching.overlap == .mask ? "masks" : matching.overlap.noun),
      .init("\(matching.overlap.measure) thresholds", list(matching.iouThresholds)),
      .init(
        "Maximum detections per class and image",
        matching.maxDetections.map { NumberText.count($0) }.joined(separator: ", ")),
      .init(
        "Errors, confusions, precision and recall",
        "at IoU \(NumberText.short(matching.workingIoU)), minimum score "
          + NumberText.short(matching.workingScore)),
      .init("Crowds", "ignored, with the detections on them"),
    ]
    if settings.objects.isCompatible {
      facts.append(.init("As", "pycocotools 2.0.11, with its bugs"))
    }
    particulars = facts
  }

  /// The facts of every task.
  private init<Task>(_ evaluated: EvaluatedRun<Task>, truth: String, corrections: String?) {
    record = evaluated.run
    stored = evaluated.evaluation
    count = evaluated.samples.count
    splits = Set(evaluated.samples.compactMap(\.split)).sorted()
    leftOut = evaluated.leftOut.reasons
    settings = evaluated.settings
    self.truth = truth
    self.corrections = corrections
  }

  /// The facts of predictions without an evaluation.
  init(predictionsOf run: RunRecord, count: Int) {
    record = run
    stored = nil
    self.count = count
    leftOut = []
    settings = EvaluationSettings()
    truth = "none"
    corrections = nil
    isEvaluated = false
  }

  var groups: [FactGroup] {
    ([data, model, run] + (isEvaluated ? [evaluation] : [])).filter { !$0.facts.isEmpty }
  }

  private var data: FactGroup {
    let dataset = record.dataset
    let file = dataset.root.split(separator: "/").last.map(String.init) ?? dataset.root
    var facts = [
      FactGroup.Fact("Dataset", "\(dataset.name) (\(dataset.formatText))"),
      .init("Source", file),
      .init("View", record.view),
      .init("Split", splits.joined(separator: ", ")),
      .init(isEvaluated ? "Samples evaluated" : "Samples predicted", NumberText.count(count)),
    ]
    facts.removeAll { $0.name == "Split" && splits.isEmpty }
    facts += leftOut.map { .init("Left out", $0) }
    facts.append(.init("Ground truth", truth))
    if let corrections { facts.append(.init("Corrections", corrections)) }
    facts.append(.init("Import", "version \(dataset.importVersion), \(dataset.importedAt)"))
    if let hash = dataset.inputHash { facts.append(.init("Source’s SHA-256", hash)) }
    return FactGroup("Data", facts)
  }

  private var model: FactGroup {
    guard let model = record.model else {
      return FactGroup("Model", [.init("Predictions", "imported")])
    }
    let file = model.path.split(separator: "/").last.map(String.init) ?? model.path
    if let pipeline = record.pipeline {
      return FactGroup(
        "Pipeline",
        [.init("Pipeline", pipeline.name)]
          + pipeline.steps.enumerated().map { index, step in
            .init(
              "Step \(index + 1)", step.title + (step.modelHash.map { ", SHA-256 \($0)" } ?? ""))
          })
    }
    return FactGroup(
      "Model",
      [
        .init("Model", model.name), .init("Task", model.task.rawValue), .init("File", file),
        .init("SHA-256", model.hash),
      ])
  }

  private var run: FactGroup {
    FactGroup(
      "Run",
      [.init("Run", record.name), .init("Date", record.createdAt)]
        + Self.facts(in: record.plainSettings)
        + (record.decisionWords.map { [.init("Decision", $0)] } ?? [])
        + Self.facts(in: record.versions))
  }

  private var evaluation: FactGroup {
    var facts: [FactGroup.Fact] = []
    if let stored {
      facts += [.init("Evaluation", stored.name), .init("Date", stored.createdAt)]
    }
    if let filter = settings.filter { facts.append(.init("Filter", filter)) }
    facts.append(.init("Intervals", intervals))
    facts += particulars
    facts.append(
      .init("Undefined", "left out of means, which show “defined of total”; printed as –"))
    return FactGroup("Evaluation", facts)
  }

  private static func words(_ method: IntervalMethod) -> String {
    switch method {
    case .wilson: "Wilson"
    case .bootstrap: "\(NumberText.count(Bootstrap().draws)) bootstrap draws"
    case .shiftedBootstrap: "shifted bootstrap"
    case .jackknife: "jackknife"
    case .student: "Student’s t over the samples"
    }
  }

  /// The methods used for the intervals of a multi-label evaluation, each with its metrics by
  /// title.
  private static func methods(of scores: MultiLabelScores) -> String {
    var titles: [IntervalMethod: [String]] = [:]
    var order: [IntervalMethod] = []
    for kind in MetricKind.kinds(of: .multiLabel) {
      let list = kind.isPerCategory ? scores.perClass(kind) : [scores[kind]]
      for method in Set(list.compactMap { $0.interval?.method }).sorted(by: {
        $0.rawValue < $1.rawValue
      }) {
        if titles[method] == nil { order.append(method) }
        let title = kind.facts.title + (kind.isPerCategory ? " of a class" : "")
        if titles[method]?.contains(title) != true { titles[method, default: []].append(title) }
      }
    }
    return order.map { method in
      "\(words(method)) for \((titles[method] ?? []).joined(separator: ", "))"
    }.joined(separator: "; ")
  }

  private var intervals: String {
    guard settings.makesIntervals(of: count) else { return "none" }
    if let intervalMethods { return intervalMethods.isEmpty ? "none" : "95 %: \(intervalMethods)" }
    guard count >= Bootstrap.leastSamples else {
      let rates = hasPlainRates ? "Wilson for plain rates, else " : ""
      return "95 %: \(rates)Student’s t over the samples, or none"
    }
    let rates =
      hasPlainRates
      ? "Wilson for plain rates, jackknife for AUROC, average precision and means over classes, else "
      : ""
    let bootstrap = Bootstrap(seed: settings.seed)
    return
      "95 %: \(rates)\(NumberText.count(bootstrap.draws)) bootstrap draws, seed \(bootstrap.seed)"
  }

  /// The members of a stored JSON object, one fact each.
  private static func facts(in text: String) -> [FactGroup.Fact] {
    guard case .object(let members)? = try? JSONValue(parsing: text) else { return [] }
    return members.filter { $0.value != .null }.map { member in
      FactGroup.Fact(member.name.replacing("_", with: " "), words(of: member.value))
    }
  }

  /// Text unchanged, an object as `width 256, height 256`, other values as JSON.
  private static func words(of value: JSONValue) -> String {
    guard case .object(let members) = value else { return value.text ?? value.text() }
    return members.map { "\($0.name) \(words(of: $0.value))" }.joined(separator: ", ")
  }
}
