import AssayCore

/// The content of formats in which a pixel belongs to one thing alone.
package enum ExportFlattening: Sendable {
  /// One region per class: objects of a class are joined.
  case classes
  /// Segments: every object keeps the pixels that no other one covers; those of a stuff class are joined.
  case segments

  /// Reduces the objects of an image, which are masks, to regions without common pixels, and counts
  /// what is lost.
  ///
  /// A smaller object covers a larger one where they overlap; void objects cover all others.
  ///
  /// - Parameters:
  ///   - size: the size of the image and all masks, with 1 to `ImageSize.pixelLimit` pixels.
  ///   - voids: the ordinals of the void classes.
  ///   - stuff: the ordinals of the stuff classes, of which an image has one segment each.
  func flattened(
    _ objects: [ExportObject], _ size: ImageSize, voids: Set<Int>, stuff: Set<Int> = [],
    _ losses: inout ExportLosses
  ) -> [ExportObject] {
    let masks = objects.compactMap { object -> (object: ExportObject, mask: Mask)? in
      guard case .mask(let mask) = object.shape, mask.size == size else { return nil }
      return (object, mask)
    }
    // Masks of another size cannot be painted; annotations of the catalog have the image's.
    losses.note(.objects, objects.count - masks.count)
    let categories = Set(masks.map(\.object.category)).sorted()
    let ids: [Int]
    switch self {
    case .segments:
      // The segments of a stuff class have the number of the first one.
      var firsts: [Int: Int] = [:]
      ids = masks.enumerated().map { place, item in
        guard stuff.contains(item.object.category) else { return place + 1 }
        let first = firsts[item.object.category] ?? place + 1
        firsts[item.object.category] = first
        return first
      }
    case .classes:
      let places = Dictionary(uniqueKeysWithValues: categories.enumerated().map { ($1, $0 + 1) })
      ids = masks.map { places[$0.object.category] ?? 0 }
    }
    let order = PaintOrder.of(
      areas: masks.map { voids.contains($0.object.category) ? 0 : $0.mask.area })
    let regions = Self.regions(order.map { (ids[$0], masks[$0].mask) }, size)
    var flat: [ExportObject] = []
    switch self {
    case .segments:
      var used: Set<SourceID> = []
      for (index, (object, mask)) in masks.enumerated() where ids[index] == index + 1 {
        guard let region = regions[index + 1] else {
          losses.note(.covered, ids.count { $0 == index + 1 })
          continue
        }
        var kept = object
        if stuff.contains(object.category) {
          kept = Self.joined(
            masks.indices.filter { ids[$0] == index + 1 }.map { masks[$0] }, region, size, &losses)
        } else {
          losses.note(.overlaps, mask.area - region.area)
        }
        kept.setMask(region)
        if let id = kept.sourceID, !id.isSegmentID || !used.insert(id).inserted {
          losses.note(.objectIDs)
          kept.sourceID = nil
        }
        flat.append(kept)
      }
    case .classes:
      var members = [[Mask]](repeating: [], count: categories.count)
      var visible = 0
      for (place, (_, mask)) in masks.enumerated() {
        members[ids[place] - 1].append(mask)
        if let region = regions[ids[place]], region.intersectionArea(with: mask) > 0 {
          visible += 1
        } else {
          losses.note(.covered)
        }
      }
      for (place, category) in categories.enumerated() {
        let region = regions[place + 1]
        let all = Mask.union(of: members[place], size: size).area
        losses.note(.overlaps, all - (region?.area ?? 0))
        guard let region else { continue }
        var object = ExportObject(
          category: category, shape: .box, box: Box(x: 0, y: 0, width: 0, height: 0))
        object.setMask(region)
        flat.append(object)
      }
      losses.note(.instances, visible - flat.count)
    }
    return flat
  }

  /// The one segment of a stuff class in an image, with the fields of the first segment that is visible.
  ///
  /// - Parameter region: the visible pixels of all of them.
  private static func joined(
    _ members: [(object: ExportObject, mask: Mask)], _ region: Mask, _ size: ImageSize,
    _ losses: inout ExportLosses
  ) -> ExportObject {
    losses.note(.overlaps, Mask.union(of: members.map(\.mask), size: size).area - region.area)
    let visible = members.filter { region.intersectionArea(with: $0.mask) > 0 }
    losses.note(.covered, members.count - visible.count)
    var kept = (visible.first ?? members[0]).object
    losses.note(.stuffSegments, max(0, visible.count - 1))
    let isCrowd = visible.allSatisfy(\.object.isCrowd)
    if !isCrowd { losses.note(.crowds, visible.count(where: \.object.isCrowd)) }
    kept.isCrowd = isCrowd
    for (other, _) in visible.dropFirst() {
      if other.sourceID != nil { losses.note(.objectIDs) }
      for attribute in other.attributes where !kept.attributes.contains(attribute) {
        losses.note(attribute: attribute.name)
      }
    }
    return kept
  }

  /// The visible pixels of each id; none for 0 and for ids that are entirely covered.
  ///
  /// - Parameter layers: the lowest first, with ids from 1.
  private static func regions(
    _ layers: [(id: Int, mask: Mask)], _ size: ImageSize
  ) -> [Int: Mask] {
    guard !layers.isEmpty else { return [:] }
    var regions: [Int: Mask] = [:]
    if layers.allSatisfy({ $0.id <= 255 }) {
      var raster = Raster<UInt8>(repeating: 0, width: size.width, height: size.height)
      for (id, mask) in layers { mask.paint(UInt8(truncatingIfNeeded: id), into: &raster) }
      for (id, mask) in Mask.labels(of: raster) { regions[Int(id)] = mask }
    } else {
      var map = SegmentMap(size: size)
      for (id, mask) in layers { map.paint(id, mask) }
      let found = Mask.segments(of: map.raster, limit: SegmentMap.idLimit) ?? []
      for (id, mask) in found { regions[id] = mask }
    }
    regions[0] = nil
    return regions
  }
}

/// The order in which regions are painted over each other.
package enum PaintOrder {
  /// The indices of regions, the largest first, so that none hides a smaller one; equal ones in their
  /// order.
  package static func of(areas: [Int]) -> [Int] {
    areas.indices.sorted { (areas[$1], $0) < (areas[$0], $1) }
  }
}

extension ExportObject {
  /// Makes the object a mask with its bounds as box.
  fileprivate mutating func setMask(_ mask: Mask) {
    shape = .mask(mask)
    box = mask.boundingBox ?? Box(x: 0, y: 0, width: 0, height: 0)
  }
}

extension SourceID {
  /// True for a number that the color of a segment can be; 0 is no segment.
  fileprivate var isSegmentID: Bool {
    guard case .integer(let id) = self else { return false }
    return id > 0 && id < SegmentMap.idLimit
  }
}
