import AssayCore

/// The thresholds of a sweep: `threshold=0.1..0.9:0.05`.
package struct ThresholdRange: Sendable, Hashable {
  /// The thresholds in ascending order, in 0...1. Each is the closest number to its decimal
  /// spelling, so that it equals the same threshold given alone.
  package let values: [Double]
  /// The text as written.
  package let text: String

  /// The maximum number of thresholds of a sweep.
  package static let limit = 1001
  /// The default step.
  private static let usualStep = "0.05"

  /// Reads `threshold=FIRST..LAST:STEP`; `threshold=` and `:STEP` are optional. LAST is included if
  /// it is a multiple of the step from FIRST.
  ///
  /// - Throws: ``SweepError/notARange(_:)``.
  package init(_ text: String) throws(SweepError) {
    self.text = text
    var rest = text[...]
    if let equals = rest.firstIndex(of: "=") {
      guard rest[..<equals] == "threshold" else {
        throw .unknownSetting(String(rest[..<equals]))
      }
      rest = rest[rest.index(after: equals)...]
    }
    let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
    guard let bounds = parts.first?.split(separator: "..", omittingEmptySubsequences: false),
      bounds.count == 2, parts.count <= 2
    else { throw .notARange(text) }
    let step = parts.count == 2 ? String(parts[1]) : Self.usualStep
    let numbers = [String(bounds[0]), String(bounds[1]), step].map(Self.decimal)
    guard let first = numbers[0], let last = numbers[1], let by = numbers[2] else {
      throw .notARange(text)
    }
    let places = max(first.places, last.places, by.places)
    let scale = Self.power(places)
    let (low, high, stride) = (
      first.digits * Self.power(places - first.places),
      last.digits * Self.power(places - last.places), by.digits * Self.power(places - by.places)
    )
    guard low <= high, high <= scale, stride > 0 else { throw .notARange(text) }
    let count = (high - low) / stride + 1
    guard count <= Self.limit else { throw .tooMany(count, limit: Self.limit) }
    values = (0..<count).compactMap { index in
      Self.value(low + index * stride, places: places)
    }
  }

  /// A decimal number as an integer of its digits and the number of decimal places; `nil` if it is
  /// not a number or has more than 9 decimal places.
  private static func decimal(_ text: String) -> (digits: Int, places: Int)? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard (1...2).contains(parts.count), parts.contains(where: { !$0.isEmpty }) else { return nil }
    let places = parts.count == 2 ? parts[1].utf8.count : 0
    let digits = parts.joined()
    guard places <= 9, digits.utf8.count <= 11,
      digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let value = Int(digits)
    else { return nil }
    return (value, places)
  }

  private static func power(_ places: Int) -> Int {
    (0..<places).reduce(1) { power, _ in power * 10 }
  }

  private static func value(_ digits: Int, places: Int) -> Double? {
    let text = String(digits)
    let padded = String(repeating: "0", count: max(0, places + 1 - text.count)) + text
    return Double("\(padded.dropLast(places)).\(padded.suffix(places))0")
  }
}

/// An error that prevents a threshold sweep.
package enum SweepError: Error, Hashable {
  case notARange(String)
  case unknownSetting(String)
  case tooMany(Int, limit: Int)
  /// A run without maps: its name.
  case noMaps(run: String)
  /// A run that predicts the most likely class.
  case noThreshold(run: String)
  /// A stored evaluation, which cannot be evaluated again.
  case kept(String)
}

extension SweepError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notARange(let text):
      """
      --sweep \(text): give first and last threshold, from 0 to 1, and a step: \
      threshold=0.1..0.9:0.05
      """
    case .unknownSetting(let name):
      "--sweep \(name): only the threshold can be swept: threshold=0.1..0.9:0.05"
    case .tooMany(let count, let limit):
      "--sweep: \(count) thresholds are too many; at most \(limit)"
    case .noMaps(let run):
      """
      \(run) was predicted with --no-maps and has only masks at its own threshold; predict again \
      without --no-maps to sweep
      """
    case .noThreshold(let run):
      "\(run) predicts the most probable class of each pixel; there is no threshold to sweep"
    case .kept(let name):
      "\(name) is stored as evaluated; sweep the run itself"
    }
  }
}
