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
  static let overlap = 0.95

  private static let chunk = 4_096

  func run(_ view: CheckedView) throws -> RuleResult {
    var result = RuleResult()
    guard view.selection.dataset.regions > 0 else { return result }
    var found: [FindingKind: [FindingRecord]] = [:]
    for start in stride(from: 0, to: view.samples.count, by: Self.chunk) {
      try Interruption.check("nothing was stored")
      let part = start..<min(start + Self.chunk, view.samples.count)
      try view.catalog.forEachAnnotations(of: part.map { view.samples[$0].id }, geometry: false) {
        index, annotations in
        let place = start + index
        for (kind, score, message) in Self.problems(
          annotations, size: view.samples[place].size ?? view.scanned?.images[place].size,
          classes: view.classes)
        {
          found[kind, default: []].append(view.finding(kind, [place], score: score, message))
        }
      }
    }
    for kind in Self.kinds where view.request.kinds.contains(kind) {
      result.findings += found[kind] ?? []
    }
    return result
  }

  typealias Problem = (kind: FindingKind, score: Double, message: String)

  /// The problems of the regions of one image.
  static func problems(
    _ annotations: [AnnotationRecord], size: ImageSize?, classes: [String]
  ) -> [Problem] {
    var problems: [Problem] = []
    func name(_ annotation: AnnotationRecord) -> String {
      classes.indices.contains(annotation.category) ? classes[annotation.category] : "?"
    }
    func add(_ kind: FindingKind, _ found: [AnnotationRecord], _ words: String) {
      guard let first = found.first else { return }
      let which =
        found.count == 1 ? name(first) : "\(found.count) regions, the first \(name(first))"
      problems.append((kind, Double(found.count), "\(which) \(words)"))
    }
    let boxes = annotations.filter { $0.box != nil }
    if let size {
      let outside = boxes.filter { Self.excess($0.box, size) > Self.tolerance }
      let largest = outside.map { Self.excess($0.box, size) }.max() ?? 0
      add(.outsideBox, outside, "up to \(NumberText.short(largest)) pixels outside the image")
    }
    let degenerate = boxes.filter { ($0.box?.width ?? 0) <= 0 || ($0.box?.height ?? 0) <= 0 }
    add(.degenerateAnnotation, degenerate, "without width or height")
    let tiny = boxes.filter { annotation in
      guard let box = annotation.box, box.width > 0, box.height > 0 else { return false }
      return box.area < Self.tinyArea
    }
    let least = tiny.compactMap { $0.box?.area }.min() ?? 0
    add(.tinyAnnotation, tiny, "with an area of \(NumberText.short(least)) pixels")
    add(.duplicateAnnotation, duplicates(boxes), "twice at the same place")
    return problems
  }

  /// The number of pixels by which a box leaves an image on its worst side.
  private static func excess(_ box: Box?, _ size: ImageSize) -> Double {
    guard let box else { return 0 }
    return max(
      -box.x, -box.y, box.x + box.width - Double(size.width),
      box.y + box.height - Double(size.height))
  }

  /// The regions that cover the same place as an earlier one of their class; crowds are left out.
  private static func duplicates(_ boxes: [AnnotationRecord]) -> [AnnotationRecord] {
    let sorted = boxes.filter { !$0.isCrowd && ($0.box?.area ?? 0) > 0 }.sorted {
      let (a, b) = ($0.box?.x ?? 0, $1.box?.x ?? 0)
      return a != b ? a < b : $0.ordinal < $1.ordinal
    }
    var repeated: Set<Int> = []
    for (place, annotation) in sorted.enumerated() {
      guard let box = annotation.box else { continue }
      for other in sorted[(place + 1)...] {
        guard let second = other.box, second.x - box.x <= box.width * (1 - overlap) else { break }
        if other.category == annotation.category, BoxDisagreement.iou(box, second) >= overlap {
          repeated.insert(max(annotation.ordinal, other.ordinal))
        }
      }
    }
    return boxes.filter { repeated.contains($0.ordinal) }
  }
}
