/// Conversion between masks and rasters.
extension Mask {
  /// The pixels of a one-channel raster that are not 0.
  ///
  /// - Precondition: the raster has one channel and at least one pixel.
  package init(_ raster: Raster<UInt8>) { self.init(raster, value: nil) }

  /// The pixels of a one-channel raster with a given value.
  ///
  /// - Precondition: the raster has one channel and at least one pixel.
  package init(_ raster: Raster<UInt8>, where value: UInt8) { self.init(raster, value: value) }

  private init(_ raster: Raster<UInt8>, value: UInt8?) {
    precondition(raster.channels == 1, "a mask comes from one channel")
    let size = ImageSize(width: raster.width, height: raster.height)
    let changes = raster.elements.withUnsafeBufferPointer { pixels in
      RowChanges.borders(of: pixels, width: size.width, height: size.height, value: value)
    }
    self.init(size: size, changes: changes.places())
  }

  /// The mask of every value that occurs in a one-channel raster, in ascending order of the values.
  ///
  /// - Precondition: the raster has one channel and at least one pixel.
  package static func labels(of raster: Raster<UInt8>) -> [(value: UInt8, mask: Mask)] {
    precondition(raster.channels == 1, "masks come from one channel")
    let size = ImageSize(width: raster.width, height: raster.height)
    var changes = [[UInt32]](repeating: [], count: 256)
    raster.elements.withUnsafeBufferPointer { pixels in
      // Each column has a change at its top and one after its last pixel.
      var column = -1
      var isOpen = false
      for place in RowChanges.values(of: pixels, width: size.width, height: size.height).places() {
        if !isOpen { column += 1 }
        let y = Int(place) - column * size.height
        if isOpen { changes[Int(pixels[(y - 1) * size.width + column])].append(place) }
        isOpen = y < size.height
        if isOpen { changes[Int(pixels[y * size.width + column])].append(place) }
      }
    }
    return changes.indices.filter { !changes[$0].isEmpty }.map {
      (UInt8($0), Mask(size: size, changes: changes[$0]))
    }
  }

  /// The mask as a one-channel raster.
  package func raster(inside: UInt8 = 255, outside: UInt8 = 0) -> Raster<UInt8> {
    let width = size.width
    let pixels = [UInt8](unsafeUninitializedCapacity: size.area) { out, count in
      if let start = out.baseAddress {
        forEachRow(inside: inside, outside: outside) { y, row in
          (start + y * width).initialize(from: row, count: width)
        }
      }
      count = size.area
    }
    return Raster(width: width, height: size.height, elements: pixels)
      ?? Raster(repeating: outside, width: width, height: size.height)
  }

  /// Writes `value` to the pixels of the raster that are set in the mask.
  ///
  /// - Precondition: the raster has one channel and the mask's size.
  package func paint(_ value: UInt8, into raster: inout Raster<UInt8>) {
    precondition(
      raster.channels == 1 && raster.width == size.width && raster.height == size.height,
      "the raster has another size than the mask")
    guard let bounds else { return }
    let width = size.width
    raster.elements.withUnsafeMutableBufferPointer { pixels in
      guard let start = pixels.baseAddress else { return }
      forEachRow(inside: 0xFF, outside: 0) { y, row in
        guard y >= bounds.y, y < bounds.y + bounds.height else { return }
        let out = start + y * width
        for x in bounds.x..<bounds.x + bounds.width {
          out[x] = (out[x] & ~row[x]) | (value & row[x])
        }
      }
    }
  }

  /// Calls `body` with every row, from the top: `inside` where the mask is set, `outside` elsewhere.
  @inline(__always)
  private func forEachRow(
    inside: UInt8, outside: UInt8, _ body: (_ y: Int, _ row: UnsafePointer<UInt8>) -> Void
  ) {
    let (width, height) = (size.width, size.height)
    var spans = 0
    forEachSpan { _, _, _ in spans += 1 }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: height + 2 + 2 * spans) { memory in
      // For each row the position of its changes, then their columns, row by row.
      let next = UnsafeMutableBufferPointer(rebasing: memory[..<(height + 2)])
      let columns = UnsafeMutableBufferPointer(rebasing: memory[(height + 2)...])
      next.initialize(repeating: 0)
      forEachSpan { _, top, bottom in
        next[top + 1] &+= 1
        next[bottom + 1] &+= 1
      }
      for y in 1...height + 1 { next[y] &+= next[y - 1] }
      forEachSpan { x, top, bottom in
        columns[Int(next[top])] = UInt32(truncatingIfNeeded: x)
        next[top] &+= 1
        columns[Int(next[bottom])] = UInt32(truncatingIfNeeded: x)
        next[bottom] &+= 1
      }
      let flip = inside ^ outside
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: width) { row in
        row.initialize(repeating: outside)
        guard let start = row.baseAddress else { return }
        var index = 0
        for y in 0..<height {
          let end = Int(next[y])
          while index < end {
            row[Int(columns[index])] ^= flip
            index += 1
          }
          body(y, start)
        }
      }
    }
  }
}

extension Mask {
  /// The pixels of a rectangle that a condition selects.
  ///
  /// - Parameters:
  ///   - columns: within the image.
  ///   - rows: within the image.
  package init(
    size: ImageSize, columns: Range<Int>, rows: Range<Int>, _ isSet: (_ x: Int, _ y: Int) -> Bool
  ) {
    var builder = RunLengthBuilder(size: size)
    for x in columns {
      var top: Int?
      for y in rows {
        if isSet(x, y) {
          top = top ?? y
        } else if let start = top {
          builder.append(x: x, top: start, bottom: y)
          top = nil
        }
      }
      if let top { builder.append(x: x, top: top, bottom: rows.upperBound) }
    }
    self = builder.mask()
  }
}
