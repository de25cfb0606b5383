import Foundation

/// The time in the formats that the server uses.
enum ReviewClock {
  /// The UTC time, `2026-11-21T14:40:05Z`.
  static func now() -> String { text("%Y-%m-%dT%H:%M:%SZ", isUTC: true) }

  /// The local time, `14:40:05`.
  static func timeOfDay() -> String { text("%H:%M:%S", isUTC: false) }

  /// The time in the format of HTTP's `Date` header: `Sat, 21 Nov 2026 14:40:05 GMT`
  /// (RFC 9110, section 5.6.7).
  static func httpDate() -> String { text("%a, %d %b %Y %H:%M:%S GMT", isUTC: true) }

  /// Returns the seconds of a monotonic clock, which is independent of changes to the system
  /// time; only differences matter.
  static func steadySeconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec)
  }

  private static func text(_ format: String, isUTC: Bool) -> String {
    var seconds = time(nil)
    var parts = tm()
    if isUTC { gmtime_r(&seconds, &parts) } else { localtime_r(&seconds, &parts) }
    var buffer = [CChar](repeating: 0, count: 64)
    let count = strftime(&buffer, buffer.count, format, &parts)
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
