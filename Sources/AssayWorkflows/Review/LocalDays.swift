import Foundation

/// The days of a time zone, for times in UTC.
struct LocalDays: Sendable {
  private let calendar: Calendar

  init(_ timeZone: TimeZone) {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    self.calendar = calendar
  }

  /// The day of `2026-11-21T14:40:05Z`, as `2026-11-21`; `nil` for an invalid time.
  func day(_ time: String) -> String? {
    guard let date = try? Date(time, strategy: .iso8601) else { return nil }
    let parts = calendar.dateComponents([.year, .month, .day], from: date)
    guard let year = parts.year, let month = parts.month, let day = parts.day else { return nil }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(year)-\(two(month))-\(two(day))"
  }
}
