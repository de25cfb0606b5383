import Foundation

/// The time that runs, evaluations, imports and other results are kept with.
package enum RecordTime {
  /// The environment variable of the [specification](https://reproducible-builds.org/specs/source-date-epoch/) that
  /// makes results of equal inputs equal.
  package static let variable = "SOURCE_DATE_EPOCH"

  /// The present time in UTC, to the second, as `2026-12-01T13:05:00Z`; the one that `SOURCE_DATE_EPOCH` gives in
  /// seconds since 1970, if it is a whole number from 0 to 253402300799 (the end of the year 9999).
  package static func now(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> String {
    let given = environment[variable].flatMap { Int64($0) }.flatMap {
      (0...253_402_300_799).contains($0) ? $0 : nil
    }
    let date = given.map { Date(timeIntervalSince1970: TimeInterval($0)) } ?? Date()
    return date.formatted(.iso8601)
  }
}
