import AssayCore
import CSimdJSON

/// The regions of a part of a file.
struct COCORegionStore: Sendable {
  private struct Outline {
    var isExact: Bool
    /// True if a polygon may be invalid.
    var isOdd: Bool
    var isFlat: Bool
    /// The start of its coordinates in `hundredths` or `doubles`, and of its polygons in `polygons`.
    var start: Int
    var polygons: Int
    var polygonCount: Int
  }

  private enum Entry {
    case mask(Mask, isCompressed: Bool)
    case outline(Outline)
    case damaged(String)
  }

  private var entries: [Entry] = []
  /// By index in the part; −1 if there is none. Empty if no entry has a region.
  private var numbers: [Int32] = []
  private var hundredths: [Int32] = []
  private var doubles: [Double] = []
  private var polygons: [assay_coco_polygon] = []

  var isEmpty: Bool { entries.isEmpty }

  /// Copies a region from a batch for the entry at an index; indices must ascend.
  mutating func append(
    _ record: assay_coco_annotation, of batch: assay_coco_batch, at place: Int
  ) {
    while numbers.count < place { numbers.append(-1) }
    numbers.append(Int32(entries.count))
    entries.append(entry(record, batch))
  }

  private mutating func entry(
    _ record: assay_coco_annotation, _ batch: assay_coco_batch
  ) -> Entry {
    let values = Int(record.values)
    let count = Int(record.value_count)
    switch assay_shape(UInt32(record.shape)) {
    case assay_shape_hundredths, assay_shape_doubles:
      let isExact = record.shape == UInt8(assay_shape_hundredths.rawValue)
      let outline = Outline(
        isExact: isExact,
        isOdd: record.has_odd_polygon || Self.mayBeRows(record, batch, isExact: isExact),
        isFlat: record.is_flat,
        start: isExact ? hundredths.count : doubles.count, polygons: polygons.count,
        polygonCount: Int(record.polygon_count))
      if isExact {
        hundredths += UnsafeBufferPointer(start: batch.hundredths + values, count: count)
      } else {
        doubles += UnsafeBufferPointer(start: batch.doubles + values, count: count)
      }
      polygons += UnsafeBufferPointer(
        start: batch.polygons + Int(record.polygons), count: outline.polygonCount)
      return .outline(outline)
    case assay_shape_runs, assay_shape_compressed:
      guard FieldState(record.size_state).isUsable,
        let size = ImageSize.checked(
          width: Int(clamping: record.mask_width), height: Int(clamping: record.mask_height))
      else {
        return .damaged("its run lengths have no valid 'size' of height and width")
      }
      let isCompressed = record.shape == UInt8(assay_shape_compressed.rawValue)
      do throws(MaskError) {
        let mask =
          try isCompressed
          ? Mask(size: size, compressed: batch.bytes(record.compressed))
          : Mask(size: size, runs: Self.runs(batch, values, count))
        return .mask(mask, isCompressed: isCompressed)
      } catch {
        return .damaged("\(error)")
      }
    default: return .damaged("'segmentation' has an unsupported type")
    }
  }

  /// True if the outlines can be rows of pixels, 0 and 1, which ``COCOPolygons/areRows(_:)`` decides.
  private static func mayBeRows(
    _ record: assay_coco_annotation, _ batch: assay_coco_batch, isExact: Bool
  ) -> Bool {
    guard record.polygon_count > 3 else { return false }
    let (first, count) = (Int(record.values), Int(record.value_count))
    return (first..<first + count).allSatisfy { place in
      isExact
        ? batch.hundredths[place] == 0 || batch.hundredths[place] == 100
        : batch.doubles[place] == 0 || batch.doubles[place] == 1
    }
  }

  private static func runs(
    _ batch: assay_coco_batch, _ start: Int, _ count: Int
  ) throws(MaskError) -> [UInt32] {
    var runs: [UInt32] = []
    runs.reserveCapacity(count)
    for place in 0..<count {
      guard let run = UInt32(exactly: batch.doubles[start + place]) else {
        throw .badRun(at: place)
      }
      runs.append(run)
    }
    return runs
  }

  /// True if an entry has a region that can be drawn at this size without a finding.
  func isPlain(_ place: Int, in size: ImageSize?) -> Bool {
    guard place < numbers.count, numbers[place] >= 0, let size else { return false }
    switch entries[Int(numbers[place])] {
    case .mask(let mask, _): return mask.size == size
    case .damaged: return false
    case .outline(let outline):
      return !outline.isOdd && !outline.isFlat && size.width <= COCORegion.widthLimit
    }
  }

  /// The region of an entry by its index in the part; `nil` if it has none.
  func region(of place: Int) -> COCORegion? {
    guard place < numbers.count, numbers[place] >= 0 else { return nil }
    switch entries[Int(numbers[place])] {
    case .mask(let mask, let isCompressed): return .mask(mask, isCompressed: isCompressed)
    case .damaged(let reason): return .damaged(reason)
    case .outline(let outline):
      var next = outline.start
      let parts = polygons[outline.polygons..<(outline.polygons + outline.polygonCount)]
      let coordinates = parts.map { polygon in
        let range = next..<(next + Int(polygon.count))
        next = range.upperBound
        return outline.isExact ? hundredths[range].map { Double($0) / 100 } : Array(doubles[range])
      }
      return .polygons(
        coordinates, isBad: outline.isOdd || outline.isFlat ? parts.map(\.is_bad) : [],
        isFlat: outline.isFlat)
    }
  }
}
