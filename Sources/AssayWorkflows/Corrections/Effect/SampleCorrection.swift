import AssayCore
import AssayStore

/// The changes of one sample's ground truth, and the time they took.
package struct SampleCorrection: Hashable, Sendable {
  /// The imported and the current label, by name; `nil` if there is none.
  package var labelBefore: String?
  package var labelAfter: String?
  /// Labels added to a set and labels removed from it, in the order of the classes.
  package var labelsAdded: [String] = []
  package var labelsRemoved: [String] = []
  /// The changes of objects.
  package var objects = ObjectTruthChange()
  /// Visits with a net change.
  package var corrections = 0
  /// The number of ledger entries of any kind.
  package var entries = 0
  /// The authors of the corrections, in the order of their first entry.
  package var authors: [String] = []
  /// Active time in seconds.
  package var seconds = 0.0
  /// The last ledger entry about the sample.
  package var lastEntry: Int64?

  package init() {}

  /// True if the label differs.
  package var isRelabeled: Bool { labelBefore != labelAfter }

  /// True if the set of labels differs.
  package var hasOtherLabels: Bool { !labelsAdded.isEmpty || !labelsRemoved.isEmpty }

  /// True if the ground truth differs from the imported one.
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
    /// The intersection over union of the region before and after, in 0...1; 0 if one of them is
    /// empty.
    package var iou: Double
    /// The number of pixels that the region gained and lost.
    package var added: Int
    package var removed: Int
  }

  /// The changed regions, in the order of the taxonomy; box-only objects count as their rectangles.
  package var regions: [Region] = []
  /// The number of objects that are new, that were removed, and that have a different shape,
  /// category or crowd flag.
  package var added = 0
  package var removed = 0
  package var changed = 0

  package init() {}
}

extension ObjectTruthChange {
  /// The difference between two lists of a sample's annotations.
  ///
  /// Objects are paired by their id in the source, those without an id within their category; equal
  /// objects are paired first.
  ///
  /// - Parameters:
  ///   - size: the image's size; `nil` skips the comparison of pixels.
  ///   - categories: the names of the classes, by ordinal.
  /// - Throws: `MaskError` if stored geometry is damaged.
  init(
    from before: [AnnotationRecord], to after: [AnnotationRecord], size: ImageSize?,
    categories: [String]
  ) throws {
    self.init()
    countObjects(before, after)
    guard added + removed + changed > 0, let size else { return }
    // Only categories with an object that differs can have different pixels.
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

/// The identity by which an object is recognized in both lists.
private struct Identity: Hashable {
  var sourceID: SourceID?
  /// The category, for objects without an id.
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
