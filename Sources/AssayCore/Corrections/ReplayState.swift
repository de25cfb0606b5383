/// The ground truth at one point of a replay.
struct ReplayState: Hashable, Sendable {
  var label: String?
  /// `nil` if the sample has one label, or none.
  var labels: Set<String>?
  var objects: [ReplayedObject]
  var leftOut: String?
  /// The image's size: the source's, or the first that an entry states.
  var size: ImageSize?
  /// True if a pixel has at most one class.
  private(set) var isLabelMap: Bool

  init(_ imported: ImportedTruth) {
    label = imported.label
    labels = imported.labels
    size = imported.size
    isLabelMap = imported.isLabelMap
    objects = imported.objects.enumerated().map { ReplayedObject($1, origin: $0) }
  }
}

/// The decoded masks of the imported objects, each decoded on first use.
struct ImportedMasks: Sendable {
  private let objects: [AnnotatedObject]
  private var masks: [BoundedMask?]
  private var size: ImageSize?

  init(_ imported: ImportedTruth) {
    objects = imported.objects
    masks = objects.map { _ in nil }
    size = imported.size
  }

  /// - Returns: `nil` if the geometry is damaged.
  mutating func mask(of place: Int, in size: ImageSize) -> BoundedMask? {
    guard objects.indices.contains(place) else { return nil }
    if self.size != size {
      self.size = size
      masks = objects.map { _ in nil }
    }
    if let mask = masks[place] { return mask }
    masks[place] = (try? objects[place].mask(in: size)).map { BoundedMask($0) }
    return masks[place]
  }

  /// Returns whether an object is unchanged since the import.
  func isImported(_ object: ReplayedObject) -> Bool {
    guard let origin = object.origin else { return false }
    return object.mask == nil && object.object == objects[origin]
  }
}

extension ReplayedObject {
  /// Its pixels; `nil` if its geometry is damaged.
  func pixels(in size: ImageSize, _ imported: inout ImportedMasks) -> BoundedMask? {
    if let mask { return mask }
    if let origin, !isRedrawn { return imported.mask(of: origin, in: size) }
    return (try? object.mask(in: size)).map { BoundedMask($0) }
  }

  /// Replaces its pixels; setting the imported pixels makes it unchanged again.
  mutating func set(_ pixels: Mask, in size: ImageSize, _ imported: inout ImportedMasks) {
    if let origin, !isRedrawn, imported.mask(of: origin, in: size)?.mask == pixels {
      mask = nil
    } else {
      mask = BoundedMask(pixels)
    }
  }
}

extension ReplayState {
  /// The reason why an operation was not applied.
  enum Failure: Error {
    /// A mask with a different size than the image.
    case otherSize
    /// No such object, one without pixels, or one whose region is damaged.
    case missing
    /// A label for a sample with a set of labels, or vice versa.
    case otherTask
  }

  /// The size of all masks, once it is known.
  mutating func agree(on size: ImageSize) throws(Failure) {
    if self.size == nil { self.size = size }
    guard self.size == size else { throw .otherSize }
  }

  func place(of target: CorrectionTarget) throws(Failure) -> Int {
    guard let place = objects.firstIndex(where: { $0.object.target == target }) else {
      throw .missing
    }
    return place
  }

  /// Changes one object's pixels; an object without any pixels left is removed.
  mutating func edit(
    _ target: CorrectionTarget, _ delta: MaskDelta, _ imported: inout ImportedMasks
  ) throws(Failure) {
    try agree(on: delta.size)
    let place = try place(of: target)
    guard objects[place].object.shape.isRegion,
      let old = objects[place].pixels(in: delta.size, &imported)
    else { throw .missing }
    var pixels = old.mask
    if let removed = delta.removed { pixels = pixels.subtracting(removed) }
    if let added = delta.added { pixels = pixels.union(added) }
    if pixels.isEmpty {
      // An object that had no pixels before is kept.
      if !old.mask.isEmpty { objects.remove(at: place) }
    } else {
      objects[place].set(pixels, in: delta.size, &imported)
      if let added = delta.added { takeOver(added, &imported) { $0.target != target } }
    }
  }

  /// In a label map, cuts pixels that an object has got from the objects that had them.
  ///
  /// - Parameter loses: whether an object loses them.
  mutating func takeOver(
    _ pixels: Mask, _ imported: inout ImportedMasks, from loses: (AnnotatedObject) -> Bool
  ) {
    guard isLabelMap else { return }
    cut(BoundedMask(pixels), &imported) { $0.shape.isRegion && $0.shape != .box && loses($0) }
  }

  /// Adds an object that an entry created.
  mutating func add(
    _ object: NewObject, entry: String, occurrence: Int, _ imported: inout ImportedMasks
  ) throws(Failure) {
    if let size = object.size { try agree(on: size) }
    let target = CorrectionTarget.made(entry: entry, occurrence: occurrence)
    var added = AnnotatedObject(
      target: target, category: object.category, shape: .mask, isCrowd: object.isCrowd,
      attributes: object.attributes, isChanged: true)
    switch object.shape {
    case .mask(let mask):
      takeOver(mask, &imported) { _ in true }
      objects.append(ReplayedObject(added, mask: BoundedMask(mask)))
    case .outline(let outline):
      added.take(outline, in: size)
      objects.append(ReplayedObject(added))
    }
  }

  /// Replaces an object's box, or the polygons or the mask of one with a region.
  mutating func edit(
    _ target: CorrectionTarget, _ outline: ObjectOutline, size: ImageSize?, imported: ImportedTruth
  ) throws(Failure) {
    if let size { try agree(on: size) }
    let place = try place(of: target)
    let old = objects[place]
    // Pixels that were cut from a box have made it a mask.
    switch (outline, old.mask == nil ? old.object.shape : .mask) {
    case (.box, .box), (.polygons, .polygon), (.polygons, .mask): break
    case (.box, _), (.polygons, _): throw .missing
    }
    objects[place].mask = nil
    objects[place].object.take(outline, in: self.size)
    guard let origin = old.origin, imported.objects.indices.contains(origin) else { return }
    let source = imported.objects[origin]
    let new = objects[place].object
    if new.shape == source.shape, new.box == source.box, new.geometry == source.geometry {
      objects[place].object.area = source.area
      objects[place].isRedrawn = false
    } else {
      objects[place].isRedrawn = true
    }
  }
}
