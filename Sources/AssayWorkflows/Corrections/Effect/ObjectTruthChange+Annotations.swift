import AssayCore
import AssayStore

extension ObjectTruthChange {
  /// What lies between two lists of a sample's annotations.
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

/// What of an annotation a person sees.
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

/// How often each object occurs.
private struct Tallied {
  var counts: [Content: Int] = [:]

  init(_ annotations: [AnnotationRecord]) {
    for annotation in annotations { counts[Content(annotation), default: 0] += 1 }
  }
}
