package import AssayCore

/// A probability map interpolated over its image: bilinear, with cell and pixel centers at halves.
///
/// Stored partially computed: interpolated along the columns but not between them; the second step
/// is fast enough to repeat for each mask and needs no memory of the image's size. Equal cells give
/// exactly their own value.
package struct ProbabilityField: Sendable {
  let projection: MapProjection
  private let columns: [MapTap]
  /// The value of a probability of 1: 255 for stored maps, 1 for a model's own outputs.
  let unit: Float
  /// The values of each used column of cells at the image's used rows, 0...``unit``.
  private let lines: [Float]

  init(_ map: ProbabilityMap) {
    self.init(map.cells, map.projection, unit: 255) { Float($0) }
  }

  /// Probabilities that are not rounded to 8 bits.
  ///
  /// - Parameters:
  ///   - cells: one channel, in 0...1, of the size of the projection's map.
  ///   - projection: the placement of the cells on the image.
  init(_ cells: Raster<Float>, _ projection: MapProjection) {
    self.init(cells, projection, unit: 1) { $0 }
  }

  @inline(__always)
  private init<Cell>(
    _ cells: Raster<Cell>, _ projection: MapProjection, unit: Float, value: (Cell) -> Float
  ) {
    self.projection = projection
    self.unit = unit
    columns = projection.columns
    let rows = projection.rows
    let used = projection.cells
    let stride = projection.map.width
    lines = [Float](unsafeUninitializedCapacity: used.width * rows.count) { lines, count in
      cells.elements.withUnsafeBufferPointer { cells in
        withUnsafeTemporaryAllocation(of: Float.self, capacity: used.height) { column in
          for x in 0..<used.width {
            var place = used.y * stride + used.x + x
            for y in 0..<used.height {
              column.initializeElement(at: y, to: value(cells[place]))
              place &+= stride
            }
            let start = x * rows.count
            for (y, tap) in rows.enumerated() {
              let first = column[tap.first]
              lines.initializeElement(
                at: start + y, to: first + tap.weight * (column[tap.second] - first))
            }
          }
        }
      }
      count = used.width * rows.count
    }
  }

  /// The number of used rows of the image.
  var height: Int { projection.plan.crop.height }

  /// The pixels with at least this probability. Pixels outside the model's input are not set.
  ///
  /// - Parameter threshold: a fraction in 0...1; inclusive.
  package func mask(at threshold: Double) -> Mask {
    let limit = Float(Double(unit) * threshold)
    let crop = projection.plan.crop
    var runs = MaskBuilder(projection.size)
    withUnsafeTemporaryAllocation(of: Float.self, capacity: height) { values in
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: height) { isInside in
        for x in 0..<crop.width {
          interpolate(column: x, into: values)
          for y in 0..<height {
            isInside.initializeElement(at: y, to: values[y] >= limit ? 1 : 0)
          }
          let start = (crop.x + x) * projection.size.height + crop.y
          Self.forEachRun(of: UnsafeBufferPointer(isInside)) { run in
            runs.add(start + run.lowerBound..<start + run.upperBound)
          }
        }
      }
    }
    return runs.mask()
  }

  /// The mean probability over the pixels of a mask, in 0...1; `nil` if none of them was in the
  /// model's input.
  ///
  /// - Precondition: the mask has the image's size.
  package func mean(inside mask: Mask) -> Double? {
    precondition(mask.size == projection.size)
    let crop = projection.plan.crop
    let whole = projection.size.height
    var sum = 0.0
    var count = 0
    var start = 0
    withUnsafeTemporaryAllocation(of: Float.self, capacity: height) { values in
      var current = -1
      for (index, run) in mask.runs.enumerated() {
        let end = start + Int(run)
        defer { start = end }
        guard index % 2 == 1 else { continue }
        var place = start
        while place < end {
          let column = place / whole
          let rows = place - column * whole..<min(end - column * whole, whole)
          place = (column + 1) * whole
          let seen = rows.clamped(to: crop.y..<crop.y + crop.height)
          guard !seen.isEmpty, (crop.x..<crop.x + crop.width).contains(column) else { continue }
          if column != current { interpolate(column: column - crop.x, into: values) }
          current = column
          count += seen.count
          for y in seen { sum += Double(values[y - crop.y]) }
        }
      }
    }
    return count == 0 ? nil : sum / Double(count) / Double(unit)
  }

  /// The values of one used column of the image, 0...``unit``.
  @inline(__always)
  func interpolate(column: Int, into result: UnsafeMutableBufferPointer<Float>) {
    let tap = columns[column]
    let weight = tap.weight
    lines.withUnsafeBufferPointer { lines in
      guard let base = lines.baseAddress, let out = result.baseAddress else { return }
      let (first, second) = (base + tap.first * height, base + tap.second * height)
      for y in 0..<height { out[y] = first[y] + weight * (second[y] - first[y]) }
    }
  }

  /// The ranges of ones in a buffer of zeros and ones, eight at a time.
  @inline(__always)
  private static func forEachRun(
    of flags: UnsafeBufferPointer<UInt8>, _ body: (Range<Int>) -> Void
  ) {
    let bytes = UnsafeRawBufferPointer(flags)
    var start: Int?
    var place = 0
    while place < bytes.count {
      let expected: UInt64 = start == nil ? 0 : 0x0101_0101_0101_0101
      if place + 8 <= bytes.count {
        let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        let difference = UInt64(littleEndian: word) ^ expected
        guard difference != 0 else {
          place += 8
          continue
        }
        place += difference.trailingZeroBitCount / 8
      } else if bytes[place] == (start == nil ? 0 : 1) {
        place += 1
        continue
      }
      if let begun = start {
        body(begun..<place)
        start = nil
      } else {
        start = place
      }
    }
    if let start { body(start..<bytes.count) }
  }
}
