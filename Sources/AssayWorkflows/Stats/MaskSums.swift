import AssayCore

/// The number of a class's masks that cover each cell of a grid: the pixel under the cell's center
/// counts.
struct MaskSums: Sendable {
  let grid: ImageSize
  /// The number of included masks by class.
  private(set) var images: [Int]
  /// The counts by class, then in column-major order like run lengths.
  private var counts: [UInt32]

  init(grid: ImageSize, classes: Int) {
    self.grid = grid
    images = Array(repeating: 0, count: classes)
    counts = Array(repeating: 0, count: classes * grid.area)
  }

  /// Adds a mask of any size, stretched to the grid.
  ///
  /// - Complexity: O(*runs* + *width* + *height* + *covered cells*).
  mutating func add(_ mask: Mask, to category: Int) {
    images[category] += 1
    let (width, height) = (mask.size.width, mask.size.height)
    // The first cell whose center is at or after the start of a column or row.
    let columns = Self.places(of: grid.width, over: width)
    let rows = Self.places(of: grid.height, over: height)
    let base = category * grid.area
    var position = 0
    var isSet = false
    for run in mask.runs {
      let end = position + Int(run)
      while isSet, position < end {
        let column = position / height
        let bottom = min(end, (column + 1) * height)
        let top = position - column * height
        for x in columns[column]..<columns[column + 1] {
          let start = base + x * grid.height
          for place in start + rows[top]..<start + rows[bottom - column * height] {
            counts[place] += 1
          }
        }
        position = bottom
      }
      position = end
      isSet.toggle()
    }
  }

  /// The number of the grid's cell centers before each source pixel, and before the end.
  private static func places(of grid: Int, over source: Int) -> [Int] {
    var places = Array(repeating: 0, count: source + 1)
    for place in 0..<grid { places[(2 * place + 1) * source / (2 * grid) + 1] += 1 }
    for index in 1...source { places[index] += places[index - 1] }
    return places
  }

  /// Adds the counts of another instance with the same grid.
  mutating func merge(_ other: MaskSums) {
    for place in counts.indices { counts[place] += other.counts[place] }
    for place in images.indices { images[place] += other.images[place] }
  }

  /// The counts of a class, in column-major order.
  func counts(of category: Int) -> ArraySlice<UInt32> {
    counts[category * grid.area..<(category + 1) * grid.area]
  }

  /// Adds the counts of a class that ``counts(of:)`` gave.
  ///
  /// - Parameter limit: the maximum number of masks of a class.
  /// - Returns: false, without a change, if they are not counts of this many masks.
  mutating func add(_ masks: Int, _ other: [UInt32], to category: Int, limit: Int) -> Bool {
    guard images.indices.contains(category), other.count == grid.area, masks >= 0,
      images[category] + masks <= min(limit, Int(UInt32.max)), other.allSatisfy({ $0 <= masks })
    else { return false }
    images[category] += masks
    for (place, count) in other.enumerated() { counts[category * grid.area + place] += count }
    return true
  }

  /// The share of a class's masks that cover each cell, row-major; `nil` if it has no masks.
  func mean(of category: Int) -> Raster<Double>? {
    guard images[category] > 0 else { return nil }
    var mean = Raster<Double>(repeating: 0, width: grid.width, height: grid.height)
    for x in 0..<grid.width {
      for y in 0..<grid.height {
        let count = counts[category * grid.area + x * grid.height + y]
        mean[x, y] = Double(count) / Double(images[category])
      }
    }
    return mean
  }
}
