import AssayCore
import AssayReports
import AssayStore

/// The matches of the detection runs that an expression names, drawn on a sheet: wrong detections
/// and missed objects are highlighted, correct ones are thin outlines.
struct SheetDetections: Sendable {
  /// A run with the matching parameters from the expression.
  private struct Evaluated: Sendable {
    let run: RunRecord
    let evaluation: EvaluationRecord
    /// The bit of the IoU threshold in matches.
    let bit: UInt64
    let score: Double
    let hasRegions: Bool
  }

  /// The overlay of one sample, and its caption.
  struct Drawn: Sendable {
    var objects: [BoxOverlay.Object] = []
    /// `3 correct, 2 wrong, 1 missed`.
    var caption = ""
  }

  /// The last run is evaluated; if there are two, it is compared with the first.
  private let runs: [Evaluated]
  private let categories: [String]
  private let voids: Set<Int>

  /// True if the expression names no detector.
  var isEmpty: Bool { runs.isEmpty }

  /// The color legend of the sheet.
  var sides: [(side: BoxOverlay.Side, name: String)] {
    guard let last = runs.last else { return [] }
    let earlier = runs.count > 1 ? [(BoxOverlay.Side.earlier, runs[0].run.name)] : []
    return [(.truth, "ground truth")] + earlier + [(.prediction, last.run.name)]
  }

  /// - Parameter run: RUN or RUN@EVALUATION to draw instead of those that the search names.
  /// - Throws: ``EvaluationError/damagedSettings(run:name:problem:)``, `StoreError`.
  init(catalog: Catalog, found: FoundSamples, run: String? = nil) throws {
    let taxonomy = try catalog.taxonomy(of: found.selection.dataset.id).categories
    categories = taxonomy.map(\.name)
    voids = Set(taxonomy.indices.filter { taxonomy[$0].isVoid })
    var runs: [Evaluated] = []
    let bases = run.map { [MatchBasis(run: $0, iou: nil, score: nil)] } ?? found.matching
    for basis in bases.prefix(2) {
      let name = basis.run.filter { $0 != "\"" }
      let reference = try RunReference(name, in: catalog)
      guard reference.run.dataset.id == found.selection.dataset.id else { continue }
      let evaluation =
        try reference.evaluation
        ?? catalog.evaluations(of: reference.run).first {
          $0.name == EvaluationRecord.defaultName
        }
      guard let evaluation, let settings = evaluation.matching else { continue }
      let iou = basis.iou ?? settings.iou
      let place = settings.thresholds.firstIndex { abs($0 - iou) < MatchRows.tolerance }
      guard let place, !runs.contains(where: { $0.evaluation.id == evaluation.id }) else {
        continue
      }
      let asked = try EvaluationSettings(storedIn: evaluation).objects
      runs.append(
        Evaluated(
          run: reference.run, evaluation: evaluation, bit: 1 << UInt64(place),
          score: basis.score ?? settings.score, hasRegions: asked.overlap == .mask))
    }
    self.runs = runs
  }

  /// The overlays of some samples, in their order.
  ///
  /// - Throws: `StoreError`.
  func drawn(_ samples: [SampleRecord], in catalog: Catalog) throws -> [Drawn] {
    guard let evaluated = runs.last else { return samples.map { _ in Drawn() } }
    let ids = samples.map(\.id)
    var annotations: [[AnnotationRecord]] = samples.map { _ in [] }
    try catalog.forEachAnnotations(of: ids, geometry: evaluated.hasRegions) { annotations[$0] = $1 }
    let detections = try self.detections(of: evaluated, ids, in: catalog)
    let earlier = runs.count > 1 ? try self.detections(of: runs[0], ids, in: catalog) : []
    var rows: [Int64: [MatchRecord]] = [:]
    for sample in try catalog.matches(of: evaluated.evaluation.id, samples: ids) {
      rows[sample.sample] = sample.rows
    }
    return samples.indices.map { index in
      var drawn = drawn(
        samples[index], annotations[index], detections[index], rows[ids[index]] ?? [], evaluated)
      if runs.count > 1 {
        let thin = earlier[index].filter { $0.confidence >= runs[0].score }.map { detection in
          BoxOverlay.Object(.earlier, box: detection.box)
        }
        drawn.objects = thin + drawn.objects
      }
      return drawn
    }
  }

  private func detections(
    of evaluated: Evaluated, _ ids: [Int64], in catalog: Catalog
  ) throws -> [[Detection]] {
    var detections: [[Detection]] = ids.map { _ in [] }
    try catalog.forEachDetections(
      of: evaluated.run.id, samples: ids, scores: false, counts: evaluated.hasRegions
    ) { detections[$0] = $1 }
    return detections
  }

  private func drawn(
    _ sample: SampleRecord, _ annotations: [AnnotationRecord], _ detections: [Detection],
    _ rows: [MatchRecord], _ evaluated: Evaluated
  ) -> Drawn {
    var thin: [BoxOverlay.Object] = []
    var plain: [BoxOverlay.Object] = []
    var found: Set<Int> = []
    var ignored: Set<Int> = []
    var (right, wrong, missed) = (0, 0, 0)
    for row in rows {
      guard let place = row.prediction else {
        if row.ignored & evaluated.bit != 0, let truth = row.annotation { ignored.insert(truth) }
        continue
      }
      guard detections.indices.contains(place), detections[place].confidence >= evaluated.score
      else {
        continue
      }
      let detection = detections[place]
      var object = BoxOverlay.Object(.prediction, box: detection.box, isFaint: true)
      if row.ignored & evaluated.bit != 0 {
        thin.append(object)
      } else if row.matched & evaluated.bit != 0 {
        right += 1
        if let truth = row.annotation { found.insert(truth) }
        thin.append(object)
      } else {
        wrong += 1
        object.isFaint = false
        object.name = name(of: detection.class, in: evaluated.run.classes)
        object.score = detection.confidence
        object.mask = mask(of: detection, in: sample)
        plain.append(object)
      }
    }
    for annotation in annotations where !voids.contains(annotation.category) {
      guard let box = annotation.box ?? region(of: annotation, in: sample)?.boundingBox else {
        continue
      }
      let name = name(of: annotation.category, in: categories)
      let counts =
        !annotation.isCrowd && !ignored.contains(annotation.ordinal)
        && evaluated.run.classes.contains(name)
      if !counts {
        thin.append(BoxOverlay.Object(.annotation(place: nil), box: box, isFaint: true))
      } else if found.contains(annotation.ordinal) {
        thin.append(BoxOverlay.Object(.truth, box: box, isFaint: true))
      } else {
        missed += 1
        plain.append(
          BoxOverlay.Object(
            .truth, box: box,
            mask: evaluated.hasRegions ? region(of: annotation, in: sample) : nil, name: name))
      }
    }
    return Drawn(
      objects: thin + Self.named(plain),
      caption: "\(right) correct, \(wrong) wrong, \(missed) missed"
    )
  }

  /// Removes the names of all but a few objects, because a small image has little room: the
  /// detections with the highest scores and the largest objects keep their names.
  private static func named(_ objects: [BoxOverlay.Object]) -> [BoxOverlay.Object] {
    var keeping: Set<Int> = []
    for side in [BoxOverlay.Side.prediction, .truth] {
      let ranked = objects.indices.filter { objects[$0].side == side }.sorted {
        (-(objects[$0].score ?? objects[$0].box.area), $0)
          < (-(objects[$1].score ?? objects[$1].box.area), $1)
      }
      keeping.formUnion(ranked.prefix(namesOfASide))
    }
    return objects.indices.map { index in
      var object = objects[index]
      if !keeping.contains(index) { object.name = "" }
      return object
    }
  }

  /// The maximum number of names of predictions per image, and of names of ground-truth objects.
  private static let namesOfASide = 4

  private func name(of index: Int, in names: [String]) -> String {
    names.indices.contains(index) ? names[index] : "?"
  }

  private func mask(of detection: Detection, in sample: SampleRecord) -> Mask? {
    guard let counts = detection.counts, let size = sample.size else { return nil }
    return try? Mask(size: size, compressed: counts)
  }

  private func region(of annotation: AnnotationRecord, in sample: SampleRecord) -> Mask? {
    guard annotation.geometry != nil, let size = sample.size else { return nil }
    return try? annotation.mask(in: size)
  }
}
