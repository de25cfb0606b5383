import AssayCore
import AssayMetrics
package import AssayStore

/// A label that objects of a run have, such as the classifier of a pipeline gives it, compared with that of the true
/// objects that they match.
///
/// Objects match whatever their classes are: in descending order of their confidence, each takes the true object with
/// the largest IoU of at least a minimum that is not taken yet. Crowds are left out. The evaluation is one of
/// classification over the pairs of which both have a label.
package struct ObjectLabels: Hashable, Sendable {
  /// The attribute of the run's objects: `label`, or the name that a step gives it with `as`.
  package var attribute: String
  /// The field of true objects; `nil` for their class.
  package var field: String?

  /// The minimum IoU if none is stated.
  package static let overlap = 0.5
  /// The number of samples that are read at once.
  private static let chunk = 256
  /// The classifiers have at most this many classes.
  private static let classLimit = 10_000

  /// - Parameter text: `label=emotion`, or `label` for the class of the true objects.
  /// - Returns: `nil` for another text.
  package init?(parsing text: String) {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    attribute = String(first)
    field = parts.count == 2 ? String(parts[1]) : nil
  }

  /// `label=emotion`.
  package var text: String { attribute + (field.map { "=" + $0 } ?? "") }

  /// An object of the run that has a label.
  private struct Labeled {
    var box: Box
    var label: String
    /// The scores of the classes, in the file's order; empty if only the label is known.
    var scores: [(name: String, score: Double)]
  }

  /// A true object; without a label it can be matched, and does not count.
  private struct Truth {
    var box: Box
    var label: String?
  }

  /// The evaluation of a run of detections.
  ///
  /// - Parameters:
  ///   - run: the run.
  ///   - settings: ``ObjectSettings/workingIoU`` is the minimum IoU.
  ///   - catalog: opened for the ground truth to compare with.
  /// - Throws: ``EvaluationError`` for a run of another task or without such labels, and if no pair is left;
  ///   `MetricError`; `MaskError`; `StoreError`.
  package func evaluate(
    _ run: RunRecord, _ settings: EvaluationSettings, in catalog: Catalog,
    progress: any ProgressSink = NoProgress()
  ) throws -> Evaluation {
    guard run.task.output == .objects else {
      throw EvaluationError.otherTask(option: "attribute", run: run.name, task: run.task)
    }
    let current = try catalog.currentSamples(of: run)
    let samples = try catalog.doneSamples(of: run.id, where: settings.filter)
      .filter { current?.contains($0.id) ?? true }
    let names = try catalog.taxonomy(of: run.dataset.id).categories.map(\.name)
    var pairs: [(truth: String, found: Labeled)] = []
    var (labeled, missed, unlabeled, strangers) = (0, 0, 0, 0)
    for start in stride(from: 0, to: samples.count, by: Self.chunk) {
      try Interruption.check("nothing is stored; evaluate again to start over")
      let part = Array(samples[start..<min(samples.count, start + Self.chunk)])
      var truths: [[Truth]] = Array(repeating: [], count: part.count)
      try catalog.forEachAnnotations(of: part.map(\.id)) { index, annotations in
        truths[index] = try annotations.compactMap { try truth($0, of: part[index], names) }
      }
      try catalog.forEachDetections(
        of: run.id, samples: part.map(\.id), counts: false, keypoints: false, attributes: true
      ) { index, detections in
        var isTaken = truths[index].map { _ in false }
        for found in detections.compactMap(labeledObject) {
          labeled += 1
          let best = truths[index].indices.filter { !isTaken[$0] }
            .map { (place: $0, iou: BoxDisagreement.iou(truths[index][$0].box, found.box)) }
            .max { $0.iou < $1.iou }
          guard let best, best.iou >= settings.objects.workingIoU ?? Self.overlap else {
            strangers += 1
            continue
          }
          isTaken[best.place] = true
          guard let label = truths[index][best.place].label else {
            unlabeled += 1
            continue
          }
          pairs.append((label, found))
        }
        missed += truths[index].indices.count { !isTaken[$0] && truths[index][$0].label != nil }
      }
      progress.report(
        Double(start + part.count) / Double(max(1, samples.count)), "evaluating \(run.name)")
    }
    guard labeled > 0 else { throw EvaluationError.noObjectLabels(run.name, attribute: attribute) }
    let notes = [notFound(missed), unmatched(strangers), withoutField(unlabeled)].compactMap(\.self)
    guard !pairs.isEmpty else {
      throw EvaluationError.nothingToEvaluate(
        "matching the objects of \(run.name)", reasons: notes)
    }
    return try evaluation(
      pairs, run, settings, notes: notes + (try leftOutNotes(run, settings, in: catalog)))
  }

  /// Notes on the samples of a run that are not compared.
  private func leftOutNotes(
    _ run: RunRecord, _ settings: EvaluationSettings, in catalog: Catalog
  ) throws -> [String] {
    var leftOut = LeftOutSamples()
    (leftOut.pending, leftOut.failed) = (run.total - run.done - run.failed, run.failed)
    leftOut.absent = try catalog.absentSamples(from: run, where: settings.filter)
    leftOut.byPeople = try catalog.keysLeftOut(of: run, where: settings.filter)
    return leftOut.reasons.map { "left out: \($0)" }
  }

  private func evaluation(
    _ pairs: [(truth: String, found: Labeled)], _ run: RunRecord, _ settings: EvaluationSettings,
    notes: [String]
  ) throws -> Evaluation {
    var classes: [String] = []
    var places: [String: Int] = [:]
    func add(_ name: String) throws {
      guard places[name] == nil else { return }
      guard classes.count < Self.classLimit else {
        throw EvaluationError.tooManyObjectLabels(run.name, limit: Self.classLimit)
      }
      places[name] = classes.count
      classes.append(name)
    }
    for pair in pairs { for entry in pair.found.scores { try add(entry.name) } }
    for name in Set(pairs.flatMap { [$0.found.label, $0.truth] }).sorted() { try add(name) }
    var tally = try ClassificationTally(classCount: classes.count, normalizes: settings.normalizes)
    for pair in pairs {
      var row = Array(repeating: 0.0, count: classes.count)
      let scores = pair.found.scores.isEmpty ? [(pair.found.label, 1)] : pair.found.scores
      for (name, score) in scores { if let place = places[name] { row[place] = score } }
      guard let truth = places[pair.truth] else { continue }
      do throws(MetricError) {
        try tally.add(truths: [truth], scores: row)
      } catch {
        throw EvaluationError(error, classes: classes, sample: { _ in run.name }) ?? error
      }
    }
    let details = try ClassificationScores(tally, settings.scoring(samples: tally.count))
    var evaluation = Evaluation(
      subject: .objects(run: run.name, view: run.view, labels: self), classes: classes,
      details: details, settings: settings)
    evaluation.notes =
      notes + settings.normalizationNotes
      + Evaluation.intervalNotes(samples: tally.count, settings)
      + IntervalNotes.missing(details.missingIntervals, classes: classes)
    return evaluation
  }

  private func notFound(_ count: Int) -> String? {
    count == 0
      ? nil
      : "\(Counted.text(count, "true object with a label was", "true objects with a label were")) not found, and "
        + "\(count == 1 ? "does" : "do") not count"
  }

  private func unmatched(_ count: Int) -> String? {
    count == 0
      ? nil
      : "left out: \(Counted.text(count, "labeled object that matches", "labeled objects that match")) no true one"
  }

  private func withoutField(_ count: Int) -> String? {
    guard count > 0, let field else { return nil }
    return
      "left out: \(Counted.text(count, "object", "objects")) whose true one has no field \(field)"
  }

  private func truth(
    _ annotation: AnnotationRecord, of sample: SampleRecord, _ names: [String]
  ) throws -> Truth? {
    guard !annotation.isCrowd else { return nil }
    var box = annotation.box
    if box == nil, annotation.shape.isRegion, let size = sample.size {
      box = try annotation.mask(in: size).boundingBox
    }
    guard let box else { return nil }
    guard let field else {
      return Truth(
        box: box,
        label: names.indices.contains(annotation.category) ? names[annotation.category] : nil)
    }
    return Truth(box: box, label: Self.member(field, of: annotation.attributes).flatMap(Self.words))
  }

  private func labeledObject(_ detection: Detection) -> Labeled? {
    guard let text = detection.attributes, let json = try? JSONValue(parsing: text),
      let label = json[attribute]?.text
    else { return nil }
    let scores = json[LabelAttribute.name("scores", of: attribute)]?.members ?? []
    return Labeled(
      box: detection.box, label: label,
      scores: scores.compactMap { member in member.value.double.map { (member.name, $0) } })
  }

  /// A field of a true object: of its own, or of those that CVAT writes into COCO as `attributes`.
  private static func member(_ name: String, of attributes: String?) -> JSONValue? {
    guard let json = attributes.flatMap({ try? JSONValue(parsing: $0) }) else { return nil }
    return json[name] ?? json["attributes"]?[name]
  }

  /// A value as the name of a class; `nil` for null, lists and objects.
  private static func words(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .bool(let isTrue): String(isTrue)
    default: nil
    }
  }
}
