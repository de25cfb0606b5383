import AssayCore
import AssayReports
import AssayStore

/// Images that several people annotated, and differently. One finding per image, for the person who
/// differs most from the labels.
struct AnnotatorRule: CheckRule {
  static let kinds = [FindingKind.annotatorDisagreement]
  /// The IoU of the boxes from which two regions of a class are the same.
  static let overlap = 0.5

  private static let chunk = 4_096

  func run(_ view: CheckedView) throws -> RuleResult {
    var result = RuleResult()
    let people = try view.catalog.annotators(of: view.selection.dataset.id)
    guard !people.isEmpty else { return result }
    var compared = 0
    let places = view.samples.indices.sorted { view.samples[$0].id < view.samples[$1].id }
    for start in stride(from: 0, to: places.count, by: Self.chunk) {
      try Interruption.check("nothing was stored")
      let part = Array(places[start..<min(start + Self.chunk, places.count)])
      var others: [(place: Int, annotations: [String: [AnnotationRecord]])] = []
      try view.catalog.forEachOtherAnnotations(of: part.map { view.samples[$0].id }) {
        others.append((part[$0], $1))
      }
      try view.catalog.forEachAnnotations(
        of: others.map { view.samples[$0.place].id }, geometry: false
      ) { index, annotations in
        let (place, people) = others[index]
        compared += 1
        let labels = Set(view.labels(of: place))
        let worst = people.sorted { $0.key < $1.key }.map { name, records in
          Self.difference(labels, annotations, records, by: name, classes: view.classes)
        }.max { $0.score < $1.score }
        if let worst, worst.score > 0 {
          result.findings.append(
            view.finding(.annotatorDisagreement, [place], score: worst.score, worst.message))
        }
      }
    }
    let order = result.findings.enumerated().sorted {
      let (a, b) = ($0.element.score ?? 0, $1.element.score ?? 0)
      return a != b ? a > b : $0.offset < $1.offset
    }
    result.findings = order.map(\.element)
    if compared > 0 {
      result.notes.append(
        "\(NumberText.count(compared)) \(compared == 1 ? "image has" : "images have") annotations of "
          + "several people, and \(NumberText.count(result.findings.count)) of them differ")
    }
    return result
  }

  /// The difference between the labels of an image and what another person annotated: the larger of
  /// 1 for other labels, and 1 - 2 m / (a + b), where m of a and b regions are the same.
  static func difference(
    _ labels: Set<Int>, _ regions: [AnnotationRecord], _ other: [AnnotationRecord], by name: String,
    classes: [String]
  ) -> (score: Double, message: String) {
    let theirs = Set(other.filter { !$0.shape.isRegion && $0.box == nil }.map(\.category))
    func text(_ labels: Set<Int>) -> String {
      let names = labels.sorted().map { classes.indices.contains($0) ? classes[$0] : "?" }
      return names.isEmpty ? "no label" : names.joined(separator: " + ")
    }
    if labels != theirs {
      return (1, "annotator \(name): \(text(theirs)) instead of \(text(labels))")
    }
    let found = other.filter(\.shape.isRegion)
    guard regions.count + found.count > 0 else { return (0, "") }
    let same = matches(regions, found)
    let score = 1 - 2 * Double(same) / Double(regions.count + found.count)
    guard !found.isEmpty else {
      return (score, "annotator \(name): no region instead of \(regions.count)")
    }
    return (
      score,
      "annotator \(name): \(same) of \(found.count) \(found.count == 1 ? "region agrees" : "regions agree") "
        + "with the \(regions.count) of the labels"
    )
  }

  /// The number of pairs of regions of one class, by descending IoU, each region in one pair.
  private static func matches(_ a: [AnnotationRecord], _ b: [AnnotationRecord]) -> Int {
    var pairs: [(iou: Double, a: Int, b: Int)] = []
    for (first, region) in a.enumerated() {
      for (second, other) in b.enumerated() where region.category == other.category {
        guard let own = region.box, let their = other.box else { continue }
        let iou = own == their ? 1 : BoxDisagreement.iou(own, their)
        if iou >= overlap { pairs.append((iou, first, second)) }
      }
    }
    pairs.sort { ($1.iou, $0.a, $0.b) < ($0.iou, $1.a, $1.b) }
    var (usedA, usedB) = (Set<Int>(), Set<Int>())
    for pair in pairs where !usedA.contains(pair.a) && !usedB.contains(pair.b) {
      usedA.insert(pair.a)
      usedB.insert(pair.b)
    }
    return usedA.count
  }
}
