import AssayCore
import AssayStore

/// The changes of one sample's ground truth, and the time they took.
package struct SampleCorrection: Hashable, Sendable {
  /// The label as imported and as it is now, by name; `nil` without one.
  package var labelBefore: String?
  package var labelAfter: String?
  /// Labels added to a set and labels removed from it, in the order of the classes.
  package var labelsAdded: [String] = []
  package var labelsRemoved: [String] = []
  /// The changes of objects.
  package var objects = ObjectTruthChange()
  /// Visits with a net change.
  package var corrections = 0
  /// Entries of the ledger, whatever they are.
  package var entries = 0
  /// The authors of the corrections, in the order of their first entry.
  package var authors: [String] = []
  /// Active seconds.
  package var seconds = 0.0
  /// The last entry of the ledger about it.
  package var lastEntry: Int64?

  package init() {}

  /// True if the label is another one.
  package var isRelabeled: Bool { labelBefore != labelAfter }

  /// True if the set of labels is another one.
  package var hasOtherLabels: Bool { !labelsAdded.isEmpty || !labelsRemoved.isEmpty }

  /// True if the truth is another one than the imported.
  package var isChanged: Bool {
    isRelabeled || hasOtherLabels || objects != ObjectTruthChange()
  }
}

/// The difference of a sample's regions and boxes between the imported and the corrected ground
/// truth.
package struct ObjectTruthChange: Hashable, Sendable {
  /// A category whose pixels changed.
  package struct Region: Hashable, Sendable {
    package var category: String
    /// The overlap of the region before and after as intersection over union, in 0...1; 0 where one of them
    /// is empty.
    package var iou: Double
    /// Pixels that it gained and lost.
    package var added: Int
    package var removed: Int
  }

  /// In the order of the taxonomy; boxes alone count as their rectangles.
  package var regions: [Region] = []
  /// Objects that were not there before, that are gone, and that are there with another shape, category or
  /// crowd flag.
  package var added = 0
  package var removed = 0
  package var changed = 0

  package init() {}
}

extension ObjectTruthChange {
  /// The difference between two lists of a sample's annotations.
  ///
  /// Objects are paired by their id in the source, those without one within their category; what is equal
  /// first.
  ///
  /// - Parameters:
  ///   - size: the image's; `nil` leaves the pixels out.
  ///   - categories: the names of the classes, by ordinal.
  /// - Throws: `MaskError` for stored geometry that is damaged.
  init(
    from before: [AnnotationRecord], to after: [AnnotationRecord], size: ImageSize?,
    categories: [String]
  ) throws {
    self.init()
    countObjects(before, after)
    guard added + removed + changed > 0, let size else { return }
    // Only categories of an object that is not the same in both can have other pixels.
    var unequal: Set<Int> = []
    let (first, second) = (Tallied(before), Tallied(after))
    for (object, count) in first.counts where second.counts[object, default: 0] != count {
      unequal.insert(object.category)
    }
    for (object, count) in second.counts where first.counts[object, default: 0] != count {
      unequal.insert(object.category)
    }
    for category in unequal.sorted() {
      let old = try Self.union(of: before, category, size)
      let new = try Self.union(of: after, category, size)
      let shared = old.intersectionArea(with: new)
      let union = old.area + new.area - shared
      guard union > shared else { continue }
      regions.append(
        Region(
          category: categories.indices.contains(category) ? categories[category] : "\(category)",
          iou: Double(shared) / Double(union), added: new.area - shared,
          removed: old.area - shared))
    }
  }

  private mutating func countObjects(_ before: [AnnotationRecord], _ after: [AnnotationRecord]) {
    var left: [Identity: [Content]] = [:]
    for annotation in before { left[Identity(annotation), default: []].append(Content(annotation)) }
    var unmatched: [Identity: Int] = [:]
    for annotation in after {
      let identity = Identity(annotation)
      if let place = left[identity]?.firstIndex(of: Content(annotation)) {
        left[identity]?.remove(at: place)
      } else {
        unmatched[identity, default: 0] += 1
      }
    }
    for (identity, count) in unmatched {
      let paired = min(count, left[identity]?.count ?? 0)
      changed += paired
      added += count - paired
      left[identity]?.removeFirst(paired)
    }
    removed = left.values.reduce(0) { $0 + $1.count }
  }

  private static func union(
    of annotations: [AnnotationRecord], _ category: Int, _ size: ImageSize
  ) throws -> Mask {
    let masks = try annotations.filter { $0.category == category }.map { try $0.mask(in: size) }
    return Mask.union(of: masks, size: size)
  }
}

/// By what an object is known again.
private struct Identity: Hashable {
  var sourceID: SourceID?
  /// Of objects without an id.
  var category: Int?

  init(_ annotation: AnnotationRecord) {
    sourceID = annotation.sourceID
    category = annotation.sourceID == nil ? annotation.category : nil
  }
}

/// The visible content of an annotation.
private struct Content: Hashable {
  var category: Int
  var shape: ShapeKind
  var isCrowd: Bool
  var box: Box?
  var geometry: [UInt8]?

  init(_ annotation: AnnotationRecord) {
    category = annotation.category
    shape = annotation.shape
    isCrowd = annotation.isCrowd
    box = annotation.box
    geometry = annotation.geometry
  }
}

/// The number of occurrences of each object.
private struct Tallied {
  var counts: [Content: Int] = [:]

  init(_ annotations: [AnnotationRecord]) {
    for annotation in annotations { counts[Content(annotation), default: 0] += 1 }
  }
}
