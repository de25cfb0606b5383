import AssayCore
import AssayMetrics

/// One person's annotations of one sample, for comparison with others.
struct ComparedVersion: Sendable {
  var content: ReplayedContent

  /// The objects that are compared: regions that are no crowds.
  var objects: [AnnotatedObject] {
    content.objects.filter { $0.shape.isRegion && !$0.isCrowd }
  }

  /// The labels of the whole image: its only one, and those beside it.
  var imageLabels: Set<String> {
    let beside = content.objects.filter { $0.shape == .tag }.map(\.category)
    return (content.labels ?? []).union(beside).union(content.label.map { [$0] } ?? [])
  }

  /// The version with its labels of the whole image as a set.
  var withLabelSet: ComparedVersion {
    var version = self
    version.content.labels = imageLabels
    version.content.label = nil
    return version
  }

  /// Returns the agreement with another version's objects: the IoU of pairs of one class that overlap.
  func overlaps(with other: ComparedVersion) -> [ObjectAgreement.Match] {
    let (own, theirs) = (objects, other.objects)
    let size = content.size ?? other.content.size
    var masks: [Int: Mask] = [:]
    var otherMasks: [Int: Mask] = [:]
    func mask(_ object: AnnotatedObject, _ place: Int, _ kept: inout [Int: Mask]) -> Mask? {
      if let mask = kept[place] { return mask }
      guard let size, let mask = try? object.mask(in: size) else { return nil }
      kept[place] = mask
      return mask
    }
    var pairs: [ObjectAgreement.Match] = []
    for (first, one) in own.enumerated() {
      for (second, another) in theirs.enumerated() where one.category == another.category {
        var iou = 0.0
        let boxes = one.box.flatMap { box in another.box.map { (box, $0) } }
        if let boxes, boxes.0 != boxes.1, !Self.touch(boxes.0, boxes.1) { continue }
        if one.shape == .box, another.shape == .box, let boxes {
          iou = boxes.0 == boxes.1 ? 1 : BoxDisagreement.iou(boxes.0, boxes.1)
        } else if let a = mask(one, first, &masks), let b = mask(another, second, &otherMasks) {
          // Regions without pixels are compared by their outlines.
          iou = a.iou(with: b) ?? (one.geometry == another.geometry ? 1 : 0)
        } else if let boxes {
          iou = BoxDisagreement.iou(boxes.0, boxes.1)
        }
        if iou > 0 { pairs.append(.init(first: first, second: second, iou: iou)) }
      }
    }
    return pairs
  }

  /// False for boxes that are a pixel or more apart: their regions share no pixel.
  private static func touch(_ a: Box, _ b: Box) -> Bool {
    a.x <= b.x + b.width + 1 && b.x <= a.x + a.width + 1 && a.y <= b.y + b.height + 1
      && b.y <= a.y + a.height + 1
  }

  /// True if it has an object with pixels of its own, in place of a box.
  var hasRegions: Bool { objects.contains { $0.shape != .box } }

  /// The pixels of each class; `nil` if the image's size is unknown.
  func regions(in size: ImageSize) -> [String: Mask] {
    var regions: [String: [Mask]] = [:]
    for object in objects {
      if let mask = try? object.mask(in: size) {
        regions[object.category, default: []].append(mask)
      }
    }
    return regions.mapValues { Mask.union(of: $0, size: size) }
  }

  /// Returns whether two versions say the same: the same labels, the same objects with the same fields,
  /// each with an IoU of at least `iou`, and whether the sample counts.
  func isEqual(to other: ComparedVersion, iou: Double) -> Bool {
    let (own, theirs) = (content, other.content)
    guard (own.leftOut == nil) == (theirs.leftOut == nil) else { return false }
    if own.leftOut != nil { return true }
    guard own.label == theirs.label, own.labels == theirs.labels else { return false }
    let rest = { (content: ReplayedContent) in
      content.objects.filter { !$0.shape.isRegion || $0.isCrowd }.map(Self.facts).sorted()
    }
    let (mine, others) = (objects, other.objects)
    guard mine.count == others.count, rest(own) == rest(theirs) else { return false }
    let matches = ObjectAgreement.matches(overlaps(with: other), minimum: iou)
    return matches.count == mine.count
      && matches.allSatisfy { mine[$0.first].attributes == others[$0.second].attributes }
  }

  /// An object that is no region, as text.
  private static func facts(_ object: AnnotatedObject) -> String {
    let box = object.box.map { "\($0.x) \($0.y) \($0.width) \($0.height)" } ?? ""
    return "\(object.shape.rawValue) \(object.category) \(object.isCrowd) \(box) "
      + "\(object.attributes ?? "") \(object.geometry.map { "\($0)" } ?? "")"
  }

  /// The version in a few words: its labels, or its numbers of objects.
  var words: String {
    if content.leftOut != nil { return "excluded" }
    var parts: [String] = []
    if let label = content.label { parts.append(label) }
    if let labels = content.labels {
      parts.append(labels.isEmpty ? "no label" : labels.sorted().joined(separator: " + "))
    }
    var counts: [String: Int] = [:]
    for object in content.objects { counts[object.category, default: 0] += 1 }
    parts += counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return parts.isEmpty ? "nothing" : parts.joined(separator: ", ")
  }
}
