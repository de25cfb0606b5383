import AssayCore
import GRDB

/// The pixels that a class's regions cover in one sample.
struct UnionArea: Hashable, Sendable {
  /// The row id.
  var category: Int64
  var sample: Int64
  var area: Int
}

/// A sample whose regions are to be measured.
struct SizedSample: Hashable, Sendable {
  var id: Int64
  var size: ImageSize
}

/// Reads the regions of some classes and measures their unions.
struct UnionReader {
  private let scan: RawStatement
  private let runLimit: Int

  /// - Parameters:
  ///   - categories: row ids; `nil` for all classes of the annotation set.
  ///   - runLimit: the number of runs of one sample after which the regions of each class are
  ///     merged.
  init(
    _ annotationSet: Int64, categories: [Int64]?, in database: Database, runLimit: Int = 4_000_000
  ) throws {
    self.runLimit = runLimit
    let filter = categories.map { ids in
      "AND a.category IN (\(ids.map(String.init).joined(separator: ", ")))"
    }
    scan = try RawStatement(
      database,
      """
      SELECT a.sample, a.category, a.shape, a.x, a.y, a.width, a.height, g.bytes, a.geometry
      FROM annotation a LEFT JOIN geometry g ON g.id = a.geometry
      WHERE a.sample BETWEEN ?1 AND ?2 AND a.annotationSet = ?3 AND a.shape NOT IN ('label', 'tag')
        \(filter ?? "")
      ORDER BY a.sample, a.ordinal
      """)
    scan.bind(annotationSet, at: 3)
  }

  /// The unions of samples in ascending order, by sample and class.
  ///
  /// - Throws: ``StoreError/damaged(table:_:)``, ``StoreError/unknownValue(table:column:value:)``.
  func areas(of samples: [SizedSample]) throws -> [UnionArea] {
    let ids = samples.map(\.id)
    var areas: [UnionArea] = []
    var regions = RegionMasks(runLimit: runLimit)
    for stretch in RowIDRanges.all(of: ids) {
      scan.bind(ids[stretch.lowerBound], at: 1)
      scan.bind(ids[stretch.upperBound - 1], at: 2)
      var index = stretch.lowerBound
      while try scan.step() {
        let sample = scan.integer(0)
        if ids[index] != sample {
          regions.finish(samples[index], into: &areas)
          while index < stretch.upperBound - 1, ids[index] < sample { index += 1 }
          guard ids[index] == sample else { continue }
        }
        try regions.add(scan, of: samples[index])
      }
      regions.finish(samples[index], into: &areas)
      scan.reset()
    }
    return areas
  }
}

/// The masks of one sample's regions, by class.
private struct RegionMasks {
  private var masks: [(category: Int64, masks: [Mask])] = []
  /// The runs that were added since the last merge.
  private var pending = 0
  private let runLimit: Int

  init(runLimit: Int) { self.runLimit = runLimit }

  /// Adds the region of a row of ``UnionReader``.
  mutating func add(_ row: RawStatement, of sample: SizedSample) throws {
    let category = row.integer(1)
    let mask: Mask
    do {
      mask = try region(row, sample)
    } catch let error as MaskError {
      throw StoreError.damaged(
        table: "geometry", "a region of sample \(sample.id) cannot be read: \(error)")
    }
    if let place = masks.firstIndex(where: { $0.category == category }) {
      masks[place].masks.append(mask)
    } else {
      masks.append((category, [mask]))
    }
    pending += mask.runs.count
    if pending > runLimit { merge(sample.size) }
  }

  /// Merges each class's masks into one, so that memory does not grow with the number of regions.
  private mutating func merge(_ size: ImageSize) {
    for place in masks.indices where masks[place].masks.count > 1 {
      masks[place].masks = [Mask.union(of: masks[place].masks, size: size)]
    }
    pending = 0
  }

  private func region(_ row: RawStatement, _ sample: SizedSample) throws -> Mask {
    guard let shape = ShapeKind(stored: row.textBytes(2)) else {
      throw StoreError.unknownValue(table: "annotation", column: "shape", value: row.text(2))
    }
    guard !row.isNull(7) else {
      guard row.isNull(8) else { throw MaskError.damaged }
      return Box(row, from: 3).map { Mask(box: $0, size: sample.size) }
        ?? Mask(emptyOf: sample.size)
    }
    let bytes = row.bytes(7)
    return try Geometry(shape: shape, packed: Array(bytes), size: sample.size)
      .mask(in: sample.size)
  }

  /// Measures the added regions, and starts over.
  mutating func finish(_ sample: SizedSample, into areas: inout [UnionArea]) {
    for (category, masks) in masks {
      let area =
        masks.count == 1 ? masks[0].area : Mask.union(of: masks, size: sample.size).area
      areas.append(UnionArea(category: category, sample: sample.id, area: area))
    }
    masks.removeAll(keepingCapacity: true)
    pending = 0
  }
}
