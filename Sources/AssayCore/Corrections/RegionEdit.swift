/// A change of all pixels of a class, applied to its instances.
///
/// Removed pixels are removed from every instance of the class; an instance without any pixels left
/// is deleted. Each connected part (8-neighborhood) of the added pixels joins the instance that it
/// touches: the one with the most pixels among the part's pixels and their eight neighbors, the
/// first on ties. A part that touches none is a new instance; if the entry has an
/// ``MaskDelta/instanceArea``, the parts that touch none and are smaller are combined into one new
/// instance. Crowds lose pixels, but never gain any. In a label map, added pixels are removed from the instances of other
/// classes.
extension ReplayState {
  /// The maximum number of instances that one entry creates for a class; the parts beyond the
  /// largest ones are combined into one more, so that noise does not become thousands of instances.
  static let newInstanceLimit = 256

  /// - Parameters:
  ///   - entry: the uuid that identifies new instances.
  ///   - occurrence: the number of instances that the entry has created; incremented.
  /// - Complexity: O(*r* + *s* · *i* · log *r*) at most, for *i* instances with *r* runs and parts
  ///   with *s* runs in total; instances whose boxes do not touch cost nothing.
  mutating func edit(
    region category: String, _ delta: MaskDelta, entry: String, occurrence: inout Int,
    _ imported: inout ImportedMasks
  ) throws(Failure) {
    try agree(on: delta.size)
    if let removed = delta.removed {
      cut(BoundedMask(removed), &imported) { $0.category == category }
    }
    if let added = delta.added {
      takeOver(added, &imported) { $0.category != category }
      join(
        BoundedMask(added), to: category, delta: delta, entry: entry, occurrence: &occurrence,
        &imported)
    }
  }

  /// Cuts pixels from objects; one without any pixels left is removed.
  ///
  /// - Parameter loses: whether an object loses them.
  mutating func cut(
    _ removed: BoundedMask, _ imported: inout ImportedMasks, from loses: (AnnotatedObject) -> Bool
  ) {
    let size = removed.mask.size
    var isGone: Set<Int> = []
    for place in objects.indices where loses(objects[place].object) {
      guard let old = objects[place].pixels(in: size, &imported), old.isNear(removed) else {
        continue
      }
      let pixels = old.mask.subtracting(removed.mask)
      if pixels.isEmpty {
        isGone.insert(place)
      } else if pixels != old.mask {
        objects[place].set(pixels, in: size, &imported)
      }
    }
    guard !isGone.isEmpty else { return }
    objects = objects.indices.filter { !isGone.contains($0) }.map { objects[$0] }
  }

  private mutating func join(
    _ added: BoundedMask, to category: String, delta: MaskDelta, entry: String,
    occurrence: inout Int, _ imported: inout ImportedMasks
  ) {
    let size = delta.size
    var candidates: [(place: Int, pixels: BoundedMask, spans: SpanIndex, parts: [Mask])] = []
    for place in objects.indices
    where objects[place].object.category == category && !objects[place].object.isCrowd {
      if let pixels = objects[place].pixels(in: size, &imported), pixels.isNear(added, by: 1) {
        candidates.append((place, pixels, SpanIndex(pixels.mask), []))
      }
    }
    var new: [Mask] = []
    for part in added.mask.components() {
      let reach = candidates.isEmpty ? nil : BoundedMask(part.dilated(by: 1))
      var best: (candidate: Int, contact: Int)?
      for index in candidates.indices {
        guard let reach, candidates[index].pixels.isNear(reach) else { continue }
        let contact = candidates[index].spans.area(sharedWith: reach.mask)
        if contact > best?.contact ?? 0 { best = (index, contact) }
      }
      if let best { candidates[best.candidate].parts.append(part) } else { new.append(part) }
    }
    for (place, pixels, _, parts) in candidates where !parts.isEmpty {
      objects[place].set(
        pixels.mask.union(Mask.union(of: parts, size: size)), in: size, &imported)
    }
    // Largest first.
    let small = new.drop { $0.area >= delta.instanceArea }
    if small.count > 1 {
      new.replaceSubrange(small.indices, with: [Mask.union(of: Array(small), size: size)])
    }
    if new.count > Self.newInstanceLimit {
      let rest = Mask.union(of: Array(new[(Self.newInstanceLimit - 1)...]), size: size)
      new = new[..<(Self.newInstanceLimit - 1)] + [rest]
    }
    for mask in new {
      objects.append(
        ReplayedObject(
          AnnotatedObject(
            target: .made(entry: entry, occurrence: occurrence), category: category, shape: .mask,
            isChanged: true),
          mask: BoundedMask(mask)))
      occurrence += 1
    }
  }
}

/// An index of a mask's runs of set pixels, for many queries with small masks.
struct SpanIndex {
  /// Half-open, ascending, in column-major order.
  private let starts: [Int]
  private let ends: [Int]

  init(_ mask: Mask) {
    var starts: [Int] = []
    var ends: [Int] = []
    mask.forEachRowIDRange { start, end in
      starts.append(start)
      ends.append(end)
    }
    self.starts = starts
    self.ends = ends
  }

  /// The number of pixels set in both.
  ///
  /// - Complexity: O(*s* log *r* + *k*), for *s* runs of the other, *r* of this one, and *k* in common.
  func area(sharedWith other: Mask) -> Int {
    var shared = 0
    other.forEachRowIDRange { start, end in
      var index = firstEnding(after: start)
      while index < starts.count, starts[index] < end {
        shared += min(end, ends[index]) - max(start, starts[index])
        index += 1
      }
    }
    return shared
  }

  private func firstEnding(after place: Int) -> Int {
    var (low, high) = (0, ends.count)
    while low < high {
      let middle = (low + high) / 2
      if ends[middle] > place { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Mask {
  /// The ranges of set pixels in column-major order, half-open.
  fileprivate func forEachRowIDRange(_ body: (_ start: Int, _ end: Int) -> Void) {
    var place = 0
    for (index, run) in runs.enumerated() {
      let next = place + Int(run)
      if index % 2 == 1 { body(place, next) }
      place = next
    }
  }
}
