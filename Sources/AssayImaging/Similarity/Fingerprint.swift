import Foundation

/// The 24 lowest frequencies of a thumbnail's cosine transform, as a vector of length 1.
///
/// Brightness is left out (the constant term), and contrast (the length), so that the dot product
/// of two fingerprints is a correlation of two blurred images.
package struct Fingerprint: Hashable, Sendable {
  package static let count = 24
  /// The number of frequencies in each direction that are computed.
  private static let reach = 7
  /// The minimum standard deviation of a thumbnail with a fingerprint, in gray levels: below, noise
  /// decides.
  private static let leastDeviation: Float = 2

  package let values: [Float]

  /// The fingerprint of a thumbnail; `nil` if it is almost uniform.
  package init?(_ thumbnail: Thumbnail) {
    guard thumbnail.deviation >= Self.leastDeviation else { return nil }
    values = Self.transform(thumbnail, rows: Self.bases[0], columns: Self.bases[0])
  }

  /// The fingerprints of a thumbnail cropped in some ways by 4 to 8 % of its sides, starting with
  /// the whole one, each with that of its mirror image: an image that is a crop of another one is
  /// close to one of them. Empty if the thumbnail is almost uniform.
  package static func variants(of thumbnail: Thumbnail) -> [(values: [Float], isMirrored: Bool)] {
    guard thumbnail.deviation >= leastDeviation else { return [] }
    return crops.flatMap { crop in
      let values = transform(thumbnail, rows: bases[crop.rows], columns: bases[crop.columns])
      return [(values, false), (zip(values, mirrorSigns).map { $0 * $1 }, true)]
    }
  }

  /// The parts of a side that crops keep.
  private static let intervals: [(start: Double, end: Double)] = [
    (0, 1), (0.04, 0.96), (0.06, 1), (0, 0.94),
  ]
  /// Indices into ``intervals``.
  private static let crops: [(rows: Int, columns: Int)] = [
    (0, 0), (1, 1), (2, 2), (3, 3), (3, 2), (2, 3),
  ]

  /// The frequencies of the vector, lowest first.
  private static let frequencies: [(row: Int, column: Int)] = {
    var all: [(square: Int, row: Int, column: Int)] = []
    for row in 0..<reach {
      for column in 0..<reach where row + column > 0 {
        all.append((row * row + column * column, row, column))
      }
    }
    all.sort { $0 < $1 }
    return all.prefix(count).map { ($0.row, $0.column) }
  }()

  /// −1 for the frequencies that mirroring negates.
  private static let mirrorSigns: [Float] = frequencies.map { $0.column % 2 == 0 ? 1 : -1 }

  /// For each interval, the cosines over the interval's pixels as weights of the thumbnail's pixels:
  /// ``reach`` rows of one weight per pixel.
  private static let bases: [[Float]] = intervals.map { start, end in
    let side = Thumbnail.side
    var weights = [Float](repeating: 0, count: reach * side)
    let step = end - start
    for target in 0..<side {
      let first = start * Double(side) + Double(target) * step
      let last = first + step
      for source in 0..<side {
        let covered = min(last, Double(source + 1)) - max(first, Double(source))
        guard covered > 0 else { continue }
        for frequency in 0..<reach {
          let cosine = cos(Double.pi * (Double(target) + 0.5) * Double(frequency) / Double(side))
          let scale = frequency == 0 ? 0.5.squareRoot() : 1
          weights[frequency * side + source] += Float(cosine * scale * covered / step)
        }
      }
    }
    return weights
  }

  private static func transform(
    _ thumbnail: Thumbnail, rows: [Float], columns: [Float]
  ) -> [Float] {
    let side = Thumbnail.side
    var half = [Float](repeating: 0, count: reach * side)
    for frequency in 0..<reach {
      for y in 0..<side {
        let weight = rows[frequency * side + y]
        guard weight != 0 else { continue }
        for x in 0..<side {
          half[frequency * side + x] += weight * Float(thumbnail.pixels[y * side + x])
        }
      }
    }
    var values = frequencies.map { row, column in
      var sum: Float = 0
      for x in 0..<side { sum += half[row * side + x] * columns[column * side + x] }
      return sum
    }
    let length = values.reduce(0) { $0 + $1 * $1 }.squareRoot()
    guard length > 1e-6 else { return values.map { _ in 0 } }
    for place in values.indices { values[place] /= length }
    return values
  }
}
