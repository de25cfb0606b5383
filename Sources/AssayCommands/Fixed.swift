import AssayMetrics
import Foundation

/// Numbers for people: three decimals unless specified, "–" if undefined.
enum Fixed {
  static func text(_ value: Double?, places: Int = 3) -> String {
    value.map { String(format: "%.\(places)f", $0) } ?? "–"
  }

  /// A number with its sign: `+0.016`, `−0.004`.
  static func signed(_ value: Double?) -> String {
    guard let value else { return "–" }
    let text = String(format: "%.3f", abs(value))
    return (value < 0 ? "−" : "+") + text
  }

  /// `[0.569, 0.601]`; empty without an interval.
  static func text(_ interval: Interval?) -> String {
    interval.map { "[\(text($0.low)), \(text($0.high))]" } ?? ""
  }

  /// `[+0.004, +0.028]`; empty without an interval.
  static func signed(_ interval: Interval?) -> String {
    interval.map { "[\(signed($0.low)), \(signed($0.high))]" } ?? ""
  }

  /// `0.585 [0.569, 0.601]`.
  static func text(_ score: Score) -> String {
    let interval = text(score.interval)
    return text(score.value) + (interval.isEmpty ? "" : " " + interval)
  }

  /// A p-value without its name: `0.012`, `<0.001`.
  static func probability(_ value: Double?) -> String {
    guard let value else { return "–" }
    return value < 0.001 ? "<0.001" : text(value)
  }

  /// `p = 0.012`, `p < 0.001`.
  static func pValue(_ value: Double) -> String {
    value < 0.001 ? "p < 0.001" : "p = \(text(value))"
  }
}
