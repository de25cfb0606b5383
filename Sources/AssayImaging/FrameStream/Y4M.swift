import AssayCore

/// The header of a Y4M stream: uncompressed frames of 8 bits, in planes of luma and chroma.
///
/// Source: `yuv4mpeg(5)` of mjpegtools, and ffmpeg's `yuv4mpegenc.c` for `XCOLORRANGE`.
struct Y4MHeader: Sendable {
  /// The places of the chroma samples.
  enum Sampling: Hashable, Sendable {
    /// Half of the columns and rows, in the middle of four pixels (`420jpeg`).
    case centered
    /// Half of the columns and rows, in the columns of the left pixels (`420mpeg2`).
    case left
    /// Half of the columns and rows, at the upper left pixels (`420paldv`).
    case topLeft
    /// Half of the columns, at the left pixels.
    case columns
    case full
    case gray
  }

  let size: ImageSize
  let rate: FrameRate?
  let sampling: Sampling
  /// True if 0…255 are all levels; false for 16…235.
  let isFullRange: Bool
  let notes: [String]

  private static let lineLimit = 4_096

  /// Reads the header at the start of a buffer.
  ///
  /// - Throws: ``FrameStreamError/y4m(_:)``; any error of the stream.
  init(_ buffer: inout StreamBuffer) throws {
    let words = try Self.line(&buffer, "the header").split(separator: " ").dropFirst()
    var sides: (width: Int?, height: Int?) = (nil, nil)
    var rate: FrameRate?
    var sampling: Sampling? = .centered
    var spelling = "420"
    var isFull: Bool?
    var notes: [String] = []
    for word in words {
      let value = word.dropFirst()
      switch word.first {
      case "W": sides.width = Int(value)
      case "H": sides.height = Int(value)
      case "F":
        let parts = value.split(separator: ":").map { Int($0) }
        if parts.count == 2, let frames = parts[0], let seconds = parts[1] {
          rate = FrameRate(frames: frames, seconds: seconds)
        }
      case "C":
        spelling = String(value)
        sampling = Self.sampling(spelling)
      case "I" where ["t", "b", "m"].contains(value):
        notes.append("the frames are interlaced; the lines of both fields are kept as they are")
      case "A":
        let parts = value.split(separator: ":").compactMap { Int($0) }
        if parts.count == 2, parts[0] > 0, parts[0] != parts[1] {
          notes.append("the pixels are not square (\(value)); the frames are kept as they are")
        }
      case "X":
        if value == "COLORRANGE=FULL" { isFull = true }
        if value == "COLORRANGE=LIMITED" { isFull = false }
      default: break
      }
    }
    guard let width = sides.width, let height = sides.height else {
      throw FrameStreamError.y4m("its header has no size")
    }
    guard width > 0, height > 0, let size = ImageSize.checked(width: width, height: height) else {
      throw FrameStreamError.y4m("frames of \(width) × \(height) pixels cannot be read")
    }
    guard let sampling else {
      throw FrameStreamError.y4m(
        "the color space \(spelling.prefix(40)) is not supported: expected 420, 422, 444 or mono with 8 bits "
          + "(ffmpeg -pix_fmt yuv420p)")
    }
    (self.size, self.rate, self.sampling, self.notes) = (size, rate, sampling, notes)
    isFullRange = isFull ?? false
  }

  private static func sampling(_ name: String) -> Sampling? {
    switch name {
    case "420", "420jpeg": .centered
    case "420mpeg2": .left
    case "420paldv": .topLeft
    case "422": .columns
    case "444": .full
    case "mono": .gray
    default: nil
    }
  }

  /// A line without its end.
  private static func line(_ buffer: inout StreamBuffer, _ what: String) throws -> String {
    var wanted = 1
    while try buffer.fill(wanted) {
      if let end = buffer.firstIndex(of: 0x0A, from: 0), end <= lineLimit {
        defer { buffer.skip(end + 1) }
        return String(decoding: buffer.head(end), as: UTF8.self)
      }
      guard buffer.count <= lineLimit else {
        throw FrameStreamError.y4m("\(what) is longer than \(lineLimit) bytes")
      }
      wanted = buffer.count + 1
    }
    throw FrameStreamError.y4m("it ends in \(what)")
  }

  /// The size of a chroma plane.
  var chroma: (width: Int, height: Int) {
    switch sampling {
    case .centered, .left, .topLeft: ((size.width + 1) / 2, (size.height + 1) / 2)
    case .columns: ((size.width + 1) / 2, size.height)
    case .full: (size.width, size.height)
    case .gray: (0, 0)
    }
  }

  /// The next frame; `nil` at the end, also if the stream ends in the frame, which is then a problem.
  ///
  /// - Throws: ``FrameStreamError/y4m(_:)``; any error of the stream.
  func frame(
    _ number: Int, of buffer: inout StreamBuffer, _ problems: inout [StreamProblem]
  ) throws -> Raster<UInt8>? {
    guard try buffer.fill(1) else { return nil }
    let cut = StreamProblem(
      kind: .cut, frame: number, message: "the stream ends in the frame")
    guard try buffer.fill(6) else {
      problems.append(cut)
      return nil
    }
    guard buffer.starts(with: "FRAME".utf8) else {
      throw FrameStreamError.y4m(
        "frame \(number) does not start with FRAME; bytes are missing before it")
    }
    _ = try Self.line(&buffer, "the header of frame \(number)")
    let luma = size.width * size.height
    let plane = chroma.width * chroma.height
    guard try buffer.fill(luma + 2 * plane) else {
      problems.append(cut)
      return nil
    }
    return YCbCrPlanes(header: self, bytes: buffer.take(luma + 2 * plane)).raster
  }
}

/// The planes of a frame.
private struct YCbCrPlanes {
  let header: Y4MHeader
  let bytes: [UInt8]

  /// Red, green and blue by the matrix of ITU-R BT.601, or gray. Chroma between its samples is interpolated linearly.
  var raster: Raster<UInt8> {
    let (width, height) = (header.size.width, header.size.height)
    let levels = Self.luma(isFull: header.isFullRange)
    let count = width * height
    if header.sampling == .gray {
      let gray = bytes.prefix(count).map { Self.byte(levels[Int($0)]) }
      return Raster(width: width, height: height, elements: gray)
        ?? Raster(repeating: 0, width: width, height: height)
    }
    var pixels = [UInt8](repeating: 0, count: count * 3)
    let scale: Float = header.isFullRange ? 1 : 255 / 224
    let plane = header.chroma.width * header.chroma.height
    var blue = [Float](repeating: 0, count: width)
    var red = blue
    for row in 0..<height {
      fill(&blue, row, from: count)
      fill(&red, row, from: count + plane)
      for column in 0..<width {
        let y = levels[Int(bytes[row * width + column])]
        let (cb, cr) = (blue[column] * scale, red[column] * scale)
        let place = (row * width + column) * 3
        pixels[place] = Self.byte(y + 1.402 * cr)
        pixels[place + 1] = Self.byte(y - 0.344136 * cb - 0.714136 * cr)
        pixels[place + 2] = Self.byte(y + 1.772 * cb)
      }
    }
    return Raster(width: width, height: height, channels: 3, elements: pixels)
      ?? Raster(repeating: 0, width: width, height: height, channels: 3)
  }

  /// The luma of each level, 0…255.
  private static func luma(isFull: Bool) -> [Float] {
    (0..<256).map { isFull ? Float($0) : (Float($0) - 16) * 255 / 219 }
  }

  private static func byte(_ value: Float) -> UInt8 { UInt8(min(255, max(0, value + 0.5))) }

  /// The chroma of a row less 128, at each pixel.
  private func fill(_ values: inout [Float], _ row: Int, from start: Int) {
    let (columns, rows) = (header.chroma.width, header.chroma.height)
    // The two rows of samples around the pixel, and the share of the second one.
    var (first, second, share) = (row, row, Float(0))
    switch header.sampling {
    case .centered, .left: (first, second, share) = Self.centered(row, rows)
    case .topLeft: (first, second, share) = Self.aligned(row, rows)
    case .columns, .full, .gray: break
    }
    let (upper, lower) = (start + first * columns, start + second * columns)
    func sample(_ column: Int) -> Float {
      Float(bytes[upper + column]) * (1 - share) + Float(bytes[lower + column]) * share - 128
    }
    for column in values.indices {
      let (left, right, part) =
        switch header.sampling {
        case .centered: Self.centered(column, columns)
        case .left, .topLeft, .columns: Self.aligned(column, columns)
        case .full, .gray: (column, column, Float(0))
        }
      values[column] =
        part == 0 ? sample(left) : sample(left) * (1 - part) + sample(right) * part
    }
  }

  /// The samples around a pixel if a sample lies between each two pixels.
  private static func centered(_ pixel: Int, _ count: Int) -> (Int, Int, Float) {
    let near = pixel / 2
    return pixel % 2 == 0
      ? (max(0, near - 1), near, 0.75) : (near, min(count - 1, near + 1), 0.25)
  }

  /// The samples around a pixel if a sample lies at each second pixel.
  private static func aligned(_ pixel: Int, _ count: Int) -> (Int, Int, Float) {
    let near = pixel / 2
    return pixel % 2 == 0 ? (near, near, 0) : (near, min(count - 1, near + 1), 0.5)
  }
}
