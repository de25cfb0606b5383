import AssayTestSupport
import Foundation
import Testing

/// The values written by `Tests/Fixtures/metrics/make_goldens.py`, which lists its tools and their
/// versions.
enum Goldens {
  static func load<Content: Decodable>(_ name: String, as type: Content.Type) throws -> Content {
    try GoldenJSON.decode("metrics/\(name).json", as: type)
  }

  /// The tolerance: absolute below 1, relative above.
  static let tolerance = 1e-12

  static func agree(_ value: Double?, _ golden: Double?, _ tolerance: Double = tolerance) -> Bool {
    switch (value, golden) {
    case (nil, nil): true
    case (let value?, let golden?): abs(value - golden) <= tolerance * max(1, abs(golden))
    default: false
    }
  }
}
