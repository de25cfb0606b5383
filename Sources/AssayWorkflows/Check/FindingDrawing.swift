import AssayCore
import AssayImaging
import AssayReports
import AssayStore

/// Draws what findings are about over their images: annotations in blue, a detection of the run in
/// orange, both with their classes; the other annotations in gray without. Safe to use from several
/// threads.
struct FindingDrawing: Sendable {
  let catalog: Catalog
  let images: SampleImages
  let classes: [String]
  /// The run that label errors come from; `nil` without one.
  let run: RunReference?
  /// The drawing of its predictions for runs without objects.
  private let runDrawing: RunDrawing?

  /// The picture of a finding.
  struct Drawn: Sendable {
    /// The image with the objects of the finding, then details of small ones.
    var cutouts: [ObjectCutout] = []
    /// The image with a run's prediction.
    var raster: Raster<UInt8>?
    /// The labels and the prediction: `cat → dog 0.93`.
    var caption = ""
    var frame = ContactSheet.Frame.none
  }

  /// An object below this share of the image's longer side is also shown as a detail.
  private static let smallShare = 0.1
  /// The maximum number of details of an image.
  private static let details = 3

  init(
    catalog: Catalog, dataset: DatasetRecord, classes: [String], run: RunReference?
  ) throws {
    self.catalog = catalog
    images = SampleImages(catalog: catalog, dataset: dataset)
    self.classes = classes
    self.run = run
    runDrawing = try run.flatMap { run in
      run.run.task.output == .objects ? nil : try RunDrawing(run, in: catalog)
    }
  }

  /// True for a kind whose findings are about whole images.
  func isPlain(_ kind: FindingKind) -> Bool { kind != .labelError && legend(of: kind).isEmpty }

  /// The meaning of the colors in a kind's drawings; empty for a kind without drawings.
  func legend(of kind: FindingKind) -> [CheckReport.Color: String] {
    switch kind {
    case .outsideBox, .degenerateAnnotation, .tinyAnnotation, .duplicateAnnotation:
      return [.blue: "annotations of the finding", .gray: "other annotations"]
    case .labelError:
      guard let run = run?.run else { return [:] }
      switch run.task.output {
      case .label, .labels: return [:]
      case .masks: return [.blue: "ground truth", .orange: "prediction of \(run.name)"]
      case .objects:
        return [
          .blue: "ground truth", .orange: "prediction of \(run.name)", .gray: "other annotations",
        ]
      }
    default: return [:]
    }
  }

  /// The picture of a finding about one sample; `nil` if its image cannot be read, or shows nothing but
  /// itself.
  ///
  /// - Throws: `ReportError`, `StoreError`, ``RunMasksError``.
  func drawn(
    _ kind: FindingKind, _ sample: SampleRecord, _ evidence: FindingEvidence?
  ) throws -> Drawn? {
    guard case .success(let raster)? = try images.rasters(of: [sample]).first else { return nil }
    if let evidence, !evidence.annotations.isEmpty || evidence.detection != nil {
      return Drawn(cutouts: try cutouts(kind, sample, evidence, raster))
    }
    guard kind == .labelError, let runDrawing, let prediction = try runDrawing.drawn([sample]).first
    else { return nil }
    var drawn = Drawn(caption: prediction.caption, frame: prediction.frame)
    if case .masks = prediction.overlay {
      drawn.raster = try RunDrawing.image(
        raster, of: sample, with: prediction, longest: CheckReport.drawnLongest)
    }
    return drawn
  }

  private func cutouts(
    _ kind: FindingKind, _ sample: SampleRecord, _ evidence: FindingEvidence,
    _ raster: Raster<UInt8>
  ) throws -> [ObjectCutout] {
    let shown = ImageSize.checked(width: raster.width, height: raster.height)
    guard let frame = sample.size ?? shown else { return [] }
    // Two masks of one place differ in their pixels; the other kinds are about boxes.
    let showsMasks = kind == .duplicateAnnotation
    var faint: [BoxOverlay.Object] = []
    var objects: [BoxOverlay.Object] = []
    try catalog.forEachAnnotations(of: [sample.id], geometry: showsMasks) { _, annotations in
      for annotation in annotations {
        guard let box = annotation.box else { continue }
        guard evidence.annotations.contains(annotation.ordinal) else {
          faint.append(BoxOverlay.Object(.annotation(place: nil), box: box, isFaint: true))
          continue
        }
        let mask =
          annotation.geometry == nil
          ? nil : (try? annotation.mask(in: frame)).flatMap { $0.isEmpty ? nil : $0 }
        objects.append(
          BoxOverlay.Object(
            .truth, box: box, mask: mask, name: name(annotation.category, of: classes)))
      }
    }
    if let place = evidence.detection, let run {
      try catalog.forEachDetections(
        of: run.run.id, samples: [sample.id], scores: false, counts: false
      ) { _, detections in
        guard detections.indices.contains(place) else { return }
        let detection = detections[place]
        objects.append(
          BoxOverlay.Object(
            .prediction, box: detection.box, name: name(detection.class, of: run.run.classes),
            score: detection.confidence))
      }
    }
    let boxes = objects.map(\.box)
    let whole = ObjectCutout(
      showing: raster, frame: frame, including: kind == .outsideBox ? boxes : [],
      objects: faint + objects)
    guard kind != .outsideBox else { return [whole] }
    let least = Self.smallShare * Double(max(frame.width, frame.height))
    let small = boxes.filter { max($0.width, $0.height) < least }.prefix(Self.details)
    return [whole]
      + small.map { ObjectCutout(of: raster, frame: frame, around: [$0], objects: faint + objects) }
  }

  private func name(_ index: Int, of names: [String]) -> String {
    names.indices.contains(index) ? names[index] : "?"
  }
}
