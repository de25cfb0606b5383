import AssayCore
import AssayMetrics

extension Difference {
  /// As `assay compare --json` prints it.
  var json: JSONValue {
    [
      "a": JSONValue(first), "b": JSONValue(second), "difference": JSONValue(value),
      "interval": interval.map { [.number($0.low), .number($0.high)] } ?? .null,
    ]
  }
}
