package import AssayCore

/// Reduces images to what a format can hold, and counts what it cannot.
///
/// The result is what a reader of the files must find: writing and reading back are compared with it.
package struct ExportFitting: Sendable {
  let capabilities: ExportCapabilities
  private let isMultiLabel: Bool
  /// The ordinals of the void classes.
  private let voids: Set<Int>
  /// The ordinals of the stuff classes.
  private let stuff: Set<Int>
  /// The ordinal of the class of captions; `nil` if there is none.
  private let caption: Int?

  package init(
    _ capabilities: ExportCapabilities, isMultiLabel: Bool = false, voids: Set<Int> = [],
    stuff: Set<Int> = [], caption: Int? = nil
  ) {
    self.stuff = stuff
    self.caption = caption
    self.capabilities = capabilities
    self.isMultiLabel = isMultiLabel
    self.voids = voids
  }

  /// The image as the format holds it; `nil` if it is left out.
  package func fit(_ image: ExportImage, _ losses: inout ExportLosses) -> ExportImage? {
    guard image.hasFile || !capabilities.needsFiles else {
      losses.note(.imagesWithoutFile)
      return nil
    }
    guard image.size.map(isUsable) ?? !capabilities.needsSizes else {
      losses.note(.imagesWithoutSize)
      return nil
    }
    var fitted = image
    fitTags(&fitted, &losses)
    fitLabels(&fitted, &losses)
    if fitted.sourceID != nil, !capabilities.imageIDs {
      losses.note(.imageIDs)
      fitted.sourceID = nil
    }
    let stated = fitted.fields.count
    fitted.fields.removeAll { !capabilities.holds(imageField: $0) }
    if fitted.fields.count < stated { losses.note(.imageFields) }
    let tags = fitted.objects.filter { $0.shape == .tag }
    fitted.objects.removeAll { $0.shape == .tag }
    if capabilities.shapes.isEmpty {
      losses.note(.objects, fitted.objects.count)
      fitted.objects = []
    }
    var groups = KeypointGroups(fitted.objects, name: capabilities.groupAttribute)
    fitted.objects = fitted.objects.flatMap { object -> [ExportObject] in
      guard let fitted = fit(object, in: image.size, &losses) else { return [] }
      return fitKeypoints(fitted, &groups, &losses).map { object in
        var object = object
        fitAttributes(&object, frame: image.number, &losses)
        return object
      }
    }
    if let flattening = capabilities.flattening, let size = image.size {
      fitted.objects = flattening.flattened(
        fitted.objects, size, voids: voids, stuff: stuff, &losses)
    }
    if capabilities.mistakesUnitBoxes, let size = image.size, size.area > 4 {
      let isInPixels = fitted.objects.contains { !Self.isUnit($0.box) }
      let all = fitted.objects.count
      fitted.objects.removeAll { Self.isFraction($0.box, isInPixels: isInPixels) }
      losses.note(.unitBoxes, all - fitted.objects.count)
    }
    fitted.objects += tags.map { tag in
      var tag = tag
      if tag.sourceID != nil, !capabilities.objectIDs {
        losses.note(.objectIDs)
        tag.sourceID = nil
      }
      guard !capabilities.shapes.contains(.tag), tag.category == caption else {
        fitAttributes(&tag, frame: image.number, &losses)
        return tag
      }
      tag.attributes.removeAll { attribute in
        if attribute.name != ExportObject.captionName { losses.note(attribute: attribute.name) }
        return attribute.name != ExportObject.captionName
      }
      return tag
    }
    fitted.settleTags()
    if capabilities.mergesDuplicates, fitted.objects.count > 1 {
      var seen: Set<ExportObject> = []
      let all = fitted.objects.count
      fitted.objects.removeAll { !seen.insert($0).inserted }
      losses.note(.duplicates, all - fitted.objects.count)
    }
    return fitted
  }

  /// Returns whether the center and the sides of a box are from 0 to 1, and one side is above 0.
  private static func isUnit(_ box: Box) -> Bool {
    let numbers = [box.x + box.width / 2, box.y + box.height / 2, box.width, box.height]
    return numbers.allSatisfy { (0...1).contains($0) } && (box.width > 0 || box.height > 0)
  }

  /// Returns whether a box seems to be relative to its image: it lies in the first pixel, and does not fill
  /// it in an image with coordinates in pixels.
  static func isFraction(_ box: Box, isInPixels: Bool) -> Bool {
    let edges = [box.x, box.y, box.width, box.height]
    return isUnit(box) && !(isInPixels && edges.allSatisfy { $0 == $0.rounded() })
  }

  /// Returns whether a map of the pixels of an image can be made.
  private func isUsable(_ size: ImageSize) -> Bool {
    guard capabilities.flattening != nil else { return true }
    return ImageSize.checked(width: size.width, height: size.height) != nil
  }

  /// Makes tags labels if the format has those alone.
  private func fitTags(_ image: inout ExportImage, _ losses: inout ExportLosses) {
    guard !capabilities.shapes.contains(.tag) else { return }
    var labels = image.labels
    let isLabeled = !labels.isEmpty
    image.objects.removeAll { object in
      guard object.shape == .tag else { return false }
      let text = object.caption
      if text != nil, object.category == caption {
        // A text about the image is no label of it.
        guard capabilities.captions, text?.allSatisfy(\.isWhitespace) == false else {
          losses.note(.captions)
          return true
        }
        return false
      }
      if case .none = capabilities.labels {
        losses.note(.tags)
      } else if text != nil, isLabeled {
        losses.note(.tags)
      } else if labels.contains(object.category) {
        losses.note(.duplicates)
      } else {
        labels.append(object.category)
        for attribute in object.attributes { losses.note(attribute: attribute.name) }
        if object.sourceID != nil { losses.note(.objectIDs) }
      }
      return true
    }
    image.labels = labels.sorted()
  }

  private func fitLabels(_ image: inout ExportImage, _ losses: inout ExportLosses) {
    switch capabilities.labels {
    case .none:
      if !image.labels.isEmpty || isMultiLabel { losses.note(.wholeImageLabels) }
      image.labels = []
    case .one:
      if image.labels.count > 1 || isMultiLabel && image.labels.isEmpty {
        losses.note(.labelSets)
        image.labels = []
      }
    case .set: break
    }
  }

  /// The object as the format holds it, with all keypoints and attributes; `nil` if it is left out.
  private func fit(
    _ object: ExportObject, in size: ImageSize?, _ losses: inout ExportLosses
  ) -> ExportObject? {
    var fitted = object
    guard fitShape(&fitted, in: size, &losses) else { return nil }
    if !capabilities.statedBoxes, fitted.shape != .box,
      let bounds = ExportOutlines.bounds(of: fitted.shape)
    {
      if fitted.shape == object.shape, !Self.isNear(bounds, fitted.box) {
        losses.note(.statedBoxes)
      }
      fitted.box = bounds
    }
    guard fitCoordinates(&fitted, in: size, &losses) else { return nil }
    if fitted.isCrowd, !capabilities.crowds {
      losses.note(.crowds)
      fitted.isCrowd = false
    }
    if !capabilities.areas {
      if let area = fitted.area, !isImplied(area, object) { losses.note(.areas) }
      fitted.area = nil
    }
    if fitted.sourceID != nil, !capabilities.objectIDs {
      losses.note(.objectIDs)
      fitted.sourceID = nil
    }
    return fitted
  }

  /// Returns whether a reader finds the area of an object without its being stated.
  private func isImplied(_ area: Double, _ object: ExportObject) -> Bool {
    switch object.shape {
    case .box: abs(area - object.box.area) <= 1e-6 * area
    case .mask(let mask): capabilities.pixelAreas && area == Double(mask.area)
    case .polygons, .lines, .points, .tag: false
    }
  }

  private static func isNear(_ a: Box, _ b: Box) -> Bool {
    abs(a.x - b.x) < 0.01 && abs(a.y - b.y) < 0.01 && abs(a.width - b.width) < 0.01
      && abs(a.height - b.height) < 0.01
  }

  // MARK: Shapes

  /// - Returns: false if the object is left out.
  private func fitShape(
    _ object: inout ExportObject, in size: ImageSize?, _ losses: inout ExportLosses
  ) -> Bool {
    let shapes = capabilities.shapes
    switch object.shape {
    case .tag: return true
    case .lines(let lines):
      guard shapes.contains(.polyline), lines.count == 1 || capabilities.parts else {
        losses.note(.lines)
        return false
      }
    case .points(let points):
      guard shapes.contains(.points), points.count / 2 <= capabilities.pointLimit ?? .max else {
        losses.note(.points)
        return false
      }
    case .mask(let mask):
      if shapes.contains(.mask) { return true }
      guard shapes.contains(.polygon) else {
        losses.note(.masksAsBoxes)
        object.shape = .box
        return true
      }
      losses.note(.masksAsPolygons)
      if !mask.holes().runs.isEmpty, mask.holes().area > 0 { losses.note(.holes) }
      object.shape = .polygons(ExportOutlines.outer(of: mask))
      return fitPolygons(&object, in: size, &losses)
    case .polygons: return fitPolygons(&object, in: size, &losses)
    case .box:
      if capabilities.isRotated {
        object.shape = .polygons([ExportOutlines.corners(of: object.box)])
      } else if !shapes.contains(.box) {
        if !shapes.contains(.polygon), shapes.contains(.mask), let size {
          losses.note(.boxesAsMasks)
          object.shape = .mask(Mask(box: object.box, size: size))
          return true
        }
        guard shapes.contains(.polygon) else { return true }
        losses.note(.boxesAsPolygons)
        object.shape = .polygons([ExportOutlines.corners(of: object.box)])
      }
    }
    return true
  }

  private func fitPolygons(
    _ object: inout ExportObject, in size: ImageSize?, _ losses: inout ExportLosses
  ) -> Bool {
    guard case .polygons(let polygons) = object.shape else { return true }
    if capabilities.isRotated {
      guard polygons.count == 1, polygons[0].count == 8 else {
        losses.note(.polygonsAsRotatedBoxes)
        object.shape = .polygons([ExportOutlines.rotatedBox(around: polygons)])
        return true
      }
      return true
    }
    guard capabilities.shapes.contains(.polygon) else {
      if capabilities.shapes.contains(.mask), let size {
        losses.note(.polygonsAsMasks)
        object.shape = .mask(Mask(polygons: polygons, size: size))
      } else {
        losses.note(.polygonsAsBoxes)
        object.shape = .box
      }
      return true
    }
    guard polygons.count > 1, !capabilities.parts else { return true }
    losses.note(.parts)
    if capabilities.shapes.contains(.mask), let size {
      object.shape = .mask(Mask(polygons: polygons, size: size))
    } else {
      object.shape = .polygons([ExportOutlines.joined(polygons)])
    }
    return true
  }

  // MARK: Coordinates

  /// - Returns: false if the object is left out.
  private func fitCoordinates(
    _ object: inout ExportObject, in size: ImageSize?, _ losses: inout ExportLosses
  ) -> Bool {
    if capabilities.clips, let size {
      let clipped = ExportOutlines.clipped(object, to: size)
      if clipped != object {
        let isOutside =
          object.box.x >= Double(size.width) || object.box.y >= Double(size.height)
          || object.box.x + object.box.width <= 0 || object.box.y + object.box.height <= 0
        if isOutside, object.box.area > 0 {
          losses.note(.outsideEntirely)
          return false
        }
        losses.note(.outside)
        object = clipped
      }
    }
    if case .mask(let mask) = object.shape, mask.area == 0 {
      losses.note(.withoutArea)
      return false
    }
    if !capabilities.emptyBoxes, object.shape == .box,
      object.box.width <= 0 || object.box.height <= 0
    {
      losses.note(.withoutArea)
      return false
    }
    if case .whole = capabilities.numbers {
      let rounded = ExportOutlines.whole(object.box, in: size)
      if rounded != object.box { losses.note(.digits) }
      object.box = rounded
    }
    return true
  }

  // MARK: Keypoints and attributes

  /// - Returns: the object, and its keypoints if they are written as an object of their own.
  private func fitKeypoints(
    _ object: ExportObject, _ groups: inout KeypointGroups, _ losses: inout ExportLosses
  ) -> [ExportObject] {
    var object = object
    let found = object.keypoints
    switch capabilities.keypoints {
    case .any: return [object]
    case .fixed(let count):
      if (found?.count ?? 0) < 3 * count { losses.note(.missingKeypoints) }
      if (found?.count ?? 0) > 3 * count { losses.note(.keypoints) }
      object.setKeypoints(count)
      return [object]
    case .none: break
    case .ofPoints(let counts, let isApart):
      let category = capabilities.keypointClasses[object.category] ?? object.category
      guard let points = object.labeledKeypoints(counts?[category], isFree: counts == nil)
      else { break }
      if object.shape == .points(points) {
        object.countKeypoints()
        if category != object.category { losses.note(.keypointsApart) }
        object.category = category
        return [object]
      }
      guard isApart, object.shape.kind.isRegion, groups.canSplit(object) else { break }
      losses.note(.keypointsApart)
      return groups.split(object, points, category)
    }
    if found != nil { losses.note(.keypoints) }
    object.removeKeypoints()
    return [object]
  }

  private func fitAttributes(
    _ object: inout ExportObject, frame: Int, _ losses: inout ExportLosses
  ) {
    let isTracked = object.track(in: capabilities.tracks) != nil
    // The corners of a rotated box say its degrees, too.
    let isRotated =
      object.attributes.contains { $0.name == RotatedBox.attribute } && RotatedBox(object) != nil
    object.attributes.removeAll { attribute in
      if !capabilities.dropsKeypoints,
        [ExportObject.keypointsName, ExportObject.keypointCountName].contains(attribute.name)
      {
        return false
      }
      let isKept: Bool
      let isReserved =
        capabilities.reservedAttributes.contains(attribute.name)
        && !(capabilities.rotatedBoxes && isRotated && attribute.name == RotatedBox.attribute)
      let isTrimmed = capabilities.trimsTexts && attribute.value.isChangedByTrimming
      let isNoFlag =
        capabilities.flagAttributes.contains(attribute.name)
        && ![.integer(0), .integer(1), false, true].contains(attribute.value)
      let isSaid = isTracked ? attribute.isSaid(byTrackAt: frame) : nil
      switch capabilities.attributes {
      case _ where isSaid != nil: isKept = isSaid == true
      case _ where isReserved || isTrimmed || isNoFlag: isKept = false
      case .none: isKept = false
      case .any: isKept = true
      case .named(let names): isKept = names.contains(attribute.name) && attribute.value.isSingle
      case .plain: isKept = attribute.value.isSingle
      }
      if !isKept, !(isRotated && attribute.name == RotatedBox.attribute) {
        losses.note(attribute: attribute.name)
      }
      return !isKept
    }
  }

  // MARK: Classes

  /// Counts what the format cannot hold of the classes.
  ///
  /// - Parameter isUsed: for each class, whether an image or object that is written has it.
  package func noteClasses(
    _ classes: [Category], isUsed: [Bool], _ losses: inout ExportLosses
  ) {
    let kept = zip(classes, isUsed).filter { capabilities.names($0, isUsed: $1) }.map(\.0)
    losses.note(.unusedClasses, classes.count - kept.count)
    if !capabilities.classOrder {
      let names = kept.map(\.name)
      let order = ClassOrder.sorted(names)
      if order.map({ names[$0] }) != names { losses.note(.classOrder, names.count) }
    }
    if !capabilities.classIDs { losses.note(.classIDs, kept.count { $0.sourceID != nil }) }
    if !capabilities.supercategories {
      losses.note(.supercategories, kept.count { $0.supercategory != nil })
    }
    losses.note(.classFields, kept.count { !capabilities.classFields.holds($0) })
    if !capabilities.joinsVoids { losses.note(.voidClasses, kept.count(where: \.isVoid)) }
    losses.note(.classNames, zip(kept, capabilities.names(of: kept)).count { $0.0.name != $0.1 })
  }
}

extension JSONValue {
  /// True for a text that is empty or begins or ends with a blank, or has characters that XML does not
  /// allow.
  fileprivate var isChangedByTrimming: Bool {
    guard let text else { return false }
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else {
      return true
    }
    return first.properties.isWhitespace || last.properties.isWhitespace
      || XMLText.allowed(text) != text
  }

  /// True for a number, a text, or a truth value.
  fileprivate var isSingle: Bool {
    switch self {
    case .integer, .number, .string, .bool: true
    case .null, .array, .object: false
    }
  }
}
