import AssayCore
import AssayReports
import AssayStore

/// Boxes outside the image, degenerate and tiny annotations, and duplicate annotations; in one pass
/// over the regions. One finding per kind and image.
struct AnnotationRule: CheckRule {
  static let kinds = [
    FindingKind.outsideBox, .degenerateAnnotation, .tinyAnnotation, .duplicateAnnotation,
  ]
  /// The number of pixels by which a rounded box may leave the image.
  static let tolerance = 1.0
  /// The area of a box in pixels below which it is tiny.
  static let tinyArea = 16.0

  private static let chunk = 4_096

  func run(_ view: CheckedView) throws -> RuleResult {
    var result = RuleResult()
    guard try view.catalog.holdsObjects(in: view.selection.dataset) else { return result }
    let comparesShapes = view.request.kinds.contains(.duplicateAnnotation)
    var found: [FindingKind: [(place: Int, problem: Problem)]] = [:]
    func add(_ annotations: [AnnotationRecord], _ place: Int) {
      for problem in Self.problems(
        annotations, size: view.samples[place].size ?? view.scanned?.images[place].size,
        classes: view.classes)
      {
        found[problem.kind, default: []].append((place, problem))
      }
    }
    for start in stride(from: 0, to: view.samples.count, by: Self.chunk) {
      try Interruption.check("nothing was stored")
      let part = start..<min(start + Self.chunk, view.samples.count)
      // Shapes take most of the time of reading: they are read only where two boxes are close.
      var overlapping: [Int] = []
      try view.catalog.forEachAnnotations(of: part.map { view.samples[$0].id }, geometry: false) {
        index, annotations in
        if comparesShapes, DuplicateAnnotations(annotations).needsShapes {
          overlapping.append(start + index)
        } else {
          add(annotations, start + index)
        }
      }
      try view.catalog.forEachAnnotations(of: overlapping.map { view.samples[$0].id }) {
        index, annotations in
        add(annotations, overlapping[index])
      }
    }
    for kind in Self.kinds where view.request.kinds.contains(kind) {
      for (place, problem) in (found[kind] ?? []).sorted(by: { $0.place < $1.place }) {
        result.findings.append(
          view.finding(kind, [place], score: problem.score, problem.message))
        result.evidence[kind, default: [:]][view.samples[place].id] =
          FindingEvidence(annotations: problem.ordinals)
      }
    }
    return result
  }

  /// A fault of some regions of an image.
  struct Problem {
    var kind: FindingKind
    /// The number of regions that are wrong.
    var score: Double
    var message: String
    /// The ordinals of the regions to show.
    var ordinals: [Int]
  }

  /// The problems of the regions of one image.
  static func problems(
    _ annotations: [AnnotationRecord], size: ImageSize?, classes: [String]
  ) -> [Problem] {
    var problems: [Problem] = []
    func name(_ annotation: AnnotationRecord) -> String {
      classes.indices.contains(annotation.category) ? classes[annotation.category] : "?"
    }
    func add(
      _ kind: FindingKind, _ found: [AnnotationRecord], _ words: String, shown: [Int]? = nil
    ) {
      guard let first = found.first else { return }
      let which =
        found.count == 1 ? name(first) : "\(found.count) regions, the first \(name(first))"
      problems.append(
        Problem(
          kind: kind, score: Double(found.count), message: "\(which) \(words)",
          ordinals: shown ?? found.map(\.ordinal)))
    }
    let boxes = annotations.filter { $0.box != nil }
    if let size {
      let outside = boxes.filter { Self.excess($0.box, size) > Self.tolerance }
      let largest = outside.map { Self.excess($0.box, size) }.max() ?? 0
      add(.outsideBox, outside, "up to \(Self.tenths(largest)) pixels outside the image")
    }
    let degenerate = boxes.filter { ($0.box?.width ?? 0) <= 0 || ($0.box?.height ?? 0) <= 0 }
    add(.degenerateAnnotation, degenerate, "without width or height")
    let tiny = boxes.filter { annotation in
      guard let box = annotation.box, box.width > 0, box.height > 0 else { return false }
      return box.area < Self.tinyArea
    }
    let least = tiny.compactMap { $0.box?.area }.min() ?? 0
    add(.tinyAnnotation, tiny, "with an area of \(Self.tenths(least)) pixels")
    let duplicates = DuplicateAnnotations(annotations).found(in: size)
    add(
      .duplicateAnnotation, annotations.filter { duplicates.repeated.contains($0.ordinal) },
      "twice at the same place", shown: duplicates.shown.sorted())
    return problems
  }

  /// A number with at most one decimal.
  private static func tenths(_ number: Double) -> String {
    NumberText.short((number * 10).rounded() / 10)
  }

  /// The number of pixels by which a box leaves an image on its worst side.
  private static func excess(_ box: Box?, _ size: ImageSize) -> Double {
    guard let box else { return 0 }
    return max(
      -box.x, -box.y, box.x + box.width - Double(size.width),
      box.y + box.height - Double(size.height))
  }
}
