package import AssayCore

/// The difference between two ground truths of one sample.
package struct TruthDifference: Sendable {
  /// A class whose pixels differ.
  package struct Region: Hashable, Sendable {
    package var category: String
    package var before: Mask
    package var after: Mask

    /// The number of pixels that the class gained and lost.
    package var added: Int { after.area - shared }
    package var removed: Int { before.area - shared }
    /// The intersection over union of both masks, in 0...1; `nil` if both are empty.
    package var iou: Double? { before.iou(with: after) }

    private var shared: Int { before.intersectionArea(with: after) }
  }

  package var labelBefore: String?
  package var labelAfter: String?
  /// Labels that were added to a set, and labels that were removed, sorted.
  package var labelsAdded: [String] = []
  package var labelsRemoved: [String] = []
  package var leftOutBefore: String?
  package var leftOutAfter: String?
  /// The changed regions by class name; box-only objects count as their rectangles. Empty if the
  /// size is unknown.
  package var regions: [Region] = []
  /// Objects that exist only afterwards, only before, and in both with a different shape or class.
  package var added: [AnnotatedObject] = []
  package var removed: [AnnotatedObject] = []
  package var changed: [(before: AnnotatedObject, after: AnnotatedObject)] = []

  package init(from before: ReplayedContent, to after: ReplayedContent) {
    labelBefore = before.label
    labelAfter = after.label
    labelsAdded = (after.labels ?? []).subtracting(before.labels ?? []).sorted()
    labelsRemoved = (before.labels ?? []).subtracting(after.labels ?? []).sorted()
    leftOutBefore = before.leftOut
    leftOutAfter = after.leftOut
    var old: [CorrectionTarget: AnnotatedObject] = [:]
    for object in before.objects { old[object.target] = object }
    var names: Set<String> = []
    for object in after.objects {
      if let known = old.removeValue(forKey: object.target) {
        guard known != object else { continue }
        changed.append((known, object))
        names.formUnion([known.category, object.category])
      } else {
        added.append(object)
        names.insert(object.category)
      }
    }
    removed = before.objects.filter { old[$0.target] != nil }
    names.formUnion(removed.map(\.category))
    guard let size = after.size ?? before.size else { return }
    for name in names.sorted() {
      let pair = [before, after].map { content in
        Mask.union(
          of: content.objects.filter { $0.category == name }.compactMap { try? $0.mask(in: size) },
          size: size)
      }
      if pair[0] != pair[1] {
        regions.append(Region(category: name, before: pair[0], after: pair[1]))
      }
    }
  }

  /// True if both are the same.
  package var isEmpty: Bool {
    labelBefore == labelAfter && labelsAdded.isEmpty && labelsRemoved.isEmpty
      && leftOutBefore == leftOutAfter && added.isEmpty && removed.isEmpty && changed.isEmpty
  }

  /// The differences of a class whose changed objects are all boxes: `person +1 box −2 boxes`, `dog 1 box changed`;
  /// `nil` for other classes, whose pixels are counted.
  private func boxWords(of category: String) -> String? {
    func count(_ objects: [AnnotatedObject]) -> Int {
      objects.count { $0.category == category }
    }
    let moved = changed.filter { $0.before.category == $0.after.category }.map(\.after)
    let all = (added + removed + changed.flatMap { [$0.before, $0.after] }).filter {
      $0.category == category
    }
    guard !all.isEmpty, all.allSatisfy({ $0.shape == .box }) else { return nil }
    let signed = [("+", count(added)), ("−", count(removed))].filter { $0.1 > 0 }.map {
      sign, number in
      " " + sign + Counted.text(number, "box", "boxes")
    }
    let changes = count(moved)
    let words =
      signed.joined()
      + (changes > 0
        ? (signed.isEmpty ? " " : ", ") + Counted.text(changes, "box", "boxes") + " changed" : "")
    // A box that became one of another class is said by that.
    return words.isEmpty ? "" : category + words
  }

  /// The differences, a few words each: `sad → happy`, `person +120 −33 px`, `dog +1 box`, `left out: blurred`.
  package var words: [String] {
    var words: [String] = []
    if labelBefore != labelAfter { words.append("\(labelBefore ?? "–") → \(labelAfter ?? "–")") }
    words += labelsAdded.map { "+\($0)" } + labelsRemoved.map { "−\($0)" }
    let names = (added + removed + changed.flatMap { [$0.before, $0.after] }).map(\.category)
    let boxes = Set(names).sorted().compactMap { name in boxWords(of: name).map { (name, $0) } }
    words += boxes.map(\.1).filter { !$0.isEmpty }
    let boxClasses = Set(boxes.map(\.0))
    for region in regions where !boxClasses.contains(region.category) {
      var text = region.category
      if region.added > 0 { text += " +\(region.added)" }
      if region.removed > 0 { text += " −\(region.removed)" }
      words.append(text + " px")
    }
    for (old, new) in changed where old.category != new.category {
      words.append("object \(old.category) → \(new.category)")
    }
    // A move by less than a pixel, and fields, change no pixels.
    let others = changed.count {
      $0.category == $1.category && !boxClasses.contains($0.category)
    }
    if regions.isEmpty, others > 0 {
      words.append(others == 1 ? "1 object changed" : "\(others) objects changed")
    }
    if regions.isEmpty, changed.isEmpty {
      let (more, fewer) = (
        added.count { !boxClasses.contains($0.category) },
        removed.count { !boxClasses.contains($0.category) }
      )
      if more > 0 { words.append("\(more) added") }
      if fewer > 0 { words.append("\(fewer) removed") }
    }
    if leftOutBefore != leftOutAfter {
      words.append(leftOutAfter.map { "left out: \($0)" } ?? "included again")
    }
    return words
  }
}

extension EffectiveTruth {
  /// The content reduced to labels, objects and exclusion.
  package var content: ReplayedContent {
    ReplayedContent(
      label: label, labels: labels, objects: objects, leftOut: leftOut, size: size)
  }
}

extension ImportedTruth {
  /// The content before any correction.
  package var content: ReplayedContent {
    ReplayedContent(label: label, labels: labels, objects: objects, leftOut: nil, size: size)
  }
}
