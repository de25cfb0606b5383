import AssayCore
import AssayMetrics
import AssayStore

/// Evaluates two detectors with the same classes, overlaps and thresholds.
struct DetectorPair {
  let evaluator: Evaluator<ObjectDetection>

  private var catalog: Catalog { evaluator.catalog }

  /// - Throws: ``EvaluationError/noSharedClass(_:_:_:_:)``,
  ///   ``EvaluationError/evaluatedDifferently(_:_:_:)``, and the errors of ``Evaluator/counted(_:_:)``.
  func evaluate(
    _ first: RunReference, _ second: RunReference, _ settings: EvaluationSettings
  ) throws -> ComparedSides<ObjectDetection> {
    var notes: [String] = []
    var settings = settings
    settings.objects = try objects(of: (first, second), settings.objects, &notes)
    let references = try sharingClasses(first, second, &notes)
    var one = try evaluator.counted(
      references.0, Self.settings(settings, of: first, as: references.0))
    var other = try evaluator.counted(
      references.1, Self.settings(settings, of: second, as: references.1))
    (one.run, other.run) = (first.run, second.run)
    let differing = Self.differences(one, other)
    guard differing.isEmpty else {
      throw EvaluationError.evaluatedDifferently(first.name, second.name, differing)
    }
    return ComparedSides(first: one, second: other, notes: notes)
  }

  /// Returns the settings for matching. If none are given, these are the settings of the stored
  /// evaluation if one of the two is stored; if neither is stored, boxes are compared if only one
  /// run has regions.
  private func objects(
    of runs: (RunReference, RunReference), _ asked: ObjectSettings, _ notes: inout [String]
  ) throws -> ObjectSettings {
    guard asked.differences.isEmpty else { return asked }
    var settings = asked
    switch (runs.0.evaluation, runs.1.evaluation) {
    case (let kept?, nil):
      settings = try EvaluationSettings(storedIn: kept).objects
      notes.append("\(runs.1.name) is evaluated with the settings of \(runs.0.name)")
    case (nil, let kept?):
      settings = try EvaluationSettings(storedIn: kept).objects
      notes.append("\(runs.0.name) is evaluated with the settings of \(runs.1.name)")
    case (nil, nil):
      let (one, other) = (try DetectionRecipe(runs.0.run), try DetectionRecipe(runs.1.run))
      if one.hasKeypoints != other.hasKeypoints {
        settings.overlap = .box
        notes.append(
          "\(one.hasKeypoints ? runs.1.name : runs.0.name) has no keypoints, so both are evaluated on boxes"
        )
        break
      }
      guard one.hasRegions != other.hasRegions else { break }
      settings.overlap = .box
      notes.append(
        "\(one.hasRegions ? runs.1.name : runs.0.name) has only boxes, so both are evaluated on boxes"
      )
    case (_?, _?): break
    }
    return settings
  }

  /// The runs restricted to the classes that both evaluate. A run with additional classes is
  /// evaluated again without them, even if it is stored, because the matches of a detection depend
  /// on the set of classes.
  private func sharingClasses(
    _ first: RunReference, _ second: RunReference, _ notes: inout [String]
  ) throws -> (RunReference, RunReference) {
    let taxonomy = try catalog.taxonomy(of: first.run.dataset.id)
    guard try catalog.hasGroundTruth(for: .detection, in: first.run.dataset) else {
      throw EvaluationError.noGroundTruth(.detection, dataset: first.run.dataset.name)
    }
    let classes = [
      try DetectionClasses(truth: taxonomy, run: first.run.classes),
      try DetectionClasses(truth: taxonomy, run: second.run.classes),
    ]
    let shared = Set(classes[0].names).intersection(classes[1].names)
    guard !shared.isEmpty else {
      throw EvaluationError.noSharedClass(
        first.name, classes[0].names, second.name, classes[1].names)
    }
    let missing = classes[0].onlyTruth.filter { classes[1].onlyTruth.contains($0) }
    if !missing.isEmpty {
      notes.append(
        "classes of the dataset that neither run has, left out with their objects: "
          + Self.list(missing))
    }
    let references = zip([first, second], classes).map { reference, classes in
      let others = classes.names.filter { !shared.contains($0) }
      guard !others.isEmpty else { return reference }
      notes.append("classes only in \(reference.name), left out: \(Self.list(others))")
      return RunReference(run: reference.run.knowing(only: shared))
    }
    return (references[0], references[1])
  }

  /// Keeps the sample selection of a stored evaluation that is evaluated again.
  private static func settings(
    _ settings: EvaluationSettings, of asked: RunReference, as evaluated: RunReference
  ) throws(EvaluationError) -> EvaluationSettings {
    guard let evaluation = asked.evaluation, evaluated.evaluation == nil else { return settings }
    var settings = settings
    let kept = try EvaluationSettings(storedIn: evaluation)
    settings.filter = settings.filter ?? kept.filter
    if settings.objects.differences.isEmpty { settings.objects = kept.objects }
    return settings
  }

  /// The differences between the matching settings of two evaluated runs.
  private static func differences(
    _ first: EvaluatedRun<ObjectDetection>, _ second: EvaluatedRun<ObjectDetection>
  ) -> [String] {
    func difference<Value: Equatable>(
      _ option: String, _ value: (EvaluatedRun<ObjectDetection>) -> Value,
      _ text: (Value) -> String
    ) -> String? {
      let (one, other) = (value(first), value(second))
      return one == other ? nil : "--\(option) \(text(one)) and \(text(other))"
    }
    return [
      difference("iou-type", \.matching.overlap, \.rawValue),
      difference("sigmas", \.settings.objects.sigmas) { $0?.text ?? "none" },
      difference("iou-thresholds", \.matching.iouThresholds) { text($0) },
      difference("max-dets", \.matching.maxDetections) { text($0) },
      difference("iou", \.matching.workingIoU) { "\($0)" },
      difference("score", \.matching.workingScore) { "\($0)" },
      difference("compat", \.settings.objects.isCompatible) { $0 ? "pycocotools" : "none" },
    ].compactMap(\.self)
  }

  private static func text(_ values: [some Any]) -> String {
    values.map { "\($0)" }.joined(separator: ",")
  }

  private static func list(_ names: [String]) -> String {
    names.prefix(8).joined(separator: ", ")
      + (names.count > 8 ? " and \(names.count - 8) more" : "")
  }
}

extension RunRecord {
  /// The run as if its detector had only these classes: all other names are replaced by ones that
  /// match no class.
  fileprivate func knowing(only names: Set<String>) -> RunRecord {
    var run = self
    for place in run.classes.indices where !names.contains(run.classes[place]) {
      run.classes[place] = "\u{0}\(place)"
    }
    return run
  }
}
