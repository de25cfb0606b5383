import Foundation

/// The long versions of the seeded tests, which `make torture` runs.
package enum LongTests {
  /// True if `ASSAY_LONG_TESTS` is 1.
  package static let areOn = ProcessInfo.processInfo.environment["ASSAY_LONG_TESTS"] == "1"
}
