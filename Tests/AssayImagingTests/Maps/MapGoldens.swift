import AssayCore
import AssayImaging
import AssayTestSupport
import Foundation

/// The maps of `Tests/Fixtures/maps`, mapped onto their images by OpenCV.
struct MapGoldens: Decodable {
  struct Case: Decodable, CustomStringConvertible {
    let source: [Int]
    let input: [Int]
    let output: [Int]
    let resize: String
    let anchor: String
    let crop: [Int]
    let cells: [UInt8]
    let values: [Float]

    var description: String { "\(resize) \(source) to \(input), \(output) cells" }

    var map: ProbabilityMap? {
      let rule: ResizeRule =
        switch resize {
        case "stretch": .stretch
        case "center-crop": .centerCrop
        default: .letterbox(fill: 114, anchor: LetterboxAnchor(rawValue: anchor) ?? .center)
        }
      let plan = ResizePlan(
        rule, from: ImageSize(width: source[0], height: source[1]),
        to: ImageSize(width: input[0], height: input[1]))
      return Raster(width: output[0], height: output[1], elements: cells)
        .map { ProbabilityMap($0, plan: plan) }
    }
  }

  let cases: [Case]

  static func read() throws -> [Case] {
    try GoldenJSON.decode("maps/goldens.json", as: MapGoldens.self).cases
  }
}

extension Mask {
  /// A flag per pixel, row by row: true if it is set.
  var flags: [Bool] {
    var flags = [Bool](repeating: false, count: size.area)
    var place = 0
    for (index, run) in runs.enumerated() {
      for pixel in place..<place + Int(run) where index % 2 == 1 {
        flags[pixel % size.height * size.width + pixel / size.height] = true
      }
      place += Int(run)
    }
    return flags
  }

  /// The overlap of two masks as intersection over union.
  func overlap(_ other: Mask) -> Double {
    let both = zip(flags, other.flags)
    return Double(both.count { $0 && $1 }) / Double(both.count { $0 || $1 })
  }
}
