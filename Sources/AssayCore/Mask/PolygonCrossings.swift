/// The positions where a polygon's outline crosses the columns of an image, where its mask changes.
///
/// pycocotools walks the outline in steps of a fifth of a pixel and keeps the steps across the
/// middle of a column. Only these are computed here, with the same arithmetic, so that the cost
/// does not grow with the length of an edge outside the image.
/// Source: `rleFrPoly` of pycocotools' maskApi.c.
struct PolygonCrossings {
  private let size: ImageSize
  /// Ascending positions in column-major order; a position that occurs twice has no effect.
  private(set) var places: [UInt32] = []
  /// The maximum number of crossings to sort together, which bounds the memory.
  private static let limit = 1 << 20

  init(size: ImageSize) { self.size = size }

  /// Adds a closed outline `x0, y0, x1, y1, …`.
  mutating func add(_ polygon: UnsafeBufferPointer<Double>) {
    let count = polygon.count / 2
    guard count > 0, polygon.allSatisfy(\.isFinite) else { return }
    withUnsafeTemporaryAllocation(of: Int.self, capacity: 2 * count + 2) { points in
      for index in 0..<2 * count { points[index] = Self.fifths(polygon[index]) }
      points[2 * count] = points[0]
      points[2 * count + 1] = points[1]
      var first = 0
      while first < count {
        // As many edges as fit the limit, at least one.
        var end = first
        var crossings = 0
        var low = size.width
        var high = -1
        while end < count, crossings < Self.limit {
          let crossed = columns(points[2 * end], points[2 * end + 2])
          if !crossed.isEmpty {
            crossings += crossed.count
            low = min(low, crossed.lowerBound)
            high = max(high, crossed.upperBound - 1)
          }
          end += 1
        }
        if crossings > 0 {
          add(
            UnsafeBufferPointer(rebasing: points[2 * first..<2 * end + 2]), crossings,
            low...high)
        }
        first = end
      }
    }
  }

  /// Adds the crossings of edges, sorted: columns are counted first, and each column has few.
  private mutating func add(
    _ points: UnsafeBufferPointer<Int>, _ crossings: Int, _ range: ClosedRange<Int>
  ) {
    let edges = points.count / 2 - 1
    let sorted = [UInt32](unsafeUninitializedCapacity: crossings) { out, count in
      count = crossings
      withUnsafeTemporaryAllocation(of: Int32.self, capacity: range.count + 2) { next in
        next.initialize(repeating: 0)
        for edge in 0..<edges {
          let crossed = columns(points[2 * edge], points[2 * edge + 2])
          if crossed.isEmpty { continue }
          next[crossed.lowerBound - range.lowerBound + 1] &+= 1
          next[crossed.upperBound - range.lowerBound + 1] &-= 1
        }
        // From changes of counts to counts to starts.
        var crossed: Int32 = 0
        var start: Int32 = 0
        for column in 1...range.count {
          crossed &+= next[column]
          next[column] = start
          start &+= crossed
        }
        for edge in 0..<edges {
          addEdge(points, edge) { column, place in
            let index = column - range.lowerBound + 1
            out[Int(next[index])] = place
            next[index] &+= 1
          }
        }
        var begin = 0
        for column in 1...range.count {
          let end = Int(next[column])
          Self.sort(UnsafeMutableBufferPointer(rebasing: out[begin..<end]))
          begin = end
        }
      }
    }
    if places.isEmpty {
      places = sorted
    } else {
      places = (places + sorted).sorted()
      dropPairs()
    }
  }

  @inline(__always)
  private static func sort(_ places: UnsafeMutableBufferPointer<UInt32>) {
    if places.count > 24 {
      var places = places
      return places.sort()
    }
    var index = 1
    while index < places.count {
      let place = places[index]
      var slot = index
      while slot > 0, places[slot - 1] > place {
        places[slot] = places[slot - 1]
        slot -= 1
      }
      places[slot] = place
      index += 1
    }
  }

  /// A coordinate in fifths of a pixel, rounded as in pycocotools; values beyond 32 bits are
  /// clamped.
  private static func fifths(_ value: Double) -> Int {
    Int(min(max(5 * value + 0.5, Double(Int32.min)), Double(Int32.max)))
  }

  /// The columns of the image that an edge crosses: column x between fifths 5x + 2 and 5x + 3.
  @inline(__always)
  private func columns(_ fromX: Int, _ toX: Int) -> Range<Int> {
    let low = min(fromX, toX)
    let high = max(fromX, toX)
    let first = low <= 2 ? 0 : (low + 2) / 5
    let end = high < 3 ? 0 : min(size.width, (high + 2) / 5)
    return first..<max(first, end)
  }

  @inline(__always)
  private func addEdge(
    _ points: UnsafeBufferPointer<Int>, _ edge: Int,
    _ append: (_ column: Int, _ place: UInt32) -> Void
  ) {
    let fromX = points[2 * edge]
    let fromY = points[2 * edge + 1]
    let toX = points[2 * edge + 2]
    let toY = points[2 * edge + 3]
    let crossed = columns(fromX, toX)
    if crossed.isEmpty { return }
    let isFlat = abs(fromX - toX) >= abs(fromY - toY)
    let flips = isFlat ? fromX > toX : fromY > toY
    let x = flips ? toX : fromX
    let y = flips ? toY : fromY
    let deltaX = flips ? fromX - toX : toX - fromX
    let deltaY = flips ? fromY - toY : toY - fromY
    let slope = isFlat ? Double(deltaY) / Double(deltaX) : Double(deltaX) / Double(deltaY)
    // The upper of the two steps: the earlier one of a falling edge.
    let shift = slope < 0 ? 3 : 2
    for column in crossed {
      let fifths =
        isFlat
        ? Int(Double(y) + slope * Double(5 * column + shift - x) + 0.5)
        : y + Self.step(from: x, slope: slope, steps: deltaY, to: 5 * column + 3) - 1
      let row = fifths < 0 ? 0 : min((fifths + 2) / 5, size.height)
      append(column, UInt32(truncatingIfNeeded: column * size.height + row))
    }
  }

  /// The first step of a steep edge beyond `goal`.
  private static func step(from x: Int, slope: Double, steps: Int, to goal: Int) -> Int {
    let start = Double(x)
    let goal = Double(goal)
    @inline(__always) func isPast(_ step: Int) -> Bool {
      (start + slope * Double(step) + 0.5 >= goal) == (slope > 0)
    }
    var step = min(max(Int((goal - 0.5 - start) / slope), 1), steps)
    // Usually off by one or two; by more only for extreme coordinates.
    var tries = 0
    while isPast(step), step > 1, isPast(step - 1), tries < 8 {
      step -= 1
      tries += 1
    }
    while !isPast(step), step < steps, tries < 8 {
      step += 1
      tries += 1
    }
    if tries < 8 { return step }
    var low = 1
    var high = steps
    while low < high {
      let middle = (low + high) / 2
      if isPast(middle) { high = middle } else { low = middle + 1 }
    }
    return low
  }

  private mutating func dropPairs() {
    var count = 0
    for index in 0..<places.count {
      if count > 0, places[count - 1] == places[index] {
        count -= 1
      } else {
        places[count] = places[index]
        count += 1
      }
    }
    places.removeSubrange(count...)
  }
}
