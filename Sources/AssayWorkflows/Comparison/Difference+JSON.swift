import AssayCore
import AssayMetrics

extension Difference {
  /// The difference in `assay compare --json`. If there is no interval, `interval_reason` gives the
  /// reason; if the intervals of several classes are simultaneous, `simultaneous` is their number.
  ///
  /// - Parameter classes: the names of the run's classes.
  func json(classes: [String]) -> JSONValue {
    var members: [JSONValue.Member] = [
      .init("a", JSONValue(first)), .init("b", JSONValue(second)),
      .init("difference", JSONValue(value)),
      .init("interval", interval.map { [.number($0.low), .number($0.high)] } ?? .null),
    ]
    if let interval { members.append(.init("interval_method", .string(interval.method.rawValue))) }
    if simultaneous > 1 { members.append(.init("simultaneous", JSONValue(simultaneous))) }
    if let missing {
      members.append(.init("interval_reason", .string(missing.reason(classes: classes))))
    }
    return .object(members)
  }
}
