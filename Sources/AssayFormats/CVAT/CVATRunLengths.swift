import AssayCore

/// CVAT's masks: run lengths, row by row, in the box of the mask; the first run is background.
enum CVATRunLengths {
  /// The reason why run lengths make no mask, one clause.
  struct Problem: Error {
    var kind: IssueKind
    var text: String
  }

  /// The mask in an image; pixels beyond the image are left out.
  ///
  /// - Parameter text: the run lengths, separated by commas.
  /// - Throws: ``Problem``.
  static func mask(
    _ text: String, left: Int, top: Int, width: Int, height: Int, in size: ImageSize
  ) throws(Problem) -> Mask {
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0, !overflow, area <= ImageSize.pixelLimit,
      abs(left) <= 1 << 30, abs(top) <= 1 << 30
    else { throw Problem(kind: .badShape, text: "the mask is \(width)×\(height) pixels") }
    var raster = Raster<UInt8>(repeating: 0, width: width, height: height)
    var place = 0
    var isSet = false
    for part in text.utf8.split(separator: UInt8(ascii: ",")) {
      let digits = String(decoding: part, as: UTF8.self).trimmingBlanks
      guard let run = Int(digits), run >= 0 else {
        throw Problem(
          kind: .badField,
          text: "a run length is '\(digits.prefix(20))', expected a number of pixels")
      }
      guard run <= area - place else {
        throw Problem(
          kind: .badShape, text: "the run lengths are more than \(width)×\(height) pixels")
      }
      if isSet { fill(&raster, place..<place + run, left: left, top: top, in: size) }
      place += run
      isSet.toggle()
    }
    guard place == area else {
      throw Problem(
        kind: .badShape, text: "the run lengths are \(place) pixels, expected \(width)×\(height)")
    }
    return Mask(raster).cropped(x: -left, y: -top, width: size.width, height: size.height)
  }

  /// Sets the pixels of a run that are in the image.
  private static func fill(
    _ raster: inout Raster<UInt8>, _ run: Range<Int>, left: Int, top: Int, in size: ImageSize
  ) {
    let width = raster.width
    var place = run.lowerBound
    while place < run.upperBound {
      let row = place / width
      let end = min(run.upperBound, (row + 1) * width)
      if (0..<size.height).contains(row + top) {
        let start = max(place - row * width, -left, 0)
        let stop = min(end - row * width, size.width - left, width)
        if start < stop {
          for x in start..<stop { raster.elements[row * width + x] = 1 }
        }
      }
      place = end
    }
  }
}
