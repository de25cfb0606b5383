import AssayCore
import AssayImaging
import AssayMetrics
import AssayReports
import AssayStore

/// Draws a run's predictions for samples over their images, whether or not the run was evaluated:
/// the ground truth in blue, the prediction in orange. Safe to use from several threads.
struct RunDrawing: Sendable {
  /// The overlay of one image, and its caption.
  struct Drawn: Sendable {
    /// The overlay over the image.
    enum Overlay: Sendable {
      case nothing
      case masks(MaskOverlay)
      case objects([BoxOverlay.Object])
    }

    var overlay = Overlay.nothing
    /// `happy → sad 0.93`; `→ sad 0.93` without a ground truth.
    var caption = ""
    var frame = ContactSheet.Frame.none
  }

  let run: RunRecord
  /// The predicted labels of a multi-label run.
  private let labels: PredictedLabels?
  private let catalog: Catalog
  private let categories: [Category]
  private let masks: RunMasks?
  /// True if the ground truth can have objects.
  private let hasObjects: Bool

  /// The minimum score of detections that are drawn and counted.
  static let score = DetectionSettings().workingScore

  /// - Parameter reference: a run, or for a multi-label run the evaluation whose thresholds are
  ///   used.
  /// - Throws: ``RunMasksError``, ``EvaluationError``, `StoreError`.
  init(_ reference: RunReference, in catalog: Catalog) throws {
    let run = reference.run
    self.run = run
    labels = run.task.output == .labels ? try PredictedLabels(reference) : nil
    self.catalog = catalog
    categories = try catalog.taxonomy(of: run.dataset.id).categories
    hasObjects = try catalog.holdsObjects(in: run.dataset)
    masks = run.task.output == .masks ? try RunMasks(catalog: catalog, run: run) : nil
  }

  /// The color legend of a sheet; empty if frames show the result.
  var sides: [(side: BoxOverlay.Side, name: String)] {
    guard masks != nil || run.task.output == .objects else { return [] }
    let truth = hasObjects ? [(BoxOverlay.Side.truth, "ground truth")] : []
    return truth + [(.prediction, run.name)]
  }

  /// The overlays of some samples, in their order.
  ///
  /// - Throws: ``RunMasksError``, `StoreError`.
  func drawn(_ samples: [SampleRecord]) throws -> [Drawn] {
    switch run.task {
    case .classification: try labels(samples)
    case .multiLabel: try labelSets(samples)
    case .segmentation: try regions(samples)
    case .detection: try objects(samples)
    }
  }

  /// An image with its overlay; the unchanged image if there is none.
  ///
  /// - Parameter longest: the length of the result's longer side in pixels, if something is drawn.
  /// - Throws: `ReportError`.
  static func image(
    _ raster: Raster<UInt8>, of sample: SampleRecord, with drawn: Drawn, longest: Int
  ) throws(ReportError) -> Raster<UInt8> {
    switch drawn.overlay {
    case .nothing: return raster
    case .masks(let overlay): return try overlay.drawn(over: raster, longest: longest)
    case .objects(let objects):
      let shown = ImageSize.checked(width: raster.width, height: raster.height)
      return try BoxOverlay(
        size: sample.size ?? shown ?? ImageSize(width: 1, height: 1), objects: objects
      ).drawn(over: raster, longest: longest)
    }
  }

  // MARK: Labels

  private func labels(_ samples: [SampleRecord]) throws -> [Drawn] {
    let found = try catalog.topPredictions(of: run.id, samples: samples.map(\.id))
    return zip(samples, found).map { sample, found in
      let truth = sample.category.map { name($0, of: categories) }
      guard let found else { return Drawn(caption: Self.caption(truth, nil)) }
      let predicted = name(found.class, of: run.classes)
      return Drawn(
        caption: Self.caption(
          truth, predicted, run.isLabelsOnly ? nil : found.confidence),
        frame: truth.map { $0 == predicted ? .right : .wrong } ?? .none)
    }
  }

  /// `happy → sad 0.93`.
  private static func caption(
    _ truth: String?, _ predicted: String?, _ confidence: Double? = nil
  ) -> String {
    guard let predicted else { return (truth.map { $0 + ": " } ?? "") + "not predicted" }
    let number = confidence.map { " " + NumberText.fixed($0, 2) } ?? ""
    return (truth.map { $0 + " " } ?? "") + "→ " + predicted + number
  }

  /// `dog, cat → dog 0.93, bird 0.61`, highest score first. The frame depends on the classes that
  /// both the run and the dataset have, as in an evaluation; without a common class there is no
  /// frame.
  private func labelSets(_ samples: [SampleRecord]) throws -> [Drawn] {
    let found = try catalog.scores(of: run, samples: samples.map(\.id))
    let shared = Set(categories.map(\.name)).intersection(run.classes)
    return zip(samples, found).map { sample, scores in
      let truth =
        run.dataset.isMultiLabel ? sample.categories.map { name($0, of: categories) } : nil
      let words = truth.map { $0.isEmpty ? "no label" : $0.joined(separator: ", ") }
      guard let scores else { return Drawn(caption: Self.caption(words, nil)) }
      let predicted = (labels?.labels(scores) ?? [])
        .sorted { (-scores[$0], $0) < (-scores[$1], $1) }
      let text = predicted.map {
        "\(name($0, of: run.classes)) \(NumberText.fixed(Double(scores[$0]), 2))"
      }
      let isRight = truth.flatMap { truth in
        PredictedLabels.isRight(
          predicted.map { name($0, of: run.classes) }, truth: truth, shared: shared)
      }
      return Drawn(
        caption: Self.caption(words, text.isEmpty ? "no label" : text.joined(separator: ", ")),
        frame: isRight.map { $0 ? .right : .wrong } ?? .none)
    }
  }

  // MARK: Masks

  private func regions(_ samples: [SampleRecord]) throws -> [Drawn] {
    guard let masks else { return samples.map { _ in Drawn() } }
    var drawn = samples.map { _ in Drawn(caption: Self.caption(nil, nil)) }
    let summaries = try catalog.maskSummaries(of: run.id, samples: samples.map(\.id))
    var truths: [[Mask]] = samples.map { _ in [] }
    var names: [[String]] = samples.map { _ in [] }
    try catalog.forEachAnnotations(of: samples.map(\.id)) { index, annotations in
      guard let size = samples[index].size else { return }
      (truths[index], names[index]) = truth(annotations, size)
    }
    try masks.masks(of: samples) { index, predicted in
      let regions = predicted.masks.filter { !$0.mask.isEmpty }
      drawn[index].overlay = .masks(
        .outlined(
          truth: truths[index],
          prediction: regions.map { region in
            MaskOverlay.Region(
              place: nil, name: regions.count > 1 ? name(region.class, of: run.classes) : "",
              mask: region.mask)
          }))
      let parts = summaries[index].filter { summary in
        regions.contains { $0.class == summary.class }
      }.sorted { ($1.area, $0.class) < ($0.area, $1.class) }
        .map { summary in
          name(summary.class, of: run.classes)
            + (summary.mean.map { " " + NumberText.fixed($0, 2) } ?? "")
        }
      let truth = names[index].isEmpty ? nil : names[index].joined(separator: ", ")
      drawn[index].caption = Self.caption(
        truth, parts.isEmpty ? "nothing" : parts.joined(separator: ", "))
    }
    return drawn
  }

  /// The regions of each class that both the run and the dataset have, and the class names; the
  /// regions of all classes if there is no common class.
  private func truth(
    _ annotations: [AnnotationRecord], _ size: ImageSize
  ) -> (masks: [Mask], names: [String]) {
    let shared = Set(categories.map(\.name)).intersection(run.classes)
    var groups: [Int: [Mask]] = [:]
    for annotation in annotations {
      let category = annotation.category
      guard categories.indices.contains(category), !categories[category].isVoid,
        shared.isEmpty || shared.contains(categories[category].name),
        let mask = try? annotation.mask(in: size)
      else { continue }
      groups[category, default: []].append(mask)
    }
    let sorted = groups.sorted { $0.key < $1.key }
    return (
      sorted.map { Mask.union(of: $0.value, size: size) },
      sorted.map { name($0.key, of: categories) }
    )
  }

  // MARK: Objects

  private func objects(_ samples: [SampleRecord]) throws -> [Drawn] {
    var drawn = samples.map { _ in Drawn() }
    let ids = samples.map(\.id)
    try catalog.forEachAnnotations(of: ids) { index, annotations in
      let objects = annotations.compactMap { annotation -> BoxOverlay.Object? in
        guard categories.indices.contains(annotation.category),
          !categories[annotation.category].isVoid, let box = annotation.box
        else { return nil }
        return BoxOverlay.Object(.truth, box: box, isFaint: annotation.isCrowd)
      }
      drawn[index].overlay = .objects(objects)
    }
    try catalog.forEachDetections(of: run.id, samples: ids, attributes: true) {
      index, detections in
      let kept = detections.filter { $0.confidence >= Self.score }
      var found = kept.enumerated().map { place, detection -> BoxOverlay.Object in
        let mask = samples[index].size.flatMap { size in
          detection.counts.flatMap { try? Mask(size: size, compressed: $0) }
        }
        // A small image has room for only a few names.
        let label =
          place < Self.names
          ? Self.label(name(detection.class, of: run.classes), detection)
          : (name: "", score: nil)
        return BoxOverlay.Object(
          .prediction, box: detection.box, mask: mask, keypoints: detection.keypoints,
          name: label.name, score: label.score)
      }
      found.reverse()
      if case .objects(let truth) = drawn[index].overlay {
        drawn[index].overlay = .objects(truth + found)
      }
      drawn[index].caption =
        "\(kept.count) \(kept.count == 1 ? "detection" : "detections") ≥ "
        + NumberText.short(Self.score)
    }
    return drawn
  }

  /// The words beside a detection and the score after them: a classifier's label has its own score, which the
  /// detector's must not be taken for.
  static func label(_ name: String, _ detection: Detection) -> (name: String, score: Double?) {
    guard let label = detection.pipelineLabel else { return (name, detection.confidence) }
    return ("\(name) \(NumberText.fixed(detection.confidence, 2)), \(label.name)", label.score)
  }

  /// The maximum number of names of detections per image.
  private static let names = 6

  private func name(_ index: Int, of names: [String]) -> String {
    names.indices.contains(index) ? names[index] : "?"
  }

  private func name(_ index: Int, of categories: [Category]) -> String {
    categories.indices.contains(index) ? categories[index].name : "?"
  }
}
